"""Pictures of error rates and their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...errors import InvalidOption
from ...results import Estimate
from ..picture import Numbers, Picture, drawn
from .drawable_types import undrawable
from .labels import join_listing, name_axis, narrow_size, show_name
from .rows import WIDTH, draw_rows, row_of, scale_of, span_of, tall

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def estimate(estimate: Estimate, *, name: str = "", ax: Axes | None = None) -> Axes:
    """Draw an error rate and its interval.

    Parameters
    ----------
    estimate
        What `estimate` said.
    name
        Whose error rate it is; what the estimate says of that if left out.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> ta.plots.estimate(ta.estimate(ta.ErrorCount(3, 120)), name="forest").get_xlabel()
    'error rate in %, with limits: 95 %, two-sided, jeffreys'
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
        raise undrawable("estimate", estimate, "one Estimate, what estimate(...) says")
    what = _name_quantity(estimate)
    return rates_picture({name or estimate.target: estimate}, "Error rate" if what == "error rate" else what, "of")


def estimates(estimates: Mapping[str, Estimate], *, ax: Axes | None = None) -> Axes:
    """Draw several error rates and their intervals, a row each, in the order given.

    Intervals that overlap do not show that two are as good as each other: compare them, and draw the `difference`.

    Parameters
    ----------
    estimates
        By name, what `estimate` said.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> found = {"forest": ta.estimate(ta.ErrorCount(3, 120)), "tree": ta.estimate(ta.ErrorCount(9, 120))}
    >>> ta.plots.estimates(found).get_title(loc="left")
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
    what = _name_quantity(next(iter(result.values())))
    return rates_picture(result, "Error rates" if what == "error rate" else what, "name")


def rates_picture(result: Mapping[str, Estimate], title: str, each: str) -> Picture:
    """Return the picture of error rates, or of other losses, and the numbers behind it; `each` heads the names."""
    first = next(iter(result.values()))
    if any(one.shape for one in result.values()):
        raise InvalidOption("one error rate makes a row, but an estimate holds an array of them. Index it.")
    if len({one.interval.metric for one in result.values()}) > 1:
        raise InvalidOption("error rates and other losses cannot stand on one axis. Draw them apart.")
    by, what = scale_of(first.interval.metric), _name_quantity(first)
    rows = [row_of(show_name(name), float(one.estimate), one.interval) for name, one in result.items()]
    unit = what if by == 1 else f"{what} in %" if first.interval.metric == "error" else f"{what} in points"
    kinds = list(dict.fromkeys(one.interval.kind_text() for one in result.values()))

    def draw(axes: Axes) -> None:
        ends = _axis_ends(first)
        low, high = span_of(rows, (), (by * ends[0], by * ends[1]))
        bounded = first.interval.metric == "error"
        span = (0.0 if bounded and low < high / 2 else low, high)  # from 0, unless that hides what differs
        draw_rows(axes, rows, span)
        name_axis(axes, x=f"{unit}, with limits: {kinds[0] if len(kinds) == 1 else 'by several methods'}")

    text = join_listing(f"{name or what}: {row.text.replace('−', '-')}" for name, row in zip(result, rows, strict=True))
    return Picture(
        title=title,
        alt=f"{unit[:1].upper()}{unit[1:]}, with limits ({'; '.join(kinds[:3])}): {text}.",
        numbers=Numbers(
            head=(each, what, "low", "high", "level", "side", "method"),
            rows=tuple(
                (name, float(one.estimate), float(one.interval.low), float(one.interval.high), one.interval.level,
                 one.interval.side, one.interval.method)
                for name, one in result.items()
            ),
        ),
        draw=draw,
        size=(WIDTH, tall(len(rows))),
        narrow=narrow_size(tall(len(rows)) + 0.15, *(f"{row.name} {row.text}" for row in rows), most=36),
    )  # fmt: skip


def _axis_ends(result: Estimate) -> tuple[float, float]:
    """Return between what it must lie."""
    return (0.0, 1.0) if result.interval.metric == "error" else result.evidence.metric.bounds


def _name_quantity(result: Estimate) -> str:
    return result.evidence.metric.title
