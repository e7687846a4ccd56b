"""Limits that take the estimate, or a transform of it, for normal."""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import ArrayLike

from ...evidence import ErrorCount
from ...evidence.validation import as_threshold
from ...numerics.distributions import critical, normal_pvalue, pvalue_of_tails, ratio, tail
from ...numerics.repetition import in_blocks
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, IntArray, Numbers, Side
from ..limits import as_interval
from ..registry import Standing, method
from .assumptions import INSIDE_RANGE, INTERIOR, NORMAL_APPROXIMATION, ROOM_AT_THRESHOLD
from .common import open_ends
from .exact import clopper_pearson_limits, clopper_pearson_threshold

_WALD = (*NORMAL_APPROXIMATION, INSIDE_RANGE)


@method(
    name="wald",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    assumes=_WALD,
    standing=Standing.FORBIDDEN,
    because="at low error rates it covers far less than it says: its coverage falls to 0 as the true error does",
    monotone=False,
    within=False,
    reference="mitchell1997",
)
def wald(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the textbook limits e ± z√(e(1−e)/M), neither corrected nor cut off.

    Mitchell's (5.1), and Martin and Hirschberg's eq. 2 without its correction. Of no width
    at 0 errors. Kept because papers report it.

    Examples
    --------
    >>> limits = wald(ErrorCount(12, 40))
    >>> round(limits.low, 2), round(limits.high, 2)
    (np.float64(0.16), np.float64(0.44))
    """
    return as_interval("wald", _around(count, critical(alpha, side), correction=0.0), alpha, side)


@method(
    name="wald",
    gives="test",
    question=1,
    evidence=ErrorCount,
    assumes=_WALD,
    standing=Standing.FORBIDDEN,
    because="it takes the variance from the estimate, which has none at 0 errors",
    reference="mitchell1997",
)
def wald_threshold(count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
    """Test the error against a threshold, in units of its plug-in standard error.

    Examples
    --------
    >>> round(wald_threshold(ErrorCount(15, 148), against=0.05).statistic, 3)
    np.float64(2.07)
    """
    z = ratio(count.rate - as_threshold(against, count), count.standard_error, empty=0.0)
    return TestResult(statistic=z, pvalue=normal_pvalue(z, alternative))


@method(
    name="wald-cc",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    assumes=_WALD,
    standing=Standing.HEURISTIC,
    because="the correction saves it from having no width, not from covering too little",
    monotone=False,
    within=False,
    reference="martin1996",
)
def wald_cc(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the textbook limits e ± (1/(2M) + z√(e(1−e)/M)), not cut off.

    Martin and Hirschberg's eq. 2: the correction for continuity is half an error.

    Examples
    --------
    >>> round(wald_cc(ErrorCount(1, 10)).low, 6)
    np.float64(-0.135939)
    """
    return as_interval("wald-cc", _around(count, critical(alpha, side), correction=0.5), alpha, side)


@method(
    name="wald-cc",
    gives="test",
    question=1,
    evidence=ErrorCount,
    assumes=_WALD,
    standing=Standing.HEURISTIC,
    because="it decides as the corrected textbook interval does",
    reference="martin1996",
)
def wald_cc_threshold(count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
    """Test the error against a threshold, half an error closer, in plug-in standard errors.

    Examples
    --------
    >>> round(wald_cc_threshold(ErrorCount(15, 148), against=0.05).statistic, 3)
    np.float64(1.934)
    """
    excess, half = count.rate - as_threshold(against, count), 0.5 / count.trials
    less = normal_pvalue(ratio(excess + half, count.standard_error, empty=0.0), "less")
    greater = normal_pvalue(ratio(excess - half, count.standard_error, empty=0.0), "greater")
    statistic = np.sign(excess) * ratio(np.maximum(np.abs(excess) - half, 0), count.standard_error, empty=0.0)
    return TestResult(statistic=statistic, pvalue=pvalue_of_tails(less, greater, alternative))


@method(
    name="arcsine",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    assumes=NORMAL_APPROXIMATION,
    standing=Standing.SOUND,
    because="closed form with a fair floor",
    reference="anscombe1948",
)
def arcsine(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give limits on the scale where the variance hardly depends on the error.

    sin²(arcsin √((m + 3/8)/(M + 3/4)) ± z/(2√M)), with the angle held between 0 and π/2:
    beyond them the sine would fold back. 0 below no errors, 1 above no successes.

    Examples
    --------
    >>> round(arcsine(ErrorCount(0, 20)).high, 4)
    np.float64(0.1201)
    """
    z = critical(alpha, side)

    def limits(errors: IntArray, trials: IntArray) -> tuple[FloatArray, FloatArray]:
        mirrored = 2 * errors > trials  # the squared sine of an angle near π/2 has no digits of its distance from 1
        angle, reach = _angle(np.where(mirrored, trials - errors, errors), trials), z / (2 * np.sqrt(trials))
        low, high = (np.sin(np.clip(end, 0, np.pi / 2)) ** 2 for end in (angle - reach, angle + reach))
        return np.where(mirrored, 1 - high, low)[()], np.where(mirrored, 1 - low, high)[()]

    return as_interval(
        "arcsine", open_ends(in_blocks(limits, count.errors, count.trials), count.errors, count.trials), alpha, side
    )


@method(
    name="arcsine",
    gives="test",
    question=1,
    evidence=ErrorCount,
    assumes=(*NORMAL_APPROXIMATION, ROOM_AT_THRESHOLD),
    standing=Standing.SOUND,
    because="it decides as the interval does",
    holds="thresholds p with M·p·(1−p) of 10 or more",
    where={"variance": (10, inf)},
    reference="anscombe1948",
)
def arcsine_threshold(count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
    """Test the error against a threshold on the arcsine scale.

    Examples
    --------
    >>> round(arcsine_threshold(ErrorCount(15, 148), against=0.05).statistic, 3)
    np.float64(2.477)
    """
    p = as_threshold(against, count)
    z = 2 * np.sqrt(count.trials) * (_angle(count.errors, count.trials) - np.arctan2(np.sqrt(p), np.sqrt(1 - p)))
    less = np.where(count.successes == 0, 1.0, normal_pvalue(z, "less"))
    greater = np.where(count.errors == 0, 1.0, normal_pvalue(z, "greater"))
    return TestResult(statistic=z, pvalue=pvalue_of_tails(less, greater, alternative)[()])


@method(
    name="logit",
    gives="interval",
    question=1,
    evidence=ErrorCount,
    assumes=(*NORMAL_APPROXIMATION, INTERIOR),
    standing=Standing.SOUND,
    because="what a logistic model would report; undefined at no errors, where clopper-pearson stands in",
    monotone=False,
    reference="brown2001",
)
def logit(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give limits on the log-odds scale, log(m/(M−m)) ± z√(M/(m(M−m))).

    At no errors or no successes the log odds are infinite; Clopper and Pearson's limits
    stand there, and the result says so. From about 98 % on the limits are not monotone: two
    errors may get a lower one than one error, whose standard error is so much larger.

    Examples
    --------
    >>> round(logit(ErrorCount(15, 148)).low, 4)
    np.float64(0.062)
    """
    z, each = critical(alpha, side), tail(alpha, side)

    def limits(errors: IntArray, trials: IntArray) -> tuple[FloatArray, FloatArray]:
        inner = (errors > 0) & (errors < trials)
        m, rest = np.where(inner, errors, 1), np.where(inner, trials - errors, 1)
        odds, reach = rest / m, np.exp(z * np.sqrt(1 / m + 1 / rest))
        low, high = 1 / (1 + odds * reach), 1 / (1 + odds / reach)  # in order, whatever rounding does
        if np.all(inner):
            return low, high
        ends = clopper_pearson_limits(np.where(inner, 0, errors), trials, each)  # of the others they are not asked
        return np.where(inner, low, ends[0])[()], np.where(inner, high, ends[1])[()]

    return as_interval("logit", in_blocks(limits, count.errors, count.trials), alpha, side)


@method(
    name="logit",
    gives="test",
    question=1,
    evidence=ErrorCount,
    assumes=(*NORMAL_APPROXIMATION, INTERIOR, ROOM_AT_THRESHOLD),
    standing=Standing.SOUND,
    because="it decides as the interval does",
    holds="thresholds p with M·p·(1−p) of 10 or more",
    where={"variance": (10, inf)},
    reference="brown2001",
)
def logit_threshold(count: ErrorCount, *, against: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
    """Test the error against a threshold on the log-odds scale; by the exact test at the ends.

    Examples
    --------
    >>> round(logit_threshold(ErrorCount(15, 148), against=0.05).statistic, 3)
    np.float64(2.798)
    """
    p = as_threshold(against, count)
    inner = (count.errors > 0) & (count.successes > 0)
    m, rest = np.where(inner, count.errors, 1), np.where(inner, count.successes, 1)
    z = (np.log(m / rest) - np.log(p / (1 - p))) / np.sqrt(1 / m + 1 / rest)
    exact = clopper_pearson_threshold(count, against=against, alternative=alternative)
    return TestResult(
        statistic=np.where(inner, z, exact.statistic)[()],
        pvalue=np.where(inner, normal_pvalue(z, alternative), exact.pvalue)[()],
    )


def _around(count: ErrorCount, z: float, correction: float) -> tuple[FloatArray, FloatArray]:
    def limits(errors: IntArray, trials: IntArray) -> tuple[FloatArray, FloatArray]:
        rate = errors / trials
        reach = correction / trials + z * np.sqrt(rate * (1 - rate) / trials)
        return rate - reach, rate + reach

    return in_blocks(limits, count.errors, count.trials)


def _angle(errors: IntArray, trials: IntArray) -> Numbers:
    return np.arctan2(np.sqrt(errors + 0.375), np.sqrt(trials - errors + 0.375))
