"""TA712: ranks on so many data sets can reach alpha."""

import pytest

from tellapart import ScoreTable, compare
from tellapart.methods.score_table.friedman_exact import friedman_exact


def ask(datasets, learners=3, alpha=0.05, method="friedman-exact"):
    rows = [[0.1 * index for index in range(learners)]] * datasets
    return compare(ScoreTable.from_scores(rows, metric="score"), method=method, alpha=alpha)


def fails():
    return ask(2)


def holds():
    return ask(3)


@pytest.mark.parametrize(("datasets", "learners", "least"), [(2, 3, 1 / 6), (3, 3, 1 / 36), (2, 4, 1 / 24)])
def test_the_figure_is_the_exact_p_value_where_all_data_sets_agree(check, datasets, learners, least):
    answer = ask(datasets, learners)
    assert -check(answer).figure == pytest.approx(least)
    assert friedman_exact(answer.evidence).pvalue == pytest.approx(least)
    assert bool(check(answer).holds) == (least < 0.05)


def test_a_stricter_alpha_asks_for_more(check):
    assert check(ask(3)).holds
    assert not check(ask(3, alpha=0.01)).holds
    assert check(ask(4, alpha=0.01)).holds


def test_ties_leave_fewer_ways(check):
    """Two of three tie on each of three data sets: three ways each, one of which may stay."""
    answer = compare(ScoreTable.from_scores([[0.5, 0.5, 0.7]] * 3), method="iman-davenport")
    assert -check(answer).figure == pytest.approx(1 / 9)


def test_every_omnibus_test_carries_it(carriers):
    assert carriers == {"aligned-ranks", "friedman", "friedman-exact", "iman-davenport", "quade", "skillings-mack"}
