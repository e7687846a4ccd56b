"""What the lab found out about looking early: which rules keep their word, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...lab import Peeking
from ...rendering import level_text
from ..blocks import Block, Cell, Facts, Figure, Section, Table
from .headline import result_section
from .page_context import PageContext
from .reproduction import reproduce_section


def peeking_sections(result: Peeking, context: PageContext) -> Iterator[Section]:
    """Return all sections about rules for when to stop, at one design."""
    from ..plots import peeking_picture

    yield result_section(result.display())
    figures: tuple[Block, ...] = (Figure(picture=peeking_picture(result)), *_make_tables(result))
    yield Section(id="figures", title="What was measured", blocks=figures)
    parameters = tuple(
        (name, f"{value:.10g}" if isinstance(value, float) else str(value))
        for name, value in _design_parameters(result)
    )
    yield Section(
        id="design", title="The design", blocks=(Facts(rows=parameters, title="Its parameters"),), folded=True
    )
    yield reproduce_section(result, context, {})


def _design_parameters(result: Peeking) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, value in result.design.as_dict().items() if value is not None)


def _make_tables(result: Peeking) -> tuple[Table, ...]:
    """Return a line for each rule and true difference: what was decided, and how often the limits held throughout."""
    from ..plots.truths import truth_axis

    axis = truth_axis(result.design)
    decided, evidence = [], []
    for each in result:
        for index, truth in enumerate(axis.of(result.differences)):
            name = [each.rule, Cell(f"{axis.scale * float(truth):.6g}", float(truth))]
            wrong = None if index == 0 else each.wrong[index - 1]
            examples = float(each.examples[index])
            figures = [*_share_cells(each.by_look[index, -1], result.simulated), _share_cells(wrong, 0)[0]]
            decided.append([*name, *figures, Cell(f"{examples:.1f}", examples)])
            if each.coverage is not None:
                evidence.append([*name, *_share_cells(each.coverage[index], result.simulated)])
    limits = ["from", "to"] if result.simulated else []
    first = ["rule", axis.head]
    note = " From, to: 95 % limits of the simulation (Clopper and Pearson)." if result.simulated else ""
    heads = ["decides", *(f"decides, {end}" for end in limits), "for the wrong one", "examples at the stop"]
    alarms = (
        f"Under the null hypothesis, to decide is a false alarm (alpha = {result.alpha:g}); else it is power.{note}"
    )
    tables = [_drop_empty_columns("Decisions", [*first, *heads], decided, alarms)]
    if evidence:
        heads = ["held throughout", *(f"held, {end}" for end in limits)]
        text = f"How often the {level_text(result.alpha)} limits that go with a rule hold the truth at all looks.{note}"
        tables.append(_drop_empty_columns("Limits at all looks", [*first, *heads], evidence, text))
    return tuple(tables)


def _drop_empty_columns(caption: str, head: list[str], rows: list[list[Any]], note: str) -> Table:
    """Return a table without its empty columns."""
    kept = [index for index in range(len(head)) if any(row[index] and _cell_text(row[index]) for row in rows)]
    return Table.of(caption, [head[index] for index in kept], [[row[p] for p in kept] for row in rows], note=note)


def _cell_text(cell: Any) -> str:
    return cell.text if isinstance(cell, Cell) else str(cell)


def _share_cells(share: Any, simulated: int) -> list[Cell]:
    """Return a share, and its limits if it was counted in trials."""
    known = share is not None and not np.isnan(share.value)
    parts = (share.value, *((share.low, share.high) if simulated else ())) if known else ()
    cells = [Cell(f"{value:.4f}" if value >= 1e-4 or value == 0 else f"{value:.1e}", float(value)) for value in parts]
    return cells or [Cell("")] * (3 if simulated else 1)
