"""TA705: no data set makes up more than half of the variance."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare


def ask(differences, method="wilcoxon-signed-rank", **options):
    """Compare A, whose every score is 0, with B, whose scores are the differences."""
    table = ScoreTable.from_scores({"A": [0.0] * len(differences), "B": differences}, metric="score")
    return compare(table, method=method, **options)


EVEN = [0.01, 0.02, -0.01, 0.03, 0.0, 0.02, 0.01, 0.02]


def fails():
    return ask([*EVEN, 5.0], "paired-t")


def holds():
    return ask(EVEN, "paired-t")


@pytest.mark.parametrize("far", [0.05, 0.1, 0.5])
def test_the_figure_is_what_the_others_make_up(check, far):
    differences = np.array([*EVEN, far])
    squares = (differences - differences.mean()) ** 2
    assert check(ask(differences.tolist(), "paired-t")).figure == pytest.approx(1 - squares.max() / squares.sum())


@pytest.mark.parametrize("differences", [[0.1, 0.3], [0.1, 0.1, 0.1]])
def test_two_data_sets_and_no_spread_are_another_matter(quiet, differences):
    assert quiet(ask(differences, "paired-t"))


def test_one_data_set_hides_what_the_ranks_see(check, quiet):
    """Eight of nine differences are 0 or more, and one of them is huge: the mean is about that one."""
    assert fails().pvalue > 0.3
    assert ask([*EVEN, 5.0]).pvalue < 0.05
    assert quiet(ask([*EVEN, 5.0]))
    assert "method='wilcoxon-signed-rank'" in check(fails()).message
