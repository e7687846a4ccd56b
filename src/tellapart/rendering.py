"""Base classes of results: text, Markdown, LaTeX, HTML and JSON from one layout; and the format of numbers.

A result states its rows once; this module only formats them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from .display import Display, Row, TextTable, styled_lines

if TYPE_CHECKING:
    from rich.console import RenderableType


class Rendered:
    """A result that is shown as text, Markdown, LaTeX, HTML and JSON, from one layout.

    A result defines its `display`; a small value without a verdict may define only its `rows`.
    """

    __slots__ = ()

    def rows(self) -> list[tuple[str, str]]:
        """Return label and text of each row."""
        raise TypeError(f"{type(self).__name__} states no rows")

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # a small value has no more to say
        """Return the layout: verdict, figures, rows and tables; with `verbose` more numbers."""
        return Display(verdict="", blocks=tuple(Row(*row) for row in self.rows()))

    def explanations(self) -> list[tuple[str, str]]:
        """Return the labels and sentences that `explain` adds: how to read each row, assumptions, references."""
        return []

    def explain(self) -> str:
        """Return the verbose text, followed by sentences that explain how to read it."""
        display = self.display(verbose=True)
        sentences = tuple(Row(*row) for row in self.explanations())
        return "\n\n".join(part.to_text() for part in (display, Display(verdict="", blocks=sentences)) if part.blocks)

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers, strings, lists and dictionaries, with all digits."""
        raise TypeError(f"{type(self).__name__} has no plain form")

    def __str__(self) -> str:
        return self.display().to_text()

    def to_markdown(self) -> str:
        """Return Markdown: the verdict in bold, its figures, and tables."""
        return self.display().to_markdown()

    def to_latex(self) -> str:
        r"""Return LaTeX: the verdict, its figures, and tabulars."""
        return self.display().to_latex()

    def to_json(self, indent: int | None = 2) -> str:
        """Return JSON with all digits; undefined (NaN) and infinite values are null."""
        return json.dumps(plain(self.as_dict()), indent=indent, ensure_ascii=False, allow_nan=False)

    def _repr_html_(self) -> str:
        return self.display().to_html()

    def __rich__(self) -> RenderableType:
        """Return the text for a terminal: the verdict in colour, cautions in yellow, names escaped."""
        from rich.text import Text  # noqa: PLC0415  # rich comes with who asks for it

        text = Text()
        for line, colour, bold in styled_lines(self.display()):
            text.append(f"{line}\n", style=f"{'bold ' * bold}{colour}".strip())
        text.right_crop(1)
        return text


class Tabled(Rendered):
    """A result that is a table, with rows of facts that all its lines share."""

    __slots__ = ()

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the head of each column, and the cells of each line."""
        raise TypeError(f"{type(self).__name__} states no table")

    def display(self, *, verbose: bool = False) -> Display:  # noqa: ARG002  # as above
        """Return the rows and, below them, the table."""
        head, lines = self.table()
        return Display(verdict="", blocks=(*(Row(*row) for row in self.rows()), table_of(head, lines)))


def table_of(head: Sequence[str], lines: Sequence[Sequence[str]], caption: str = "") -> TextTable:
    """Return a table whose columns of numbers are aligned to the right.

    Examples
    --------
    >>> table_of(["test", "p"], [["mcnemar", "0.02"]]).align
    'lr'
    """
    sides = ("r" if _of_numbers([line[column] for line in lines]) else "l" for column in range(1, len(head)))
    return TextTable(head=head, lines=lines, align="".join(["l", *sides]), caption=caption)


# Notebooks align cells to the right by their own style sheets; the style of a cell has precedence.
_LEFT, _RIGHT = ' style="text-align: left; vertical-align: top"', ' style="text-align: right; vertical-align: top"'
_CAPTION = '<caption style="text-align: left">'
_NUMERIC = re.compile(r"[-−+±<>≤≥~]? ?\d[\d.,]*(?:e[-+]?\d+)?(?: ?(?:%|points?|pp))?", re.ASCII)
_JOINTS = re.compile(r"\bto\b|[ ,;/()\[\]–]+")


def html_rows(caption: str, rows: Sequence[tuple[str, str]]) -> str:
    """Return an HTML table of labels and values, all of it text; lines without a label belong to the one above.

    Examples
    --------
    >>> import re
    >>> re.sub(' style="[^"]*"', "", html_rows("Note", [("a", "1 < 2"), ("", "3")]))[48:-16]
    '<tbody><tr><th scope="row">a</th><td>1 &lt; 2<br>3</td></tr>'
    """
    lines: list[tuple[str, list[str]]] = []
    for label, value in rows:
        if label or not lines:
            lines.append((escape(label), []))
        lines[-1][1].append(escape(value))
    told = "".join(
        f'<tr><th scope="row"{_LEFT}>{label}</th><td{_LEFT}>{"<br>".join(values)}</td></tr>' for label, values in lines
    )
    return f'<table class="tellapart">{_CAPTION}{escape(caption)}</caption><tbody>{told}</tbody></table>'


def html_table(caption: str, head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return an HTML table with a head for every column and for every line, all of it text.

    Columns of numbers are aligned to the right, all others to the left.

    Examples
    --------
    >>> html_table("Counts", ["", "B"], [["A", "3"]])[-78:-16]
    '<td style="text-align: right; vertical-align: top">3</td></tr>'
    """
    sides = [
        _LEFT,
        *(_RIGHT if _of_numbers([line[place] for line in lines]) else _LEFT for place in range(1, len(head))),
    ]
    first = "".join(
        f'<th scope="col"{side}>{escape(name)}</th>' if name else "<td></td>"
        for name, side in zip(head, sides, strict=True)
    )
    told = "".join(
        f'<tr><th scope="row"{_LEFT}>{escape(line[0])}</th>'
        + "".join(f"<td{side}>{escape(cell)}</td>" for cell, side in zip(line[1:], sides[1:], strict=True))
        + "</tr>"
        for line in lines
    )
    above = f"{_CAPTION}{escape(caption)}</caption><thead><tr>{first}</tr></thead>"
    return f'<table class="tellapart">{above}<tbody>{told}</tbody></table>'


