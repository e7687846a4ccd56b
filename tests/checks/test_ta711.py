"""TA711: some data set ranks the learners."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare


def ask(scores, method="friedman"):
    return compare(ScoreTable.from_scores(scores, metric="score"), method=method)


def fails():
    return ask(np.full((12, 3), 0.8))


def holds():
    return ask([[0.8, 0.8, 0.8]] * 11 + [[0.8, 0.8, 0.7]])


@pytest.mark.parametrize(
    "method", ["friedman", "nemenyi", "quade", "aligned-ranks", "skillings-mack", "iman-davenport"]
)
def test_learners_that_tie_everywhere_do_not_differ(check, method):
    answer = ask(np.full((5, 4), 0.5), method)
    assert check(answer).figure == 0
    assert np.all(answer.adjusted == 1)
    assert all(test.pvalue == 1 and test.statistic == 0 for test in answer.note("overall_tests").values())


@pytest.mark.parametrize("ties", [0, 3, 7])
def test_the_figure_counts_data_sets_that_do_not_tie(check, ties):
    assert check(ask([[0.5, 0.5, 0.5]] * ties + [[0.5, 0.6, 0.5]] * 8)).figure == 8


def test_a_single_score_ranks_nobody(check):
    answer = ask([[1.0, None, None], [None, 1.0, 1.0], [1.0, 2.0, 2.0]], "skillings-mack")
    assert check(answer).figure == 1


def test_all_that_compare_ranks_carry_it(carriers):
    assert {"friedman", "friedman-exact", "iman-davenport", "nemenyi", "bonferroni-dunn", "quade"} <= carriers
