"""The critical-difference diagram: learners on an axis of mean ranks, with bars that join ties."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...results import Ranking
from ...results.ranking_text import test_text
from ..picture import Numbers, Picture, drawn
from ..style import BAND, COLOURS, INK, MUTED, PAPER
from .drawable_types import undrawable
from .labels import (
    PHONE,
    is_narrow,
    join_listing,
    longest_length,
    name_axis,
    narrow_size,
    show_distinct_names,
    show_name,
    space_out,
    write_at,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTHS = 7.4, 8.3  # inches, of few and of many
_MANY = 16  # learners
_LINE = 13.5  # typographic points between labels
_STEP = 9.0  # typographic points between bars
_PHONE_NAME = 14  # characters of a name that a phone has room for
_LONGEST = 26  # characters of a name: both sides need room
_BARS = 40  # rows of bars that are drawn
_SCALE = 20.0  # typographic points above the axis for its numbers
_SLANT = 10.0  # typographic points below the axis in which lines too close to each other spread


def critical_difference(ranking: Ranking, *, ax: Axes | None = None) -> Axes:
    """Draw learners on an axis of mean ranks; bars join ties (no significant difference).

    A bar has a dot for each of its members; a learner that it passes without a dot is not in the group. The critical
    difference is drawn if the method has one; other methods test pairs whatever the distance of their mean ranks. With
    a control, learners that are significantly different from it have filled points on the axis.

    Parameters
    ----------
    ranking
        Result of `compare` for several learners over many data sets.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> scores = {"svm": [0.9, 0.8, 0.9, 0.7], "nb": [0.8, 0.7, 0.8, 0.6], "tree": [0.7, 0.6, 0.9, 0.5]}
    >>> critical_difference(ta.compare(ta.ScoreTable.from_scores(scores))).get_title(loc="left")
    'Mean ranks with ties'
    """
    return drawn(critical_difference_picture(ranking), ax)


def critical_difference_picture(ranking: Ranking) -> Picture:
    """Return the picture that `critical_difference` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> scores = {"svm": [0.9, 0.8, 0.9, 0.7], "nb": [0.8, 0.7, 0.8, 0.6], "tree": [0.7, 0.6, 0.9, 0.5]}
    >>> critical_difference_picture(ta.compare(ta.ScoreTable.from_scores(scores))).numbers.rows[0]
    ('svm', 1.125, 'a')
    """
    layout = _Layout(ranking)
    control = layout.control
    groups = [f"different from {control}"] if control else ["groups"]
    text = [
        ("yes" if name in layout.significant else "" if name == control else "no") if control else ranking.letters(name)
        for name in layout.names
    ]
    return Picture(
        title="Mean ranks and control" if control else "Mean ranks with ties",
        alt=_describe_picture(ranking, layout),
        numbers=Numbers(
            head=("learner", "mean rank", *groups),
            rows=tuple(zip(layout.names, layout.ranks, text, strict=True)),
        ),
        draw=lambda axes: _draw_picture(axes, ranking, _Layout(ranking, narrow=is_narrow(axes))),
        size=(layout.width, layout.height / 72 + 1.0),
        narrow=narrow_size(layout.height / 72 + 1.2, *layout.called, most=_PHONE_NAME),
    )


def mean_ranks_of(ranking: Any) -> tuple[list[str], list[float]]:
    """Return learners and their mean ranks, best first; raise InvalidOption if there are none."""
    ranks = getattr(getattr(ranking, "evidence", None), "mean_ranks", None)
    if not isinstance(ranking, Ranking) or ranks is None:
        raise undrawable("ranking", ranking, "the result of compare(...) for a ScoreTable")
    order = np.argsort(ranks, kind="stable")
    return [ranking.models[index] for index in order], [float(ranks[index]) for index in order]


class _Layout:
    """Positions in typographic points below the axis: bars, then labels, the better half on the left."""

    def __init__(self, ranking: Ranking, *, narrow: bool = False) -> None:
        self.names, self.ranks = mean_ranks_of(ranking)
        self.control: str | None = ranking.control
        self.critical = float(ranking.note("critical_difference", math.nan))
        places = {name: index for index, name in enumerate(self.names)}
        self.significant: set[str] = self._from_control(ranking) if self.control else set()
        groups: list[tuple[str, ...]] = [group for group in ranking.groups if len(group) > 1]
        if self.control:
            groups = [tuple(name for name in self.names if name not in self.significant)]
        self.groups = [sorted(places[name] for name in group) for group in groups if len(group) > 1]
        many = len(self.names)
        self.width = PHONE if narrow else _WIDTHS[many > _MANY]
        self.called = show_distinct_names(self.names, _LONGEST)
        self.dot = 5.0 if many <= _MANY else 3.8
        self.x = self._drawn_apart()
        levels = self._stack_levels()
        self.hidden = sum(level >= _BARS for level in levels)
        self.bars = [(group, level) for group, level in zip(self.groups, levels, strict=True) if level < _BARS]
        self.bars_at = _SLANT + (9 if self.control else 4)
        self.band = self.bars_at + _STEP * (1 + max((level for _, level in self.bars), default=0))
        self.left = -(-many // 2)
        self.above = _SCALE + (20 if self.has_critical else 0)
        self.below = self.band + _LINE * self.left
        self.height = self.above + self.below

    def _from_control(self, ranking: Ranking) -> set[str]:
        """Return the learners that are significantly different from the control."""
        pairs = zip(ranking.names, ranking.better, strict=True)
        text = [set(pair) for pair, winner in pairs if winner is not None and self.control in pair]
        return set().union(*text) - {str(self.control)}

    def _drawn_apart(self) -> list[float]:
        """Return the positions of the vertical lines, so far from each other that no dot covers another."""
        many = len(self.names)
        room = 72 * self.width - 2 * 5.3 * (longest_length(self.called) + 8)  # what labels leave to the axis, about
        gap = min((self.dot + (4.0 if self.control else 1.5)) / max(room, 100.0), 1 / max(many - 1, 1))
        places = space_out((np.array(self.ranks) - 1) / max(many - 1, 1), gap)
        result: list[float] = (1 + (many - 1) * places).tolist()
        return result

    def _stack_levels(self) -> list[int]:
        """Return a row for each bar: the first that is free all along it."""
        ends: list[float] = []
        gap = 0.035 * max(len(self.names) - 1, 1)  # bars in one row do not touch
        result = []
        for group in self.groups:
            start, end = self.x[group[0]], self.x[group[-1]]
            level = next((index for index, last in enumerate(ends) if last + gap < start), len(ends))
            ends[level : level + 1] = [end]
            result.append(level)
        return result

    @property
    def has_critical(self) -> bool:
        return math.isfinite(self.critical)

    def row(self, index: int) -> float:
        """Return the distance of the label of a learner below the axis."""
        line = index if index < self.left else len(self.names) - 1 - index
        return self.band + _LINE * (line + 0.5)

    def bar(self, level: int) -> float:
        """Return the distance of a bar below the axis."""
        return self.bars_at + _STEP * level


# --- How it is drawn ------------------------------------------------------------------------------


def _draw_picture(axes: Axes, ranking: Ranking, layout: _Layout) -> None:
    many = len(layout.names)
    axes.set(xlim=(1 - 0.02 * (many - 1), many + 0.02 * (many - 1)), ylim=(layout.below, -layout.above), yticks=[])
    axes.spines[["left", "right", "bottom"]].set_visible(False)
    axes.spines["top"].set(visible=True, position=("data", 0), color=INK, bounds=(1, many))
    axes.xaxis.set_ticks_position("top")
    axes.set_xticks(_rank_ticks(many))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.tick_params(axis="x", direction="in", color=INK, length=4, labelsize=8.5)
    for index in range(many):
        _draw_learner(axes, layout, index)
    for number, (group, level) in enumerate(layout.bars):
        x, y = [layout.x[index] for index in group], layout.bar(level)
        look: dict[str, Any] = {"color": (COLOURS[0], INK)[number % 2], "zorder": 3, "clip_on": False}
        axes.plot([x[0], x[-1]], [y, y], linewidth=2.6, solid_capstyle="round", **look)
        axes.plot(x, [y] * len(x), "o", markersize=layout.dot, markeredgecolor=PAPER, markeredgewidth=0.5, **look)
    if not layout.bars and not layout.control:
        look = {"ha": "center", "fontsize": 8.5, "color": MUTED, "bbox": _paper_box()}
        write_at(axes, ((many + 1) / 2, layout.bars_at), "no ties", **look)
    if layout.has_critical:
        _draw_critical(axes, layout)
    axes.xaxis.set_label_position("bottom")
    name_axis(axes, x=_write_caption(ranking, layout))


def _draw_learner(axes: Axes, layout: _Layout, index: int) -> None:
    """Draw the line from a mean rank down to the label, and the label with its figure."""
    name, rank, x, y = layout.names[index], layout.ranks[index], layout.x[index], layout.row(index)
    left, is_control = index < layout.left, layout.names[index] == layout.control
    edge = axes.get_xlim()[0 if left else 1]
    strong = is_control or name in layout.significant
    look: dict[str, Any] = {"color": INK if strong else MUTED, "linewidth": 1.3 if strong else 0.8, "zorder": 2}
    axes.plot([rank, x, x, edge], [0, _SLANT, y, y], solid_joinstyle="round", clip_on=False, **look)
    figure, called = f"{rank:.2f}", layout.called[index]
    text = f"{called}  {figure}" if left else f"{figure}  {called}"
    bold = "bold" if is_control else "normal"
    write_at(axes, (edge, y), text, by=(-4 if left else 4, 0), ha="right" if left else "left", fontweight=bold)
    if layout.control:
        marker, face = ("D", INK) if is_control else ("o", COLOURS[1] if name in layout.significant else PAPER)
        dot: dict[str, Any] = {"markersize": layout.dot + 1, "markerfacecolor": face, "markeredgewidth": 1, "zorder": 4}
        axes.plot([x], [_SLANT], marker, color=INK if is_control else COLOURS[1], clip_on=False, **dot)


def _draw_critical(axes: Axes, layout: _Layout) -> None:
    """Draw the critical difference: a bar above the axis or, with a control, a band around the control."""
    many, size = len(layout.names), layout.critical
    y = -_SCALE - 8
    if layout.control:
        middle = layout.ranks[layout.names.index(layout.control)]
        low, high = max(middle - size, 1.0), min(middle + size, float(many))
        axes.fill_between([low, high], [-1.5, -1.5], [4.5, 4.5], color=BAND, linewidth=0, zorder=1)
        text = f"shaded: closer to {show_name(layout.control, 24)} than the critical difference, {size:.3g}"
        write_at(axes, (0, y), text, on=axes.get_yaxis_transform(), fontsize=8.5)
        return
    end = min(1 + size, float(many))
    look: dict[str, Any] = {"color": INK, "clip_on": False, "zorder": 3}
    axes.plot([1, end], [y, y], linewidth=1.6, **look)
    axes.plot([1], [y], "|", markersize=8, markeredgewidth=1.6, **look)
    axes.plot([end], [y], "|" if 1 + size <= many else ">", markersize=8 if 1 + size <= many else 6,
              markeredgewidth=1.6 if 1 + size <= many else 0, **look)  # fmt: skip
    beyond = "" if 1 + size <= many else ": more than the whole axis"
    text = f"critical difference {size:.3g}{beyond}"
    if (end - 1) / max(many - 1, 1) < 0.5:
        write_at(axes, (end, y), text, by=(8, 0), fontsize=8.5)
    else:
        write_at(axes, ((1 + end) / 2, y), text, by=(0, 5), ha="center", va="bottom", fontsize=8.5)


def _write_caption(ranking: Ranking, layout: _Layout) -> str:
    """Return the caption below the axis, in short lines."""
    datasets = ranking.evidence.datasets  # type: ignore[attr-defined]  # a table of scores has them
    over = f"mean rank over {len(datasets)} data sets, 1 is best"
    more = f"; {layout.hidden} more not drawn" if layout.hidden else ""
    what = f"bars join ties, dots are their members{more}"
    if layout.control:
        what = "diamond: control; filled: significantly different from it"
    return f"{over}\n{what}\n{test_text(ranking)}"


def _rank_ticks(many: int) -> list[int]:
    """Return whole ranks, both ends among them, few enough to be read."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 10**9) if many / step <= 12)
    inner = range(step, many, step) if step > 1 else range(2, many)
    return [1, *(tick for tick in inner if tick - 1 >= step / 2 and many - tick >= step / 2), many]


def _paper_box() -> dict[str, Any]:
    return {"facecolor": PAPER, "edgecolor": PAPER, "linewidth": 0, "pad": 1.5}


# --- In words -------------------------------------------------------------------------------------


def _describe_picture(ranking: Ranking, layout: _Layout) -> str:
    names = layout.names
    listing = join_listing((f"{name} {rank:.2f}" for name, rank in zip(names, layout.ranks, strict=True)), 40)
    first = f"{len(names)} learners by their mean rank, 1 is best: {listing}."
    size = f" The critical difference is {layout.critical:.3g}." if layout.has_critical else ""
    if layout.control:
        text = join_listing(name for name in names if name in layout.significant) or "none"
        return f"{first} Significantly different from {layout.control} ({test_text(ranking)}): {text}.{size}"
    ties = join_listing(" = ".join(names[index] for index in group) for group in layout.groups) or "none"
    return f"{first} Ties ({test_text(ranking)}): {ties}.{size}"
