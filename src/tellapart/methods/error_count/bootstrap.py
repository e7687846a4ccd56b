"""Bootstrap intervals of an error rate, computed exactly instead of by resampling.

Resampling M outcomes of which m are errors gives a binomial number of errors, so the bootstrap
distribution is known and nothing needs to be drawn. The methods are kept as examples of what to avoid: the count is
sufficient, and at 0 errors all resamples are equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...evidence import ErrorCount
from ...numerics.distributions import binomial_quantile, critical, probability_at_least, probability_at_most, tail
from ...numerics.repetition import once
from ...results import Interval
from ...typing_ import IntArray, Numbers, Side
from ..limits import as_interval
from ..registry import Standing, interval
from .assumptions import HAS_WIDTH

_NEEDLESS: dict[str, Any] = {"evidence": ErrorCount, "assumes": (HAS_WIDTH,), "standing": Standing.FORBIDDEN}


@interval(
    name="percentile",
    title="percentile bootstrap interval",
    rationale="width 0 at 0 errors; the count is a sufficient statistic, so resampling adds nothing",
    reference="efron1993",
    **_NEEDLESS,
)
def percentile(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Percentile bootstrap interval, from Binomial(M, m/M)/M.

    Examples
    --------
    >>> percentile(ErrorCount(3, 120)).low, percentile(ErrorCount(0, 120)).width
    (np.float64(0.0), np.float64(0.0))
    """
    share = tail(alpha, side)
    limits = once(
        lambda m, n: (_resampled_quantile(share, m, n) / n, (n - _resampled_quantile(share, n - m, n)) / n),
        count,
        symmetric=False,
    )
    return as_interval("percentile", limits, alpha, side)


@interval(
    name="bca-bootstrap",
    title="BCa bootstrap interval",
    rationale="width 0 at 0 errors; the count is a sufficient statistic, so resampling adds nothing",
    monotone=False,
    reference="efron1987",
    **_NEEDLESS,
)
def bca_bootstrap(count: ErrorCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Bias-corrected and accelerated (BCa) bootstrap interval.

    Bias from the mid-rank of the estimate among the resamples; acceleration (1 − 2e)/(6√(Me(1−e))),
    a sixth of the skewness.

    Examples
    --------
    >>> round(bca_bootstrap(ErrorCount(15, 148)).low, 4)
    np.float64(0.0608)
    """
    z = critical(alpha, side)
    limits = once(
        lambda m, n: (_corrected_limit(z, m, n) / n, (n - _corrected_limit(z, n - m, n)) / n), count, symmetric=False
    )
    return as_interval("bca-bootstrap", limits, alpha, side)


def _resampled_quantile(probability: Any, errors: Any, trials: Any) -> IntArray:
    """Return the quantile of the number of errors in a resample."""
    return binomial_quantile(probability, trials, errors / trials)


def _corrected_limit(z: float, errors: Any, trials: Any) -> Numbers:
    """Return the lower limit as a number of errors; the upper one is that of the successes."""
    from scipy.special import ndtr, ndtri

    inner = (errors > 0) & (errors < trials)
    m, n = np.where(inner, errors, 1), np.where(inner, trials, 2)  # one outcome only: every resample is equal
    rate = m / n
    below = (probability_at_most(m - 1, n, rate) + probability_at_most(m, n, rate)) / 2
    above = (probability_at_least(m, n, rate) + probability_at_least(m + 1, n, rate)) / 2
    bias = np.where(below < 0.5, ndtri(below), -ndtri(above))
    shifted = bias - z
    room = 1 - (1 - 2 * rate) / (6 * np.sqrt(m * (1 - rate))) * shifted
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = np.where(room > 0, ndtr(bias + shifted / room), 0.0)  # the correction is meaningless beyond its pole
    return np.where(inner, _resampled_quantile(moved, m, n), errors)[()]
