"""Computation of each distinct count once, and of mirror images together."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from ..typing_ import FloatArray, IntArray

Limits = Callable[[IntArray, IntArray], tuple[FloatArray, FloatArray]]


class Counts(Protocol):
    """Errors among trials, one pair or an array of them."""

    @property
    def errors(self) -> IntArray:
        """The number of errors."""

    @property
    def trials(self) -> IntArray:
        """The number of trials."""


_FEW = 64  # below this many pairs, finding repeats costs more than it saves
_SMALL = 2.0**-10  # 1 − x has 13 digits down to here


def once(limits: Limits, count: Counts, *, symmetric: bool = True) -> tuple[FloatArray, FloatArray]:
    """Return `limits(errors, trials)` for every entry, with each distinct pair computed once.

    Test sets have few sizes and errors are few, so a million pairs have far fewer distinct ones. For a symmetric method
    the limits at m errors are 1 minus those at M − m errors, swapped, which halves the work again and makes limits near
    1 as accurate as those near 0.
    """
    errors, trials = count.errors, count.trials
    if errors.size < _FEW:
        return _mirror_limits(limits, errors, trials) if symmetric else limits(errors, trials)
    mirrored = 2 * errors > trials if symmetric else np.zeros(errors.shape, dtype=bool)
    (fewer, sizes), where = distinct(np.where(mirrored, trials - errors, errors), trials)
    low, high = limits(fewer, sizes)
    if not symmetric:
        return low[where], high[where]
    other_low, other_high = _reflect_limits(limits, fewer, sizes, low, high)
    return np.where(mirrored, other_low[where], low[where]), np.where(mirrored, other_high[where], high[where])


def _mirror_limits(limits: Limits, errors: IntArray, trials: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the limits of few counts, mirrored if more than half of the trials are errors."""
    mirrored = 2 * errors > trials
    if not mirrored.any():
        return limits(errors, trials)
    fewer = np.where(mirrored, trials - errors, errors)[()]
    low, high = limits(fewer, trials)
    other_low, other_high = _reflect_limits(limits, fewer, trials, low, high)
    return np.where(mirrored, other_low, low)[()], np.where(mirrored, other_high, high)[()]


def _reflect_limits(
    limits: Limits, errors: IntArray, trials: IntArray, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the mirrored limits: those for counts with errors and successes swapped."""
    other_low, other_high = np.asarray(1 - high), np.asarray(1 - low)
    lost = other_low < _SMALL
    if lost.any():  # 1 − x is inaccurate: compute these limits directly
        few, sizes = np.broadcast_arrays(errors, trials)
        other_low[lost] = limits(sizes[lost] - few[lost], sizes[lost])[0]
    return other_low, other_high


def distinct(*columns: IntArray) -> tuple[tuple[IntArray, ...], IntArray]:
    """Return the distinct combinations of counts, and for every entry the index of its combination.

    Examples
    --------
    >>> distinct(np.array([3, 0, 3]), np.array([5, 5, 5]))
    ((array([0, 3]), array([5, 5])), array([1, 0, 1]))
    """
    least, bases = [int(column.min()) for column in columns], _column_ranges(columns)
    if math.prod(bases) > 2**62:  # one integer cannot hold the combination
        flat = tuple(column.ravel() for column in columns)
        return flat, np.arange(columns[0].size).reshape(columns[0].shape)
    above = [column - first if first else column for column, first in zip(columns, least, strict=True)]
    key = above[0]
    for column, base in zip(above[1:], bases[1:], strict=True):
        key = key * base + column
    if math.prod(bases) <= 8 * key.size:  # a table of all possible combinations is cheaper than sorting
        position = np.zeros(math.prod(bases), dtype=np.intp)
        position[key] = 1
        keys = np.flatnonzero(position)
        position[keys] = np.arange(keys.size)
        where = position[key]
    else:
        keys, where = np.unique(key, return_inverse=True)
    parts = []
    for base in reversed(bases[1:]):
        keys, digit = np.divmod(keys, base)
        parts.append(digit)
    few = tuple(digit + first for digit, first in zip((keys, *reversed(parts)), least, strict=True))
    return few, where.reshape(columns[0].shape)


def _column_ranges(columns: tuple[IntArray, ...]) -> list[int]:
    """Return the number of integers between the minimum and the maximum of each column."""
    return [int(column.max()) - int(column.min()) + 1 for column in columns]


def each_once(compute: Callable[..., Any], *columns: IntArray, sort: bool = True) -> Any:
    """Return `compute(*columns)`, an array or a tuple of arrays, with each distinct combination computed once.

    With `sort=False`, for cheap computations, repeats are only sought if a table of all possible combinations is small.
    """
    if columns[0].size < _FEW:
        return compute(*columns)
    if not sort and math.prod(_column_ranges(columns)) > 8 * columns[0].size:
        return compute(*columns)
    few, where = distinct(*columns)
    if few[0].size == where.size:
        return compute(*columns)
    results = compute(*few)
    return tuple(column[where] for column in results) if isinstance(results, tuple) else results[where]


def each_row_once(compute: Callable[..., Any], *columns: IntArray, sort: bool = True) -> Any:
    """Return the results of `each_once` for a function of vectors: a single count is passed as a vector, too.

    Examples
    --------
    >>> each_row_once(lambda b, c: np.array([max(pair) for pair in zip(b, c)]), np.int64(3), np.int64(5))
    np.int64(5)
    """
    shape = np.shape(columns[0])
    results = each_once(compute, *(np.ravel(column) for column in columns), sort=sort)
    if isinstance(results, tuple):
        return tuple(column_of_results.reshape(shape)[()] for column_of_results in results)
    return results.reshape(shape)[()]


_BLOCK = 16_384  # entries whose temporary arrays fit the processor's cache


def in_blocks(compute: Callable[..., Any], *columns: IntArray, size: int = _BLOCK) -> tuple[FloatArray, FloatArray]:
    """Return the two arrays of `compute(*columns)`, block by block: for formulas whose speed depends on memory."""
    entries = columns[0].size
    if entries <= size:
        first, second = compute(*columns)
        return first, second
    flat = [column.ravel() for column in columns]
    first, second = np.empty(entries), np.empty(entries)
    for start in range(0, entries, size):
        block = slice(start, start + size)
        first[block], second[block] = compute(*(column[block] for column in flat))
    return first.reshape(columns[0].shape), second.reshape(columns[0].shape)
