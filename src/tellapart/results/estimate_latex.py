"""The LaTeX table of an estimate: the value with its interval."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..figures import Scale, level_text, short_names
from .latex_layout import MISSING, capitalized, metric_head, number, prose, value_cell, write_table
from .oriented import bounded_text
from .wording import data_text, interval_limits, value_scale

if TYPE_CHECKING:
    from ..evidence import Evidence
    from .estimate import Estimate
    from .interval import Interval


def write_latex(answer: Estimate) -> str:
    """Return the table of one estimate; the table that lists the rows for many estimates."""
    if answer.shape:
        return answer.display().to_latex()
    evidence, interval, target = answer.evidence, answer.interval, answer.target
    scale = value_scale(evidence, interval, float(answer.value))
    name = short_names([target])[target] if target in evidence.models else target
    head, cell = limits_cell(evidence, interval, scale)
    line = [value_cell(scale, float(evidence.metric.report_value(answer.value))), cell]
    heads = [metric_head(evidence), head]
    if name:
        heads, line = [capitalized(evidence.noun), *heads], [prose(name), *line]
    return write_table(
        [
            f"{prose(capitalized(data_text(evidence, answer.excluded, answer.note('effective_size', math.nan))))}.",
            f"Interval: {prose(interval.title or interval.method)}.",
        ],
        heads,
        [line],
        align="l" * bool(name) + "cc",
    )


def limits_cell(evidence: Evidence, interval: Interval, scale: Scale) -> tuple[str, str]:
    r"""Return head and cell of the interval of one model: "95\% CI" and "0.7 to 6.5", or one bound."""
    low, high = interval_limits(evidence, interval)
    level, turned = prose(level_text(interval.alpha)), evidence.metric.as_accuracy
    if interval.side == "two":
        undefined = math.isnan(low) or math.isnan(high)
        return f"{level} CI", MISSING if undefined else number(bounded_text(scale.number, low, high))
    below = (interval.side == "lower") != turned
    return f"{level} {'lower' if below else 'upper'} bound", value_cell(scale, low if below else high)
