"""TA616: each of the two is right somewhere, or the ratio of their precisions has no bound."""

import numpy as np

from tellapart import PairedConfusion, compare


def answer_for(hits, interval="relative-predictive-value"):
    pair = PairedConfusion([[[80, 12], [9, 10]], [[5, 12], [0, hits]]])
    return compare(pair, metric="precision", interval=interval)


def fails():
    return answer_for(0)


def holds():
    return answer_for(1)


def test_one_that_is_never_right_leaves_a_side_open(check):
    assert (check(fails()).figure, check(holds()).figure) == (0, 1)
    assert fails().interval.high == np.inf
    assert np.isfinite(holds().interval.high)


def test_the_difference_is_bounded_all_the_same(check, quiet, carriers):
    assert "Use method='paired-delta' for the difference." in check(fails()).message
    answer = answer_for(0, "paired-delta")
    assert quiet(answer)
    assert -1 < answer.interval.low < answer.interval.high < 1
    assert carriers == {"relative-predictive-value"}
