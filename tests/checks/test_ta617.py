"""TA617: what is added to every cell is little beside what was counted."""

import numpy as np
import pytest

from tellapart import PairedConfusion, compare


def answer_for(times, method="bdeltacost"):
    counts = [[[4 * times, times], [0, times]], [[0, times], [0, 3 * times]]]
    return compare(PairedConfusion(counts), metric="cost", costs=[[0, 1], [5, 0]], method=method)


def fails():
    return answer_for(2)


def holds():
    return answer_for(20)


@pytest.mark.parametrize(("times", "holds"), [(1, False), (7, False), (8, True)])
def test_ten_examples_for_each_of_eight_cells(check, times, holds):
    result = check(answer_for(times))
    assert (result.figure, bool(result.holds)) == (times * 10 / 8, holds)


def test_what_was_never_seen_draws_the_limits_to_no_difference(check, quiet, carriers):
    """Forty examples of four labels and half a one in each of 64 cells: 32 of 72 are as good for A as for B."""
    truth, a, b = (np.repeat([0, 1, 2, 3], often) for often in ([10, 10, 10, 10], [9, 10, 10, 11], [4, 10, 10, 16]))
    pair = PairedConfusion.from_predictions(truth, a, b).by("cost", costs=1 - np.eye(4))
    answer = compare(pair, method="bdeltacost")
    middle = (answer.interval.low + answer.interval.high) / 2
    assert middle == pytest.approx(answer.difference * 40 / 72, abs=0.03)
    assert "method='paired-delta'" in check(fails()).message
    assert quiet(compare(pair, method="paired-delta"))
    assert carriers == {"bdeltacost"}
