"""Martin and Hirschberg (1996): formulas as the report prints them, where the methods compute something else.

They are here for figures that may have been made with them; the methods are what to use.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...evidence import ErrorCount, Resamples
from ...methods.distributions import critical
from ...methods.error_count import jeffreys_handbook
from ...methods.resamples.moments import student
from ...methods.resamples.t_tests import of_each, unpaired_moments
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray


def handbook_as_printed(count: ErrorCount, *, alpha: float = 0.05) -> Interval:
    """Return the limits of appendix A.3 (`jeffreys-handbook`) with its four misprints; cut off at 0 and 1.

    Examples
    --------
    >>> handbook_as_printed(ErrorCount(4, 10)).high.round(4)
    np.float64(0.6761)
    """
    right = jeffreys_handbook(count, alpha=alpha)
    fewer = np.minimum(count.errors, count.successes)
    mirrored = count.errors > count.successes
    inner = fewer > 5
    trials = np.where(inner, count.trials, 12)
    low, high = inverse_beta(np.where(inner, fewer, 6), trials, critical(alpha, "two"), factor=1, sign=+1)
    high = np.clip(np.where(inner, high, fitted_as_printed(np.where(inner, 0, fewer), count.trials)), 0.0, 1.0)
    # The lower limits of up to five errors are printed right.
    near, far = np.where(inner, np.where(mirrored, 1 - low, low), np.where(mirrored, right.high, right.low)), high
    ends = np.where(mirrored, 1 - far, near)[()], np.where(mirrored, near, far)[()]
    return Interval(low=ends[0], high=ends[1], alpha=alpha, side="two", method="jeffreys-handbook", parameter="error")


def inverse_beta(m: Any, n: Any, z: float, *, factor: float, sign: float) -> tuple[FloatArray, FloatArray]:
    """Return the handbook's limits (formula 26.5.22) with this factor in the exponent and this sign of 2/(3h).

    The formula is right with factor 2 and sign −1; the report prints factor 1 and sign +1.

    Examples
    --------
    >>> [end.round(3) for end in inverse_beta(6, 20, 1.96, factor=2, sign=-1)]
    [np.float64(0.136), np.float64(0.517)]
    """
    m, n = np.asarray(m, dtype=float), np.asarray(n, dtype=float)  # products overflow integers
    rest = n - m
    h, curvature = 4 * m * (rest / n), (z * z - 3) / 6
    near = z * np.sqrt(h + curvature) / h
    shift = (curvature + 5 / 6 + sign * 2 / (3 * h)) * (n - 2 * m) / (2 * m * rest)
    odds = (rest + 0.5) / (m + 0.5)
    return 1 / (1 + odds * np.exp(factor * (shift + near))), 1 / (1 + odds * np.exp(factor * (shift - near)))


def fitted_as_printed(m: Any, n: Any) -> FloatArray:
    """Return the fitted upper limits of up to five errors: with 0.237901 for 0.273901, and b₂ of the wrong sign.

    Examples
    --------
    >>> fitted_as_printed(0, 200).round(2)
    np.float64(2.42)
    """
    m, log = np.asarray(m, dtype=float), np.log(n)
    none = 0.132893 - 0.539755 * log + 0.093773 * log**2 + 0.00657 * log**3
    some = (
        (0.237901 + 0.207148 * m - 0.05118 * m**2 + 0.002488 * m**3)
        - (0.500124 - 0.148240 * m) * log
        - (0.099266 + 0.032337 * m) * log**2
        + (0.006670 + 0.002430 * m) * log**3
    )
    with np.errstate(over="ignore"):  # far outside the range of the fit
        return np.asarray(np.exp(np.where(m > 0, some, none)))


def unpaired_t_as_printed(
    resamples: Resamples, *, against: float = 0.0, alternative: Alternative = "two-sided"
) -> TestResult:
    """Test by `unpaired-t` with the η − 1 degrees of freedom of section 3.3; η is the smaller number of runs.

    Examples
    --------
    >>> runs = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="seeds")
    >>> unpaired_t_as_printed(runs).pvalue.round(4)
    np.float64(0.0796)
    """
    mean, error, _ = unpaired_moments(resamples)
    fewer = of_each("unpaired-t", resamples)[2].min(axis=-1)
    return student(mean - against, error, fewer - 1, alternative)
