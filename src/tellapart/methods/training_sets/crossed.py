"""Analysis of variance of learners, crossed training sets and test examples."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import TrainingSets
from ...numerics.distributions import ratio
from ...numerics.rounding import without_rounding
from ...results import TestResult
from ...typing_ import Alternative, one_of
from ..loss_scale import scale
from ..pivots import Centred, Student
from ..registry import EVERY_SOURCE, Standing, procedure, test
from ..resamples.moments import fit_student
from .assumptions import ENOUGH_CROSSED_SETS, SETS_OR_EXAMPLES_VARY, TRAINING_SETS_VARY
from .variation import BOTH, mean_squares

_FACTS: dict[str, Any] = {
    "evidence": TrainingSets,
    "sources_covered": EVERY_SOURCE,
    "assumes": (ENOUGH_CROSSED_SETS, TRAINING_SETS_VARY, SETS_OR_EXAMPLES_VARY),
    "standing": Standing.RECOMMENDED,
    "validity": "5 or more training sets",
    "where": {"sets": (5, inf)},
}


@procedure(
    name="crossed-interval",
    title="two-way random-effects interval",
    offers=("estimate", "interval"),
    question=5,
    **_FACTS,
    rationale=(
        "accounts for other training sets and other test examples together: with normal effects coverage is 94% to "
        "98% from 5 training sets on"
    ),
    reference="satterthwaite1946",
)
def crossed_interval(sets: TrainingSets) -> Centred:
    """Mean loss over training sets and test examples with its interval; of two learners, loss(A) − loss(B).

    The limits are mean ± t·√((MS_T + MS_X − MS_R)/IJ), with Satterthwaite's degrees of freedom. MS_T, MS_X and MS_R are
    the mean squares of I training sets, of J test examples and of the rest. The variance is at least that of training
    sets or of examples alone, and the degrees of freedom are at least I − 1.

    Examples
    --------
    >>> loss = [[[1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 0, 0], [1, 0, 1, 1, 0, 0]]]
    >>> crossed = crossed_interval(TrainingSets(loss, learners=("a",)))
    >>> crossed.location.round(3), crossed.interval().low.round(3), crossed.interval().high.round(3)
    (np.float64(0.333), np.float64(0.0), np.float64(0.802))
    """

    def fit() -> Student:
        square, others = mean_squares("crossed-interval", sets), sets.examples - 1
        variance = square.sets + square.examples - square.rest
        parts = square.sets**2 / square.freedom + square.examples**2 / others
        parts = parts + square.rest**2 / (square.freedom * others)
        freedom = np.maximum(ratio(variance**2, parts, empty=square.freedom), square.freedom)
        floored = np.maximum(variance, np.maximum(square.sets, square.examples))
        error = np.sqrt(floored / (sets.sets * sets.examples)) * square.unit
        return fit_student(sets, square.mean * square.unit, error, freedom)

    return Centred(fit, location=sets.values.mean(axis=BOTH)[()])


@test(
    name="quasi-f",
    title="quasi-F",
    question=7,
    **_FACTS,
    partner="crossed-interval",
    rationale=(
        "accounts for other training sets and other test examples together: with normal effects the type I error "
        "rate is 2% to 6% from 5 training sets on"
    ),
    statistic="F",
    reference="clark1973",
)
def quasi_f(sets: TrainingSets, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test equal error rates of two learners over training sets and test examples with the quasi-F ratio.

    F″ = (MS_A + MS_ATX)/(MS_AT + MS_AX), with learner A, training set T and example X, and Satterthwaite's degrees of
    freedom for numerator and denominator. A one-sided p-value is half of the two-sided one, or its complement.

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
            f"method 'quasi-f' needs two learners, got {', '.join(sets.learners)}. Select two with `select`."
        )
    one_of("alternative", alternative, Alternative)
    square = mean_squares("quasi-f", sets)
    others = sets.examples - 1
    mean = without_rounding(square.mean - against / square.unit, scale(sets) / square.unit)
    learner = sets.sets * sets.examples * mean**2  # these mean squares are twice those of the three-way table
    above, below = learner + square.rest, square.sets + square.examples
    statistic = ratio(above, below, empty=0.0)
    freedom = ratio(above**2, learner**2 + square.rest**2 / (square.freedom * others), empty=1.0)
    rest = ratio(below**2, square.sets**2 / square.freedom + square.examples**2 / others, empty=1.0)
    flat = (below == 0) | (mean == 0)  # no variance, or no difference
    both = np.where(flat, 1.0, fdtrc(freedom, rest, np.where(flat, 1.0, statistic)))
    if alternative != "two-sided":
        towards = mean if alternative == "greater" else -mean
        one_sided = np.where(towards == 0, 0.5, np.where(towards > 0, both / 2, 1 - both / 2))
        both = np.where(below == 0, 1.0, one_sided)
    return TestResult(statistic=np.where(mean == 0, 0.0, statistic)[()], pvalue=both[()])
