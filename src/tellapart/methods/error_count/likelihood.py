"""The likelihood ratio, and the shortest sets of posterior probability."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...evidence import ErrorCount
from ...evidence.validation import as_threshold
from ...numerics.distributions import (
    beta_above,
    beta_at_most,
    beta_front,
    beta_high,
    beta_low,
    critical,
    normal_pvalue,
    tail,
)
from ...numerics.large_beta import deviance
from ...numerics.repetition import once
from ...numerics.roots import solve
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Numbers, Side
from ..limits import as_interval
from ..registry import Standing, method
from .assumptions import NORMAL_APPROXIMATION, ROOM_AT_THRESHOLD, TWO_SIDED
from .bayesian import beta_limits, beta_tails, decided_by_tails
from .common import open_ends
from .score import score_limits


@method(
    name="likelihood-ratio",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    assumes=NORMAL_APPROXIMATION,
    standing=Standing.SOUND,
    because="short, and the one that carries over to other models; too short at no errors",
    reference="wilks1938",
)
def likelihood_ratio(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the error rates whose likelihood is not too far below the largest.

    2 log(L(e)/L(p)) ≤ z². At no errors the upper limit is 1 − exp(−z²/(2M)), about half of
    what Clopper and Pearson need.

    Examples
    --------
    >>> round(likelihood_ratio(ErrorCount(0, 20)).high, 4)
    np.float64(0.0916)
    """
    z = critical(alpha, side)
    return as_interval("likelihood-ratio", once(lambda m, n: _deviance_limits(m, n, z), count), alpha, side)


@method(
    name="likelihood-ratio",
    gives="test",
    question=1,
    evidence=ErrorCount,
    assumes=(*NORMAL_APPROXIMATION, ROOM_AT_THRESHOLD),
    standing=Standing.SOUND,
    because="it decides as the interval does",
    holds="thresholds p with M·p·(1−p) of 10 or more",
    where={"variance": (10, inf)},
    reference="wilks1938",
)
def likelihood_ratio_threshold(
    count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided"
) -> TestResult:
    """Test the error against a threshold by the signed root of the likelihood ratio statistic.

    Examples
    --------
    >>> round(likelihood_ratio_threshold(ErrorCount(15, 148), against=0.05).statistic, 3)
    np.float64(2.533)
    """
    root = -_signed_root(as_threshold(against, count), count.errors, count.trials)
    return TestResult(statistic=root, pvalue=normal_pvalue(root, alternative))


def _signed_root(p: Any, errors: Any, trials: Any) -> Numbers:
    """Return ±√(2 log(L(e)/L(p))), positive where p exceeds e."""
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = deviance(errors, trials - errors, p)
        none, everything = -trials * np.log1p(-p), -trials * np.log(p)
    distance = np.where(errors == 0, none, np.where(errors == trials, everything, inner))
    return np.sign(p - errors / trials) * np.sqrt(np.maximum(2 * distance, 0.0))


def _deviance_limits(errors: Any, trials: Any, z: float) -> tuple[FloatArray, FloatArray]:
    def limit(target: float, start: FloatArray) -> Numbers:
        def step(p: FloatArray) -> tuple[FloatArray, FloatArray]:
            root = _signed_root(p, errors, trials)
            # The root is nearly straight in the log odds; its slope there is (Mp − m)/root.
            change = np.exp(-(root - target) * root / (trials * p - errors))
            return root - target, p * change / (1 - p + p * change)

        return solve(step, start, 0.0, 1.0)

    low, high = score_limits(errors, errors, trials, z)
    tiny = np.finfo(float).tiny
    inner_low, inner_high = limit(-z, np.maximum(low, tiny)), limit(z, np.minimum(high, 1 - 2**-53))
    # All or nothing has closed forms; a bound below level ½ (negative z) lies on the other side of e.
    near, far = -np.expm1(-z * z / (2 * trials)), np.exp(-z * z / (2 * trials))
    none, everything = np.asarray(errors) == 0, np.equal(errors, trials)
    low = np.where(none, near if z < 0 else 0.0, np.where(everything, far if z > 0 else 1.0, inner_low))
    high = np.where(none, near if z > 0 else 0.0, np.where(everything, far if z < 0 else 1.0, inner_high))
    return low[()], high[()]


