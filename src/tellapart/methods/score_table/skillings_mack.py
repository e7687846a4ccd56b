"""Skillings and Mack's form of Friedman's test, for tables in which cells are missing."""

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
    LEARNERS_MEET,
    POOL_MATTERS_NOT,
    RANKS_TELL_APART,
)
from .shuffled import AMONG_ALL, OF_SEVERAL, compare_by_z, least_pvalue, pairs_of, several


class _Summed(NamedTuple):
    """What learners gathered over the data sets, and how that varies when ranks are shuffled."""

    sums: FloatArray  # by learner: above 0 where it did worse than the mean of those it met
    inverse: FloatArray  # of the covariance of these sums, as far as it has one
    freedom: FloatArray  # its rank: learners less groups of learners that met
    linked: BoolArray  # whether a way leads from one learner to another by data sets that two of them share


def _summed(table: ScoreTable) -> _Summed:
    several("skillings-mack", table)
    known, ranks = table.known, table.ranks
    learners = len(table.learners)
    count = np.count_nonzero(known, axis=-1).astype(float)[..., None]
    # `ranks` spreads the places 1 to c of those known over 1 to k: take that back, and leave out data sets of one.
    places = (ranks - 0.5) * np.maximum(count, 1) / learners + 0.5
    speaks = known & (count > 1)
    apart = np.where(speaks, places - (count + 1) / 2, 0.0)
    weight = np.where(count > 1, np.sqrt(12 / (count + 1)), 0.0)
    # Without ties the ranks of c learners have Σ (r − r̄)² = c(c² − 1)/12, and the weighted sums of one data set the
    # covariance c − 1 (a learner's own) and −1 (of two); ties take their share of it away.
    spread = np.square(apart).sum(axis=-1, keepdims=True)
    left = ratio(12 * spread, np.where(count > 1, count * (np.square(count) - 1), 0.0), empty=0.0)
    met = speaks.astype(float)
    covariance = -np.swapaxes(met * left, -1, -2) @ met
    own = (met * left * count).sum(axis=-2)
    covariance[..., np.arange(learners), np.arange(learners)] += own
    values, vectors = np.linalg.eigh(covariance)
    real = values > 1e-9 * np.maximum(values[..., -1:], 1e-300)
    scaled = vectors * np.where(real, 1 / np.where(real, values, 1.0), 0.0)[..., None, :]
    inverse = scaled @ np.swapaxes(vectors, -1, -2)
    return _Summed((weight * apart).sum(axis=-2), inverse, np.count_nonzero(real, axis=-1), linked(covariance != 0))


@test(
    name="skillings-mack",
    **OF_SEVERAL,
    assumes=(RANKS_TELL_APART, LEARNERS_MEET, CAN_REJECT_BY_RANKS, ENOUGH_DATA_SETS_FOR_RANKS),
    rationale="uses every score there is, and is Friedman's test where none is missing; a score must not be missing"
    " because it would have been bad, and it does not say which learners differ",
    note="corrected for ties",
    statistic="chi-square",
    reference="skillings1981",
)
def skillings_mack(table: ScoreTable) -> TestResult:
    """Test whether several learners do equally well over many data sets, cells being missing.

    On data set i the c_i learners with a score are ranked among themselves, and a rank r counts as
    √(12/(c_i + 1))·(r − (c_i + 1)/2). The sums A by learner have a covariance Σ when ranks are shuffled, ties allowed
    for, and A′Σ⁻A is about chi-square with k − 1 degrees of freedom (less, where learners fall into groups that share
    no data set). Data sets with a single score tell nothing. Without missing cells it is `friedman`.

    Examples
    --------
    >>> rows = [[0.9, 0.8, 0.7], [0.6, 0.7, None], [0.9, 0.8, 0.75], [0.7, 0.6, 0.5], [None, 0.8, 0.6]]
    >>> found = skillings_mack(ScoreTable.from_scores(rows))
    >>> found.statistic.round(3), found.pvalue.round(4)
    (np.float64(5.9), np.float64(0.0523))
    """
    from scipy.special import chdtrc

    found = _summed(table)
    statistic = (found.sums[..., None, :] @ found.inverse @ found.sums[..., None])[..., 0, 0]
    statistic = np.where(found.freedom > 0, statistic, 0.0)
    tail = np.where(found.freedom > 0, chdtrc(np.maximum(found.freedom, 1), statistic), 1.0)
    return TestResult(statistic=statistic[()], pvalue=np.maximum(tail, least_pvalue(table.ranks))[()])


@simultaneous(
    name="skillings-mack",
    **AMONG_ALL,
    assumes=(RANKS_TELL_APART, LEARNERS_MEET, POOL_MATTERS_NOT),
    note="corrected for ties",
    reference="skillings1981",
)
def skillings_mack_pairs(table: ScoreTable) -> MeanRanks:
    """Compare every two learners by their ranks among all, cells being missing.

    z = (t_A − t_B)/√v with t = Σ⁻A of Skillings and Mack's test and v the variance of the difference when ranks are
    shuffled; without missing cells it is the z of mean ranks. Two learners that never met are compared by
    way of others; where no way leads from one to the other the statistic is 0 and p is 1. The p-values do not allow for
    their number.

    Examples
    --------
    >>> rows = [[0.9, 0.8, 0.7], [0.6, 0.7, None], [0.9, 0.8, 0.75], [0.7, 0.6, 0.5], [None, 0.8, 0.6]]
    >>> skillings_mack_pairs(ScoreTable.from_scores(rows)).pvalue.round(3)
    array([0.519, 0.02 , 0.066])
    """
    found = _summed(table)
    first, second = np.triu_indices(len(table.learners), 1)
    effect = (found.inverse @ found.sums[..., None])[..., 0]
    own = np.diagonal(found.inverse, axis1=-2, axis2=-1)
    variance = own[..., first] + own[..., second] - 2 * found.inverse[..., first, second]
    z = ratio(pairs_of(effect), np.sqrt(np.maximum(variance, 0.0)), empty=0.0)
    z = np.where(found.linked[..., first, second], z, 0.0)
    return compare_by_z(table.mean_ranks, z)


def linked(met: BoolArray) -> BoolArray:
    """Return whether a way leads from one learner to another, given which met.

    Examples
    --------
    >>> linked(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool)).all()
    np.True_
    """
    ways = met.astype(float)
    for _ in range(met.shape[-1].bit_length()):  # twice as long each time
        ways = (ways @ ways > 0).astype(float)
    return ways > 0
