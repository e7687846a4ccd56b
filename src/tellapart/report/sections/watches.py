"""A watch: its current result, and the estimate with its interval at each look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ...methods import find_methods
from ...planning import Watch
from ...planning.watch_wording import list_look_cells
from ..blocks import Badge, Cell, Figure, Section, Table, Text
from .headline import result_section
from .methods_and_references import card_sections, references_sections
from .page_context import PageContext
from .reproduction import reproduce_section

_MOST = 500  # looks in the table
_ALL_LOOKS = (
    "Band and bars: the interval of each look. Dashed lines: the intersection of the intervals so far. All intervals"
    " together contain the true value with probability 1 - alpha, "
)


def watch_sections(watched: Watch, context: PageContext) -> Iterator[Section]:
    """Return all sections about a watch; before the first look there is only the result."""
    from ..plots import watch_picture

    yield result_section(watched.display(), badge=_badge_of_watch(watched))
    if watched.looks:
        figure = Figure(picture=watch_picture(watched))
        how = "at any stopping time." if watched.total is None else "if the planned looks are kept."
        blocks = (figure, Text(paragraphs=(f"{_ALL_LOOKS}{how}",)), _looks_table(watched))
        yield Section(id="looks", title="Results by look", blocks=blocks)
    prints = {f"look {index}: {look.source}": look.fingerprint for index, look in enumerate(watched.looks, 1)}
    data = {name: " ".join(part[:16] for part in text.split()) for name, text in prints.items() if text}
    provenance = replace(context.provenance, data={**context.provenance.data, **data})
    yield from references_sections(watched)
    yield from card_sections(find_methods(name=watched.rule))
    yield reproduce_section(watched, replace(context, provenance=provenance), {})


def _badge_of_watch(watched: Watch) -> Badge:
    if len(watched.models) == 1:
        return ""
    return "No significant difference" if watched.decided is None else "Significant difference"


def _looks_table(watched: Watch) -> Table:
    head, lines = list_look_cells(watched, _MOST)
    rows = [[_look_cell(name, text) for name, text in zip(head, line, strict=True)] for line in lines]
    more = len(watched.looks) - len(rows)
    note = f"The last {len(rows):,} looks; {more:,} earlier ones are not listed." if more else ""
    return Table.of("All looks", head, rows, note=note)


def _look_cell(column: str, text: str) -> Cell:
    """Return a cell that is sorted by its number; a missing value is an empty cell."""
    if column in ("decides", "source"):
        return Cell(text)
    if text.startswith("above "):  # an e-value beyond the range of floats
        return Cell(text, np.finfo(float).max)
    return Cell("") if text in ("–", "none") else Cell(text, float(text))
