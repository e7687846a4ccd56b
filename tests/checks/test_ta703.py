"""TA703: the learners differ on at least half of the data sets."""

import pytest

from tellapart import ScoreTable, compare


def analyse(differences, method="wilcoxon-signed-rank", **options):
    """Compare A, whose every score is 0, with B, whose scores are the differences."""
    table = ScoreTable.from_scores({"A": [0.0] * len(differences), "B": differences}, metric="score")
    return compare(table, method=method, **options)


def fails():
    return analyse([0.0] * 8 + [0.01] * 7)


def holds():
    return analyse([0.0] * 7 + [0.01] * 7)


@pytest.mark.parametrize(("ties", "wins"), [(0, 6), (6, 6), (7, 6), (18, 6)])
def test_the_figure_is_the_share_that_differs(check, ties, wins):
    result = check(analyse([0.0] * ties + [0.01] * wins))
    assert result.figure == wins / (ties + wins)
    assert bool(result.holds) == (ties <= wins)


def test_missing_scores_are_not_ties(check):
    assert check(analyse([0.01] * 6 + [0.0] * 2 + [None] * 9)).figure == 0.75


def test_wins_on_few_data_sets_can_be_significant(check):
    """Six wins of six are significant although thirty data sets are tied."""
    answer = analyse([0.0] * 30 + [0.01] * 6)
    assert answer.pvalue < 0.05
    assert "the test ignores the ties" in check(answer).message
