"""Student's t under the alternative: the noncentral distribution, and two one-sided tests."""

from __future__ import annotations

from functools import cache

import numpy as np

from ...typing_ import FloatArray, Numbers

_FAITHFUL = 20.0  # largest shift for which SciPy's distribution function has twelve digits; far beyond it fails
_LARGE = 15.0  # half of the degrees of freedom from which on two terms of Stirling's series have nine digits


def t_beyond(limit: Numbers, freedom: Numbers, shift: Numbers) -> FloatArray:
    """Return P(T > limit) for T = (Z + shift)/S, where S² is a chi-square over its degrees of freedom.

    Parameters
    ----------
    limit
        The critical value.
    freedom
        The degrees of freedom.
    shift
        The true mean in standard errors.

    Examples
    --------
    >>> t_beyond(2.262157, 9, 2.8).round(4)
    np.float64(0.7033)
    """
    from scipy.special import nctdtr

    limit, freedom, shift = np.broadcast_arrays(limit, freedom, shift)
    near = np.where(np.abs(shift) <= _FAITHFUL, shift, 0.0)
    above = 1 - nctdtr(freedom, np.maximum(near, 0.0), limit)
    # For a negative shift the lower tail is mirrored; there SciPy's NaN is a probability below Φ(−|shift|).
    other = np.nan_to_num(nctdtr(freedom, np.maximum(-near, 0.0), -limit))
    result = np.where(shift < 0, np.where(shift < -_FAITHFUL, 0.0, other), above)
    far = shift > _FAITHFUL
    if far.any():
        result[far] = _far(limit[far], freedom[far], shift[far])
    return np.clip(result, 0.0, 1.0)[()]


def _far(limit: FloatArray, freedom: FloatArray, shift: FloatArray) -> FloatArray:
    """Return P(S < (Z + shift)/limit) as a mean over Z, which is accurate for large shifts."""
    from scipy.special import chdtr

    nodes, weights = _hermite()
    positive = np.where(limit > 0, limit, 1.0)[..., None]
    below = freedom[..., None] * np.square((nodes + shift[..., None]) / positive)
    return np.where(limit > 0, chdtr(freedom[..., None], below) @ weights, 1.0)


@cache
def _hermite() -> tuple[FloatArray, FloatArray]:
    nodes, weights = np.polynomial.hermite_e.hermegauss(48)
    return nodes, weights / weights.sum()


def both_beyond(limit: Numbers, freedom: Numbers, low: Numbers, high: Numbers) -> FloatArray:
    """Return P((Z + low)/S > limit and (Z − high)/S < −limit): two one-sided t tests of one sample both reject.

    Parameters
    ----------
    limit, freedom
        As for `t_beyond`.
    low, high
        The distances of the true mean from the lower and from the upper margin, in standard errors.

    Examples
    --------
    >>> both_beyond(1.833113, 9, 3.0, 3.0).round(4)
    np.float64(0.7374)
    """
    from scipy.special import ndtr

    limit, freedom, low, high = np.broadcast_arrays(limit, freedom, low, high)
    nodes, weights = _legendre()
    # Given S, Z lies between limit·S − low and high − limit·S, which bounds S, in addition to its own distribution.
    reach = 9 / np.sqrt(2 * freedom)
    first = np.maximum(1 - reach, 0.0)
    end = np.where(limit > 0, (low + high) / np.where(limit > 0, 2 * limit, 1.0), np.inf)
    last = np.maximum(np.minimum(1 + reach, end), first)
    s = first[..., None] + (last - first)[..., None] * (nodes + 1) / 2
    inside = ndtr(high[..., None] - limit[..., None] * s) - ndtr(limit[..., None] * s - low[..., None])
    result: FloatArray = (last - first) / 2 * ((inside * _density(s, freedom[..., None])) @ weights)
    return np.clip(result, 0.0, 1.0)[()]


@cache
def _legendre() -> tuple[FloatArray, FloatArray]:
    nodes, weights = np.polynomial.legendre.leggauss(96)
    return nodes, weights


def _density(s: FloatArray, freedom: FloatArray) -> FloatArray:
    """Return the density of S, the root of a chi-square over its degrees of freedom."""
    from scipy.special import gammaln, xlogy

    half = freedom / 2
    large = np.maximum(half, _LARGE)
    # half·log(half) − half − log Γ(half), whose terms cancel for many degrees of freedom.
    constant = np.where(
        half < _LARGE,
        half * np.log(half) - half - gammaln(half),
        (np.log(large) - np.log(2 * np.pi)) / 2 - 1 / (12 * large) + 1 / (360 * large**3),
    )
    return 2 * np.exp(constant + freedom * (1 - s) * (1 + s) / 2 + xlogy(freedom - 1, s))
