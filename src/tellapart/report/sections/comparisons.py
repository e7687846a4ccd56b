"""Two of them: the difference on an axis, who was wrong where, and all that stands behind the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...evidence import ErrorCount, IndependentCounts, Outcomes, PairedTable
from ...methods import Offer, look_up
from ...rendering import percent
from ...results import Comparison
from ..blocks import Cell, Figure, Section, Table
from .common import (
    Given,
    card_sections,
    check_section,
    difference_cell,
    difference_heads,
    limit_cells,
    limits_section,
    number_cell,
    paper_section,
    reproduce_section,
    verdict_section,
)
from .learners import learner_sections, race_sections
from .measured import kind_of, measured_sections
from .outcomes import outcomes_section, with_groups
from .parts import (
    alternatives_section,
    calibration_sections,
    examples_section,
    group_sections,
    posterior_sections,
    pvalue_cell,
)


def comparison_sections(answer: Comparison, given: Given) -> Iterator[Section]:
    """Return all sections about two classifiers, two learners, or one classifier and a threshold."""
    evidence = answer.evidence
    of_one = isinstance(evidence, ErrorCount)  # whose verdict has all that its rows have
    yield verdict_section(answer, leave_out=("error rate", "against", "interval", "p-value") if of_one else ())
    yield difference_section(answer)
    if isinstance(evidence, PairedTable):
        yield table_section(evidence)
    if isinstance(evidence, IndependentCounts):
        yield _counts_section(evidence)
    if isinstance(evidence, Outcomes):
        yield outcomes_section(evidence)
    yield from measured_sections(evidence, given)
    yield from group_sections(with_groups(answer, given))
    of_file = isinstance(evidence, PairedTable) and evidence.event == "wrong" and given.race is None
    if of_file or given.examples is not None:
        yield examples_section(given)
    yield from race_sections(given)
    yield from learner_sections(evidence, answer)
    yield from posterior_sections(answer)
    yield from card_sections(methods_of(answer))
    yield from calibration_sections(given)
    yield check_section(answer.checks)
    yield limits_section(answer)
    yield alternatives_section(answer)
    yield paper_section(answer)
    yield reproduce_section(answer, given, {kind_of(evidence): evidence})


def methods_of(answer: Comparison) -> tuple[Offer | None, ...]:
    """Return the test and the interval of a comparison, as the registry has them."""
    kind = type(answer.evidence)
    return look_up(answer.method, "test", kind), look_up(answer.interval.method, "interval", kind)


# --- The difference -------------------------------------------------------------------------------


def difference_section(answer: Comparison) -> Section:
    """Return the difference and its interval on an axis that marks what decides, and the same in figures."""
    from ..plots import difference_picture

    of_one = isinstance(answer.evidence, ErrorCount)
    title = "The error and the threshold" if of_one else "The difference"
    figure = Figure(picture=difference_picture(answer))
    return Section(id="difference", title=title, blocks=(figure, _difference_table(answer)))


def _difference_table(answer: Comparison) -> Table:
    interval = answer.interval
    head = [*difference_heads("difference", interval), "statistic", "p"]
    low, high = limit_cells(interval)
    row = [
        difference_cell(float(answer.difference), interval),
        low,
        high,
        _statistic_cell(answer.statistic),
        pvalue_cell(answer.pvalue, answer.alpha, answer.simulated),
    ]
    if answer.adjusted is not None:
        head.append("adjusted p")
        row.append(pvalue_cell(answer.adjusted, answer.alpha, answer.adjusted_simulated))
    rows = [[*row, answer.method]]
    for name, found in answer.beside.items():
        more = [_statistic_cell(found.statistic), pvalue_cell(found.pvalue, answer.alpha, found.simulated)]
        more += [Cell("")] * (answer.adjusted is not None)
        rows.append([Cell("")] * 3 + [*more, name])
    asked = answer.alternative if answer.hypothesis == "different" else f"{answer.hypothesis}, margin {answer.margin:g}"
    note = f"alpha = {answer.alpha:g}, {asked}; limits: {interval.kind_text()}."
    return Table.of("The difference in figures", [*head, "test"], rows, note=note)


def _statistic_cell(statistic: Any) -> Cell:
    value = float(statistic)
    return number_cell(value, f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.6g}")


# --- Counts ---------------------------------------------------------------------------------------


def table_section(table: PairedTable) -> Section:
    """Return who was wrong where, as a picture and as counts."""
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
    return Section(
        id="table", title=f"Who was {table.event} where", blocks=(Figure(picture=paired_table_picture(table)), counts)
    )


def _counts_section(counts: IndependentCounts) -> Section:
    rows = [
        (name, int(count.errors), int(count.trials), number_cell(count.rate, f"{100 * float(count.rate):.2f} %"))
        for name, count in zip(counts.models, (counts.a, counts.b), strict=True)
    ]
    table = Table.of("Errors on two test sets", ("model", "errors", "examples", "error rate"), rows)
    return Section(id="table", title="What was counted", blocks=(table,))
