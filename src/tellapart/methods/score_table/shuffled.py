"""Permutation theory of tests of several learners: under the null hypothesis all orders of scores are equally likely.

The tests of several learners compare sums over the data sets with their distribution under permutations within each
data set. They differ in what is permuted: ranks (Friedman), ranks weighted by the range of the data set (Quade), or
ranks of scores less the mean of their data set (Hodges and Lehmann).
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

# The facts of all approximate tests of several learners, and of all comparisons of two that rank them among all.
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
    "rationale": "the comparison of two learners depends on the others in the pool",
    "statistic": "z",
}


def every_score(name: str, table: ScoreTable) -> ScoreTable:
    """Return the table, or raise InvalidEvidence if a score is missing or there is only one learner.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8], [0.7, None]], ["svm", "nb"], ["iris", "wine"])
    >>> every_score("friedman", table)
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidEvidence: method 'friedman' needs every score, but nb has none on wine. Use \
method='skillings-mack', or completed() to drop these data sets.
    """
    require_several(name, table)
    if not table.complete:
        gaps = np.unique(np.argwhere(~table.known)[:, -2:], axis=0)
        named = [f"{table.learners[learner]} has none on {table.datasets[row]}" for row, learner in gaps[:3].tolist()]
        more = f" (and {len(gaps) - 3:,} more)" if len(gaps) > 3 else ""
        raise InvalidEvidence(
            f"method {name!r} needs every score, but {', '.join(named)}{more}. Use method='skillings-mack', or"
            " completed() to drop these data sets."
        )
    return table


def require_several(name: str, table: ScoreTable) -> None:
    """Raise InvalidEvidence if there is only one learner."""
    if len(table.learners) < 2:
        raise InvalidEvidence(f"method {name!r} compares learners, got {table.learners[0]!r} alone. Add another.")


@dataclass(frozen=True, slots=True, eq=False)
class ShuffledScores:
    """Scores of learners with sum 0 on each data set, and their distribution under permutations within data sets.

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
    within: FloatArray  # Σ_ij a_ij²: under permutation its expectation

    @classmethod
    def of(cls, scores: FloatArray, within: FloatArray | None = None) -> ShuffledScores:
        """Return the scores with their sums, and their sum of squares unless it is stated."""
        sums = scores.sum(axis=-2)
        within = np.square(scores).sum(axis=(-2, -1)) if within is None else within
        return cls(scores, sums, np.square(sums).sum(axis=-1), within)

    @property
    def pair_error(self) -> FloatArray:
        """The permutation standard error of the difference of two sums, √(2·within/(k − 1))."""
        error: FloatArray = np.sqrt(2 * self.within / (self.scores.shape[-1] - 1))
        return error

    @property
    def pair_z(self) -> FloatArray:
        """The z of every two sums; 0 if all tie."""
        return self.divide_pairs(self.pair_error)

    def divide_pairs(self, error: FloatArray) -> FloatArray:
        """Return the differences of every two sums over an error; 0 if all tie."""
        return ratio(pairs_of(self.sums), np.asarray(error)[..., None], empty=0.0)

    def test_by_chi_square(self) -> TestResult:
        """Test by (k − 1)·between/within, approximately chi-square with k − 1 degrees of freedom."""
        from scipy.special import chdtrc

        df = self.scores.shape[-1] - 1
        statistic = ratio(df * self.between, self.within, empty=0.0)
        return self._as_result(statistic, chdtrc(df, statistic))

    def test_by_f(self) -> TestResult:
        """Test by (N − 1)·between/(N·within − between), approximately F(k − 1, (k − 1)(N − 1)).

        If all N data sets agree it is infinite, and the p-value the share of permutations that agree as well.
        """
        from scipy.special import fdtrc

        datasets, df = self.scores.shape[-2], self.scores.shape[-1] - 1
        statistic = ratio((datasets - 1) * self.between, datasets * self.within - self.between, empty=0.0)
        return self._as_result(statistic, fdtrc(df, max(df * (datasets - 1), 1), statistic))

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
    """Return the comparisons of every two learners by z, with unadjusted p-values."""
    return MeanRanks(ranks=ranks, statistic=z, pvalue=np.asarray(normal_pvalue(z, "two-sided")))


def least_pvalue(scores: FloatArray) -> FloatArray:
    """Return a lower bound of the p-value of any test by permutations within data sets.

    Of all ∏ A_i permutations (A_i for data set i, ties accounted for), those that permute the learners alike on all
    data sets do not change any statistic, and there are at least as many as the largest A_i. Without ties the bound is
    (k!)^(1 − N), the exact p-value if all data sets agree.

    Examples
    --------
    >>> (least_pvalue(np.array([[-1.0, 0.0, 1.0]] * 4)) * 6**3).round(9)
    np.float64(1.0)
    >>> least_pvalue(np.zeros((4, 3)))  # a single permutation
    np.float64(1.0)
    """
    ways = _log_permutations(scores)
    most = ways.max(axis=-1) if not np.isnan(scores).any() else 0.0
    least: FloatArray = np.minimum(np.exp(most - ways.sum(axis=-1)), 1.0)
    return least


def _log_permutations(scores: FloatArray) -> FloatArray:
    """Return the logarithm of the number of distinct permutations of the scores of each data set."""
    ordered = np.sort(scores, axis=-1)
    factorial = np.array([lgamma(count + 1) for count in range(scores.shape[-1] + 1)])
    ways: FloatArray = factorial[np.count_nonzero(~np.isnan(scores), axis=-1)]
    tied = ordered[..., 1:] == ordered[..., :-1]
    if not tied.any():
        return ways
    level = np.zeros(scores.shape, dtype=np.intp)
    for rival in np.moveaxis(scores, -1, 0):  # learners are few, and data sets or tables may be many
        level += scores == rival[..., None]
    # A tie of t values appears t times, each with a t-th of log t!.
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
    """Return the rank of each value along the last dimension, from 1 for the smallest; ties share their mean rank.

    Values are sums and differences of cells, and tie if they differ by no more than the rounding of these.

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
