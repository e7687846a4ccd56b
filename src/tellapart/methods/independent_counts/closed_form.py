"""Closed-form intervals and tests for the difference of two independent error rates; and rules of thumb.

The rules of thumb have the status 'do not use'; they are kept so that their error rates can be measured.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...evidence import ErrorCount, IndependentCounts
from ...numerics.distributions import critical, normal_pvalue, ratio
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Side
from ..error_count.wilson_score import score_distances
from ..limits import as_interval
from ..pivots import Limits
from ..registry import Standing, interval, test
from ..rules_of_thumb import INTERVAL_OVERLAP, K_SE, decide_by_k_se, decide_by_overlap
from .assumptions import BOTH_SETS_LARGE, DIFFERENCE_INSIDE_RANGE, SPREAD_SEEN, TWO_SETS_HAVE_WIDTH
from .two_samples import DIFFERENCE, DIFFERENCE_FROM_FIVE_ON, rarer, standard_error


@interval(
    name="newcombe",
    title="Newcombe hybrid score interval",
    standing=Standing.RECOMMENDED,
    rationale="closed form, coverage near nominal for any number of examples; never of width 0",
    reference="newcombe1998b",
    **DIFFERENCE_FROM_FIVE_ON,
)
def newcombe(counts: IndependentCounts, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Newcombe's hybrid score interval, by square-and-add of two Wilson intervals.

    d − √((e₁−l₁)² + (u₂−e₂)²) to d + √((u₁−e₁)² + (e₂−l₂)²) (Newcombe's method 10).

    Examples
    --------
    >>> limits = newcombe(IndependentCounts.from_counts(56, 70, 48, 80))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0524), np.float64(0.3339))
    """
    return _square_and_add("newcombe", score_distances, counts, alpha, side)


@interval(
    name="newcombe-cc",
    title="Newcombe interval, continuity-corrected",
    standing=Standing.SOUND,
    rationale="closed form, coverage seldom below nominal; wider than newcombe",
    reference="newcombe1998b",
    **DIFFERENCE_FROM_FIVE_ON,
)
def newcombe_cc(counts: IndependentCounts, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Newcombe's hybrid score interval with continuity correction.

    Newcombe's method 11.

    Examples
    --------
    >>> limits = newcombe_cc(IndependentCounts.from_counts(56, 70, 48, 80))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0428), np.float64(0.3422))
    """
    return _square_and_add("newcombe-cc", _corrected_distances, counts, alpha, side)


@interval(
    name="agresti-caffo",
    title="Agresti-Caffo interval",
    standing=Standing.RECOMMENDED,
    rationale="simplest formula with coverage near nominal; wide near 0 and 1, where it is truncated",
    reference="agresti2000",
    **DIFFERENCE_FROM_FIVE_ON,
)
def agresti_caffo(counts: IndependentCounts, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Agresti-Caffo interval: Wald's after adding one error and one success to each test set.

    p = (m+1)/(M+2); p₁ − p₂ ± z√(p₁(1−p₁)/(M₁+2) + p₂(1−p₂)/(M₂+2)), truncated at −1 and 1.

    Examples
    --------
    >>> limits = agresti_caffo(IndependentCounts.from_counts(7, 34, 1, 34))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0116), np.float64(0.3217))
    """
    counts = rarer(counts)
    a, b = (_pad_counts(count) for count in (counts.a, counts.b))
    low, high = _limits_around(a[0] - b[0], np.sqrt(a[1] + b[1]), critical(alpha, side))
    return as_interval("agresti-caffo", (np.clip(low, -1.0, 1.0), np.clip(high, -1.0, 1.0)), alpha, side, "difference")


