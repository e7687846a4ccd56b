"""Pictures of exhibits: lines, markers, bars and steps on one pair of axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidOption
from ..report.picture import Numbers, Picture
from ..report.style import COLOURS, DASHES, GRID, INK, MUTED, PAPER
from ..typing_ import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Kind = Literal["line", "points", "paper", "bars", "steps", "area"]
_MARKERS = "os^Dv"


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """One line, scatter of markers, row of bars or area of a picture.

    Parameters
    ----------
    name
        Its name in the legend.
    x, y
        The coordinates.
    kind
        "line", "points", "paper" (hollow markers, for printed values), "bars", "steps" or "area" (filled down to 0).
    low, high
        Limits, drawn as a band about lines and as whiskers otherwise.
    """

    name: str
    x: ArrayLike
    y: ArrayLike
    kind: Kind = "line"
    low: ArrayLike | None = None
    high: ArrayLike | None = None

    def columns(self) -> list[FloatArray]:
        """Return x, y and, if given, the limits."""
        some = [self.x, self.y] if self.low is None or self.high is None else [self.x, self.y, self.low, self.high]
        return [np.atleast_1d(np.asarray(each, dtype=float)) for each in some]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """Axes, lines, ticks and legend of a picture."""

    x: str
    y: str
    across: Sequence[float] = ()  # horizontal lines
    upright: Sequence[float] = ()  # vertical lines
    log: str = ""
    ticks: Sequence[tuple[float, str]] = field(default_factory=tuple)
    legend: bool = True
    beside: bool = False


def plotted(
    title: str,
    alt: str,
    series: Sequence[Series],
    *,
    x: str,
    y: str,
    across: Sequence[float] = (),
    upright: Sequence[float] = (),
    log: str = "",
    ticks: Sequence[tuple[float, str]] = (),
    size: tuple[float, float] = (6.4, 3.2),
    beside: bool = False,
) -> Picture:
    """Return a picture of some series on one pair of axes.

    Parameters
    ----------
    title, alt
        A short title, and a description in a sentence or two for readers who cannot see the picture.
    series
        The series, in drawing order.
    x, y
        The axis labels, with the unit.
    across, upright
        The positions of thin horizontal and vertical lines.
    log
        The logarithmic axes: "", "x", "y" or "xy".
    ticks
        Positions and labels on the x axis, instead of numbers.
    size
        Width and height in inches.
    beside
        Whether the legend is to the right of the axes.

    Examples
    --------
    >>> picture = plotted("A line", "A line that rises.", [Series("up", [0, 1], [0, 1])], x="time", y="height")
    >>> picture.numbers.head, picture.numbers.rows[-1]
    (('series', 'time', 'height'), ('up', 1.0, 1.0))
    """
    if not series:
        raise InvalidOption("`series` must hold at least one series, got none.")
    for each in series:
        if len({column.shape for column in each.columns()}) > 1:
            raise InvalidOption(f"`x`, `y`, `low` and `high` of series {each.name!r} must have the same length.")
    frame = _Frame(
        x=x, y=y, across=across, upright=upright, log=log, ticks=ticks, legend=len(series) > 1, beside=beside
    )
    return Picture(
        title=title, alt=alt, numbers=_parse_numbers(series, frame), draw=_start_drawing(series, frame), size=size
    )


def _parse_numbers(series: Sequence[Series], frame: _Frame) -> Numbers:
    limits = any(len(each.columns()) > 2 for each in series)
    head = ("series", frame.x, frame.y, *(("low", "high") if limits else ()))
    rows: list[tuple[Any, ...]] = []
    for each in series:
        for row in zip(*each.columns(), strict=True):
            numbers = tuple(map(float, row))
            rows.append((each.name, *numbers, *((None, None) if limits and len(numbers) == 2 else ())))
    return Numbers(head=head, rows=tuple(rows))


def _start_drawing(series: Sequence[Series], frame: _Frame) -> Any:
    def draw(ax: Axes) -> None:
        ax.grid(axis="y", color=GRID)
        for index in frame.across:
            ax.axhline(index, color=MUTED, linewidth=0.8, zorder=0.5)
        for index in frame.upright:
            ax.axvline(index, color=MUTED, linewidth=0.8, zorder=0.5)
        bars = [each for each in series if each.kind == "bars"]
        colour = 0
        for each in series:
            if each.kind == "paper":
                _blank_paper(ax, each)
                continue
            _draw_series(ax, each, colour, (bars.index(each), len(bars)) if each in bars else (0, 1))
            colour += 1
        for name, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
            if name in frame.log:
                ax.set(**{f"{name}scale": "log"})
                axis.set_major_formatter(lambda value, _: f"{value:g}")  # matplotlib's own would be formulas
                axis.set_minor_formatter(lambda *_: "")
        if "y" not in frame.log and all(np.all(each.columns()[1] % 1 == 0) for each in series):
            ax.locator_params(axis="y", integer=True)  # counts are whole numbers
        if frame.ticks:
            ax.set_xticks([index for index, _ in frame.ticks], [name for _, name in frame.ticks])
        ax.set_xlabel(frame.x)
        ax.set_ylabel(frame.y)
        if frame.legend:
            aside: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)} if frame.beside else {}
            ax.legend(frameon=False, fontsize=8, **aside)

    return draw


def _blank_paper(ax: Axes, series: Series) -> None:
    """Draw printed values as hollow markers on top of everything else."""
    x, y, *_ = series.columns()
    ax.plot(x, y, "D", markerfacecolor="none", markeredgecolor=INK, markersize=5, label=series.name, zorder=5)


def _draw_series(ax: Axes, series: Series, index: int, among: tuple[int, int]) -> None:
    x, y, *limits = series.columns()
    colour, dashes = COLOURS[index % len(COLOURS)], DASHES[index % len(DASHES)]
    if series.kind in {"line", "steps"}:
        (line,) = ax.plot(x, y, color=colour, linestyle=dashes, linewidth=1.6, label=series.name)
        if series.kind == "steps":
            line.set_drawstyle("steps-mid")
        if limits:
            ax.fill_between(x, limits[0], limits[1], color=colour, alpha=0.15, linewidth=0)
    elif series.kind == "area":
        ax.fill_between(x, y, color=colour, alpha=0.35, linewidth=0, label=series.name)
    elif series.kind == "bars":
        own, all_of_them = among
        step = float(np.diff(np.sort(x)).min()) if x.size > 1 else 1.0
        width = 0.8 * step / all_of_them
        middle = x + (own - (all_of_them - 1) / 2) * width
        ax.bar(middle, y, width=0.92 * width, color=colour, label=series.name)
        if limits:
            ax.errorbar(middle, y, yerr=_range_of(y, limits), fmt="none", ecolor=INK, elinewidth=1)
    else:
        marker = _MARKERS[index % len(_MARKERS)]
        if limits:
            ax.errorbar(x, y, yerr=_range_of(y, limits), fmt=marker, color=colour, markersize=4, label=series.name)
        else:
            ax.plot(x, y, marker, color=colour, markersize=4, linestyle="none", label=series.name)


def _range_of(y: FloatArray, limits: Sequence[FloatArray]) -> FloatArray:
    """Return the distances of limits below and above, at least 0, as matplotlib requires."""
    low, high = limits
    return np.maximum(np.stack([y - low, high - y]), 0.0)


def branches(title: str, alt: str, leaves: Sequence[tuple[str, Sequence[str]]], *, boxed: str = "") -> Picture:
    """Return a picture of a tree, from left to right.

    Parameters
    ----------
    title, alt
        A short title, and a description in a sentence or two for readers who cannot see the picture.
    leaves
        The name of each leaf, and the names of the branches that lead to it, from top to bottom.
    boxed
        The leaf with a box, if any.

    Examples
    --------
    >>> branches("Paper", "Two sizes.", [("A3", ["large"]), ("A4", ["small", "upright"])]).numbers.rows[1]
    ('A4', 'small, upright')
    """
    if not leaves:
        raise InvalidOption("`leaves` must hold at least one leaf, got none.")
    below: dict[tuple[str, ...], list[int]] = {}
    for index, (_, way) in enumerate(leaves):
        for length in range(len(way) + 1):
            below.setdefault(tuple(way[:length]), []).append(-index)
    height = {way: sum(places) / len(places) for way, places in below.items()}

    def draw(ax: Axes) -> None:
        look: dict[str, Any] = {"va": "center", "fontsize": 8.5, "color": INK, "zorder": 2}
        ax.set_axis_off()
        ax.set_xlim(-0.1, max(map(len, below)) + 1.0)
        ax.set_ylim(0.6 - len(leaves), 0.6)
        for way, at in height.items():
            if way:
                ax.plot([len(way) - 1, len(way)], [height[way[:-1]], at], color=MUTED, linewidth=0.9, zorder=1)
                ax.text(len(way), at, way[-1], ha="center", bbox=_draw_box("none", 1.5), **look)
        for index, (name, path) in enumerate(leaves):
            box = _draw_box(COLOURS[0] if name == boxed else "none", 3.0)
            ax.text(len(path) + 0.45, -index, name, ha="left", fontweight="bold", bbox=box, **look)

    rows = tuple((name, ", ".join(way)) for name, way in leaves)
    return Picture(
        title=title,
        alt=alt,
        numbers=Numbers(head=("leaf", "branches"), rows=rows),
        draw=draw,
        size=(6.4, 0.5 + 0.32 * len(leaves)),
    )


def _draw_box(edge: str, pad: float) -> dict[str, Any]:
    return {"facecolor": PAPER, "edgecolor": edge, "pad": pad}
