"""Pictures of one metric with its interval, of one model or of several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InvalidOption
from ...results import Estimate, Interval
from ...results.wording import interval_limits
from ..method_titles import interval_title
from ..picture import Numbers, Picture, drawn
from .drawable_types import undrawable
from .labels import join_listing, name_axis, narrow_size, show_name
from .rows import WIDTH, axis_factor, common_scale, draw_rows, row_of, span_of, tall

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def estimate(estimate: Estimate, *, name: str = "", ax: Axes | None = None) -> Axes:
    """Draw the metric of one model and its interval.

    Parameters
    ----------
    estimate
        Result of `estimate`.
    name
        The name of the model; that of the estimate if left out.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> ta.plots.estimate(ta.estimate(ta.ErrorCount(3, 120)), name="forest").get_xlabel()
    'error rate in % (95% CI, Jeffreys)'
    """
    return drawn(estimate_picture(estimate, name=name), ax)


def estimate_picture(estimate: Estimate, *, name: str = "") -> Picture:
    """Return the picture that `estimate` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> estimate_picture(ta.estimate(ta.ErrorCount(3, 120))).numbers.rows[0][1]
    0.025
    """
    if not isinstance(estimate, Estimate) or estimate.shape:
        raise undrawable("estimate", estimate, "one Estimate, the result of estimate(...)")
    title = _name_quantity(estimate)
    return rates_picture({name or estimate.target: estimate}, f"{title[:1].upper()}{title[1:]}", "of")


def estimates(estimates: Mapping[str, Estimate], *, ax: Axes | None = None) -> Axes:
    """Draw the metric of several models with individual intervals, a row each, in their order.

    Whether two intervals overlap does not test their difference: compare the models, and draw the `difference`.

    Parameters
    ----------
    estimates
        By name, the results of `estimate`.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> results = {"forest": ta.estimate(ta.ErrorCount(3, 120)), "tree": ta.estimate(ta.ErrorCount(9, 120))}
    >>> ta.plots.estimates(results).get_title(loc="left")
    'Error rates'
    """
    return drawn(estimates_picture(estimates), ax)


def estimates_picture(estimates: Mapping[str, Estimate]) -> Picture:
    """Return the picture that `estimates` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> estimates_picture({"forest": ta.estimate(ta.ErrorCount(3, 120))}).numbers.head
    ('name', 'error rate', 'low', 'high', 'level', 'side', 'method')
    """
    result = dict(estimates) if isinstance(estimates, Mapping) else {}
    if not result or not all(isinstance(each, Estimate) for each in result.values()):
        raise undrawable("estimates", estimates, "a mapping from names to Estimates")
    title = _name_quantity(next(iter(result.values())))
    plural = f"{title}s" if title == "error rate" else title
    return rates_picture(result, f"{plural[:1].upper()}{plural[1:]}", "name")


def rates_picture(found: Mapping[str, Estimate], title: str, each: str) -> Picture:
    """Return the picture of one metric of several models or groups; `each` heads their names."""
    first = next(iter(found.values()))
    if any(estimate.shape for estimate in found.values()):
        raise InvalidOption("`estimates` must be single estimates, got an array of them. Index it.")
    if len({estimate.interval.metric for estimate in found.values()}) > 1:
        raise InvalidOption("`estimates` must be of one metric. Draw other metrics on axes of their own.")
    metric, kind, title_of = first.evidence.metric, first.evidence.value_kind, _name_quantity(first)
    by = axis_factor(kind)
    values, intervals = (
        [_report_value(answer) for answer in found.values()],
        list(map(reported_interval, found.values())),
    )
    scale = common_scale(intervals, values, kind)
    rows = [
        row_of(show_name(name), value, interval, kind, scale=scale)
        for name, value, interval in zip(found, values, intervals, strict=True)
    ]
    unit = {"percent": f"{title_of} in %", "points": f"{title_of} in pp", "plain": title_of}[kind]
    methods = list(dict.fromkeys(interval_title(answer.interval, answer.evidence) for answer in found.values()))
    method = methods[0] if len(methods) == 1 else "intervals by several methods"

    def draw(axes: Axes) -> None:
        ends = (0.0, 1.0) if kind == "percent" else metric.bounds
        low, high = span_of(rows, (), (by * ends[0], by * ends[1]))
        from_zero = kind == "percent" and low < high / 2
        draw_rows(axes, rows, (0.0 if from_zero else low, high))
        name_axis(axes, x=f"{unit} ({method})")

    listing = join_listing(
        f"{name or title_of}: {row.text.replace('−', '-')}" for name, row in zip(found, rows, strict=True)
    )
    return Picture(
        title=title,
        alt=f"{unit[:1].upper()}{unit[1:]}, {'; '.join(methods[:3])}: {listing}.",
        numbers=Numbers(
            head=(each, metric.title, "low", "high", "level", "side", "method"),
            rows=tuple(
                (name, float(answer.estimate), float(answer.interval.low), float(answer.interval.high),
                 answer.interval.level, answer.interval.side, answer.interval.method)
                for name, answer in found.items()
            ),
        ),
        draw=draw,
        size=(WIDTH, tall(len(rows))),
        narrow=narrow_size(tall(len(rows)) + 0.15, *(f"{row.name} {row.text}" for row in rows), most=36),
    )  # fmt: skip


def _report_value(answer: Estimate) -> float:
    return float(answer.evidence.metric.report_value(answer.estimate))


def reported_interval(answer: Estimate) -> Interval:
    """Return the interval of the metric that readers see: of an accuracy, 1 − that of the error rate."""
    interval = answer.interval
    if not answer.evidence.metric.as_accuracy:
        return interval
    low, high = interval_limits(answer.evidence, interval)
    side = {"upper": "lower", "lower": "upper"}.get(interval.side, "two")
    return replace(interval, low=np.asarray(low)[()], high=np.asarray(high)[()], side=side)  # type: ignore[arg-type]


def _name_quantity(answer: Estimate) -> str:
    return answer.evidence.metric.report_title
