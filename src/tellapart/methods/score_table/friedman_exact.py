"""Friedman's test by enumerating all rankings of the learners, ties included."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import ScoreTable
from ...numerics.blocks import blocks
from ...numerics.distributions import ratio
from ...results import TestResult
from ...typing_ import FloatArray, IntArray
from ..registry import Standing, test
from .assumptions import CAN_REJECT_BY_RANKS, SOME_DATA_SET_RANKS
from .shuffled import ShuffledScores, centred_ranks

_WORK = 3 * 10**7  # sums of ranks times ways to rank, over all data sets: a few seconds
_BLOCK = 2**18  # sums at a time: some MB
_LEARNERS = 8  # 40,320 ways to rank them


@test(
    name="friedman-exact",
    title="exact Friedman",
    evidence=ScoreTable,
    of_several=True,
    pairs="friedman",
    assumes=(SOME_DATA_SET_RANKS, CAN_REJECT_BY_RANKS),
    standing=Standing.SOUND,
    guarantees=True,
    rationale="exact, ties included: type I error rate at most alpha for any number of data sets; does not show which"
    " learners differ, and is infeasible for many learners",
    validity="any number of data sets",
    statistic="chi-square",
    reference="friedman1937",
)
def friedman_exact(table: ScoreTable) -> TestResult:
    """Test whether several learners perform equally over many data sets, by all permutations of their ranks.

    The statistic is Friedman's χ², corrected for ties, and the p-value the share of all permutations of the ranks
    within data sets with a statistic at least as large. It is feasible for 3 learners on 100 data sets, 4 on 40, 5 on
    12 and 6 on 6.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.5]])
    >>> result = friedman_exact(table)
    >>> result.statistic.round(3), (result.pvalue * 108).round(9)  # of 6 · 6 · 3 permutations, one data set fixed
    (np.float64(5.733), np.float64(7.0))
    """
    ranks = centred_ranks("friedman-exact", table)
    shuffled, learners = ShuffledScores.of(ranks), ranks.shape[-1]
    if learners > _LEARNERS:
        raise InvalidEvidence(_state_infeasible(learners, ranks.shape[-2]))
    whole = np.sort(np.rint(2 * ranks).astype(np.int64), axis=-1)  # halves become whole numbers
    patterns, pattern_of_table = _list_rank_patterns(whole)
    pvalue = np.empty(pattern_of_table.size)
    squares = np.rint(4 * np.asarray(shuffled.between)).astype(np.int64).ravel()
    for index, pattern in enumerate(patterns):  # a single one, unless there are ties
        sums, tail = _enumerate_sums_of_squares(pattern)
        tables = pattern_of_table == index
        pvalue[tables] = tail[np.searchsorted(sums, squares[tables])]
    statistic = ratio((learners - 1) * shuffled.between, shuffled.within, empty=0.0)
    return TestResult(statistic=statistic, pvalue=pvalue.reshape(table.shape)[()])


def _list_rank_patterns(rows: IntArray) -> tuple[list[tuple[tuple[int, ...], ...]], IntArray]:
    """Return the different sets of rows among the tables, and the index of the set of each table."""
    tables = rows.reshape(-1, *rows.shape[-2:])
    kinds, kind = np.unique(tables.reshape(-1, rows.shape[-1]), axis=0, return_inverse=True)
    patterns, index = np.unique(np.sort(kind.reshape(tables.shape[:2]), axis=-1), axis=0, return_inverse=True)
    return [tuple(tuple(row) for row in kinds[pattern].tolist()) for pattern in patterns], index.ravel()


@lru_cache(maxsize=256)
def _enumerate_sums_of_squares(rows: tuple[tuple[int, ...], ...]) -> tuple[IntArray, FloatArray]:
    """Return the sums of squares that permuting these rows can give, rising, and how often each is reached.

    The order of the learners does not matter, so sums of ranks are kept sorted, with their share of all permutations.
    """
    untied = [row for row in rows if any(row)] or [rows[0]]
    sums, share = np.array([untied[0]], dtype=np.int64), np.ones(1)
    work = 0
    reach = 2 * sum(max(row) for row in untied) + 1  # each sum in whole numbers from 0 is a digit
    for row in untied[1:]:
        ways = np.array(sorted(set(permutations(row))), dtype=np.int64)
        work += sums.shape[0] * ways.shape[0]
        if work > _WORK:
            raise InvalidEvidence(_state_infeasible(len(row), len(rows)))
        merged = [
            _merge_equal_sums((sums[block, None, :] + ways).reshape(-1, len(row)), share[block], reach)
            for block in blocks(len(sums), _BLOCK // ways.shape[0])
        ]
        moved, weights = (np.concatenate(blocks_of) for blocks_of in zip(*merged, strict=True))
        sums, share = _merge_equal_sums(moved, weights, reach)
    values, index = np.unique(np.square(sums).sum(axis=-1), return_inverse=True)
    tail = np.cumsum(np.bincount(index, share)[::-1])[::-1]
    return values, np.minimum(tail, 1.0)


def _merge_equal_sums(sums: IntArray, share: FloatArray, reach: int) -> tuple[IntArray, FloatArray]:
    """Return the different sums, sorted, and the total share of those that are equal but for their order.

    Each share may belong to several sums in a row, which divide it equally.
    """
    sums = np.sort(sums, axis=-1)
    key = (sums + reach // 2) @ reach ** np.arange(sums.shape[-1])[::-1]
    _, first, index = np.unique(key, return_index=True, return_inverse=True)
    repeats = len(sums) // len(share)
    return sums[first], np.asarray(np.bincount(index, np.repeat(share / repeats, repeats)), dtype=float)


def _state_infeasible(learners: int, datasets: int) -> str:
    return (
        f"method 'friedman-exact' must enumerate all rankings, got {learners} learners on {datasets} data sets, which"
        " is too many. Use method='iman-davenport'."
    )
