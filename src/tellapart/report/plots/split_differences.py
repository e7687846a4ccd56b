"""Results of learners by split, and the sensitivity of the selection to the size of the training set."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import Resamples, TrainingSets, is_one
from ...figures import scale_of
from ...methods.resamples.instability import Instability
from ...methods.resamples.instability import instability as measured_instability
from ...rendering import significant
from ...results.wording import difference_name
from ...typing_ import FloatArray
from ..picture import Numbers, Picture, drawn
from ..style import BAND, COLOURS, GRID, INK, MUTED, PAPER
from .drawable_types import undrawable
from .labels import PLAIN, join_listing, name_axis, number_ticks, show_name, space_out, typeset, write_at
from .rows import WIDTH, axis_factor

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...running import Race

    Held = Resamples | TrainingSets | Race

_MANY = 60  # values up to which points are large


# --- Results by split -----------------------------------------------------------------------------


def splits(evidence: Held, a: str | None = None, b: str | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw the result of each test set, with the mean of each replicate and of all.

    Test sets of one sample are correlated: the scatter of the points is not the standard error of the mean.

    Parameters
    ----------
    evidence
        Losses of learners: `race.resamples()`, `race.training_sets()`, or the race itself.
    a, b
        Names of two learners; the first two if left out. With `a` only, the loss of one.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> evidence = ta.Resamples.from_scores([0.9, 0.8, 0.9, 0.7], [0.8, 0.7, 0.9, 0.8], plan="2x2")
    >>> splits(evidence).get_xlabel()
    'replicate'
    """
    return drawn(splits_picture(evidence, a, b), ax)


def splits_picture(evidence: Held, a: str | None = None, b: str | None = None) -> Picture:
    """Return the picture that `splits` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> evidence = ta.Resamples.from_scores([0.9, 0.8], [0.8, 0.7], plan="2-fold")
    >>> [round(row[-1], 2) for row in splits_picture(evidence).numbers.rows]
    [-0.1, -0.1]
    """
    known = _select_pair(evidence, a, b)
    values = _collect_values(known)
    by, two = axis_factor(known.difference_kind), len(known.learners) == 2
    kind, across = _list_kinds(known)
    mean = float(np.nanmean(values))
    spread = float(np.nanmax(values) - np.nanmin(values)) or abs(mean) or 0.01
    scale = scale_of("plain" if by == 1 else "points" if two else "percent", spread / 4)
    text = scale.value(mean)

    def draw(axes: Axes) -> None:
        _draw_splits(axes, by * values, kind, by * mean)
        if not two and known.metric.bounds[0] == 0:
            axes.set_ylim(bottom=0.0)
        name_axis(axes, x=kind, y=_name_quantity(known))
        write_at(axes, (1, by * mean), f"mean\n{typeset(text)}", by=(6, 0), on=axes.get_yaxis_transform(), fontsize=8.5)
        if two:
            look: dict[str, Any] = {"on": "axes fraction", "fontsize": 8.5, "color": MUTED, "zorder": 5}
            write_at(axes, (0, 1), f"↑ {show_name(known.learners[1])} better", by=(4, -2), va="top", **look)
            write_at(axes, (0, 0), f"↓ {show_name(known.learners[0])} better", by=(4, 3), va="bottom", **look)

    flat = values[np.isfinite(values)]
    ends = scale.range(float(flat.min()), float(flat.max()))
    who = " − ".join(reversed(known.learners) if known.metric.higher_is_better else known.learners)
    sides = ""
    if two:
        better = (int((flat < 0).sum()), int((flat > 0).sum()))
        sides = f" {known.learners[0]} was better in {better[0]}, {known.learners[1]} in {better[1]}."
    places = np.ndindex(values.shape)
    rows = tuple(
        (
            *((row + 1, fold + 1) if kind == "replicate" else (row * values.shape[1] + fold + 1,)),
            float(values[row, fold]),
        )
        for row, fold in places
    )
    return Picture(
        title=f"Results by {across}",
        alt=(
            f"{_name_metric(known)}, {who}, on {flat.size}"
            f" {across}{'s' * (flat.size != 1)}: from {ends}, {text} on average.{sides}"
        ),
        numbers=Numbers(head=(*(("replicate", "fold") if kind == "replicate" else (kind,)), who), rows=rows),
        draw=draw,
        size=(WIDTH, 3.0),
    )


@singledispatch
def _select_pair(evidence: Any, a: str | None, b: str | None) -> Resamples | TrainingSets:
    """Return the evidence of the learners that are drawn."""
    from ...running import Race

    if not isinstance(evidence, Race):
        raise undrawable("evidence", evidence, "a Race, Resamples or TrainingSets")
    names = _name_learners(evidence.learners, a, b)
    disjoint = evidence.plan.kind == "delve" or (len(evidence.layout.places()) == 1 and evidence.seeds > 1)
    return evidence.training_sets(*names) if disjoint else evidence.resamples(*names)


