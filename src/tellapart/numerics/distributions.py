"""Accurate quantiles and tails of the normal, Beta and binomial distributions.

SciPy is loaded by the first call, not by the import.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..typing_ import Alternative, FloatArray, IntArray, Numbers, Side, as_alpha, one_of
from .roots import solve


def tail(alpha: float, side: Side) -> float:
    """Return the error probability of each end of the interval.

    Examples
    --------
    >>> tail(0.05, "two"), tail(0.05, "upper")
    (0.025, 0.05)
    """
    alpha = as_alpha(alpha=alpha)
    return alpha / 2 if one_of("side", side, Side) == "two" else alpha


def critical(alpha: float, side: Side) -> float:
    """Return the normal quantile z of this tail; negative for a bound below level ½.

    Examples
    --------
    >>> round(critical(0.05, "two"), 6)
    1.959964
    """
    return normal_quantile(tail(alpha, side))


def normal_quantile(p: float) -> float:
    """Return z with P(Z > z) = p, negative for p above ½; in plain floats, without SciPy.

    Newton's steps from the approximation of Abramowitz and Stegun (formula 26.2.23), whose error of 4·10⁻⁴ is below the
    last digit after three steps.
    """
    if p > 0.5:
        return -normal_quantile(1 - p)
    if p == 0.5:
        return 0.0
    t = math.sqrt(-2 * math.log(p))
    z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
    for _ in range(4):
        # A step for the logarithm of the tail, which is nearly linear in z².
        above = math.erfc(z * math.sqrt(0.5)) / 2
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        if density == 0:  # underflow beyond 38 standard deviations
            break
        z += math.log(above / p) * above / density
    return z


def normal_pvalue(z: FloatArray, alternative: Alternative) -> Numbers:
    """Return the p-value of a standard normal statistic that is large if error(A) is."""
    one_of("alternative", alternative, Alternative)
    if not np.ndim(z):  # a single one does not justify loading SciPy
        size = abs(float(z)) if alternative == "two-sided" else float(z) if alternative == "greater" else -float(z)
        return np.float64(math.erfc(size * math.sqrt(0.5)) / (1 if alternative == "two-sided" else 2))
    from scipy.special import erfc, ndtr

    if alternative == "two-sided":
        return erfc(np.abs(z) * np.sqrt(0.5))
    return ndtr(-z) if alternative == "greater" else ndtr(z)


def pvalue_of_tails(less: FloatArray, greater: FloatArray, alternative: Alternative) -> Numbers:
    """Return the p-value that agrees with an interval with α/2 on each side."""
    one_of("alternative", alternative, Alternative)
    if alternative == "two-sided":
        return np.minimum(2 * np.minimum(less, greater), 1)
    return less if alternative == "less" else greater


def ratio(numerator: Any, denominator: Any, empty: float) -> FloatArray:
    """Return the quotient, and `empty` for 0/0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = np.true_divide(numerator, denominator)
    return np.where((np.asarray(numerator) == 0) & (np.asarray(denominator) == 0), empty, quotient)[()]


# SciPy's incomplete Beta functions have 13 correct digits up to here. At 10⁹ the inverses, and tails above ½, lose up
# to eight. The tail below ½ has eleven, so it is used for its complement too, and refines the inverse.
_FAITHFUL = 1e5
_NORMAL = 1e8  # errors and successes beyond which an expansion around the normal is more accurate than SciPy


def beta_at_most(a: Any, b: Any, x: Any) -> Numbers:
    """Return P(Beta(a, b) ≤ x)."""
    from scipy.special import betainc

    return betainc(a, b, x) if np.max(a + b, initial=0) <= _FAITHFUL else _large_tail(a, b, x, upper=False)


def beta_above(a: Any, b: Any, x: Any) -> Numbers:
    """Return P(Beta(a, b) > x)."""
    from scipy.special import betaincc

    return betaincc(a, b, x) if np.max(a + b, initial=0) <= _FAITHFUL else _large_tail(a, b, x, upper=True)


def _large_tail(a: Any, b: Any, x: Any, *, upper: bool) -> Numbers:
    from scipy.special import betainc, betaincc

    from .large_beta import large_beta_tail

    tail_of, complement_of = (betaincc, betainc) if upper else (betainc, betaincc)
    many = np.minimum(a, b) > _NORMAL
    few_a, few_b = np.where(many, 2.0, a), np.where(many, 2.0, b)
    value = tail_of(few_a, few_b, x)
    value = np.where(value > 0.5, 1 - complement_of(few_a, few_b, x), value)
    if np.any(many):
        huge = large_beta_tail(np.where(many, a, _NORMAL), np.where(many, b, _NORMAL), x, upper=upper)
        value = np.where(many, huge, value)
    return value[()]


