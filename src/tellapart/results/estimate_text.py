"""The text of an estimate: the value with its interval, and the rows that support it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..display import Display, Row
from ..figures import Scale, count_text, level_text, short_names
from .narrate import names_rows, note_rows, passed_rows
from .oriented import bounded_text
from .wording import (
    caution_rows,
    data_text,
    interval_limits,
    looks_rows,
    method_text,
    note_beside_title,
    value_scale,
    with_cautions,
)

if TYPE_CHECKING:
    from .estimate import Estimate
    from .interval import Interval


def display(answer: Estimate, *, verbose: bool = False) -> Display:
    """Return the layout of an estimate."""
    return Display(
        verdict=with_cautions(verdict(answer), answer.checks),
        blocks=(
            *caution_rows(answer.checks),
            *looks_rows(answer.note("looks", 0), answer.alpha),
            *_data_and_method_rows(answer, verbose=verbose),
        ),
    )


def verdict(answer: Estimate) -> str:
    """Return the metric with its interval, after the name of the model if it has one."""
    if answer.shape:
        return _verdict_of_many(answer)
    target = answer.target
    if target in answer.evidence.models:
        target = short_names([target])[target]
    return f"{f'{target}: ' * bool(target)}{value_text(answer)}"


def value_text(answer: Estimate) -> str:
    """Return the metric with its interval: "error rate 2.5% (95% CI 0.7% to 6.5%)"."""
    evidence, interval = answer.evidence, answer.interval
    title = evidence.metric.report_title
    for reason in evidence.reasons_undefined.values():
        return f"{title} is undefined: {reason}"
    if evidence.metric.name == "label-balance":
        return _balance_text(answer)
    scale = value_scale(evidence, interval, float(answer.value))
    low, high = interval_limits(evidence, interval)
    value = float(evidence.metric.report_value(answer.value))
    return (
        f"{title} {scale.value(value)} ({bound_text(interval, low, high, scale, turned=evidence.metric.as_accuracy)})"
    )


def _balance_text(answer: Estimate) -> str:
    """Return by how much more or less often a class is predicted than it occurs."""
    evidence, interval, value = answer.evidence, answer.interval, float(answer.value)
    scale = value_scale(evidence, interval, value)
    name = evidence.metric.of_class  # type: ignore[attr-defined]  # a metric of one class
    word, sign = ("less", 1) if value > 0 else ("more", -1)
    ends = sorted((sign * float(interval.low), sign * float(interval.high)))
    limits = f"{level_text(interval.alpha)} CI {scale.range(*ends)}"
    return f"{name} is predicted {scale.value(abs(value))} {word} often than it occurs ({limits})"


def bound_text(interval: Interval, low: float, high: float, scale: Scale, *, turned: bool = False) -> str:
    """Return "95% CI 0.7% to 6.5%", or a one-sided bound; `turned` if a lower bound became an upper one."""
    level = level_text(interval.alpha)
    if interval.side == "two" and (math.isinf(low) or math.isinf(high)):
        return f"{level} CI {bounded_text(scale.value, low, high)}"
    if interval.side == "two":
        return f"{level} CI {scale.range(low, high, unit=True)}"
    if (interval.side == "lower") != turned:
        return f"{level} lower bound {scale.value(low)}"
    return f"{level} upper bound {scale.value(high)}"


def _verdict_of_many(answer: Estimate) -> str:
    """Return the number of estimates, and their range."""
    known = answer.value[~np.isnan(answer.value)]
    lacking = f", {answer.value.size - known.size:,} undefined" if known.size < answer.value.size else ""
    low, high = (float(known.min()), float(known.max())) if known.size else (math.nan, math.nan)
    metric = answer.evidence.metric
    low, high = sorted((float(metric.report_value(low)), float(metric.report_value(high))))
    scale = Scale(answer.evidence.value_kind, 1 if answer.evidence.value_kind != "plain" else 3)
    title = {"accuracy": "accuracies"}.get(metric.report_title, "")
    many = count_text(answer.value.size, f"value of {metric.report_title}", title or f"values of {metric.report_title}")
    if metric.is_rate and not metric.as_accuracy:
        many = count_text(answer.value.size, "error rate")
    return f"{many} from {scale.range(low, high, unit=True)}{lacking}"


def _data_and_method_rows(answer: Estimate, *, verbose: bool) -> Iterator[Row]:
    evidence, interval = answer.evidence, answer.interval
    yield Row("data", data_text(evidence, answer.excluded, answer.note("effective_size", np.nan)))
    if verbose and evidence.details():
        yield Row("", evidence.details())
    name = method_text(interval.title or interval.method, interval.reference)
    estimator = f"; estimate: {answer.method_title or answer.method}" if answer.method != interval.method else ""
    yield Row("interval", f"{name}{estimator}")
    if verbose:
        yield Row("", "; ".join(filter(None, (f"method {interval.method}", note_beside_title(interval)))))
        if not answer.shape:
            yield from note_rows(answer)
        yield from passed_rows(answer.checks)
        yield from names_rows(evidence.models)
    yield Row("scope", evidence.scope(answer.method).row)


def draw_interval(answer: Estimate) -> str:
    """Return the value with its interval as SVG; empty for many, or for a one-sided bound."""
    from ..interval_svg import interval_svg

    if answer.shape or answer.interval.side != "two" or np.isnan(answer.value):
        return ""
    evidence, interval = answer.evidence, answer.interval
    scale, (low, high) = value_scale(evidence, interval, float(answer.value)), interval_limits(evidence, interval)
    title = evidence.metric.report_title
    value, level = float(evidence.metric.report_value(answer.value)), level_text(interval.alpha)
    return interval_svg(value, low, high, scale=scale, level=level, name=title, zero=None, caption=title)


def explanations(answer: Estimate) -> Iterator[tuple[str, str]]:
    """Yield an explanation of the interval."""
    title, level = answer.evidence.metric.report_title, level_text(answer.interval.alpha)
    condition = answer.evidence.condition(answer.method)
    unless = f" It would be one if {condition}." if condition else ""
    yield (
        "interval",
        f"The procedure gives an interval that contains the true {title} in {level} of samples.{unless}",
    )
