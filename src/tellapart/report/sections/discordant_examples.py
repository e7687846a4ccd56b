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
    """Yield the examples that only one of two models got right, if the page has them."""
    if context.examples is not None:
        yield Section(id="examples", title="Discordant examples", blocks=(_examples_block(context.examples),))


@examples_sections.register
def _examples_of_table(_: PairedTable, __: PageContext) -> Iterator[Section]:
    """Yield nothing: they stand below the four counts."""
    yield from ()


def example_blocks(table: PairedTable, context: PageContext) -> tuple[Block, ...]:
    """Return the examples behind the counts, or how to add them; nothing for an experiment."""
    if context.examples is not None:
        return (_examples_block(context.examples),)
    if table.event != "wrong" or context.race is not None:
        return ()
    return (Text(paragraphs=(_HOW_TO_ADD,)),)


_HOW_TO_ADD = (
    "To list the examples that only one model got right, add --examples 50 on the command line, or in Python"
    " examples=predictions.disagreements(a, b, limit=50)."
)


def _examples_block(examples: Any) -> Block:
    """Return the examples as a table, as many as a page has room for."""
    head, lines = examples.table()
    rows = [
        [Cell(text, _sort_value(value)) for text, value in zip(texts, line, strict=True)]
        for texts, line in zip(lines, examples.lines, strict=True)
    ]
    description = examples.describe()
    caption = f"{description[0].upper()}{description[1:]}"
    sizes = np.cumsum([sum(len(cell.text) + _CELL for cell in row) for row in rows])
    room = int(np.searchsorted(sizes, _ROOM, side="right"))
    note = f"The first {room:,} of {len(rows):,} rows." if room < len(rows) else ""
    return Table.of(caption, head, rows[:room], note=note) if rows else Text(paragraphs=(f"{caption}.",))


_ROOM, _CELL = 400_000, 12  # characters that examples may take of a page, and the cost of a cell besides its text


def _sort_value(value: Any) -> float | str | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return None if value is None else str(value)
