"""skillings-mack against its authors' example, Friedman's and Durbin's tests, and every way to shuffle."""

from itertools import combinations, permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2, rankdata

from tellapart import ScoreTable
from tellapart.methods.score_table.friedman import friedman, friedman_pairs
from tellapart.methods.score_table.skillings_mack import skillings_mack, skillings_mack_pairs

NONE = np.nan
# Skillings and Mack 1981, table 1: assembly times of four methods, blocks down.
ASSEMBLY = [
    [3.2, 4.1, 3.8, 4.2],
    [3.1, 3.9, 3.4, 4.0],
    [4.3, 3.5, 4.6, 4.8],
    [3.5, 3.6, 3.9, 4.0],
    [3.6, 4.2, 3.7, 3.9],
    [4.5, 4.7, 3.7, NONE],
    [NONE, 4.2, 3.4, NONE],
    [4.3, 4.6, 4.4, 4.9],
    [3.5, NONE, 3.7, 3.9],
]


def table(scores):
    return ScoreTable.from_scores(scores, metric="time", higher_is_better=False)


def test_the_authors_example():
    """They find 15.49 with three degrees of freedom, as does the R package Skillings.Mack."""
    result = skillings_mack(table(ASSEMBLY))
    assert result.statistic == pytest.approx(15.493, abs=5e-4)
    assert result.pvalue == pytest.approx(0.00144, abs=5e-6)


@pytest.mark.parametrize("high", [4, 1000])
def test_without_missing_cells_it_is_friedmans(high):
    scores = np.random.default_rng(1981).integers(0, high, size=(25, 6)).astype(float)
    here, there = skillings_mack(table(scores)), friedman(table(scores))
    assert_allclose([here.statistic, here.pvalue], [there.statistic, there.pvalue], rtol=1e-9)
    here, there = skillings_mack_pairs(table(scores)), friedman_pairs(table(scores), ties="corrected")
    assert_allclose(here.statistic, there.statistic, atol=1e-9)
    assert_allclose(here.ranks, there.ranks)


def test_durbins_test_of_a_balanced_design():
    """Every three of five learners share a data set: Skillings and Mack's is Durbin's, written out."""
    rng = np.random.default_rng(5)
    scores = np.full((10, 5), NONE)
    for row, places in enumerate(combinations(range(5), 3)):
        scores[row, list(places)] = rng.permutation(3) + 0.3 * np.array(places)
    ranks = np.apply_along_axis(rankdata, 1, scores, nan_policy="omit")
    # Conover 1999, section 5.9, with t = 5 treatments, k = 3 of them in a block, each in r = 6 blocks, and no ties.
    t, k, r = 5, 3, 6
    durbin = 12 * (t - 1) / (r * t * (k - 1) * (k + 1)) * np.square(np.nansum(ranks, axis=0) - r * (k + 1) / 2).sum()
    result = skillings_mack(table(scores))
    assert_allclose([result.statistic, result.pvalue], [durbin, chi2.sf(durbin, t - 1)], rtol=1e-9)


def test_the_covariance_by_every_shuffle():
    """Sums of weighted ranks over all shuffles within data sets of 4, 3 (with a tie) and 2 scores."""
    scores = np.array([[1, 2, 3, 4], [NONE, 5, 5, 2], [3, NONE, NONE, 1]])
    ways, seen = [], np.zeros(4)
    for row in scores:
        known = np.flatnonzero(~np.isnan(row))
        rank = (rankdata(row[known]) - (known.size + 1) / 2) * np.sqrt(12 / (known.size + 1))
        each = np.zeros((len(list(permutations(known))), 4))
        each[:, known] = list(permutations(rank))
        ways.append(each)
        seen[known] += rank
    sums = (ways[0][:, None, None] + ways[1][None, :, None] + ways[2]).reshape(-1, 4)
    inverse = np.linalg.pinv(sums.T @ sums / len(sums), rcond=1e-9)
    assert skillings_mack(table(scores)).statistic == pytest.approx(seen @ inverse @ seen, rel=1e-9)
    contrast = np.array([1, -1, 0, 0])
    z = contrast @ inverse @ seen / np.sqrt(contrast @ inverse @ contrast)
    assert skillings_mack_pairs(table(scores)).statistic[0] == pytest.approx(z, rel=1e-9)


def test_a_data_set_of_one_score_tells_nothing():
    here, there = table([*ASSEMBLY, [NONE, 1.0, NONE, NONE]]), table(ASSEMBLY)
    assert skillings_mack(here).statistic == pytest.approx(skillings_mack(there).statistic, rel=1e-12)


def test_learners_that_never_met_are_not_compared():
    """Two and two on data sets of their own: as two tests of two."""
    scores = [[1, 2, NONE, NONE]] * 6 + [[NONE, NONE, 2, 1]] * 4
    result, pairs = skillings_mack(table(scores)), skillings_mack_pairs(table(scores))
    alone = [friedman(table([[1, 2]] * 6)).statistic, friedman(table([[2, 1]] * 4)).statistic]
    assert result.statistic == pytest.approx(sum(alone))
    assert_allclose(pairs.pvalue[1:5], 1)
    assert_allclose(np.square(pairs.statistic[[0, 5]]), alone)


def test_by_way_of_others():
    """A and C never met; B is between them."""
    scores = [[1, 2, NONE]] * 8 + [[NONE, 1, 2]] * 8
    pairs = skillings_mack_pairs(table(scores))
    assert pairs.statistic[1] < pairs.statistic[0] / np.sqrt(2) * 1.9 < 0
    assert pairs.pvalue[1] < pairs.pvalue[0]


def test_many_tables_are_a_loop():
    rng = np.random.default_rng(6)
    loss = rng.integers(0, 5, size=(30, 4, 8, 1)).astype(float)
    loss[rng.uniform(size=loss.shape) < 0.2] = NONE
    loss[:, :, 0] = 1.0  # nobody is without a score
    tables = ScoreTable(loss, tuple("stuvwxyz"), tuple("ABCD"))
    result, pairs = skillings_mack(tables), skillings_mack_pairs(tables)
    assert_allclose(result.pvalue, [skillings_mack(tables[index]).pvalue for index in range(30)], rtol=1e-9)
    assert_allclose(pairs.statistic, [skillings_mack_pairs(tables[index]).statistic for index in range(30)], atol=1e-9)
