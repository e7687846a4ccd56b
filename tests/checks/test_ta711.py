"""TA711: not all learners are tied on every data set."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare


def analyse(scores, method="friedman"):
    return compare(ScoreTable.from_scores(scores, metric="score"), method=method)


def fails():
    return analyse(np.full((12, 3), 0.8))


def holds():
    return analyse([[0.8, 0.8, 0.8]] * 11 + [[0.8, 0.8, 0.7]])


@pytest.mark.parametrize(
    "method", ["friedman", "nemenyi", "quade", "aligned-ranks", "skillings-mack", "iman-davenport"]
)
def test_learners_tied_everywhere_have_a_p_value_of_1(check, method):
    answer = analyse(np.full((5, 4), 0.5), method)
    assert check(answer).figure == 0
    assert np.all(answer.adjusted == 1)
    assert all(test.pvalue == 1 and test.statistic == 0 for test in answer.note("overall_tests").values())


@pytest.mark.parametrize("ties", [0, 3, 7])
def test_the_figure_counts_data_sets_that_do_not_tie(check, ties):
    assert check(analyse([[0.5, 0.5, 0.5]] * ties + [[0.5, 0.6, 0.5]] * 8)).figure == 8


def test_a_single_score_has_no_rank(check):
    answer = analyse([[1.0, None, None], [None, 1.0, 1.0], [1.0, 2.0, 2.0]], "skillings-mack")
    assert check(answer).figure == 1


def test_every_rank_test_has_the_check(carriers):
    assert {"friedman", "friedman-exact", "iman-davenport", "nemenyi", "bonferroni-dunn", "quade"} <= carriers
