"""Rules of thumb for two test sets: no tests, and forbidden; kept to be measured."""

from __future__ import annotations

from ...evidence import IndependentCounts
from ...results import TestResult
from ...typing_ import Alternative
from ..registry import test
from ..rules import INTERVAL_OVERLAP, K_SE, decide_by_k_se, decide_by_overlap


@test(evidence=IndependentCounts, **INTERVAL_OVERLAP)
def interval_overlap(
    counts: IndependentCounts, *, alpha: float = 0.05, alternative: Alternative = "two-sided"
) -> TestResult:
    """Call two errors different where their Wilson intervals do not overlap: a common mistake.

    The statistic is the gap between the two intervals, negative where they overlap. There is no p-value.

    Examples
    --------
    >>> bool(interval_overlap(IndependentCounts.from_counts(30, 100, 15, 100)).rejects)
    False
    """
    return decide_by_overlap(counts.a, counts.b, alpha, alternative)


@test(evidence=IndependentCounts, **K_SE)
def k_se(counts: IndependentCounts, *, k: float = 1.0, alternative: Alternative = "two-sided") -> TestResult:
    """Call two errors different where they are more than k standard errors apart: a common mistake.

    The standard error is the larger of the two, √(e(1−e)/n) each. The statistic is what is left of
    the difference after k of them, negative where it is within; there is no p-value. `implied_level` tells the level
    that follows from k and from the correlation of the two estimates.

    Parameters
    ----------
    counts
        The errors of A and of B: one of each, or arrays.
    k
        How many standard errors: 1 in cost-complexity pruning, 1.645 or 2 elsewhere.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".

    Examples
    --------
    >>> bool(k_se(IndependentCounts.from_counts(30, 100, 20, 100)).rejects)
    True
    """
    return decide_by_k_se(counts.a, counts.b, k, alternative)
