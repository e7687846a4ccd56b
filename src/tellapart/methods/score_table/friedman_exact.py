"""Friedman's test by counting every way to rank the learners, ties as they are."""

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
from .assumptions import CAN_REJECT_BY_RANKS, RANKS_TELL_APART
from .shuffled import ShuffledScores, centred_ranks

_WORK = 3 * 10**7  # sums of ranks times ways to rank, over all data sets: a few seconds
_BLOCK = 2**18  # sums at a time: some MB
_LEARNERS = 8  # 40,320 ways to rank them


@test(
    name="friedman-exact",
    evidence=ScoreTable,
    of_several=True,
    pairs="friedman",
    assumes=(RANKS_TELL_APART, CAN_REJECT_BY_RANKS),
    standing=Standing.SOUND,
    guarantees=True,
    rationale="every way to rank the learners is counted, ties and all, so its level holds for any number of data sets;"
    " it does not say which learners differ, and many learners are beyond counting",
    validity="any number of data sets",
    statistic="chi-square",
    reference="friedman1937",
)
def friedman_exact(table: ScoreTable) -> TestResult:
    """Test whether several learners do equally well over many data sets, by every way to rank them.

    The statistic is Friedman's χ², corrected for ties, and the p-value the share of all ways to order the ranks within
    each data set that give as much. Sums of ranks that differ only in the order of the learners are counted as
    one, which serves 3 learners on a hundred data sets, 4 on 40, 5 on 12 and 6 on 6.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.5]])
    >>> found = friedman_exact(table)
    >>> found.statistic.round(3), (found.pvalue * 108).round(9)  # of 6 · 6 · 3 ways, as one may stay
    (np.float64(5.733), np.float64(7.0))
    """
    ranks = centred_ranks("friedman-exact", table)
    shuffled, learners = ShuffledScores.of(ranks), ranks.shape[-1]
    if learners > _LEARNERS:
        raise InvalidEvidence(_beyond(learners, ranks.shape[-2]))
    whole = np.sort(np.rint(2 * ranks).astype(np.int64), axis=-1)  # halves become whole numbers
    patterns, place = _patterns(whole)
    pvalue = np.empty(place.size)
    squares = np.rint(4 * np.asarray(shuffled.between)).astype(np.int64).ravel()
    for which, pattern in enumerate(patterns):  # one, unless there are ties
        sums, tail = _distribution(pattern)
        here = place == which
        pvalue[here] = tail[np.searchsorted(sums, squares[here])]
    statistic = ratio((learners - 1) * shuffled.between, shuffled.within, empty=0.0)
    return TestResult(statistic=statistic, pvalue=pvalue.reshape(table.shape)[()])


def _patterns(rows: IntArray) -> tuple[list[tuple[tuple[int, ...], ...]], IntArray]:
    """Return the different sets of rows that tables have, in an order of their own, and which set each table has."""
    tables = rows.reshape(-1, *rows.shape[-2:])
    kinds, kind = np.unique(tables.reshape(-1, rows.shape[-1]), axis=0, return_inverse=True)
    sets, place = np.unique(np.sort(kind.reshape(tables.shape[:2]), axis=-1), axis=0, return_inverse=True)
    return [tuple(tuple(row) for row in kinds[each].tolist()) for each in sets], place.ravel()


@lru_cache(maxsize=256)
def _distribution(rows: tuple[tuple[int, ...], ...]) -> tuple[IntArray, FloatArray]:
    """Return the sums of squares that shuffling these rows can give, rising, and how often each is reached.

    Which learner is which does not matter, so sums of ranks are kept in rising order, with their share of all ways.
    """
    speaking = [row for row in rows if any(row)] or [rows[0]]
    sums, share = np.array([speaking[0]], dtype=np.int64), np.ones(1)
    work = 0
    reach = 2 * sum(max(row) for row in speaking) + 1  # each sum in whole numbers from 0 is a digit
    for row in speaking[1:]:
        ways = np.array(sorted(set(permutations(row))), dtype=np.int64)
        work += sums.shape[0] * ways.shape[0]
        if work > _WORK:
            raise InvalidEvidence(_beyond(len(row), len(rows)))
        parts = [
            _merged((sums[block, None, :] + ways).reshape(-1, len(row)), share[block], reach)
            for block in blocks(len(sums), _BLOCK // ways.shape[0])
        ]
        moved, weights = (np.concatenate([part[place] for part in parts]) for place in (0, 1))
        sums, share = _merged(moved, weights, reach)
    values, place = np.unique(np.square(sums).sum(axis=-1), return_inverse=True)
    tail = np.cumsum(np.bincount(place, share)[::-1])[::-1]
    return values, np.minimum(tail, 1.0)


def _merged(sums: IntArray, share: FloatArray, reach: int) -> tuple[IntArray, FloatArray]:
    """Return different sums in rising order, and what all that are equal but for their order share.

    Each share may belong to as many sums, one after another, which divide it among them.
    """
    sums = np.sort(sums, axis=-1)
    key = (sums + reach // 2) @ reach ** np.arange(sums.shape[-1])[::-1]
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    each = len(sums) // len(share)
    return sums[first], np.asarray(np.bincount(place, np.repeat(share / each, each)), dtype=float)


def _beyond(learners: int, datasets: int) -> str:
    return (
        f"method 'friedman-exact' counts every way to rank, which are too many for {learners} learners on {datasets}"
        " data sets. Take method='iman-davenport'."
    )
