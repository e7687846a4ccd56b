"""Several learners without a difference: on each data set, any order of their scores would have been as likely.

All tests of several learners here compare what learners gathered over the data sets with what shuffling scores within
each data set would give. They differ in what is shuffled: ranks (Friedman), ranks that count more where the learners
are further apart (Quade), or ranks of what a score is above the mean of its data set (Hodges and Lehmann).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, lgamma
from typing import Any

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import ScoreTable
from ...evidence.ranks import midranks
from ...numerics.distributions import normal_pvalue, ratio
from ...results import MeanRanks, TestResult
from ...typing_ import FloatArray
from ..registry import Standing

# Facts of every test of several learners by a curve, and of every comparison of two that ranks them among all.
OF_SEVERAL: dict[str, Any] = {
    "evidence": ScoreTable,
    "of_several": True,
    "standing": Standing.SOUND,
    "validity": "5 data sets or more",
    "where": {"datasets": (5, inf)},
}
AMONG_ALL: dict[str, Any] = {
    "evidence": ScoreTable,
    "of_ranks": True,
    "standing": Standing.HEURISTIC,
    "rationale": "the verdict on two learners depends on which others are in the pool",
    "statistic": "z",
}


def every_score(name: str, table: ScoreTable) -> ScoreTable:
    """Return a table of two learners or more without a missing cell, or say what method `name` lacks.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8], [0.7, None]], ["svm", "nb"], ["iris", "wine"])
    >>> every_score("friedman", table)
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidEvidence: method 'friedman' needs every score, but nb has none on wine. Take the data sets \
that all learners have a score on, by completed(), or fewer learners (learners=, --learner), or \
method='skillings-mack', which allows for missing cells.
    """
    several(name, table)
    if not table.complete:
        places = np.unique(np.argwhere(~table.known)[:, -2:], axis=0)
        told = [f"{table.learners[learner]} has none on {table.datasets[row]}" for row, learner in places[:3].tolist()]
        more = f" (and {len(places) - 3} more)" if len(places) > 3 else ""
        raise InvalidEvidence(
            f"method {name!r} needs every score, but {', '.join(told)}{more}. Take the data sets that all learners have"
            " a score on, by completed(), or fewer learners (learners=, --learner), or method='skillings-mack', which"
            " allows for missing cells."
        )
    return table


def several(name: str, table: ScoreTable) -> None:
    """Refuse a table of one learner."""
    if len(table.learners) < 2:
        raise InvalidEvidence(f"method {name!r} compares learners, but there is only {table.learners[0]}. Add another.")


@dataclass(frozen=True, slots=True, eq=False)
class ShuffledScores:
    """Scores of learners that add up to 0 on each data set, and what shuffling them there would give.

    Examples
    --------
    >>> agreeing = ShuffledScores.of(np.array([[-1.0, 0.0, 1.0]] * 4))
    >>> result = agreeing.test_by_chi_square()
    >>> result.statistic, result.pvalue.round(4)
    (np.float64(8.0), np.float64(0.0183))
    >>> result = agreeing.test_by_f()
    >>> result.statistic, (result.pvalue * 6**3).round(9)
    (np.float64(inf), np.float64(1.0))
    """

    scores: FloatArray  # by data set i and learner j
    sums: FloatArray  # by learner, over data sets
    between: FloatArray  # Σ_j (Σ_i a_ij)²
    within: FloatArray  # Σ_ij a_ij², which is as much in the mean when scores are shuffled

    @classmethod
    def of(cls, scores: FloatArray, within: FloatArray | None = None) -> ShuffledScores:
        """Return the sums of these scores, and their sum of squares unless another takes its place."""
        sums = scores.sum(axis=-2)
        within = np.square(scores).sum(axis=(-2, -1)) if within is None else within
        return cls(scores, sums, np.square(sums).sum(axis=-1), within)

    @property
    def pair_error(self) -> FloatArray:
        """The standard error of the difference of two learners' sums by shuffling, √(2·within/(k − 1))."""
        error: FloatArray = np.sqrt(2 * self.within / (self.scores.shape[-1] - 1))
        return error

    @property
    def pair_z(self) -> FloatArray:
        """The z of every two learners' sums; 0 where all tie."""
        return self.divide_pairs(self.pair_error)

    def divide_pairs(self, error: FloatArray) -> FloatArray:
        """Return the differences of every two learners' sums over an error; 0 where all tie."""
        return ratio(pairs_of(self.sums), np.asarray(error)[..., None], empty=0.0)

    def test_by_chi_square(self) -> TestResult:
        """Test by (k − 1)·between/within, which is about chi-square with k − 1 degrees of freedom."""
        from scipy.special import chdtrc

        df = self.scores.shape[-1] - 1
        statistic = ratio(df * self.between, self.within, empty=0.0)
        return self._as_result(statistic, chdtrc(df, statistic))

    def test_by_f(self) -> TestResult:
        """Test by (N − 1)·between/(N·within − between), about F with k − 1 and (k − 1)(N − 1) degrees of freedom.

        Where all N data sets agree it is infinite, and the p-value the share of shuffles that do as well.
        """
        from scipy.special import fdtrc

        many, df = self.scores.shape[-2], self.scores.shape[-1] - 1
        statistic = ratio((many - 1) * self.between, many * self.within - self.between, empty=0.0)
        return self._as_result(statistic, fdtrc(df, max(df * (many - 1), 1), statistic))

    def _as_result(self, statistic: FloatArray, tail: FloatArray) -> TestResult:
        return TestResult(statistic=statistic, pvalue=np.maximum(tail, least_pvalue(self.scores))[()])