@_select_pair.register
def _pair_of_runs(evidence: Resamples | TrainingSets, a: str | None, b: str | None) -> Resamples | TrainingSets:
    if evidence.shape:
        raise InvalidOption("`evidence` must be one experiment, got several. Index them.")
    return evidence.select(*_name_learners(evidence.learners, a, b))


def _name_learners(learners: tuple[str, ...], a: str | None, b: str | None) -> tuple[str, ...]:
    if a is None and b is None:
        return learners[:2]
    return tuple(name for name in (a, b) if name is not None)


@singledispatch
def _collect_values(evidence: Any) -> FloatArray:
    """Return the metric or differences by replicate and fold; by training set, the mean over the examples."""
    return _metric_or_differences(evidence)


@_collect_values.register
def _values_by_training_set(sets: TrainingSets) -> FloatArray:
    values: FloatArray = _metric_or_differences(sets).mean(axis=-1, keepdims=True)
    return values


def _metric_or_differences(evidence: Any) -> FloatArray:
    values: FloatArray = evidence.metric.from_loss(evidence.values) if len(evidence.models) == 1 else evidence.values
    return values


@singledispatch
def _list_kinds(evidence: Any) -> tuple[str, str]:
    """Return the unit of the axis and the unit of a point."""
    return evidence.unit.name, evidence.unit.name


@_list_kinds.register
def _kinds_of_training_sets(sets: TrainingSets) -> tuple[str, str]:
    return sets.varies, sets.varies


@_list_kinds.register
def _kinds_of_resamples(evidence: Resamples) -> tuple[str, str]:
    replicates, folds = evidence.values.shape
    if evidence.plan.kind in {"seeds", "independent"}:
        return {"seeds": ("seed", "seed"), "independent": ("sample", "sample")}[evidence.plan.kind]
    if replicates > 1 and folds > 1:
        return "replicate", "split"
    return ("fold", "fold") if evidence.plan.kind in {"k-fold", "nested"} else ("split", "split")


def _name_quantity(evidence: Resamples | TrainingSets) -> str:
    if len(evidence.learners) == 1:
        return "error rate in %" if evidence.metric.is_rate else evidence.metric.title
    return f"{difference_name(evidence, 'A', 'B')}{', in pp' * evidence.metric.is_rate}"


def _name_metric(evidence: Resamples | TrainingSets) -> str:
    """Return the quantity of the points for the description."""
    two = len(evidence.learners) == 2
    if evidence.metric.is_rate:
        return f"{'Difference of losses' if two else 'Loss'} (error)"
    return f"{'Difference of ' * two}{evidence.metric.title}"


def _draw_splits(axes: Axes, values: FloatArray, kind: str, mean: float) -> None:
    """Draw points, the means of replicates, the overall mean, and zero."""
    replicates, folds = values.shape
    by_replicate = kind == "replicate"
    places = np.repeat(np.arange(1, replicates + 1.0), folds) if by_replicate else np.arange(1, values.size + 1.0)
    if by_replicate and folds > 1:  # beside each other, in the order of the folds
        places += np.tile(np.linspace(-0.28, 0.28, folds), replicates)
    last = replicates if by_replicate else values.size
    flat = values.ravel()
    low, high = min(float(np.nanmin(flat)), 0.0), max(float(np.nanmax(flat)), 0.0)
    room = 0.16 * (high - low) or 1.0
    axes.set(xlim=(0.4, last + 0.6), ylim=(low - room, high + room))
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, axis="y", color=GRID, linewidth=0.6)
    axes.axhline(0.0, color=INK, linewidth=1.0, zorder=1.5)
    axes.axhline(mean, color=COLOURS[1], linewidth=1.4, linestyle=(0, (5, 1.5)), zorder=2)
    small = values.size > _MANY
    axes.plot(
        places, flat, "o", color=COLOURS[0], markersize=3.2 if small else 5, alpha=0.65, markeredgewidth=0, zorder=3
    )
    if by_replicate:
        for index, result in enumerate(values.mean(axis=-1), start=1):
            axes.plot([index - 0.36, index + 0.36], [result, result], color=INK, linewidth=2.2, zorder=4)
    number_ticks(axes, "y", axes.get_ylim())
    axes.set_xticks(_whole_ticks(last))


def _whole_ticks(last: int) -> list[int]:
    """Return about ten whole numbers from 1 to the last."""
    step = next(step for power in range(12) for step in (10**power, 2 * 10**power, 5 * 10**power) if last / step <= 12)
    return [1, *(tick for tick in range(step, last + 1, step) if tick > step / 2 and tick != 1)]


# --- The size of the training set -----------------------------------------------------------------


