"""Sums of signed ranks: how they are formed with ties and zeros, and how small one gets if every sign is a coin's.

Differences come in whole steps, so that ties are ties. Ranks are doubled, which makes the shared ones whole, too. What
is left of the differences when their signs are forgotten, ties and zeros included, is taken as given: the chances are
those of all patterns of signs, counted, and no more than what they say however many differences tie.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from ...numerics.blocks import blocks
from ...typing_ import BoolArray, FloatArray, IntArray

Zeros = Literal["pratt", "drop"]

EXACT = 500  # data sets up to which all patterns are counted
_HELD = 2_000_000  # numbers held at once
_FAR = 2.0**50  # steps, beyond which floats lose the last: differences so large share a rank


class RankSums(NamedTuple):
    """Sums of doubled ranks by row.

    `plus` is that of the positive differences, `total` that of all which count. `ranks` are these themselves, in order
    of size, 0 where a difference does not count; None where they are 1, 2, … `size` in every row.
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
    """The chance that a rank sum is as small as the lesser of both, and that it is smaller still."""

    reach: FloatArray
    beyond: FloatArray


def rank_sums(rows: FloatArray, zeros: Zeros = "pratt") -> tuple[RankSums, BoolArray]:
    """Rank the differences of each row by size and add up the ranks; say in which rows all ranks are whole and there.

    Parameters
    ----------
    rows
        Differences in whole steps, along the last of two dimensions; NaN where one is missing.
    zeros
        "pratt" ranks zeros with the rest and then leaves them out, "drop" leaves them out before.

    Examples
    --------
    >>> found, plain = rank_sums(np.array([[3.0, -1.0, 2.0], [2.0, -2.0, 0.0]]))
    >>> found.plus, found.total, plain
    (array([10,  5]), array([12, 10]), array([ True, False]))
    """
    sizes = np.abs(rows)
    if sizes.size and not sizes.max() < _FAR:  # NaN, too
        rows = np.clip(rows, -_FAR, _FAR)
        sizes = np.where(np.isnan(rows), 2 * _FAR, np.abs(rows))
    # One sort for size and sign: the last bit says which way a difference points, and breaks no tie between others.
    keys = np.sort(2 * sizes + (rows > 0), axis=-1).astype(np.int64)
    positive, sizes_in_order = keys & 1, keys >> 1
    known = sizes_in_order < 2 * int(_FAR)
    same = (sizes_in_order[:, 1:] == sizes_in_order[:, :-1]) & known[:, 1:]
    plain = ~same.any(axis=-1) & (sizes_in_order[:, 0] > 0)
    count = np.count_nonzero(known, axis=-1)
    if plain.all():
        plus = positive @ np.arange(2, 2 * keys.shape[-1] + 2, 2)
        return RankSums(plus, count * (count + 1), count, None), plain
    return _with_ties(sizes_in_order, positive, known, count, zeros), plain


def _with_ties(sizes: IntArray, positive: IntArray, known: BoolArray, count: IntArray, zeros: Zeros) -> RankSums:
    """Return the sums of rows in order, in which ranks may be shared and differences be 0."""
    ranks = np.where(known & (sizes > 0), _shared(sizes), 0)
    if zeros == "drop":
        left_out = np.count_nonzero(sizes == 0, axis=-1)
        ranks = np.where(ranks > 0, ranks - 2 * left_out[:, None], 0)
        count = count - left_out
    return RankSums((ranks * positive).sum(axis=-1), ranks.sum(axis=-1), count, ranks)


def _shared(ordered: IntArray) -> IntArray:
    """Return twice the rank of each value of rows that are in order; equal values share the middle of theirs."""
    places = np.broadcast_to(np.arange(1, ordered.shape[-1] + 1), ordered.shape)
    new = ordered[:, 1:] != ordered[:, :-1]
    edge = np.ones((len(ordered), 1), dtype=bool)
    first = np.maximum.accumulate(np.where(np.hstack([edge, new]), places, 0), axis=-1)
    beyond = places[0, -1] + 1
    last = np.minimum.accumulate(np.where(np.hstack([new, edge]), places, beyond)[:, ::-1], axis=-1)[:, ::-1]
    return first + last


# --- How small a sum gets -------------------------------------------------------------------------