def centred_ranks(name: str, table: ScoreTable) -> FloatArray:
    """Return by how much each learner's rank on each data set exceeds the mean rank, which is (k + 1)/2.

    Examples
    --------
    >>> centred_ranks("friedman", ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.6, 0.7]]))
    array([[-1. ,  0. ,  1. ],
           [ 0.5,  0.5, -1. ]])
    """
    return every_score(name, table).ranks - (len(table.learners) + 1) / 2


def compare_by_z(ranks: FloatArray, z: FloatArray) -> MeanRanks:
    """Return the comparisons of every two learners by z, whose p-values do not allow for their number."""
    return MeanRanks(ranks=ranks, statistic=z, pvalue=np.asarray(normal_pvalue(z, "two-sided")))


def least_pvalue(scores: FloatArray) -> FloatArray:
    """Return a p-value that no test by shuffling scores within data sets can fall below.

    Of all ∏ A_i ways to shuffle (A_i for data set i, ties allowed for), those that exchange the learners by one rule on
    all data sets leave every statistic as it is, and they are at least as many as the largest A_i. Without ties that
    makes (k!)^(1 − N), which is the very p-value where all data sets agree.

    Examples
    --------
    >>> (least_pvalue(np.array([[-1.0, 0.0, 1.0]] * 4)) * 6**3).round(9)
    np.float64(1.0)
    >>> least_pvalue(np.zeros((4, 3)))  # nothing to shuffle
    np.float64(1.0)
    """
    ways = _ways(scores)
    most = ways.max(axis=-1) if not np.isnan(scores).any() else 0.0
    least: FloatArray = np.minimum(np.exp(most - ways.sum(axis=-1)), 1.0)
    return least


def _ways(scores: FloatArray) -> FloatArray:
    """Return the logarithm of the number of ways to shuffle the scores of each data set, equal ones being one."""
    ordered = np.sort(scores, axis=-1)
    factorial = np.array([lgamma(count + 1) for count in range(scores.shape[-1] + 1)])
    ways: FloatArray = factorial[np.count_nonzero(~np.isnan(scores), axis=-1)]
    tied = ordered[..., 1:] == ordered[..., :-1]
    if not tied.any():
        return ways
    level = np.zeros(scores.shape, dtype=np.intp)
    for rival in np.moveaxis(scores, -1, 0):  # learners are few, and data sets or tables may be many
        level += scores == rival[..., None]
    # A tie of t is met by t of its members, so that each may bring a t-th of log t!.
    ways -= (factorial / np.maximum(np.arange(factorial.size), 1))[level].sum(axis=-1)
    return ways


def pairs_of(values: FloatArray) -> FloatArray:
    """Return A − B for every two learners, along the last dimension, in the order of `ScoreTable.pair_names()`.

    Examples
    --------
    >>> pairs_of(np.array([5.0, 3.0, 1.0]))
    array([2., 4., 2.])
    """
    first, second = np.triu_indices(values.shape[-1], 1)
    return values[..., first] - values[..., second]


def rank_values(values: FloatArray, cells: FloatArray) -> FloatArray:
    """Return the rank of each value along the last dimension, from 1 for the smallest; those that tie share theirs.

    Values are sums and differences of cells, and tie where they differ by no more than the rounding of these.

    Examples
    --------
    >>> cells = np.array([0.888, 0.882, 0.006])
    >>> rank_values(np.array([0.888 - 0.882, 0.006, 0.0]), cells)
    array([2.5, 2.5, 1. ])
    """
    largest = np.abs(cells).max(axis=tuple(range(values.ndim - 1, cells.ndim)), keepdims=False)
    unit = np.where(largest > 0, largest, 1.0)[..., None] * 2.0**-40  # twelve digits
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    begins = np.diff(ordered, axis=-1, prepend=ordered[..., :1]) > unit
    levels = np.empty(values.shape)
    np.put_along_axis(levels, order, np.cumsum(begins, axis=-1), axis=-1)
    return midranks(levels)
