"""TA705: no data set makes up more than half of the variance of the differences."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare


def analyse(differences, method="wilcoxon-signed-rank", **options):
    """Compare A, whose every score is 0, with B, whose scores are the differences."""
    table = ScoreTable.from_scores({"A": [0.0] * len(differences), "B": differences}, metric="score")
    return compare(table, method=method, **options)


EVEN = [0.01, 0.02, -0.01, 0.03, 0.0, 0.02, 0.01, 0.02]


def fails():
    return analyse([*EVEN, 5.0], "paired-t")


def holds():
    return analyse(EVEN, "paired-t")


@pytest.mark.parametrize("far", [0.05, 0.1, 0.5])
def test_the_figure_is_the_share_of_the_others(check, far):
    differences = np.array([*EVEN, far])
    squares = (differences - differences.mean()) ** 2
    assert check(analyse(differences.tolist(), "paired-t")).figure == pytest.approx(1 - squares.max() / squares.sum())


@pytest.mark.parametrize("differences", [[0.1, 0.3], [0.1, 0.1, 0.1]])
def test_two_data_sets_and_constant_differences_pass(quiet, differences):
    assert quiet(analyse(differences, "paired-t"))


def test_the_ranks_reject_and_the_mean_does_not(check, quiet):
    """Eight of nine differences are 0 or more, and one of them is an outlier that dominates the mean."""
    assert fails().pvalue > 0.3
    assert analyse([*EVEN, 5.0]).pvalue < 0.05
    assert quiet(analyse([*EVEN, 5.0]))
    assert "method='wilcoxon-signed-rank'" in check(fails()).message
