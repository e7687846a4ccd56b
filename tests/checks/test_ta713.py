"""TA713: who else is in the pool does not change the verdict on two learners by mean ranks."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare
from tellapart.methods.score_table.friedman import friedman_pairs


def pool(between):
    """Return A and B, of whom A wins three of five, and others that stand between them there, and behind elsewhere."""
    ahead = [2.0] + [1.5 - 0.01 * position for position in range(between)] + [1.0]
    behind = [1.1, *(0.5 - 0.01 * position for position in range(between)), 1.2]
    rows = [ahead] * 18 + [behind] * 12
    names = ["A", *(f"C{position}" for position in range(between)), "B"]
    return ScoreTable.from_scores(rows, names, metric="score")


def ask(table, method="friedman", **options):
    return compare(table, method=method, **options)


def fails():
    return ask(pool(3))


def holds():
    return ask(ScoreTable.from_scores([[0.9, 0.8, 0.7, 0.6]] * 20, metric="score"))


def test_learners_who_stand_between_two_move_them_apart():
    """Eighteen wins and twelve losses are no difference; with seven others in the pool they are one, at 0.001."""
    alone = friedman_pairs(pool(0)).pvalue
    among = friedman_pairs(pool(7)).pvalue[7]  # A and B are the last of the first eight pairs
    assert alone[0] > 0.2
    assert among < 0.001


def written_out(table, alpha):
    """Count the pairs whose verdict changes when one other learner is left out, table by table."""
    changed = 0
    for a, b in table.pair_names():
        verdicts = set()
        for left in (None, *(name for name in table.learners if name not in (a, b))):
            some = table if left is None else table.select(*(name for name in table.learners if name != left))
            verdicts.add(bool(friedman_pairs(some).pvalue[some.pair_names().index((a, b))] < alpha))
        changed += len(verdicts) > 1
    return changed


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_the_figure_counts_verdicts_that_change(check, alpha):
    scores = np.random.default_rng(2016).normal(size=(15, 5)) + 0.4 * np.arange(5)
    table = ScoreTable.from_scores(scores, metric="score")
    assert check(ask(table, alpha=alpha)).figure == -written_out(table, alpha)


@pytest.mark.parametrize("method", ["friedman", "nemenyi", "iman-davenport"])
def test_all_mean_ranks_say_so(check, method):
    result = check(ask(pool(3), method))
    assert not result.holds
    assert "they depend on the other learners in the pool" in result.message


def test_cells_may_be_missing(check):
    rows = np.where(
        np.random.default_rng(3).uniform(size=(30, 5)) < 0.1, np.nan, pool(3).metric.from_loss(pool(3).cells)
    )
    table = ScoreTable.from_scores(rows, pool(3).learners, metric="score")
    assert not check(ask(table, "skillings-mack")).holds


def test_two_by_two_nobody_else_matters(quiet):
    """Wilcoxon's signed ranks of A and B are what they are."""
    few, many = (compare(pool(between), method="wilcoxon-signed-rank", adjust="none") for between in (1, 5))
    assert quiet(few)
    assert few.pairs.pvalue[few.names.index(("A", "B"))] == many.pairs.pvalue[many.names.index(("A", "B"))]


def test_who_carries_it(carriers):
    assert carriers == {"bonferroni-dunn", "friedman", "nemenyi", "skillings-mack"}
