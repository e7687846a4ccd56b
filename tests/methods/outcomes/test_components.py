"""The variance between and within examples: against analysis of variance, and right on average over every outcome."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import tellapart as ta
from tellapart.errors import InvalidEvidence
from tellapart.methods.outcomes.components import RepeatComponents, repeat_components


def test_equal_repeats_are_an_analysis_of_variance():
    """Component by component: between = (MSB − MSW)/K, within = MSW, and F = MSB/MSW is SciPy's."""
    grid = np.random.default_rng(0).normal(size=(12, 1)) + np.random.default_rng(1).normal(size=(12, 5))
    parts = ta.variance_components(ta.Outcomes.from_scores(grid, metric="rouge"))
    assert isinstance(parts, RepeatComponents)
    between, within = parts.of("between examples"), parts.of("within examples")
    assert_allclose(within, grid.var(axis=1, ddof=1).mean(), rtol=1e-12)
    assert_allclose(1 + 5 * between / within, stats.f_oneway(*grid).statistic, rtol=1e-12)
    assert_allclose(parts.error, stats.sem(grid.mean(axis=1)), rtol=1e-12)
    assert_allclose(parts.noise, within / 5 / 12, rtol=1e-12)
    assert_allclose(parts.error_with_endless_repeats**2, between / 12, rtol=1e-12)
    assert_allclose(parts.error_with_twice_the_examples, parts.error / np.sqrt(2), rtol=1e-15)


def test_unequal_repeats_are_right_on_average_over_every_outcome():
    """Right and wrong by chances that differ, met 2, 3 and 4 times: all 512 outcomes, each with its probability."""
    chances, met = np.array([0.2, 0.5, 0.9]), [2, 3, 4]
    expected = np.zeros(3)
    for outcome in product((0, 1), repeat=9):
        rows = np.full((3, 4), np.nan)
        rows[np.arange(4) < np.array(met)[:, None]] = outcome
        weight = np.prod([p if hit else 1 - p for p, hit in zip(np.repeat(chances, met), outcome, strict=True)])
        parts = repeat_components(ta.Outcomes.from_scores(rows))
        # The noise is not let above the whole, which is for those who read it: here the bare estimate is wanted.
        bare = np.nansum(np.nanvar(rows, axis=1) * np.array(met) / (np.array(met) - 1) / met) / 9
        expected += weight * np.array([*parts.moments, bare])
        assert parts.noise <= bare + 1e-15
    own = chances * (1 - chances)
    assert_allclose(expected, [chances.var(ddof=1), own.mean(), np.sum(own / met) / 9], rtol=1e-12)


def test_weights_leave_them_right_on_average_over_every_outcome():
    """As above, with weights: between is the weighted variance of the chances, by 1 − Σ share² for n − 1."""
    chances, met, weights = np.array([0.2, 0.5, 0.9]), [2, 2, 3], np.array([1.0, 5.0, 2.0])
    expected = np.zeros(2)
    for outcome in product((0, 1), repeat=7):
        rows = np.full((3, 3), np.nan)
        rows[np.arange(3) < np.array(met)[:, None]] = outcome
        chance = np.prod([p if hit else 1 - p for p, hit in zip(np.repeat(chances, met), outcome, strict=True)])
        expected += chance * repeat_components(ta.Outcomes.from_scores(rows, weights=weights)).moments
    share, own = weights / 8, chances * (1 - chances)
    between = share @ (chances - share @ chances) ** 2 / (1 - share @ share)
    assert_allclose(expected, [between, share @ own], rtol=1e-12)


def test_of_two_models_both_are_of_the_difference():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(30, 4)), rng.normal(size=(30, 2))
    pair = repeat_components(ta.Outcomes.from_scores(a, np.column_stack([b, [[np.nan] * 2] * 30]), metric="rouge"))
    within = a.var(axis=1, ddof=1).mean() + b.var(axis=1, ddof=1).mean()
    left = a.var(axis=1, ddof=1).mean() / 4 + b.var(axis=1, ddof=1).mean() / 2
    values = b.mean(axis=1) - a.mean(axis=1)
    assert_allclose(pair.moments, [values.var(ddof=1) - left, within], rtol=1e-12)


def test_uniform_chances_split_as_their_integrals_do():
    """Chances uniform on 0 to 1: 1/12 between, 1/6 within, so K = 2, 4, 6 remove 1/3, 1/2, 5/9 of K = 1's variance."""
    chance = (np.arange(4000) + 0.5) / 4000
    right = np.random.default_rng(3).random((4000, 6)) < chance[:, None]
    parts = repeat_components(ta.Outcomes.from_scores(right))
    assert_allclose(parts.variance, [1 / 12, 1 / 6], rtol=0.03)
    once = parts.variance.sum()
    for tries, removed in ((2, 1 / 3), (4, 1 / 2), (6, 5 / 9)):
        assert_allclose(1 - parts.variance @ [1, 1 / tries] / once, removed, rtol=0.02)
    assert_allclose(parts.removable, (1 / 36) / (1 / 12 + 1 / 36), rtol=0.03)


def test_clusters_change_the_error_and_not_the_noise():
    rng = np.random.default_rng(4)
    grid = rng.normal(size=(10, 1)).repeat(4, axis=0) + rng.normal(size=(40, 3))
    plain, clustered = (
        repeat_components(ta.Outcomes.from_scores(grid, metric="rouge", clusters=codes))
        for codes in (None, np.repeat(np.arange(10), 4))
    )
    assert clustered.error > 1.3 * plain.error
    assert_allclose(clustered.noise, plain.noise, rtol=1e-12)


def test_it_says_what_more_repeats_would_bring():
    outcomes = ta.Outcomes.from_scores([[1, 0], [1, 1], [0, 0], [1, 1], [0, 1], [1, 1]])
    text = " ".join(str(ta.variance_components(outcomes)).split())
    assert "more repeats can remove 50.0% of the variance of the mean" in text
    assert "standard error 0.167; 0.118 with twice the examples, 0.118 with infinitely many repeats" in text
    assert list(repeat_components(outcomes).as_dict())[:2] == ["between examples", "within examples"]


def test_extremes_are_reported_or_answered():
    flat = repeat_components(ta.Outcomes.from_scores([[0.5, 0.5], [0.5, 0.5]], metric="rouge"))
    assert (flat.variance.tolist(), float(flat.removable), float(flat.error)) == ([0, 0], 0, 0)
    noisy = repeat_components(ta.Outcomes.from_scores([[0, 1], [1, 0], [0, 1]]))  # all alike, and each a coin
    assert noisy.moments[0] < 0 <= noisy.variance[0]
    assert noisy.removable == 0  # the means do not vary, so nothing is left to remove
    once = repeat_components(ta.Outcomes.from_scores([[0.1, 0.3], [0.2, np.nan]], metric="rouge"))
    assert_allclose(once.of("within examples"), 0.02, rtol=1e-12)  # of the example that was met twice
    many = ta.Outcomes(np.zeros((5, 1, 3)), models=("A",), repeats=np.full((1, 3), 2), within=np.ones((5, 1, 3)))
    assert repeat_components(many).variance.shape == (5, 2)
    assert "means of 5 entries" in str(repeat_components(many))
    with pytest.raises(InvalidEvidence, match=r"needs repeats.*`epoch`"):
        ta.variance_components(ta.Outcomes.from_scores([1, 0, 1]))
    with pytest.raises(InvalidEvidence, match="2 or more examples of positive weight"):
        repeat_components(ta.Outcomes.from_scores([[1, 0]]))
