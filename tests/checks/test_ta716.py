"""TA716: at least 10 data sets rank the learners."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare
from tellapart.methods.score_table.friedman import friedman
from tellapart.methods.score_table.friedman_exact import friedman_exact


def analyse(datasets, method="friedman", ties=0):
    scores = np.random.default_rng(1937).normal(size=(datasets, 4))
    rows = np.concatenate([scores, np.full((ties, 4), 0.5)])
    return compare(ScoreTable.from_scores(rows, metric="score"), method=method)


def fails():
    return analyse(9)


def holds():
    return analyse(10)


@pytest.mark.parametrize("ties", [0, 5])
def test_data_sets_on_which_all_tie_do_not_count(check, ties):
    assert check(analyse(9, ties=ties)).figure == 9


def test_the_remedy_is_exact(check, quiet):
    assert "'friedman-exact'" in check(fails()).message
    assert quiet(analyse(9, "friedman-exact"))
    table = fails().evidence
    assert friedman_exact(table).statistic == pytest.approx(friedman(table).statistic)


def test_approximate_tests_have_the_check(carriers):
    assert carriers == {"aligned-ranks", "friedman", "iman-davenport", "quade", "skillings-mack"}
