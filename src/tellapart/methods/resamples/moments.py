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
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Numbers, Side, one_of
from ..distributions import ratio, student_critical, tail
from ..limits import as_interval
from ..rounding import scale, unit, without_rounding

_FEW = 100  # degrees of freedom
_SMALL = 0.01  # p-values below which two digits are lost


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
    from scipy.special import stdtr

    one_of("alternative", alternative, Alternative)
    t = ratio(mean, error, empty=np.nan)
    if alternative == "two-sided":
        pvalue = _two_tails(freedom, t)
    else:
        pvalue = stdtr(freedom, t if alternative == "less" else -t)
    flat = np.asarray(error) == 0
    endless = ratio(mean, 0.0, empty=0.0)  # NaN of what is not known
    return TestResult(statistic=np.where(flat, endless, t)[()], pvalue=np.where(flat, 1.0, pvalue)[()])


def _two_tails(freedom: Numbers, t: FloatArray) -> FloatArray:
    """Return P(|T| ≥ |t|), for a few degrees of freedom by a sum that takes a tenth of the time.

    With θ = arctan(|t|/√ν), P(|T| < |t|) is sin θ·(1 + ½cos²θ + (1·3)/(2·4)·cos⁴θ + …) for an even number ν, and
    (2/π)·(θ + sin θ cos θ·(1 + ⅔cos²θ + …)) for an odd one (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4). It ends
    after ν/2 terms. What it leaves to 1 has lost digits where it is small, and is computed otherwise there.
    """
    from scipy.special import stdtr

    size = np.abs(t)
    if np.ndim(freedom) or not (1 <= freedom <= _FEW and freedom % 1 == 0):
        return np.asarray(2 * stdtr(freedom, -size))
    odd = int(freedom % 2)
    with np.errstate(invalid="ignore", over="ignore"):  # an infinite t: then p is small
        tangent = size / np.sqrt(freedom)
        squared = 1 / (1 + tangent * tangent)
        terms = np.ones_like(squared)
        for place in range(int(freedom) // 2 - 1, 0, -1):
            terms *= squared
            terms *= (2 * place - 1 + odd) / (2 * place + odd)
            terms += 1
        if odd:
            inside = np.arctan(tangent) + (tangent * squared * terms if freedom > 1 else 0.0)
            inside = inside * (2 / np.pi)
        else:
            inside = tangent * np.sqrt(squared) * terms
    pvalue = np.asarray(1 - inside)
    small = ~(pvalue > _SMALL)  # or NaN
    pvalue[small] = 2 * stdtr(freedom, -np.asarray(size)[small])
    return pvalue[()]


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
