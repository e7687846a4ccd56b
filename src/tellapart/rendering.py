"""From rows to text, Markdown, LaTeX, HTML and JSON; and how numbers are written.

A result states its rows once. Nothing here knows what a row means.
"""

from __future__ import annotations

import json
import math
import textwrap
from html import escape
from typing import Any

import numpy as np

__all__ = ["Rendered", "level_text", "percent", "plain", "pvalue_text", "significant"]

WIDTH = 100  # columns of plain text


class Rendered:
    """Every form of a result from the same rows; subclasses draw nothing."""

    __slots__ = ()

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        raise TypeError(f"{type(self).__name__} states no rows")

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers, strings, lists and dictionaries, every digit kept."""
        raise TypeError(f"{type(self).__name__} has no plain form")

    def __str__(self) -> str:
        rows = self.rows()
        indent = max(len(label) for label, _ in rows) + 2
        return "\n".join(_folded(f"{label:<{indent}}", value) for label, value in rows)

    def to_markdown(self) -> str:
        """Return a two-column Markdown table."""
        lines = [f"| {_in_cell(label)} | {_in_cell(value)} |" for label, value in self.rows()]
        return "\n".join(["| | |", "|---|---|", *lines])

    def to_latex(self) -> str:
        r"""Return a two-column LaTeX tabular."""
        lines = [rf"{_in_latex(label)} & {_in_latex(value)} \\" for label, value in self.rows()]
        return "\n".join([r"\begin{tabular}{ll}", *lines, r"\end{tabular}"])

    def to_json(self, indent: int | None = 2) -> str:
        """Return JSON with every digit; what is undefined (NaN) or infinite is null."""
        return json.dumps(plain(self.as_dict()), indent=indent, ensure_ascii=False, allow_nan=False)

    def _repr_html_(self) -> str:
        cells = (f"<tr><th>{escape(label)}</th><td>{escape(value)}</td></tr>" for label, value in self.rows())
        return f'<table class="tellapart">{"".join(cells)}</table>'


def _folded(label: str, value: str) -> str:
    """Return label and value in lines of bearable length; a number and its % stay together."""
    held = value.replace(" %", "\N{NO-BREAK SPACE}%")
    lines = textwrap.fill(held, WIDTH, initial_indent=label, subsequent_indent=" " * len(label), break_long_words=False)
    return lines.replace("\N{NO-BREAK SPACE}%", " %")


def plain(value: Any) -> Any:
    """Return `value` in the types JSON knows: NumPy scalars and arrays unpacked, NaN as None.

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
    return value


def percent(value: float, spread: float) -> str:
    """Write a rate in percent, with the digits that an interval of width `spread` earns.

    Two digits of the standard error (about a quarter of the width) are kept.

    Examples
    --------
    >>> percent(0.025, spread=0.058)
    '2.5 %'
    >>> percent(0.0251234, spread=0.0004)
    '2.512 %'
    """
    if not math.isfinite(value):
        return "undefined"
    error = 100 * abs(spread) / 4
    decimals = 1 if not 0 < error < math.inf else min(max(1 - math.floor(math.log10(error)), 0), 12)
    text = f"{100 * value:.{decimals}f}"
    if float(text) == 0 and value != 0:
        text = f"{100 * value:.2g}"  # a limit above 0 is never written as 0
    elif float(text) == 100 and value < 1:
        return "just below 100 %"
    return f"{text.removeprefix('-') if float(text) == 0 else text} %"


def significant(value: float, digits: int = 3) -> str:
    """Write a number with so many significant digits.

    Examples
    --------
    >>> significant(2.9249999), significant(120)
    ('2.92', '120')
    """
    return f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:.0f}"


def pvalue_text(pvalue: float) -> str:
    """Write a p-value: three digits, and never as 0.

    Examples
    --------
    >>> pvalue_text(0.0304), pvalue_text(3.1e-9), pvalue_text(2.3e-308)
    ('0.0304', '3.1e-09', 'below 1e-307')
    """
    if math.isnan(pvalue):
        return "none"
    if pvalue < 1e-307:
        return "below 1e-307"
    return f"{pvalue:.3g}" if pvalue < 1e-3 else f"{pvalue:.4f}".rstrip("0").rstrip(".")


def level_text(alpha: float) -> str:
    """Write the confidence level that belongs to `alpha`.

    Examples
    --------
    >>> level_text(0.05), level_text(0.001), level_text(1e-12)
    ('95 %', '99.9 %', '1 − 1e-12')
    """
    return f"1 − {alpha:.4g}" if alpha < 1e-6 else f"{100 * (1 - alpha):.10g} %"


def _in_cell(text: str) -> str:
    return text.replace("|", r"\|").replace("\n", " ")


_LATEX = {character: "\\" + character for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "·": r"$\cdot$",
    "≥": r"$\ge$",
}


def _in_latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)
