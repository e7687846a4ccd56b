"""Pictures of the difference of two models, over all examples and by group."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...errors import InvalidOption
from ...figures import short_names
from ...results import Comparison, Estimate
from ...results.comparison_text import margin_text
from ...results.wording import difference_name, p_text
from ..method_titles import interval_title
from ..picture import Numbers, Picture, drawn
from ..style import PAPER
from .drawable_types import undrawable
from .labels import join_listing, name_axis, narrow_size, number_ticks, show_name, typeset, write_at
from .rates import rates_picture
from .rows import (
    WIDTH,
    Kind,
    PlotRow,
    axis_factor,
    common_scale,
    draw_interval,
    draw_rows,
    draw_sides,
    mark,
    row_of,
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
    """Draw the difference of two models with its interval, zero and the margin; or one metric with a threshold.

    Parameters
    ----------
    comparison
        Result of `compare` for two models, two learners, or one model and a threshold.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> table = ta.PairedTable(20, 25, 10, 45, models=("tree", "forest"))
    >>> difference(ta.compare(table)).get_xlabel()
    'error(tree) − error(forest), in pp (95% CI, Tango score interval)'
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
        raise undrawable("comparison", comparison, "one Comparison, the result of compare(...) for two models")
    if len(comparison.evidence.models) == 1:
        return _against_picture(comparison)
    interval, (a, b) = comparison.interval, short_names(comparison.evidence.models).values()
    value, quotient = _parameter_value(comparison), interval.parameter in {"odds", "ratio"}
    null = 1.0 if quotient else 0.0
    kind = _kind_of(comparison)
    row = row_of("", value, interval, kind, strong=bool(comparison.rejected))
    by = axis_factor(kind)
    region = tuple(by * end for end in _hypothesis_region(comparison))
    borders = [end for end in region if math.isfinite(end)]
    left, right = _name_sides(comparison, a, b)
    quantity = _name_quantity(comparison, a, b)

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
        _draw_label(axes, row, row.text, top)
        draw_sides(axes, left, right)
        name_axis(axes, x=f"{quantity} ({interval_title(interval, comparison.evidence)})")

    return Picture(
        title="Difference",
        alt=_describe_picture(comparison, left, right),
        numbers=Numbers(
            head=("A", "B", *_HEAD, *["margin"] * bool(region)),
            rows=(
                (
                    *comparison.evidence.models,
                    *_list_figures(comparison, value),
                    *[float(comparison.margin)] * bool(region),
                ),
            ),
        ),
        draw=draw,
        size=size,
        narrow=narrow_size(size[1] + 0.15, f"← {left}", f"{right} →", _margin_text(comparison, b) if region else ""),
    )


def _parameter_value(comparison: Comparison) -> float:
    """Return the observed value of the interval's parameter."""
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


_SHORT = 24  # characters of a name that the label of an axis has room for


def _name_quantity(comparison: Comparison, a: str, b: str) -> str:
    """Return the quantity that is drawn, with its unit."""
    unit = {"percent": ", in %", "points": ", in pp", "plain": ""}[_kind_of(comparison)]
    return f"{_name_parameter(comparison, a, b)}{unit}"


def _kind_of(comparison: Comparison) -> Kind:
    """Return how values of the interval's parameter are written."""
    parameter = comparison.interval.parameter
    if parameter in {"odds", "ratio"}:
        return "plain"
    return "percent" if parameter == "reduction" else comparison.evidence.difference_kind


def _name_parameter(comparison: Comparison, a: str, b: str) -> str:
    """Return the quantity that is drawn."""
    parameter, metric = comparison.interval.parameter, comparison.interval.metric
    if parameter == "odds":
        return "odds ratio: errors of only A per error of only B"
    if parameter == "reduction":
        return "errors of A that B avoids"
    event = comparison.evidence.event
    a, b = map(show_name, (a, b)) if max(len(a), len(b)) <= _SHORT else "AB"  # long names stand at the sides
    if parameter == "ratio":
        return f"{metric}({b}) / {metric}({a})"
    if event == "wrong":
        return difference_name(comparison.evidence, a, b)
    return f"share of '{event}' of {a} − share of {b}"


