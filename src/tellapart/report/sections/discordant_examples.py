"""The examples that only one of two models got right."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

import numpy as np

from ...evidence import PairedTable
from ..blocks import Block, Cell, Section, Table, Text
from .page_context import PageContext


@singledispatch
def examples_sections(_: Any, context: PageContext) -> Iterator[Section]:
    """Yield the examples that only one of the two got right, where they were asked for."""
    if context.examples is not None:
        yield _examples_section(context)


@examples_sections.register
def _examples_of_table(table: PairedTable, context: PageContext) -> Iterator[Section]:
    """Yield the examples behind the counts, or how to ask for them; a race has its own sections."""
    if context.examples is not None or (table.event == "wrong" and context.race is None):
        yield _examples_section(context)


def _examples_section(context: PageContext) -> Section:
    """Return the examples that only one of the two got right, or how to ask for them."""
    result = context.examples
    if result is None:
        ask = (
            "The answer rests on counts, which know no examples. To see those that only one of the two got right, ask"
            " for them: --examples 50 at the command line, or Predictions.disagreements(a, b, limit=50) in Python."
        )
        return Section(id="examples", title="Where the two disagree", blocks=(Text(paragraphs=(ask,)),))
    head, lines = result.table()
    rows = [
        [Cell(text, _sorted_by(value)) for text, value in zip(texts, line, strict=True)]
        for texts, line in zip(lines, result.lines, strict=True)
    ]
    description = result.describe()
    description = f"{description[0].upper()}{description[1:]}"
    sizes = np.cumsum([sum(len(cell.text) + _CELL for cell in row) for row in rows])
    room = int(np.searchsorted(sizes, _ROOM, side="right"))
    note = f"The first {room} of {len(rows)} rows: a page has no room for more." if room < len(rows) else ""
    block: Block = (
        Table.of(description, head, rows[:room], note=note) if rows else Text(paragraphs=(f"{description}.",))
    )
    blocks = (block,)
    return Section(id="examples", title="Where the two disagree", blocks=blocks)


_ROOM, _CELL = 400_000, 12  # characters that examples may take of a page, and what a cell costs besides its text


def _sorted_by(value: Any) -> float | str | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return None if value is None else str(value)
