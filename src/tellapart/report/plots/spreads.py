"""The distribution of scores of one model over examples, or of the differences of two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...evidence import Outcomes, is_one
from ...figures import scale_of, short_names
from ...rendering import significant
from ...results.wording import difference_name
from ...typing_ import FloatArray, IntArray
from ..picture import Numbers, Picture, drawn
from ..style import COLOURS, GRID, INK, PAPER
from .drawable_types import undrawable
from .labels import name_axis, narrow_size, number_ticks, show_name, typeset, write_at
from .rows import WIDTH, draw_sides, side_lines, sides_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FEW = 15  # values that have a bar of their own
_BARS = 31  # of a histogram: an odd number, so that zero has the middle of a bar
_SHORT = 24  # characters of a name that the label of an axis has room for


def spread(outcomes: Outcomes, *, ax: Axes | None = None) -> Axes:
    """Draw how many examples gave which score, or which difference of two models.

    Parameters
    ----------
    outcomes
        Scores of the examples, of one model or of two.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> evidence = Outcomes.from_scores([0.2, 0.5, 1.0, 0.4], [0.4, 0.5, 0.9, 0.9], metric="rouge")
    >>> spread(evidence).get_ylabel()
    'examples'
    """
    return drawn(spread_picture(outcomes), ax)


def spread_picture(outcomes: Outcomes) -> Picture:
    """Return the picture that `spread` draws.

    Examples
    --------
    >>> evidence = Outcomes.from_scores([0.2, 0.5, 1.0], [0.4, 0.5, 0.9], metric="rouge", models=("old", "new"))
    >>> print(spread_picture(evidence).alt.partition(". ")[2])
    new is better on 1, old on 1; equal on 1.
    """
    if not is_one(outcomes, Outcomes):
        raise undrawable("outcomes", outcomes, "the Outcomes of one model or of two")
    values, two = outcomes.values, outcomes.parameter == "difference"
    mean = float(outcomes.mean_of(values))
    edges, counts = _count_values(values, two=two)
    what = _name_quantity(outcomes)
    text = scale_of("plain", 2 * float(values.std()) / np.sqrt(values.size) or abs(mean) / 2, ends=[mean]).value(mean)

    def draw(axes: Axes) -> None:
        _draw_bars(axes, edges, counts, two=two)
        axes.axvline(mean, color=COLOURS[1], linewidth=1.4, linestyle=(0, (5, 1.5)), zorder=3)
        paper = {"facecolor": PAPER, "edgecolor": PAPER, "linewidth": 0, "pad": 1.0, "alpha": 0.85}
        look: dict[str, Any] = {"on": axes.get_xaxis_transform(), "fontsize": 8.5, "va": "top", "bbox": paper}
        left = mean > sum(axes.get_xlim()) / 2
        at = 1 - (0.09 * side_lines(*_name_sides(outcomes)) if two else 0.0)
        write_at(
            axes,
            (mean, at),
            f"mean {typeset(text)}",
            by=(-5 if left else 5, -2),
            ha="right" if left else "left",
            **look,
        )
        if two:
            draw_sides(axes, *_name_sides(outcomes))
        name_axis(axes, x=what, y="examples")

    return Picture(
        title="Scores by example",
        alt=_describe_picture(outcomes, values, text),
        numbers=Numbers(
            head=("from", "to", "examples"),
            rows=tuple(
                (float(low), float(high), int(count))
                for low, high, count in zip(edges[:, 0], edges[:, 1], counts, strict=True)
            ),
        ),
        draw=draw,
        size=(WIDTH, 2.6),
        narrow=narrow_size(2.9),
    )


def _name_quantity(outcomes: Outcomes) -> str:
    if outcomes.parameter == "difference":
        short = tuple(short_names(outcomes.models).values())
        a, b = short if max(map(len, short)) <= _SHORT else ("A", "B")
        return difference_name(outcomes, show_name(a), show_name(b))
    return "error (0 or 1)" if outcomes.metric.is_rate else outcomes.metric.name


def _name_sides(outcomes: Outcomes) -> tuple[str, str]:
    a, b = short_names(outcomes.models).values()
    return f"{a} better", f"{b} better"


def _describe_picture(outcomes: Outcomes, values: FloatArray, text: str) -> str:
    n = values.size
    low, high = (significant(float(end)) for end in (values.min(), values.max()))
    first = f"{_name_quantity(outcomes)} on {n} example{'s' * (n != 1)}: from {low} to {high}, {text} on average."
    if outcomes.parameter != "difference":
        return first
    a, b = outcomes.models
    better = int((values > 0).sum()), int((values < 0).sum())
    return f"{first} {b} is better on {better[0]}, {a} on {better[1]}; equal on {n - sum(better)}."


def _count_values(values: FloatArray, *, two: bool) -> tuple[FloatArray, IntArray]:
    """Return the edges of the bars and their counts; few distinct values have one bar each."""
    distinct, often = np.unique(values.round(12), return_counts=True)
    if distinct.size <= _FEW:
        return np.stack([distinct, distinct], axis=-1), often
    if two:  # zero in the middle of a bar
        end = float(np.abs(values).max())
        edges = np.linspace(-end, end, _BARS + 1)
        kept = (edges[:-1] <= values.max()) & (edges[1:] >= values.min())
    else:
        edges = np.linspace(float(values.min()), float(values.max()), _BARS + 1)
        kept = np.ones(_BARS, dtype=bool)
    counts, _ = np.histogram(values, bins=edges)
    return np.stack([edges[:-1], edges[1:]], axis=-1)[kept], counts[kept]


def _draw_bars(axes: Axes, edges: FloatArray, counts: IntArray, *, two: bool) -> None:
    middle, width = edges.mean(axis=-1), edges[:, 1] - edges[:, 0]
    if not width.any():  # values of their own
        gap = np.diff(middle).min() if middle.size > 1 else abs(float(middle[0])) or 1.0
        width = np.full(middle.shape, 0.7 * gap)
    axes.bar(middle, counts, 0.94 * width, color=COLOURS[0], zorder=2)
    low, high = float((middle - width).min()), float((middle + width).max())
    span = sides_of((min(low, 0.0), max(high, 0.0)) if two else (low, high), least=0.2) if two else (low, high)
    axes.set(xlim=span, ylim=(0, 1.28 * counts.max()))
    axes.locator_params(axis="y", integer=True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, axis="y", color=GRID, linewidth=0.6)
    if two:
        axes.axvline(0.0, color=INK, linewidth=1.0, zorder=2.5)
    number_ticks(axes, "x", span)
