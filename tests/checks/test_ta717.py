"""TA717: the ranges of scores are similar on all data sets."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare


def analyse(spreads, method="aligned-ranks", ties=0):
    scores = np.array(spreads)[:, None] * np.array([0.0, 0.3, 1.0])
    scores[::2] = scores[::2, ::-1]
    return compare(ScoreTable.from_scores([*scores, *np.zeros((ties, 3))], metric="score"), method=method)


def fails():
    """Compare scores with a range a hundred times as wide on five of fifteen data sets."""
    return analyse([100.0] * 5 + [1.0] * 10)


def holds():
    return analyse([1.0] * 15)


@pytest.mark.parametrize(("wide", "figure"), [(0, 1.0), (3, 1.0), (4, 0.05), (11, 0.05), (12, 1.0), (15, 1.0)])
def test_the_figure_is_a_ratio_of_quartiles(check, wide, figure):
    """The quartiles of fifteen data sets are the fourth and the twelfth."""
    result = check(analyse([20.0] * wide + [1.0] * (15 - wide)))
    assert result.figure == pytest.approx(figure)
    assert bool(result.holds) == (figure == 1)


@pytest.mark.parametrize("ties", [1, 4, 40])
def test_tied_data_sets_do_not_count(check, ties):
    assert check(analyse([1.0] * 15, ties=ties)).figure == 1


def test_ties_only_pass(check):
    assert check(analyse([0.0] * 5)).holds


def test_the_remedy_ranks_within_data_sets(check, quiet):
    assert "method='iman-davenport'" in check(fails()).message
    assert quiet(compare(fails().evidence, method="iman-davenport"))


def test_tests_across_data_sets_have_the_check(carriers):
    assert carriers == {"aligned-ranks", "quade"}
