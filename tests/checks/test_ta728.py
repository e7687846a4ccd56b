"""TA728: the runs of every data set differ."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare


def ask(same=1, **options):
    """Compare A with B on eight data sets, of which the first ones have the same difference in all runs."""
    gains = np.random.default_rng(28).normal(0.02, 0.02, (8, 10))
    gains[:same] = 0.02
    scores = {"A": np.full((8, 10), 0.8), "B": 0.8 + gains}
    table = ScoreTable.from_scores(scores, metric="accuracy", bounds=(0, 1), rho=0.1)
    return compare(table, **{"method": "hierarchical", "draws": 500} | options)


def fails():
    return ask()


def holds():
    return ask(same=0)


@pytest.mark.parametrize("same", [0, 1, 3, 8])
def test_data_sets_without_spread_are_counted(check, same):
    assert check(ask(same=same)).figure == -same


def test_the_message_says_how_many(check):
    assert "data sets whose runs do not vary: 1" in check(fails()).message


def test_without_any_spread_nothing_is_known(check):
    answer = ask(same=8)
    assert (answer.pvalue, answer.interval.low, answer.interval.high) == (1, -1, 1)
    assert "without any, p is 1" in check(answer).message


def test_one_data_set_without_spread_does_not_rule_the_answer():
    """It weighs no more than the steadiest of the others: the limits are about as wide as without it."""
    assert 0.6 < fails().interval.width / holds().interval.width < 1.4


def test_the_way_out_takes_every_data_set_alike(check, quiet):
    assert "Use method='wilcoxon-signed-rank'" in check(fails()).message
    assert quiet(compare(fails().evidence, method="wilcoxon-signed-rank"))
