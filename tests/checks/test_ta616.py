"""TA616: both models have correct predictions of the class."""

import numpy as np

from tellapart import PairedConfusion, compare


def analyse(hits, interval="relative-predictive-value"):
    pair = PairedConfusion([[[80, 12], [9, 10]], [[5, 12], [0, hits]]])
    return compare(pair, metric="precision", interval=interval)


def fails():
    return analyse(0)


def holds():
    return analyse(1)


def test_a_model_that_is_never_right_leaves_one_limit_infinite(check):
    assert (check(fails()).figure, check(holds()).figure) == (0, 1)
    assert fails().interval.high == np.inf
    assert np.isfinite(holds().interval.high)


def test_the_difference_is_bounded(check, quiet, carriers):
    assert "Use method='paired-delta' for the difference." in check(fails()).message
    answer = analyse(0, "paired-delta")
    assert quiet(answer)
    assert -1 < answer.interval.low < answer.interval.high < 1
    assert carriers == {"relative-predictive-value"}
