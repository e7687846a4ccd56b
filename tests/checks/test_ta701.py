"""TA701: the learners differ on some data set."""

import pytest

from tellapart import ScoreTable, compare


def analyse(differences, method="wilcoxon-signed-rank", **options):
    """Compare A, whose every score is 0, with B, whose scores are the differences."""
    table = ScoreTable.from_scores({"A": [0.0] * len(differences), "B": differences}, metric="score")
    return compare(table, method=method, **options)


def fails():
    return analyse([0.0] * 8)


def holds():
    return analyse([0.01, 0.02, -0.01, 0.03, 0.05, 0.04])


@pytest.mark.parametrize("method", ["wilcoxon-signed-rank", "sign-test"])
def test_without_differences_p_is_1(check, method):
    answer = analyse([0.0] * 8, method)
    assert (check(answer).figure, answer.pvalue) == (0, 1)
    assert "the difference is the tested value on every data set: p is 1" in check(answer).message


def test_one_data_set_is_enough(check):
    assert check(analyse([0.0] * 7 + [0.1])).figure == 1


def test_at_a_margin_the_difference_from_it_counts(check):
    """Eight equal scores differ from any margin, on every data set."""
    assert check(analyse([0.0] * 8, margin=0.02)).figure == 8


def test_the_null_value_is_the_margin(check):
    """B is worse by exactly the margin on every data set: no difference from the null value."""
    table = ScoreTable.from_scores({"A": [0.5] * 8, "B": [0.49] * 8})
    assert check(compare(table, margin=0.01)).figure == 0
    assert check(compare(table, margin=0.01, hypothesis="superior")).figure == 8
