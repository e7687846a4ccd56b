"""TA434: the loss is not the same throughout."""

import numpy as np
import pytest

from tellapart import TrainingSets, compare


def answer_for(difference, method="two-way-bootstrap"):
    a = np.asarray(difference, float)
    more = {"resamples": 200} if method == "two-way-bootstrap" else {}
    return compare(TrainingSets(np.stack([a, np.zeros_like(a)])), method=method, **more)


def fails():
    return answer_for(np.zeros((10, 6)))


def holds():
    return answer_for(np.eye(10, 6))


def test_one_loss_that_differs_is_enough(check):
    one = np.zeros((10, 6))
    one[3, 2] = 0.25
    assert check(answer_for(one)).figure == pytest.approx(0.25)
    assert check(answer_for(one)).holds


@pytest.mark.parametrize("same", [0, 1])
def test_where_every_draw_is_alike_nothing_is_claimed(check, same):
    answer = answer_for(np.full((10, 6), same))
    assert not check(answer).holds
    assert (answer.pvalue, answer.interval.low, answer.interval.high) == (1, -1, 1)


def test_more_examples_are_the_way_out(check, quiet):
    assert "the loss is the same for every training set and every test example" in check(fails()).message
    assert check(fails()).remedy == "Test more examples."
    assert quiet(answer_for(np.eye(10, 12)))
    assert quiet(answer_for(np.eye(10, 12), "quasi-f"))


def test_only_the_bootstrap_carries_it(carriers):
    assert carriers == {"two-way-bootstrap"}