@method(
    name="hpd-jeffreys",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    assumes=(TWO_SIDED,),
    standing=Standing.SOUND,
    because="the shortest set of its posterior probability; another scale would give another set",
    holds="from 8 trials on",
    where={"examples": (8, inf)},
    reference="box1973",
    told="prior Beta(1/2, 1/2), shortest set",
)
def hpd_jeffreys(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the shortest set of posterior probability 1 − α under Jeffreys' prior.

    At no errors (or no successes) all of α is spent on the other side. A one-sided request
    gets the posterior quantile, and the result says so.

    Examples
    --------
    >>> from tellapart.methods.error_count.bayesian import jeffreys
    >>> bool(hpd_jeffreys(ErrorCount(3, 120)).width < jeffreys(ErrorCount(3, 120)).width)
    True
    """
    return _shortest("hpd-jeffreys", count, 0.5, alpha, side)


@method(
    name="hpd-jeffreys",
    gives="test",
    question=1,
    evidence=ErrorCount,
    assumes=(TWO_SIDED, ROOM_AT_THRESHOLD),
    standing=Standing.SOUND,
    because="it decides as the interval does",
    holds="thresholds p with M·p·(1−p) of 10 or more",
    where={"variance": (10, inf)},
    reference="box1973",
    told="prior Beta(1/2, 1/2), shortest set",
)
def hpd_jeffreys_threshold(
    count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided"
) -> TestResult:
    """Return the posterior probability of the error rates less dense than the threshold.

    Examples
    --------
    >>> round(hpd_jeffreys_threshold(ErrorCount(3, 120), against=0.08).pvalue, 4)
    np.float64(0.0063)
    """
    return _less_dense(count, 0.5, against, alternative)


@method(
    name="hpd-uniform",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    assumes=(TWO_SIDED,),
    standing=Standing.SOUND,
    because="the shortest set of its posterior probability, which is the likelihood's",
    reference="box1973",
    told="prior Beta(1, 1), shortest set",
)
def hpd_uniform(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the shortest set of posterior probability 1 − α under the uniform prior.

    Examples
    --------
    >>> round(hpd_uniform(ErrorCount(0, 20)).high, 4)
    np.float64(0.1329)
    """
    return _shortest("hpd-uniform", count, 1.0, alpha, side)


@method(
    name="hpd-uniform",
    gives="test",
    question=1,
    evidence=ErrorCount,
    assumes=(TWO_SIDED, ROOM_AT_THRESHOLD),
    standing=Standing.SOUND,
    because="it decides as the interval does",
    holds="thresholds p with M·p·(1−p) of 10 or more",
    where={"variance": (10, inf)},
    reference="box1973",
    told="prior Beta(1, 1), shortest set",
)
def hpd_uniform_threshold(
    count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided"
) -> TestResult:
    """Return the posterior probability of the error rates less dense than the threshold.

    Examples
    --------
    >>> round(hpd_uniform_threshold(ErrorCount(3, 120), against=0.08).pvalue, 4)
    np.float64(0.0116)
    """
    return _less_dense(count, 1.0, against, alternative)


def _shortest(name: str, count: ErrorCount, prior: float, alpha: float, side: Side) -> Interval:
    each = tail(alpha, side)
    if side != "two":
        limits = once(lambda m, n: open_ends(beta_limits(m, n, (prior, prior), each), m, n), count)
    else:
        limits = once(lambda m, n: _shortest_limits(m + prior, n - m + prior, alpha), count)
    return as_interval(name, limits, alpha, side)


def _shortest_limits(a: Any, b: Any, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Return the two points of equal density between which Beta(a, b) has probability 1 − α."""
    mirrored = a > b  # the equations keep their digits near 0
    first, second = np.where(mirrored, b, a), np.where(mirrored, a, b)
    falling = first <= 1  # a density without a peak spends all of alpha on one side
    bell_a, bell_b = np.where(falling, 2.0, first), np.where(falling, 2.0, second)
    below = np.where(falling, 0.0, _lower_share(bell_a, bell_b, alpha))
    below = np.where(mirrored, 1 - below, below)
    low, high = beta_low(a, b, alpha * below), beta_high(a, b, alpha * (1 - below))
    # The densest point belongs to the set, however short; rounding may not exclude it.
    mode = np.where(mirrored, 1 - _mode(bell_a, bell_b), _mode(bell_a, bell_b))
    low, high = np.where(falling, low, np.minimum(low, mode)), np.where(falling, high, np.maximum(high, mode))
    return np.where(below == 0, 0.0, low)[()], np.where(below == 1, 1.0, high)[()]


def _mode(a: Any, b: Any) -> Numbers:
    """Return the densest point of Beta(a, b), both above 1."""
    return (a - 1) / (a + b - 2)


def _lower_share(a: Any, b: Any, alpha: float) -> Numbers:
    """Return the part of alpha that the shortest set leaves below itself."""
    mode, total = _mode(a, b), a + b
    # How finely a limit can be placed, in standard deviations: the share cannot be known better.
    resolution = np.spacing(mode) * total * np.sqrt(total / a) / np.sqrt(b)

    def step(share: FloatArray) -> tuple[FloatArray, FloatArray]:
        low, high = beta_low(a, b, alpha * share), beta_high(a, b, alpha * (1 - share))
        rest = beta_low(b, a, alpha * (1 - share))  # 1 − high, with its digits
        # By how much the density falls from the mode to either limit: differences, which keep their digits.
        fall_low = deviance(a - 1, b - 1, low)
        fall_high = np.where(high < 0.5, deviance(a - 1, b - 1, high), deviance(b - 1, a - 1, rest))
        slope_low = ((a - 1) * (1 - low) - (b - 1) * low) / beta_front(a, b, low)
        front_high = np.where(high < 0.5, beta_front(a, b, high), beta_front(b, a, rest))
        slope_high = ((a - 1) * rest - (b - 1) * high) / front_high
        residual = fall_high - fall_low
        change = residual / ((slope_low - slope_high) * alpha * share * (1 - share))  # in the log odds of the share
        odds = np.exp(-np.clip(change, -30, 30))
        settled = np.abs(change) <= resolution
        return np.where(settled, 0.0, residual), share * odds / (1 - share + share * odds)

    return solve(step, np.full(np.shape(a), 0.5), 0.0, 1.0)


def _less_dense(count: ErrorCount, prior: float, against: ArrayLike, alternative: Alternative) -> TestResult:
    p = as_threshold(against, count)
    if alternative != "two-sided":
        return decided_by_tails(count, p, beta_tails(count, (prior, prior), p), alternative)
    outside = _mass_less_dense(count.errors + prior, count.successes + prior, p)
    return TestResult(statistic=count.rate - p, pvalue=outside)


def _mass_less_dense(a: Any, b: Any, p: Any) -> Numbers:
    """Return the probability of Beta(a, b) where its density is below that at p."""
    mirrored = a > b  # the equations keep their digits near 0
    a, b, p = np.where(mirrored, b, a), np.where(mirrored, a, b), np.where(mirrored, 1 - p, p)
    falling = a <= 1
    bell_a, bell_b = np.where(falling, 2.0, a), np.where(falling, 2.0, b)
    mode = _mode(bell_a, bell_b)
    left = p < mode  # the point of equal density lies on the other side of the mode

    fall = deviance(bell_a - 1, bell_b - 1, p)

    def step(x: FloatArray) -> tuple[Numbers, Numbers]:
        residual = fall - deviance(bell_a - 1, bell_b - 1, x)
        guess = x - residual / ((bell_a - 1) / x - (bell_b - 1) / (1 - x))
        return np.where(left, -residual, residual), guess

    start = np.where(left, (1 + mode) / 2, mode / 2)
    twin = solve(step, start, np.where(left, mode, 0.0), np.where(left, 1.0, mode))
    below, above = np.where(left, p, twin), np.where(left, twin, p)
    bell = beta_at_most(bell_a, bell_b, below) + beta_above(bell_a, bell_b, above)
    return np.minimum(np.where(falling, beta_above(a, b, p), bell), 1.0)[()]