@interval(
    name="wald-independent",
    title="Wald interval, independent samples",
    assumes=(BOTH_SETS_LARGE, DIFFERENCE_INSIDE_RANGE, TWO_SETS_HAVE_WIDTH),
    standing=Standing.FORBIDDEN,
    rationale="coverage too low with few errors; width 0 without errors",
    partner="probability-better",
    monotone=False,
    within=False,
    reference="mitchell1997",
    **DIFFERENCE,
)
def wald_independent(counts: IndependentCounts, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Wald interval d ± z√(e₁(1−e₁)/n₁ + e₂(1−e₂)/n₂), not truncated.

    Mitchell's (5.13), with both terms under the root, and his one-sided forms (exercise 5.5). Its width is 0 if both
    classifiers are always right or always wrong. On one test set it is too wide if the errors are positively
    correlated, and too short if negatively.

    Examples
    --------
    >>> limits = wald_independent(IndependentCounts.from_counts(30, 100, 20, 100))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(-0.0192), np.float64(0.2192))
    """
    counts = rarer(counts)
    limits = _limits_around(counts.difference, standard_error(counts), critical(alpha, side))
    return as_interval("wald-independent", limits, alpha, side, "difference")


@test(
    name="probability-better",
    title="normal probability of improvement",
    evidence=IndependentCounts,
    assumes=(BOTH_SETS_LARGE, SPREAD_SEEN),
    partner="wald-independent",
    standing=Standing.FORBIDDEN,
    rationale=(
        "reads a sampling distribution as a posterior: with 20 and 200 examples the type I error"
        " rate reaches 46% at alpha = 0.05"
    ),
    statistic="P(B better)",
    reference="mitchell1997",
)
def probability_better(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> TestResult:
    """Probability that B is better by a normal approximation: P(d > 0) = Φ(d/σ).

    Mitchell's section 5.5, with σ² = e₁(1−e₁)/n₁ + e₂(1−e₂)/n₂ (5.12). It is the posterior
    probability under a flat prior for the difference. The p-value is that of the test that agrees with
    `wald-independent`.

    Examples
    --------
    >>> round(probability_better(IndependentCounts.from_counts(30, 100, 20, 100)).statistic, 2)
    np.float64(0.95)
    """
    from scipy.special import ndtr

    counts = rarer(counts)
    z = ratio(counts.difference, standard_error(counts), empty=0.0)
    return TestResult(statistic=ndtr(z), pvalue=normal_pvalue(z, alternative))


@test(evidence=IndependentCounts, **INTERVAL_OVERLAP)
def interval_overlap(
    counts: IndependentCounts, *, alpha: float = 0.05, alternative: Alternative = "two-sided"
) -> TestResult:
    """Rule that calls two error rates different if their Wilson intervals do not overlap: a common mistake.

    The statistic is the gap between the two intervals, negative if they overlap. There is no p-value.

    Examples
    --------
    >>> bool(interval_overlap(IndependentCounts.from_counts(30, 100, 15, 100)).rejects)
    False
    """
    return decide_by_overlap(counts.a, counts.b, alpha, alternative)


@test(evidence=IndependentCounts, **K_SE)
def k_se(counts: IndependentCounts, *, k: float = 1.0, alternative: Alternative = "two-sided") -> TestResult:
    """Rule that calls two error rates different if they differ by more than k standard errors: a common mistake.

    The standard error is the larger of the two, √(e(1−e)/n) each. The statistic is the difference less k standard
    errors, negative if the difference is smaller; there is no p-value. `implied_level` is the level that results from k
    and the correlation of the two estimates.

    Parameters
    ----------
    counts
        The errors of A and of B: one of each, or arrays.
    k
        Number of standard errors: 1 in cost-complexity pruning, 1.645 or 2 elsewhere.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".

    Examples
    --------
    >>> bool(k_se(IndependentCounts.from_counts(30, 100, 20, 100)).rejects)
    True
    """
    return decide_by_k_se(counts.a, counts.b, k, alternative)


def _limits_around(centre: Any, spread: Any, z: float) -> Limits:
    return centre - z * spread, centre + z * spread


def _square_and_add(
    name: str, distances: Callable[[Any, Any, float], Limits], counts: IndependentCounts, alpha: float, side: Side
) -> Interval:
    """Return the limits of the difference from the distances of the two intervals' limits from their rates."""
    z, counts = critical(alpha, side), rarer(counts)
    a, b = (distances(count.errors, count.trials, z) for count in (counts.a, counts.b))
    low, high = counts.difference - _combine_distances(a[0], b[1]), counts.difference + _combine_distances(a[1], b[0])
    return as_interval(name, (np.clip(low, -1.0, 1.0), np.clip(high, -1.0, 1.0)), alpha, side, "difference")


def _combine_distances(first: Any, second: Any) -> FloatArray:
    """Return √(x² + y²) with signed squares: below level ½ a limit lies beyond the rate."""
    square = first * np.abs(first) + second * np.abs(second)
    return np.asarray(np.sign(square) * np.sqrt(np.abs(square)))[()]


def _corrected_distances(errors: Any, trials: Any, z: float) -> Limits:
    """Return how far the continuity-corrected Wilson limits lie below and above the rate; 0 at the end of the range."""
    fewer, more = np.maximum(errors - 0.5, 0), np.minimum(errors + 0.5, trials)
    below = (errors - fewer) / trials + score_distances(fewer, trials, z)[0]
    above = (more - errors) / trials + score_distances(more, trials, z)[1]
    return np.where(errors == 0, 0.0, below)[()], np.where(errors == trials, 0.0, above)[()]


def _pad_counts(count: ErrorCount) -> tuple[Any, Any]:
    """Return rate and variance after adding one error and one success."""
    rate = (count.errors + 1) / (count.trials + 2)
    return rate, rate * ((count.successes + 1) / (count.trials + 2)) / (count.trials + 2)
