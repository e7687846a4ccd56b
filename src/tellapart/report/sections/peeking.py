"""Stopping rules for repeated looks: type I error rate, power, expected sample size and coverage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...figures import level_text
from ...lab import Peeking
from ..blocks import Block, Cell, Facts, Figure, Section, Table
from .headline import result_section
from .methods_and_references import references_sections
from .page_context import PageContext
from .reproduction import reproduce_section


def peeking_sections(result: Peeking, context: PageContext) -> Iterator[Section]:
    """Return all sections about rules for when to stop, at one design."""
    from ..plots import peeking_picture

    yield result_section(result.display())
    figures: tuple[Block, ...] = (Figure(picture=peeking_picture(result)), *_make_tables(result))
    yield Section(id="figures", title="Measured error rates", blocks=figures)
    parameters = tuple(
        (name, f"{value:.10g}" if isinstance(value, float) else str(value))
        for name, value in _design_parameters(result)
    )
    yield Section(id="design", title="Design", blocks=(Facts(rows=parameters),), folded=True)
    yield from references_sections(result)
    yield reproduce_section(result, context, {})


def _design_parameters(result: Peeking) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, value in result.design.as_dict().items() if value is not None)


def _make_tables(result: Peeking) -> tuple[Table, ...]:
    """Return a line for each rule and true difference: decisions, and coverage of the intervals of all looks."""
    from ..plots.truths import truth_axis

    axis = truth_axis(result.design)
    decided, covered = [], []
    for rule in result:
        for index, truth in enumerate(axis.of(result.differences)):
            name = [rule.rule, Cell(f"{axis.scale * float(truth):.6g}", float(truth))]
            wrong = None if index == 0 else rule.wrong[index - 1]
            examples = float(rule.examples[index])
            figures = [*_share_cells(rule.by_look[index, -1], result.simulated), _share_cells(wrong, 0)[0]]
            decided.append([*name, *figures, Cell(f"{examples:.1f}", examples)])
            if rule.coverage is not None:
                covered.append([*name, *_share_cells(rule.coverage[index], result.simulated)])
    limits = ["low", "high"] if result.simulated else []
    first = ["rule", axis.head]
    note = " Low, high: 95% CI of the simulation (Clopper-Pearson)." if result.simulated else ""
    heads = ["rejects", *(f"rejects, {end}" for end in limits), "wrong sign", "mean n"]
    rates = f"Rejections at a difference of 0 are type I errors (alpha = {result.alpha:g}); else they are power.{note}"
    tables = [_drop_empty_columns("Decisions", [*first, *heads], decided, rates)]
    if covered:
        heads = ["coverage", *(f"coverage, {end}" for end in limits)]
        text = (
            f"Probability that the {level_text(result.alpha)} intervals of all looks contain the true difference.{note}"
        )
        tables.append(_drop_empty_columns("Coverage at all looks", [*first, *heads], covered, text))
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
