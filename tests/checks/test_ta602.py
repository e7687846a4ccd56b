"""TA602: ten examples or more are in the denominator."""

import pytest

from tellapart import ConfusionMatrix, estimate


def fails():
    """Six are spam or were taken for it, among two hundred."""
    return estimate(ConfusionMatrix([[194, 1], [2, 3]]), metric="f1", method="f1-wilson")


def holds():
    return estimate(ConfusionMatrix([[50, 10], [5, 35]]), metric="f1", method="f1-wilson")


@pytest.mark.parametrize("count", [9, 10])
def test_ten_are_enough(check, count):
    result = check(estimate(ConfusionMatrix([[80, 2], [3, count - 2]]), metric="precision", method="wilson"))
    assert (result.figure, bool(result.holds)) == (count, count == 10)


def test_of_several_classes_the_smallest_counts_and_one_without_examples_does_not(check):
    counts = [[30, 2, 0], [1, 6, 0], [0, 0, 0]]
    result = check(estimate(ConfusionMatrix(counts), metric="balanced-accuracy", method="mover-wilson"))
    assert result.figure == 7


def test_the_way_out_guarantees_its_level(check, quiet):
    assert "'f1-exact'" in check(fails()).message
    answer = estimate(ConfusionMatrix([[194, 1], [2, 3]]), metric="f1", method="f1-exact")
    assert quiet(answer)
    assert answer.interval.low < fails().interval.low
