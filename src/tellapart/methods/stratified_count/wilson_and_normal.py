"""Intervals for the error rate of a population with separately tested strata of known shares.

Every interval is a function of a `StratifiedCount`, with `alpha` and `side` by keyword.
"""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...evidence import StratifiedCount
from ...numerics.distributions import critical
from ...results import Interval
from ...typing_ import FloatArray, IntArray, Side
from ..limits import as_interval
from ..pivots import Limits
from ..registry import Standing, interval
from .assumptions import STRATA_HAVE_ROOM, STRATA_HAVE_SPREAD, STRATA_HAVE_WIDTH


@interval(
    name="stratified-wilson",
    title="stratified Wilson score interval",
    evidence=StratifiedCount,
    assumes=(STRATA_HAVE_SPREAD,),
    standing=Standing.SOUND,
    rationale=("mean coverage near nominal and never of width 0; minimum coverage 0.82 if few errors are expected"),
    validity="at least 2 examples in every stratum with a positive share",
    where={"examples": (2, inf)},
    monotone=False,
    reference="yan2010",
)
def stratified_wilson(strata: StratifiedCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Stratified Wilson score interval: the strata's limits at one common quantile, weighted by share (Yan and Su).

    Weighted sums of Wilson's limits at z would be too wide, because the strata are independent. The common quantile is
    λ = z√(Σw²v) / Σw√v with v = e(1−e)/n, and the limits are Σw·low(λ) and Σw·high(λ); the shares are known here, so
    there are no weights to optimise. If no stratum has both errors and successes, λ is 0/0, and the distances of the
    limits at z from the estimate are squared and added: e ∓ √Σw²(e − limit)².

    Examples
    --------
    >>> limits = stratified_wilson(StratifiedCount([2, 10], [100, 50], shares=[0.9, 0.1]))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0196), np.float64(0.0775))
    """
    z = critical(alpha, side)
    low, high = _stratified_wilson(strata, abs(z))
    limits = (low, high) if z >= 0 else (high, low)  # a bound below level ½ is on the other side of the estimate
    return as_interval("stratified-wilson", limits, alpha, side)


@interval(
    name="stratified-normal",
    title="stratified normal interval",
    evidence=StratifiedCount,
    assumes=(STRATA_HAVE_ROOM, STRATA_HAVE_WIDTH),
    standing=Standing.FORBIDDEN,
    rationale=("width 0 if no stratum has errors; coverage falls to 0 as the error rates of the strata approach 0"),
    monotone=False,
    reference="cochran1977",
)
def stratified_normal(strata: StratifiedCount, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Stratified normal interval: the stratified mean plus and minus z standard errors, √Σw²e(1−e)/n.

    The limits are truncated at 0 and 1.

    Examples
    --------
    >>> limits = stratified_normal(StratifiedCount([2, 10], [100, 50], shares=[0.9, 0.1]))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0109), np.float64(0.0651))
    """
    z = critical(alpha, side)
    reach = z * np.sqrt((strata.shares**2 * _rate_variance(strata.errors, strata.trials)).sum(axis=-1))
    limits = (np.clip(strata.rate - reach, 0.0, 1.0), np.clip(strata.rate + reach, 0.0, 1.0))
    return as_interval("stratified-normal", limits, alpha, side)


def _stratified_wilson(strata: StratifiedCount, z: float) -> Limits:
    errors, trials, shares = strata.errors, strata.trials, strata.shares
    rate = errors / trials
    spread = shares * np.sqrt(_rate_variance(errors, trials))
    together, separately = np.sqrt((spread**2).sum(axis=-1)), spread.sum(axis=-1)
    some = separately > 0
    shrunk = z * np.where(some, together, 1.0) / np.where(some, separately, 1.0)
    low, high = _wilson_roots(errors, trials, shrunk[..., None])
    widest_low, widest_high = _wilson_roots(errors, trials, np.asarray(z))
    centre = (shares * rate).sum(axis=-1)
    below = centre - np.sqrt(((shares * (rate - widest_low)) ** 2).sum(axis=-1))
    above = centre + np.sqrt(((shares * (widest_high - rate)) ** 2).sum(axis=-1))
    # Without errors the lower limit is 0, and without successes the upper limit is 1, despite rounding.
    ends = [np.all((seen == 0) | (shares == 0), axis=-1) for seen in (errors, trials - errors)]
    lowest = np.where(ends[0], 0.0, np.where(some, (shares * low).sum(axis=-1), below))
    highest = np.where(ends[1], 1.0, np.where(some, (shares * high).sum(axis=-1), above))
    return np.clip(lowest, 0.0, 1.0)[()], np.clip(highest, 0.0, 1.0)[()]


def _wilson_roots(errors: IntArray, trials: IntArray, z: FloatArray) -> Limits:
    """Return Wilson's roots at a quantile of 0 or more; the smaller one by their product, m²/(n(n + z²))."""
    larger = errors + z * z / 2 + z * np.sqrt(errors * (1 - errors / trials) + z * z / 4)
    return errors * (errors / trials) / np.where(larger > 0, larger, 1.0), larger / (trials + z * z)


def _rate_variance(errors: IntArray, trials: IntArray) -> Any:
    return errors * (1 - errors / trials) / trials / trials
