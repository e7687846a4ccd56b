"""Figures of calibrations, and the numbers that each shows.

A function whose name ends in `_numbers` gives what the figure of that name draws. Figures are matplotlib's own and
belong to no window: save one with `figure.savefig("calibration.svg")`. Lines are told apart by colour, by dashes, and
by names that stand beside them, so that they can be read in grey and by people who see colours otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption, import_extra
from ...lab import Calibration
from ...types import FloatArray
from .curves import (
    Curve,
    Curves,
    Found,
    coverage_numbers,
    each_of,
    has_pvalues,
    power_numbers,
    qq_numbers,
    statistic_qq_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "Curve",
    "calibration_plot",
    "coverage_numbers",
    "coverage_plot",
    "figure_format",
    "power_curve",
    "power_numbers",
    "qq_numbers",
    "qq_plot",
    "save",
    "statistic_qq",
    "statistic_qq_numbers",
]

# Okabe and Ito's colours, which people tell apart however they see them, each with dashes of its own.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9", "#7f7f7f")
_DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (3, 1)))
_GREY = "#6b6b6b"
_STYLE = {
    "svg.fonttype": "none",  # words stay words
    "svg.hashsalt": "tellapart",  # the same figure is the same file
    "pdf.fonttype": 42,
    "font.family": "sans-serif",
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": _GREY,
    "axes.linewidth": 0.8,
    "axes.axisbelow": True,
    "xtick.color": _GREY,
    "ytick.color": _GREY,
    "xtick.labelcolor": "black",
    "ytick.labelcolor": "black",
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
}
_DOTTED: dict[str, Any] = {"linewidth": 0.9, "linestyle": (0, (1, 2))}
_REMARK: dict[str, Any] = {"fontsize": 8, "style": "italic", "color": _GREY}
_DIFFERENCE = "true difference, error(A) − error(B), in points"
_LEAST = 0.001  # the smallest p-value that is shown
_MOST = 0.2  # beyond which a p-value is nobody's evidence
FORMATS = ("png", "svg", "pdf")


# --- The figures ----------------------------------------------------------------------------------


def qq_plot(found: Found) -> Figure:
    """Draw what p-values claim against how often they are that small, where A and B are equally good.

    Above the diagonal a test claims too much; below it is cautious. The large panel has the small p-values, on
    logarithmic scales; the small one has them all.

    Examples
    --------
    >>> import tellapart as ta
    >>> figure = qq_plot(ta.calibrate(["mcnemar", "mcnemar-exact"], ta.PairedTable(10, 25, 10, 255)))
    >>> figure.axes[0].get_title(loc="left")
    'p-values where there is nothing to find'
    """
    return _drawn([_draw_qq], found)


def power_curve(found: Found) -> Figure:
    """Draw how often tests see a difference, over true differences.

    Examples
    --------
    >>> import tellapart as ta
    >>> found = ta.calibrate(None, ta.PairedTable(10, 25, 10, 255), differences=[0.02, 0.04, 0.06, 0.08])
    >>> power_curve(found).axes[0].get_ylabel()
    'how often the test rejects (dotted: alpha = 0.05)'
    """
    return _drawn([_draw_power], found)


def coverage_plot(found: Found) -> Figure:
    """Draw how often intervals hold the truth, over true differences.

    Examples
    --------
    >>> import tellapart as ta
    >>> coverage_plot(ta.calibrate(None, ta.ErrorCount(3, 120))).axes[0].get_title(loc="left")
    'Coverage'
    """
    return _drawn([_draw_coverage], found)


def calibration_plot(found: Found) -> Figure:
    """Draw all there is: p-values and power of tests, coverage of intervals, side by side.

    Examples
    --------
    >>> import tellapart as ta
    >>> len(calibration_plot(ta.calibrate("mcnemar", ta.PairedTable(10, 25, 10, 255))).axes)  # it gives no interval
    2
    """
    those = each_of(found)
    panels: list[Panel] = []
    if any(map(has_pvalues, those)):
        panels.append(_draw_qq)
    if any(each.power is not None and each.effects.size for each in those):
        panels.append(_draw_power)
    if any(each.coverage is not None for each in those):
        panels.append(_draw_coverage)
    return _drawn(panels or [_draw_coverage], those)


def statistic_qq(values: ArrayLike, quantiles: Callable[[FloatArray], Any], *, claimed: str = "") -> Figure:
    """Draw the values of a statistic against the distribution it is claimed to have.

    Parameters
    ----------
    values
        Simulated values of the statistic.
    quantiles
        What turns probabilities into quantiles, such as `scipy.stats.t(5).ppf`.
    claimed
        The name of the distribution.

    Examples
    --------
    >>> import numpy as np
    >>> figure = statistic_qq(np.linspace(0.01, 0.99, 99), lambda probability: probability, claimed="uniform")
    >>> figure.axes[0].get_xlabel()
    'quantiles of uniform'
    """
    curve = statistic_qq_numbers(values, quantiles)

    def draw(axes: Axes, _: list[Calibration]) -> None:
        ends = [min(curve.x[0], curve.y[0]), max(curve.x[-1], curve.y[-1])]
        axes.grid(visible=True)
        axes.plot(ends, ends, color=_GREY, linewidth=0.9)
        axes.plot(curve.x, curve.y, ".", color=_COLOURS[0], markersize=3.5, markeredgewidth=0)
        axes.set_title("The statistic against what it is claimed to be")
        axes.set_xlabel(f"quantiles of {claimed}" if claimed else "claimed quantiles")
        axes.set_ylabel(f"{curve.trials:,} values")

    return _drawn([draw], ())


def figure_format(file: str | Path) -> str:
    """Return the format that a file's name asks for, or say which there are.

    Examples
    --------
    >>> figure_format("calibration.svg")
    'svg'
    """
    ending = Path(file).suffix.removeprefix(".").lower()
    if ending not in FORMATS:
        raise InvalidOption(f"a figure's name must end in .{', .'.join(FORMATS)}, but is {str(file)!r}.")
    if not Path(file).absolute().parent.is_dir():
        raise InvalidOption(f"{str(file)!r} cannot be written: there is no such folder.")
    import_extra("matplotlib", "plot")
    return ending


def save(figure: Figure, file: str | Path) -> None:
    """Write a figure to a file; its ending tells the format: .png, .svg or .pdf."""
    ending = figure_format(file)
    undated: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}
    try:
        with import_extra("matplotlib", "plot").rc_context(_STYLE):
            figure.savefig(file, format=ending, dpi=200, metadata=undated[ending])
    except OSError as error:
        raise InvalidOption(f"{str(file)!r} cannot be written: {error.strerror}.") from error


# --- The panels -----------------------------------------------------------------------------------

Panel = Callable[["Axes", list[Calibration]], None]


def _drawn(panels: Sequence[Panel], found: Found) -> Figure:
    """Return a figure of panels side by side, with room for as many names as there are."""
    matplotlib, module = (import_extra(name, "plot") for name in ("matplotlib", "matplotlib.figure"))
    those = each_of(found)
    with matplotlib.rc_context(_STYLE):
        layout = import_extra("matplotlib.layout_engine", "plot").ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.08)
        figure: Figure = module.Figure(figsize=(5.5 * len(panels), _tall(len(those))), layout=layout)
        for axes, draw in zip(np.atleast_1d(figure.subplots(1, len(panels))), panels, strict=True):
            draw(axes, those)
        if those:
            figure.suptitle(_caption(those), fontsize=8.5, color=_GREY, x=0.012, ha="left")
    return figure


def _tall(names: int) -> float:
    """Return the height of a figure, in inches."""
    return max(4.2, 1.3 + 0.17 * names)


def _caption(those: list[Calibration]) -> str:
    simulated = {each.simulated for each in those}
    how = {0: "exact"}.get(max(simulated), f"{max(simulated):,} trials simulated")
    return f"{those[0].design.describe()}; {'exact, or ' if len(simulated) > 1 else ''}{how}"


def _draw_qq(axes: Axes, those: list[Calibration]) -> None:
    curves, alpha = qq_numbers(those), those[0].alpha
    inside = {name: _within(curve, _LEAST, _MOST) for name, curve in curves.items()}
    smallest = min(float(curve.y[curve.y > 0].min(initial=_LEAST)) for curve in inside.values())
    largest = max(_MOST, *(float(curve.y.max()) for curve in inside.values()))
    axes.set(xscale="log", yscale="log", xlim=(_LEAST, _MOST), ylim=(max(smallest, _LEAST / 5) / 1.15, largest * 1.15))
    _draw_chance(axes, max(curve.trials for curve in curves.values()))
    axes.plot([_LEAST, _MOST], [_LEAST, _MOST], color=_GREY, linewidth=0.9)
    axes.axvline(alpha, color=_GREY, **_DOTTED)
    axes.grid(visible=True)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.set_minor_formatter(lambda _value, _: "")
    axes.set_xticks([*(tick for tick in (0.001, 0.01, 0.1) if not 0.6 < tick / alpha < 1.7), alpha])
    axes.text(0.03, 0.965, "claims too much", transform=axes.transAxes, **_REMARK, va="top")
    axes.text(0.4, 0.035, "is cautious", transform=axes.transAxes, **_REMARK)
    _draw_lines(axes, inside, those, drawstyle="steps-post")
    axes.set_title("p-values where there is nothing to find")
    axes.set_xlabel("p-value (what is claimed)")
    axes.set_ylabel("how often p is as small (what is true)")
    _draw_all(axes, curves, those)


def _draw_chance(axes: Axes, trials: int) -> None:
    """Shade where a right test lies 95 % of the time, for so many trials."""
    if trials:
        claimed = np.geomspace(_LEAST, _MOST, 200)
        error = 1.96 * np.sqrt(claimed * (1 - claimed) / trials)
        low = np.maximum(claimed - error, 1e-9)
        axes.fill_between(claimed, low, claimed + error, color="#e2e2e2", linewidth=0)


def _draw_all(axes: Axes, curves: Curves, those: list[Calibration]) -> None:
    """Draw all p-values, small, where the large panel has room."""
    small = axes.inset_axes((0.68, 0.055, 0.29, 0.29))
    small.plot([0, 1], [0, 1], color=_GREY, linewidth=0.7)
    for name, curve in curves.items():
        small.plot(curve.x, curve.y, linewidth=0.9, drawstyle="steps-post", **_look(name, those))
    small.set(xlim=(0, 1), ylim=(0, 1), xticks=[0, 1], yticks=[0, 1], aspect="equal")
    small.tick_params(labelsize=7, length=2)
    small.set_title("all p-values", fontsize=7.5, fontweight="normal", color=_GREY, pad=2)


def _draw_power(axes: Axes, those: list[Calibration]) -> None:
    curves, alpha = power_numbers(those), those[0].alpha
    axes.grid(visible=True)
    axes.axhline(alpha, color=_GREY, **_DOTTED)
    axes.set(ylim=(0, 1), yticks=[alpha, *(tick for tick in (0.2, 0.4, 0.6, 0.8, 1.0) if abs(tick - alpha) > 0.04)])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    _draw_lines(axes, {name: _in_points(curve) for name, curve in curves.items()}, those)
    axes.set_title("Power")
    axes.set_xlabel(_DIFFERENCE)
    axes.set_ylabel(f"how often the test rejects (dotted: alpha = {alpha:g})")


def _draw_coverage(axes: Axes, those: list[Calibration]) -> None:
    curves, level = coverage_numbers(those), 1 - those[0].alpha
    axes.grid(visible=True)
    axes.axhline(level, color=_GREY, **_DOTTED)
    lowest = min(float(curve.low.min()) for curve in curves.values())
    axes.set_ylim(max(0.0, 1 - max(2 * (1 - level), 1.15 * (1 - lowest))), 1)
    _draw_lines(axes, {name: _in_points(curve) for name, curve in curves.items()}, those)
    axes.set_title("Coverage")
    axes.set_xlabel(_DIFFERENCE)
    axes.set_ylabel(f"how often the interval holds the truth (dotted: {level:g})")


# --- Lines and their names ------------------------------------------------------------------------


def _look(name: str, those: list[Calibration]) -> dict[str, Any]:
    """Return the colour and the dashes of a method: the same in every panel."""
    place = [each.method for each in those].index(name)
    return {"color": _COLOURS[place % len(_COLOURS)], "linestyle": _DASHES[place % len(_DASHES)]}


def _draw_lines(axes: Axes, curves: Curves, those: list[Calibration], drawstyle: str = "default") -> None:
    """Draw each curve with its limits, and its name beside its end."""
    stepped = drawstyle != "default"
    for place, (name, curve) in enumerate(curves.items()):
        marker: dict[str, Any] = (
            {"marker": "o", "markersize": 4, "clip_on": False} if curve.x.size <= 12 and not stepped else {}
        )
        look = _look(name, those)
        axes.plot(curve.x, curve.y, linewidth=1.6, drawstyle=drawstyle, zorder=4 - place / 100, **look, **marker)
        if curve.trials and not stepped and curve.x.size > 1:
            axes.fill_between(curve.x, curve.low, curve.high, color=look["color"], alpha=0.15, linewidth=0)
    if not stepped:
        axes.set_xlim(*_ends(curves.values()))
    _name_lines(axes, curves, those)


def _ends(curves: Iterable[Curve]) -> tuple[float, float]:
    """Return from where to where the lines go; a single point gets some room."""
    low, high = (float(end([end(curve.x) for curve in curves])) for end in (np.min, np.max))
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def _name_lines(axes: Axes, curves: Curves, those: list[Calibration]) -> None:
    """Write names on the right, as high as the lines end but never over each other, and lead from one to the other."""
    ends = np.array([_height(axes, float(curve.y[-1])) for curve in curves.values()])
    gap = 0.165 / (_tall(len(those)) - 1.2)  # inches between lines of text, in a panel about so high
    for name, end, at in zip(curves, ends, _apart(ends, gap), strict=True):
        axes.annotate(
            name, (1.012, end), (1.085, at), xycoords="axes fraction", textcoords="axes fraction", va="center",
            fontsize=8.5, annotation_clip=False,
            arrowprops={"arrowstyle": "-", "linewidth": 1.3, "shrinkA": 0, "shrinkB": 0, "relpos": (0, 0.5)}
            | _look(name, those),
        )  # fmt: skip


def _height(axes: Axes, value: float) -> float:
    """Return how high a value is in the panel, from 0 to 1."""
    low, high = axes.get_ylim()
    if axes.get_yscale() == "log":
        low, high, value = np.log([low, high, max(value, low)])
    return float(np.clip((value - low) / (high - low), 0, 1))


def _apart(wanted: FloatArray, gap: float) -> FloatArray:
    """Return places as near as can be to those wanted (by least squares), in their order and at least a gap apart."""
    order = np.argsort(wanted, kind="stable")
    blocks: list[list[float]] = []  # mean and number of entries that stand together
    for step, place in enumerate(order):
        blocks.append([float(wanted[place]) - step * gap, 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            (mean, number), (last, more) = blocks[-2], blocks.pop()
            blocks[-1] = [(mean * number + last * more) / (number + more), number + more]
    flat = np.concatenate([np.full(int(number), mean) for mean, number in blocks])
    room = max(0.0, 1 - gap * (wanted.size - 1))
    placed = np.clip(flat, 0.0, room) + gap * np.arange(wanted.size)
    found: FloatArray = np.empty_like(placed)
    found[order] = placed
    return found


def _in_points(curve: Curve) -> Curve:
    return Curve(100 * curve.x, curve.y, curve.low, curve.high, curve.trials)


def _within(curve: Curve, low: float, high: float) -> Curve:
    held = (curve.x >= low * (1 - 1e-9)) & (curve.x <= high * (1 + 1e-9))
    return Curve(curve.x[held], curve.y[held], curve.low[held], curve.high[held], curve.trials)
