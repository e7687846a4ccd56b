"""Hodges and Lehmann's estimate and interval: order statistics of the means of two differences (Walsh averages).

Wilcoxon's test does not reject a shift if enough Walsh averages (each difference with itself included) lie on either
side. Without ties the number is that of the exact table; with ties it depends on the shared ranks at that shift, and
the test itself is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...evidence import ScoreTable
from ...numerics.blocks import blocks
from ...numerics.distributions import first_count
from ...typing_ import FloatArray, IntArray
from .differences import median_of
from .signed_ranks import EXACT, chances, critical_count, rank_sums

_NUMBERS_IN_MEMORY = 4_000_000  # numbers in memory at once


def pseudomedian(table: ScoreTable) -> FloatArray:
    """Return Hodges and Lehmann's estimate: the median of the means of every two differences, each with itself, too.

    Examples
    --------
    >>> pseudomedian(ScoreTable.from_scores({"A": [0.0, 0.0, 0.0], "B": [0.01, 0.02, 0.06]})).round(4)
    np.float64(0.0275)
    """
    whole, _ = table.steps()
    medians = _compute_in_blocks(whole, lambda rows: median_of(*_ordered_sums(rows))[None])[0]
    return table.worth(medians.reshape(table.shape) / 2)[()]


def walsh_limits(table: ScoreTable, tail: float, ends: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """Return the least and the largest shift that Wilcoxon's test does not reject, with this tail probability.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"A": [0.0] * 6, "B": [0.01, 0.02, 0.03, 0.05, 0.08, 0.13]})
    >>> low, high = walsh_limits(table, 0.025, (-1.0, 1.0))
    >>> low.round(4), high.round(4)
    (np.float64(0.01), np.float64(0.13))
    """
    whole, _ = table.steps()
    low, high = _compute_in_blocks(
        whole, lambda rows: np.stack([_find_least_shift(rows, tail), -_find_least_shift(-rows, tail)])
    )
    low, high = (table.worth(limit.reshape(table.shape) / 2) for limit in (low, high))
    return np.where(np.isinf(low), ends[0], low)[()], np.where(np.isinf(high), ends[1], high)[()]


def _compute_in_blocks(whole: FloatArray, compute: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Apply a function to blocks of rows whose Walsh averages fit in memory; rows are along the last axis."""
    size = whole.shape[-1]
    rows = whole.reshape(-1, size)
    return np.concatenate(
        [compute(rows[block]) for block in blocks(len(rows), _NUMBERS_IN_MEMORY // (size * (size + 1)))], axis=-1
    )


def _ordered_sums(rows: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the sums of every two differences of each row in order, NaN last, and how many there are."""
    first, second = np.triu_indices(rows.shape[-1])
    sums = rows.take(first, axis=-1)
    sums += rows.take(second, axis=-1)
    sums.sort(axis=-1)
    count = np.count_nonzero(~np.isnan(rows), axis=-1)
    return sums, count * (count + 1) // 2


def _find_least_shift(rows: FloatArray, tail: float) -> FloatArray:
    """Return twice the least shift of each row that is not rejected; −∞ if no shift is."""
    sums, number_of_sums = _ordered_sums(rows)
    count = np.count_nonzero(~np.isnan(rows), axis=-1)
    # Equal differences share ranks, at every shift.
    ordered = np.sort(rows, axis=-1)
    tied = (ordered[:, 1:] == ordered[:, :-1]).any(axis=-1) | (count > EXACT)
    below = np.zeros(len(rows), dtype=np.int64)  # how many means have to lie below
    for size in np.unique(count[~tied]).tolist():
        below[~tied & (count == size)] = critical_count(size, tail)
    if tied.any():
        below[tied] = _count_by_test(rows[tied], sums[tied], number_of_sums[tied], tail)
    shifts = np.take_along_axis(sums, np.maximum(below - 1, 0)[:, None], axis=-1)[:, 0]
    return np.where(below > 0, shifts, -np.inf)


def _count_by_test(rows: FloatArray, sums: FloatArray, number_of_sums: IntArray, tail: float) -> IntArray:
    """Return how many means have to lie below a shift, by bisection.

    The tail probability never falls as the shift rises to the centre: if two groups of equal differences change their
    order, the ranks of those now below grow by as much as any pattern of signs can make of the change.
    """

    def is_not_rejected(below: Any) -> Any:
        # Sums are whole: half a step above a sum there is none. Below the first all differences are positive.
        edge = np.take_along_axis(sums, np.maximum(below - 1, 0)[:, None], axis=-1)
        edge = np.where(below[:, None] > 0, edge + 0.5, sums[:, :1] - 0.5)
        rank_sums_at_edge, plain = rank_sums(4 * rows - 2 * edge)
        reach, _ = chances(rank_sums_at_edge, plain)
        return (reach >= tail) | (2 * rank_sums_at_edge.plus <= rank_sums_at_edge.total)

    return np.asarray(first_count(is_not_rejected, number_of_sums - 1))
