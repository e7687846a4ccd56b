"""TA717: scores are about as far apart on all data sets."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare


def ask(spreads, method="aligned-ranks", ties=0):
    scores = np.array(spreads)[:, None] * np.array([0.0, 0.3, 1.0])
    scores[::2] = scores[::2, ::-1]
    return compare(ScoreTable.from_scores([*scores, *np.zeros((ties, 3))], metric="score"), method=method)


def fails():
    """Ask where scores are a hundred times as far apart on five of fifteen data sets."""
    return ask([100.0] * 5 + [1.0] * 10)


def holds():
    return ask([1.0] * 15)


@pytest.mark.parametrize(("wide", "figure"), [(0, 1.0), (3, 1.0), (4, 0.05), (11, 0.05), (12, 1.0), (15, 1.0)])
def test_the_figure_is_a_quotient_of_quartiles(check, wide, figure):
    """Of fifteen data sets the fourth and the twelfth."""
    result = check(ask([20.0] * wide + [1.0] * (15 - wide)))
    assert result.figure == pytest.approx(figure)
    assert bool(result.holds) == (figure == 1)


@pytest.mark.parametrize("ties", [1, 4, 40])
def test_a_data_set_on_which_all_tie_has_no_scale(check, ties):
    assert check(ask([1.0] * 15, ties=ties)).figure == 1


def test_nothing_but_ties(check):
    assert check(ask([0.0] * 5)).holds


def test_the_way_out_counts_each_data_set_once(check, quiet):
    assert "method='iman-davenport'" in check(fails()).message
    assert quiet(compare(fails().evidence, method="iman-davenport"))


def test_what_compares_scores_across_data_sets_carries_it(carriers):
    assert carriers == {"aligned-ranks", "quade"}
