"""The cumulative type I error rate of stopping rules over repeated looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...lab import Peeking
from ...rendering import significant
from ...typing_ import FloatArray
from ..picture import Numbers, Picture, drawn
from ..style import COLOURS, DASHES, GRID, MUTED
from .drawable_types import undrawable
from .labels import PLAIN, join_listing, name_axis, narrow_size, space_out
from .rows import WIDTH
from .truths import trials_caption

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def peeking(result: Peeking, *, ax: Axes | None = None) -> Axes:
    """Draw the cumulative type I error rate of each rule over the number of examples.

    A valid rule stays at or below alpha at the last look; repeated tests without correction exceed it.

    Parameters
    ----------
    result
        Result of `lab.peeking`.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> from tellapart import lab
    >>> axes = peeking(lab.peeking(ta.PairedTable(10, 15, 15, 260), rules=["mcnemar-mid-p", "one look"]))
    >>> axes.get_title(loc="left")
    'Cumulative type I error rate'
    """
    return drawn(peeking_picture(result), ax)


def peeking_picture(result: Peeking) -> Picture:
    """Return the picture that `peeking` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> from tellapart import lab
    >>> result = lab.peeking(ta.PairedTable(10, 15, 15, 260), looks=[100, 300], rules=["mcnemar-mid-p"])
    >>> [(row[1], round(row[2], 4)) for row in peeking_picture(result).numbers.rows]
    [(100, 0.0412), (300, 0.0771)]
    """
    if not isinstance(result, Peeking):
        raise undrawable("result", result, "the result of lab.peeking")
    rows = []
    for each in result:
        share = each.by_look[0]
        parts = (result.looks.tolist(), *(np.asarray(part).tolist() for part in (share.value, share.low, share.high)))
        rows += [(each.rule, *point) for point in zip(*parts, strict=True)]
    text = join_listing(f"{each.rule}: {significant(float(each.type_i_error.value))}" for each in result)
    return Picture(
        title="Cumulative type I error rate",
        alt=f"Cumulative type I error rate of each rule by the number of examples, nominal {result.alpha:g}. At the"
        f" last look: {text}.",
        numbers=Numbers(head=("rule", "examples", "type I error rate", "low", "high"), rows=tuple(rows)),
        draw=lambda axes: _draw_picture(axes, result),
        size=(WIDTH, _figure_height(len(result))),
        narrow=narrow_size(_figure_height(len(result)), *result.rules, most=24),
    )


def _figure_height(rules: int) -> float:
    return max(3.6, 1.3 + 0.17 * rules)


def _draw_picture(axes: Axes, result: Peeking) -> None:
    curves = [_from_nothing(result, index) for index in range(len(result))]
    most = max(float(high.max()) for _, _, _, high in curves)
    axes.grid(visible=True, color=GRID, linewidth=0.6)
    axes.axhline(result.alpha, color=MUTED, linewidth=0.9, linestyle=(0, (1, 2)))
    axes.set(xlim=(0, int(result.looks[-1])), ylim=(0, 1.08 * max(most, result.alpha)))
    stepped = result.looks.size <= 100  # more steps than that are a line to the eye
    for index, (x, y, low, high) in enumerate(curves):
        look = _line_style(index)
        style = "steps-post" if stepped else "default"
        axes.plot(x, y, linewidth=1.6, drawstyle=style, zorder=4 - index / 100, clip_on=False, **look)
        if result.simulated:
            step: Any = "post" if stepped else None
            axes.fill_between(x, low, high, step=step, color=look["color"], alpha=0.15, linewidth=0)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    _name_lines(axes, result, np.array([float(y[-1]) for _, y, _, _ in curves]))
    name_axis(
        axes,
        x=f"examples\n{trials_caption(result.simulated)}",
        y=f"type I error rate so far (dotted: {result.alpha:g})",
    )


def _from_nothing(result: Peeking, index: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the type I error rate of a rule by number of examples, from 0 before the first look, and its interval."""
    share = result[index].by_look[0]
    parts = (result.looks, share.value, share.low, share.high)
    x, y, low, high = (np.concatenate([[0.0], np.asarray(part, dtype=float)]) for part in parts)
    return x, y, low, high


def _line_style(index: int) -> dict[str, Any]:
    return {"color": COLOURS[index % len(COLOURS)], "linestyle": DASHES[index % len(DASHES)]}


def _name_lines(axes: Axes, result: Peeking, ends: FloatArray) -> None:
    """Write the rules on the right, as high as their lines end but never over each other, and lead to each."""
    high = np.clip(ends / axes.get_ylim()[1], 0, 1)
    gap = 0.165 / (_figure_height(len(result)) - 1.0)  # inches between lines of text, in a panel about so high
    for index, (rule, end, at) in enumerate(zip(result.rules, high, space_out(high, gap), strict=True)):
        axes.annotate(
            rule, (1.005, end), (1.06, at), xycoords="axes fraction", textcoords="axes fraction", va="center",
            fontsize=8.5, annotation_clip=False, **PLAIN,
            arrowprops={"arrowstyle": "-", "linewidth": 1.3, "shrinkA": 0, "shrinkB": 0, "relpos": (0, 0.5)}
            | _line_style(index),
        )  # fmt: skip
