"""TA712: enough data sets for p to reach alpha."""

import pytest

from tellapart import ScoreTable, compare
from tellapart.methods.score_table.friedman_exact import friedman_exact


def analyse(datasets, learners=3, alpha=0.05, method="friedman-exact"):
    rows = [[0.1 * index for index in range(learners)]] * datasets
    return compare(ScoreTable.from_scores(rows, metric="score"), method=method, alpha=alpha)


def fails():
    return analyse(2)


def holds():
    return analyse(3)


@pytest.mark.parametrize(("datasets", "learners", "least"), [(2, 3, 1 / 6), (3, 3, 1 / 36), (2, 4, 1 / 24)])
def test_the_figure_is_the_exact_p_value_of_equal_rankings(check, datasets, learners, least):
    answer = analyse(datasets, learners)
    assert -check(answer).figure == pytest.approx(least)
    assert friedman_exact(answer.evidence).pvalue == pytest.approx(least)
    assert bool(check(answer).holds) == (least < 0.05)


def test_a_smaller_alpha_needs_more_data_sets(check):
    assert check(analyse(3)).holds
    assert not check(analyse(3, alpha=0.01)).holds
    assert check(analyse(4, alpha=0.01)).holds


def test_ties_reduce_the_number_of_rankings(check):
    """Two of three learners tie on each of three data sets: three rankings each."""
    answer = compare(ScoreTable.from_scores([[0.5, 0.5, 0.7]] * 3), method="iman-davenport")
    assert -check(answer).figure == pytest.approx(1 / 9)


def test_every_omnibus_test_has_the_check(carriers):
    assert carriers == {"aligned-ranks", "friedman", "friedman-exact", "iman-davenport", "quade", "skillings-mack"}
