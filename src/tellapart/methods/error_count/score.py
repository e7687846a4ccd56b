"""The score interval and its relatives: closed forms that behave.

This is the file to read before adding a method: the facts stand in `@method`, the
docstring makes the promise, the body does the arithmetic for any number of counts.
"""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...evidence import ErrorCount
from ...evidence.validation import as_threshold
from ...numerics.distributions import critical, normal_pvalue, pvalue_of_tails
from ...numerics.repetition import in_blocks
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Numbers, Side
from ..limits import as_interval
from ..registry import Standing, method
from .assumptions import NORMAL_APPROXIMATION, ROOM_AT_THRESHOLD
from .common import open_ends


@method(
    name="wilson",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    assumes=NORMAL_APPROXIMATION,
    standing=Standing.RECOMMENDED,
    because="closed form, never degenerate, and it decides as the score test does; short near one expected error",
    reference="wilson1927",
)
def wilson(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the limits that the score test does not reject.

    The roots p of (e − p)² = z² p(1−p)/M: (m + z²/2 ± z√(m(1−e) + z²/4)) / (M + z²).
    Martin and Hirschberg's alternative limits (eq. 3) are the same. The coverage dips to
    0.84 where one or two errors are expected, at every number of trials.

    Examples
    --------
    >>> limits = wilson(ErrorCount(15, 148))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0624), np.float64(0.1605))
    """
    z = critical(alpha, side)
    return as_interval(
        "wilson", in_blocks(lambda m, n: score_limits(m, m, n, z), count.errors, count.trials), alpha, side
    )


@method(
    name="wilson",
    gives="test",
    question=1,
    evidence=ErrorCount,
    assumes=(*NORMAL_APPROXIMATION, ROOM_AT_THRESHOLD),
    standing=Standing.SOUND,
    because="closed form; it decides as Wilson's interval does",
    holds="thresholds p with M·p·(1−p) of 10 or more",
    where={"variance": (10, inf)},
    reference="wilson1927",
)
def wilson_threshold(count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
    """Test the error against a threshold by the score statistic.

    Examples
    --------
    >>> round(wilson_threshold(ErrorCount(15, 148), against=0.05).statistic, 3)
    np.float64(2.866)
    """
    p = as_threshold(against, count)
    z = (count.errors - count.trials * p) / np.sqrt(count.trials * p * (1 - p))
    return TestResult(statistic=z, pvalue=normal_pvalue(z, alternative))


@method(
    name="wilson-cc",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    assumes=NORMAL_APPROXIMATION,
    standing=Standing.SOUND,
    because="a closed form that all but keeps the guarantee of clopper-pearson; as wide",
    reference="newcombe1998",
)
def wilson_cc(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the score limits with a correction for continuity.

    Wilson's lower root at m − ½ errors and his upper root at m + ½ (Newcombe's method 4);
    0 below no errors, 1 above no successes.

    Examples
    --------
    >>> round(wilson_cc(ErrorCount(13, 16)).low, 4)
    np.float64(0.5369)
    """
    z = critical(alpha, side)
    limits = in_blocks(
        lambda m, n: score_limits(np.maximum(m - 0.5, 0), np.minimum(m + 0.5, n), n, z), count.errors, count.trials
    )
    return as_interval("wilson-cc", open_ends(limits, count.errors, count.trials), alpha, side)


