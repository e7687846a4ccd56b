"""TA704: both learners have a score on every data set."""

import pytest

from tellapart import ScoreTable, compare


def analyse(differences, method="wilcoxon-signed-rank", **options):
    """Compare A, whose every score is 0, with B, whose scores are the differences."""
    table = ScoreTable.from_scores({"A": [0.0] * len(differences), "B": differences}, metric="score")
    return compare(table, method=method, **options)


def fails():
    return analyse([0.1, 0.2, None, 0.3, 0.4, 0.5, 0.6])


def holds():
    return analyse([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])


@pytest.mark.parametrize("method", ["wilcoxon-signed-rank", "sign-test", "paired-t"])
def test_the_figure_counts_data_sets_left_out(check, method):
    answer = analyse([0.1, 0.2, None, 0.3, None, 0.5, 0.6, 0.7], method)
    assert check(answer).figure == -2
    assert check(answer).message.startswith("2 data sets left out because a score is missing: the comparison favours")
    assert check(fails()).message.startswith("1 data set left out")


def test_the_other_data_sets_are_compared():
    assert fails().pvalue == holds().pvalue
