"""The hypergeometric distribution, accurate for up to 10⁹ examples.

Of t errors among n + m examples, k are among the first n with probability C(n,k)·C(m,t−k)/C(n+m,t): the errors of A
given all errors in two test sets, or the errors in a sample from a pool. The logarithm is computed from deviances and
the remainders of Stirling's formula (Loader 2000), without cancellation of large terms; a tail is summed outwards from
its largest term by ratios of neighbouring terms.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..typing_ import FloatArray, Numbers
from .distributions import first_count

_SAFE = 3_000_000_000  # up to here a product of two counts is an int64
_SAME = 1e-12  # probabilities with a smaller difference of logarithms are equal; rounding makes 10⁻¹⁴
_ENOUGH = 2.0**-56  # relative rest of a sum that is negligible
_TERMS = 1_000_000  # in memory at once

# log k! − (k log k − k) for few k; for more there is a series.
_FEW = np.array([0.0, *(math.log(math.factorial(k)) - k * math.log(k) + k for k in range(1, 20))])


def log_probability(k: Any, n: Any, m: Any, total: Any) -> Numbers:
    """Return log P(k of `total` errors are among the first n of n + m examples)."""
    whole, right = n + m, n + m - total
    shift = np.asarray(
        _excess_over_mean(k, n, m, total) / whole, dtype=float
    )  # of the first cell; of the others, ± the same
    logarithm = (
        _factorial_remainder(n)
        + _factorial_remainder(m)
        + _factorial_remainder(total)
        + _factorial_remainder(right)
        - _factorial_remainder(whole)
    )
    for cell, row, column, sign in ((k, n, total, 1), (total - k, m, total, -1), (n - k, n, right, -1)):
        logarithm = logarithm - _factorial_remainder(cell) - _cell_deviance(cell, row * (column / whole), sign * shift)
    last = right - n + k
    return logarithm - _factorial_remainder(last) - _cell_deviance(last, m * (right / whole), shift)


def at_least(k: Any, n: Any, m: Any, total: Any) -> Numbers:
    """Return P(at least k of `total` errors are among the first n of n + m examples).

    Examples
    --------
    >>> float(round(at_least(3, 4, 4, 4), 6))
    0.242857
    """
    k, n, m, total = np.broadcast_arrays(k, n, m, total)
    least, most = np.maximum(total - m, 0), np.minimum(n, total)
    within = np.clip(k, least, most)
    above = _excess_over_mean(within, n, m, total) > 0
    # Up to the mean the other tail is the small one: more than total − k errors are among the others.
    drawn, left = np.where(above, n, m), np.where(above, m, n)
    start = np.where(above, within, np.minimum(total - within + 1, total - least))
    tail = _sum_outwards(start, drawn, left, total)
    return np.where(k <= least, 1.0, np.where(k > most, 0.0, np.where(above, tail, 1 - tail)))[()]


def two_tails(k: Any, n: Any, m: Any, total: Any) -> tuple[Any, Any]:
    """Return the probability of all outcomes at most as probable as k, and of those equally probable.

    Examples
    --------
    >>> unlikely, same = two_tails(3, 4, 4, 4)
    >>> float(round(unlikely, 6)), float(round(same, 6))
    (0.485714, 0.457143)
    """
    k, n, m, total = np.broadcast_arrays(k, n, m, total)
    excess = _excess_over_mean(k, n, m, total)
    # For the test set with more errors than its share, k lies above the mean.
    few = np.asarray(excess < 0, dtype=bool)
    k, n, m = np.where(few, total - k, k), np.where(few, m, n), np.where(few, n, m)
    likely = log_probability(k, n, m, total)
    # For the other test set, probabilities decrease above its mean: find the first that is not larger.
    whole = (n + m).astype(excess.dtype)  # integers of any size, if the excess needs them
    below = k - np.asarray(-(-np.abs(excess) // whole), dtype=np.int64)  # the mean, rounded down
    start, most = total - below, np.minimum(m, total)
    step = first_count(
        lambda i: log_probability(np.minimum(start + i, most), m, n, total) <= likely + _SAME, most - start
    )
    possible, opposite = start + step <= most, np.minimum(start + step, most)
    same = possible & (log_probability(opposite, m, n, total) >= likely - _SAME)
    tails = _sum_outwards(k, n, m, total) + np.where(possible, _sum_outwards(opposite, m, n, total), 0.0)
    # If the tails meet, no outcome is more probable than the observed one.
    meet = np.asarray(excess == 0, dtype=bool) | (possible & (total - opposite == k - 1))
    return np.where(meet, 1.0, np.minimum(tails, 1.0))[()], np.minimum(np.exp(likely) * (1 + same), 1.0)[()]


def _sum_outwards(k: Any, n: Any, m: Any, total: Any) -> FloatArray:
    """Return P(at least k) for k above the mean, where the terms decrease from the first."""
    shape = np.shape(k)
    first, n, m, total = (np.ravel(column) for column in np.broadcast_arrays(k, n, m, total))
    sums = np.ones(first.size)
    # For each unfinished sum: its index, the number of terms, and the last term relative to the first.
    who, reached, last, many = np.arange(first.size), np.zeros(first.size, dtype=np.int64), np.ones(first.size), 16
    while who.size:
        block = max(_TERMS // many, 1)
        going = np.zeros(who.size, dtype=bool)
        for begin in range(0, who.size, block):
            column = slice(begin, begin + block)
            ids = who[column]
            j = (first[ids] + reached[column])[:, None] + np.arange(many, dtype=float)
            up, down = (n[ids, None] - j) * (total[ids, None] - j), (j + 1) * (m[ids, None] - total[ids, None] + j + 1)
            ratios = np.maximum(up, 0.0) / np.maximum(down, 1.0)
            terms = np.cumprod(ratios, axis=1) * last[column, None]
            sums[ids] += terms.sum(axis=1)
            last[column] = terms[:, -1]
            # The ratios decrease, so the rest is at most a geometric series in the last one.
            going[column] = terms[:, -1] * ratios[:, -1] > _ENOUGH * sums[ids] * (1 - ratios[:, -1])
        who, reached, last = who[going], reached[going] + many, last[going]
        many = min(4 * many, 65_536)
    likely: FloatArray = np.exp(log_probability(k, *(np.reshape(column, shape) for column in (n, m, total))))
    return likely * sums.reshape(shape)


def _excess_over_mean(k: Any, n: Any, m: Any, total: Any) -> Any:
    """Return k(n+m) − n·total exactly: the excess of k over its mean, times the number of examples."""
    if np.max(n + m) > _SAFE:
        k, n, m, total = (np.asarray(column).astype(object) for column in (k, n, m, total))
    return np.asarray(k * (n + m) - n * total, dtype=np.asarray(k).dtype)


def _cell_deviance(cell: Any, mean: Any, shift: Any) -> Numbers:
    """Return x log(x/μ) − (x − μ), from the difference x − μ if that is small."""
    with np.errstate(divide="ignore", invalid="ignore"):
        u = np.where(mean > 0, shift / mean, 0.0)
        far = np.where(cell > 0, cell * np.log(cell / mean), 0.0) - shift
    series = np.zeros(np.shape(u))
    near = np.clip(u, -0.1, 0.1)
    for order in range(15, 1, -1):
        series = 1 / (order * (order - 1)) - near * series
    return np.where(np.abs(u) < 0.1, mean * u * u * series, far)


def _factorial_remainder(count: Any) -> Numbers:
    """Return log k! − (k log k − k)."""
    x = np.maximum(count, _FEW.size).astype(float)
    square = 1 / (x * x)
    series = (1 / 12 - (1 / 360 - (1 / 1260 - square / 1680) * square) * square) / x + np.log(2 * np.pi * x) / 2
    return np.where(count < _FEW.size, _FEW[np.clip(count, 0, _FEW.size - 1)], series)