def beta_low(a: Any, b: Any, probability: Any) -> Numbers:
    """Return x with P(Beta(a, b) ≤ x) = probability."""
    x = _quick_quantile(a, b, probability, upper=False)
    return _beta_quantile(a, b, probability, upper=False) if x is None else x


def beta_high(a: Any, b: Any, probability: Any) -> Numbers:
    """Return x with P(Beta(a, b) > x) = probability."""
    x = _quick_quantile(a, b, probability, upper=True)
    return _beta_quantile(a, b, probability, upper=True) if x is None else x


def _beta_quantile(a: Any, b: Any, probability: Any, *, upper: bool) -> Numbers:
    if np.max(a + b, initial=0) <= _FAITHFUL:
        return _scipy_quantile(a, b, probability, upper=upper)
    # For many trials the distance of the quantile from the nearer end of [0, 1] is computed, which is more accurate.
    mirrored = (a > b) & (a + b > _FAITHFUL)
    if not np.any(mirrored):
        return _polish_quantile(a, b, probability, upper=upper)
    first, second = np.where(mirrored, b, a), np.where(mirrored, a, b)
    distance = _polish_quantile(first, second, probability, upper=not upper)
    if np.all(mirrored):
        return 1 - distance
    return np.where(mirrored, 1 - distance, _polish_quantile(first, second, probability, upper=upper))[()]


def _scipy_quantile(a: Any, b: Any, probability: Any, *, upper: bool) -> Numbers:
    """Return SciPy's quantile."""
    from scipy.special import betainccinv, betaincinv

    if not upper:
        return _or_first_term(betaincinv(a, b, probability), a, b, probability)
    x = betainccinv(a, b, probability)
    if np.any(np.isnan(x)):
        x = np.where(np.isnan(x), 1 - _or_first_term(x, b, a, probability), x)[()]
    return x


def _or_first_term(x: Any, a: Any, b: Any, probability: Any) -> Numbers:
    """Return the quantile; if SciPy fails, by the first term of its series, which is exact below 10⁻¹⁰⁰."""
    if not np.any(np.isnan(x)):
        return x
    from scipy.special import betaln

    with np.errstate(divide="ignore"):  # other entries may have a tail of 0, with quantile 0
        first = np.exp((np.log(probability) + np.log(a) + betaln(a, b)) / a)
    return np.where(np.isnan(x), first, x)[()]


def _quick_quantile(a: Any, b: Any, probability: Any, *, upper: bool) -> np.float64 | None:
    """Return a single quantile in plain floats if that is fast, else None."""
    if getattr(a, "ndim", 0) or getattr(b, "ndim", 0) or getattr(probability, "ndim", 0):
        return None
    from .continued_fraction import quick_beta_quantile

    quantile = quick_beta_quantile(float(a), float(b), float(probability), upper=upper)
    return None if quantile is None else np.float64(quantile)


