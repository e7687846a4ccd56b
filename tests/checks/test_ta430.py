"""TA430: the mean loss varies between training sets or between test examples."""

import numpy as np
import pytest

from tellapart import TrainingSets, compare


def analyse(difference, method="quasi-f"):
    """Compare A, whose losses by training set and example are the differences, with B, whose losses are 0."""
    a = np.asarray(difference, float)
    return compare(TrainingSets(np.stack([a, np.zeros_like(a)])), method=method)


def fails():
    return analyse(np.zeros((5, 6)))


def holds():
    return analyse(np.eye(5, 6))


@pytest.mark.parametrize(
    ("by_set", "by_example"), [([0, 0, 1, 0, 0], [0] * 6), ([0] * 5, [1, 0, 0, 0, 0, 0]), ([0, 1, 0, 1, 0], [0] * 6)]
)
def test_the_larger_of_two_ranges_counts(check, by_set, by_example):
    """A training set with a larger loss, or an example with a larger loss on all of them."""
    losses = np.maximum.outer(by_set, by_example)
    spreads = np.ptp(losses.mean(axis=1)), np.ptp(losses.mean(axis=0))
    assert check(analyse(losses)).figure == pytest.approx(max(spreads))
    assert check(analyse(losses)).holds


@pytest.mark.parametrize("same", [0, 1])
def test_without_variation_p_is_1(check, same):
    answer = analyse(np.full((5, 6), same))
    assert not check(answer).holds
    assert (answer.pvalue, answer.interval.low, answer.interval.high) == (1, -1, 1)


def test_more_examples_help(check, quiet):
    message = check(fails()).message
    assert message.endswith("Test more examples.")
    more = np.zeros((5, 12))
    more[:3, 7] = 1
    assert quiet(analyse(more))


def test_both_methods_for_crossed_designs_have_the_check(carriers):
    assert carriers == {"crossed-interval", "quasi-f"}
