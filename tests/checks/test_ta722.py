"""TA722: the runs of every data set vary."""

import numpy as np

from tellapart import ScoreTable, compare


def of_runs(change=None):
    scores = np.random.default_rng(0).normal(0.8, 0.05, (8, 2, 6)).round(3)
    if change is not None:
        change(scores)
    return compare(ScoreTable.from_scores(scores, rho=0.1), method="random-effects")


def fails():
    def flat(scores):
        scores[2, 0] = scores[2, 1] + 0.01  # the same difference in every run
        scores[5, :, 1:] = np.nan  # a single run

    return of_runs(flat)


def holds():
    return of_runs()


def test_the_figure_counts_data_sets_without_spread(check):
    assert check(fails()).figure == -2
    assert check(holds()).figure == 0


def test_the_message_has_the_number_of_data_sets(check):
    assert check(fails()).message.startswith("2 data sets with constant runs or a single run: the variance")


def test_a_data_set_without_scores_passes(check):
    def missing(scores):
        scores[3, 1] = np.nan

    assert check(of_runs(missing)).holds
