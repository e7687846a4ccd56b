"""Limits from the binomial distribution itself: Clopper-Pearson, mid-p, Blaker."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...evidence import ErrorCount
from ...evidence.validation import as_threshold
from ...numerics.distributions import (
    beta_high,
    beta_low,
    first_count,
    probability_at_least,
    probability_at_most,
    pvalue_of_tails,
    tail,
)
from ...numerics.repetition import once
from ...numerics.roots import solve
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Numbers, Side
from ..limits import as_interval
from ..registry import Standing, method
from .assumptions import ROOM_AT_THRESHOLD, TWO_SIDED


@method(
    name="clopper-pearson",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    standing=Standing.RECOMMENDED,
    because="its level is guaranteed on each side, at every error rate; wider than it need be on average",
    guarantees=True,
    reference="clopper1934",
)
def clopper_pearson(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the limits that the exact binomial test does not reject.

    Quantiles of Beta(m, M−m+1) and Beta(m+1, M−m). The coverage is never below the level,
    and well above it for few trials.

    Examples
    --------
    >>> limits = clopper_pearson(ErrorCount(15, 148))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0578), np.float64(0.1617))
    """
    each = tail(alpha, side)
    return as_interval("clopper-pearson", once(lambda m, n: clopper_pearson_limits(m, n, each), count), alpha, side)


@method(
    name="clopper-pearson",
    gives="test",
    question=1,
    evidence=ErrorCount,
    standing=Standing.RECOMMENDED,
    because="the default: its level is guaranteed at every threshold",
    guarantees=True,
    reference="clopper1934",
)
def clopper_pearson_threshold(
    count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided"
) -> TestResult:
    """Test the error against a threshold by exact binomial tails; twice the smaller if two-sided.

    The statistic is the number of errors.

    Examples
    --------
    >>> round(clopper_pearson_threshold(ErrorCount(0, 59), against=0.05, alternative="less").pvalue, 4)
    np.float64(0.0485)
    """
    p = as_threshold(against, count)
    less = probability_at_most(count.errors, count.trials, p)
    greater = probability_at_least(count.errors, count.trials, p)
    return TestResult(statistic=_errors(count, p), pvalue=pvalue_of_tails(less, greater, alternative))


def clopper_pearson_limits(errors: Any, trials: Any, each: float) -> tuple[FloatArray, FloatArray]:
    """Return the limits that spend `each` on either side."""
    some, room = errors > 0, errors < trials
    low = beta_low(np.where(some, errors, 1), trials - errors + 1.0, each)
    high = beta_high(errors + 1.0, np.where(room, trials - errors, 1), each)
    return np.where(some, low, 0.0)[()], np.where(room, high, 1.0)[()]


