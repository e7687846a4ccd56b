"""The mean of per-example scores or differences, with Student's t for independent examples."""

from __future__ import annotations

from math import inf

from ...evidence import Outcomes
from ..pivots import Student
from ..registry import Standing, procedure
from .assumptions import EXAMPLES_NOT_CLUSTERED, LITTLE_SKEW, NO_LONG_TAIL, OUTCOMES_VARY
from .moments import OF_OUTCOMES, as_student, moments


@procedure(
    name="mean-t",
    interval={"title": "Student's t interval"},
    title="Student's t",
    offers=("estimate", "interval", "test"),
    **OF_OUTCOMES,
    assumes=(OUTCOMES_VARY, EXAMPLES_NOT_CLUSTERED, LITTLE_SKEW, *NO_LONG_TAIL),
    standing=Standing.RECOMMENDED,
    rationale=(
        "Student's t is exact for normal values and accurate for large samples; skewed scores need more examples"
    ),
    validity="25 or more examples, and 25 times their squared skewness, not clustered",
    where={"cochran": (25, inf), "cluster_size": (1, 1)},
    statistic="t",
    reference="gosset1908",
)
def mean_t(outcomes: Outcomes) -> Student:
    """Mean of the values with Student's interval and t test, for independent examples; paired for two models.

    The estimate is the (weighted) mean: the error rate or mean score of one model; loss(A) − loss(B) of two. The
    interval x̄ ∓ t·s/√n is cut off at the ends of the range of scores.

    Notes
    -----
    t = (x̄ − null)/(s/√n) with n − 1 degrees of freedom. With weights the standard error is the robust one of a
    weighted mean, and n is the effective sample size (Kish). The value of an example with repeats is their mean. If
    all values are equal, s is 0: p is 1 at that value; elsewhere, with bounded scores, it decreases with the number of
    examples.

    Examples
    --------
    >>> outcomes = Outcomes.from_scores([0.2, 0.5, 1.0, 0.1, 0.6], [0.4, 0.5, 0.9, 0.9, 0.7], metric="rouge")
    >>> result, limits = mean_t(outcomes).test(0.0, "two-sided"), mean_t(outcomes).interval(0.05, "two")
    >>> result.statistic.round(3), result.pvalue.round(4), limits.low.round(3), limits.high.round(3)
    (np.float64(1.265), np.float64(0.2746), np.float64(-0.239), np.float64(0.639))
    """
    return as_student(outcomes, moments(outcomes))
