"""The picture of looking early: false alarms that add up from look to look, rule by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...lab import Peeking
from ...rendering import significant
from ...typing_ import FloatArray
from ..picture import Numbers, Picture, drawn
from ..style import COLOURS, DASHES, GRID, MUTED
from .accepting import undrawable
from .rows import WIDTH
from .truths import trials_caption
from .words import PLAIN, apart, listed, name_axis, narrow_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def peeking(found: Peeking, *, ax: Axes | None = None) -> Axes:
    """Draw how often each rule has raised a false alarm by then, over the number of examples.

    A rule that keeps its word stays below alpha to the end; whoever looks naively climbs on with every look.

    Parameters
    ----------
    found
        What `lab.peeking` found.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> from tellapart import lab
    >>> axes = peeking(lab.peeking(ta.PairedTable(10, 15, 15, 260), rules=["mcnemar-mid-p", "one look"]))
    >>> axes.get_title(loc="left")
    'False alarms of whoever looks early'
    """
    return drawn(peeking_picture(found), ax)


def peeking_picture(found: Peeking) -> Picture:
    """Return the picture that `peeking` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> from tellapart import lab
    >>> found = lab.peeking(ta.PairedTable(10, 15, 15, 260), looks=[100, 300], rules=["mcnemar-mid-p"])
    >>> [(row[1], round(row[2], 4)) for row in peeking_picture(found).numbers.rows]
    [(100, 0.0412), (300, 0.0771)]
    """
    if not isinstance(found, Peeking):
        raise undrawable("found", found, "what lab.peeking found")
    rows = []
    for each in found:
        share = each.by_look[0]
        parts = (found.looks.tolist(), *(np.asarray(part).tolist() for part in (share.value, share.low, share.high)))
        rows += [(each.rule, *point) for point in zip(*parts, strict=True)]
    told = listed(f"{each.rule}: {significant(float(each.false_alarms.value))}" for each in found)
    return Picture(
        title="False alarms of whoever looks early",
        alt=f"How often each rule has decided by then where there is nothing to find, over the number of examples;"
        f" {found.alpha:g} was asked for. At the end, {told}.",
        numbers=Numbers(head=("rule", "examples", "false alarms", "low", "high"), rows=tuple(rows)),
        draw=lambda axes: _draw(axes, found),
        size=(WIDTH, _tall(len(found))),
        narrow=narrow_size(_tall(len(found)), *found.rules, most=24),
    )


def _tall(rules: int) -> float:
    return max(3.6, 1.3 + 0.17 * rules)


def _draw(axes: Axes, found: Peeking) -> None:
    curves = [_from_nothing(found, place) for place in range(len(found))]
    most = max(float(high.max()) for _, _, _, high in curves)
    axes.grid(visible=True, color=GRID, linewidth=0.6)
    axes.axhline(found.alpha, color=MUTED, linewidth=0.9, linestyle=(0, (1, 2)))
    axes.set(xlim=(0, int(found.looks[-1])), ylim=(0, 1.08 * max(most, found.alpha)))
    stepped = found.looks.size <= 100  # more steps than that are a line to the eye
    for place, (x, y, low, high) in enumerate(curves):
        look = _look(place)
        style = "steps-post" if stepped else "default"
        axes.plot(x, y, linewidth=1.6, drawstyle=style, zorder=4 - place / 100, clip_on=False, **look)
        if found.simulated:
            step: Any = "post" if stepped else None
            axes.fill_between(x, low, high, step=step, color=look["color"], alpha=0.15, linewidth=0)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    _name_lines(axes, found, np.array([float(y[-1]) for _, y, _, _ in curves]))
    name_axis(
        axes,
        x=f"examples\n{trials_caption(found.simulated)}",
        y=f"false alarms so far (dotted: alpha = {found.alpha:g})",
    )


def _from_nothing(found: Peeking, place: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the false alarms of a rule by number of examples, and their limits; before the first look none."""
    share = found[place].by_look[0]
    parts = (found.looks, share.value, share.low, share.high)
    x, y, low, high = (np.concatenate([[0.0], np.asarray(part, dtype=float)]) for part in parts)
    return x, y, low, high


def _look(place: int) -> dict[str, Any]:
    return {"color": COLOURS[place % len(COLOURS)], "linestyle": DASHES[place % len(DASHES)]}


def _name_lines(axes: Axes, found: Peeking, ends: FloatArray) -> None:
    """Write the rules on the right, as high as their lines end but never over each other, and lead to each."""
    high = np.clip(ends / axes.get_ylim()[1], 0, 1)
    gap = 0.165 / (_tall(len(found)) - 1.0)  # inches between lines of text, in a panel about so high
    for place, (rule, end, at) in enumerate(zip(found.rules, high, apart(high, gap), strict=True)):
        axes.annotate(
            rule, (1.005, end), (1.06, at), xycoords="axes fraction", textcoords="axes fraction", va="center",
            fontsize=8.5, annotation_clip=False, **PLAIN,
            arrowprops={"arrowstyle": "-", "linewidth": 1.3, "shrinkA": 0, "shrinkB": 0, "relpos": (0, 0.5)}
            | _look(place),
        )  # fmt: skip
