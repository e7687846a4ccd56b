"""The mean of per-example scores or differences, and Student's t for it: every example for itself."""

from __future__ import annotations

from math import inf
from typing import Any

from ...evidence import Outcomes
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Side
from ..registry import ONE_TEST_SET, Standing, method
from .assumptions import EXAMPLES_NOT_CLUSTERED, LITTLE_SKEW, NO_LONG_TAIL, OUTCOMES_VARY
from .common import centred, moments, student, student_interval

_MEAN_T: dict[str, Any] = {
    "name": "mean-t",
    "covers": ONE_TEST_SET,
    "question": 3,
    "evidence": Outcomes,
    "parameter": "difference",
    "assumes": (OUTCOMES_VARY, EXAMPLES_NOT_CLUSTERED, LITTLE_SKEW, *NO_LONG_TAIL),
    "standing": Standing.RECOMMENDED,
    "because": "one example is one independent value, and Student's t is exact for normal ones; skewed scores need more"
    " of them",
    "holds": "25 or more examples, and 25 times their squared skewness, none of them in clusters",
    "where": {"cochran": (25, inf), "cluster_size": (1, 1)},
    "reference": "gosset1908",
}


@method(gives="estimate", **_MEAN_T)
def mean_estimate(outcomes: Outcomes) -> FloatArray:
    """Give the (weighted) mean: one model's error rate or mean score; of two models, loss(A) − loss(B).

    Examples
    --------
    >>> mean_estimate(Outcomes.from_scores([0.5, 1.0, 0.75], metric="rouge", weights=[1, 1, 2]))
    np.float64(0.75)
    """
    return centred(outcomes).mean


@method(gives="test", statistic="t", **_MEAN_T)
def mean_t(outcomes: Outcomes, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test the mean of the values, each example for itself: the paired t test where they are of two models.

    t = (x̄ − against)/(s/√n) with n − 1 degrees of freedom. With weights the standard error is the robust one of a
    weighted mean, and n is what they are worth in examples of equal weight (Kish). An example with repeats is one
    value, their mean. Scores that are all the same have no spread: then p is 1 at their own value, and the
    more examples agree the smaller elsewhere, where scores have bounds.

    Parameters
    ----------
    outcomes
        The scores of one model or of two.
    against
        The mean that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> held = Outcomes.from_scores([0.2, 0.5, 1.0, 0.1, 0.6], [0.4, 0.5, 0.9, 0.9, 0.7], metric="rouge")
    >>> found = mean_t(held)
    >>> found.statistic.round(3), found.pvalue.round(4)
    (np.float64(1.265), np.float64(0.2746))
    """
    return student(outcomes, moments(outcomes), against, alternative)


@method(gives="interval", **_MEAN_T)
def mean_t_interval(outcomes: Outcomes, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the means that the t test leaves standing: x̄ ∓ t·s/√n, inside the range of the scores.

    Parameters
    ----------
    outcomes
        The scores of one model or of two.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".

    Examples
    --------
    >>> held = Outcomes.from_scores([0.2, 0.5, 1.0, 0.1, 0.6], [0.4, 0.5, 0.9, 0.9, 0.7], metric="rouge")
    >>> limits = mean_t_interval(held)
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(-0.239), np.float64(0.639))
    """
    return student_interval("mean-t", outcomes, moments(outcomes), alpha, side)
