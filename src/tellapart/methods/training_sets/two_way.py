"""Learners over training sets and test examples drawn anew at once."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import TrainingSets
from ...numerics.distributions import pvalue_of_tails, ratio, tail
from ...numerics.orientation import mirrored_limits, orientation
from ...numerics.rounding import ROUNDING, unit, without_rounding
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, IntArray, Side, as_generator, as_resamples
from ..loss_scale import scale
from ..registry import EVERY_SOURCE, Standing, method
from ..simulation import of_tails
from .assumptions import ENOUGH_SEEDS_DRAWN, SETS_AND_EXAMPLES_VARY
from .common import limits_in_range, spread_of_draws

_BOTH = (-2, -1)  # training set and example
_HELD = 4_000_000  # numbers of resampled losses held at once

_BOOTSTRAP: dict[str, Any] = {
    "name": "two-way-bootstrap",
    "covers": EVERY_SOURCE,
    "question": 7,
    "evidence": TrainingSets,
    "assumes": (ENOUGH_SEEDS_DRAWN, SETS_AND_EXAMPLES_VARY),
    "standing": Standing.SOUND,
    "because": "it draws seeds and test examples anew at once, whatever their distribution; of few seeds too narrow",
    "holds": "10 or more seeds of each learner",
    "where": {"sets": (10, inf)},
    "reference": "owen2007",
}


@method(gives="interval", parameter="difference", **_BOOTSTRAP)
def two_way_bootstrap_interval(
    sets: TrainingSets, *, alpha: float = 0.05, side: Side = "two", resamples: int = 10_000, rng: Any = 0
) -> Interval:
    """Give the percentiles of the mean after drawing seeds and test examples anew.

    Seeds of A and B are drawn apart, as they have nothing to do with each other; training sets, which both
    learners share, are drawn together, and so are the examples.

    Parameters
    ----------
    sets
        The losses of one learner or two, by seed (or training set) and test example.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".
    resamples
        How many times they are drawn anew.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> loss = np.random.default_rng(1).random((2, 10, 50)) < [[[0.3]], [[0.1]]]
    >>> limits = two_way_bootstrap_interval(TrainingSets(loss, varies="seed"))
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(0.15), np.float64(0.31))
    """
    spent = tail(alpha, side)
    if as_resamples(resamples) * spent < 1:
        raise InvalidOption(
            f"resamples must be {1 / spent:.3g} or more for this alpha, but is {resamples}: no drawn value is so rare."
        )
    drawn, turn = _drawn(sets, resamples, rng)
    low, high = np.quantile(drawn, [spent, 1 - spent], axis=-1)
    if len(sets.learners) == 2:
        low, high = mirrored_limits(low, high, turn)
    return limits_in_range("two-way-bootstrap", sets, low, high, spread_of_draws(sets) == 0, alpha, side)


@method(gives="test", statistic="z", **_BOOTSTRAP)
def two_way_bootstrap(
    sets: TrainingSets,
    *,
    against: float = 0.0,
    alternative: Alternative = "two-sided",
    resamples: int = 10_000,
    rng: Any = 0,
) -> TestResult:
    """Test whether two learners err equally often, by the share of draws on the other side of 0.

    The p-value is the alpha at which the percentile interval reaches 0; the statistic is the difference over the
    standard deviation of the draws.

    Parameters
    ----------
    sets
        The losses of two learners, by seed (or training set) and test example.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    resamples
        How many times they are drawn anew.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> loss = np.random.default_rng(1).random((2, 10, 50)) < [[[0.3]], [[0.28]]]
    >>> two_way_bootstrap(TrainingSets(loss, varies="seed")).pvalue.round(1)
    np.float64(0.2)
    """
    drawn, turn = _drawn(sets, as_resamples(resamples), rng, against)
    drawn -= (np.where(turn < 0, -1, 1) * against)[..., None]
    flat = spread_of_draws(sets) == 0
    size = scale(sets)
    slack = ROUNDING * size[..., None]
    behind, ahead = ((side.sum(axis=-1) + 1) / (resamples + 1) for side in (drawn <= slack, drawn >= -slack))
    even = (behind + ahead) / 2  # of learners with the same losses
    below, above = (
        np.where(turn == 0, even, np.where(turn < 0, other, own)) for own, other in ((behind, ahead), (ahead, behind))
    )
    pvalue = pvalue_of_tails(above, below, alternative)
    mean = without_rounding(sets.values.mean(axis=_BOTH) - against, size)
    endless = np.where(mean == 0, 0.0, np.copysign(np.inf, mean))
    one = unit(size)
    deviation = without_rounding((drawn / one[..., None]).std(axis=-1) * one, size)
    flat = flat | (deviation == 0)  # a single draw
    z = np.where(flat, endless, ratio(mean, deviation, empty=0.0))
    return TestResult(
        statistic=z[()],
        pvalue=np.where(flat, 1.0, pvalue)[()],
        simulated=of_tails(pvalue, resamples, alternative),
    )


def _drawn(sets: TrainingSets, resamples: int, rng: Any, against: float = 0.0) -> tuple[FloatArray, IntArray]:
    """Return the means of so many draws, along the last dimension, and −1 where they are those of B and A exchanged.

    Every entry meets the same draws, and so does whichever learner leads.
    """
    turn, loss = _oriented(sets, against)
    sources = as_generator(rng).spawn(3)  # one each, so that the size of a block changes no draw
    entries = max(int(np.prod(sets.shape)), 1)
    together = sets.varies == "training set" or len(sets.learners) == 1
    first = loss[..., 0, :, :]
    second = -loss[..., 1, :, :] if len(sets.learners) == 2 else np.zeros(())
    losses = [first + second] if together else [first, second]
    step = max(_HELD // (entries * sets.examples), 1)
    means = np.empty((*sets.shape, resamples))
    for start in range(0, resamples, step):
        here = slice(start, min(start + step, resamples))
        count = here.stop - start
        by_example = sum(
            _weights(source, count, sets.sets) @ loss for source, loss in zip(sources, losses, strict=False)
        )
        weights = _weights(sources[2], count, sets.examples)
        means[..., here] = np.einsum("...rj,rj->...r", by_example, weights)
    return means, turn


def _oriented(sets: TrainingSets, against: float) -> tuple[IntArray, FloatArray]:
    """Return the losses by learner, the leader first, and −1 where that exchanges A and B; one learner stays."""
    if len(sets.learners) == 1:
        return np.ones(sets.shape, dtype=np.int64), sets.loss
    loss = np.ascontiguousarray(sets.loss)
    apart = loss[..., 1, :, :] - loss[..., 0, :, :]
    turn = orientation(apart.mean(axis=_BOTH), apart, np.full(sets.shape, against))
    return turn, np.where(np.asarray(turn < 0)[..., None, None, None], loss[..., ::-1, :, :], loss)


def _weights(rng: np.random.Generator, count: int, size: int) -> FloatArray:
    """Return, row by row, the share that each of `size` things has among as many drawn with replacement."""
    drawn = rng.integers(size, size=(count, size)) + size * np.arange(count)[:, None]
    return np.bincount(drawn.ravel(), minlength=count * size).reshape(count, size) / size
