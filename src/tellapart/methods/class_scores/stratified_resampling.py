"""Stratified bootstrap of AUC and average precision: standard errors, and the intervals and tests from them."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidOption
from ...evidence import ClassScores
from ...evidence.ranks import tie_groups
from ...numerics.blocks import block_sizes, blocks
from ...typing_ import BoolArray, FloatArray, IntArray
from ..pivots import Pivot
from ..registry import Standing, procedure
from ..simulation import draw_seed, resamples_for, times_drawn_once
from .areas import fit_normal
from .assumptions import ENOUGH_POSITIVES, MORE_THAN_TWO_SCORES, RANKS_DIFFER
from .delong import AreaByLogOdds

_WORK = 400_000_000  # numbers drawn: ten seconds or so
_IN_MEMORY = 2_000_000  # numbers in memory at once
_NEAR = 30_000  # numbers that fit in the processor's cache

Times = NDArray[np.int32]  # how often each example was drawn


@procedure(
    name="stratified-bootstrap",
    title="stratified bootstrap",
    evidence=ClassScores,
    parameter="difference",
    metrics=("auc", "average-precision"),
    assumes=(ENOUGH_POSITIVES, RANKS_DIFFER, MORE_THAN_TWO_SCORES),
    standing=Standing.SOUND,
    rationale=(
        "the only comparison of average precisions without assumptions on the scores; with few positives average "
        "precision is biased, and so are its resamples"
    ),
    validity="50 positives or more",
    where={"positives": (50, inf)},
    monotone=False,
    statistic="z",
    reference="efron1993",
)
def stratified_bootstrap(
    scores: ClassScores, *, resamples: int | None = None, rng: int | np.random.Generator = 0
) -> Pivot:
    """Interval and test for AUC or average precision, with the standard error of a stratified bootstrap.

    Examples are resampled within each class, to its observed size; both models use the same resamples.

    If nothing varies, the limits of one model are those of `newcombe-auc` or `ap-logit`, and those of two models allow
    for a kind of example of the smaller class too rare to be observed.

    Parameters
    ----------
    scores
        The scores of one model (interval only) or of two.
    resamples
        Number of resamples. Default: 2,000, fewer for many examples.
    rng
        Seed or NumPy generator.

    Notes
    -----
    The limits of one model are its log odds ∓ z·s/(A(1 − A)), of two the difference ∓ z·s; the test has
    z = (difference − null)/s. Percentiles would cover less, because resampling adds to the bias of average precision.

    Examples
    --------
    >>> drawn = np.random.default_rng(0).normal(size=(2, 60)) + np.repeat([0, 1], 30)
    >>> pivot = stratified_bootstrap(ClassScores.from_scores(np.repeat([0, 1], 30), *drawn, metric="average-precision"))
    >>> limits = pivot.interval(0.05, "two")
    >>> pivot.test(0.0, "two-sided").pvalue.round(2), limits.low.round(2), limits.high.round(2)
    (np.float64(0.03), np.float64(-0.31), np.float64(-0.02))
    """
    error = resampled_error(scores, resamples, rng)
    if scores.parameter == "difference":
        return fit_normal(scores, scores.difference, error)
    return AreaByLogOdds(scores, error)


def resampled_error(scores: ClassScores, resamples: int | None, rng: Any) -> FloatArray:
    """Return the standard deviation of the area, or of the difference of two, over resamples within classes.

    It is multiplied by √(m/(m − 1)), with m the size of the rarest class, to correct the bias of the bootstrap.

    Examples
    --------
    >>> scores = ClassScores.from_scores([0] * 50 + [1] * 30, np.random.default_rng(1).normal(size=80))
    >>> abs(resampled_error(scores, 2000, 0) / np.sqrt(scores.areas.covariance[0, 0]) - 1) < 0.05  # DeLong's
    np.True_
    """
    drawn = resamples_for(resamples, scores.examples, work=_WORK, fewest=200, most=2_000)
    if drawn < 2:
        raise InvalidOption(f"`resamples` must be 2 or more, got {drawn}. Use 2000.")
    seed = draw_seed(rng)
    return scores.once(
        ("resampled", drawn, seed), lambda: _resampled_deviation(scores, drawn, seed)
    )  # shared by test and interval


def _resampled_deviation(scores: ClassScores, drawn: int, seed: int) -> FloatArray:
    classes = [_Ordered(*ordered, ranked=scores.metric.name == "auc") for ordered in scores.one_by_one()]
    observed = scores.levels.reshape(-1, len(scores.models))
    total, squares = np.zeros((2, len(observed)))
    for times in _times_drawn(scores.labels, scores.class_counts, drawn, seed):
        moved = np.mean([ordered.drawn(times) for ordered in classes], axis=0)
        changes = moved.reshape(len(times), *observed.shape) - observed
        change = changes[..., 0] if observed.shape[1] == 1 else changes[..., 1] - changes[..., 0]
        total += change.sum(axis=0)
        squares += (change**2).sum(axis=0)
    variance = np.maximum(squares - total**2 / drawn, 0.0) / (drawn - 1)
    many = int(scores.class_counts.min())
    variance = np.where(variance < 1e-28, 0.0, variance) * (many / max(many - 1, 1))
    return np.sqrt(variance).reshape(scores.shape)[()]


def _times_drawn(labels: IntArray, counts: IntArray, resamples: int, seed: int) -> Iterator[Times]:
    """Yield how often each example is drawn, by resample, in blocks; the same for every entry."""
    rng = np.random.default_rng(seed)
    members = [np.flatnonzero(labels == index) for index in range(len(counts))]
    for rows in block_sizes(resamples, _IN_MEMORY // labels.size):
        times = np.zeros((rows, labels.size), dtype=np.int32)  # small integers are faster to reorder
        for indices in members:
            times[:, indices] = times_drawn_once(indices.size, rows, rng)
        yield times


class _Ordered:
    """The order in which models rank the examples of a class and the rest: sorted once, weighted many times."""

    def __init__(self, positive: BoolArray, scores: FloatArray, *, ranked: bool) -> None:
        rows = scores.reshape(-1, scores.shape[-1])
        self.order = rows.argsort(axis=-1)
        ours = positive[self.order]
        self.places = np.nonzero(ours)[1].reshape(len(rows), -1)  # of the positives, in order
        self.rule = self._area_of_draws if ranked else self._precision_of_draws
        starts = tie_groups(rows, self.order)
        # Start and end of the tie group of each positive, and the number of positives before them.
        self.bounds = (self.places, self.places + 1) if starts is None else self._tie_bounds(starts, rows.shape)
        before = np.concatenate([np.zeros((len(rows), 1), dtype=np.int64), ours.cumsum(axis=-1)], axis=-1)
        self.before = [np.take_along_axis(before, at, axis=-1) for at in self.bounds]

    def _tie_bounds(self, starts: IntArray, shape: tuple[int, ...]) -> tuple[IntArray, IntArray]:
        ends = np.append(starts[1:], shape[0] * shape[1])
        base = starts // shape[1] * shape[1]
        low, high = (np.repeat(at - base, ends - starts).reshape(shape) for at in (starts, ends))
        return np.take_along_axis(low, self.places, axis=-1), np.take_along_axis(high, self.places, axis=-1)

    def drawn(self, times: Times) -> FloatArray:
        """Return the area by draw and row, in blocks that fit in the processor's cache."""
        areas = np.empty((len(times), len(self.order)))
        for row, order in enumerate(self.order):
            for block in blocks(len(times), _NEAR // times.shape[1]):
                weights = times[block].take(order, axis=1)
                ours = weights.take(self.places[row], axis=1)
                areas[block, row] = self.rule(row, ours, _running_sums(weights), _running_sums(ours))
        return areas

    def _area_of_draws(self, row: int, ours: Times, everyone: IntArray, positives: IntArray) -> FloatArray:
        """Return the share of correctly ranked pairs: negatives below each positive, ties counting half."""
        low, high = (
            everyone.take(at[row], axis=1) - positives.take(before[row], axis=1)
            for at, before in zip(self.bounds, self.before, strict=True)
        )
        many = positives[:, -1].astype(float)
        share: FloatArray = (ours * (low + high)).sum(axis=1) / (2 * many * (everyone[:, -1] - many))
        return share

    def _precision_of_draws(self, row: int, ours: Times, everyone: IntArray, positives: IntArray) -> FloatArray:
        """Return the mean over the positives of the share of positives among examples of at least that score."""
        hits = positives[:, -1:] - positives.take(self.before[0][row], axis=1)
        predicted = everyone[:, -1:] - everyone.take(self.bounds[0][row], axis=1)
        steps = ours * hits / np.maximum(predicted, 1)  # 0 if nothing is drawn from here on
        share: FloatArray = steps.sum(axis=1) / positives[:, -1]
        return share


def _running_sums(counts: Times) -> IntArray:
    """Return the number of draws before each index, and after the last."""
    sums = np.zeros((len(counts), counts.shape[1] + 1), dtype=np.int64)
    np.cumsum(counts, axis=1, out=sums[:, 1:])
    return sums
