"""TA604: at least 10 examples per cell of the matrix."""

import numpy as np
import pytest

from tellapart import ConfusionMatrix, estimate

COSTS = 1.0 - np.eye(10)


def analyse(each, method="bcost"):
    """Estimate the cost of ten classes without any error, `each` examples in every class; any error costs 1."""
    return estimate(ConfusionMatrix(np.eye(10, dtype=int) * each), metric="cost", costs=COSTS, method=method)


def fails():
    return analyse(20)


def holds():
    return estimate(ConfusionMatrix([[90, 5], [1, 4]]), metric="cost", costs=[[0, 1], [10, 0]], method="bcost")


@pytest.mark.parametrize("each", [99, 100])
def test_ten_for_each_cell_are_enough(check, each):
    result = check(analyse(each))
    assert (result.figure, bool(result.holds)) == (each / 10, each == 100)


def test_the_correction_is_large_and_the_remedy_smaller(check, quiet):
    """Without an error in 200 examples the binomial limit is 1 − 0.025^(1/200) = 0.018.

    Half an example in each of ninety wrong cells makes it a fifth.
    """
    assert fails().interval.high > 0.2
    assert "method='delta'" in check(fails()).message
    assert quiet(analyse(20, "delta"))
    assert analyse(20, "delta").interval.high < 0.03
    assert analyse(20, "count-bootstrap").interval.high < 0.03