@method(
    name="mid-p",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    standing=Standing.RECOMMENDED,
    because="the best floor of the methods that are near the level on average; slower than a closed form",
    reference="lancaster1961",
)
def mid_p(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the limits that the exact test with half the probability of what was seen does not reject.

    Lower: P(X > m) + ½P(X = m) = α/2; upper: the same from the other side. At no errors the
    upper limit is 1 − α^(1/M), as a bound on one side 1 − (2α)^(1/M).

    Examples
    --------
    >>> limits = mid_p(ErrorCount(15, 148))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0601), np.float64(0.1581))
    """
    each = tail(alpha, side)
    return as_interval(
        "mid-p", once(lambda m, n: (_mid_p_low(m, n, each), _mid_p_high(m, n, each)), count), alpha, side
    )


@method(
    name="mid-p",
    gives="test",
    question=1,
    evidence=ErrorCount,
    assumes=(ROOM_AT_THRESHOLD,),
    standing=Standing.SOUND,
    because="on average close to its level, where the exact test is below it",
    holds="thresholds p with M·p·(1−p) of 10 or more",
    where={"variance": (10, inf)},
    reference="lancaster1961",
)
def mid_p_threshold(count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
    """Test the error against a threshold by mid-p tails; the statistic is the number of errors.

    Examples
    --------
    >>> round(mid_p_threshold(ErrorCount(0, 59), against=0.05, alternative="less").pvalue, 4)
    np.float64(0.0242)
    """
    p, m, n = as_threshold(against, count), count.errors, count.trials
    less = (probability_at_most(m, n, p) + probability_at_most(m - 1, n, p)) / 2
    greater = (probability_at_least(m, n, p) + probability_at_least(m + 1, n, p)) / 2
    return TestResult(statistic=_errors(count, p), pvalue=pvalue_of_tails(less, greater, alternative))


def _mid_p_low(errors: Any, trials: Any, each: float) -> Numbers:
    m = np.maximum(errors, 1)

    def step(p: FloatArray) -> tuple[FloatArray, FloatArray]:
        at_least, beyond = probability_at_least(m, trials, p), probability_at_least(m + 1, trials, p)
        value = (at_least + beyond) / 2
        # d/dp of either tail is P(X = m) times m/p or (M − m)/(1 − p).
        slope = (at_least - beyond) * (m + (trials - m) * p / (1 - p)) / 2  # in log p
        excess = np.log(value / each)
        return excess, p * np.exp(-excess * value / slope)

    low = solve(step, beta_low(m + 0.5, trials - m + 0.5, each), 0.0, 1.0)
    # 1 − ½(1−p)^M = tail has a root only for a bound below level ½.
    none = max(0.0, -np.log(2 * (1 - each))) if each > 0.5 else 0.0
    return np.where(np.asarray(errors) > 0, low, -np.expm1(-none / trials))[()]


def _mid_p_high(errors: Any, trials: Any, each: float) -> Numbers:
    m = np.minimum(errors, trials - 1)

    def step(p: FloatArray) -> tuple[FloatArray, FloatArray]:
        at_most, fewer = probability_at_most(m, trials, p), probability_at_most(m - 1, trials, p)
        value = (at_most + fewer) / 2
        slope = (at_most - fewer) * (m / p + (trials - m) / (1 - p)) / 2
        excess = np.log(value / each)
        return -excess, p + excess * value / slope

    high = solve(step, beta_high(m + 0.5, trials - m + 0.5, each), 0.0, 1.0)
    high = np.where(np.asarray(errors) == 0, -np.expm1(min(np.log(2 * each), 0.0) / trials), high)
    everything = min(np.log(2 * (1 - each)), 0.0)  # p^M = 2(1 − tail), below level ½
    return np.where(np.less(errors, trials), high, np.exp(everything / trials))[()]


@method(
    name="blaker",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    assumes=(TWO_SIDED,),
    standing=Standing.SOUND,
    because="guaranteed, and inside Clopper and Pearson's limits; two-sided only",
    guarantees=True,
    reference="blaker2000",
)
def blaker(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the hull of the error rates that Blaker's acceptability function does not rule out.

    The acceptability of p is the smaller tail at the observed errors plus the largest
    opposite tail that does not exceed it. A one-sided request gets Clopper and Pearson's
    bound, and the result says so.

    Examples
    --------
    >>> limits = blaker(ErrorCount(1, 29))
    >>> bool(clopper_pearson(ErrorCount(1, 29)).low < limits.low)
    True
    """
    if side != "two":
        bound = clopper_pearson(count, alpha=alpha, side=side)
        return as_interval("blaker", (bound.low, bound.high), alpha, side)
    tail(alpha, side)  # refuses an alpha that is none
    limits = once(lambda m, n: (_blaker_low(m, n, alpha), _blaker_high(m, n, alpha)), count)
    return as_interval("blaker", limits, alpha, side)


