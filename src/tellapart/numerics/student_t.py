"""Quantiles and p-values of Student's t, accurate in any tail."""

from __future__ import annotations

import math

import numpy as np

from ..typing_ import Alternative, FloatArray, Numbers, one_of

_STUDENT_TAIL = 1e-50  # below which SciPy's quantile of few degrees of freedom is wrong, or infinite with either sign
_FEW_DEGREES = 20.0
_FARTHEST = 1e300  # largest quantile: beyond any range, but products with it do not overflow


def student_critical(freedom: Numbers, p: float) -> Numbers:
    """Return t with P(T > t) = p, for Student's t distribution; accurate for any p.

    Notes
    -----
    With a = ν/2 and x = ν/(ν + t²), P(T > t) = I_x(a, ½)/2 = xᵃ F(a, ½; a + 1; x)/(2a B(a, ½)). For large t, x is small
    and F is nearly 1, so the logarithm of x is found by a few substitutions.

    Examples
    --------
    >>> round(float(student_critical(9, 0.025)), 4)
    2.2622
    """
    from scipy.special import betaln, hyp2f1, stdtrit

    quantile: Numbers = -stdtrit(freedom, p)
    if p >= _STUDENT_TAIL:
        return quantile
    half = np.minimum(freedom, _FEW_DEGREES) / 2
    first = (math.log(2 * p) + np.log(half) + betaln(half, 0.5)) / half
    log_x = first
    for _ in range(4):
        log_x = first - np.log(hyp2f1(half, 0.5, half + 1, np.exp(log_x))) / half
    log_t = np.minimum((np.log(2 * half) + np.log1p(-np.exp(log_x)) - log_x) / 2, math.log(_FARTHEST))
    return np.where(np.less(freedom, _FEW_DEGREES), np.exp(log_t), quantile)[()]


_FEW_TERMS = 100  # degrees of freedom
_DIGITS_LOST = 0.01  # below this p-value two digits are lost


def student_pvalue(t: Numbers, freedom: Numbers, alternative: Alternative, *, quick: bool = False) -> Numbers:
    """Return the p-value of a t statistic that is large if B is better.

    With `quick` the two-sided p-value for few degrees of freedom is a finite sum, which takes a tenth of the time and
    differs in the last bits.

    Examples
    --------
    >>> student_pvalue(2.0, 10, "greater").round(4), student_pvalue(2.0, np.inf, "two-sided").round(4)
    (np.float64(0.0367), np.float64(0.0455))
    """
    from scipy.special import stdtr

    if one_of("alternative", alternative, Alternative) != "two-sided":
        return stdtr(freedom, t if alternative == "less" else np.negative(t))
    return _two_tails(freedom, t) if quick else np.minimum(2 * stdtr(freedom, -np.abs(t)), 1.0)


def _two_tails(freedom: Numbers, t: FloatArray) -> FloatArray:
    """Return P(|T| ≥ |t|), for a few degrees of freedom by a sum that takes a tenth of the time.

    With θ = arctan(|t|/√ν), P(|T| < |t|) is sin θ·(1 + ½cos²θ + (1·3)/(2·4)·cos⁴θ + …) for an even number ν, and
    (2/π)·(θ + sin θ cos θ·(1 + ⅔cos²θ + …)) for an odd one (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4). It ends
    after ν/2 terms. Its complement is inaccurate if it is small, and is then computed by SciPy.
    """
    from scipy.special import stdtr

    size = np.abs(t)
    if np.ndim(freedom) or not (1 <= freedom <= _FEW_TERMS and freedom % 1 == 0):
        return np.asarray(2 * stdtr(freedom, -size))
    odd = int(freedom % 2)
    with np.errstate(invalid="ignore", over="ignore"):  # for infinite t, p is small
        tangent = size / np.sqrt(freedom)
        squared = 1 / (1 + tangent * tangent)
        terms = np.ones_like(squared)
        for term in range(int(freedom) // 2 - 1, 0, -1):
            terms *= squared
            terms *= (2 * term - 1 + odd) / (2 * term + odd)
            terms += 1
        if odd:
            inside = np.arctan(tangent) + (tangent * squared * terms if freedom > 1 else 0.0)
            inside = inside * (2 / np.pi)
        else:
            inside = tangent * np.sqrt(squared) * terms
    pvalue = np.asarray(1 - inside)
    small = ~(pvalue > _DIGITS_LOST)  # or NaN
    pvalue[small] = 2 * stdtr(freedom, -np.asarray(size)[small])
    return pvalue[()]
