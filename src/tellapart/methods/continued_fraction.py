"""Quantiles of one Beta distribution in plain floats, without SciPy.

A single interval should not wait for a library to load: SciPy's special functions take longer to
import than all the rest of a command. Where the rarer outcome is rare, the continued fraction of the
incomplete Beta function (Abramowitz and Stegun, 26.5.8) converges in a dozen terms, and two or three
steps of Halley's method, on the logarithm of the tail against the log odds, find the quantile.
"""

from __future__ import annotations

from math import exp, lgamma, log, log1p, sqrt

__all__ = ["quick_beta_quantile"]


def quick_beta_quantile(a: float, b: float, probability: float, *, upper: bool = False) -> float | None:
    """Return x with P(Beta(a, b) ≤ x) = probability, or P(Beta(a, b) > x) = probability if `upper`.

    None where the fraction would be long, or its front factor lose more than five digits, or the
    iteration leaves (0, 1): there the caller has to go the long way.

    Examples
    --------
    >>> round(quick_beta_quantile(3.5, 117.5, 0.025, upper=True), 12)
    0.06520534563
    """
    if a + b > 10_000 or min(a, b) > 100 or not 0 < probability < 1:
        return None
    log_beta = lgamma(a) + lgamma(b) - lgamma(a + b)
    x = _start(a, b, probability, log_beta, upper=upper)
    for _ in range(60):
        if not 0 < x < 1:
            return None
        front = exp(a * log(x) + b * log1p(-x) - log_beta)  # x(1 − x) times the density
        tail = _tail(a, b, x, front, upper=upper)
        if not (tail > 0 and front > 0):
            return None
        slope = front / tail * (-1 if upper else 1)
        step = log(tail / probability) / slope
        bend = 1 - step * (a * (1 - x) - b * x - slope) / 2  # Halley's denominator
        step = min(max(step / bend if bend > 0.5 else step, -5.0), 5.0)
        shift = exp(-step)
        x = x * shift / (1 - x + x * shift)
        if abs(step) < 1e-5:  # the next one would be of the order of its cube
            return x
    return None


def _tail(a: float, b: float, x: float, front: float, *, upper: bool) -> float:
    below = x < (a + 1) / (a + b + 2)  # on this side of the mean the fraction gives the lower tail
    tail = front * (_fraction(a, b, x) / a if below else _fraction(b, a, 1 - x) / b)
    return tail if below != upper else 1 - tail


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction, by Lentz's method, two terms a turn."""
    total = a + b
    c, d = 1.0, 1 / (1 - total * x / (a + 1))
    value, m = d, 1.0
    while True:
        even = a + 2 * m
        term = m * (b - m) * x / ((even - 1) * even)
        d = 1 / (1 + term * d)
        c = 1 + term / c
        value *= d * c
        term = -(a + m) * (total + m) * x / (even * (even + 1))
        d = 1 / (1 + term * d)
        c = 1 + term / c
        change = d * c
        value *= change
        if -1e-15 < change - 1 < 1e-15:
            return value
        m += 1


def _start(a: float, b: float, probability: float, log_beta: float, *, upper: bool) -> float:
    """Return a first guess: formula 26.5.22 of the Handbook, or the tail's leading term near an end."""
    if a <= 1 or b <= 1:
        if upper != (a <= 1):  # towards this end the tail is a power of the distance
            edge = (log(probability * (b if upper else a)) + log_beta) / (b if upper else a)
            near = exp(min(edge, -0.1))
            return 1 - near if upper else near
        return a / (a + b)
    t = sqrt(-2 * log(min(probability, 1 - probability)))
    z = t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t))  # 26.2.22
    z = -z if probability > 0.5 else z
    curvature, left, right = (z * z - 3) / 6, 1 / (2 * a - 1), 1 / (2 * b - 1)
    h = 2 / (left + right)
    reach = z * sqrt(max(h + curvature, 0.0)) / h
    shift = (left - right) * (curvature + 5 / 6 - 2 / (3 * h))
    return a / (a + b * exp(min(max(2 * (shift + (-reach if upper else reach)), -600), 600)))
