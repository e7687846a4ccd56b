"""TA718: all learners are linked by shared data sets."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare

NONE = None


def analyse(rows):
    return compare(ScoreTable.from_scores(rows, metric="score"), method="skillings-mack")


def fails():
    """Compare two groups, A and B, and C and D, without a shared data set."""
    return analyse([[1, 2, NONE, NONE]] * 6 + [[NONE, NONE, 1, 2]] * 6)


def holds():
    return analyse([[1, 2, NONE, NONE]] * 6 + [[NONE, NONE, 1, 2]] * 6 + [[NONE, 1, 2, NONE]])


@pytest.mark.parametrize(
    ("rows", "figure"),
    [
        ([[1, 2, 3], [2, 1, 3]], 0),
        ([[1, 2, NONE], [NONE, 1, 2]], 0),  # A and C are linked by B
        ([[1, 2, NONE], [NONE, NONE, 2]], -1),
        ([[1, NONE, NONE], [NONE, 1, 2]], -2),
    ],
)
def test_the_figure_counts_learners_not_linked_to_the_first(check, rows, figure):
    assert check(analyse(rows)).figure == figure


def test_the_message_has_the_number_of_learners(check):
    start = "2 learners not linked to the first one by shared data sets: no comparison with it is possible."
    assert check(fails()).message.startswith(start)


def test_p_is_1_between_groups():
    answer = fails()
    across = [name in {("A", "C"), ("A", "D"), ("B", "C"), ("B", "D")} for name in answer.names]
    assert np.all(answer.pairs.pvalue[across] == 1)
    assert np.all(answer.pairs.pvalue[np.logical_not(across)] < 0.05)


def test_which_methods_have_the_check(carriers):
    assert carriers == {"skillings-mack"}
