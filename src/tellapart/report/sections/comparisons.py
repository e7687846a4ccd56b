"""The comparison of two models, of two learners, or of one model with a threshold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...methods import Offer, look_up
from ...results import Comparison
from ..blocks import Cell, Figure, Section, Table
from ..method_titles import interval_note, method_title
from .body import body_sections
from .cells import difference_cell, difference_heads, limit_cells, number_cell, pvalue_cell
from .headline import answer_section
from .page_context import PageContext


def comparison_sections(answer: Comparison, context: PageContext) -> Iterator[Section]:
    """Return all sections about two classifiers, two learners, or one classifier and a threshold."""
    yield answer_section(answer)
    yield difference_section(answer)
    yield from body_sections(answer, context, methods_of(answer))


def methods_of(answer: Comparison) -> tuple[Offer | None, ...]:
    """Return the test and the interval of a comparison, as the registry has them."""
    kind = type(answer.evidence)
    return look_up(answer.method, "test", kind), look_up(answer.interval.method, "interval", kind)


# --- The difference -------------------------------------------------------------------------------


def difference_section(answer: Comparison) -> Section:
    """Return the difference with its interval, zero and the margin, as a picture and as a table."""
    from ..plots import difference_picture

    of_one = len(answer.evidence.models) == 1
    title = "Difference from the threshold" if of_one else "Difference"
    figure = Figure(picture=difference_picture(answer))
    return Section(id="difference", title=title, blocks=(figure, _difference_table(answer)))


def _difference_table(answer: Comparison) -> Table:
    interval, evidence = answer.interval, answer.evidence
    head = [*difference_heads("difference", interval), "statistic", "p"]
    row = [
        difference_cell(float(answer.difference), interval),
        *limit_cells(interval),
        _statistic_cell(answer.statistic),
        pvalue_cell(answer.pvalue, answer.alpha, answer.simulated, precise=True),
    ]
    if answer.adjusted is not None:
        head.append("adjusted p")
        row.append(pvalue_cell(answer.adjusted, answer.alpha, answer.adjusted_simulated, precise=True))
    rows = [[*row, method_title(answer.method, "test", evidence)]]
    for name, result in answer.note("other_tests", {}).items():
        more = [_statistic_cell(result.statistic), pvalue_cell(result.pvalue, answer.alpha, result.simulated)]
        more += [Cell("")] * (answer.adjusted is not None)
        rows.append([Cell("")] * 3 + [*more, method_title(name, "test", evidence)])
    hypothesis: str = answer.alternative
    if answer.hypothesis.kind != "different":
        hypothesis = f"{answer.hypothesis.kind}, margin {answer.margin:g}"
    note = f"{_sign_note(answer)}alpha = {answer.alpha:g}, {hypothesis}. {interval_note(interval, evidence)}"
    return Table.of("Difference in numbers", [*head, "test"], rows, note=note)


def _sign_note(answer: Comparison) -> str:
    """Return what a positive difference means."""
    if len(answer.evidence.models) == 1 or answer.evidence.event != "wrong":
        return ""
    return f"Positive: {answer.evidence.models[1]} is better. "


def _statistic_cell(statistic: Any) -> Cell:
    value = float(statistic)
    return number_cell(value, f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.6g}")
