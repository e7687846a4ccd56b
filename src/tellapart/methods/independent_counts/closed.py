"""Closed forms for a difference: from two intervals, or with the estimates taken for normal."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...evidence import ErrorCount, IndependentCounts
from ...numerics.distributions import critical, normal_pvalue, ratio
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Side
from ..error_count.score import score_distances
from ..limits import as_interval
from ..registry import Standing, interval, test
from .assumptions import BOTH_SETS_LARGE, DIFFERENCE_INSIDE_RANGE, SPREAD_SEEN, TWO_SETS_HAVE_WIDTH
from .common import rarer


@interval(
    name="newcombe",
    evidence=IndependentCounts,
    standing=Standing.RECOMMENDED,
    because="closed form, never degenerate, near its level for any number of examples",
    holds="at least 5 examples in each test set",
    parameter="difference",
    reference="newcombe1998b",
)
def newcombe(counts: IndependentCounts, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give limits by squaring and adding how far two Wilson intervals reach.

    d − √((e₁−l₁)² + (u₂−e₂)²) to d + √((u₁−e₁)² + (e₂−l₂)²) (Newcombe's method 10).

    Examples
    --------
    >>> limits = newcombe(IndependentCounts.from_counts(56, 70, 48, 80))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0524), np.float64(0.3339))
    """
    z, counts = critical(alpha, side), rarer(counts)
    a, b = (score_distances(count.errors, count.trials, z) for count in (counts.a, counts.b))
    return as_interval("newcombe", _square_and_add(counts, a, b), alpha, side, "difference")


@interval(
    name="newcombe-cc",
    evidence=IndependentCounts,
    standing=Standing.SOUND,
    because="a closed form that seldom covers less than its level; wider than newcombe",
    holds="at least 5 examples in each test set",
    parameter="difference",
    reference="newcombe1998b",
)
def newcombe_cc(counts: IndependentCounts, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give limits by squaring and adding how far two continuity-corrected Wilson intervals reach.

    Newcombe's method 11.

    Examples
    --------
    >>> limits = newcombe_cc(IndependentCounts.from_counts(56, 70, 48, 80))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0428), np.float64(0.3422))
    """
    z, counts = critical(alpha, side), rarer(counts)
    limits = _square_and_add(counts, _corrected(counts.a, z), _corrected(counts.b, z))
    return as_interval("newcombe-cc", limits, alpha, side, "difference")


@interval(
    name="agresti-caffo",
    evidence=IndependentCounts,
    standing=Standing.RECOMMENDED,
    because="the simplest formula that keeps its level; wide near the ends, where it is cut off",
    holds="at least 5 examples in each test set",
    parameter="difference",
    reference="agresti2000",
)
def agresti_caffo(counts: IndependentCounts, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the textbook limits after one error and one success were added to each test set.

    p = (m+1)/(M+2); p₁ − p₂ ± z√(p₁(1−p₁)/(M₁+2) + p₂(1−p₂)/(M₂+2)), cut off at −1 and 1.

    Examples
    --------
    >>> limits = agresti_caffo(IndependentCounts.from_counts(7, 34, 1, 34))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0116), np.float64(0.3217))
    """
    counts = rarer(counts)
    a, b = (_padded(count) for count in (counts.a, counts.b))
    low, high = _around(a[0] - b[0], np.sqrt(a[1] + b[1]), critical(alpha, side))
    return as_interval("agresti-caffo", (np.clip(low, -1.0, 1.0), np.clip(high, -1.0, 1.0)), alpha, side, "difference")


