"""TA602: at least 10 examples in the denominator."""

import pytest

from tellapart import ConfusionMatrix, estimate


def fails():
    """Estimate F1 with six examples of two hundred that are spam or predicted as spam."""
    return estimate(ConfusionMatrix([[194, 1], [2, 3]]), metric="f1", method="f1-wilson")


def holds():
    return estimate(ConfusionMatrix([[50, 10], [5, 35]]), metric="f1", method="f1-wilson")


@pytest.mark.parametrize("count", [9, 10])
def test_ten_are_enough(check, count):
    result = check(estimate(ConfusionMatrix([[80, 2], [3, count - 2]]), metric="precision", method="wilson"))
    assert (result.figure, bool(result.holds)) == (count, count == 10)


def test_the_smallest_class_with_examples_counts(check):
    counts = [[30, 2, 0], [1, 6, 0], [0, 0, 0]]
    result = check(estimate(ConfusionMatrix(counts), metric="balanced-accuracy", method="mover-wilson"))
    assert result.figure == 7


def test_the_remedy_guarantees_its_coverage(check, quiet):
    assert "'f1-exact'" in check(fails()).message
    answer = estimate(ConfusionMatrix([[194, 1], [2, 3]]), metric="f1", method="f1-exact")
    assert quiet(answer)
    assert answer.interval.low < fails().interval.low
