"""Friedman's test of several learners by their ranks on each data set, Iman and Davenport's form of it, and pairs."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np

from ...evidence import ScoreTable
from ...results import MeanRanks, TestResult
from ...typing_ import FloatArray, one_of
from ..registry import simultaneous, test
from .assumptions import POOL_MATTERS_NOT, RANKS_OF_SEVERAL, RANKS_TELL_APART
from .shuffled import AMONG_ALL, OF_SEVERAL, ShuffledScores, centred_ranks, compare_by_z

Ties = Literal["corrected", "uncorrected"]


def _describe_ties(ties: Ties = "corrected", **_: Any) -> str:
    return "corrected for ties" if ties == "corrected" else "not corrected for ties"


_OF_RANKS = OF_SEVERAL | {"pairs": "friedman", "assumes": RANKS_OF_SEVERAL, "note": _describe_ties}
# Facts of every comparison by mean ranks, which is not corrected for ties unless that is asked.
BY_MEAN_RANKS = AMONG_ALL | {
    "assumes": (RANKS_TELL_APART, POOL_MATTERS_NOT),
    "note": partial(_describe_ties, ties="uncorrected"),
}


def shuffle_ranks(name: str, table: ScoreTable, ties: Ties) -> ShuffledScores:
    """Return the centred ranks with Σ (rank − mean rank)², or, without ties, N k(k² − 1)/12 in place of it."""
    ranks = centred_ranks(name, table)
    many, learners = ranks.shape[-2:]
    if one_of("ties", ties, Ties) == "corrected":
        return ShuffledScores.of(ranks)
    return ShuffledScores.of(ranks, np.full(ranks.shape[:-2], many * learners * (learners**2 - 1) / 12)[()])


def mean_ranks(ranks: ShuffledScores) -> FloatArray:
    """Return the mean rank of each learner."""
    means: FloatArray = ranks.scores.mean(axis=-2) + (ranks.scores.shape[-1] + 1) / 2
    return means


@test(
    name="friedman",
    **_OF_RANKS,
    rationale="one figure for 'do these learners differ at all?', whatever the scale of each data set; it does not say"
    " which do, and its chi-square curve is a little cautious where data sets are few",
    statistic="chi-square",
    reference="friedman1937",
)
def friedman(table: ScoreTable, *, ties: Ties = "corrected") -> TestResult:
    """Test whether several learners do equally well over many data sets, by their ranks.

    χ² = (k − 1) Σ_j (R_j − N(k + 1)/2)² / Σ_ij (r_ij − (k + 1)/2)², with the ranks r of k learners on N data sets and
    their sums R: chi-square with k − 1 degrees of freedom. Learners that tie share their ranks, and the denominator
    allows for it. Learners that tie everywhere do not differ: χ² is 0 and p is 1. The p-value is never below what
    shuffling the ranks could give.

    Parameters
    ----------
    table
        Two learners or more, with a score on every data set.
    ties
        "corrected", or "uncorrected" for 12N/(k(k + 1))·(Σ R̄² − k(k + 1)²/4), which many papers print, and which is
        too small where there are ties.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.5]])
    >>> found = friedman(table)
    >>> found.statistic.round(3), found.pvalue.round(4)
    (np.float64(5.733), np.float64(0.0569))
    """
    return shuffle_ranks("friedman", table, ties).test_by_chi_square()


@test(
    name="iman-davenport",
    **_OF_RANKS,
    rationale="Friedman's test by an F curve, closer to what shuffling gives where data sets are few; it does not say"
    " which learners differ",
    statistic="F",
    reference="iman1980",
)
def iman_davenport(table: ScoreTable, *, ties: Ties = "corrected") -> TestResult:
    """Test whether several learners do equally well over many data sets, by an F of their ranks.

    F = (N − 1)χ²/(N(k − 1) − χ²) with Friedman's χ², k − 1 and (k − 1)(N − 1) degrees of freedom. Where all data sets
    put the learners in one order F is infinite, and p is (k!)^(1 − N), the share of rankings that agree as well.

    Parameters
    ----------
    table
        Two learners or more, with a score on every data set.
    ties
        "corrected", or "uncorrected" for the F of the χ² that many papers print.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.5]])
    >>> found = iman_davenport(table)
    >>> found.statistic.round(3), found.pvalue.round(4)
    (np.float64(7.588), np.float64(0.0227))
    """
    return shuffle_ranks("iman-davenport", table, ties).test_by_f()


@simultaneous(name="friedman", **BY_MEAN_RANKS, reference="garcia2008")
def friedman_pairs(table: ScoreTable, *, ties: Ties = "uncorrected") -> MeanRanks:
    """Compare every two learners by the difference of their mean ranks among all.

    z = (R̄_A − R̄_B)/√(k(k + 1)/(6N)), against the normal curve; the p-values do not allow for their number.

    Parameters
    ----------
    table
        Two learners or more, with a score on every data set.
    ties
        "uncorrected", as papers print it, which is cautious where there are ties, or "corrected".

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.5]])
    >>> friedman_pairs(table).pvalue.round(3)
    array([0.377, 0.022, 0.157])
    """
    ranks = shuffle_ranks("friedman", table, ties)
    return compare_by_z(mean_ranks(ranks), ranks.pair_z)