@method(
    name="blaker",
    gives="test",
    question=1,
    evidence=ErrorCount,
    assumes=(TWO_SIDED,),
    standing=Standing.SOUND,
    because="guaranteed; never less powerful than the exact test by doubled tails",
    guarantees=True,
    reference="blaker2000",
)
def blaker_threshold(count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
    """Test the error against a threshold by its acceptability; one-sided by the exact tail.

    Examples
    --------
    >>> round(blaker_threshold(ErrorCount(1, 29), against=0.2).pvalue, 4)
    np.float64(0.0197)
    """
    exact = clopper_pearson_threshold(count, against=against, alternative=alternative)
    if alternative != "two-sided":
        return exact
    p, m, n = as_threshold(against, count), count.errors, count.trials
    below, above = probability_at_most(m, n, p), probability_at_least(m, n, p)
    smaller = np.minimum(below, above) * (1 + 1e-12)  # a tie is a tie, whatever the last digit
    left = first_count(lambda k: probability_at_most(k, n, p) > smaller, n) - 1
    right = first_count(lambda k: probability_at_least(k, n, p) <= smaller, n)
    opposite = np.where(above <= below, probability_at_most(left, n, p), probability_at_least(right, n, p))
    return TestResult(statistic=exact.statistic, pvalue=np.minimum(np.minimum(below, above) + opposite, 1.0)[()])


def _blaker_low(errors: Any, trials: Any, alpha: float) -> FloatArray:
    m = np.maximum(errors, 1)
    outer = beta_low(m, trials - m + 1.0, alpha / 2)
    # The opposite tail there is {X ≤ k} for the largest k that keeps it within α/2.
    opposite = first_count(lambda k: probability_at_most(k, trials, outer) > alpha / 2, trials) - 1
    low = _blaker_limit(
        alpha,
        outer,
        near=lambda p: probability_at_least(m, trials, p),
        far=lambda p, shift: probability_at_most(opposite + shift, trials, p),
        rate=m / trials,
        stop=1.0,
    )
    return np.where(np.asarray(errors) > 0, low, 0.0)[()]


def _blaker_high(errors: Any, trials: Any, alpha: float) -> FloatArray:
    m = np.minimum(errors, trials - 1)
    outer = beta_high(m + 1.0, trials - m, alpha / 2)
    opposite = first_count(lambda k: probability_at_least(k, trials, outer) <= alpha / 2, trials)
    high = _blaker_limit(
        alpha,
        outer,
        near=lambda p: probability_at_most(m, trials, p),
        far=lambda p, shift: probability_at_least(opposite - shift, trials, p),
        rate=m / trials,
        stop=0.0,
    )
    return np.where(np.less(errors, trials), high, 1.0)[()]


def _blaker_limit(
    alpha: float,
    outer: FloatArray,
    near: Callable[[FloatArray], FloatArray],
    far: Callable[[FloatArray, int], FloatArray],
    rate: FloatArray,
    stop: float,
) -> Numbers:
    """Return the first p, from Clopper and Pearson's limit inwards, whose acceptability exceeds alpha.

    Outside that limit the acceptability is at most twice the near tail, so at most alpha. Inside, it
    is near + far (both continuous, and together first falling, then rising) until the opposite tail
    grows by one count, where near equals the grown tail and the acceptability jumps to twice that,
    above alpha. So the limit is this jump, or a crossing before it: no steps, no tolerance.
    """
    low, high = np.minimum(outer, stop), np.maximum(outer, stop)
    inwards = 1.0 if stop > 0 else -1.0
    nothing = np.full(np.shape(outer), np.nan)  # no Newton guess: the bracket is halved

    def to_jump(p: FloatArray) -> tuple[FloatArray, FloatArray]:
        return inwards * (near(p) - far(p, 1)), nothing

    jump = solve(to_jump, (low + high) / 2, low, high)
    crosses = near(jump) + far(jump, 0) > alpha * (1 + 1e-12)

    def to_crossing(p: FloatArray) -> tuple[FloatArray, FloatArray]:
        return inwards * (near(p) + far(p, 0) - alpha), nothing

    crossing = solve(to_crossing, (outer + jump) / 2, np.minimum(outer, jump), np.maximum(outer, jump))
    # At the jump one count's lower limit is another's upper limit. Both belong to their intervals, so
    # they are moved apart by more than the rounding, lest a gap be left that neither covers: by a share
    # of the distance to what was seen or to the nearer end, as the tails are rounded, and by the last
    # digits of the limit itself; never beyond Clopper and Pearson's limit.
    rounding = 1e-12 * np.minimum(10 * np.abs(jump - rate), np.minimum(jump, 1 - jump)) + 4 * np.spacing(jump)
    limit: Numbers = np.where(crosses, crossing, jump - inwards * rounding)
    return np.clip(limit, low, high)[()]


def _errors(count: ErrorCount, p: FloatArray) -> FloatArray:
    return np.broadcast_to(count.errors.astype(float), np.broadcast_shapes(count.shape, np.shape(p)))[()]
