"""The data: a section for a kind of evidence, or the table that any evidence has."""

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
from ..blocks import Figure, Section, Table
from .cells import number_cell, percent_text
from .discordant_examples import example_blocks
from .outcomes import outcomes_section
from .page_context import PageContext


@singledispatch
def data_sections(evidence: Any, _: PageContext) -> Iterator[Section]:
    """Yield the table of the evidence, unless its kind has registered a section."""
    table = evidence._notebook_table()  # noqa: SLF001  # the part of the protocol that shows evidence
    if table is not None:
        yield Section(id="data", title="Data", blocks=(Table.of(*table),))


@data_sections.register
def _show_elsewhere(_: ErrorCount | ErrorPatterns | Labelled | ClassScores | OfLearners, __: Any) -> Iterator[Section]:
    """Yield nothing: the result, the leaderboard, labels, curves or runs show all of it."""
    yield from ()


@data_sections.register
def _show_outcomes(outcomes: Outcomes, _: PageContext) -> Iterator[Section]:
    if len(outcomes.models) <= 2:
        yield outcomes_section(outcomes)


@data_sections.register
def _show_paired_table(table: PairedTable, context: PageContext) -> Iterator[Section]:
    """Yield the four counts as a picture and as a table, and the examples behind them."""
    from ..plots import paired_table_picture

    a, b = table.models
    yes, no = ("wrong", "right") if table.event == "wrong" else (table.event, f"not {table.event}")
    total = int(table.examples)
    rows = [
        (f"{a} {event_a}, {b} {event_b}", count, number_cell(count / total, percent_text(count / total)))
        for event_a, event_b, count in (
            (yes, yes, int(table.both_wrong)),
            (yes, no, int(table.only_a_wrong)),
            (no, yes, int(table.only_b_wrong)),
            (no, no, int(table.both_right)),
        )
    ]
    note = f"{total:,} examples, {int(table.disagreements):,} discordant. The test uses the discordant examples."
    counts = Table.of("Counts", ("outcome", "examples", "share"), rows, note=note)
    figure = Figure(picture=paired_table_picture(table))
    yield Section(
        id="discordant", title="Discordant examples", blocks=(figure, counts, *example_blocks(table, context))
    )


@data_sections.register
def _show_independent_counts(counts: IndependentCounts, _: PageContext) -> Iterator[Section]:
    rows = [
        (name, int(count.errors), int(count.trials), number_cell(count.rate, percent_text(float(count.rate), 2)))
        for name, count in zip(counts.models, (counts.a, counts.b), strict=True)
    ]
    table = Table.of("Errors on two test sets", ("model", "errors", "examples", "error rate"), rows)
    yield Section(id="data", title="Data", blocks=(table,))


@data_sections.register
def _show_strata(counts: StratifiedCount, _: PageContext) -> Iterator[Section]:
    rows = [
        (
            number,
            int(errors),
            int(trials),
            number_cell(errors / trials, percent_text(errors / trials, 2)),
            number_cell(share, percent_text(share, 2)),
        )
        for number, (errors, trials, share) in enumerate(
            zip(counts.errors, counts.trials, counts.shares, strict=True), 1
        )
    ]
    head = ("stratum", "errors", "examples", "error rate", "share of the population")
    yield Section(id="strata", title="Strata", blocks=(Table.of("Strata", head, rows),))
