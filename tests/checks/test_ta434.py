"""TA434: the loss varies."""

import numpy as np
import pytest

from tellapart import TrainingSets, compare


def analyse(difference, method="two-way-bootstrap"):
    a = np.asarray(difference, float)
    more = {"resamples": 200} if method == "two-way-bootstrap" else {}
    return compare(TrainingSets(np.stack([a, np.zeros_like(a)])), method=method, **more)


def fails():
    return analyse(np.zeros((10, 6)))


def holds():
    return analyse(np.eye(10, 6))


def test_one_loss_that_differs_is_enough(check):
    one = np.zeros((10, 6))
    one[3, 2] = 0.25
    assert check(analyse(one)).figure == pytest.approx(0.25)
    assert check(analyse(one)).holds


@pytest.mark.parametrize("same", [0, 1])
def test_without_variation_p_is_1_and_the_interval_unbounded(check, same):
    answer = analyse(np.full((10, 6), same))
    assert not check(answer).holds
    assert (answer.pvalue, answer.interval.low, answer.interval.high) == (1, -1, 1)


def test_more_examples_help(check, quiet):
    assert "the loss is the same for every training set and every test example" in check(fails()).message
    assert check(fails()).remedy == "Test more examples."
    assert quiet(analyse(np.eye(10, 12)))
    assert quiet(analyse(np.eye(10, 12), "quasi-f"))


def test_only_the_bootstrap_has_the_check(carriers):
    assert carriers == {"two-way-bootstrap"}
