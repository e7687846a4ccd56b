"""Pictures of calibrations, and the numbers that each shows.

Lines differ in colour and dashes and have their names beside them, so that they can be read in grey and by
people who see colours otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import import_extra
from ...lab import Calibration
from ...rendering import significant
from ...typing_ import FloatArray
from ..picture import Numbers, Picture, drawn, new_figure
from ..style import BAND, COLOURS, DASHES, GRID, MUTED, STYLE
from .coverages import exact_coverage_picture
from .curves import (
    COVERED,
    Covered,
    Curves,
    Found,
    PlotCurve,
    coverage_numbers,
    each_of,
    exact_coverages,
    has_pvalues,
    power_numbers,
    qq_numbers,
    statistic_qq_numbers,
)
from .labels import PLAIN, is_narrow, join_listing, name_axis, narrow_size, space_out, typeset
from .rows import WIDTH
from .truths import TruthAxis, limits_caption, truth_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DOTTED: dict[str, Any] = {"linewidth": 0.9, "linestyle": (0, (1, 2))}
_REMARK: dict[str, Any] = {"fontsize": 8, "style": "italic", "color": MUTED}
_GRID: dict[str, Any] = {"visible": True, "color": GRID, "linewidth": 0.6}
_LEAST = 0.001  # the smallest p-value that is shown
_MOST = 0.2  # the largest p-value of the large panel


# --- The pictures ---------------------------------------------------------------------------------


def pvalues(result: Found, *, ax: Axes | None = None) -> Axes:
    """Draw the distribution of p-values under the null hypothesis (QQ plot).

    Above the diagonal a test is liberal, below it conservative. The large panel has the small p-values on logarithmic
    scales, the small one all p-values.

    Parameters
    ----------
    result
        Result of `calibrate`: one calibration, or several.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> axes = pvalues(ta.calibrate(["mcnemar", "mcnemar-exact"], ta.PairedTable(10, 25, 10, 255)))
    >>> axes.get_title(loc="left")
    'p-values under the null hypothesis'
    """
    return drawn(pvalues_picture(result), ax)


def pvalues_picture(result: Found) -> Picture:
    """Return the picture that `pvalues` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> pvalues_picture(ta.calibrate("mcnemar", ta.PairedTable(10, 25, 10, 255))).numbers.head
    ('method', 'p-value', 'probability', 'low', 'high')
    """
    selected = each_of(result)
    curves, alpha = qq_numbers(selected), selected[0].alpha
    text = join_listing(f"{name}: {significant(_value_at_truth(curve, alpha))}" for name, curve in curves.items())
    return _make_picture(
        "p-values under the null hypothesis",
        f"Distribution of p-values under the null hypothesis. Probability of p at most {alpha:g}: {text}.",
        ("p-value", "probability"),
        curves,
        lambda axes: _draw_qq(axes, selected),
        len(selected),
    )


def power(result: Found, *, ax: Axes | None = None) -> Axes:
    """Draw the power of tests over the true difference.

    Parameters
    ----------
    result
        Result of `calibrate`: one calibration, or several.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> result = ta.calibrate(None, ta.PairedTable(10, 25, 10, 255), differences=[0.02, 0.04, 0.06, 0.08])
    >>> power(result).get_ylabel()
    'power (dotted: alpha = 0.05)'
    """
    return drawn(power_picture(result), ax)


def power_picture(result: Found) -> Picture:
    """Return the picture that `power` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> result = ta.calibrate("mcnemar-mid-p", ta.PairedTable(10, 25, 10, 255), differences=[0.05])
    >>> [round(row[2], 3) for row in power_picture(result).numbers.rows]
    [0.047, 0.725]
    """
    selected = each_of(result)
    curves, axis = power_numbers(selected), truth_axis(selected[0].design)
    return _make_picture(
        "Power",
        f"Rejection rate of tests at alpha = {selected[0].alpha:g} by the {axis.title}"
        f" ({limits_caption(curves.values())}). {_describe_lines(curves, axis)}.",
        (axis.name, "power"),
        axis.over_truth(curves),
        lambda axes: _draw_power(axes, selected),
        len(selected),
    )


def coverage(result: Covered, *, ax: Axes | None = None) -> Axes:
    """Draw the coverage of intervals over the true difference, or over the true error rate of one model.

    Simulated coverage has 95% Clopper-Pearson intervals; enumerated coverage is exact.

    Parameters
    ----------
    result
        Result of `calibrate`, one calibration or several; or of `exact_coverage`, one `Coverage` or several, with mean
        and minimum marked.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> coverage(ta.calibrate(None, ta.ErrorCount(3, 120))).get_title(loc="left")
    'Coverage'
    """
    return drawn(coverage_picture(result), ax)


def coverage_picture(result: Covered) -> Picture:
    """Return the picture that `coverage` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> result = ta.calibrate("wald", ta.ErrorCount(3, 120), differences=[0.05])
    >>> [round(row[2], 3) for row in coverage_picture(result).numbers.rows]
    [0.801, 0.943]
    """
    if exact := exact_coverages(result):
        return exact_coverage_picture(exact)
    selected = each_of(result, COVERED)
    curves, axis = coverage_numbers(selected), truth_axis(selected[0].design)
    return _make_picture(
        "Coverage",
        f"Coverage of intervals, nominal {1 - selected[0].alpha:g}, by the {axis.title}"
        f" ({limits_caption(curves.values())}). {_describe_lines(curves, axis)}.",
        (axis.name, "coverage"),
        axis.over_truth(curves),
        lambda axes: _draw_coverage(axes, selected),
        len(selected),
    )


def calibration(result: Found) -> Figure:
    """Draw p-values and power of tests and coverage of intervals side by side on one figure.

    Parameters
    ----------
    result
        Result of `calibrate`: one calibration, or several.

    Examples
    --------
    >>> import tellapart as ta
    >>> len(calibration(ta.calibrate("mcnemar", ta.PairedTable(10, 25, 10, 255))).axes)  # it gives no interval
    2
    """
    selected = each_of(result)
    panels: list[Picture] = []
    if any(map(has_pvalues, selected)):
        panels.append(pvalues_picture(selected))
    if any(each.power is not None and each.effects.size for each in selected):
        panels.append(power_picture(selected))
    if any(each.coverage is not None for each in selected) or not panels:
        panels.append(coverage_picture(selected))
    with import_extra("matplotlib", "plot").rc_context(STYLE):
        figure = new_figure((5.5 * len(panels), _figure_height(len(selected))))
        for axes, picture in zip(np.atleast_1d(figure.subplots(1, len(panels))), panels, strict=True):
            drawn(picture, axes)
        figure.suptitle(_write_caption(selected), fontsize=8.5, color=MUTED, x=0.012, ha="left")
    return figure


def statistic_qq(
    values: ArrayLike, quantiles: Callable[[FloatArray], Any], *, claimed: str = "", ax: Axes | None = None
) -> Axes:
    """Draw the values of a statistic against its nominal distribution (QQ plot).

    Parameters
    ----------
    values
        Simulated values of the statistic.
    quantiles
        Function from probabilities to quantiles, such as `scipy.stats.t(5).ppf`.
    claimed
        The name of the distribution.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import numpy as np
    >>> axes = statistic_qq(np.linspace(0.01, 0.99, 99), lambda probability: probability, claimed="uniform")
    >>> axes.get_xlabel()
    'quantiles of uniform'
    """
    return drawn(statistic_qq_picture(values, quantiles, claimed=claimed), ax)


def statistic_qq_picture(values: ArrayLike, quantiles: Callable[[FloatArray], Any], *, claimed: str = "") -> Picture:
    """Return the picture that `statistic_qq` draws.

    Examples
    --------
    >>> statistic_qq_picture([3.0, 1.0, 2.0], lambda probability: 4 * probability).numbers.rows[1]
    (2.0, 2.0)
    """
    curve = statistic_qq_numbers(values, quantiles)
    whose = f"quantiles of {claimed}" if claimed else "nominal quantiles"

    def draw(axes: Axes) -> None:
        ends = [min(curve.x[0], curve.y[0]), max(curve.x[-1], curve.y[-1])]
        axes.grid(**_GRID)
        axes.plot(ends, ends, color=MUTED, linewidth=0.9)
        axes.plot(curve.x, curve.y, ".", color=COLOURS[0], markersize=3.5, markeredgewidth=0)
        name_axis(axes, x=whose, y=f"{curve.trials:,} values")

    off = float(np.max(np.abs(curve.y - curve.x)))
    return Picture(
        title="QQ plot of the statistic",
        alt=f"{curve.trials:,} values of a statistic against {whose}; largest distance from the diagonal {off:.3g}.",
        numbers=Numbers(head=(whose, "values"), rows=tuple(zip(curve.x.tolist(), curve.y.tolist(), strict=True))),
        draw=draw,
        size=(5.5, 4.2),
    )


def _make_picture(
    title: str, alt: str, head: tuple[str, str], curves: Curves, draw: Callable[[Axes], None], names: int
) -> Picture:
    """Return the picture of curves, with the numbers of all of them in one table."""
    rows = tuple(
        (name, *map(float, point))
        for name, curve in curves.items()
        for point in zip(curve.x, curve.y, curve.low, curve.high, strict=True)
    )
    numbers = Numbers(head=("method", *head, "low", "high"), rows=rows)
    tall = _figure_height(names)
    narrow = narrow_size(tall, *curves, most=26)
    return Picture(title=title, alt=alt, numbers=numbers, draw=draw, size=(WIDTH, tall), narrow=narrow)


def _value_at_truth(curve: PlotCurve, claimed: float) -> float:
    """Return the probability of p-values up to this one."""
    below = np.flatnonzero(curve.x <= claimed * (1 + 1e-9))
    return float(curve.y[below[-1]]) if below.size else 0.0


def _describe_lines(curves: Curves, axis: TruthAxis) -> str:
    """Return the first and the last value of each line."""
    return join_listing(
        f"{name}: {significant(float(curve.y[0]))} at {axis.format_value(float(curve.x[0]))}"
        + (
            f", {significant(float(curve.y[-1]))} at {axis.format_value(float(curve.x[-1]))}"
            if curve.x.size > 1
            else ""
        )
        for name, curve in axis.over_truth(curves).items()
    )


# --- The panels -----------------------------------------------------------------------------------


def _figure_height(names: int) -> float:
    """Return the height of a figure, in inches."""
    return max(4.2, 1.3 + 0.17 * names)


def _write_caption(selected: list[Calibration]) -> str:
    simulated = {each.simulated for each in selected}
    how = {0: "exact"}.get(max(simulated), f"{max(simulated):,} simulated trials")
    return f"{selected[0].design.describe()}; {'exact, or ' if len(simulated) > 1 else ''}{how}"


def _draw_qq(axes: Axes, selected: list[Calibration]) -> None:
    curves, alpha = qq_numbers(selected), selected[0].alpha
    inside = {name: _clip_within(curve, _LEAST, _MOST) for name, curve in curves.items()}
    smallest = min(float(curve.y[curve.y > 0].min(initial=_LEAST)) for curve in inside.values())
    largest = max(_MOST, *(float(curve.y.max()) for curve in inside.values()))
    axes.set(xscale="log", yscale="log", xlim=(_LEAST, _MOST), ylim=(max(smallest, _LEAST / 5) / 1.15, largest * 1.15))
    _draw_chance(axes, max(curve.trials for curve in curves.values()))
    axes.plot([_LEAST, _MOST], [_LEAST, _MOST], color=MUTED, linewidth=0.9)
    axes.axvline(alpha, color=MUTED, **_DOTTED)
    axes.grid(**_GRID)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.set_minor_formatter(lambda _value, _: "")
    near = 2.1 if is_narrow(axes) else 1.7  # times as large, at which two numbers would meet
    axes.set_xticks([*(tick for tick in (0.001, 0.01, 0.1) if not 1 / near < tick / alpha < near), alpha])
    axes.text(0.03, 0.965, "liberal", transform=axes.transAxes, **_REMARK, va="top")
    axes.text(0.4, 0.035, "conservative", transform=axes.transAxes, **_REMARK)
    _draw_lines(axes, inside, selected, drawstyle="steps-post")
    name_axis(axes, x="p-value", y="probability of a p-value as small")
    _draw_all(axes, curves, selected)


def _draw_chance(axes: Axes, trials: int) -> None:
    """Shade the 95% interval of a valid test with this number of trials."""
    if trials:
        claimed = np.geomspace(_LEAST, _MOST, 200)
        error = 1.96 * np.sqrt(claimed * (1 - claimed) / trials)
        low = np.maximum(claimed - error, 1e-9)
        axes.fill_between(claimed, low, claimed + error, color=BAND, linewidth=0)


def _draw_all(axes: Axes, curves: Curves, selected: list[Calibration]) -> None:
    """Draw all p-values in a small panel in the lower right corner."""
    small = axes.inset_axes((0.68, 0.055, 0.29, 0.29))
    small.plot([0, 1], [0, 1], color=MUTED, linewidth=0.7)
    for name, curve in curves.items():
        small.plot(curve.x, curve.y, linewidth=0.9, drawstyle="steps-post", **_line_style(name, selected))
    small.set(xlim=(0, 1), ylim=(0, 1), xticks=[0, 1], yticks=[0, 1], aspect="equal")
    small.tick_params(labelsize=7, length=2)
    small.set_title("all p-values", fontsize=7.5, fontweight="normal", color=MUTED, pad=2)


def _draw_power(axes: Axes, selected: list[Calibration]) -> None:
    curves, alpha = power_numbers(selected), selected[0].alpha
    axes.grid(**_GRID)
    axes.axhline(alpha, color=MUTED, **_DOTTED)
    highest = max(float(curve.high.max()) for curve in curves.values())
    top = 1.0 if highest > 0.5 else math.ceil(12 * max(highest, alpha)) / 10
    ticks = np.linspace(0, top, 6)[1:] if top > 0.4 else np.arange(0.1, top + 0.01, 0.1)
    axes.set(ylim=(0, top), yticks=[alpha, *(tick for tick in ticks if abs(tick - alpha) > 0.04 * top)])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.3g}")
    axis = truth_axis(selected[0].design)
    _draw_lines(axes, axis.in_unit(curves), selected)
    name_axis(axes, x=_list_below(axis, curves), y=f"power (dotted: alpha = {alpha:g})")


def _draw_coverage(axes: Axes, selected: list[Calibration]) -> None:
    curves, level = coverage_numbers(selected), 1 - selected[0].alpha
    axes.grid(**_GRID)
    axes.axhline(level, color=MUTED, **_DOTTED)
    lowest = min(float(curve.low.min()) for curve in curves.values())
    axes.set_ylim(max(0.0, 1 - max(2 * (1 - level), 1.15 * (1 - lowest))), 1)
    axis = truth_axis(selected[0].design)
    _draw_lines(axes, axis.in_unit(curves), selected)
    name_axis(axes, x=_list_below(axis, curves), y=f"coverage (dotted: {level:g})")


# --- Lines and their names ------------------------------------------------------------------------


def _line_style(name: str, selected: list[Calibration]) -> dict[str, Any]:
    """Return the colour and the dashes of a method: the same in every panel."""
    index = [each.method for each in selected].index(name)
    return {"color": COLOURS[index % len(COLOURS)], "linestyle": DASHES[index % len(DASHES)]}


def _draw_lines(axes: Axes, curves: Curves, selected: list[Calibration], drawstyle: str = "default") -> None:
    """Draw each curve with its interval, and its name beside its end."""
    stepped = drawstyle != "default"
    if not stepped and all(curve.x.size == 1 for curve in curves.values()):
        _draw_points(axes, curves, selected)
        axes.set_xlim(*_describe_ends(curves.values()))
        _name_lines(axes, curves, selected)
        return
    for index, (name, curve) in enumerate(curves.items()):
        marker: dict[str, Any] = (
            {"marker": "o", "markersize": 4, "clip_on": False} if curve.x.size <= 12 and not stepped else {}
        )
        look = _line_style(name, selected)
        axes.plot(curve.x, curve.y, linewidth=1.6, drawstyle=drawstyle, zorder=4 - index / 100, **look, **marker)
        if curve.trials and not stepped:
            axes.fill_between(curve.x, curve.low, curve.high, color=look["color"], alpha=0.15, linewidth=0)
    if not stepped:
        axes.set_xlim(*_describe_ends(curves.values()))
    _name_lines(axes, curves, selected)


def _draw_points(axes: Axes, curves: Curves, selected: list[Calibration]) -> None:
    """Draw methods measured at one true value side by side, with the intervals of simulated ones."""
    at = next(iter(curves.values())).x
    low, high = _describe_ends(curves.values())
    step = min(0.06, 0.8 / len(curves)) * (high - low)
    for index, (name, curve) in enumerate(curves.items()):
        errors = np.clip([curve.y - curve.low, curve.high - curve.y], 0, None) if curve.trials else None
        colour = _line_style(name, selected)["color"]
        axes.errorbar(
            at + step * (index - (len(curves) - 1) / 2), curve.y, yerr=errors, color=colour,
            linestyle="none", marker="o", markersize=4, elinewidth=1.4, capsize=3.5, zorder=4,
        )  # fmt: skip
    axes.set_xticks(at)
    axes.xaxis.set_major_formatter(lambda value, _: typeset(significant(value)))


def _describe_ends(curves: Iterable[PlotCurve]) -> tuple[float, float]:
    """Return the limits of the axis; around a single point there is some room."""
    low, high = (float(end([end(curve.x) for curve in curves])) for end in (np.min, np.max))
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _name_lines(axes: Axes, curves: Curves, selected: list[Calibration]) -> None:
    """Write names on the right, as high as the lines end but never over each other, and lead from one to the other."""
    ends = np.array([_panel_height(axes, float(curve.y[-1])) for curve in curves.values()])
    gap = 0.165 / (_figure_height(len(selected)) - 1.2)  # inches between lines of text, in a panel about so high
    for name, end, at in zip(curves, ends, space_out(ends, gap), strict=True):
        axes.annotate(
            name, (1.012, end), (1.085, at), xycoords="axes fraction", textcoords="axes fraction", va="center",
            fontsize=8.5, annotation_clip=False, **PLAIN,
            arrowprops={"arrowstyle": "-", "linewidth": 1.3, "shrinkA": 0, "shrinkB": 0, "relpos": (0, 0.5)}
            | _line_style(name, selected),
        )  # fmt: skip


def _panel_height(axes: Axes, value: float) -> float:
    """Return the height of a value in the panel, from 0 to 1."""
    low, high = axes.get_ylim()
    if axes.get_yscale() == "log":
        low, high, value = np.log([low, high, max(value, low)])
    return float(np.clip((value - low) / (high - low), 0, 1))


def _list_below(axis: TruthAxis, curves: Curves) -> str:
    """Return the label of the axis: the quantity, and what the intervals are."""
    return f"{axis.label}\n{limits_caption(curves.values())}"


def _clip_within(curve: PlotCurve, low: float, high: float) -> PlotCurve:
    inside = (curve.x >= low * (1 - 1e-9)) & (curve.x <= high * (1 + 1e-9))
    return PlotCurve(curve.x[inside], curve.y[inside], curve.low[inside], curve.high[inside], curve.trials)
