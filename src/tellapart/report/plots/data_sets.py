"""The difference of two learners on each of many data sets."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import ScoreTable, is_one
from ...results import Comparison, Interval
from ...results.wording import difference_name, difference_text
from ...typing_ import FloatArray
from ..method_titles import interval_title
from ..picture import Numbers, Picture, drawn
from ..style import COLOURS, GRID, INK, MUTED, PAPER
from .drawable_types import undrawable
from .labels import join_listing, name_axis, number_ticks, show_distinct_names, typeset, write_at
from .rows import WIDTH, axis_factor, draw_sides, mark, row_of, shade, side_lines, sides_of, tall

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAMED = 60  # data sets up to which each has its name
_LINE = 0.19  # inches


def dataset_differences(
    evidence: Comparison | ScoreTable, *, rope: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the difference of two learners on each data set, the largest on top.

    To the right of zero the second learner is better. The interval of the typical difference is a line below the dots,
    the region of practical equivalence a band. Ties are open dots at zero.

    Parameters
    ----------
    evidence
        Result of `compare` for two learners over many data sets, or their scores.
    rope
        Half-width of the region of practical equivalence, in the unit of the scores; that of the answer by default.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> table = ta.ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.75, 0.91, 0.8]})
    >>> dataset_differences(table).get_title(loc="left")
    'Difference by data set'
    """
    return drawn(dataset_differences_picture(evidence, rope=rope), ax)


def dataset_differences_picture(evidence: Comparison | ScoreTable, *, rope: float | None = None) -> Picture:
    """Return the picture that `dataset_differences` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> scores = {"nb": [0.81, 0.7, 0.92], "tree": [0.85, 0.7, 0.91]}
    >>> table = ta.ScoreTable.from_scores(scores, datasets=["x", "y", "z"])
    >>> [(name, round(difference, 2)) for name, *_, difference in dataset_differences_picture(table).numbers.rows]
    [('x', 0.04), ('y', 0.0), ('z', -0.01)]
    """
    table, interval, middle = known_of(evidence)
    size = rope_of(evidence) if rope is None else _as_rope(rope)
    differences = table.differences
    places = [int(index) for index in np.argsort(-differences, kind="stable") if not math.isnan(differences[index])]
    if not places:
        raise InvalidOption("`evidence` must have a data set with scores of both learners, got none.")
    missing = len(differences) - len(places)
    a, b = table.learners
    a_wins, ties, b_wins = (int(count) for count in table.wins)
    scores = table.metric.from_loss(table.cells)
    left_out = f" {missing} without both scores {'is' if missing == 1 else 'are'} left out." if missing else ""
    within = f" Shaded: within {size:g}." if size else ""
    largest = join_listing(
        (f"{table.datasets[index]} {_describe_differences(table, differences[index])}" for index in places), 8
    )
    lines = side_lines(f"{a} better", f"{b} better")
    named = len(places) <= _NAMED
    return Picture(
        title="Difference by data set",
        alt=(
            f"{difference_name(table, a, b)} on {len(places)} data sets: {b} is better on {b_wins}, {a} on {a_wins},"
            f" equal on {ties}. From the largest: {largest}.{_limits_text(table, interval, middle)}{within}{left_out}"
        ),
        numbers=Numbers(
            head=("data set", a, b, "difference"),
            rows=tuple(
                (table.datasets[index], *(float(each) for each in scores[index]), float(differences[index]))
                for index in places
            ),
        ),
        draw=lambda axes: _draw_picture(axes, table, places, interval, middle, size),
        size=(WIDTH + 0.6, tall(len(places), _LINE, 1.3 + 0.2 * lines) if named else 4.4),
    )


def known_of(evidence: Any) -> tuple[ScoreTable, Interval | None, float]:
    """Return the scores of two learners, and the interval of their typical difference with its middle, if known."""
    table = evidence.evidence if isinstance(evidence, Comparison) else evidence
    if not is_one(table, ScoreTable):
        raise undrawable("evidence", evidence, "a ScoreTable of two learners, or the result of compare(...) for it")
    if len(table.learners) != 2:
        raise InvalidOption(f"`evidence` must be of two learners, got {len(table.learners)}. Select two: select(a, b).")
    if isinstance(evidence, Comparison) and evidence.interval.parameter == "difference":
        return table, evidence.interval, float(evidence.difference)
    return table, None, math.nan


def rope_of(evidence: Any) -> float:
    """Return the region of practical equivalence that an answer has; 0 if it has none."""
    practical = evidence.test.practical if isinstance(evidence, Comparison) else None
    return 0.0 if practical is None else float(practical.rope)


def _as_rope(rope: Any) -> float:
    if isinstance(rope, bool) or not (isinstance(rope, int | float | np.number) and 0 <= rope < math.inf):
        raise InvalidOption(f"`rope` must be a number of 0 or more, got {rope!r}. For 1 pp use 0.01.")
    return float(rope)


def _describe_differences(table: ScoreTable, value: float, *, unit: bool = True) -> str:
    known = np.abs(table.differences[~np.isnan(table.differences)])
    spread = float(np.median(known[known > 0])) if (known > 0).any() else 0.01
    return difference_text(float(value), 8 * spread, table.metric.name, unit=unit)