@interval(
    name="wald-independent",
    evidence=IndependentCounts,
    assumes=(BOTH_SETS_LARGE, DIFFERENCE_INSIDE_RANGE, TWO_SETS_HAVE_WIDTH),
    standing=Standing.FORBIDDEN,
    because="it takes the variance from the estimates: it covers too little where errors are few, and where there are"
    " none it has no width, as if the difference were known exactly",
    partner="probability-better",
    monotone=False,
    within=False,
    parameter="difference",
    reference="mitchell1997",
)
def wald_independent(counts: IndependentCounts, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the textbook limits d ± z√(e₁(1−e₁)/n₁ + e₂(1−e₂)/n₂), not cut off.

    Mitchell's (5.13), with both terms under the root, and his one-sided forms (exercise 5.5). Of no
    width where both classifiers are always right or always wrong. For two classifiers on one test
    set it is too wide only as far as they err together; where they err on different examples
    it is too short.

    Examples
    --------
    >>> limits = wald_independent(IndependentCounts.from_counts(30, 100, 20, 100))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(-0.0192), np.float64(0.2192))
    """
    counts = rarer(counts)
    limits = _around(counts.difference, _standard_error(counts), critical(alpha, side))
    return as_interval("wald-independent", limits, alpha, side, "difference")


@test(
    name="probability-better",
    evidence=IndependentCounts,
    assumes=(BOTH_SETS_LARGE, SPREAD_SEEN),
    partner="wald-independent",
    standing=Standing.FORBIDDEN,
    because="it reads a sampling distribution as a posterior, and takes the variance from the estimates: with 20 and"
    " 200 examples it finds equal models different in up to 46 % of cases at alpha 5 %",
    statistic="P(B better)",
    reference="mitchell1997",
)
def probability_better(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> TestResult:
    """Tell how probable it is that B is better: P(d > 0) = Φ(d/σ).

    Mitchell's section 5.5, with σ² = e₁(1−e₁)/n₁ + e₂(1−e₂)/n₂ (5.12). It is the posterior
    probability under a flat prior for the difference. The p-value is that of the test which decides as
    `wald-independent` does.

    Examples
    --------
    >>> round(probability_better(IndependentCounts.from_counts(30, 100, 20, 100)).statistic, 2)
    np.float64(0.95)
    """
    from scipy.special import ndtr

    counts = rarer(counts)
    z = ratio(counts.difference, _standard_error(counts), empty=0.0)
    return TestResult(statistic=ndtr(z), pvalue=normal_pvalue(z, alternative))


def _standard_error(counts: IndependentCounts) -> FloatArray:
    """Return σ of the difference (Mitchell 1997, eq. 5.12)."""
    return np.hypot(counts.a.standard_error, counts.b.standard_error)


def _around(centre: Any, spread: Any, z: float) -> tuple[FloatArray, FloatArray]:
    return centre - z * spread, centre + z * spread


def _square_and_add(counts: IndependentCounts, a: Any, b: Any) -> tuple[FloatArray, FloatArray]:
    """Combine how far each interval reaches below and above its rate into how far the difference's does."""
    low = counts.difference - _reach(a[0], b[1])
    high = counts.difference + _reach(a[1], b[0])
    return np.clip(low, -1.0, 1.0), np.clip(high, -1.0, 1.0)


def _reach(one: Any, other: Any) -> FloatArray:
    """Return √(x² + y²), where squares keep their signs: below level ½ a limit lies beyond the rate."""
    square = one * np.abs(one) + other * np.abs(other)
    return np.asarray(np.sign(square) * np.sqrt(np.abs(square)))[()]


def _corrected(count: ErrorCount, z: float) -> tuple[FloatArray, FloatArray]:
    """Return how far the continuity-corrected Wilson limits lie below and above the rate; 0 at the end of the range."""
    fewer, more = np.maximum(count.errors - 0.5, 0), np.minimum(count.errors + 0.5, count.trials)
    below = (count.errors - fewer) / count.trials + score_distances(fewer, count.trials, z)[0]
    above = (more - count.errors) / count.trials + score_distances(more, count.trials, z)[1]
    return np.where(count.errors == 0, 0.0, below)[()], np.where(count.successes == 0, 0.0, above)[()]


def _padded(count: ErrorCount) -> tuple[Any, Any]:
    """Return rate and variance after one error and one success more."""
    rate = (count.errors + 1) / (count.trials + 2)
    return rate, rate * ((count.successes + 1) / (count.trials + 2)) / (count.trials + 2)
