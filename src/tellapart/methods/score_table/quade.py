"""Quade's test of several learners: a data set counts the more, the further apart the learners are on it."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ...evidence import ScoreTable
from ...results import MeanRanks, TestResult
from ...typing_ import FloatArray, one_of
from ..registry import simultaneous, test
from .assumptions import ONE_SCALE_FOR_RANKS, POOL_MATTERS_NOT_QUADE, RANKS_OF_SEVERAL, RANKS_TELL_APART
from .shuffled import AMONG_ALL, OF_SEVERAL, ShuffledScores, centred_ranks, compare_by_z, least_pvalue, rank_values

Error = Literal["shuffled", "residual"]


def _weighted(table: ScoreTable) -> tuple[FloatArray, FloatArray]:
    """Return the centred ranks times the rank of their data set's range among all, and these weights."""
    ranks = centred_ranks("quade", table)
    cells = table.cells
    weights = rank_values(cells.max(axis=-1) - cells.min(axis=-1), cells)
    return ranks * weights[..., None], weights


@test(
    name="quade",
    **OF_SEVERAL,
    assumes=(*RANKS_OF_SEVERAL, ONE_SCALE_FOR_RANKS),
    rationale="data sets that tell the learners apart count more than those that hardly do, which helps where data sets"
    " are few; differences must mean alike on all of them, and it does not say which learners differ",
    statistic="F",
    reference="quade1979",
)
def quade(table: ScoreTable) -> TestResult:
    """Test whether several learners do equally well over many data sets, by ranks that are weighted.

    Data sets are ranked by the range of their scores, Q_i, and a learner's rank r_ij there counts as
    S_ij = Q_i (r_ij − (k + 1)/2). F = (N − 1)B/(A − B) with A = Σ_ij S_ij² and B = Σ_j S_j²/N, of k − 1 and
    (k − 1)(N − 1) degrees of freedom. Learners and ranges that tie share their ranks. The p-value is never below what
    shuffling the ranks could give.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.4]])
    >>> found = quade(table)
    >>> found.statistic.round(3), found.pvalue.round(4)
    (np.float64(5.407), np.float64(0.0454))
    """
    scores, _ = _weighted(table)
    return ShuffledScores.of(scores).test_by_f()


@simultaneous(
    name="quade",
    **AMONG_ALL,
    assumes=(RANKS_TELL_APART, ONE_SCALE_FOR_RANKS, POOL_MATTERS_NOT_QUADE),
    note=lambda error="shuffled", **_: "standard error by the residuals (Conover)" if error == "residual" else "",
    reference="conover1999",
)
def quade_pairs(table: ScoreTable, *, error: Error = "shuffled") -> MeanRanks:
    """Compare every two learners by their weighted ranks among all.

    z = (S_A − S_B)/√(2A/(k − 1)) with the sums S of Quade's test, which has variance 1 where all ranks were shuffled.
    The p-values do not allow for their number. (García et al. 2010 print another error, which is right for
    three learners only.)

    Parameters
    ----------
    table
        Two learners or more, with a score on every data set.
    error
        "shuffled", or "residual" for Conover's (1999) t = (S_A − S_B)/√(2N(A − B)/((N − 1)(k − 1))) on (N − 1)(k − 1)
        degrees of freedom, which does not ask that all learners be alike.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.4]])
    >>> found = quade_pairs(table)
    >>> found.ranks, found.pvalue.round(3)
    (array([1.25, 1.8 , 2.95]), array([0.472, 0.026, 0.133]))
    """
    scores, weights = _weighted(table)
    many, learners = scores.shape[-2:]
    shuffled = ShuffledScores.of(scores)
    ranks = (learners + 1) / 2 + shuffled.sums / weights.sum(axis=-1)[..., None]
    if one_of("error", error, Error) == "shuffled" or many == 1:
        return compare_by_z(ranks, shuffled.pair_z)
    from scipy.special import stdtr

    freedom = (many - 1) * (learners - 1)
    left = np.maximum(many * shuffled.within - shuffled.between, 0.0)
    t = shuffled.divide_pairs(np.sqrt(2 * left / freedom))  # infinite without residuals
    least = np.asarray(least_pvalue(scores))[..., None]  # no pair is surer than the whole test
    return MeanRanks(ranks=ranks, statistic=t, pvalue=np.maximum(2 * stdtr(freedom, -np.abs(t)), least))
