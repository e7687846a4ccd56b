"""Friedman's test of several learners by their ranks on each data set, Iman and Davenport's form of it, and pairs."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np

from ...evidence import ScoreTable
from ...results import MeanRanks, TestResult
from ...typing_ import FloatArray, one_of
from ..registry import simultaneous, test
from .assumptions import INDEPENDENT_OF_POOL, RANKS_OF_SEVERAL, SOME_DATA_SET_RANKS
from .shuffled import AMONG_ALL, OF_SEVERAL, ShuffledScores, centred_ranks, compare_by_z

Ties = Literal["corrected", "uncorrected"]


def _describe_ties(ties: Ties = "corrected", **_: Any) -> str:
    return "corrected for ties" if ties == "corrected" else "uncorrected for ties"


_OF_RANKS = OF_SEVERAL | {"pairs": "friedman", "assumes": RANKS_OF_SEVERAL, "note": _describe_ties}
# The facts of all comparisons by mean ranks, by default without a correction for ties.
BY_MEAN_RANKS = AMONG_ALL | {
    "assumes": (SOME_DATA_SET_RANKS, INDEPENDENT_OF_POOL),
    "note": partial(_describe_ties, ties="uncorrected"),
}


def shuffle_ranks(name: str, table: ScoreTable, ties: Ties) -> ShuffledScores:
    """Return the centred ranks with Σ (rank − mean rank)², or, uncorrected for ties, with N k(k² − 1)/12."""
    ranks = centred_ranks(name, table)
    datasets, learners = ranks.shape[-2:]
    if one_of("ties", ties, Ties) == "corrected":
        return ShuffledScores.of(ranks)
    return ShuffledScores.of(ranks, np.full(ranks.shape[:-2], datasets * learners * (learners**2 - 1) / 12)[()])


def mean_ranks(ranks: ShuffledScores) -> FloatArray:
    """Return the mean rank of each learner."""
    means: FloatArray = ranks.scores.mean(axis=-2) + (ranks.scores.shape[-1] + 1) / 2
    return means


@test(
    name="friedman",
    title="Friedman",
    **_OF_RANKS,
    rationale="tests whether any learners differ, whatever the scale of each data set; does not show which, and is"
    " slightly conservative with few data sets",
    statistic="chi-square",
    reference="friedman1937",
)
def friedman(table: ScoreTable, *, ties: Ties = "corrected") -> TestResult:
    """Test whether several learners perform equally over many data sets, by their ranks.

    If all learners tie on every data set, χ² is 0 and p is 1.

    Parameters
    ----------
    table
        Two learners or more, with a score on every data set.
    ties
        "corrected", or "uncorrected" for 12N/(k(k + 1))·(Σ R̄² − k(k + 1)²/4), common in papers, which is too small
        with ties.

    Notes
    -----
    χ² = (k − 1) Σ_j (R_j − N(k + 1)/2)² / Σ_ij (r_ij − (k + 1)/2)², with the ranks r of k learners on N data sets and
    their sums R: approximately chi-square with k − 1 degrees of freedom. Tied learners share their ranks, and the
    denominator accounts for ties. The p-value is at least the smallest that permuting the ranks could give.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.5]])
    >>> result = friedman(table)
    >>> result.statistic.round(3), result.pvalue.round(4)
    (np.float64(5.733), np.float64(0.0569))
    """
    return shuffle_ranks("friedman", table, ties).test_by_chi_square()


@test(
    name="iman-davenport",
    title="Iman-Davenport",
    **_OF_RANKS,
    rationale="Friedman's test by an F distribution, closer to the exact p-value with few data sets; does not show"
    " which learners differ",
    statistic="F",
    reference="iman1980",
)
def iman_davenport(table: ScoreTable, *, ties: Ties = "corrected") -> TestResult:
    """Test whether several learners perform equally over many data sets, by the F of their ranks.

    Parameters
    ----------
    table
        Two learners or more, with a score on every data set.
    ties
        "corrected", or "uncorrected" for the F of the uncorrected χ², common in papers.

    Notes
    -----
    F = (N − 1)χ²/(N(k − 1) − χ²) with Friedman's χ², k − 1 and (k − 1)(N − 1) degrees of freedom. If all data sets
    rank the learners alike, F is infinite, and p is (k!)^(1 − N), the share of rankings that agree as well.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.5]])
    >>> result = iman_davenport(table)
    >>> result.statistic.round(3), result.pvalue.round(4)
    (np.float64(7.588), np.float64(0.0227))
    """
    return shuffle_ranks("iman-davenport", table, ties).test_by_f()


@simultaneous(name="friedman", title="mean ranks", **BY_MEAN_RANKS, reference="garcia2008")
def friedman_pairs(table: ScoreTable, *, ties: Ties = "uncorrected") -> MeanRanks:
    """Compare every two learners by the difference of their mean ranks among all.

    Parameters
    ----------
    table
        Two learners or more, with a score on every data set.
    ties
        "uncorrected", as in most papers, which is conservative with ties, or "corrected".

    Notes
    -----
    z = (R̄_A − R̄_B)/√(k(k + 1)/(6N)), by the normal distribution; the p-values are not adjusted.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.5]])
    >>> friedman_pairs(table).pvalue.round(3)
    array([0.377, 0.022, 0.157])
    """
    ranks = shuffle_ranks("friedman", table, ties)
    return compare_by_z(mean_ranks(ranks), ranks.pair_z)
