"""The blocks of a report: plain values without markup.

Sections compose blocks from results, and `html.py` renders them. Texts from a user's files stay text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, SupportsFloat

from ..figures import Scale
from ..interval_svg import interval_svg
from .picture import Picture

Badge = Literal["", "Significant difference", "No significant difference", "Pass", "Worse", "Not enough evidence"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One figure at large size, with short notes below it."""

    value: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalDrawing:
    """An estimate with its interval, as `interval_svg` draws it."""

    estimate: float
    low: float
    high: float
    scale: Scale
    level: str = "95%"
    name: str = "Difference"
    zero: float | None = 0.0
    margins: tuple[float, ...] = ()
    margin_name: str = "margin"
    caption: str = ""

    @property
    def interval_notes(self) -> tuple[str, str]:
        """Notes below the estimate: the level and the limits, or the only limit of a one-sided interval."""
        if math.isinf(self.low) and math.isinf(self.high):
            return f"{self.level} CI", "without limits"
        if math.isinf(self.low):
            return f"{self.level} upper limit", self.scale.value(self.high)
        if math.isinf(self.high):
            return f"{self.level} lower limit", self.scale.value(self.low)
        return f"{self.level} CI", self.scale.range(self.low, self.high, unit=self.scale.kind == "percent")

    def to_svg(self) -> str:
        """Return the drawing for a page that forbids inline styles."""
        return interval_svg(
            self.estimate,
            self.low,
            self.high,
            scale=self.scale,
            level=self.level,
            name=self.name,
            zero=self.zero,
            margins=self.margins,
            margin_name=self.margin_name,
            caption=self.caption,
            inline_style=False,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The top of a page: the decision, one sentence, its figures, cautions, and one line of scope."""

    verdict: str
    figures: str = ""
    badge: Badge = ""
    cautions: tuple[str, ...] = ()
    tiles: tuple[Tile, ...] = ()
    interval: IntervalDrawing | None = None
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Paragraphs."""

    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Labels and values."""

    rows: tuple[tuple[str, str], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of a table's cell, the value it is sorted by, and whether it is bold."""

    text: str
    value: float | str | None = None
    strong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table that can be sorted by each column and copied; columns of numbers are aligned to the right."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numeric: frozenset[int] = frozenset()  # columns of numbers
    note: str = ""

    @classmethod
    def of(cls, caption: str, head: Sequence[str], rows: Iterable[Sequence[Any]], note: str = "") -> Table:
        """Return a table of cells, texts and numbers; a column of numbers only is aligned to the right."""
        cells = tuple(tuple(_make_cell(each) for each in row) for row in rows)
        numeric = {
            index
            for index in range(len(head))
            if any(isinstance(row[index].value, float) for row in cells)
            and all(isinstance(row[index].value, float) or not row[index].text for row in cells)
        }
        return cls(caption=caption, head=tuple(head), rows=cells, numeric=frozenset(numeric), note=note)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture with its description and the numbers behind it."""

    picture: Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckBlock:
    """An assumption: its code, whether it holds, and its message."""

    code: str
    holds: bool
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """The checks of an answer, failed ones first."""

    checks: tuple[CheckBlock, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """Text to be copied: a command, Python, a paragraph for a paper, BibTeX."""

    label: str
    text: str
    language: Literal["console", "python", "markdown", "latex", "bibtex", "text"] = "text"


Block = Verdict | Text | Facts | Table | Figure | Checks | Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading with the blocks below it; a folded section is closed at first."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    folded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A whole report: its title and its sections, the first of which begins with the verdict.

    The title stands in the browser's tab, and on a page that does not begin with a verdict above the sections; a
    `label` stands in a small line above the verdict. Tables are cut where all of them together have more than `cells`
    cells: as it is, a page stays below a megabyte.
    """

    title: str
    sections: tuple[Section, ...]
    subtitle: str = ""
    label: str = ""
    cells: int = 14_000


def _make_cell(value: Any) -> Cell:
    if isinstance(value, Cell):
        return value
    if value is None:
        return Cell("")
    if isinstance(value, bool) or not isinstance(value, SupportsFloat):
        return Cell(str(value), str(value))
    return Cell(f"{value:.6g}" if isinstance(value, float) else str(value), float(value))
