"""Areas of examples drawn again inside their classes: how far they scatter, and the limits and tests that follow."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InvalidOption
from ...evidence import ClassScores
from ...evidence.ranks import tie_groups
from ...results import Interval, TestResult
from ...typing_ import Alternative, BoolArray, FloatArray, IntArray, Side, as_generator, as_resamples
from ..limits import as_interval
from ..registry import ONE_TEST_SET, Standing, method
from .assumptions import ENOUGH_POSITIVES, MORE_THAN_TWO_SCORES, RANKS_DIFFER
from .common import Difference, logit_limits, of_models, spread_is_seen, z_interval, z_test
from .newcombe import newcombe_limits
from .precision import ap_limits

_WORK = 400_000_000  # numbers drawn: ten seconds or so
_FEWEST, _MOST = 200, 2_000
_HELD = 2_000_000  # numbers held at once
_NEAR = 30_000  # numbers that stay in the processor's cache with all that is made of them

Times = NDArray[np.int32]  # how often each example was drawn

_FACTS: dict[str, Any] = {
    "name": "stratified-bootstrap",
    "question": 3,
    "evidence": ClassScores,
    "covers": ONE_TEST_SET,
    "parameter": "difference",
    "metrics": ("auc", "average-precision"),
    "assumes": (ENOUGH_POSITIVES, RANKS_DIFFER, MORE_THAN_TWO_SCORES),
    "standing": Standing.SOUND,
    "because": "the one way to compare average precisions that asks nothing of the scores; with few positives they are"
    " biased, and so are those of examples drawn again",
    "holds": "50 positives or more",
    "where": {"positives": (50, inf)},
    "monotone": False,
    "reference": "efron1993",
}


@method(gives="test", statistic="z", **_FACTS)
def stratified_bootstrap(
    scores: ClassScores,
    *,
    against: float = 0.0,
    alternative: Alternative = "two-sided",
    resamples: int | None = None,
    rng: int | np.random.Generator = 0,
) -> TestResult:
    """Test the difference of two areas, or average precisions, by the spread that it has when examples are drawn again.

    z = (difference − against)/s. As many examples as there are of a class are drawn from it, the same for both models.

    Parameters
    ----------
    scores
        The scores of two models.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    resamples
        How many times the examples are drawn again; 2,000 if left out, fewer for many examples.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> drawn = np.random.default_rng(0).normal(size=(2, 60)) + np.repeat([0, 1], 30)
    >>> held = ClassScores.from_scores(np.repeat([0, 1], 30), *drawn, metric="average-precision")
    >>> stratified_bootstrap(held).pvalue.round(2)
    np.float64(0.03)
    """
    of_models(scores, "stratified-bootstrap", 2)
    return z_test(scores, _difference(scores, resamples, rng), against, alternative)


def _difference(scores: ClassScores, resamples: int | None, rng: Any) -> Difference:
    error = resampled_error(scores, resamples, rng)
    return Difference(scores.difference, error, (error == 0) | (not spread_is_seen(scores)))


@method(gives="interval", **_FACTS)
def stratified_bootstrap_interval(
    scores: ClassScores,
    *,
    alpha: float = 0.05,
    side: Side = "two",
    resamples: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Interval:
    """Give the limits of an area or average precision, or of a difference, by the spread of examples drawn again.

    Of one model the log odds ∓ z·s/(A(1 − A)), of two the difference ∓ z·s. Percentiles of what was drawn would cover
    less: drawing again moves an average precision up once more. Where nothing varies the limits of one model are those
    of `newcombe-auc` or `ap-logit`, and of two what a kind of example too rare to be met in the smaller class could
    make of the difference.

    Parameters
    ----------
    scores
        The scores of one model or of two.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".
    resamples
        How many times the examples are drawn again; 2,000 if left out, fewer for many examples.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> drawn = np.random.default_rng(0).normal(size=(2, 60)) + np.repeat([0, 1], 30)
    >>> held = ClassScores.from_scores(np.repeat([0, 1], 30), *drawn, metric="average-precision")
    >>> limits = stratified_bootstrap_interval(held)
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(-0.31), np.float64(-0.02))
    """
    if scores.parameter == "difference":
        return z_interval(_FACTS["name"], scores, _difference(scores, resamples, rng), alpha, side)
    value, error = scores.levels[..., 0], resampled_error(scores, resamples, rng)
    flat = (error == 0) | (value <= 0) | (value >= 1) | (not spread_is_seen(scores))
    plain = (newcombe_limits if scores.metric.name == "auc" else ap_limits)(scores, value, alpha, side)
    own = logit_limits(value, error, alpha, side)
    low, high = (np.where(flat, other, limit)[()] for other, limit in zip(plain, own, strict=True))
    return as_interval(_FACTS["name"], (low, high), alpha, side)


def resampled_error(scores: ClassScores, resamples: int | None, rng: Any) -> FloatArray:
    """Return the standard deviation of the area, or of the difference of two, over examples drawn inside their classes.

    It is widened by √(m/(m − 1)), m being what the rarest class has: drawing from what was drawn scatters less.

    Examples
    --------
    >>> held = ClassScores.from_scores([0] * 50 + [1] * 30, np.random.default_rng(1).normal(size=80))
    >>> abs(resampled_error(held, 2000, 0) / np.sqrt(held.areas.covariance[0, 0]) - 1) < 0.05  # DeLong's
    np.True_
    """
    drawn = min(max(_WORK // scores.examples, _FEWEST), _MOST) if resamples is None else as_resamples(resamples)
    if drawn < 2:
        raise InvalidOption("resamples must be 2 or more: one value shows no spread.")
    seed = int(as_generator(rng).integers(2**63))
    return scores.once(("resampled", drawn, seed), lambda: _scatter(scores, drawn, seed))  # of test and interval


def _scatter(scores: ClassScores, drawn: int, seed: int) -> FloatArray:
    classes = [_Ordered(*each, ranked=scores.metric.name == "auc") for each in scores.one_by_one()]
    observed = scores.levels.reshape(-1, len(scores.models))
    total, squares = np.zeros((2, len(observed)))
    for times in _times_drawn(scores.labels, scores.class_counts, drawn, seed):
        moved = np.mean([each.drawn(times) for each in classes], axis=0)
        apart = moved.reshape(len(times), *observed.shape) - observed
        change = apart[..., 0] if observed.shape[1] == 1 else apart[..., 1] - apart[..., 0]
        total += change.sum(axis=0)
        squares += (change**2).sum(axis=0)
    variance = np.maximum(squares - total**2 / drawn, 0.0) / (drawn - 1)
    many = int(scores.class_counts.min())
    variance = np.where(variance < 1e-28, 0.0, variance) * (many / max(many - 1, 1))
    return np.sqrt(variance).reshape(scores.shape)[()]


def _times_drawn(labels: IntArray, counts: IntArray, resamples: int, seed: int) -> Iterator[Times]:
    """Yield how often each example is drawn, by resample, in blocks; the same for every entry that is looked at."""
    rng = np.random.default_rng(seed)
    members = [np.flatnonzero(labels == place) for place in range(len(counts))]
    block = max(_HELD // labels.size, 1)
    for done in range(0, resamples, block):
        rows = min(block, resamples - done)
        times = np.zeros((rows, labels.size), dtype=np.int32)  # a small one is quick to put in another order
        for own in members:
            drawn = rng.integers(own.size, size=(rows, own.size))
            drawn += own.size * np.arange(rows)[:, None]
            times[:, own] = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
        yield times


class _Ordered:
    """The order in which models rank the examples of a class and the rest: sorted once, weighed many times."""

    def __init__(self, positive: BoolArray, scores: FloatArray, *, ranked: bool) -> None:
        rows = scores.reshape(-1, scores.shape[-1])
        self.order = rows.argsort(axis=-1)
        ours = positive[self.order]
        self.places = np.nonzero(ours)[1].reshape(len(rows), -1)  # of the positives, in order
        self.rule = self._area if ranked else self._precision
        starts = tie_groups(rows, self.order)
        # Where the group of equal scores starts, and where it ends, that each positive is in; and the positives before.
        self.bounds = (self.places, self.places + 1) if starts is None else self._bounds(starts, rows.shape)
        before = np.concatenate([np.zeros((len(rows), 1), dtype=np.int64), ours.cumsum(axis=-1)], axis=-1)
        self.before = [np.take_along_axis(before, at, axis=-1) for at in self.bounds]

    def _bounds(self, starts: IntArray, shape: tuple[int, ...]) -> tuple[IntArray, IntArray]:
        ends = np.append(starts[1:], shape[0] * shape[1])
        base = starts // shape[1] * shape[1]
        low, high = (np.repeat(at - base, ends - starts).reshape(shape) for at in (starts, ends))
        return np.take_along_axis(low, self.places, axis=-1), np.take_along_axis(high, self.places, axis=-1)

    def drawn(self, times: Times) -> FloatArray:
        """Return the area by draw and row; a few at a time, which stay in the processor's cache."""
        found = np.empty((len(times), len(self.order)))
        step = max(_NEAR // times.shape[1], 1)
        for row, order in enumerate(self.order):
            for at in range(0, len(times), step):
                weights = times[at : at + step].take(order, axis=1)
                found[at : at + step, row] = self.rule(weights, row)
        return found

    def _area(self, weights: Times, row: int) -> FloatArray:
        """Return the share of pairs that are ranked rightly: negatives below each positive, those that tie half."""
        ours = weights.take(self.places[row], axis=1)
        everyone, positives = _running(weights), _running(ours)
        low, high = (
            everyone.take(at[row], axis=1) - positives.take(before[row], axis=1)
            for at, before in zip(self.bounds, self.before, strict=True)
        )
        many = positives[:, -1].astype(float)
        share: FloatArray = (ours * (low + high)).sum(axis=1) / (2 * many * (everyone[:, -1] - many))
        return share

    def _precision(self, weights: Times, row: int) -> FloatArray:
        """Return the mean over the positives of the share of positives among those that score at least as much."""
        ours = weights.take(self.places[row], axis=1)
        everyone, positives = _running(weights), _running(ours)
        found = positives[:, -1:] - positives.take(self.before[0][row], axis=1)
        taken = everyone[:, -1:] - everyone.take(self.bounds[0][row], axis=1)
        steps = ours * found / np.maximum(taken, 1)  # nothing drawn from here on: nothing found
        share: FloatArray = steps.sum(axis=1) / positives[:, -1]
        return share


def _running(counts: Times) -> IntArray:
    """Return how many stand before each place, and after the last."""
    sums = np.zeros((len(counts), counts.shape[1] + 1), dtype=np.int64)
    np.cumsum(counts, axis=1, out=sums[:, 1:])
    return sums
