"""TA724: every data set has at least 5 runs."""

import numpy as np

from tellapart import ScoreTable, compare


def of_runs(runs, change=None):
    scores = np.random.default_rng(runs).normal(0.8, 0.05, (8, 2, runs)).round(3)
    if change is not None:
        change(scores)
    return compare(ScoreTable.from_scores(scores, rho=0.1), method="random-effects")


def fails():
    return of_runs(3)


def holds():
    return of_runs(5)


def test_the_figure_is_the_fewest_runs_of_a_data_set(check):
    def holed(scores):
        scores[1, 0, :2] = np.nan
        scores[2, 1] = np.nan  # the data set is omitted

    assert check(fails()).figure == 3
    assert check(of_runs(6, holed)).figure == 4