@method(
    name="wilson-cc",
    gives="test",
    question=1,
    evidence=ErrorCount,
    assumes=NORMAL_APPROXIMATION,
    standing=Standing.SOUND,
    because="it decides as the corrected score interval does",
    reference="newcombe1998",
)
def wilson_cc_threshold(count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
    """Test the error against a threshold by the score statistic, half an error closer.

    Examples
    --------
    >>> round(wilson_cc_threshold(ErrorCount(15, 148), against=0.05).statistic, 3)
    np.float64(2.678)
    """
    p = as_threshold(against, count)
    excess, spread = count.errors - count.trials * p, np.sqrt(count.trials * p * (1 - p))
    less = np.where(count.successes == 0, 1.0, normal_pvalue((excess + 0.5) / spread, "less"))
    greater = np.where(count.errors == 0, 1.0, normal_pvalue((excess - 0.5) / spread, "greater"))
    statistic = np.sign(excess) * np.maximum(np.abs(excess) - 0.5, 0) / spread
    return TestResult(statistic=statistic, pvalue=pvalue_of_tails(less, greater, alternative)[()])


@method(
    name="agresti-coull",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    assumes=NORMAL_APPROXIMATION,
    standing=Standing.SOUND,
    because="explains itself and keeps a good floor; wide near the ends, where it is cut off",
    reference="agresti1998",
)
def agresti_coull(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give Wald's limits after z²/2 errors and z²/2 successes were added.

    "Add two errors and two successes" is another interval unless alpha is 0.05. The limits
    leave [0, 1] near its ends and are cut off there.

    Examples
    --------
    >>> agresti_coull(ErrorCount(0, 10)).low
    np.float64(0.0)
    """
    z = critical(alpha, side)
    return as_interval(
        "agresti-coull", in_blocks(lambda m, n: _agresti_coull(m, n, z), count.errors, count.trials), alpha, side
    )


@method(
    name="agresti-coull",
    gives="test",
    question=1,
    evidence=ErrorCount,
    assumes=(*NORMAL_APPROXIMATION, ROOM_AT_THRESHOLD),
    standing=Standing.SOUND,
    because="it decides as the interval does",
    holds="thresholds p with M·p·(1−p) of 10 or more",
    where={"variance": (10, inf)},
    reference="agresti1998",
)
def agresti_coull_threshold(
    count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided"
) -> TestResult:
    """Test the error against a threshold: how far must Agresti and Coull's interval reach to hold it?

    The statistic is the z at which a limit meets the threshold.

    Examples
    --------
    >>> round(agresti_coull_threshold(ErrorCount(15, 148), against=0.05).statistic, 3)
    np.float64(2.676)
    """
    p = as_threshold(against, count)
    below = count.rate > p  # it is the lower limit that has to reach the threshold
    reached, beyond = np.zeros(np.shape(below)), np.full(np.shape(below), 40.0)
    for _ in range(60):
        z = (reached + beyond) / 2
        low, high = _agresti_coull(count.errors, count.trials, z)
        outside = np.where(below, low > p, high < p)
        reached, beyond = np.where(outside, z, reached), np.where(outside, beyond, z)
    statistic = (np.where(below, 1.0, -1.0) * reached)[()]
    return TestResult(statistic=statistic, pvalue=normal_pvalue(statistic, alternative))


def score_limits(below: Any, above: Any, trials: Any, z: float) -> tuple[FloatArray, FloatArray]:
    """Return Wilson's lower root at `below` errors and his upper root at `above` errors.

    The smaller root is m²/M over the larger numerator, for their product is m²/(M(M + z²));
    as a difference it would lose its digits where z² is large against m. A negative z
    (a bound below level ½) exchanges the roots.
    """
    if z == 0:  # the bound at level ½ is the estimate itself
        return below / trials, above / trials
    total = trials + z * z
    low = _numerator(below, trials, abs(z))
    high = low if above is below else _numerator(above, trials, abs(z))
    if z < 0:
        return np.minimum(low / total, 1.0), above * (above / trials) / high
    # At nothing but errors the upper root is 1; as a quotient it may fall short by the last digit.
    return below * (below / trials) / low, np.where(above == trials, 1.0, np.minimum(high / total, 1.0))[()]


def score_distances(errors: Any, trials: Any, z: float) -> tuple[FloatArray, FloatArray]:
    """Return how far Wilson's lower limit lies below the error rate, and the upper one above it.

    With p = m/M and S = √(m(1−p) + z²/4) they are z(S + z(p−½))/(M + z²) and z(S + z(½−p))/(M + z²). The smaller of the
    two, whose numerator cancels, is zp(1−p)/(S + z|p−½|). As p − low and high − p they would lose the digits of a large
    M, and those of a rate near 1. Exchanging errors and successes exchanges the distances, to the last bit. A negative
    z (a bound below level ½) exchanges the limits: the distances are negative.

    Examples
    --------
    >>> below, above = score_distances(15, 148, 1.96)
    >>> round(15 / 148 - below, 4), round(15 / 148 + above, 4)
    (np.float64(0.0624), np.float64(0.1605))
    """
    errors, trials, reach = np.asarray(errors, dtype=float), np.asarray(trials, dtype=float), abs(z)
    successes = trials - errors
    rarer, commoner = np.minimum(errors, successes), np.maximum(errors, successes)
    spread = np.sqrt(rarer * (commoner / trials) + reach * reach / 4)
    off_centre = reach * ((commoner - rarer) / (2 * trials))
    longer = reach * (spread + off_centre) / (trials + reach * reach)
    with np.errstate(invalid="ignore"):  # at z = 0 both distances are 0
        shorter = np.where(reach > 0, reach * (rarer / trials) * (commoner / trials) / (spread + off_centre), 0.0)
    below, above = np.where(errors < successes, shorter, longer), np.where(errors > successes, shorter, longer)
    return (-above[()], -below[()]) if z < 0 else (below[()], above[()])


def _numerator(errors: Any, trials: Any, z: float) -> Numbers:
    return errors + z * z / 2 + z * np.sqrt(errors * (1 - errors / trials) + z * z / 4)


def _agresti_coull(errors: Any, trials: Any, z: Any) -> tuple[FloatArray, FloatArray]:
    total = trials + z * z
    centre = (errors + z * z / 2) / total
    reach = z * np.sqrt(centre * (1 - centre) / total)
    return np.clip(centre - reach, 0.0, 1.0), np.clip(centre + reach, 0.0, 1.0)
