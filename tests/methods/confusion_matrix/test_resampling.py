"""Counts drawn again: against the binomial that a share has, and against examples drawn one by one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom, multinomial

from tellapart import ConfusionMatrix
from tellapart.errors import InvalidOption
from tellapart.methods.confusion_matrix.count_resampling import bcost, count_bootstrap

MATRIX = ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])
COSTS = {("spam", "ham"): 10, ("ham", "spam"): 1}


def test_the_percentiles_of_accuracy_are_binomial():
    """One right and one wrong more: Binomial(100, 86/102), by SciPy; a step is what drawing can be off by."""
    result = count_bootstrap(MATRIX.by("accuracy"), resamples=40_000).interval()
    assert_allclose([result.low, result.high], binom.ppf([0.025, 0.975], 100, 86 / 102) / 100, atol=0.01)
    below = count_bootstrap(MATRIX.by("accuracy"), resamples=40_000).interval(side="lower", alpha=0.025)
    assert (below.low, below.high) == (result.low, 1.0)


def test_the_cost_against_examples_drawn_one_by_one():
    """Half an example added to each cell; ten thousand test sets of a hundred, each example drawn by itself."""
    rng = np.random.default_rng(7)
    shares = np.array([50.5, 10.5, 5.5, 35.5]) / 102
    cost = rng.choice([0.0, 1.0, 10.0, 0.0], p=shares, size=(10_000, 100)).mean(axis=1)
    result = bcost(MATRIX.by("cost", costs=COSTS)).interval()
    assert_allclose([result.low, result.high], np.quantile(cost, [0.025, 0.975]), atol=0.03)
    assert result.low < (10 + 50) / 100 < result.high
    more = bcost(MATRIX.by("cost", costs=COSTS), added=20).interval()
    assert more.low > result.low


@pytest.mark.parametrize("function", [count_bootstrap, bcost])
def test_a_perfect_classifier_of_any_number_of_examples_has_width(function):
    counts = np.array([[[60, 0], [0, 40]], [[6 * 10**14, 0], [0, 10**9]], [[1, 0], [0, 0]]])
    matrix = ConfusionMatrix(counts).by("cost", costs=[[0, 1], [10, 0]])
    result = function(matrix, resamples=2000).interval()
    assert_array_equal(result.low, 0)
    assert (result.high > 0).all()
    assert (np.diff(result.high[:2]) < 0).all()


def test_draws_without_a_value_are_left_out():
    """Two predicted positives of fifty: one draw in twenty has none. Precision in the others, by all counts."""
    result = count_bootstrap(ConfusionMatrix([[43, 0], [5, 2]]).by("precision"), resamples=40_000).interval()
    hits, false = (each.ravel() for each in np.indices((51, 51)))
    drawn = (hits + false > 0) & (hits + false <= 50)
    hits, false = hits[drawn], false[drawn]
    chance = multinomial.pmf(np.stack([hits, false, 50 - hits - false], -1), 50, [2.5 / 52, 0.5 / 52, 49 / 52])
    order = np.argsort(hits / (hits + false), kind="stable")
    index = np.searchsorted(np.cumsum(chance[order]), 0.025 * chance.sum())
    assert result.high == 1
    assert result.low == (hits / (hits + false))[order][index]


def test_many_labels_are_drawn_piece_by_piece():
    counts = np.eye(120, dtype=int) * 9 + np.eye(120, k=1, dtype=int)
    result = count_bootstrap(ConfusionMatrix(counts).by("accuracy"), resamples=200).interval()
    total = counts.sum()
    assert_allclose([result.low, result.high], binom.ppf([0.025, 0.975], total, 1081 / (total + 2)) / total, atol=0.01)


def test_seeds_and_resamples():
    matrix = MATRIX.by("mcc")
    first, again = (count_bootstrap(matrix, rng=3, resamples=500).interval() for _ in range(2))
    other = count_bootstrap(matrix, rng=np.random.default_rng(4), resamples=500).interval()
    assert (first.low, first.high) == (again.low, again.high)
    assert first.low != other.low
    with pytest.raises(InvalidOption, match="`resamples` must be at least 200 for this alpha, got 100"):
        count_bootstrap(matrix, resamples=100).interval(alpha=0.01)
