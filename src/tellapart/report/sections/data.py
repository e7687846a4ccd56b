"""What was observed: a section that belongs to one kind of evidence, or the table that any evidence has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from ...evidence import (
    ClassScores,
    ErrorCount,
    ErrorPatterns,
    IndependentCounts,
    Outcomes,
    PairedTable,
    StratifiedCount,
)
from ...evidence.labelled import Labelled
from ...evidence.of_learners import OfLearners
from ...rendering import percent
from ..blocks import Figure, Section, Table
from .cells import number_cell
from .outcomes import outcomes_section


@singledispatch
def data_sections(evidence: Any) -> Iterator[Section]:
    """Yield what was observed: the table of the evidence itself, unless its kind has registered a section."""
    table = evidence._table()  # noqa: SLF001  # the part of the protocol that shows evidence
    if table is not None:
        yield Section(id="data", title="What was observed", blocks=(Table.of(*table),))


@data_sections.register
def _show_elsewhere(_: ErrorCount | ErrorPatterns | Labelled | ClassScores | OfLearners) -> Iterator[Section]:
    """Yield nothing: the verdict, the leaderboard, labels, curves or runs show it all."""
    yield from ()


@data_sections.register
def _show_outcomes(outcomes: Outcomes) -> Iterator[Section]:
    if len(outcomes.models) <= 2:
        yield outcomes_section(outcomes)


@data_sections.register
def _show_paired_table(table: PairedTable) -> Iterator[Section]:
    """Yield who was wrong where, as a picture and as counts."""
    from ..plots import paired_table_picture

    a, b = table.models
    yes, no = ("wrong", "right") if table.event == "wrong" else (table.event, f"not {table.event}")
    total = int(table.examples)
    rows = [
        (f"{a} {here}, {b} {there}", int(count), number_cell(count / total, percent(count / total, 4 / total**0.5)))
        for here, there, count in (
            (yes, yes, int(table.both_wrong)),
            (yes, no, int(table.only_a_wrong)),
            (no, yes, int(table.only_b_wrong)),
            (no, no, int(table.both_right)),
        )
    ]
    note = f"{total} examples, {int(table.disagreements)} disagreements. Only these speak of the difference."
    counts = Table.of("The four counts", ("outcome", "examples", "share"), rows, note=note)
    yield Section(
        id="table", title=f"Who was {table.event} where", blocks=(Figure(picture=paired_table_picture(table)), counts)
    )


@data_sections.register
def _show_independent_counts(counts: IndependentCounts) -> Iterator[Section]:
    rows = [
        (name, int(count.errors), int(count.trials), number_cell(count.rate, f"{100 * float(count.rate):.2f} %"))
        for name, count in zip(counts.models, (counts.a, counts.b), strict=True)
    ]
    table = Table.of("Errors on two test sets", ("model", "errors", "examples", "error rate"), rows)
    yield Section(id="table", title="What was counted", blocks=(table,))


@data_sections.register
def _show_strata(counts: StratifiedCount) -> Iterator[Section]:
    rows = [
        (
            number,
            int(errors),
            int(trials),
            number_cell(errors / trials, f"{100 * errors / trials:.2f} %"),
            number_cell(share, f"{100 * share:.4g} %"),
        )
        for number, (errors, trials, share) in enumerate(
            zip(counts.errors, counts.trials, counts.shares, strict=True), 1
        )
    ]
    head = ("stratum", "errors", "examples", "error rate", "share of the population")
    yield Section(id="strata", title="Stratum by stratum", blocks=(Table.of("The strata", head, rows),))
