"""TA430: the mean loss varies between training sets or test examples."""

import numpy as np
import pytest

from tellapart import TrainingSets, compare


def answer_for(difference, method="quasi-f"):
    """A's losses are these, by training set and example; B has none."""
    a = np.asarray(difference, float)
    return compare(TrainingSets(np.stack([a, np.zeros_like(a)])), method=method)


def fails():
    return answer_for(np.zeros((5, 6)))


def holds():
    return answer_for(np.eye(5, 6))


@pytest.mark.parametrize(
    ("by_set", "by_example"), [([0, 0, 1, 0, 0], [0] * 6), ([0] * 5, [1, 0, 0, 0, 0, 0]), ([0, 1, 0, 1, 0], [0] * 6)]
)
def test_the_larger_of_two_spreads_counts(check, by_set, by_example):
    """Of a whole training set, or of one example on all of them."""
    losses = np.maximum.outer(by_set, by_example)
    spreads = np.ptp(losses.mean(axis=1)), np.ptp(losses.mean(axis=0))
    assert check(answer_for(losses)).figure == pytest.approx(max(spreads))
    assert check(answer_for(losses)).holds


@pytest.mark.parametrize("same", [0, 1])
def test_without_either_nothing_is_claimed(check, same):
    answer = answer_for(np.full((5, 6), same))
    assert not check(answer).holds
    assert (answer.pvalue, answer.interval.low, answer.interval.high) == (1, -1, 1)


def test_more_examples_are_the_way_out(check, quiet):
    message = check(fails()).message
    assert message.endswith("Test more examples.")
    more = np.zeros((5, 12))
    more[:3, 7] = 1
    assert quiet(answer_for(more))


def test_both_methods_for_crossed_designs_carry_it(carriers):
    assert carriers == {"crossed-interval", "quasi-f"}
