"""TA713: no comparison of two learners by mean ranks changes if another learner is left out."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare
from tellapart.methods.score_table.friedman import friedman_pairs


def pool(between):
    """Return A and B, with 18 wins of A in 30, and other learners: between them there, behind them elsewhere."""
    ahead = [2.0] + [1.5 - 0.01 * position for position in range(between)] + [1.0]
    behind = [1.1, *(0.5 - 0.01 * position for position in range(between)), 1.2]
    rows = [ahead] * 18 + [behind] * 12
    names = ["A", *(f"C{position}" for position in range(between)), "B"]
    return ScoreTable.from_scores(rows, names, metric="score")


def analyse(table, method="friedman", **options):
    return compare(table, method=method, **options)


def fails():
    return analyse(pool(3))


def holds():
    return analyse(ScoreTable.from_scores([[0.9, 0.8, 0.7, 0.6]] * 20, metric="score"))


def test_learners_between_two_increase_their_rank_difference():
    """Eighteen wins and twelve losses are not significant alone, but with seven others in the pool p < 0.001."""
    alone = friedman_pairs(pool(0)).pvalue
    among = friedman_pairs(pool(7)).pvalue[7]  # A and B are the last of the first eight pairs
    assert alone[0] > 0.2
    assert among < 0.001


def written_out(table, alpha):
    """Count the pairs whose significance changes if one other learner is left out, table by table."""
    changed = 0
    for a, b in table.pair_names():
        verdicts = set()
        for left in (None, *(name for name in table.learners if name not in (a, b))):
            some = table if left is None else table.select(*(name for name in table.learners if name != left))
            verdicts.add(bool(friedman_pairs(some).pvalue[some.pair_names().index((a, b))] < alpha))
        changed += len(verdicts) > 1
    return changed


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_the_figure_counts_pairs_whose_significance_changes(check, alpha):
    scores = np.random.default_rng(2016).normal(size=(15, 5)) + 0.4 * np.arange(5)
    table = ScoreTable.from_scores(scores, metric="score")
    assert check(analyse(table, alpha=alpha)).figure == -written_out(table, alpha)


@pytest.mark.parametrize("method", ["friedman", "nemenyi", "iman-davenport"])
def test_all_mean_ranks_have_the_check(check, method):
    result = check(analyse(pool(3), method))
    assert not result.holds
    assert "they depend on the other learners in the pool" in result.message


def test_cells_may_be_missing(check):
    rows = np.where(
        np.random.default_rng(3).uniform(size=(30, 5)) < 0.1, np.nan, pool(3).metric.from_loss(pool(3).cells)
    )
    table = ScoreTable.from_scores(rows, pool(3).learners, metric="score")
    assert not check(analyse(table, "skillings-mack")).holds


def test_a_test_of_two_learners_does_not_depend_on_others(quiet):
    """The signed-rank test of A and B does not depend on the pool."""
    few, many = (compare(pool(between), method="wilcoxon-signed-rank", adjust="none") for between in (1, 5))
    assert quiet(few)
    assert few.pairs.pvalue[few.names.index(("A", "B"))] == many.pairs.pvalue[many.names.index(("A", "B"))]


def test_which_methods_have_the_check(carriers):
    assert carriers == {"bonferroni-dunn", "friedman", "nemenyi", "skillings-mack"}
