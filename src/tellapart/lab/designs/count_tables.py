"""Enumeration of tables of counts, and their probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...typing_ import FloatArray, IntArray

_NEVER = -1e5  # the logarithm of no probability: one example that cannot be makes a table impossible
_ROUNDING = 1e-9  # by which shares may fail to add up to 1


def as_shares(name: str, value: Any, dimensions: int) -> FloatArray:
    """Return the cell probabilities of one table or several; raise InvalidOption if they are not valid."""
    try:
        cells = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        cells = np.empty(0)
    sides = cells.shape[-dimensions:]
    if cells.ndim < dimensions or len(set(sides)) != 1 or sides[0] < 2:
        shape_text = " by ".join(["k"] * dimensions)
        raise InvalidOption(f"`{name}` must be {shape_text} for k labels, two at least, got shape {np.shape(value)}.")
    total = cells.sum(axis=tuple(range(-dimensions, 0)), keepdims=True)
    if not (np.all(cells >= 0) and np.all(np.abs(total - 1) <= _ROUNDING)):  # NaN is none
        raise InvalidOption(f"`{name}` must be probabilities that add up to 1, got {value!r}.")
    return np.asarray(cells / total)


def ways(examples: int, cells: int) -> int:
    """Return the number of ways to distribute examples over cells."""
    return math.comb(examples + cells - 1, cells - 1)


def every_table(examples: int, possible: Any) -> IntArray:
    """Return every distribution of examples over the possible cells: [way, cell], flat.

    Examples
    --------
    >>> every_table(2, [True, False, True]).tolist()
    [[0, 0, 2], [1, 0, 1], [2, 0, 0]]
    """
    open_ = np.flatnonzero(possible)
    filled = np.zeros((1, 0), dtype=np.int64)
    left = np.array([examples])
    for _ in open_[:-1]:
        parent = np.repeat(np.arange(left.size), left + 1)
        more = np.arange(parent.size) - np.repeat(np.cumsum(left + 1) - left - 1, left + 1)
        filled = np.column_stack([filled[parent], more])
        left = left[parent] - more
    tables = np.zeros((left.size, np.size(possible)), dtype=np.int64)
    tables[:, open_] = np.column_stack([filled, left])
    return tables


def chances(tables: IntArray, shares: Sequence[FloatArray]) -> FloatArray:
    """Return the multinomial probability of every table under each of several shares of the cells.

    Examples
    --------
    >>> chances(every_table(2, [True, True]), [np.array([0.5, 0.5])]).ravel().round(9)
    array([0.25, 0.5 , 0.25])
    """
    from scipy.special import gammaln

    likely = np.array([np.ravel(each) for each in shares]).T
    with np.errstate(divide="ignore"):
        logs = np.where(likely > 0, np.log(likely), _NEVER)
    orders = gammaln(tables.sum(axis=1) + 1.0) - gammaln(tables + 1.0).sum(axis=1)
    return np.asarray(np.exp(orders[:, None] + tables @ logs))
