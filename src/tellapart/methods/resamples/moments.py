"""Mean and standard deviation over the test sets of a plan, and the t test and limits that follow from them.

The values are the losses of one learner or the differences of two; every function takes either.
Values that are all the same have no spread, and a t test has nothing to judge them by: then the p-value is 1,
the interval is the whole range, and an assumption of the method says so. Scores that
differ by rounding alone count as the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...evidence import Resamples
from ...numerics.distributions import ratio, tail
from ...numerics.rounding import unit, without_rounding
from ...numerics.student_t import student_critical, student_pvalue
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Numbers, Side, one_of
from ..limits import as_interval
from ..loss_scale import scale


class Moments(NamedTuple):
    """The mean of the values, their standard deviation (over one less than their number) and how many there are."""

    mean: FloatArray
    deviation: FloatArray
    runs: int


def moments(resamples: Resamples) -> Moments:
    """Return mean and standard deviation of the values over all test sets, each counting alike.

    Examples
    --------
    >>> held = Resamples.from_scores([0.9, 0.8, 0.7], [0.8, 0.8, 0.8], plan="3-fold")
    >>> mean, deviation, runs = moments(held)
    >>> abs(mean) < 1e-12, round(deviation, 4), runs
    (np.True_, np.float64(0.1), 3)
    """
    size, runs = scale(resamples), resamples.runs
    one = unit(size)
    values = resamples.values / one[..., None, None]
    mean = values.mean(axis=(-2, -1))
    values = values - mean[..., None, None]
    deviation = np.sqrt(np.einsum("...ij,...ij->...", values, values) / max(runs - 1, 1))
    return Moments(without_rounding(mean * one, size), without_rounding(deviation * one, size), runs)


def student(mean: Numbers, error: Numbers, freedom: Numbers, alternative: Alternative) -> TestResult:
    """Return t = mean/error and its p-value; without any error t is 0 or infinite and p is 1.

    Examples
    --------
    >>> student(0.04, 0.01, 9, "two-sided").pvalue.round(5)
    np.float64(0.00311)
    """
    one_of("alternative", alternative, Alternative)
    t = ratio(mean, error, empty=np.nan)
    pvalue = student_pvalue(t, freedom, alternative, quick=True)
    flat = np.asarray(error) == 0
    endless = ratio(mean, 0.0, empty=0.0)  # NaN of what is not known
    return TestResult(statistic=np.where(flat, endless, t)[()], pvalue=np.where(flat, 1.0, pvalue)[()])


def student_interval(
    name: str, resamples: Resamples, centre: Numbers, error: Numbers, freedom: Numbers, alpha: float, side: Side
) -> Interval:
    """Return centre ∓ t·error inside the parameter's range; the whole range where there is no error."""
    reach = student_critical(freedom, tail(alpha, side)) * error
    least, most = resamples.range
    flat = np.asarray(error) == 0
    low = np.where(flat, least, np.clip(centre - reach, least, most))[()]
    high = np.where(flat, most, np.clip(centre + reach, least, most))[()]
    return as_interval(name, (low, high), alpha, side, resamples.parameter, resamples.range)
