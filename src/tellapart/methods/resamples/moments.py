"""Mean and variance over the test sets of a plan, and the t test and limits that follow from them.

The values are the losses of one learner or the differences of two; every function takes either.
Values that are all the same have no spread, and a t test has nothing to judge them by: then the p-value is 1,
the interval is the whole range, and an assumption of the method says so. Scores that
differ by rounding alone count as the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...evidence import Resamples
from ...results import Interval, Significance
from ...types import Alternative, FloatArray, Numbers, Side, one_of
from ..distributions import ratio, tail
from ..limits import as_interval

__all__ = ["ROUNDING", "Moments", "moments", "student", "student_interval", "without_rounding"]

ROUNDING = 64 * np.finfo(float).eps  # what arithmetic on some numbers may leave of nothing, relative to them


class Moments(NamedTuple):
    """The mean of the values, their variance (over one less than their number) and how many there are."""

    mean: FloatArray
    variance: FloatArray
    runs: int


def moments(resamples: Resamples) -> Moments:
    """Return mean and variance of the values over all test sets, each counting alike.

    Examples
    --------
    >>> held = Resamples.from_scores([0.9, 0.8, 0.7], [0.8, 0.8, 0.8], plan="3-fold")
    >>> mean, variance, runs = moments(held)
    >>> abs(mean) < 1e-12, round(variance, 4), runs
    (np.True_, np.float64(0.01), 3)
    """
    values, runs = resamples.values, resamples.runs
    mean = values.mean(axis=(-2, -1))
    apart = values - mean[..., None, None]
    variance = (apart**2).sum(axis=(-2, -1)) / max(runs - 1, 1)
    scale = np.abs(resamples.loss).max(axis=(-3, -2, -1))
    return Moments(without_rounding(mean, scale), without_rounding(variance, scale, power=2), runs)


def without_rounding(value: Numbers, scale: Numbers, power: int = 1) -> FloatArray:
    """Return 0 for what is no more than rounding in numbers of this size (or in their squares)."""
    return np.where(np.abs(value) <= (ROUNDING * scale) ** power, 0.0, value)[()]


def student(mean: Numbers, error: Numbers, freedom: Numbers, alternative: Alternative) -> Significance:
    """Return t = mean/error and its p-value; without any error t is 0 or infinite and p is 1.

    Examples
    --------
    >>> student(0.04, 0.01, 9, "two-sided").pvalue.round(5)
    np.float64(0.00311)
    """
    from scipy.special import stdtr

    one_of("alternative", alternative, Alternative)
    t = ratio(mean, error, empty=np.nan)
    less, greater = stdtr(freedom, t), stdtr(freedom, -t)
    pvalue = {"two-sided": 2 * np.minimum(less, greater), "less": less, "greater": greater}[alternative]
    flat = np.asarray(error) == 0
    endless = np.where(np.asarray(mean) == 0, 0.0, np.copysign(np.inf, mean))
    return Significance(statistic=np.where(flat, endless, t)[()], pvalue=np.where(flat, 1.0, pvalue)[()])


def student_interval(
    name: str, resamples: Resamples, centre: Numbers, error: Numbers, freedom: Numbers, alpha: float, side: Side
) -> Interval:
    """Return centre ∓ t·error inside the parameter's range; the whole range where there is no error."""
    from scipy.special import stdtrit

    reach = -stdtrit(freedom, tail(alpha, side)) * error
    least, most = resamples.range
    flat = np.asarray(error) == 0
    low = np.where(flat, least, np.clip(centre - reach, least, most))[()]
    high = np.where(flat, most, np.clip(centre + reach, least, most))[()]
    return as_interval(name, (low, high), alpha, side, resamples.parameter, resamples.range)
