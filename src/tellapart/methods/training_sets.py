"""Learners on much data: disjoint training sets and one test set, both a sample of what could have been.

Every classifier meets every test example, so training sets and examples are crossed, and both vary at
random: an analysis of variance without replication, y = mean + training set + example + rest, of the losses
of one learner or of the differences of two. A t test over training sets leaves out that they share one test set,
and is wrong here: where the examples carry the variance its 95 % interval covers 0.66 to 0.86.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import Outcomes, Resamples, TrainingSets
from ..numerics.distributions import pvalue_of_tails, ratio, tail
from ..numerics.orientation import mirrored_limits, orientation
from ..numerics.rounding import ROUNDING, unit, without_rounding
from ..numerics.student_t import student_critical
from ..rendering import Rendered, percent, significant
from ..results import Interval, TestResult
from ..typing_ import Alternative, FloatArray, IntArray, Side, as_generator, as_resamples, one_of
from .assumptions import (
    ENOUGH_CROSSED_SETS,
    ENOUGH_SEEDS_DRAWN,
    SETS_AND_EXAMPLES_VARY,
    SETS_OR_EXAMPLES_VARY,
    TRAINING_SETS_VARY,
)
from .limits import as_interval
from .loss_scale import scale
from .registry import EVERY_SOURCE, Standing, method
from .simulation import of_tails

_BOTH = (-2, -1)  # training set and example
_SQUARED = 1e150  # larger losses have no square
_HELD = 4_000_000  # numbers of resampled losses held at once

_CROSSED: dict[str, Any] = {
    "name": "crossed-interval",
    "covers": EVERY_SOURCE,
    "question": 5,
    "evidence": TrainingSets,
    "assumes": (ENOUGH_CROSSED_SETS, TRAINING_SETS_VARY, SETS_OR_EXAMPLES_VARY),
    "standing": Standing.RECOMMENDED,
    "because": "it allows for other training sets and for other test examples at once: with normal effects it covers"
    " 0.94 to 0.98 from 5 training sets on",
    "holds": "5 or more training sets",
    "where": {"sets": (5, inf)},
    "reference": "satterthwaite1946",
}


@method(gives="estimate", **_CROSSED)
def crossed_estimate(sets: TrainingSets) -> FloatArray:
    """Give the mean loss over all training sets and test examples; of two learners, loss(A) − loss(B).

    Examples
    --------
    >>> crossed_estimate(TrainingSets([[[1, 0, 0, 1], [1, 0, 0, 0]]], learners=("a",)))
    np.float64(0.375)
    """
    mean: FloatArray = sets.values.mean(axis=_BOTH)[()]
    return mean


@method(gives="interval", **_CROSSED)
def crossed_interval(sets: TrainingSets, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the mean ± t·√((MS_T + MS_X − MS_R)/IJ), with Satterthwaite's degrees of freedom.

    MS_T, MS_X and MS_R are the mean squares of I training sets, of J test examples and of the rest. The variance
    is not let below that of training sets or of examples alone, nor the degrees of freedom below I − 1.

    Parameters
    ----------
    sets
        The losses of one learner or two.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".

    Examples
    --------
    >>> loss = [[[1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0], [1, 0, 1, 1, 0, 0]]]
    >>> limits = crossed_interval(TrainingSets(loss, learners=("a",)))
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(0.0), np.float64(0.802))
    """
    square = mean_squares("crossed-interval", sets)
    variance = square.sets + square.examples - square.rest
    parts = square.sets**2 / square.freedom + square.examples**2 / (sets.examples - 1)
    parts = parts + square.rest**2 / (square.freedom * (sets.examples - 1))
    freedom = np.maximum(ratio(variance**2, parts, empty=square.freedom), square.freedom)
    floored = np.maximum(variance, np.maximum(square.sets, square.examples))
    error = np.sqrt(floored / (sets.sets * sets.examples)) * square.unit
    mean, reach = square.mean * square.unit, student_critical(freedom, tail(alpha, side)) * error
    return _limits("crossed-interval", sets, mean - reach, mean + reach, error == 0, alpha, side)


