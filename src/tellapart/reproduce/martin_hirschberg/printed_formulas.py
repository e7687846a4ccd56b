"""Formulas of Martin and Hirschberg (1996) as printed, including misprints.

They explain figures that may have been made with them. For data, use the methods of tellapart.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import tellapart as ta

_Z = 1.9599639845400543  # of 95%


class PrintedLimits(NamedTuple):
    """Confidence limits of one error rate, or arrays of them."""

    low: Any
    high: Any


def handbook_as_printed(count: ta.ErrorCount) -> PrintedLimits:
    """Return the 95% limits of appendix A.3 (`jeffreys-handbook`) with its four misprints, clipped to 0 and 1.

    Examples
    --------
    >>> handbook_as_printed(ta.ErrorCount(4, 10)).high.round(4)
    np.float64(0.6761)
    """
    right = ta.estimate(count, method="jeffreys-handbook").interval
    fewer = np.minimum(count.errors, count.successes)
    mirrored, inner = count.errors > count.successes, fewer > 5
    inverse = inverse_beta(np.where(inner, fewer, 6), np.where(inner, count.trials, 12), _Z, factor=1, sign=+1)
    fitted = fitted_as_printed(np.where(inner, 0, fewer), count.trials)
    # For the rarer of errors and successes; the printed lower limits of up to five are right, and used unchanged.
    high = np.clip(np.where(inner, inverse[1], fitted), 0.0, 1.0)
    low = np.where(inner, inverse[0], right.low)
    return PrintedLimits(
        np.where(mirrored, 1 - high, low)[()],
        np.where(mirrored, np.where(inner, 1 - inverse[0], right.high), high)[()],
    )


def inverse_beta(m: Any, n: Any, z: float, *, factor: float, sign: float) -> PrintedLimits:
    """Return the handbook's limits (formula 26.5.22) with a given factor in the exponent and sign of 2/(3h).

    The correct formula has factor 2 and sign −1; the report prints factor 1 and sign +1.

    Examples
    --------
    >>> inverse_beta(6, 20, 1.96, factor=2, sign=-1).high.round(3)
    np.float64(0.517)
    """
    m, n = np.asarray(m, dtype=float), np.asarray(n, dtype=float)  # products overflow integers
    rest = n - m
    h, curvature = 4 * m * (rest / n), (z * z - 3) / 6
    near = z * np.sqrt(h + curvature) / h
    shift = (curvature + 5 / 6 + sign * 2 / (3 * h)) * (n - 2 * m) / (2 * m * rest)
    odds = (rest + 0.5) / (m + 0.5)
    return PrintedLimits(*(1 / (1 + odds * np.exp(factor * (shift + way * near))) for way in (1, -1)))


def fitted_as_printed(m: Any, n: Any) -> Any:
    """Return the fitted upper limits of up to five errors, with 0.237901 for 0.273901 and the wrong sign of b₂.

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


def unpaired_pvalue_as_printed(resamples: ta.Resamples) -> Any:
    """Return the two-sided p-value of `unpaired-t` with the η − 1 degrees of freedom of section 3.3.

    If one learner has more runs than the other, η is the smaller number. p is 1 if all runs are equal.

    Examples
    --------
    >>> runs = ta.Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="seeds")
    >>> unpaired_pvalue_as_printed(runs).round(4)
    np.float64(0.0796)
    """
    from scipy.special import stdtr

    comparison: Any = ta.compare(resamples, method="unpaired-t")
    t = comparison.statistic
    runs = np.isfinite(resamples.loss).sum(axis=(-2, -1)).min(axis=-1)
    return np.where(np.isinf(t), 1.0, 2 * stdtr(runs - 1, -np.abs(t)))[()]
