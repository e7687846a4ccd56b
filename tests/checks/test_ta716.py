"""TA716: ten data sets rank the learners, for a curve to give the p-value."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare
from tellapart.methods.score_table.friedman import friedman
from tellapart.methods.score_table.friedman_exact import friedman_exact


def ask(datasets, method="friedman", ties=0):
    scores = np.random.default_rng(1937).normal(size=(datasets, 4))
    rows = np.concatenate([scores, np.full((ties, 4), 0.5)])
    return compare(ScoreTable.from_scores(rows, metric="score"), method=method)


def fails():
    return ask(9)


def holds():
    return ask(10)


@pytest.mark.parametrize("ties", [0, 5])
def test_data_sets_on_which_all_tie_do_not_count(check, ties):
    assert check(ask(9, ties=ties)).figure == 9


def test_the_way_out_counts_every_ranking(check, quiet):
    assert "'friedman-exact'" in check(fails()).message
    assert quiet(ask(9, "friedman-exact"))
    table = fails().evidence
    assert friedman_exact(table).statistic == pytest.approx(friedman(table).statistic)


def test_what_leans_on_a_curve_carries_it(carriers):
    assert carriers == {"aligned-ranks", "friedman", "iman-davenport", "quade", "skillings-mack"}
