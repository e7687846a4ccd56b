"""Approximations of the Beta limits by hand calculator, as Martin and Hirschberg (1996) give them.

They reproduce that report; `jeffreys` gives the limits that they approximate. Misprints (two signs, a factor and a
digit) are corrected.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import ErrorCount
from ...numerics.distributions import critical, tail
from ...results import Interval
from ...typing_ import FloatArray, Side
from ..limits import as_interval
from ..registry import Standing, interval
from .assumptions import FITTED_RANGE


@interval(
    name="jeffreys-approx",
    title="closed-form Jeffreys approximation",
    evidence=ErrorCount,
    standing=Standing.HEURISTIC,
    rationale="approximates the Jeffreys limits to within 0.27/n; at level 0.95 only",
    validity="10 to 200 examples, level 0.95",
    where={"examples": (10, 200)},
    reference="martin1996",
    note="approximates the posterior under prior Beta(1/2, 1/2)",
)
def jeffreys_approx(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Approximate Jeffreys limits, centre ± half-width (eq. 5 and 6), at 95% only.

    Centre A + (1 − 2A)e with A = 1.96√½/(M + 3); half-width 1.96√(e(1−e)/(M + 2.5)), or the
    centre itself up to one error; above one half by symmetry.

    Examples
    --------
    >>> round(jeffreys_approx(ErrorCount(2, 10)).high, 6)
    np.float64(0.485715)
    """
    _only_95("'jeffreys-approx'", alpha, side)
    fewer = np.minimum(count.errors, count.successes)
    rate, trials = fewer / count.trials, count.trials
    shift = 1.96 * np.sqrt(0.5) / (trials + 3)
    centre = shift + (1 - 2 * shift) * rate
    reach = np.where(fewer <= 1, centre, 1.96 * np.sqrt(rate * (1 - rate) / (trials + 2.5)))
    return as_interval("jeffreys-approx", _unfold_limits(count, centre - reach, centre + reach), alpha, side)


@interval(
    name="jeffreys-handbook",
    title="handbook approximation of Jeffreys",
    evidence=ErrorCount,
    assumes=(FITTED_RANGE,),
    standing=Standing.HEURISTIC,
    rationale=("within 0.005 of the Jeffreys limits; for up to five errors fitted to 10 to 200 examples at level 0.95"),
    validity="10 to 200 examples, level 0.95; at any level with more than five errors and successes",
    where={"examples": (10, 200)},
    symmetric=False,  # the fits for five errors of ten are not mirror images of each other
    reference="abramowitz1964",
    note="approximates the posterior under prior Beta(1/2, 1/2)",
)
def jeffreys_handbook(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Jeffreys limits by formula 26.5.22 of the Handbook, and by fitted formulas up to five errors.

    Martin and Hirschberg, appendix A.3. The print lacks a factor 2 in the Handbook's exponent and
    has the sign of 2/(3h) wrong there; in the fitted upper limits it has the sign of b₂ wrong and two
    digits of a constant swapped (0.237901 for 0.273901).

    With more errors than successes the limits are mirrored. With equal numbers, up to five, lower and upper limit are
    separate fits, so the interval is not symmetric: five errors of ten give 0.2227 to 0.7730.

    Examples
    --------
    >>> round(jeffreys_handbook(ErrorCount(4, 10)).high, 4)
    np.float64(0.7009)
    """
    inner = (count.errors > 5) & (count.successes > 5)
    z = critical(alpha, side)
    if not np.all(inner):
        _only_95("'jeffreys-handbook' with up to five errors or successes", alpha, side)
    fewer = np.minimum(count.errors, count.successes)
    low, high = _handbook_limits(np.where(inner, fewer, 6), np.where(inner, count.trials, 12), z)
    small_low, small_high = _fitted_limits(np.where(inner, 0, fewer), count.trials)
    folded = np.where(inner, low, small_low), np.where(inner, high, small_high)
    # Far outside the range of the fit the cubics leave [0, 1]; the check says where.
    return as_interval(
        "jeffreys-handbook", _unfold_limits(count, *(np.clip(limit, 0.0, 1.0) for limit in folded)), alpha, side
    )


def _handbook_limits(errors: Any, trials: Any, z: float) -> tuple[FloatArray, FloatArray]:
    errors, trials = np.asarray(errors, dtype=float), np.asarray(trials, dtype=float)  # products overflow integers
    rest = trials - errors
    h = 4 * errors * (rest / trials)
    curvature = (z * z - 3) / 6
    near = z * np.sqrt(h + curvature) / h
    shift = (curvature + 5 / 6 - 2 / (3 * h)) * (trials - 2 * errors) / (2 * errors * rest)
    odds = (rest + 0.5) / (errors + 0.5)
    return 1 / (1 + odds * np.exp(2 * (shift + near))), 1 / (1 + odds * np.exp(2 * (shift - near)))


def _fitted_limits(errors: Any, trials: Any) -> tuple[FloatArray, FloatArray]:
    m, log = np.asarray(errors, dtype=float), np.log(trials)
    low = np.where(m > 0, np.exp(-2.03763 + 1.874143 * np.log(np.maximum(m, 1)) - (1 + 0.01545 * m) * log), 0.0)
    none = 0.132893 - 0.539755 * log - 0.093773 * log**2 + 0.00657 * log**3
    some = (
        (0.273901 + 0.207148 * m - 0.05118 * m**2 + 0.002488 * m**3)
        - (0.500124 - 0.148240 * m) * log
        - (0.099266 + 0.032337 * m) * log**2
        + (0.006670 + 0.002430 * m) * log**3
    )
    with np.errstate(over="ignore"):  # far outside the range of the fit; the check says so
        return low, np.exp(np.where(m > 0, some, none))


def _unfold_limits(count: ErrorCount, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return limits computed for the rarer of errors and successes as limits of the error."""
    mirrored = count.errors > count.successes
    return np.where(mirrored, 1 - high, low)[()], np.where(mirrored, 1 - low, high)[()]


def _only_95(name: str, alpha: float, side: Side) -> None:
    if abs(tail(alpha, side) - 0.025) > 1e-12:
        raise InvalidOption(
            f"method {name} must have level 0.95 two-sided or 0.975 one-sided, got alpha = {alpha:.6g}, side {side!r}."
            " Use method='jeffreys' for other levels."
        )
