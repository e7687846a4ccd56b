"""TA604: ten examples or more for each cell of the matrix."""

import numpy as np
import pytest

from tellapart import ConfusionMatrix, estimate

COSTS = 1.0 - np.eye(10)


def ask(each, method="bcost"):
    """Ten classes, all right, `each` of them in every class: a cost of 1 for any mistake."""
    return estimate(ConfusionMatrix(np.eye(10, dtype=int) * each), metric="cost", costs=COSTS, method=method)


def fails():
    return ask(20)


def holds():
    return estimate(ConfusionMatrix([[90, 5], [1, 4]]), metric="cost", costs=[[0, 1], [10, 0]], method="bcost")


@pytest.mark.parametrize("each", [99, 100])
def test_ten_for_each_cell_are_enough(check, each):
    result = check(ask(each))
    assert (result.figure, bool(result.holds)) == (each / 10, each == 100)


def test_mistakes_that_nobody_made_are_told_and_the_way_out_makes_fewer(check, quiet):
    """Two hundred right answers without an error: no more than 0.018 is left standing by the binomial (0.025^(1/200)).

    Half an example in each of ninety wrong cells makes it a fifth.
    """
    assert fails().interval.high > 0.2
    assert "method='delta'" in check(fails()).message
    assert quiet(ask(20, "delta"))
    assert ask(20, "delta").interval.high < 0.03
    assert ask(20, "count-bootstrap").interval.high < 0.03
