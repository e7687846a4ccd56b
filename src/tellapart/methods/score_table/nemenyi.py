"""Simultaneous comparisons of mean ranks: Nemenyi's critical difference, and Bonferroni-Dunn for a control."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...evidence import ScoreTable
from ...numerics.distributions import critical, normal_pvalue
from ...numerics.studentized_range import range_exceeds, range_quantile
from ...results import MeanRanks
from ...typing_ import FloatArray, as_alpha
from ..registry import simultaneous
from .friedman import BY_MEAN_RANKS, Ties, mean_ranks, shuffle_ranks
from .shuffled import ShuffledScores


@simultaneous(name="nemenyi", title="Nemenyi", **BY_MEAN_RANKS, allows_for_number=True, reference="nemenyi1963")
def nemenyi(table: ScoreTable, *, alpha: float = 0.05, ties: Ties = "uncorrected") -> MeanRanks:
    """Compare every two learners by their mean ranks, with simultaneous p-values for all pairs.

    Parameters
    ----------
    table
        Two learners or more, with a score on every data set.
    alpha
        The familywise type I error rate of the critical difference.
    ties
        "uncorrected", as in most papers, which is conservative with ties, or "corrected".

    Notes
    -----
    Two differ significantly if their mean ranks differ by more than CD = q √(k(k + 1)/(6N)), with q√2 the quantile of
    the range of k standard normal variables.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.5]])
    >>> result = nemenyi(table)
    >>> result.ranks, result.pvalue.round(3), round(result.critical, 3)
    (array([1.25 , 1.875, 2.875]), array([0.65 , 0.056, 0.333]), 1.657)
    """
    ranks, learners = shuffle_ranks("nemenyi", table, ties), len(table.learners)
    bound = range_quantile(as_alpha(alpha=alpha), learners) / np.sqrt(2)
    return _compare_all(ranks, range_exceeds(np.abs(ranks.pair_z) * np.sqrt(2), learners), bound)


@simultaneous(
    name="bonferroni-dunn",
    title="Bonferroni-Dunn",
    **BY_MEAN_RANKS,
    allows_for_number=True,
    needs_control=True,
    reference="dunn1961",
)
def bonferroni_dunn(table: ScoreTable, *, alpha: float = 0.05, ties: Ties = "uncorrected") -> MeanRanks:
    """Compare learners with a control by their mean ranks, with p-values adjusted for all k − 1 comparisons.

    The p-value of each pair is k − 1 times that of its z: use only the pairs with the control, which must be chosen
    before the scores are known.

    Parameters
    ----------
    table
        Two learners or more, with a score on every data set.
    alpha
        The familywise type I error rate of the critical difference.
    ties
        "uncorrected", as in most papers, which is conservative with ties, or "corrected".

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.5]])
    >>> result = bonferroni_dunn(table)
    >>> result.pvalue.round(3), round(result.critical, 3)
    (array([0.754, 0.043, 0.315]), 1.585)
    """
    ranks, comparisons = shuffle_ranks("bonferroni-dunn", table, ties), len(table.learners) - 1
    bound = critical(as_alpha(alpha=alpha) / comparisons, "two")
    return _compare_all(
        ranks, np.minimum(comparisons * np.asarray(normal_pvalue(ranks.pair_z, "two-sided")), 1.0), bound
    )


def _compare_all(ranks: ShuffledScores, pvalue: FloatArray, bound: float) -> MeanRanks:
    """Return the comparisons by these p-values, with the difference of mean ranks whose z is the bound."""
    difference: Any = bound * ranks.pair_error / ranks.scores.shape[-2]
    return MeanRanks(
        ranks=mean_ranks(ranks),
        statistic=ranks.pair_z,
        pvalue=pvalue,
        critical=difference if np.ndim(difference) else float(difference),
        allows=True,
    )
