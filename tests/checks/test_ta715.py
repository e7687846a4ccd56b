"""TA715: no comparison of two learners by aligned ranks changes if another learner is left out."""

import numpy as np

from tellapart import ScoreTable, compare
from tellapart.methods.score_table.aligned import aligned_pairs


def pool():
    scores = np.random.default_rng(9).normal(size=(12, 4)) + 0.5 * np.arange(4)
    return ScoreTable.from_scores(scores, metric="score")


def fails():
    return compare(pool(), method="aligned-ranks")


def holds():
    rows = [[0.9, 0.8, 0.7, 0.6 - 0.001 * position] for position in range(20)]
    return compare(ScoreTable.from_scores(rows, metric="score"), method="aligned-ranks")


def test_the_figure_counts_pairs_whose_significance_changes(check):
    table = pool()
    changed = 0
    for a, b in table.pair_names():
        others = [name for name in table.learners if name not in (a, b)]
        some = [table, *(table.select(*(name for name in table.learners if name != left)) for left in others)]
        changed += len({bool(aligned_pairs(each).pvalue[each.pair_names().index((a, b))] < 0.05) for each in some}) > 1
    assert check(fails()).figure == -changed
    assert changed > 0


def test_two_learners_have_no_pool(check):
    table = pool().select("A", "B")
    assert aligned_pairs(table).pvalue.shape == (1,)
    assert check(holds()).figure == 0


def test_which_methods_have_the_check(carriers):
    assert carriers == {"aligned-ranks"}
