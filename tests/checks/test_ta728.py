"""TA728: the runs of every data set vary (joint model)."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare


def analyse(same=1, **options):
    """Compare A with B on eight data sets; the first ones have the same difference in all runs."""
    gains = np.random.default_rng(28).normal(0.02, 0.02, (8, 10))
    gains[:same] = 0.02
    scores = {"A": np.full((8, 10), 0.8), "B": 0.8 + gains}
    table = ScoreTable.from_scores(scores, metric="accuracy", bounds=(0, 1), rho=0.1)
    return compare(table, **{"method": "hierarchical", "draws": 500} | options)


def fails():
    return analyse()


def holds():
    return analyse(same=0)


@pytest.mark.parametrize("same", [0, 1, 3, 8])
def test_the_figure_counts_data_sets_whose_runs_do_not_vary(check, same):
    assert check(analyse(same=same)).figure == -same


def test_the_message_has_the_number_of_data_sets(check):
    assert check(fails()).message.startswith("1 data set with constant runs: the smallest variance of the others")


def test_without_any_variation_p_is_1(check):
    answer = analyse(same=8)
    assert (answer.pvalue, answer.interval.low, answer.interval.high) == (1, -1, 1)
    assert "without any, p is 1" in check(answer).message


def test_one_constant_data_set_does_not_dominate():
    """It weighs no more than any other: the interval is about as wide as without it."""
    assert 0.6 < fails().interval.width / holds().interval.width < 1.4


def test_the_remedy_weights_data_sets_equally(check, quiet):
    assert "Use method='wilcoxon-signed-rank'" in check(fails()).message
    assert quiet(compare(fails().evidence, method="wilcoxon-signed-rank"))