def _polish_quantile(a: Any, b: Any, probability: Any, *, upper: bool) -> Numbers:
    """Return the quantile for many trials: SciPy's or that of formula 26.5.22, refined by Newton's steps."""
    many = np.minimum(a, b) > _NORMAL
    x = _scipy_quantile(np.where(many, 2.0, a), np.where(many, 2.0, b), probability, upper=upper)
    if np.any(many):
        x = np.where(
            many, _handbook_quantile(np.where(many, a, 2.0), np.where(many, b, 2.0), probability, upper=upper), x
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        for turn in range(4):
            inside = np.clip(x, np.finfo(float).tiny, 1 - np.finfo(float).epsneg)
            better = _newton_step(inside, a, b, probability, upper=upper)[1]
            # If the starting value has three correct digits the step is small; otherwise the result is unreliable.
            change = np.abs(better / inside - 1)
            close, within = change < 1e-3, (x > 0) & (x < 1)
            if turn == 0 and np.any(lost := within & ~close & (np.asarray(probability) > 0) & (a > 1)):
                x = _solve_again(x, lost, a, b, probability, upper=upper)
            else:
                x = np.where(close & within, np.minimum(better, 1), x)
                if not np.any(close & within & (change > 1e-12)):
                    break
    return x[()]


def _newton_step(x: Any, a: Any, b: Any, probability: Any, *, upper: bool) -> tuple[Numbers, Numbers]:
    """Return the error of the log of the tail at x, and a better x.

    A step in log x for the logarithm of the tail, which is nearly linear for small x.
    """
    value = beta_above(a, b, x) if upper else beta_at_most(a, b, x)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        excess = np.log(value / probability) * (-1 if upper else 1)
        return excess, x * np.exp(-excess * value * (1 - x) / beta_front(a, b, x))


def _solve_again(x: Any, lost: Any, a: Any, b: Any, probability: Any, *, upper: bool) -> Numbers:
    """Return the quantiles, with those that SciPy misses solved again from formula 26.5.22."""
    quantiles, lost, a, b, probability = (
        np.array(column) for column in np.broadcast_arrays(x, lost, a, b, probability)
    )
    few = a[lost], b[lost], probability[lost]
    quantiles[lost] = solve(
        lambda p: _newton_step(p, *few, upper=upper), _handbook_quantile(*few, upper=upper), 0.0, 1.0
    )
    return quantiles


def _handbook_quantile(a: Any, b: Any, probability: Any, *, upper: bool) -> Numbers:
    """Return the quantile by formula 26.5.22 of Abramowitz and Stegun, nearly exact for very large a and b."""
    from scipy.special import ndtri

    z = ndtri(probability) if upper else -ndtri(probability)
    curvature, left, right = (z * z - 3) / 6, 1 / (2 * a - 1), 1 / (2 * b - 1)
    h = 2 / (left + right)
    with np.errstate(invalid="ignore", over="ignore"):  # a tail of 0 has no quantile
        w = z * np.sqrt(h + curvature) / h - (right - left) * (curvature + 5 / 6 - 2 / (3 * h))
        return 1 / (1 + b / a * np.exp(2 * w))


def beta_front(a: Any, b: Any, x: Any) -> Numbers:
    """Return x^a (1−x)^b / B(a, b), computed from the distance to its peak for accuracy."""
    square, exponent = _front_factors(a, b, x)
    return np.sqrt(square) * np.exp(exponent)


def log_beta_front(a: Any, b: Any, x: Any) -> Numbers:
    """Return the logarithm of x^a (1−x)^b / B(a, b), for powers that would overflow.

    Examples
    --------
    >>> log_beta_front(1, 1, 0.5).round(6)  # a quarter
    np.float64(-1.386294)
    """
    with np.errstate(divide="ignore"):  # from a difference as large as the peak
        square, exponent = _front_factors(a, b, x)
    return np.log(square) / 2 + exponent


def _front_factors(a: Any, b: Any, x: Any) -> tuple[Numbers, Numbers]:
    """Return the two factors of the density: the square of one, the exponent of the other."""
    from .large_beta import deviance

    constant = _stirling_remainder(a + b) - _stirling_remainder(a) - _stirling_remainder(b)
    return a / (2 * np.pi) * (b / (a + b)), constant - deviance(a, b, x)


def _stirling_remainder(x: Any) -> Numbers:
    """Return the remainder of Stirling's formula for log Γ(x)."""
    from scipy.special import gammaln

    square = 1 / np.square(np.maximum(x, 15.0))
    series = (1 / 12 - (1 / 360 - (1 / 1260 - square / 1680) * square) * square) * np.sqrt(square)
    return np.where(x < 15, gammaln(x) - ((x - 0.5) * np.log(x) - x + np.log(2 * np.pi) / 2), series)


def probability_at_most(k: Any, n: Any, p: Any) -> Numbers:
    """Return P(X ≤ k) for X ~ Binomial(n, p), with k from −1 to n."""
    k, n = np.asarray(k), np.asarray(n)
    within = (k >= 0) & (k < n)
    inner = beta_above(np.where(within, k + 1, 1), np.where(within, n - k, 1), p)
    return np.where(within, inner, k >= n)[()]


def probability_at_least(k: Any, n: Any, p: Any) -> Numbers:
    """Return P(X ≥ k) for X ~ Binomial(n, p), with k from 0 to n + 1."""
    k, n = np.asarray(k), np.asarray(n)
    within = (k >= 1) & (k <= n)
    inner = beta_at_most(np.where(within, k, 1), np.where(within, n - k + 1, 1), p)
    return np.where(within, inner, k <= 0)[()]


def first_count(condition: Callable[[Any], Any], largest: Any) -> IntArray:
    """Return the smallest count, from 0 to `largest`, from which on `condition` holds; `largest` + 1 if there is none.

    Examples
    --------
    >>> first_count(lambda k: k * k >= 50, 10)
    np.int64(8)
    """
    high = np.asarray(largest, dtype=np.int64) + 1
    low = np.full_like(high, -1)
    while np.any(open_ := high - low > 1):
        middle = np.where(open_, (low + high) // 2, high)  # entries that have converged stay
        holds = condition(middle) | ~open_
        low, high = np.where(holds, low, middle), np.where(holds, middle, high)
    return high[()]


def binomial_quantile(probability: Any, n: Any, p: Any) -> IntArray:
    """Return the smallest k with P(X ≤ k) ≥ probability.

    Examples
    --------
    >>> binomial_quantile(0.5, 10, 0.5)
    np.int64(5)
    """
    return first_count(lambda k: probability_at_most(k, n, p) >= probability, np.asarray(n) - 1)  # holds at n
