"""TA617: at least 10 examples per cell of label and both predictions."""

import numpy as np
import pytest

from tellapart import PairedConfusion, compare


def analyse(times, method="bdeltacost"):
    counts = [[[4 * times, times], [0, times]], [[0, times], [0, 3 * times]]]
    return compare(PairedConfusion(counts), metric="cost", costs=[[0, 1], [5, 0]], method=method)


def fails():
    return analyse(2)


def holds():
    return analyse(20)


@pytest.mark.parametrize(("times", "holds"), [(1, False), (7, False), (8, True)])
def test_ten_examples_per_cell_are_enough(check, times, holds):
    result = check(analyse(times))
    assert (result.figure, bool(result.holds)) == (times * 10 / 8, holds)


def test_the_correction_moves_the_interval_towards_0(check, quiet, carriers):
    """Forty examples of four labels, and half an example in each of 64 cells: 32 of 72 favour neither model."""
    truth, a, b = (np.repeat([0, 1, 2, 3], often) for often in ([10, 10, 10, 10], [9, 10, 10, 11], [4, 10, 10, 16]))
    pair = PairedConfusion.from_predictions(truth, a, b).by("cost", costs=1 - np.eye(4))
    answer = compare(pair, method="bdeltacost")
    middle = (answer.interval.low + answer.interval.high) / 2
    assert middle == pytest.approx(answer.difference * 40 / 72, abs=0.03)
    assert "method='paired-delta'" in check(fails()).message
    assert quiet(compare(pair, method="paired-delta"))
    assert carriers == {"bdeltacost"}
