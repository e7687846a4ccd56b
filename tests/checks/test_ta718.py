"""TA718: every two learners are linked by data sets that are shared."""

import numpy as np
import pytest

from tellapart import ScoreTable, compare

NONE = None


def ask(rows):
    return compare(ScoreTable.from_scores(rows, metric="score"), method="skillings-mack")


def fails():
    """Ask of A and B, who met, and of C and D, who did, too."""
    return ask([[1, 2, NONE, NONE]] * 6 + [[NONE, NONE, 1, 2]] * 6)


def holds():
    return ask([[1, 2, NONE, NONE]] * 6 + [[NONE, NONE, 1, 2]] * 6 + [[NONE, 1, 2, NONE]])


@pytest.mark.parametrize(
    ("rows", "figure"),
    [
        ([[1, 2, 3], [2, 1, 3]], 0),
        ([[1, 2, NONE], [NONE, 1, 2]], 0),  # A and C by way of B
        ([[1, 2, NONE], [NONE, NONE, 2]], -1),
        ([[1, NONE, NONE], [NONE, 1, 2]], -2),
    ],
)
def test_the_figure_counts_those_whom_the_first_never_met(check, rows, figure):
    assert check(ask(rows)).figure == figure


def test_nothing_is_claimed_across_groups():
    answer = fails()
    across = [name in {("A", "C"), ("A", "D"), ("B", "C"), ("B", "D")} for name in answer.names]
    assert np.all(answer.pairs.pvalue[across] == 1)
    assert np.all(answer.pairs.pvalue[np.logical_not(across)] < 0.05)


def test_who_carries_it(carriers):
    assert carriers == {"skillings-mack"}
