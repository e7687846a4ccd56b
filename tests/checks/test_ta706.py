"""TA706: the differences vary between data sets."""

import pytest

from tellapart import ScoreTable, compare


def analyse(differences, method="wilcoxon-signed-rank", **options):
    """Compare A, whose every score is 0, with B, whose scores are the differences."""
    table = ScoreTable.from_scores({"A": [0.0] * len(differences), "B": differences}, metric="score")
    return compare(table, method=method, **options)


def fails():
    return analyse([0.1] * 8, "paired-t")


def holds():
    return analyse([0.1, 0.2, 0.1, 0.2], "paired-t")


@pytest.mark.parametrize("differences", [[0.1] * 8, [0.0] * 3, [0.2]])
def test_without_variation_p_is_1_or_the_interval_unbounded(check, differences):
    answer = analyse(differences, "paired-t")
    assert (check(answer).figure, answer.pvalue) == (0, 1)
    assert (answer.interval.low, answer.interval.high) == (-float("inf"), float("inf"))


def test_the_remedy_tests_a_constant_difference(check, quiet):
    """Eight differences with the same sign: 2/2⁸."""
    assert "Use method='wilcoxon-signed-rank'" in check(fails()).message
    assert analyse([0.1] * 8).pvalue == 2 / 2**8
    assert quiet(analyse([0.1] * 8))
