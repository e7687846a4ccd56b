"""The binomial distribution itself: Clopper-Pearson, mid-p, Blaker."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ...evidence import ErrorCount
from ...evidence.validation import as_threshold
from ...numerics.distributions import beta_high, beta_low, first_count, probability_at_least, probability_at_most
from ...numerics.repetition import once
from ...numerics.roots import solve
from ...typing_ import FloatArray, IntArray, Numbers
from ..pivots import Limits, Tails
from ..registry import Standing, procedure
from .assumptions import TWO_SIDED, WITH_ROOM


@procedure(
    name="clopper-pearson",
    title="Clopper-Pearson exact interval",
    evidence=ErrorCount,
    standing=Standing.RECOMMENDED,
    guarantees=True,
    reference="clopper1934",
    interval={"rationale": "guaranteed coverage on each side at every error rate; conservative"},
    test={"title": "exact binomial test", "rationale": "default: guaranteed type I error rate at every threshold"},
)
def clopper_pearson(count: ErrorCount) -> Tails:
    """Clopper-Pearson interval and exact binomial test for an error rate.

    Notes
    -----
    P(X ≤ m) and P(X ≥ m); twice the smaller one if two-sided. The limits are quantiles of Beta(m, M−m+1) and
    Beta(m+1, M−m). The coverage is never below the level, and well above it for few trials. The statistic is the
    number of errors.

    Examples
    --------
    >>> limits = clopper_pearson(ErrorCount(15, 148)).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0578), np.float64(0.1617))
    >>> round(clopper_pearson(ErrorCount(0, 59)).test(0.05, "less").pvalue, 4)
    np.float64(0.0485)
    """

    def tails(null: Any) -> tuple[FloatArray, FloatArray]:
        m, n, p = count.errors, count.trials, as_threshold(null, count)
        return probability_at_most(m, n, p), probability_at_least(m, n, p)

    def invert(tail: float) -> Limits:
        return once(lambda m, n: clopper_pearson_limits(m, n, tail), count)

    return Tails(tails, invert, statistic=lambda _: count.errors.astype(float))


def clopper_pearson_limits(errors: Any, trials: Any, tail: float) -> Limits:
    """Return the limits that leave `tail` on either side."""
    some, room = errors > 0, errors < trials
    low = beta_low(np.where(some, errors, 1), trials - errors + 1.0, tail)
    high = beta_high(errors + 1.0, np.where(room, trials - errors, 1), tail)
    return np.where(some, low, 0.0)[()], np.where(room, high, 1.0)[()]


@procedure(
    name="mid-p",
    title="binomial mid-p interval",
    evidence=ErrorCount,
    reference="lancaster1961",
    standing=Standing.RECOMMENDED,
    rationale=("highest minimum coverage of the methods with mean coverage near nominal; slower than a closed form"),
    test={
        "title": "binomial mid-p test",
        **WITH_ROOM,
        "standing": Standing.SOUND,
        "rationale": "mean type I error rate close to alpha; the exact test is more conservative",
    },
)
def mid_p(count: ErrorCount) -> Tails:
    """Mid-p interval and test for an error rate: half the probability of the observed outcome.

    Notes
    -----
    The tails are P(X < m) + ½P(X = m) and P(X > m) + ½P(X = m). At no errors the upper limit is 1 − α^(1/M), as a
    bound on one side 1 − (2α)^(1/M). The statistic is the number of errors.

    Examples
    --------
    >>> limits = mid_p(ErrorCount(15, 148)).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0601), np.float64(0.1581))
    >>> round(mid_p(ErrorCount(0, 59)).test(0.05, "less").pvalue, 4)
    np.float64(0.0242)
    """

    def tails(null: Any) -> tuple[FloatArray, FloatArray]:
        m, n, p = count.errors, count.trials, as_threshold(null, count)
        less = (probability_at_most(m, n, p) + probability_at_most(m - 1, n, p)) / 2
        return less, (probability_at_least(m, n, p) + probability_at_least(m + 1, n, p)) / 2

    def invert(tail: float) -> Limits:
        return once(lambda m, n: (_mid_p_low(m, n, tail), _mid_p_high(m, n, tail)), count)

    return Tails(tails, invert, statistic=lambda _: count.errors.astype(float))


def _mid_p_low(errors: Any, trials: Any, tail: float) -> Numbers:
    m = np.maximum(errors, 1)

    def step(p: FloatArray) -> tuple[FloatArray, FloatArray]:
        at_least, beyond = probability_at_least(m, trials, p), probability_at_least(m + 1, trials, p)
        value = (at_least + beyond) / 2
        # d/dp of either tail is P(X = m) times m/p or (M − m)/(1 − p).
        slope = (at_least - beyond) * (m + (trials - m) * p / (1 - p)) / 2  # in log p
        excess = np.log(value / tail)
        return excess, p * np.exp(-excess * value / slope)

    low = solve(step, beta_low(m + 0.5, trials - m + 0.5, tail), 0.0, 1.0)
    # 1 − ½(1−p)^M = tail has a root only for a bound below level ½.
    none = max(0.0, -np.log(2 * (1 - tail))) if tail > 0.5 else 0.0
    return np.where(np.asarray(errors) > 0, low, -np.expm1(-none / trials))[()]


def _mid_p_high(errors: Any, trials: Any, tail: float) -> Numbers:
    m = np.minimum(errors, trials - 1)

    def step(p: FloatArray) -> tuple[FloatArray, FloatArray]:
        at_most, fewer = probability_at_most(m, trials, p), probability_at_most(m - 1, trials, p)
        value = (at_most + fewer) / 2
        slope = (at_most - fewer) * (m / p + (trials - m) / (1 - p)) / 2
        excess = np.log(value / tail)
        return -excess, p + excess * value / slope

    high = solve(step, beta_high(m + 0.5, trials - m + 0.5, tail), 0.0, 1.0)
    high = np.where(np.asarray(errors) == 0, -np.expm1(min(np.log(2 * tail), 0.0) / trials), high)
    everything = min(np.log(2 * (1 - tail)), 0.0)  # p^M = 2(1 − tail), below level ½
    return np.where(np.less(errors, trials), high, np.exp(everything / trials))[()]


@procedure(
    name="blaker",
    title="Blaker exact interval",
    evidence=ErrorCount,
    assumes=(TWO_SIDED,),
    standing=Standing.SOUND,
    guarantees=True,
    reference="blaker2000",
    interval={"rationale": "guaranteed coverage, inside the Clopper-Pearson limits; two-sided only"},
    test={
        "title": "Blaker exact test",
        "rationale": "guaranteed type I error rate; at least as powerful as the exact test with doubled tails",
    },
)
def blaker(count: ErrorCount) -> Tails:
    """Blaker's exact interval and test for an error rate, never wider than Clopper and Pearson's.

    Notes
    -----
    The acceptability of p is the smaller tail at the observed errors plus the largest opposite tail that does not
    exceed it. It is the p-value, and the limits are the hull of the error rates that it does not rule out. A one-sided
    request gets Clopper and Pearson's bound or test, and the result says so.

    Examples
    --------
    >>> count = ErrorCount(1, 29)
    >>> bool(clopper_pearson(count).interval().low < blaker(count).interval().low)
    True
    >>> round(blaker(count).test(0.2).pvalue, 4)
    np.float64(0.0197)
    """
    exact = clopper_pearson(count)

    def acceptability(null: Any) -> FloatArray:
        below, above = exact.tails(null)
        p, n, seen = as_threshold(null, count), count.trials, np.minimum(below, above)
        smaller = seen * (1 + 1e-12)  # so that rounding does not hide ties
        left = first_count(lambda k: probability_at_most(k, n, p) > smaller, n) - 1
        right = first_count(lambda k: probability_at_least(k, n, p) <= smaller, n)
        opposite = np.where(above <= below, probability_at_most(left, n, p), probability_at_least(right, n, p))
        return np.minimum(seen + opposite, 1.0)[()]

    def hull(alpha: float) -> Limits:
        return once(lambda m, n: (_blaker_low(m, n, alpha), _blaker_high(m, n, alpha)), count)

    return replace(exact, set_of=hull, outside=acceptability)


def _blaker_low(errors: Any, trials: Any, alpha: float) -> FloatArray:
    m = np.maximum(errors, 1)
    outer = beta_low(m, trials - m + 1.0, alpha / 2)
    # The opposite tail there is {X ≤ k} for the largest k that keeps it within α/2.
    opposite = first_count(lambda k: probability_at_most(k, trials, outer) > alpha / 2, trials) - 1
    low = _blaker_limit(alpha, m, trials, outer, opposite, lower=True)
    return np.where(np.asarray(errors) > 0, low, 0.0)[()]


def _blaker_high(errors: Any, trials: Any, alpha: float) -> FloatArray:
    m = np.minimum(errors, trials - 1)
    outer = beta_high(m + 1.0, trials - m, alpha / 2)
    opposite = first_count(lambda k: probability_at_least(k, trials, outer) <= alpha / 2, trials)
    high = _blaker_limit(alpha, m, trials, outer, opposite, lower=False)
    return np.where(np.less(errors, trials), high, 1.0)[()]


def _blaker_limit(alpha: float, m: Any, trials: Any, outer: FloatArray, opposite: IntArray, *, lower: bool) -> Numbers:
    """Return the first p, from Clopper and Pearson's limit inwards, whose acceptability exceeds alpha.

    Outside that limit the acceptability is at most twice the near tail, so at most alpha. Inside, it is near + far
    (both continuous; the sum first decreases, then increases) until the opposite tail grows by one count. There near
    equals the larger tail, and the acceptability jumps to twice that, above alpha. So the limit is this jump or a
    crossing before it, and no search by steps is needed.
    """
    inwards, stop = (1, 1.0) if lower else (-1, 0.0)
    low, high = np.minimum(outer, stop), np.maximum(outer, stop)
    near_tail, far_tail = (probability_at_least, probability_at_most)[::inwards]
    near = partial(near_tail, m, trials)

    def far(p: FloatArray, shift: int) -> Numbers:
        return far_tail(opposite + inwards * shift, trials, p)

    nothing = np.full(np.shape(outer), np.nan)  # no Newton step: the bracket is halved

    def to_jump(p: FloatArray) -> tuple[FloatArray, FloatArray]:
        return inwards * (near(p) - far(p, 1)), nothing

    jump = solve(to_jump, (low + high) / 2, low, high)
    crosses = near(jump) + far(jump, 0) > alpha * (1 + 1e-12)

    def to_crossing(p: FloatArray) -> tuple[FloatArray, FloatArray]:
        return inwards * (near(p) + far(p, 0) - alpha), nothing

    crossing = solve(to_crossing, (outer + jump) / 2, np.minimum(outer, jump), np.maximum(outer, jump))
    # At the jump the lower limit of one count is the upper limit of another. Both intervals contain it, so each limit
    # is moved outwards by more than the rounding error to leave no gap: by a share of the distance to the estimate or
    # to the nearer end, and by the last digits of the limit itself; never beyond Clopper and Pearson's limit.
    rounding = 1e-12 * np.minimum(10 * np.abs(jump - m / trials), np.minimum(jump, 1 - jump)) + 4 * np.spacing(jump)
    limit: Numbers = np.where(crosses, crossing, jump - inwards * rounding)
    return np.clip(limit, low, high)[()]
