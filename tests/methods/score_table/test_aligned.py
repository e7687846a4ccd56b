"""aligned-ranks against its formula written out, and against every way to shuffle."""

from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2, rankdata

from tellapart import ScoreTable
from tellapart.methods.score_table.aligned import aligned_pairs, aligned_ranks


def table(scores):
    return ScoreTable.from_scores(scores, metric="loss", higher_is_better=False)


@pytest.mark.parametrize("shape", [(3, 4), (24, 4), (10, 12)])
def test_the_formula_of_garcia_and_others(shape):
    """García et al. 2010, section 2.3, which is for aligned values without ties."""
    many, k = shape
    scores = np.random.default_rng(1962).normal(size=shape) + np.linspace(0, 0.7, k)
    ranks = rankdata(scores - scores.mean(axis=1, keepdims=True)).reshape(shape)
    r_j, r_i, n = ranks.sum(axis=0), ranks.sum(axis=1), k * many
    t = (k - 1) * ((r_j**2).sum() - k * many**2 / 4 * (n + 1) ** 2)
    t /= n * (n + 1) * (2 * n + 1) / 6 - (r_i**2).sum() / k
    result = aligned_ranks(table(scores))
    assert_allclose([result.statistic, result.pvalue], [t, chi2.sf(t, k - 1)], rtol=1e-10)
    assert_allclose(aligned_pairs(table(scores)).ranks, ranks.mean(axis=0), rtol=1e-12)


def shuffled_sums(ranks):
    """Return the sums by learner of every way to shuffle ranks within three data sets."""
    ways = [np.array(list(permutations(row))) for row in ranks]
    return (ways[0][:, None, None] + ways[1][None, :, None] + ways[2]).reshape(-1, ranks.shape[1])


@pytest.mark.parametrize(
    "scores",
    [[[1, 2, 4, 9], [7, 3, 1, 2], [5, 9, 2, 3]], [[1, 1, 2, 3], [2, 2, 2, 2], [3, 1, 5, 5]]],
    ids=["no ties", "ties"],
)
def test_by_every_shuffle(scores):
    """The mean of T is k − 1, and the variance of z is 1, over all 24³ shuffles."""
    scores = np.array(scores, dtype=float)
    ranks = rankdata(scores - scores.mean(axis=1, keepdims=True)).reshape(scores.shape)
    sums = shuffled_sums(ranks)
    spread = np.square(sums - sums.mean()).sum(axis=1)
    seen = np.square(ranks.sum(axis=0) - sums.mean()).sum()
    result, pairs = aligned_ranks(table(scores)), aligned_pairs(table(scores))
    assert result.statistic == pytest.approx(3 * seen / spread.mean(), rel=1e-10)
    difference = ranks.sum(axis=0)[0] - ranks.sum(axis=0)[1]
    assert pairs.statistic[0] == pytest.approx(difference / np.std(sums[:, 0] - sums[:, 1]), rel=1e-10)
    assert result.pvalue >= 24 / 24**3 * (1 - 1e-12)


def test_the_error_of_garcia_and_others_is_far_too_small():
    """They print √(k(N + 1)/6) for the difference of mean aligned ranks of k learners on N data sets."""
    rng = np.random.default_rng(2010)
    for k in (3, 5):
        scores = rng.normal(size=(2000, 20, k))
        aligned = scores - scores.mean(axis=-1, keepdims=True)
        means = rankdata(aligned.reshape(2000, -1), axis=1).reshape(scores.shape).mean(axis=1)
        error = np.std(means[:, 0] - means[:, 1])
        assert error / np.sqrt(k * 21 / 6) == pytest.approx(k / np.sqrt(k - 1), rel=0.06)
        tables = ScoreTable(np.swapaxes(scores, 1, 2)[..., None], tuple(map(str, range(20))), tuple("ABCDE"[:k]))
        assert np.std(aligned_pairs(tables).statistic[:, 0]) == pytest.approx(1, rel=0.06)


def test_a_tie_is_a_tie_whatever_floats_say():
    """0.888 − 0.882 and 0.506 − 0.500 are one difference."""
    result = aligned_pairs(table([[0.888, 0.882], [0.500, 0.506], [0.3, 0.3]]))
    assert_allclose(result.ranks, [3.5, 3.5])
    assert_allclose(result.statistic, 0)


def test_levels_of_data_sets_do_not_matter():
    scores = np.random.default_rng(4).integers(0, 50, size=(9, 4)).astype(float)
    here, there = aligned_ranks(table(scores)), aligned_ranks(table(scores + 100 * np.arange(9)[:, None]))
    assert_allclose(here.statistic, there.statistic, rtol=1e-12)
