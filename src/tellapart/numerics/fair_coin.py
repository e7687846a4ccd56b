"""Tails of Binomial(n, 1/2), the null distribution of discordant pairs."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ..typing_ import FloatArray, Numbers
from .distributions import probability_at_most
from .repetition import each_once

_FEW = 256  # fewer series of tosses are computed one by one
_TOSSES = 1000  # most tosses for a table of all tails; beyond, 2⁻ⁿ is not a normal float


def at_most(heads: Any, tosses: Any) -> Numbers:
    """Return P(X ≤ heads) for X ~ Binomial(tosses, ½).

    Examples
    --------
    >>> at_most(1, 4)
    np.float64(0.3125)
    """
    if not getattr(tosses, "ndim", 0) and tosses <= _TOSSES:
        return _exact_tail(int(heads), int(tosses))
    if np.max(tosses) <= _TOSSES:
        return _exact_tails(heads, tosses, mid=False)
    return each_once(lambda k, n: probability_at_most(k, n, 0.5), np.asarray(heads), np.asarray(tosses))


def half_at_most(heads: Any, tosses: Any) -> Numbers:
    """Return P(X < heads) + ½ P(X = heads), the mid-p form of the tail.

    Examples
    --------
    >>> half_at_most(1, 4)
    np.float64(0.1875)
    """
    if not getattr(tosses, "ndim", 0) and tosses <= _TOSSES:
        return _exact_mid_tail(int(heads), int(tosses))
    if np.max(tosses) <= _TOSSES:
        return _exact_tails(heads, tosses, mid=True)
    # The mean of two tails is as accurate as a tail plus half a probability.
    return each_once(
        lambda k, n: (probability_at_most(k, n, 0.5) + probability_at_most(k - 1, n, 0.5)) / 2,
        np.asarray(heads),
        np.asarray(tosses),
    )


def _exact_tails(heads: Any, tosses: Any, *, mid: bool) -> Numbers:
    """Return tails that are exact to the last digit, by integer sums or from a table."""
    if np.size(tosses) < _FEW:
        single = _exact_mid_tail if mid else _exact_tail
        flat = zip(np.ravel(heads).tolist(), np.ravel(tosses).tolist(), strict=True)
        return np.array([single(k, n) for k, n in flat]).reshape(np.shape(tosses))
    table = _tabulate_tails(1 << int(tosses.max()).bit_length(), mid=mid)
    return table.ravel().take(tosses * table.shape[1] + heads)


def _exact_tail(heads: int, tosses: int) -> np.float64:
    if 2 * heads > tosses:
        return 1 - _exact_tail(tosses - heads - 1, tosses)
    ways = way = int(heads >= 0)
    for head in range(heads):
        way = way * (tosses - head) // (head + 1)
        ways += way
    return np.float64(ways / (1 << tosses))


def _exact_mid_tail(heads: int, tosses: int) -> np.float64:
    return (_exact_tail(heads, tosses) + _exact_tail(heads - 1, tosses)) / 2


@lru_cache(maxsize=4)
def _tabulate_tails(most: int, *, mid: bool) -> FloatArray:
    """Return P(X ≤ k) for all k ≤ n ≤ `most` by Pascal's rule: sums of positive terms, accurate to the last digit."""
    most = min(most, _TOSSES)
    table = np.zeros((most + 1, most + 1))
    table[0] = 1.0
    for n in range(1, most + 1):
        table[n, 0] = table[n - 1, 0] / 2
        table[n, 1:] = (table[n - 1, 1:] + table[n - 1, :-1]) / 2
    if mid:
        table[:, 1:] = (table[:, 1:] + table[:, :-1]) / 2
        table[:, 0] /= 2
    return table
