"""Do each piece of work once: repeated counts, and counts that mirror each other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..evidence import ErrorCount
from ..types import FloatArray, IntArray

__all__ = ["Limits", "in_blocks", "once"]

Limits = Callable[[IntArray, IntArray], tuple[FloatArray, FloatArray]]

_FEW = 64  # below this many pairs, looking for repeats costs more than it saves
_SMALL = 2.0**-10  # 1 − x keeps 13 digits down to here


def once(limits: Limits, count: ErrorCount, *, symmetric: bool = True) -> tuple[FloatArray, FloatArray]:
    """Return `limits(errors, trials)` for every entry, with each distinct pair computed once.

    Test sets are of few sizes and errors are few, so a million pairs hold far fewer
    distinct ones. For a symmetric method the limits at m errors are 1 minus those at
    M − m errors, exchanged, which halves the work again.
    """
    errors, trials = count.errors, count.trials
    if errors.size < _FEW:
        return limits(errors, trials)
    mirrored = 2 * errors > trials if symmetric else np.zeros(errors.shape, dtype=bool)
    fewer, sizes, where = _distinct(np.where(mirrored, trials - errors, errors).ravel(), trials.ravel())
    where = where.reshape(errors.shape)
    low, high = limits(fewer, sizes)
    if not symmetric:
        return low[where], high[where]
    other_low, other_high = 1 - high, 1 - low
    lost = other_low < _SMALL
    if lost.any():  # digits that 1 − x has lost: compute these limits themselves
        other_low[lost], _ = limits(sizes[lost] - fewer[lost], sizes[lost])
    return np.where(mirrored, other_low[where], low[where]), np.where(mirrored, other_high[where], high[where])


def _distinct(errors: IntArray, trials: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the distinct pairs, and for every pair the position of its like among them."""
    base, top = int(errors.max()) + 1, int(trials.max()) + 1
    if base * top > 2**62:  # one integer cannot hold the pair
        return errors, trials, np.arange(errors.size)
    key = trials * base + errors
    if base * top <= 8 * key.size:  # a table of all possible pairs is cheaper than sorting
        position = np.zeros(base * top, dtype=np.intp)
        position[key] = 1
        found = np.flatnonzero(position)
        position[found] = np.arange(found.size)
        return found % base, found // base, position[key]
    found, where = np.unique(key, return_inverse=True)
    return found % base, found // base, where


_BLOCK = 16_384  # pairs whose temporary arrays fit the processor's cache


def in_blocks(limits: Limits, count: ErrorCount) -> tuple[FloatArray, FloatArray]:
    """Return `limits(errors, trials)` for every entry, for closed forms that memory would slow down."""
    if count.errors.size <= _BLOCK:
        return limits(count.errors, count.trials)
    low, high = np.empty(count.shape), np.empty(count.shape)
    errors, trials, flat_low, flat_high = (
        count.errors.ravel(),
        count.trials.ravel(),
        low.ravel(),
        high.ravel(),
    )
    for first in range(0, errors.size, _BLOCK):
        part = slice(first, first + _BLOCK)
        flat_low[part], flat_high[part] = limits(errors[part], trials[part])
    return low, high
