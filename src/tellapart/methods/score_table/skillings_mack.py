"""Skillings and Mack's form of Friedman's test, for tables with missing cells."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...evidence import ScoreTable
from ...numerics.distributions import ratio
from ...results import MeanRanks, TestResult
from ...typing_ import BoolArray, FloatArray
from ..registry import simultaneous, test
from .assumptions import (
    CAN_REJECT_BY_RANKS,
    ENOUGH_DATA_SETS_FOR_RANKS,
    INDEPENDENT_OF_POOL,
    LEARNERS_MEET,
    SOME_DATA_SET_RANKS,
)
from .shuffled import AMONG_ALL, OF_SEVERAL, compare_by_z, least_pvalue, pairs_of, require_several


class _WeightedRankSums(NamedTuple):
    """The weighted rank sums of the learners over the data sets, and their permutation covariance."""

    sums: FloatArray  # by learner: above 0 if it did worse than the mean of those on its data sets
    inverse: FloatArray  # generalised inverse of the covariance of these sums
    freedom: FloatArray  # its rank: learners less groups of linked learners
    linked: BoolArray  # whether two learners are linked by shared data sets


def _sum_weighted_ranks(table: ScoreTable) -> _WeightedRankSums:
    require_several("skillings-mack", table)
    present, ranks = table.known, table.ranks
    learners = len(table.learners)
    count = np.count_nonzero(present, axis=-1).astype(float)[..., None]
    # `ranks` stretches the ranks 1 to c of the present learners to 1 to k: undo that, and leave out single learners.
    ranks_among_present = (ranks - 0.5) * np.maximum(count, 1) / learners + 0.5
    ranked = present & (count > 1)
    centred = np.where(ranked, ranks_among_present - (count + 1) / 2, 0.0)
    weight = np.where(count > 1, np.sqrt(12 / (count + 1)), 0.0)
    # Without ties the ranks of c learners have Σ (r − r̄)² = c(c² − 1)/12, and the weighted sums of one data set the
    # variance c − 1 and the covariance −1; ties reduce both.
    spread = np.square(centred).sum(axis=-1, keepdims=True)
    left = ratio(12 * spread, np.where(count > 1, count * (np.square(count) - 1), 0.0), empty=0.0)
    met = ranked.astype(float)
    covariance = -np.swapaxes(met * left, -1, -2) @ met
    diagonal = (met * left * count).sum(axis=-2)
    covariance[..., np.arange(learners), np.arange(learners)] += diagonal
    values, vectors = np.linalg.eigh(covariance)
    real = values > 1e-9 * np.maximum(values[..., -1:], 1e-300)
    scaled = vectors * np.where(real, 1 / np.where(real, values, 1.0), 0.0)[..., None, :]
    inverse = scaled @ np.swapaxes(vectors, -1, -2)
    return _WeightedRankSums(
        (weight * centred).sum(axis=-2), inverse, np.count_nonzero(real, axis=-1), link_learners(covariance != 0)
    )


@test(
    name="skillings-mack",
    title="Skillings-Mack",
    **OF_SEVERAL,
    assumes=(SOME_DATA_SET_RANKS, LEARNERS_MEET, CAN_REJECT_BY_RANKS, ENOUGH_DATA_SETS_FOR_RANKS),
    rationale="uses all available scores, and is Friedman's test if none is missing; scores must be missing at random;"
    " does not show which learners differ",
    note="corrected for ties",
    statistic="chi-square",
    reference="skillings1981",
)
def skillings_mack(table: ScoreTable) -> TestResult:
    """Test whether several learners perform equally over many data sets, with missing cells.

    Without missing cells it is `friedman`.

    Notes
    -----
    On data set i the c_i learners with a score are ranked among themselves, and a rank r counts as
    √(12/(c_i + 1))·(r − (c_i + 1)/2). The sums A by learner have a permutation covariance Σ, ties accounted for, and
    A′Σ⁻A is approximately chi-square with k − 1 degrees of freedom (fewer, if learners fall into groups that share no
    data set). Data sets with a single score do not contribute.

    Examples
    --------
    >>> rows = [[0.9, 0.8, 0.7], [0.6, 0.7, None], [0.9, 0.8, 0.75], [0.7, 0.6, 0.5], [None, 0.8, 0.6]]
    >>> result = skillings_mack(ScoreTable.from_scores(rows))
    >>> result.statistic.round(3), result.pvalue.round(4)
    (np.float64(5.9), np.float64(0.0523))
    """
    from scipy.special import chdtrc

    summed = _sum_weighted_ranks(table)
    statistic = (summed.sums[..., None, :] @ summed.inverse @ summed.sums[..., None])[..., 0, 0]
    statistic = np.where(summed.freedom > 0, statistic, 0.0)
    tail = np.where(summed.freedom > 0, chdtrc(np.maximum(summed.freedom, 1), statistic), 1.0)
    return TestResult(statistic=statistic[()], pvalue=np.maximum(tail, least_pvalue(table.ranks))[()])


@simultaneous(
    name="skillings-mack",
    title="Skillings-Mack ranks",
    **AMONG_ALL,
    assumes=(SOME_DATA_SET_RANKS, LEARNERS_MEET, INDEPENDENT_OF_POOL),
    note="corrected for ties",
    reference="skillings1981",
)
def skillings_mack_pairs(table: ScoreTable) -> MeanRanks:
    """Compare every two learners by their ranks among all, with missing cells.

    Notes
    -----
    z = (t_A − t_B)/√v with t = Σ⁻A of Skillings and Mack's test and v the permutation variance of the difference;
    without missing cells it is the z of mean ranks. Two learners without a common data set are compared indirectly; if
    they are not linked, the statistic is 0 and p is 1. The p-values are not adjusted.

    Examples
    --------
    >>> rows = [[0.9, 0.8, 0.7], [0.6, 0.7, None], [0.9, 0.8, 0.75], [0.7, 0.6, 0.5], [None, 0.8, 0.6]]
    >>> skillings_mack_pairs(ScoreTable.from_scores(rows)).pvalue.round(3)
    array([0.519, 0.02 , 0.066])
    """
    summed = _sum_weighted_ranks(table)
    first, second = np.triu_indices(len(table.learners), 1)
    effect = (summed.inverse @ summed.sums[..., None])[..., 0]
    diagonal = np.diagonal(summed.inverse, axis1=-2, axis2=-1)
    variance = diagonal[..., first] + diagonal[..., second] - 2 * summed.inverse[..., first, second]
    z = ratio(pairs_of(effect), np.sqrt(np.maximum(variance, 0.0)), empty=0.0)
    z = np.where(summed.linked[..., first, second], z, 0.0)
    return compare_by_z(table.mean_ranks, z)


def link_learners(met: BoolArray) -> BoolArray:
    """Return which learners are linked, directly or indirectly, by shared data sets.

    Examples
    --------
    >>> link_learners(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool)).all()
    np.True_
    """
    ways = met.astype(float)
    for _ in range(met.shape[-1].bit_length()):  # twice as long each time
        ways = (ways @ ways > 0).astype(float)
    return ways > 0
