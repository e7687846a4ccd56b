"""The estimate, or a transform of it, taken for normal."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...evidence import ErrorCount
from ...evidence.validation import as_threshold
from ...numerics.distributions import normal_pvalue, normal_quantile, ratio
from ...numerics.repetition import in_blocks
from ...typing_ import FloatArray, IntArray, Numbers
from ..pivots import Limits, Score, Tails
from ..registry import Standing, procedure
from .assumptions import INTERIOR, NORMAL_APPROXIMATION, NORMAL_WITH_ROOM, ROOM_AT_THRESHOLD, WALD
from .exact import clopper_pearson, clopper_pearson_limits
from .open_ends import open_ends, open_tails


@procedure(
    name="wald",
    evidence=ErrorCount,
    assumes=WALD,
    standing=Standing.FORBIDDEN,
    reference="mitchell1997",
    interval={
        "because": "at low error rates it covers far less than it says: its coverage falls to 0 as the true error does",
        "monotone": False,
        "within": False,
    },
    test={"because": "it takes the variance from the estimate, which has none at 0 errors"},
)
def wald(count: ErrorCount) -> Score:
    """Textbook interval and test for an error rate, neither corrected nor cut off.

    Notes
    -----
    The limits are e ± z√(e(1−e)/M), Mitchell's (5.1), and Martin and Hirschberg's eq. 2 without its correction. They
    have no width at 0 errors. The statistic is the distance in plug-in standard errors. Kept because papers report it.

    Examples
    --------
    >>> limits = wald(ErrorCount(12, 40)).interval()
    >>> round(limits.low, 2), round(limits.high, 2)
    (np.float64(0.16), np.float64(0.44))
    >>> round(wald(ErrorCount(15, 148)).test(0.05).statistic, 3)
    np.float64(2.07)
    """

    def z(null: Any) -> FloatArray:
        return ratio(count.rate - as_threshold(null, count), count.standard_error, empty=0.0)

    return Score(z, invert=lambda z: limits_around(count, z))


def limits_around(count: ErrorCount, z: float, errors_added: float = 0.0) -> Limits:
    """Return the limits z plug-in standard errors, and so many errors, on either side of the estimate."""

    def limits(errors: IntArray, trials: IntArray) -> Limits:
        rate = errors / trials
        reach = errors_added / trials + z * np.sqrt(rate * (1 - rate) / trials)
        return rate - reach, rate + reach

    return in_blocks(limits, count.errors, count.trials)


@procedure(
    name="arcsine",
    evidence=ErrorCount,
    standing=Standing.SOUND,
    reference="anscombe1948",
    interval={"because": "closed form with a fair floor", "assumes": NORMAL_APPROXIMATION},
    test={**NORMAL_WITH_ROOM, "because": "it decides as the interval does"},
)
def arcsine(count: ErrorCount) -> Tails:
    """Interval and test for an error rate on the scale where the variance hardly depends on it.

    Notes
    -----
    sin²(arcsin √((m + 3/8)/(M + 3/4)) ± z/(2√M)), with the angle held between 0 and π/2: beyond them the sine would
    fold back. 0 below no errors, 1 above no successes.

    Examples
    --------
    >>> round(arcsine(ErrorCount(0, 20)).interval().high, 4)
    np.float64(0.1201)
    >>> round(arcsine(ErrorCount(15, 148)).test(0.05).statistic, 3)
    np.float64(2.477)
    """

    def z(null: Any) -> Numbers:
        p = as_threshold(null, count)
        angle = _angle(count.errors, count.trials)
        return 2 * np.sqrt(count.trials) * (angle - np.arctan2(np.sqrt(p), np.sqrt(1 - p)))

    def invert(tail: float) -> Limits:
        quantile = normal_quantile(tail)

        def limits(errors: IntArray, trials: IntArray) -> Limits:
            mirrored = 2 * errors > trials  # the squared sine of an angle near π/2 has no digits of its distance from 1
            angle = _angle(np.where(mirrored, trials - errors, errors), trials)
            reach = quantile / (2 * np.sqrt(trials))
            low, high = (np.sin(np.clip(end, 0, np.pi / 2)) ** 2 for end in (angle - reach, angle + reach))
            return np.where(mirrored, 1 - high, low)[()], np.where(mirrored, 1 - low, high)[()]

        return open_ends(in_blocks(limits, count.errors, count.trials), count.errors, count.trials)

    return Tails(lambda null: open_tails(_normal_tails(z(null)), count), invert, statistic=z)


def _angle(errors: IntArray, trials: IntArray) -> Numbers:
    return np.arctan2(np.sqrt(errors + 0.375), np.sqrt(trials - errors + 0.375))


@procedure(
    name="logit",
    evidence=ErrorCount,
    standing=Standing.SOUND,
    reference="brown2001",
    interval={
        "assumes": (*NORMAL_APPROXIMATION, INTERIOR),
        "because": "what a logistic model would report; undefined at no errors, where clopper-pearson stands in",
        "monotone": False,
    },
    test={
        **NORMAL_WITH_ROOM,
        "assumes": (*NORMAL_APPROXIMATION, INTERIOR, ROOM_AT_THRESHOLD),
        "because": "it decides as the interval does",
    },
)
def logit(count: ErrorCount) -> Tails:
    """Interval and test for an error rate on the scale of its log odds.

    Notes
    -----
    The limits are those of log(m/(M−m)) ± z√(M/(m(M−m))). At no errors or no successes the log odds are infinite;
    Clopper and Pearson's limits and test stand there, and the result says so. From about 98 % on the limits are not
    monotone: two errors may get a lower one than one error, whose standard error is so much larger.

    Examples
    --------
    >>> round(logit(ErrorCount(15, 148)).interval().low, 4)
    np.float64(0.062)
    >>> round(logit(ErrorCount(15, 148)).test(0.05).statistic, 3)
    np.float64(2.798)
    """
    exact = clopper_pearson(count)
    inner = (count.errors > 0) & (count.successes > 0)

    def z(null: Any) -> Numbers:
        p, m, rest = as_threshold(null, count), np.where(inner, count.errors, 1), np.where(inner, count.successes, 1)
        return (np.log(m / rest) - np.log(p / (1 - p))) / np.sqrt(1 / m + 1 / rest)

    def tails(null: Any) -> tuple[FloatArray, FloatArray]:
        less, greater = (
            np.where(inner, normal, at_ends)[()]
            for normal, at_ends in zip(_normal_tails(z(null)), exact.tails(null), strict=True)
        )
        return less, greater

    def invert(tail: float) -> Limits:
        quantile = normal_quantile(tail)

        def limits(errors: IntArray, trials: IntArray) -> Limits:
            inner = (errors > 0) & (errors < trials)
            m, rest = np.where(inner, errors, 1), np.where(inner, trials - errors, 1)
            odds, reach = rest / m, np.exp(quantile * np.sqrt(1 / m + 1 / rest))
            low, high = 1 / (1 + odds * reach), 1 / (1 + odds / reach)  # in order, whatever rounding does
            if np.all(inner):
                return low, high
            ends = clopper_pearson_limits(np.where(inner, 0, errors), trials, tail)  # of the others they are not asked
            return np.where(inner, low, ends[0])[()], np.where(inner, high, ends[1])[()]

        return in_blocks(limits, count.errors, count.trials)

    return Tails(tails, invert, statistic=lambda null: np.where(inner, z(null), exact.statistic(null))[()])


def _normal_tails(z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the p-values of "less" and of "greater" of a standard normal statistic."""
    return normal_pvalue(z, "less"), normal_pvalue(z, "greater")
