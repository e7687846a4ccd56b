"""Rows of values with their intervals: shared by the pictures of estimates, differences and pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

from ...errors import InvalidOption
from ...figures import Scale, scale_of
from ...results import Interval
from ..style import BAND, COLOURS, GRID, INK, MUTED, PAPER
from .labels import fits_beside, longest_length, number_ticks, show_name, typeset, write_at

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 6.4  # inches
Kind = Literal["percent", "points", "plain"]  # how values are written


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotRow:
    """A value and its limits, in the unit of the axis; a limit that is open leads to the end of the axis."""

    name: str
    value: float
    low: float
    high: float
    open_low: bool = False
    open_high: bool = False
    text: str = ""  # at the right end
    figure: str = ""  # the value alone
    limits: str = ""  # the limits alone
    strong: bool = True

    @property
    def known(self) -> list[float]:
        """The finite numbers of the row."""
        ends = [*([] if self.open_low else [self.low]), *([] if self.open_high else [self.high]), self.value]
        return [end for end in ends if math.isfinite(end)]


def axis_factor(kind: Kind) -> float:
    """Return the factor of values on an axis: 100 for percentages and percentage points."""
    return 1.0 if kind == "plain" else 100.0


def row_of(
    name: str,
    value: float,
    interval: Interval,
    kind: Kind,
    *,
    more: str = "",
    strong: bool = True,
    scale: Scale | None = None,
) -> PlotRow:
    """Return the row of a value and its interval, both written at its end.

    `kind` is how they are written: "percent" of rates, "points" of their differences, else "plain"; `scale` has the
    decimals of all rows of a picture.
    """
    by, low, high = axis_factor(kind), float(interval.low), float(interval.high)
    open_low = interval.side == "upper" or not math.isfinite(low)
    open_high = interval.side == "lower" or not math.isfinite(high)
    if scale is None:
        scale = common_scale([interval], [value], kind)
    limits = _limits_text(scale, low, high, open_low=open_low, open_high=open_high)
    figure = scale.value(value) if math.isfinite(value) else ""
    return PlotRow(
        name=name,
        value=by * value,
        low=by * low,
        high=by * high,
        open_low=open_low,
        open_high=open_high,
        text=typeset(f"{figure} ({limits})" if figure else limits) + more,
        figure=figure,
        limits=limits,
        strong=strong,
    )


def common_scale(intervals: Iterable[Interval], values: Iterable[float], kind: Kind) -> Scale:
    """Return one number of decimals for all rows of a picture: that of the median half-width.

    No limit of a difference is rounded to 0.
    """
    rows = list(zip(intervals, values, strict=True))
    if any(interval.parameter in {"odds", "ratio"} for interval, _ in rows):  # from 0 to infinity
        return Scale("plain", 2)
    half_widths = [interval.spread(value) / 2 for interval, value in rows]
    known = [width for width in half_widths if math.isfinite(width) and width > 0]
    ends = [float(end) for interval, _ in rows for end in (interval.low, interval.high) if math.isfinite(end)]
    of_difference = any(interval.parameter == "difference" for interval, _ in rows)
    return scale_of(kind, median(known) if known else math.nan, ends, apart_from=(0.0,) if of_difference else ())


def _limits_text(scale: Scale, low: float, high: float, *, open_low: bool, open_high: bool) -> str:
    if open_low and open_high:
        return "no limits"
    if open_low:
        return f"at most {scale.number(high)}"
    if open_high:
        return f"at least {scale.number(low)}"
    return scale.range(low, high)


def span_of(
    rows: Sequence[PlotRow], marks: Sequence[float] = (), ends: tuple[float, float] = (-math.inf, math.inf)
) -> Any:
    """Return the limits of the axis: with room around all that is drawn, but within the range of values."""
    known = [*marks, *(end for row in rows for end in row.known)]
    if not known:
        raise InvalidOption("nothing to draw: no value and no limit is defined.")
    low, high = min(known), max(known)
    room = 0.06 * (high - low) or 0.1 * abs(high) or 1.0
    return max(low - room, ends[0]), min(high + room, ends[1])


def sides_of(span: tuple[float, float], middle: float = 0.0, least: float = 0.2) -> tuple[float, float]:
    """Widen an axis so that there is room on both sides of its middle.

    Examples
    --------
    >>> sides_of((-1.0, 9.0), least=0.2)
    (-2.25, 9.0)
    """
    low, high = span[0] - middle, span[1] - middle
    ratio = least / (1 - least)
    return middle + min(low, -ratio * high), middle + max(high, -ratio * low)


def tall(rows: int, each: float = 0.27, besides: float = 0.95) -> float:
    """Return the height of a picture of rows, in inches."""
    return besides + each * max(rows, 1)


def mark(axes: Axes, at: float, *, strong: bool = True, top: float = 1.0) -> None:
    """Draw a line at zero, a threshold or a margin."""
    axes.axvline(at, ymax=top, color=INK, linewidth=1.0, linestyle="-" if strong else (0, (4, 2)), zorder=1.5)


def shade(axes: Axes, low: float, high: float, *, top: float = 1.0) -> None:
    """Shade a part of the axis."""
    left, right = axes.get_xlim()
    axes.axvspan(max(low, left), min(high, right), ymax=top, facecolor=BAND, edgecolor=BAND, linewidth=0, zorder=0.5)


def draw_interval(axes: Axes, row: PlotRow, y: float, *, size: float = 5.5) -> None:
    """Draw a value as a point and its interval as a line that ends in strokes, or in an arrow if it is one-sided."""
    left, right = axes.get_xlim()
    colour = COLOURS[0] if row.strong else MUTED
    low, high = (left if row.open_low else row.low), (right if row.open_high else row.high)
    if math.isfinite(low) and math.isfinite(high):
        axes.plot([low, high], [y, y], color=colour, linewidth=1.7, solid_capstyle="butt", clip_on=False, zorder=3)
        for end, is_open, towards in ((low, row.open_low, "<"), (high, row.open_high, ">")):
            look: dict[str, Any] = {"markersize": 6 if is_open else 7, "markeredgewidth": 0 if is_open else 1.5}
            axes.plot([end], [y], towards if is_open else "|", color=colour, clip_on=False, zorder=3, **look)
    if math.isfinite(row.value):
        face = colour if row.strong else PAPER
        axes.plot([row.value], [y], "o", color=colour, markerfacecolor=face, markersize=size, markeredgewidth=1.4,
                  clip_on=False, zorder=4)  # fmt: skip


def draw_rows(
    axes: Axes, rows: Sequence[PlotRow], span: tuple[float, float], *, spare: float = 0.0, texts: bool = True
) -> None:
    """Draw rows from top to bottom, names on the left, texts on the right; `spare` rows stay free above them."""
    axes.set(xlim=span, ylim=(len(rows) - 0.4, -0.6 - spare), yticks=[])
    axes.spines[["left", "top", "right"]].set_visible(False)
    axes.set_axisbelow(True)
    axes.grid(visible=True, axis="x", color=GRID, linewidth=0.6)
    longest = longest_length(line for row in rows for line in row.name.split("\n"))
    number_ticks(axes, "x", span, 6 if longest < 24 else 4)
    of_axis = axes.get_yaxis_transform()
    for y, row in enumerate(rows):
        draw_interval(axes, row, y)
        write_at(axes, (0, y), row.name, by=(-8, 0), on=of_axis, ha="right", linespacing=1.15,
              fontsize=8.5 if "\n" in row.name else 9)  # fmt: skip
        if texts:
            write_at(axes, (1, y), row.text, by=(10, 0), on=of_axis, fontsize=8.5, color=INK if row.strong else MUTED)


def side_lines(left: str, right: str) -> int:
    """Return how many lines the labels of both sides take."""
    return 2 if len(show_name(left, 52)) + len(show_name(right, 52)) > 42 else 1


def draw_sides(axes: Axes, left: str, right: str, rows: Sequence[PlotRow] = ()) -> None:
    """Write at the top of the axes what lies on the left and on the right; long labels one below the other.

    The names and the texts of rows take room from the axes.
    """
    first, second = f"← {show_name(left, 52)}", f"{show_name(right, 52)} →"
    beside = longest_length(row.name for row in rows) + longest_length(row.text for row in rows)
    below = 0 if side_lines(left, right) == 1 and fits_beside(axes, first, second, size=8.5, beside=beside) else 12
    look: dict[str, Any] = {"on": "axes fraction", "va": "top", "fontsize": 8.5, "color": MUTED, "zorder": 5}
    write_at(axes, (0, 1), first, by=(5, 0), **look)
    write_at(axes, (1, 1), second, by=(0, -below), ha="right", **look)
