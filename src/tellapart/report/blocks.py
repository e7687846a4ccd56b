"""What a report is made of: plain values, with no markup in them.

Sections compose blocks from results; `html.py` alone knows how a block looks. Whatever a user's file says is text here
and stays text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, SupportsFloat

from .picture import Picture

Tone = Literal["plain", "told apart", "not told apart", "caution"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer, on top: one sentence, a second that says what it does not say, and a tone."""

    answer: str
    limits: str = ""
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Paragraphs."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Labels and values, as a result states them."""

    rows: tuple[tuple[str, str], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a table shows, and the value it is sorted by; a strong one stands out."""

    text: str
    value: float | str | None = None
    strong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table that can be sorted by every column and copied; columns of numbers stand on the right."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numeric: frozenset[int] = frozenset()  # which columns hold numbers
    note: str = ""

    @classmethod
    def of(cls, caption: str, head: Sequence[str], rows: Iterable[Sequence[Any]], note: str = "") -> Table:
        """Return a table of cells, texts and numbers; a column that holds only numbers is one of numbers."""
        cells = tuple(tuple(_cell(each) for each in row) for row in rows)
        numeric = {
            place
            for place in range(len(head))
            if any(isinstance(row[place].value, float) for row in cells)
            and all(isinstance(row[place].value, float) or not row[place].text for row in cells)
        }
        return cls(caption=caption, head=tuple(head), rows=cells, numeric=frozenset(numeric), note=note)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture, with its words and its numbers behind it."""

    picture: Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """An assumption: its code, whether it holds, what was found, and where more is told."""

    code: str
    holds: bool
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """All that was checked, what failed first."""

    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Lines to be copied: a command, Python, a paragraph for a paper, BibTeX."""

    label: str
    text: str
    language: Literal["console", "python", "markdown", "latex", "bibtex", "text"] = "text"


Block = Verdict | Text | Facts | Table | Figure | Checks | Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and what stands below it; a folded one is opened by whoever wants it."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    folded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A whole report: title, what it is about, and its sections; the first holds the verdict.

    Tables are cut where all of them together have more than `cells` cells: as it is, a page stays below a megabyte.
    """

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    cells: int = 15_000


def _cell(value: Any) -> Cell:
    if isinstance(value, Cell):
        return value
    if value is None:
        return Cell("")
    if isinstance(value, bool) or not isinstance(value, SupportsFloat):
        return Cell(str(value), str(value))
    return Cell(f"{value:.6g}" if isinstance(value, float) else str(value), float(value))
