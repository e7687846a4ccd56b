"""TA627: an exchange of ranks could reach alpha."""

import numpy as np

from tellapart import ClassScores, compare

EXACT = {"method": "auc-permutation", "interval": "mover-newcombe"}


def pair(examples):
    """Return two models that rank all examples the opposite way."""
    truth = np.arange(examples) % 2
    return ClassScores.from_scores(truth, np.arange(examples) + 10 * truth, -np.arange(examples) - 10 * truth)


def fails():
    return compare(pair(4), **EXACT)


def holds():
    return compare(pair(20), **EXACT)


def test_the_figure_is_the_smallest_p_value_there_could_be(check):
    """Four examples that an exchange moves have 16 patterns of signs, of which two are as far out as can be."""
    assert check(fails()).figure == -2 / 16
    assert check(compare(pair(4), alternative="greater", **EXACT)).figure == -1 / 16
    assert fails().pvalue >= 2 / 16


def test_alpha_is_what_it_is_held_against(check):
    assert check(compare(pair(4), level=0.8, **EXACT)).holds


def test_models_that_rank_alike_can_never_be_told_apart(check):
    same = ClassScores.from_scores([0, 1] * 10, np.arange(20), np.arange(20) ** 2)
    assert check(compare(same, **EXACT)).figure == -1
