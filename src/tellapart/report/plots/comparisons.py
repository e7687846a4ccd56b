"""Pictures of two: by how much they differ, in all and by group."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...errors import InvalidOption
from ...results import Comparison, Estimate
from ...results.wording import difference_name, p_text
from ..picture import Numbers, Picture, drawn
from ..style import PAPER
from .drawable_types import undrawable
from .labels import join_listing, name_axis, narrow_size, number_ticks, show_name, typeset, write_at
from .rates import rates_picture
from .rows import (
    WIDTH,
    Row,
    draw_interval,
    draw_rows,
    draw_sides,
    mark,
    row_of,
    scale_of,
    shade,
    side_lines,
    sides_of,
    span_of,
    tall,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINE = 0.175  # inches
_HEAD = ("difference", "low", "high", "level", "side", "p-value")


# --- The difference -------------------------------------------------------------------------------


def difference(comparison: Comparison, *, ax: Axes | None = None) -> Axes:
    """Draw by how much two differ, with the interval, zero and the margin; a rate beside its threshold.

    Parameters
    ----------
    comparison
        What `compare` said of two models, two learners, or one error rate and a threshold.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> table = ta.PairedTable(20, 25, 10, 45, models=("tree", "forest"))
    >>> difference(ta.compare(table)).get_xlabel()
    'error(tree) − error(forest) in points, with limits: 95 %, two-sided, tango'
    """
    return drawn(difference_picture(comparison), ax)


def difference_picture(comparison: Comparison) -> Picture:
    """Return the picture that `difference` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> picture = difference_picture(ta.compare(ta.PairedTable(20, 25, 10, 45, models=("tree", "forest"))))
    >>> dict(zip(picture.numbers.head, picture.numbers.rows[0]))["difference"]
    0.15
    """
    if not isinstance(comparison, Comparison) or comparison.shape:
        raise undrawable("comparison", comparison, "one Comparison, what compare(...) says of two")
    if len(comparison.evidence.models) == 1:
        return _against_picture(comparison)
    interval, (a, b) = comparison.interval, comparison.evidence.models
    value, quotient = _parameter_value(comparison), interval.parameter in {"odds", "ratio"}
    null = 1.0 if quotient else 0.0
    row = row_of("", value, interval, strong=bool(comparison.rejected))
    by = 1.0 if quotient else scale_of(interval.metric)
    region = tuple(by * end for end in _hypothesis_region(comparison))
    borders = [end for end in region if math.isfinite(end)]
    left, right = _name_sides(comparison, a, b)
    unit = " points" if by == 100 and interval.parameter == "difference" else ""
    what = _name_quantity(comparison, a, b)

    lines = side_lines(left, right) + bool(region)
    size = (WIDTH, 1.6 + _LINE * lines)

    def draw(axes: Axes) -> None:
        top = 1 - _LINE * lines / (size[1] - 0.85)  # below the words
        _draw_single_row(axes, sides_of(span_of([row], [null, *borders]), null), row, top, log=quotient)
        if region:
            shade(axes, *region, top=top)
            where = [min(max(end, axes.get_xlim()[0]), axes.get_xlim()[1]) for end in region]
            _write_at(axes, sum(where) / 2, top, _margin_text(comparison, b), (0, 1), va="bottom", fontsize=8.5)
        mark(axes, null, top=top)
        for border in borders:
            mark(axes, border, strong=False, top=top)
        _draw_told(axes, row, typeset(f"{row.figure}{unit} ({row.limits})") if row.figure else row.text, top)
        draw_sides(axes, left, right)
        name_axis(axes, x=f"{what}, with limits: {interval.kind_text()}")

    return Picture(
        title="By how much they differ",
        alt=_describe_picture(comparison, left, right),
        numbers=Numbers(
            head=("A", "B", *_HEAD, *["margin"] * bool(region)),
            rows=((a, b, *_list_figures(comparison, value), *[float(comparison.margin)] * bool(region)),),
        ),
        draw=draw,
        size=size,
        narrow=narrow_size(size[1] + 0.15, f"← {left}", f"{right} →", _margin_text(comparison, b) if region else ""),
    )


def _parameter_value(comparison: Comparison) -> float:
    """Return what the interval is of, as it was seen."""
    if comparison.interval.parameter == "difference":
        return float(comparison.difference)
    table: Any = comparison.evidence
    if comparison.interval.parameter == "ratio":
        below, above = table.levels.tolist()  # how many times as large it is for B
    elif comparison.interval.parameter == "odds":
        above, below = float(table.only_a_wrong), float(table.only_b_wrong)
    else:
        above, below = float(comparison.difference), float(table.count_a.rate)
    return above / below if below else math.nan


_SHORT = 16  # characters of a name that an axis can take along


def _name_quantity(comparison: Comparison, a: str, b: str) -> str:
    """Return what is drawn, and in which unit."""
    interval = comparison.interval
    if interval.parameter == "reduction":
        return f"{_name_parameter(comparison, a, b)}, in %"
    if interval.parameter in {"odds", "ratio"} or interval.metric != "error":
        return _name_parameter(comparison, a, b)
    joint = " in points" if comparison.evidence.event == "wrong" else ", in points"
    return f"{_name_parameter(comparison, a, b)}{joint}"


def _name_parameter(comparison: Comparison, a: str, b: str) -> str:
    """Return what is drawn."""
    parameter, metric = comparison.interval.parameter, comparison.interval.metric
    if parameter == "odds":
        return "lone errors of A for each of B"
    if parameter == "reduction":
        return "share of A's errors that B avoids"
    event = comparison.evidence.event
    a, b = map(show_name, (a, b)) if max(len(a), len(b)) <= _SHORT else "AB"  # long names stand at the sides
    if parameter == "ratio":
        return f"{metric}({b}) / {metric}({a})"
    if metric != "error":
        return difference_name(comparison.evidence, a, b)
    return f"error({a}) − error({b})" if event == "wrong" else f"how often {a} is {event} − how often {b} is"


def _hypothesis_region(comparison: Comparison) -> tuple[float, ...]:
    """Return the differences that the hypothesis claims; none without a margin."""
    margin = float(comparison.margin)
    return {
        "non-inferior": (-margin, math.inf),
        "superior": (margin, math.inf),
        "equivalent": (-margin, margin),
    }.get(comparison.hypothesis.kind, ())


def _margin_text(comparison: Comparison, b: str) -> str:
    margin = f"{scale_of(comparison.interval.metric) * comparison.margin:.6g}"
    unit = (" point" if margin == "1" else " points") if comparison.interval.metric == "error" else ""
    return {
        "non-inferior": f"{show_name(b)} worse by at most {margin}{unit}",
        "superior": f"{show_name(b)} better by more than {margin}{unit}",
        "equivalent": f"equivalent: within ±{margin}{unit}",
    }[comparison.hypothesis.kind]


def _name_sides(comparison: Comparison, a: str, b: str) -> tuple[str, str]:
    """Say what a difference below zero means, and what one above."""
    event = getattr(comparison.evidence, "event", "wrong")
    if event != "wrong":
        return f"{b} more often {event}", f"{a} more often {event}"
    return f"{a} better", f"{b} better"


def _list_figures(comparison: Comparison, value: float) -> tuple[Any, ...]:
    interval = comparison.interval
    adjusted = comparison.pvalue if comparison.adjusted is None else comparison.adjusted
    return (value, float(interval.low), float(interval.high), interval.level, interval.side, float(adjusted))


def _deciding_pvalue_text(comparison: Comparison) -> str:
    """Write the p-value that decides."""
    if comparison.adjusted is None:
        return p_text(float(comparison.pvalue), comparison.alpha, comparison.simulated)
    return p_text(float(comparison.adjusted), comparison.alpha, comparison.adjusted_simulated)


def _describe_picture(comparison: Comparison, left: str, right: str) -> str:
    interval, (a, b) = comparison.interval, comparison.evidence.models
    row = row_of("", _parameter_value(comparison), interval)
    null = 1 if interval.parameter in {"odds", "ratio"} else 0
    margin = f" Marked: {_margin_text(comparison, b)}." if _hypothesis_region(comparison) else ""
    unit = " points" if interval.parameter == "difference" and interval.metric == "error" else ""
    return (
        f"A is {a}, B is {b}. {_name_parameter(comparison, 'A', 'B')} is {row.figure or row.limits}{unit}, its limits"
        f" {interval.limits_text(spread=interval.spread(_parameter_value(comparison)))} ({interval.kind_text()}), on an axis with"
        f" {null} marked: left of it {left}, right"
        f" of it {right}.{margin}"
    )


def _against_picture(comparison: Comparison) -> Picture:
    """Return the picture of one error rate beside a threshold."""
    interval, against = comparison.interval, float(comparison.against)
    value = float(comparison.difference) + against
    row = row_of("", value, interval, strong=bool(comparison.rejected))
    limit = f"{100 * against:.6g} %"
    size = (WIDTH, 1.6 + _LINE)

    def draw(axes: Axes) -> None:
        low, high = sides_of(span_of([row], [100 * against]), 100 * against)
        top = 1 - _LINE / (size[1] - 0.85)
        _draw_single_row(axes, (max(low, 0.0), min(high, 100.0)), row, top)
        mark(axes, 100 * against, top=top)
        _draw_told(axes, row, row.text, top)
        draw_sides(axes, f"below {limit}", f"above {limit}")
        name_axis(axes, x=f"error rate in %, with limits: {interval.kind_text()}")

    head = ("error rate", "low", "high", "level", "side", "p-value", "against")
    return Picture(
        title="The error rate beside its threshold",
        alt=(
            f"The error rate is {typeset(row.figure)}, its limits {interval.limits_text()}"
            f" ({interval.kind_text()}), on an axis with the threshold of {limit} marked."
        ),
        numbers=Numbers(head=head, rows=((*_list_figures(comparison, value), against),)),
        draw=draw,
        size=size,
        narrow=narrow_size(size[1] + 0.15),
    )


def _draw_single_row(axes: Axes, span: tuple[float, float], row: Row, top: float, *, log: bool = False) -> None:
    """Draw a row alone, in the middle of what lies below the words."""
    if log:
        axes.set_xscale("log")
        known = [end for end in (*row.known, 1.0) if end > 0]
        low, high = sides_of((math.log(min(known) / 1.2), math.log(max(known) * 1.2)))
        span = math.exp(low), math.exp(high)
    axes.set(xlim=span, ylim=(0, 1), yticks=[])
    axes.spines[["left", "top", "right"]].set_visible(False)
    if log:
        steps = [digit * 10.0**power for power in range(-9, 10) for digit in (1, 2, 5)]
        inside = [step for step in steps if span[0] <= step <= span[1]]
        axes.set_xticks(inside[:: 1 + len(inside) // 9], minor=False)
        axes.set_xticks([], minor=True)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    else:
        number_ticks(axes, "x", span, 8)
    draw_interval(axes, row, 0.38 * top, size=7)


def _draw_told(axes: Axes, row: Row, text: str, top: float) -> None:
    """Write the figures above the point, or above the middle of its limits."""
    left, right = axes.get_xlim()
    at = row.value if math.isfinite(row.value) else (left + right) / 2
    paper = {"facecolor": PAPER, "edgecolor": PAPER, "linewidth": 0, "pad": 1.0, "alpha": 0.85}
    _write_at(axes, at, 0.38 * top, text, (0, 8), va="bottom", fontsize=9.5, fontweight="bold", bbox=paper)


def _write_at(axes: Axes, x: float, y: float, text: str, by: tuple[float, float], **look: Any) -> None:
    """Write a text at a value, centred unless it would leave the axes."""
    index = axes.transData.transform((x, y))[0]
    left, right = axes.transAxes.transform([(0, 0), (1, 0)])[:, 0]
    share = min(max((index - left) / (right - left), 0.0), 1.0)
    half = 0.3 * look["fontsize"] * len(text) * axes.figure.figure.dpi / 72 / (right - left)  # of the axes, about
    ha, at = ("left", 0.0) if share < half else ("right", 1.0) if share > 1 - half else ("center", share)
    write_at(axes, (at, y), text, by=by, on="axes fraction", ha=ha, **look)


# --- By group -------------------------------------------------------------------------------------


def groups(groups: Mapping[str, Comparison | Estimate], *, ax: Axes | None = None) -> Axes:
    """Draw error rates or differences by group, a row each.

    Parameters
    ----------
    groups
        By the name of each group, what `compare` or `estimate` said of it.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> found = {"day": ta.estimate(ta.ErrorCount(3, 120)), "night": ta.estimate(ta.ErrorCount(9, 80))}
    >>> groups(found).get_title(loc="left")
    'Error rate by group'
    """
    return drawn(groups_picture(groups), ax)


def groups_picture(groups: Mapping[str, Comparison | Estimate]) -> Picture:
    """Return the picture that `groups` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> picture = groups_picture({"day": ta.estimate(ta.ErrorCount(3, 120))})
    >>> picture.numbers.rows[0][:2]
    ('day', 0.025)
    """
    result = dict(groups) if isinstance(groups, Mapping) else {}
    if not result or len({type(each) for each in result.values()}) > 1:
        raise undrawable("groups", groups, "a mapping from names to Comparisons, or to Estimates, all of a kind")
    first = next(iter(result.values()))
    if isinstance(first, Estimate):
        return rates_picture(result, f"{_rate_of(first)} by group", "group")  # type: ignore[arg-type]  # all of a kind
    if not isinstance(first, Comparison) or len(first.evidence.models) == 1 or any(e.shape for e in result.values()):
        raise undrawable("groups", groups, "a mapping from names to Estimates, or to Comparisons of two")
    return _differences_picture(result)  # type: ignore[arg-type]  # all of a kind


def _rate_of(result: Estimate) -> str:
    called = result.evidence.metric.title
    return f"{called[:1].upper()}{called[1:]}" if called != result.interval.metric else called


def _differences_picture(result: Mapping[str, Comparison]) -> Picture:
    """Return the picture of the same two, compared in every group."""
    first = next(iter(result.values()))
    if any(each.interval.parameter != "difference" for each in result.values()):
        raise InvalidOption("differences by group are drawn of intervals of the difference. Choose another interval.")
    pairs = {each.evidence.models for each in result.values()}
    a, b = pairs.pop() if len(pairs) == 1 else ("A", "B")  # a row names its own
    left, right = _name_sides(first, a, b)
    rows = [
        row_of(show_name(name), float(each.difference), each.interval, strong=bool(each.rejected),
               more=f"; {_deciding_pvalue_text(each)}")
        for name, each in result.items()
    ]  # fmt: skip
    lines = side_lines(left, right)
    kinds = dict.fromkeys(each.interval.kind_text() for each in result.values())
    kind = next(iter(kinds)) if len(kinds) == 1 else "limits by several methods"
    region = tuple(scale_of(first.interval.metric) * end for end in _hypothesis_region(first))

    def draw(axes: Axes) -> None:
        borders = [end for end in region if math.isfinite(end)]
        span = sides_of(span_of(rows, [0.0, *borders]))
        spare = 0.75 * lines
        top = (len(rows) + 0.1) / (len(rows) + 0.1 + spare)  # below the words
        draw_rows(axes, rows, span, spare=spare)
        mark(axes, 0.0, top=top)
        for border in borders:
            mark(axes, border, strong=False, top=top)
        draw_sides(axes, left, right, rows)
        rule = f"; p adjusted by {first.adjustment}" if first.adjusted is not None else ""
        before = " " if len(kinds) == 1 else "\n"
        name_axis(axes, x=f"{_name_quantity(first, a, b)}{before}({kind}{rule})")

    text = join_listing(f"{name}: {row.text.replace('−', '-')}" for name, row in zip(result, rows, strict=True))
    unit = "in points" if first.interval.metric == "error" else f"in {first.interval.metric}"
    return Picture(
        title="Difference by group",
        alt=(
            f"The difference between {a} and {b} in {len(result)} group{'s' * (len(result) != 1)}, {unit}, with limits"
            f" ({kind}): {text}. Filled points are told apart at alpha = {first.alpha:g}."
        ),
        numbers=Numbers(
            head=("group", "A", "B", *_HEAD),
            rows=tuple(
                (name, *each.evidence.models, *_list_figures(each, float(each.difference)))
                for name, each in result.items()
            ),
        ),
        draw=draw,
        size=(WIDTH + 0.4, tall(len(rows), besides=1.05 + 0.2 * lines)),
    )
