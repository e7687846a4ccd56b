"""Quade's test of several learners, which weights data sets by the range of their scores."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ...evidence import ScoreTable
from ...results import MeanRanks, TestResult
from ...typing_ import FloatArray, one_of
from ..registry import simultaneous, test
from .assumptions import INDEPENDENT_OF_POOL_QUADE, ONE_SCALE_FOR_RANKS, RANKS_OF_SEVERAL, SOME_DATA_SET_RANKS
from .shuffled import AMONG_ALL, OF_SEVERAL, ShuffledScores, centred_ranks, compare_by_z, least_pvalue, rank_values

Error = Literal["shuffled", "residual"]


def _weight_ranks(table: ScoreTable) -> tuple[FloatArray, FloatArray]:
    """Return the centred ranks, weighted by the rank of the range of their data set, and the weights."""
    ranks = centred_ranks("quade", table)
    cells = table.cells
    weights = rank_values(cells.max(axis=-1) - cells.min(axis=-1), cells)
    return ranks * weights[..., None], weights


@test(
    name="quade",
    title="Quade",
    **OF_SEVERAL,
    assumes=(*RANKS_OF_SEVERAL, ONE_SCALE_FOR_RANKS),
    rationale="weights data sets by their range of scores, which adds power with few data sets; all data sets must have"
    " one scale, and it does not show which learners differ",
    statistic="F",
    reference="quade1979",
)
def quade(table: ScoreTable) -> TestResult:
    """Test whether several learners perform equally over many data sets, by weighted ranks.

    Notes
    -----
    Data sets are ranked by the range of their scores, Q_i, and the rank r_ij of a learner counts as
    S_ij = Q_i (r_ij − (k + 1)/2). F = (N − 1)B/(A − B) with A = Σ_ij S_ij² and B = Σ_j S_j²/N, with k − 1 and
    (k − 1)(N − 1) degrees of freedom. Tied learners and ranges share their ranks. The p-value is at least the smallest
    that permuting the ranks could give.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.4]])
    >>> result = quade(table)
    >>> result.statistic.round(3), result.pvalue.round(4)
    (np.float64(5.407), np.float64(0.0454))
    """
    scores, _ = _weight_ranks(table)
    return ShuffledScores.of(scores).test_by_f()


@simultaneous(
    name="quade",
    title="Quade weighted ranks",
    **AMONG_ALL,
    assumes=(SOME_DATA_SET_RANKS, ONE_SCALE_FOR_RANKS, INDEPENDENT_OF_POOL_QUADE),
    note=lambda error="shuffled", **_: "standard error by residuals (Conover)" if error == "residual" else "",
    reference="conover1999",
)
def quade_pairs(table: ScoreTable, *, error: Error = "shuffled") -> MeanRanks:
    """Compare every two learners by their weighted ranks among all.

    Parameters
    ----------
    table
        Two learners or more, with a score on every data set.
    error
        "shuffled", or "residual" for Conover's (1999) t = (S_A − S_B)/√(2N(A − B)/((N − 1)(k − 1))) with (N − 1)(k − 1)
        degrees of freedom, which does not assume that all learners are equal.

    Notes
    -----
    z = (S_A − S_B)/√(2A/(k − 1)) with the sums S of Quade's test, of variance 1 under permutation of the ranks. The
    p-values are not adjusted. The standard error of García et al. (2010) is correct for three learners only.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.4]])
    >>> result = quade_pairs(table)
    >>> result.ranks, result.pvalue.round(3)
    (array([1.25, 1.8 , 2.95]), array([0.472, 0.026, 0.133]))
    """
    scores, weights = _weight_ranks(table)
    datasets, learners = scores.shape[-2:]
    shuffled = ShuffledScores.of(scores)
    ranks = (learners + 1) / 2 + shuffled.sums / weights.sum(axis=-1)[..., None]
    if one_of("error", error, Error) == "shuffled" or datasets == 1:
        return compare_by_z(ranks, shuffled.pair_z)
    from scipy.special import stdtr

    freedom = (datasets - 1) * (learners - 1)
    left = np.maximum(datasets * shuffled.within - shuffled.between, 0.0)
    t = shuffled.divide_pairs(np.sqrt(2 * left / freedom))  # infinite without residuals
    least = np.asarray(least_pvalue(scores))[..., None]  # no pair has a smaller p-value than the whole test
    return MeanRanks(ranks=ranks, statistic=t, pvalue=np.maximum(2 * stdtr(freedom, -np.abs(t)), least))
