"""The LaTeX table of a comparison: a line for each model, and the difference with its p-value in the caption."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..figures import short_names
from .comparison_text import difference_clause, display, sided_text, test_title, threshold_text, verdict
from .estimate_latex import limits_cell
from .latex_layout import alpha_text, bold, capitalized, metric_head, prose, value_cell, write_table
from .narrate import is_over_data_sets
from .oriented import leading_position, orient
from .wording import adjustment_text, data_text, p_text, value_scale, with_cautions

if TYPE_CHECKING:
    from .comparison import Comparison


def write_latex(answer: Comparison) -> str:
    """Return the table of one comparison; the table that lists the rows for many."""
    if answer.shape:
        return display(answer).to_latex()
    if len(answer.evidence.models) == 1:
        return _table_of_one(answer)
    if is_over_data_sets(answer.evidence):
        from .score_latex import table_of_two

        return table_of_two(answer)
    return _table_of_two(answer)


def _table_of_two(answer: Comparison) -> str:
    """Return a line for each of two models, the leader first; the winner in bold."""
    evidence, lead = answer.evidence, orient(answer)
    values = [value_cell(lead.scale, value) for value in (lead.value, lead.other_value)]
    if answer.better is not None:
        values[0] = bold(values[0])
    head = [capitalized(evidence.noun), metric_head(evidence)]
    return write_table(
        [_data_sentence(answer), *caption_of_two(answer)],
        head,
        [[prose(lead.first), values[0]], [prose(lead.other), values[1]]],
    )


def _table_of_one(answer: Comparison) -> str:
    """Return the value of one model with its interval; the test against the threshold is in the caption."""
    evidence, interval = answer.evidence, answer.interval
    value = float(answer.difference) + float(answer.against)
    scale = value_scale(evidence, interval, value)
    head, cell = limits_cell(evidence, interval, scale)
    pvalue = "" if math.isnan(answer.pvalue) else f": {p_text(float(answer.pvalue), answer.alpha, answer.simulated)}"
    name = evidence.target(answer.method)
    short = short_names([name])[name]
    return write_table(
        [
            _data_sentence(answer),
            prose(f"{with_cautions(verdict(answer), answer.checks)}{pvalue}"),
            f"({_test_clause(answer)}).",
        ],
        [*([capitalized(evidence.noun)] if name else []), metric_head(evidence), head, "Threshold"],
        [[*([prose(short)] if name else []), value_cell(scale, value), cell, prose(threshold_text(answer))]],
        align="l" * bool(name) + "ccc",
    )


def caption_of_two(answer: Comparison) -> Iterator[str]:
    """Yield the verdict, the difference with its interval and p-value, and the methods."""
    said = with_cautions(verdict(answer), answer.checks)
    yield prose(said if math.isnan(answer.difference) else f"{said}: {difference_clause(answer, orient(answer))}")
    yield f"({_test_clause(answer)})."


def _test_clause(answer: Comparison) -> str:
    """Return the test with its adjustment, alpha, and the interval if it is by another method."""
    interval, adjustment = answer.interval, answer.adjustment
    adjusted = "" if adjustment is None else f", {adjustment_text(adjustment.method)}"
    clause = f"{prose(f'{test_title(answer)}{sided_text(answer)}{adjusted}')}, {alpha_text(answer.alpha)}"
    if interval.method == answer.method:
        return clause
    return f"{clause}; interval: {prose(interval.title or interval.method)}"


def _data_sentence(answer: Comparison) -> str:
    lead = leading_position(answer) if len(answer.evidence.models) == 2 else 0
    text = data_text(answer.evidence, answer.excluded, answer.note("effective_size", math.nan), lead)
    return f"{prose(capitalized(text))}."
