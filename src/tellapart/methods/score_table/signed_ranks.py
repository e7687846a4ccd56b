"""Sums of signed ranks with ties and zeros, and their exact distribution over all patterns of signs.

Differences are in whole steps, so that ties compare equal. Ranks are doubled, which makes shared ranks whole. The
distribution is conditional on the absolute differences, ties and zeros included, so it is exact with any ties.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from ...numerics.blocks import blocks
from ...typing_ import BoolArray, FloatArray, IntArray

Zeros = Literal["pratt", "drop"]

EXACT = 500  # data sets up to which all patterns of signs are enumerated
_NUMBERS_IN_MEMORY = 2_000_000  # numbers in memory at once
_FAR = 2.0**50  # steps, beyond which floats lose the last: differences so large share a rank


class RankSums(NamedTuple):
    """Sums of doubled ranks by row.

    `plus` is that of the positive differences, `total` that of all included. `ranks` are the ranks in order of size, 0
    if a difference is not included; None if they are 1, 2, … `size` in every row.
    """

    plus: IntArray
    total: IntArray
    size: IntArray
    ranks: IntArray | None

    @property
    def lesser(self) -> IntArray:
        """The smaller of both sums."""
        lesser: IntArray = np.minimum(self.plus, self.total - self.plus)
        return lesser


class Chances(NamedTuple):
    """The probability of a rank sum at most as small as the lesser of both, and of a smaller one."""

    reach: FloatArray
    beyond: FloatArray


def rank_sums(rows: FloatArray, zeros: Zeros = "pratt") -> tuple[RankSums, BoolArray]:
    """Return the rank sums of each row, and in which rows there are neither ties nor zeros.

    Parameters
    ----------
    rows
        Differences in whole steps, along the last of two dimensions; NaN where one is missing.
    zeros
        "pratt" ranks zeros with the rest and then leaves them out, "drop" leaves them out before.

    Examples
    --------
    >>> sums, plain = rank_sums(np.array([[3.0, -1.0, 2.0], [2.0, -2.0, 0.0]]))
    >>> sums.plus, sums.total, plain
    (array([10,  5]), array([12, 10]), array([ True, False]))
    """
    sizes = np.abs(rows)
    if sizes.size and not sizes.max() < _FAR:  # NaN, too
        rows = np.clip(rows, -_FAR, _FAR)
        sizes = np.where(np.isnan(rows), 2 * _FAR, np.abs(rows))
    # One sort for size and sign: the last bit is the sign, and does not break ties of size.
    keys = np.sort(2 * sizes + (rows > 0), axis=-1).astype(np.int64)
    positive, sizes_in_order = keys & 1, keys >> 1
    present = sizes_in_order < 2 * int(_FAR)
    same = (sizes_in_order[:, 1:] == sizes_in_order[:, :-1]) & present[:, 1:]
    plain = ~same.any(axis=-1) & (sizes_in_order[:, 0] > 0)
    count = np.count_nonzero(present, axis=-1)
    if plain.all():
        plus = positive @ np.arange(2, 2 * keys.shape[-1] + 2, 2)
        return RankSums(plus, count * (count + 1), count, None), plain
    return _rank_with_ties(sizes_in_order, positive, present, count, zeros), plain


def _rank_with_ties(sizes: IntArray, positive: IntArray, present: BoolArray, count: IntArray, zeros: Zeros) -> RankSums:
    """Return the sums of rows in order, in which ranks may be shared and differences be 0."""
    ranks = np.where(present & (sizes > 0), _share_tied_ranks(sizes), 0)
    if zeros == "drop":
        left_out = np.count_nonzero(sizes == 0, axis=-1)
        ranks = np.where(ranks > 0, ranks - 2 * left_out[:, None], 0)
        count = count - left_out
    return RankSums((ranks * positive).sum(axis=-1), ranks.sum(axis=-1), count, ranks)


def _share_tied_ranks(ordered: IntArray) -> IntArray:
    """Return twice the rank of each value of sorted rows; equal values share their mean rank."""
    positions = np.broadcast_to(np.arange(1, ordered.shape[-1] + 1), ordered.shape)
    new = ordered[:, 1:] != ordered[:, :-1]
    edge = np.ones((len(ordered), 1), dtype=bool)
    first = np.maximum.accumulate(np.where(np.hstack([edge, new]), positions, 0), axis=-1)
    beyond = positions[0, -1] + 1
    last = np.minimum.accumulate(np.where(np.hstack([new, edge]), positions, beyond)[:, ::-1], axis=-1)[:, ::-1]
    return first + last


# --- The distribution of a rank sum ----------------------------------------------------------------


def chances(sums: RankSums, plain: BoolArray, exact: int = EXACT) -> Chances:
    """Return the probabilities of the lesser sum of each row, all patterns of signs being equally likely.

    They are exact up to `exact` differences; beyond, they are a normal approximation with the variance under these ties
    and a continuity correction.

    Examples
    --------
    >>> chances(*rank_sums(np.array([[3.0, -1.0, 2.0], [2.0, -2.0, 0.0]])))
    Chances(reach=array([0.25, 0.75]), beyond=array([0.125, 0.25 ]))
    """
    lesser = sums.lesser
    if sums.ranks is None and (sums.size == sums.size[0]).all() and sums.size[0] <= exact:
        below = _count_untied(int(sums.size[0]))
        return Chances(below[lesser // 2 + 1], below[lesser // 2])
    reach, beyond = np.ones(len(lesser)), np.zeros(len(lesser))
    for count in np.unique(sums.size[plain & (sums.size <= exact)]).tolist():  # as many as there are data sets
        rows = plain & (sums.size == count)
        below = _count_untied(count)
        reach[rows], beyond[rows] = below[lesser[rows] // 2 + 1], below[lesser[rows] // 2]
    tied = ~plain & (sums.size <= exact)
    if tied.any() and sums.ranks is not None:
        reach[tied], beyond[tied] = _count_tied(sums.ranks[tied], lesser[tied])
    beyond_exact = sums.size > exact
    if beyond_exact.any():
        reach[beyond_exact], beyond[beyond_exact] = _approximate_by_normal(sums, beyond_exact)
    return Chances(reach, beyond)


@lru_cache(maxsize=128)  # half a megabyte for each of the largest
def _count_untied(count: int) -> FloatArray:
    """Return the probabilities that the sum of the positive ranks of 1 to `count` is below 0, 1, …, to its centre."""
    width = count * (count + 1) // 4 + 1
    ways = _count_sign_patterns(np.arange(1, count + 1)[None], width)[0]
    below = np.zeros(width + 1)
    np.cumsum(ways, out=below[1:])
    return np.ldexp(below, -count)


def critical_count(count: int, tail: float) -> int:
    """Return the smallest sum of ranks 1 to `count` with a lower tail probability of `tail` or more.

    Examples
    --------
    >>> critical_count(5, 0.025), critical_count(6, 0.025), critical_count(30, 0.025)
    (0, 1, 138)
    """
    return int(np.searchsorted(_count_untied(count)[1:], tail))


def _count_tied(ranks: IntArray, at: IntArray) -> Chances:
    """Return the probabilities of rows with different ranks, in blocks that fit in memory."""
    reach, beyond = np.empty(len(at)), np.empty(len(at))
    order = np.argsort(at, kind="stable")  # rows of one block have about as far to go
    for block in blocks(len(order), _NUMBERS_IN_MEMORY // (2 * int(at.max()) + 2)):
        rows = order[block]
        rank_rows, most = ranks[rows], at[rows]
        if not (rank_rows & 1).any():  # no rank is shared by an even number
            rank_rows, most = rank_rows >> 1, most >> 1
        ways = _count_sign_patterns(rank_rows, int(most.max()) + 1)
        sums_of_ranks = np.arange(ways.shape[-1])
        ways[sums_of_ranks > most[:, None]] = 0.0
        last = np.take_along_axis(ways, most[:, None], axis=-1)[:, 0]
        total = ways.sum(axis=-1)
        reach[rows], beyond[rows] = np.ldexp(total, -rank_rows.shape[-1]), np.ldexp(total - last, -rank_rows.shape[-1])
    return Chances(reach, beyond)


def _count_sign_patterns(ranks: IntArray, width: int) -> FloatArray:
    """Return by row the number of patterns of signs with sum 0, 1, … below `width` of the positive ranks.

    Ranks are added one after the other: a sum s is reached without the rank as before, and with it from s less that
    rank. A rank of 0 doubles all counts.
    """
    padded = np.zeros((len(ranks), 2 * width))  # left of the sum 0 all counts are 0
    ways = padded[:, width:]
    ways[:, 0] = 1.0
    starts = np.arange(len(ranks)) * (2 * width) + width
    grown = np.minimum(np.cumsum(ranks, axis=-1).max(axis=0) + 1, width)
    for rank, far in zip(np.minimum(ranks, width).T, grown.tolist(), strict=True):
        if (rank == rank[0]).all():
            ways[:, rank[0] : far] += ways[:, : max(far - int(rank[0]), 0)].copy()
        else:
            ways[:, :far] += padded.reshape(-1).take((starts - rank)[:, None] + np.arange(far))
    return ways


def _approximate_by_normal(sums: RankSums, rows: BoolArray) -> Chances:
    """Return the probabilities by the normal approximation, with a continuity correction."""
    from scipy.special import ndtr

    if sums.ranks is None:
        count = sums.size[rows].astype(float)
        variance = count * (count + 1) * (2 * count + 1) * (4 / 6)
    else:
        variance = np.square(sums.ranks[rows].astype(float)).sum(axis=-1)
    lead = (sums.total - 2 * sums.lesser)[rows].astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        reach, beyond = ndtr((2.0 - lead) / np.sqrt(variance)), ndtr((-2.0 - lead) / np.sqrt(variance))
    none = variance == 0
    return Chances(np.where(none, 1.0, reach), np.where(none, 0.0, beyond))
