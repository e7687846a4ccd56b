"""TA627: the smallest attainable p-value is at most alpha."""

import numpy as np

from tellapart import ClassScores, compare

EXACT = {"method": "auc-permutation", "interval": "mover-newcombe"}


def pair(examples):
    """Return two models with opposite rankings."""
    truth = np.arange(examples) % 2
    return ClassScores.from_scores(truth, np.arange(examples) + 10 * truth, -np.arange(examples) - 10 * truth)


def fails():
    return compare(pair(4), **EXACT)


def holds():
    return compare(pair(20), **EXACT)


def test_the_figure_is_the_smallest_attainable_p_value(check):
    """Four examples have 16 patterns of swaps, two of which are the most extreme."""
    assert check(fails()).figure == -2 / 16
    assert check(compare(pair(4), alternative="greater", **EXACT)).figure == -1 / 16
    assert fails().pvalue >= 2 / 16


def test_the_limit_is_alpha(check):
    assert check(compare(pair(4), level=0.8, **EXACT)).holds


def test_equal_rankings_cannot_be_significantly_different(check):
    same = ClassScores.from_scores([0, 1] * 10, np.arange(20), np.arange(20) ** 2)
    assert check(compare(same, **EXACT)).figure == -1