def _hypothesis_region(comparison: Comparison) -> tuple[float, ...]:
    """Return the differences under the alternative hypothesis; none without a margin."""
    margin = float(comparison.margin)
    return {
        "non-inferior": (-margin, math.inf),
        "superior": (margin, math.inf),
        "equivalent": (-margin, margin),
    }.get(comparison.hypothesis.kind, ())


def _margin_text(comparison: Comparison, b: str) -> str:
    margin = margin_text(comparison)
    return {
        "non-inferior": f"{show_name(b)} non-inferior: at most {margin} worse",
        "superior": f"{show_name(b)} better by more than {margin}",
        "equivalent": f"equivalent: within ±{margin}",
    }[comparison.hypothesis.kind]


def _name_sides(comparison: Comparison, a: str, b: str) -> tuple[str, str]:
    """Return what a negative and what a positive difference means."""
    event = getattr(comparison.evidence, "event", "wrong")
    if event != "wrong":
        return f"{b} more often {event}", f"{a} more often {event}"
    return f"{a} better", f"{b} better"


def _list_figures(comparison: Comparison, value: float) -> tuple[Any, ...]:
    interval = comparison.interval
    adjusted = comparison.pvalue if comparison.adjusted is None else comparison.adjusted
    return (value, float(interval.low), float(interval.high), interval.level, interval.side, float(adjusted))


def _deciding_pvalue_text(comparison: Comparison) -> str:
    """Return the p-value that decides."""
    if comparison.adjusted is None:
        return p_text(float(comparison.pvalue), comparison.alpha, comparison.simulated)
    return p_text(float(comparison.adjusted), comparison.alpha, comparison.adjusted_simulated)


def _describe_picture(comparison: Comparison, left: str, right: str) -> str:
    interval, (a, b) = comparison.interval, short_names(comparison.evidence.models).values()
    row = row_of("", _parameter_value(comparison), interval, _kind_of(comparison))
    null = 1 if interval.parameter in {"odds", "ratio"} else 0
    margin = f" Marked: {_margin_text(comparison, b)}." if _hypothesis_region(comparison) else ""
    return (
        f"A is {a}, B is {b}. {_name_parameter(comparison, 'A', 'B')} is {row.figure or 'undefined'}, its interval"
        f" {row.limits} ({interval_title(interval, comparison.evidence)}), on an axis with {null} marked: left of it"
        f" {left}, right of it {right}.{margin}"
    )


def _against_picture(comparison: Comparison) -> Picture:
    """Return the picture of one metric with a threshold, in the direction of the threshold."""
    interval, evidence, against = comparison.interval, comparison.evidence, float(comparison.against)
    value, kind = float(comparison.difference) + against, evidence.value_kind
    by, title = axis_factor(kind), evidence.metric.title
    row = row_of("", value, interval, kind, strong=bool(comparison.rejected))
    limit = f"{by * against:.6g}{'%' if kind == 'percent' else ''}"
    size = (WIDTH, 1.6 + _LINE)

    def draw(axes: Axes) -> None:
        low, high = sides_of(span_of([row], [by * against]), by * against)
        top = 1 - _LINE / (size[1] - 0.85)
        ends = (0.0, 100.0) if kind == "percent" else (-math.inf, math.inf)
        _draw_single_row(axes, (max(low, ends[0]), min(high, ends[1])), row, top)
        mark(axes, by * against, top=top)
        _draw_label(axes, row, row.text, top)
        draw_sides(axes, f"below {limit}", f"above {limit}")
        name_axis(axes, x=f"{title}{' in %' if kind == 'percent' else ''} ({interval_title(interval, evidence)})")

    head = (title, "low", "high", "level", "side", "p-value", "against")
    return Picture(
        title=f"{title[:1].upper()}{title[1:]} and threshold",
        alt=(
            f"The {title} is {typeset(row.figure)}, its interval {row.limits} ({interval_title(interval, evidence)}),"
            f" on an axis with the threshold of {limit} marked."
        ),
        numbers=Numbers(head=head, rows=((*_list_figures(comparison, value), against),)),
        draw=draw,
        size=size,
        narrow=narrow_size(size[1] + 0.15),
    )


