"""What a page says about a watch: where things stand, the picture of the looks, and every one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ...methods import find_methods
from ...planning import Watch
from ...planning.watch_wording import list_look_cells
from ..blocks import Badge, Cell, Figure, Section, Table, Text
from .headline import result_section
from .methods_and_references import card_sections
from .page_context import PageContext
from .reproduction import reproduce_section

_MOST = 500  # looks in the table
_ALL_LOOKS = (
    "Band and bars are the interval of each look; dashed lines are what the intervals so far have in common. All of"
    " them hold the truth at once, with the probability that alpha leaves, "
)


def watch_sections(watched: Watch, context: PageContext) -> Iterator[Section]:
    """Return all sections about a watch; before the first look there is but the verdict."""
    from ..plots import watch_picture

    yield result_section(watched.display(), badge=_badge_of_watch(watched))
    if watched.looks:
        figure = Figure(picture=watch_picture(watched))
        how = "however often one looks." if watched.total is None else "up to the end of the plan, if it is kept."
        blocks = (figure, Text(paragraphs=(f"{_ALL_LOOKS}{how}",)), _looks_table(watched))
        yield Section(id="looks", title="Look by look", blocks=blocks)
    yield from card_sections(find_methods(name=watched.rule))
    prints = {f"look {index}: {look.source}": look.fingerprint for index, look in enumerate(watched.looks, 1)}
    data = {name: " ".join(part[:16] for part in text.split()) for name, text in prints.items() if text}
    provenance = replace(context.provenance, data={**context.provenance.data, **data})
    yield reproduce_section(watched, replace(context, provenance=provenance), {})


def _badge_of_watch(watched: Watch) -> Badge:
    if len(watched.models) == 1:
        return ""
    return "No significant difference" if watched.decided is None else "Significant difference"


def _looks_table(watched: Watch) -> Table:
    head, lines = list_look_cells(watched, _MOST)
    rows = [[_look_cell(name, text) for name, text in zip(head, line, strict=True)] for line in lines]
    more = len(watched.looks) - len(rows)
    note = f"The last {len(rows)} looks; {more} came before." if more else ""
    return Table.of("Every look", head, rows, note=note)


def _look_cell(column: str, text: str) -> Cell:
    """Return a cell that is sorted by its number; what a look does not have is left empty."""
    if column in ("decides", "source"):
        return Cell(text)
    if text.startswith("above "):  # an e-value that no float holds
        return Cell(text, np.finfo(float).max)
    return Cell("") if text in ("–", "none") else Cell(text, float(text))
