"""The estimate of a watch with its interval at each look, and the look of the decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidOption
from ...planning import Watch
from ...planning.watch_wording import name_parameter
from ...typing_ import FloatArray
from ..picture import Numbers, Picture, drawn
from ..style import COLOURS, GRID, INK, MUTED, PAPER
from .drawable_types import undrawable
from .labels import name_axis, narrow_size, number_ticks, show_name, write_at
from .rows import WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FEW = 40  # looks up to which each has a bar
_TITLES = {"pair": "Difference", "paired scores": "Difference", "rate": "Error", "mean": "Mean"}


def watch(watched: Watch, *, ax: Axes | None = None) -> Axes:
    """Draw the estimate with its interval at each look over the number of examples, and the look of the decision.

    Parameters
    ----------
    watched
        A `Watch` with at least one look.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> from tellapart import ErrorCount
    >>> axes = watch(Watch.rate(against=0.05).add(ErrorCount(3, 120)).add(ErrorCount(1, 80)))
    >>> axes.get_title(loc="left")
    'Error by look'
    """
    return drawn(watch_picture(watched), ax)


def watch_picture(watched: Watch) -> Picture:
    """Return the picture that `watch` draws.

    Examples
    --------
    >>> from tellapart import ErrorCount
    >>> picture = watch_picture(Watch.rate().add(ErrorCount(3, 120)).add(ErrorCount(1, 80)))
    >>> [(row[0], row[1], round(row[3], 4)) for row in picture.numbers.rows]
    [(1, 120, 0.0015), (2, 200, 0.0019)]
    """
    if not isinstance(watched, Watch):
        raise undrawable("watched", watched, "a Watch")
    looks = [look for look in watched.looks if not look.late]
    if not looks:
        raise InvalidOption("`watched` must have at least one look, got none. Add a batch first.")
    low, high = np.array([(look.low, look.high) for look in looks]).T
    numbers = Numbers(
        head=("look", "examples", "estimate", "low", "high", "all looks, low", "all looks, high", "decides"),
        rows=tuple(
            (index, look.examples, look.estimate, look.low, look.high, *ends, look.decides)
            for index, (look, ends) in enumerate(
                zip(looks, zip(*_intersect_intervals(low, high), strict=True), strict=True), 1
            )
        ),
    )
    return Picture(
        title=f"{_TITLES[watched.watches]} by look",
        alt=f"The estimate with its interval at {len(looks)} look{'s' * (len(looks) != 1)}, by the number of examples."
        f" {watched.words}",
        numbers=numbers,
        draw=lambda axes: _draw_picture(axes, watched, low, high),
        size=(WIDTH, 3.4),
        narrow=narrow_size(3.4),
    )


def _intersect_intervals(low: FloatArray, high: FloatArray) -> tuple[list[float], list[float]]:
    """Return the intersection of the intervals up to each look; NaN once it is empty."""
    least, most = np.maximum.accumulate(low), np.minimum.accumulate(high)  # NaN stays NaN
    empty = ~(least < most)
    return np.where(empty, np.nan, least).tolist(), np.where(empty, np.nan, most).tolist()


def _draw_picture(axes: Axes, watched: Watch, low: FloatArray, high: FloatArray) -> None:
    by = 100 if watched.watches in ("pair", "rate") else 1
    looks = [look for look in watched.looks if not look.late]
    x = np.array([look.examples for look in looks])
    estimate, low, high = by * np.array([look.estimate for look in looks]), by * low, by * high
    bar = 0.0 if len(watched.models) == 2 else None if watched.against is None else by * watched.against
    span = _axis_span(watched, estimate, low, high, [] if bar is None else [bar])
    last = max(int(x[-1]), watched.total or 0)
    axes.set(xlim=(0, 1.02 * last), ylim=span)
    axes.grid(visible=True, color=GRID, linewidth=0.6)
    if bar is not None:
        axes.axhline(bar, color=INK, linewidth=1.0)
        _name_sides(axes, watched, bar)
    if watched.total is not None:
        axes.axvline(watched.total, color=MUTED, linewidth=0.9, linestyle=(0, (1, 2)))
    strong: dict[str, Any] = {"color": COLOURS[0], "zorder": 3}
    axes.fill_between(x, low, high, color=COLOURS[0], alpha=0.13, linewidth=0)
    for ends in _intersect_intervals(low, high):
        axes.plot(x, ends, color=MUTED, linewidth=0.9, linestyle=(0, (4, 2)))
    if x.size <= _FEW:
        axes.vlines(x, low, high, linewidth=1.5, **strong)
    axes.plot(x, estimate, linewidth=1.4, marker="o" if x.size <= _FEW else "", markersize=4.5, **strong)
    _mark_decision(axes, watched)
    number_ticks(axes, "y", span)
    axes.locator_params(axis="x", nbins=6 if last < 10**7 else 3)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value == int(value) else "")
    unit = {"pair": ", in pp", "rate": ", in %"}.get(watched.watches, "")
    planned = f" (dotted: {watched.total:,} planned)" if watched.total is not None else ""
    name_axis(axes, x=f"examples{planned}", y=f"{_shorten_name(watched)}{unit}")


def _axis_span(
    watched: Watch, estimate: FloatArray, low: FloatArray, high: FloatArray, marks: Sequence[float]
) -> tuple[float, float]:
    """Return the limits of the axis; the widest intervals, of the first looks, may exceed them."""
    most = np.ceil(x) if (x := estimate.size / 2) > 2 else estimate.size
    known = np.concatenate([estimate, low[-int(most) :], high[-int(most) :], marks])
    if watched.decided_at is not None:
        index = watched.decided_at - 1
        known = np.append(known, [low[index], high[index]])
    known = known[np.isfinite(known)]
    room = 0.12 * float(np.ptp(known)) or 0.1
    return float(known.min()) - room, float(known.max()) + room


def _shorten_name(watched: Watch) -> str:
    a, b = (show_name(name, 10) for name in (watched.models * 2)[:2])
    if watched.watches == "pair":
        return f"error({a}) − error({b})"
    return f"score({b}) − score({a})" if watched.watches == "paired scores" else name_parameter(watched)


def _name_sides(axes: Axes, watched: Watch, bar: float) -> None:
    """Write what lies above and below the line."""
    if len(watched.models) == 2:
        above, below = (f"{show_name(name, 18)} is better" for name in watched.models[::-1])
    else:
        above, below = "above the threshold", "below the threshold"
    look: dict[str, Any] = {"on": axes.get_yaxis_transform(), "fontsize": 8.5, "color": MUTED}
    write_at(axes, (1, bar), f"↑ {above}", by=(6, 7), **look)
    write_at(axes, (1, bar), f"↓ {below}", by=(6, -7), **look)


def _mark_decision(axes: Axes, watched: Watch) -> None:
    """Mark the look of the decision."""
    if watched.decided_at is None:
        return
    look = watched.looks[watched.decided_at - 1]
    by = 100 if watched.watches in ("pair", "rate") else 1
    axes.plot(
        [look.examples], [by * look.estimate], "o", color=COLOURS[1], markeredgecolor=PAPER, markersize=9, zorder=6
    )
    right = look.examples < 0.55 * axes.get_xlim()[1]
    text = f"decided at look {watched.decided_at}"
    box = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.0, "alpha": 0.8}  # intervals pass behind it
    side: dict[str, Any] = {"by": (9, 9), "ha": "left"} if right else {"by": (-9, 9), "ha": "right"}
    write_at(axes, (look.examples, by * look.estimate), text, fontweight="bold", zorder=7, bbox=box, **side)