def _draw_single_row(axes: Axes, span: tuple[float, float], row: PlotRow, top: float, *, log: bool = False) -> None:
    """Draw a single row in the middle of the space below the labels."""
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


def _draw_label(axes: Axes, row: PlotRow, text: str, top: float) -> None:
    """Write the figures above the point, or above the middle of the axis."""
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
    """Draw estimates or differences by group, a row each.

    Parameters
    ----------
    groups
        By the name of each group, the result of `compare` or `estimate`.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> results = {"day": ta.estimate(ta.ErrorCount(3, 120)), "night": ta.estimate(ta.ErrorCount(9, 80))}
    >>> groups(results).get_title(loc="left")
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
    answers = dict(groups) if isinstance(groups, Mapping) else {}
    if not answers or len({type(answer) for answer in answers.values()}) > 1:
        raise undrawable("groups", groups, "a mapping from names to Comparisons, or to Estimates, all of one type")
    first = next(iter(answers.values()))
    if isinstance(first, Estimate):
        title = first.evidence.metric.report_title
        return rates_picture(answers, f"{title[:1].upper()}{title[1:]} by group", "group")  # type: ignore[arg-type]
    of_two = isinstance(first, Comparison) and len(first.evidence.models) == 2
    if not of_two or any(answer.shape for answer in answers.values()):
        raise undrawable("groups", groups, "a mapping from names to Estimates, or to Comparisons of two models")
    return _differences_picture(answers)  # type: ignore[arg-type]  # all of one type


def _differences_picture(answers: Mapping[str, Comparison]) -> Picture:
    """Return the picture of the difference of two models in each group."""
    first = next(iter(answers.values()))
    if any(answer.interval.parameter != "difference" for answer in answers.values()):
        raise InvalidOption("`groups` must have intervals of the difference. Use another `interval` in compare.")
    pairs = {answer.evidence.models for answer in answers.values()}
    a, b = short_names(pairs.pop()).values() if len(pairs) == 1 else ("A", "B")  # each row has models of its own
    left, right = _name_sides(first, a, b)
    kind = first.evidence.difference_kind
    intervals = [answer.interval for answer in answers.values()]
    scale = common_scale(intervals, [float(answer.difference) for answer in answers.values()], kind)
    rows = [
        row_of(show_name(name), float(answer.difference), answer.interval, kind, strong=bool(answer.rejected),
               more=f"; {_deciding_pvalue_text(answer)}", scale=scale)
        for name, answer in answers.items()
    ]  # fmt: skip
    lines = side_lines(left, right)
    methods = list(dict.fromkeys(interval_title(answer.interval, answer.evidence) for answer in answers.values()))
    method = methods[0] if len(methods) == 1 else "intervals by several methods"
    region = tuple(axis_factor(kind) * end for end in _hypothesis_region(first))
    quantity = _name_quantity(first, a, b)

    def draw(axes: Axes) -> None:
        borders = [end for end in region if math.isfinite(end)]
        span = sides_of(span_of(rows, [0.0, *borders]))
        spare = 0.75 * lines
        top = (len(rows) + 0.1) / (len(rows) + 0.1 + spare)  # below the labels
        draw_rows(axes, rows, span, spare=spare)
        mark(axes, 0.0, top=top)
        for border in borders:
            mark(axes, border, strong=False, top=top)
        draw_sides(axes, left, right, rows)
        rule = f"; p adjusted by {first.adjustment}" if first.adjusted is not None else ""
        name_axis(axes, x=f"{quantity}\n({method}{rule})")

    listing = join_listing(f"{name}: {row.text.replace('−', '-')}" for name, row in zip(answers, rows, strict=True))
    return Picture(
        title="Difference by group",
        alt=(
            f"{quantity}, by group, {len(answers)} group{'s' * (len(answers) != 1)} ({method}): {listing}. Filled"
            f" points: significant at alpha = {first.alpha:g}."
        ),
        numbers=Numbers(
            head=("group", "A", "B", *_HEAD),
            rows=tuple(
                (name, *answer.evidence.models, *_list_figures(answer, float(answer.difference)))
                for name, answer in answers.items()
            ),
        ),
        draw=draw,
        size=(WIDTH + 0.4, tall(len(rows), besides=1.15 + 0.2 * lines)),
    )