def instability(evidence: Resamples | Instability, *, ax: Axes | None = None) -> Axes:
    """Draw how often random splits select A by the size of the training set, with won, tied and lost splits.

    The line is Yang's λ: the share of splits that select A, with ties to A. If it is flat, the selection does not
    depend on the size of the training set.

    Parameters
    ----------
    evidence
        Result of `instability`, or the losses of two learners by random splits of several ratios.
    ax
        Axes to draw on; those of a figure of its own if left out.

    Examples
    --------
    >>> import tellapart as ta
    >>> evidence = ta.Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.9, 0.9], plan="4x(1/2)", examples=100)
    >>> ta.plots.instability(evidence).get_xlabel()
    'trained on'
    """
    return drawn(instability_picture(evidence), ax)


def instability_picture(evidence: Resamples | Instability) -> Picture:
    """Return the picture that `instability` draws.

    Examples
    --------
    >>> import tellapart as ta
    >>> evidence = ta.Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.9, 0.9], plan="4x(1/2)", examples=100)
    >>> instability_picture(evidence).numbers.rows
    ((50.0, 1, 2, 1, 0.75),)
    """
    known = measured_instability(evidence) if is_one(evidence, Resamples) else evidence
    if not isinstance(known, Instability) or known.shape:
        raise undrawable("evidence", evidence, "the result of instability(...) for two learners, or their Resamples")
    a, b = known.learners
    sizes = [float(size) for size in known.train]
    counts = [known.wins.tolist(), known.ties.tolist(), known.losses.tolist()]
    labels = [significant(size) for size in sizes]
    share = known.share
    text = join_listing(
        f"trained on {size}: {100 * part:.1f}% ({wins} won, {ties} tied, {lost} lost)"
        for size, part, wins, ties, lost in zip(labels, share, *counts, strict=True)
    )
    flat = "" if len(sizes) == 1 else f" This is {'' if known.flat else 'not '}flat."
    return Picture(
        title="Selection by training size",
        alt=f"Share of random splits that select {a} over {b}, with ties to {a}: {text}.{flat}",
        numbers=Numbers(
            head=("trained on", f"{a} won", "tied", f"{b} won", "λ"),
            rows=tuple(zip(sizes, *counts, share.tolist(), strict=True)),
        ),
        draw=lambda axes: _draw_instability(axes, known, labels),
        size=(WIDTH, 3.1),
    )


def _draw_instability(axes: Axes, known: Instability, labels: list[str]) -> None:
    a, b = (show_name(name, 24) for name in known.learners)
    counts = np.array([known.wins, known.ties, known.losses], dtype=float)
    shares = 100 * counts / counts.sum(axis=0)
    index, under = np.arange(len(labels)), np.cumsum(shares, axis=0) - shares
    aside = 0.17 if len(labels) <= 5 else 0.0  # of the line
    looks = ((COLOURS[1], ""), (BAND, ""), (COLOURS[0], "////"))
    for count, height, bottom, (colour, hatch) in zip(counts, shares, under, looks, strict=True):
        axes.bar(index, height, 0.6, bottom=bottom, color=colour, edgecolor=PAPER, linewidth=0.8, hatch=hatch)
        for x in np.flatnonzero(height > (8 if aside else 16)):
            paper = {"facecolor": PAPER, "edgecolor": PAPER, "linewidth": 0, "pad": 1.5}
            write_at(
                axes, (x - aside, bottom[x] + height[x] / 2), f"{count[x]:.0f}", ha="center", fontsize=8.5, bbox=paper
            )
    share = 100 * known.share
    look: dict[str, Any] = {"marker": "D", "markersize": 6, "markerfacecolor": PAPER, "markeredgewidth": 1.6}
    axes.plot(index, share, color=INK, linewidth=1.6, zorder=4, clip_on=False, **look)
    axes.axhline(50, color=INK, linewidth=1.0, linestyle=(0, (1, 2)), zorder=3)
    middle, half = (len(labels) - 1) / 2, max(len(labels), 3) / 2
    axes.set(xlim=(middle - half, middle + half), ylim=(0, 100), xticks=index, xticklabels=labels)
    axes.spines[["top", "right"]].set_visible(False)
    name_axis(axes, x="trained on", y="share of the splits, in %")
    ends = {f"{a} won": 0, "tied": 1, f"{b} won": 2}
    target = {word: under[row, -1] + shares[row, -1] / 2 for word, row in ends.items() if counts[row].any()}
    target["λ: first selected"] = share[-1]
    from_x = (index[-1] + 0.3 - middle + half) / (2 * half)
    for (word, end), at in zip(target.items(), space_out(np.array([*target.values()]) / 100, 0.09), strict=True):
        line = {"arrowstyle": "-", "color": MUTED, "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0, "relpos": (0, 0.5)}
        axes.annotate(
            word, (from_x, end / 100), (1.05, at), xycoords="axes fraction", textcoords="axes fraction", va="center",
            fontsize=8.5, annotation_clip=False, fontweight="bold" if word.startswith("λ:") else "normal",
            arrowprops=line, **PLAIN,
        )  # fmt: skip