def _of_numbers(cells: Sequence[str]) -> bool:
    """Whether the cells of a column that hold anything hold numbers, alone or with their limits."""
    held = [cell.strip() for cell in cells if cell.strip() not in ("", "–", "-", "undefined", "none")]
    return bool(held) and all(map(_is_number, held))


def _is_number(text: str) -> bool:
    """Whether a text is a number, with its unit and its limits.

    Examples
    --------
    >>> [_is_number(text) for text in ("3", "-1.5 points", "0.95 (0.93 to 0.97)", "< 0.001", "5x2cv", "wald", "2 of 3")]
    [True, True, True, True, False, False, False]
    """
    parts = [part for part in _JOINTS.split(_NUMERIC.sub(" ", text)) if part]
    return bool(_NUMERIC.search(text)) and not parts


def html_fields(value: Any, *first: tuple[str, str]) -> str:
    """Return an HTML table of a dataclass's fields, after the rows in `first`; for large arrays it gives the size.

    Examples
    --------
    >>> from tellapart import ErrorCount
    >>> html_fields(ErrorCount(3, 120))[-29:-16]
    '120</td></tr>'
    """
    told = [
        (field.name, getattr(value, field.name))
        for field in fields(value)
        if field.name[0] != "_" and field.name != "as_accuracy"
    ]
    texts = [(name, _field_text(part)) for name, part in told if part is not None]
    return html_rows(type(value).__name__, [*first, *(row for row in texts if row[1])])


def _field_text(value: Any) -> str:
    match value:
        case np.ndarray() if value.ndim and (value.ndim > 1 or value.size > _SHOWN):
            return f"{value.size} values, shape {' × '.join(map(str, value.shape))}"
        case np.ndarray() if value.ndim:
            return _field_text(value.tolist())
        case float() | np.floating():
            return f"{value:.6g}"
        case tuple() | list():
            return ", ".join(map(_field_text, value))
        case Mapping():
            return "; ".join(f"{name}: {_field_text(part)}" for name, part in value.items())
    return value.describe() if hasattr(value, "describe") else str(value)


_SHOWN = 12  # values of an array that a notebook shows


def plain(value: Any) -> Any:
    """Return `value` in the types of JSON: NumPy scalars and arrays as Python numbers and lists, NaN as None.

    Examples
    --------
    >>> plain({"low": np.float64(0.25), "counts": np.array([1, 2]), "p": np.nan})
    {'low': 0.25, 'counts': [1, 2], 'p': None}
    """
    match value:
        case dict():
            return {key: plain(part) for key, part in value.items()}
        case list() | tuple():
            return [plain(part) for part in value]
        case np.ndarray() | np.generic():
            return plain(value.tolist())
        case float() if not math.isfinite(value):
            return None
        case bytes():
            return value.decode(errors="replace")
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)  # a date, say


def shares_text(parts: Mapping[str, float]) -> str:
    """Return the share of each part in their sum, in percent.

    Examples
    --------
    >>> shares_text({"split": 0.003, "seed": 0.001})
    'split 75%, seed 25%'
    """
    total = sum(parts.values())
    return ", ".join(f"{name} {100 * value / total:.0f}%" for name, value in parts.items()) if total else "nothing"


def significant(value: float, digits: int = 3) -> str:
    """Return a number with this many significant digits; whole numbers in full.

    Examples
    --------
    >>> significant(2.9249999), significant(120), significant(999.6)
    ('2.92', '120', '1000')
    """
    text = f"{value:.{digits}g}"
    return f"{value:.0f}" if "e+" in text and abs(value) < 1e15 else text
