"""Logically related hypotheses of all pairs: A = B and B = C imply A = C.

Equality is transitive, so the pairs of k learners that are truly equal lie within the blocks of some partition. Most
numbers of equal pairs (Shaffer) and most sets of them (Bergmann and Hommel) are therefore impossible, and the
adjustment is smaller.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb, isqrt

import numpy as np

from ..errors import InvalidInput
from ..typing_ import BoolArray, FloatArray, IntArray

_LEARNERS = 12  # 4,096 sets of learners, each split in two: half a million cases
_BLOCK = 2**22  # numbers in memory at once: 32 MB


def learners_of(pairs: int, rule: str) -> int:
    """Return the number of learners with this many pairs; raise InvalidInput if there is none.

    Examples
    --------
    >>> learners_of(10, "shaffer")
    5
    """
    learners = (1 + isqrt(1 + 8 * pairs)) // 2
    if comb(learners, 2) != pairs:
        raise InvalidInput(
            f"method {rule!r} adjusts the p-values of all pairs of learners (1, 3, 6, 10, …), got {pairs} p-values."
            " Use method='holm'."
        )
    return learners


@lru_cache(maxsize=64)
def equal_pairs(learners: int) -> tuple[int, ...]:
    """Return the possible numbers of truly equal pairs, in increasing order.

    Examples
    --------
    >>> equal_pairs(5)
    (0, 1, 2, 3, 4, 6, 10)
    """
    # A block of j learners has j(j − 1)/2 equal pairs, in addition to those of the other learners.
    blocks = {comb(j, 2) + rest for j in range(1, learners + 1) for rest in equal_pairs(learners - j)}
    return tuple(sorted(blocks)) if learners else (0,)


def most_equal(pairs: int, learners: int) -> IntArray:
    """Return the largest possible number of equal pairs after 0, 1, … rejections.

    Examples
    --------
    >>> most_equal(10, 5)
    array([10,  6,  6,  6,  6,  4,  4,  3,  2,  1])
    """
    possible = np.array(equal_pairs(learners))
    return possible[np.searchsorted(possible, pairs - np.arange(pairs), side="right") - 1]


def bergmann_hommel(pvalues: FloatArray) -> FloatArray:
    """Return the p-values of all pairs, in the order of `itertools.combinations`, adjusted by Bergmann and Hommel.

    The adjusted p-value of a pair is the largest |I|·min p over the sets I of pairs that contain it and can all be
    equal: the pairs within the blocks of a partition. Instead of enumerating the partitions (115,975 of ten learners),
    the largest I without a p-value below t is computed for each p-value t, by recursion over sets of learners. NaN is
    not counted.

    Examples
    --------
    >>> bergmann_hommel(np.array([0.01, 0.04, 0.03]))
    array([0.03, 0.04, 0.03])
    """
    size = pvalues.shape[-1]
    learners = learners_of(size, "bergmann-hommel")
    if learners > _LEARNERS:
        raise InvalidInput(
            f"method 'bergmann-hommel' takes up to {_LEARNERS} learners ({comb(_LEARNERS, 2)} p-values), got {size}"
            f" of {learners} learners. Use method='shaffer' or 'holm'."
        )
    families = pvalues.reshape(-1, size)
    step = max(_BLOCK // (size * 2**learners), 1)
    parts = [_close_families(families[start : start + step], learners) for start in range(0, len(families), step)]
    return np.concatenate(parts).reshape(pvalues.shape)


def _close_families(families: FloatArray, learners: int) -> FloatArray:
    tested = ~np.isnan(families)
    levels = np.where(tested, families, 0.0)  # a pair without a test needs no adjustment: 0 times any number
    inside = _pairs_inside(learners)
    count = tested.astype(float) @ inside.T.astype(float)  # by family and set of learners
    least = np.ones_like(count)
    for pair, value in enumerate(np.where(tested, families, 1.0).T):
        least = np.where(inside[:, pair], np.minimum(least, value[:, None]), least)
    # By family, set and level: the most pairs in blocks that make up the set, no p-value below the level.
    fits = least[:, :, None] >= levels[:, None, :]
    most = np.zeros(fits.shape)
    for whole in range(1, 2**learners):
        blocks = _blocks_with_lowest(whole)
        made = np.where(fits[:, blocks], count[:, blocks, None] + most[:, whole ^ blocks], -np.inf)
        most[:, whole] = made.max(axis=1)
    # The block that contains the pair, and the largest number of pairs of the other learners.
    every = np.arange(2**learners)
    largest = np.where(fits, levels[:, None, :] * (count[:, :, None] + most[:, every[::-1]]), 0.0).max(axis=-1)
    adjusted = np.stack([largest[:, inside[:, pair]].max(axis=1) for pair in range(families.shape[-1])], axis=-1)
    return np.where(tested, np.minimum(adjusted, 1.0), np.nan)


@lru_cache(maxsize=16)
def _pairs_inside(learners: int) -> BoolArray:
    """Return whether a set of learners contains both learners of a pair, by set (a bit mask) and pair."""
    sets = np.arange(2**learners)
    pairs = [(1 << first) | (1 << second) for first, second in combinations(range(learners), 2)]
    return np.stack([sets & both == both for both in pairs], axis=-1)


@lru_cache(maxsize=4096)
def _blocks_with_lowest(whole: int) -> IntArray:
    """Return the subsets of a set that contain its first learner."""
    blocks = np.array([whole & -whole])
    rest = whole & (whole - 1)
    while rest:
        blocks = np.concatenate([blocks, blocks | (rest & -rest)])
        rest &= rest - 1
    return blocks
