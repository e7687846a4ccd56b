"""TA721: at least 10 data sets with scores of both."""

import numpy as np

from tellapart import ScoreTable, compare


def over(count, method="bayesian-sign", missing=0):
    scores = np.random.default_rng(count).normal([0.8, 0.82], 0.05, (count, 2)).round(3)
    scores[:missing, 0] = np.nan
    return compare(ScoreTable.from_scores(scores), method=method)


def fails():
    return over(6)


def holds():
    return over(12)


def test_the_figure_is_the_number_of_data_sets_that_both_have_a_score_on(check):
    assert check(fails()).figure == 6
    assert check(over(12, missing=3)).figure == 9


def test_both_bayesian_tests_have_the_check(check, carriers):
    assert carriers == {"bayesian-sign", "bayesian-signed-rank"}
    assert not check(over(9, method="bayesian-signed-rank")).holds
    assert check(over(10, method="bayesian-signed-rank")).holds
