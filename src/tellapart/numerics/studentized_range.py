"""The distribution of the range of several standard normal variates, accurate in the tail."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from ..typing_ import FloatArray, as_alpha
from .distributions import critical

_BLOCK = 2**13  # values of q at once: a few MB
_REPEATED = 2**10  # from this many values on, equal ones are computed once: ranks have few differences


@lru_cache(maxsize=64)
def _normal_grid(learners: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return equally spaced values x of the largest of k numbers, the weights k φ(x) dx, and Φ(x).

    The integrand is smooth and vanishes at both ends, so equal steps are as good as any nodes; the more learners, the
    narrower the peak. All k numbers lie below the first x with a probability of 10⁻¹⁸; above the last x it underflows.
    """
    from scipy.special import ndtr, ndtri

    step = 0.25 if learners <= 10 else 0.2 if learners <= 20 else 0.125 if learners <= 100 else 0.08
    x = np.arange(float(ndtri(10 ** (-18 / learners))), 34.0, step)
    return x, learners * step / math.sqrt(2 * math.pi) * np.exp(-x * x / 2), ndtr(x)


def range_exceeds(q: Any, learners: int) -> FloatArray:
    """Return P(largest − smallest of k standard normal numbers > q), for q of 0 or more.

    With the largest at x, the others lie below it and not all above x − q:
    ∫ k φ(x) {Φ(x)^(k−1) − (Φ(x) − Φ(x − q))^(k−1)} dx. The difference of powers is computed from Φ(x − q) by doubling,
    without cancellation, so that small probabilities are accurate.

    Examples
    --------
    >>> range_exceeds(3.314493, 3).round(6)  # the table's q at 0.05
    np.float64(0.05)
    """
    q = np.asarray(q, dtype=float)
    if q.size >= _REPEATED:
        few, inverse = np.unique(q, return_inverse=True)
        blocks = [_tail_of_range(few[start : start + _BLOCK], learners) for start in range(0, few.size, _BLOCK)]
        return np.concatenate(blocks)[inverse].reshape(q.shape)
    return _tail_of_range(q, learners)[()]


def _tail_of_range(q: FloatArray, learners: int) -> FloatArray:
    from scipy.special import ndtr

    x, weight, below = _normal_grid(learners)
    # If the range is large, the largest and the smallest number lie near ± q/2.
    last = int(np.searchsorted(x, max(8.5, float(q.max(initial=0.0)) / 2 + 6.5)))
    x, weight, below = x[:last], weight[:last], below[:last]
    lost = ndtr(x - q[..., None])
    tail = _power_difference(below, below - lost, lost, learners - 1) @ weight
    return np.where(q == 0, 1.0, np.minimum(tail, 1.0))  # the sum may differ from 1 in the last digit


def _power_difference(a: FloatArray, b: FloatArray, gap: FloatArray, power: int) -> FloatArray:
    """Return aⁿ − bⁿ, given a − b, all positive: by doubling n and adding 1, with sums and products only."""
    high, low, difference = a, b, gap
    for digit in bin(power)[3:]:
        difference, high, low = difference * (high + low), high * high, low * low
        if digit == "1":  # a·aⁿ − b·bⁿ = a(aⁿ − bⁿ) + (a − b)bⁿ
            difference, high, low = a * difference + gap * low, high * a, low * b
    return difference


@lru_cache(maxsize=256)
def range_quantile(alpha: float, learners: int) -> float:
    """Return the q that the range of k standard normal numbers exceeds with probability alpha.

    Examples
    --------
    >>> round(range_quantile(0.05, 10) / 2**0.5, 3)  # Demšar's table 5
    3.164
    """
    as_alpha(alpha=alpha)
    # The upper bound of Bonferroni. The logarithm of the tail is concave, so Newton's steps converge from one side.
    q = critical(alpha * 2 / (learners * (learners - 1)), "two") * math.sqrt(2)
    for _ in range(60):
        tail = float(range_exceeds(q, learners))
        step = math.log(tail / alpha) * tail / _density_of_range(q, learners)
        q += step
        if abs(step) <= 1e-14 * q:
            break
    return q


def _density_of_range(q: float, learners: int) -> float:
    """Return the density of the range at q: the largest at x, the smallest at x − q, the others between."""
    from scipy.special import ndtr

    x, weight, below = _normal_grid(learners)
    smallest = (learners - 1) / math.sqrt(2 * math.pi) * np.exp(-((x - q) ** 2) / 2)
    return float((smallest * (below - ndtr(x - q)) ** (learners - 2)) @ weight)