def _limits_text(table: ScoreTable, interval: Interval | None, middle: float) -> str:
    if interval is None:
        return ""
    limits = row_of("", middle, interval, table.difference_kind).limits
    return f" Typical difference: {_describe_differences(table, middle)}, {limits} ({interval_title(interval, table)})."


def _draw_picture(
    axes: Axes, table: ScoreTable, places: list[int], interval: Interval | None, middle: float, rope: float
) -> None:
    by, (a, b) = axis_factor(table.difference_kind), table.learners
    values = by * table.differences[places]
    ends = [] if interval is None else [by * float(end) for end in (interval.low, interval.high) if np.isfinite(end)]
    known = np.array([0.0, *values, *ends, by * rope, -by * rope])
    room = 0.06 * float(np.ptp(known)) or 0.1
    # An interval that too few data sets leave open must not press the dots together.
    low, high = float(min(values.min(), 0.0, -by * rope)), float(max(values.max(), 0.0, by * rope))
    longest_length = 1.5 * (high - low) or 1.0
    low, high = (
        max(float(known.min()), low - longest_length) - room,
        min(float(known.max()), high + longest_length) + room,
    )
    lines = side_lines(f"{a} better", f"{b} better")
    spare, foot = 1.0 * lines + 0.3, 0.0 if interval is None else 1.6
    if len(places) > _NAMED:
        spare, foot = spare * len(places) / 20, foot * len(places) / 20
    span = sides_of((low, high))
    axes.set(xlim=span, ylim=(len(places) - 0.4 + foot, -0.6 - spare), yticks=[])
    axes.spines[["left", "top", "right"]].set_visible(False)
    axes.grid(visible=True, axis="x", color=GRID, linewidth=0.6)
    top = (len(places) + foot + 0.1) / (len(places) + foot + 0.2 + spare)
    if rope:
        shade(axes, -by * rope, by * rope, top=top)
        for end in (-by * rope, by * rope):
            mark(axes, end, strong=False, top=top)
    mark(axes, 0.0, top=top)
    _draw_dots(axes, table, places, values)
    if interval is not None:
        _draw_typical(axes, interval, by, middle, len(places) - 0.4 + 0.55 * foot)
    draw_sides(axes, f"{a} better", f"{b} better")
    number_ticks(axes, "x", span, 6)
    kind = "" if interval is None else f"\nbelow: typical difference, {interval_title(interval, table)}"
    band = f"; shaded: within {rope:g}" if rope else ""
    name_axis(axes, x=f"{difference_name(table, 'A', 'B')}{', in pp' * (by == 100)}{band}{kind}")


def _draw_dots(axes: Axes, table: ScoreTable, places: list[int], values: FloatArray) -> None:
    """Draw a dot for each data set with a line from zero, and its name and figure if there is room."""
    y = np.arange(len(places))
    named = len(places) <= _NAMED
    axes.hlines(y, 0.0, values, color=MUTED, linewidth=0.8 if named else 0.4, zorder=2)
    for which, colour in ((values > 0, COLOURS[0]), (values < 0, COLOURS[1]), (values == 0, MUTED)):
        look: dict[str, Any] = {
            "markersize": 5.5 if named else 3,
            "markeredgewidth": 1.2 if named else 0.6,
            "zorder": 3,
        }
        face = PAPER if colour == MUTED else colour
        marker = "s" if colour == COLOURS[1] else "o"  # the shape differs, too
        axes.plot(values[which], y[which], marker, color=colour, markerfacecolor=face, clip_on=False, **look)
    if not named:
        return
    of_axis = axes.get_yaxis_transform()
    for line, (index, name) in enumerate(
        zip(places, show_distinct_names([table.datasets[each] for each in places], 32), strict=True)
    ):
        write_at(axes, (0, line), name, by=(-8, 0), on=of_axis, ha="right", fontsize=8.5)
        text = typeset(_describe_differences(table, table.differences[index], unit=False))
        write_at(axes, (1, line), text, by=(8, 0), on=of_axis, fontsize=8.5, color=INK)


def _draw_typical(axes: Axes, interval: Interval, by: float, middle: float, y: float) -> None:
    """Draw the interval of the typical difference below the dots; beyond the axis it ends in an arrow."""
    left, right = axes.get_xlim()
    low, high = (by * float(end) for end in (interval.low, interval.high))
    ends = [max(low, left), min(high, right)]
    look: dict[str, Any] = {"color": INK, "clip_on": False, "zorder": 4}
    axes.plot(ends, [y, y], linewidth=2.2, solid_capstyle="butt", **look)
    for end, is_open, towards in ((ends[0], low < left, "<"), (ends[1], high > right, ">")):
        axes.plot([end], [y], towards if is_open else "|", markersize=6 if is_open else 8,
                  markeredgewidth=0 if is_open else 1.6, **look)  # fmt: skip
    if math.isfinite(middle):
        axes.plot([by * middle], [y], "D", markersize=6, markerfacecolor=INK, markeredgecolor=PAPER, **look)