def chances(sums: RankSums, plain: BoolArray, exact: int = EXACT) -> Chances:
    """Return the chances of the lesser sum of each row, every sign being + or − with the chance ½.

    All patterns are counted up to `exact` differences; beyond, the sum is taken for normal, with its variance under
    these ties and a correction for its steps.

    Examples
    --------
    >>> chances(*rank_sums(np.array([[3.0, -1.0, 2.0], [2.0, -2.0, 0.0]])))
    Chances(reach=array([0.25, 0.75]), beyond=array([0.125, 0.25 ]))
    """
    lesser = sums.lesser
    if sums.ranks is None and (sums.size == sums.size[0]).all() and sums.size[0] <= exact:
        below = _untied(int(sums.size[0]))
        return Chances(below[lesser // 2 + 1], below[lesser // 2])
    reach, beyond = np.ones(len(lesser)), np.zeros(len(lesser))
    for count in np.unique(sums.size[plain & (sums.size <= exact)]).tolist():  # as many as there are data sets
        rows = plain & (sums.size == count)
        below = _untied(count)
        reach[rows], beyond[rows] = below[lesser[rows] // 2 + 1], below[lesser[rows] // 2]
    tied = ~plain & (sums.size <= exact)
    if tied.any() and sums.ranks is not None:
        reach[tied], beyond[tied] = _of_tied(sums.ranks[tied], lesser[tied])
    many = sums.size > exact
    if many.any():
        reach[many], beyond[many] = _normal(sums, many)
    return Chances(reach, beyond)


@lru_cache(maxsize=128)  # half a megabyte for each of the largest
def _untied(count: int) -> FloatArray:
    """Return the chances that the sum of ranks 1 to `count` that point one way is below 0, 1, …, up to its middle."""
    width = count * (count + 1) // 4 + 1
    ways = _patterns(np.arange(1, count + 1)[None], width)[0]
    below = np.zeros(width + 1)
    np.cumsum(ways, out=below[1:])
    return np.ldexp(below, -count)


def critical_count(count: int, tail: float) -> int:
    """Return the smallest sum of ranks 1 to `count` that is reached (from below) with a chance of `tail` or more.

    Examples
    --------
    >>> critical_count(5, 0.025), critical_count(6, 0.025), critical_count(30, 0.025)
    (0, 1, 138)
    """
    return int(np.searchsorted(_untied(count)[1:], tail))


def _of_tied(ranks: IntArray, at: IntArray) -> Chances:
    """Return the chances of rows that each have ranks of their own, in blocks that memory holds."""
    reach, beyond = np.empty(len(at)), np.empty(len(at))
    order = np.argsort(at, kind="stable")  # rows of one block have about as far to go
    for block in blocks(len(order), _HELD // (2 * int(at.max()) + 2)):
        rows = order[block]
        here, most = ranks[rows], at[rows]
        if not (here & 1).any():  # no rank is shared by an even number
            here, most = here >> 1, most >> 1
        ways = _patterns(here, int(most.max()) + 1)
        places = np.arange(ways.shape[-1])
        ways[places > most[:, None]] = 0.0
        last = np.take_along_axis(ways, most[:, None], axis=-1)[:, 0]
        total = ways.sum(axis=-1)
        reach[rows], beyond[rows] = np.ldexp(total, -here.shape[-1]), np.ldexp(total - last, -here.shape[-1])
    return Chances(reach, beyond)


def _patterns(ranks: IntArray, width: int) -> FloatArray:
    """Return by row how many patterns of signs make the sum of the ranks that point one way 0, 1, … below `width`.

    One rank after the other is added: a sum s is reached without it as before, and with it from s less that rank. A
    rank of 0 doubles everything.
    """
    held = np.zeros((len(ranks), 2 * width))  # what lies left of the sum 0 stays 0
    ways = held[:, width:]
    ways[:, 0] = 1.0
    starts = np.arange(len(ranks)) * (2 * width) + width
    grown = np.minimum(np.cumsum(ranks, axis=-1).max(axis=0) + 1, width)
    for rank, far in zip(np.minimum(ranks, width).T, grown.tolist(), strict=True):
        if (rank == rank[0]).all():
            ways[:, rank[0] : far] += ways[:, : max(far - int(rank[0]), 0)].copy()
        else:
            ways[:, :far] += held.reshape(-1).take((starts - rank)[:, None] + np.arange(far))
    return ways


def _normal(sums: RankSums, rows: BoolArray) -> Chances:
    """Return the chances by the normal curve; half a step is added, so that they rather exceed the exact ones."""
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
