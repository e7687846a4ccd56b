"""Hodges and Lehmann's aligned ranks: scores less the mean of their data set, ranked over all data sets."""

from __future__ import annotations

from ...evidence import ScoreTable
from ...results import MeanRanks, TestResult
from ...typing_ import FloatArray
from ..registry import simultaneous, test
from .assumptions import INDEPENDENT_OF_POOL_ALIGNED, ONE_SCALE_FOR_RANKS, RANKS_OF_SEVERAL, SOME_DATA_SET_RANKS
from .shuffled import AMONG_ALL, OF_SEVERAL, ShuffledScores, compare_by_z, every_score, rank_values


def aligned_scores(table: ScoreTable) -> tuple[FloatArray, FloatArray]:
    """Return the aligned ranks less the mean of their data set, and the mean aligned rank of each learner.

    Examples
    --------
    >>> scores, means = aligned_scores(ScoreTable.from_scores([[0.9, 0.8], [0.5, 0.7]]))
    >>> scores.tolist(), means.tolist()
    ([[-0.5, 0.5], [1.5, -1.5]], [3.0, 2.0])
    """
    cells = every_score("aligned-ranks", table).cells
    datasets, learners = cells.shape[-2:]
    aligned = (cells - cells.mean(axis=-1, keepdims=True)).reshape(*cells.shape[:-2], datasets * learners)
    ranks = rank_values(aligned, cells).reshape(cells.shape)
    means: FloatArray = ranks.mean(axis=-2)
    return ranks - ranks.mean(axis=-1, keepdims=True), means


@test(
    name="aligned-ranks",
    title="aligned ranks",
    **OF_SEVERAL,
    assumes=(*RANKS_OF_SEVERAL, ONE_SCALE_FOR_RANKS),
    rationale="compares scores across data sets, which adds power with few learners or data sets; all data sets must"
    " have one scale, and it does not show which learners differ",
    statistic="chi-square",
    reference="hodges1962",
)
def aligned_ranks(table: ScoreTable) -> TestResult:
    """Test whether several learners perform equally over many data sets, by aligned ranks.

    Notes
    -----
    The mean of its data set is subtracted from each score, and the rest is ranked over all data sets. With the sums R_j
    of these ranks by learner and R_i by data set, T = (k − 1)(Σ R_j² − kN²(kN + 1)²/4)/(Σ r_ij² − Σ R_i²/k) is
    approximately chi-square with k − 1 degrees of freedom. The p-value is at least the smallest that permuting the
    ranks could give.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.5]])
    >>> result = aligned_ranks(table)
    >>> result.statistic.round(3), result.pvalue.round(4)
    (np.float64(5.852), np.float64(0.0536))
    """
    scores, _ = aligned_scores(table)
    return ShuffledScores.of(scores).test_by_chi_square()


@simultaneous(
    name="aligned-ranks",
    title="aligned ranks",
    **AMONG_ALL,
    assumes=(SOME_DATA_SET_RANKS, ONE_SCALE_FOR_RANKS, INDEPENDENT_OF_POOL_ALIGNED),
    reference="garcia2010",
)
def aligned_pairs(table: ScoreTable) -> MeanRanks:
    """Compare every two learners by their aligned ranks among all.

    Notes
    -----
    z is the difference of their sums of aligned ranks over its standard error under permutation of the ranks within
    each data set; the p-values are not adjusted. The standard error of García et al. (2010), √(k(N + 1)/6) for mean
    ranks, is too small by a factor near k/√(k − 1), which makes the type I error rate far too high.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7], [0.6, 0.7, 0.5], [0.9, 0.8, 0.8], [0.7, 0.6, 0.5]])
    >>> aligned_pairs(table).pvalue.round(3)
    array([0.465, 0.018, 0.103])
    """
    scores, means = aligned_scores(table)
    return compare_by_z(means, ShuffledScores.of(scores).pair_z)