@method(
    name="quasi-f",
    covers=EVERY_SOURCE,
    gives="test",
    question=7,
    evidence=TrainingSets,
    assumes=(ENOUGH_CROSSED_SETS, TRAINING_SETS_VARY, SETS_OR_EXAMPLES_VARY),
    partner="crossed-interval",
    standing=Standing.RECOMMENDED,
    because="it allows for other training sets and for other test examples at once: with normal effects its size is"
    " 0.02 to 0.06 from 5 training sets on",
    holds="5 or more training sets",
    where={"sets": (5, inf)},
    statistic="F",
    reference="clark1973",
)
def quasi_f(sets: TrainingSets, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether two learners err equally often, over training sets and test examples at once.

    F″ = (MS_A + MS_ATX)/(MS_AT + MS_AX), with learner A, training set T and example X, and Satterthwaite's
    degrees of freedom above and below. Against one side the p-value is half of that, or the other half.

    Parameters
    ----------
    sets
        The losses of two learners.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> a = [[1, 0, 1, 1, 0, 1], [1, 0, 1, 0, 0, 1], [1, 0, 1, 1, 0, 1]]
    >>> b = [[0, 0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0]]
    >>> quasi_f(TrainingSets([a, b])).pvalue.round(3)
    np.float64(0.038)
    """
    from scipy.special import fdtrc

    if len(sets.learners) != 2:
        raise InvalidEvidence(
            f"method 'quasi-f' compares two learners, but these are {', '.join(sets.learners)}. Take two out by select."
        )
    one_of("alternative", alternative, Alternative)
    square = mean_squares("quasi-f", sets)
    others = sets.examples - 1
    mean = without_rounding(square.mean - against / square.unit, scale(sets) / square.unit)
    learner = sets.sets * sets.examples * mean**2  # this and the others are twice the three-way table's
    above, below = learner + square.rest, square.sets + square.examples
    statistic = ratio(above, below, empty=0.0)
    freedom = ratio(above**2, learner**2 + square.rest**2 / (square.freedom * others), empty=1.0)
    rest = ratio(below**2, square.sets**2 / square.freedom + square.examples**2 / others, empty=1.0)
    flat = (below == 0) | (mean == 0)  # no spread to judge by, or no difference to judge
    both = np.where(flat, 1.0, fdtrc(freedom, rest, np.where(flat, 1.0, statistic)))
    if alternative != "two-sided":
        towards = mean if alternative == "greater" else -mean
        one = np.where(towards == 0, 0.5, np.where(towards > 0, both / 2, 1 - both / 2))
        both = np.where(below == 0, 1.0, one)
    return TestResult(statistic=np.where(mean == 0, 0.0, statistic)[()], pvalue=both[()])


class MeanSquares(NamedTuple):
    """The mean and the mean squares, all in one unit, in which squares neither overflow nor vanish."""

    mean: FloatArray
    sets: FloatArray
    examples: FloatArray
    rest: FloatArray
    freedom: int  # of the training sets
    unit: FloatArray


def mean_squares(name: str, sets: TrainingSets) -> MeanSquares:
    """Return the mean and the mean squares of training sets, examples and the rest; rounding counts as 0.

    Examples
    --------
    >>> square = mean_squares("quasi-f", TrainingSets([[[1, 0, 0, 1], [1, 0, 0, 0]]], learners=("a",)))
    >>> square.mean, square.examples
    (np.float64(0.375), np.float64(0.4583333333333333))
    """
    if min(sets.sets, sets.examples) < 2:
        raise InvalidEvidence(
            f"method {name!r} needs two or more training sets and test examples, but there are {sets.sets} and"
            f" {sets.examples}. Race by a plan such as 'delve 8x200'."
        )
    size = scale(sets)
    one = unit(size)
    values = sets.values / one[..., None, None]
    mean = values.mean(axis=_BOTH, keepdims=True)
    by_set = values.mean(axis=-1, keepdims=True) - mean
    by_example = values.mean(axis=-2, keepdims=True) - mean
    rest = values - mean - by_set - by_example
    most = size / one
    freedom, others = sets.sets - 1, sets.examples - 1
    squares = (
        sets.examples * (by_set**2).sum(axis=_BOTH) / freedom,
        sets.sets * (by_example**2).sum(axis=_BOTH) / others,
        (rest**2).sum(axis=_BOTH) / (freedom * others),
    )
    nothing = (ROUNDING * most) ** 2 * max(sets.sets, sets.examples)
    by_set, by_example, rest = (np.where(square <= nothing, 0.0, square)[()] for square in squares)
    return MeanSquares(without_rounding(mean[..., 0, 0], most), by_set, by_example, rest, freedom, one)


def _limits(
    name: str, sets: TrainingSets, low: FloatArray, high: FloatArray, flat: Any, alpha: float, side: Side
) -> Interval:
    """Return limits inside the parameter's range, and the whole range where there is no spread."""
    least, most = sets.range
    ends = (
        np.where(flat, least, np.clip(low, least, most))[()],
        np.where(flat, most, np.clip(high, least, most))[()],
    )
    return as_interval(name, ends, alpha, side, sets.parameter, sets.range)


# --- Drawn anew ------------------------------------------------------------------------------------

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
    return _limits("two-way-bootstrap", sets, low, high, spread_of_draws(sets) == 0, alpha, side)


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


def spread_of_draws(sets: TrainingSets) -> FloatArray:
    """Return by how much the value of an example may vary between draws and examples; 0 for rounding.

    Examples
    --------
    >>> spread_of_draws(TrainingSets([[[1, 1], [0, 0]], [[1, 1], [0, 0]]], varies="seed"))
    np.float64(2.0)
    >>> spread_of_draws(TrainingSets([[[1, 1], [0, 0]], [[1, 1], [0, 0]]]))
    np.float64(0.0)
    """
    if sets.varies == "training set" or len(sets.learners) == 1:
        found = np.ptp(sets.values, axis=_BOTH)
    else:  # any seed of A may meet any seed of B
        least, most = sets.loss.min(axis=-2), sets.loss.max(axis=-2)
        above, below = most[..., 0, :] - least[..., 1, :], least[..., 0, :] - most[..., 1, :]
        found = above.max(axis=-1) - below.min(axis=-1)
    return without_rounding(found, scale(sets))


# --- Where the variance comes from -------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Components(Rendered):
    """How much of the variance of one loss (or difference) comes from where.

    `variance` has a component for each of `names` along its last dimension, 0 where `moments`, the method of
    moments, came out negative.
    """

    names: tuple[str, ...]
    moments: FloatArray

    @property
    def variance(self) -> FloatArray:
        """The components, none below 0."""
        return np.maximum(self.moments, 0.0)

    @property
    def shares(self) -> FloatArray:
        """Each component's part of their sum; NaN where nothing varies."""
        return ratio(self.variance, self.variance.sum(axis=-1, keepdims=True), empty=np.nan)

    def of(self, name: str) -> FloatArray:
        """Return one component by its name."""
        if name not in self.names:
            raise InvalidOption(f"component must be one of {', '.join(self.names)}, but is {name!r}.")
        return self.variance[..., self.names.index(name)][()]

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        if self.moments.ndim > 1:
            mean = self.variance.reshape(-1, len(self.names)).mean(axis=0)
            return [
                (name, f"variance {significant(value)} on average")
                for name, value in zip(self.names, mean, strict=True)
            ]
        return [
            (
                name,
                f"variance {significant(value)}, {'nothing' if np.isnan(share) else percent(share, 0.04)} of all"
                + (f" (below 0 by the method of moments: {significant(raw)})" if raw < 0 else ""),
            )
            for name, value, share, raw in zip(self.names, self.variance, self.shares, self.moments, strict=True)
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the components by name, every digit kept."""
        return {name: self.of(name) for name in self.names}

    def __repr__(self) -> str:
        return str(self)


def variance_components(evidence: TrainingSets | Resamples | Outcomes) -> Components:
    """Return how much training sets, test examples, seeds and repeats make a loss vary, by the method of moments.

    For training sets: that of the training set, (MS_T − MS_R)/J less the seeds' part in it; of the test example,
    (MS_X − MS_R)/I; of the rest, MS_R; and of the seed, where there were several. For resamples with several
    seeds: that of the split, and of the seed. For outcomes with repeats: that between and that within examples. Of
    two learners it is the variance of their difference.

    Parameters
    ----------
    evidence
        Of one learner or two (of one model or two).

    Examples
    --------
    >>> sets = TrainingSets([[[1, 0, 0, 1], [1, 0, 0, 0], [1, 0, 1, 1]]], learners=("a",))
    >>> print(variance_components(sets))
    training set  variance 0.0278, 9.1 % of all
    test example  variance 0.139, 45.5 % of all
    rest          variance 0.139, 45.5 % of all
    """
    if isinstance(evidence, Outcomes):
        from .outcomes.components import repeat_components  # which builds on this module

        return repeat_components(evidence)
    size = scale(evidence)
    if np.any((size > _SQUARED) | ((size < 1 / _SQUARED) & (size > 0))):
        raise InvalidEvidence(
            f"the variance of losses of the size {np.max(size):.3g} is no number that a computer holds. Give them in"
            " another unit."
        )
    if isinstance(evidence, Resamples):
        if evidence.seed_variance is None or evidence.runs < 2:
            raise InvalidEvidence(
                f"the components of split and seed need two or more seeds and test sets, but there are {evidence.seeds}"
                f" and {evidence.runs}. Race with seeds=5."
            )
        seed = evidence.seed_variance.mean(axis=_BOTH).sum(axis=-1)
        split = evidence.values.var(axis=_BOTH, ddof=1) - seed / evidence.seeds
        return Components(names=("split", "seed"), moments=np.stack([split, seed], axis=-1))
    square = mean_squares("variance-components", evidence)
    by_set, by_example, rest = (part * square.unit**2 for part in (square.sets, square.examples, square.rest))
    parts = {
        evidence.varies: (by_set - rest) / evidence.examples,
        "test example": (by_example - rest) / evidence.sets,
        "rest": rest,
    }
    if evidence.seed_variance is not None:
        seed = evidence.seed_variance.mean(axis=-1).sum(axis=-1)
        parts[evidence.varies] = parts[evidence.varies] - seed / evidence.seeds
        parts["seed"] = seed
    return Components(names=tuple(parts), moments=np.stack(list(parts.values()), axis=-1))
