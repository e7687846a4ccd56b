"""sign-flip and bca-bootstrap against Fisher's numbers, SciPy, and every pattern of signs."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

from tellapart import Outcomes, compare
from tellapart.errors import InvalidOption
from tellapart.methods.outcomes.example_resampling import bca_bootstrap, sign_flip
from tellapart.methods.outcomes.flips import on_lattice, sign_probabilities
from tellapart.methods.outcomes.mean import mean_t

few = settings(derandomize=True, deadline=None, max_examples=12)
# Darwin's maize, cross-fertilised less self-fertilised, in eighths of an inch (Fisher 1935, section 17).
MAIZE = np.array([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48])


def pair(values, **more):
    values = np.asarray(values, dtype=float)
    return Outcomes.from_scores(np.zeros_like(values), values, **{"metric": "inches"} | more)


def brute(values, alternative="two-sided"):
    """Go through every pattern of signs, one by one, in whole numbers."""
    total = sum(values)
    sums = [sum(s * v for s, v in zip(signs, values, strict=True)) for signs in product((1, -1), repeat=len(values))]
    far = {"two-sided": lambda s: abs(s) >= abs(total), "greater": lambda s: s >= total, "less": lambda s: s <= total}
    return sum(map(far[alternative], sums)) / len(sums)


def test_is_fishers_example():
    """863 of 32,768 patterns have as large a sum as 314, and as many as small a one (Fisher 1935, section 21)."""
    assert_allclose(sign_flip(pair(MAIZE / 8)).pvalue, 2 * 863 / 2**15, rtol=1e-12)
    assert_allclose(sign_flip(pair(MAIZE / 8), alternative="greater").pvalue, 863 / 2**15, rtol=1e-12)
    assert_allclose(sign_flip(pair(MAIZE / 8)).statistic, 314 / 15 / 8, rtol=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_all_patterns_of_any_numbers_are_scipys(alternative):
    values = np.random.default_rng(0).normal(0.3, 1, 11)
    theirs = stats.permutation_test(
        (values,), np.mean, permutation_type="samples", alternative=alternative, n_resamples=np.inf
    )
    assert_allclose(sign_flip(pair(values), alternative=alternative).pvalue, theirs.pvalue, rtol=1e-12)


@few
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10), st.sampled_from(["two-sided", "greater", "less"]))
def test_whole_steps_are_every_pattern(values, alternative):
    """By convolution, by coin tosses where all are of one size, and by going through all patterns: the same."""
    outcomes = pair(np.array(values) / 7)
    assert_allclose(sign_flip(outcomes, alternative=alternative).pvalue, brute(values, alternative), rtol=1e-12)
    rows = np.array([values], dtype=float)
    steps, patterns = (sign_probabilities(rows, whole, 10, 0) for whole in (on_lattice(rows), None))
    assert_allclose(steps, patterns, rtol=1e-12)


def test_right_and_wrong_are_mcnemars_exact_test():
    a, b = np.random.default_rng(1).integers(2, size=(2, 400))
    outcomes = Outcomes.from_scores(a, b)
    expected = stats.binomtest(int(np.sum(a < b)), int(np.sum(a != b))).pvalue
    assert_allclose(sign_flip(outcomes).pvalue, expected, rtol=1e-10)


def test_repeats_are_convolved_and_clusters_flip_as_one():
    """Sums of thirds by cluster, against every pattern of signs of the clusters."""
    rng = np.random.default_rng(2)
    a, b = rng.integers(2, size=(2, 30, 3))
    codes = rng.integers(9, size=30)
    outcomes = Outcomes.from_scores(a, b, clusters=codes)
    totals = np.bincount(codes, weights=(b - a).sum(axis=1))
    assert_allclose(sign_flip(outcomes).pvalue, brute(totals.astype(int)), rtol=1e-12)


def test_draws_come_near_the_exact_answer():
    """SciPy's own draws and ours, both within four of their standard errors of Student's answer at 60 examples."""
    values = np.random.default_rng(3).normal(0.2, 1, 60)
    outcomes = pair(values)
    near = stats.ttest_1samp(values, 0).pvalue
    result = sign_flip(outcomes, resamples=20_000).pvalue
    assert abs(result - near) < 4 * np.sqrt(near / 20_000) + 0.003
    assert result == sign_flip(outcomes, resamples=20_000).pvalue  # the seed is 0
    assert sign_flip(pair(values + 9), resamples=999).pvalue == 1 / 1000  # never 0: (1 + 0)/(1 + 999)


def test_a_margin_turns_signs_around_it():
    values = np.arange(1, 9) / 8
    assert_allclose(sign_flip(pair(values), against=0.25).pvalue, brute(np.arange(1, 9) - 2), rtol=1e-12)


@pytest.mark.parametrize(("values", "two", "one"), [([0.3], 1, 0.5), ([0.0, 0.0], 1, 1), ([0.3, 0.3, 0.0], 0.5, 0.25)])
def test_hardly_anything_gives_its_honest_p(values, two, one):
    outcomes = pair(values)
    assert (sign_flip(outcomes).pvalue, sign_flip(outcomes, alternative="greater").pvalue) == (two, one)


@pytest.mark.parametrize("size", [1e-300, 1e-12, 1.0, 1e299])
def test_no_size_of_scores_is_too_small_or_too_large(size):
    """Eleven differences on no lattice: every pattern, in any unit."""
    values = np.random.default_rng(8).normal(size=11)
    assert_allclose(sign_flip(pair(values * size)).pvalue, sign_flip(pair(values)).pvalue, rtol=1e-12)
    assert sign_flip(pair(values)).pvalue < 1


def test_what_rounding_leaves_of_nothing_points_nowhere():
    """0.1 + 0.2 − 0.3 is 5.6e-17 and not above 0: five of eight patterns are as large, and five as small."""
    outcomes = pair([0.1, 0.2, -0.3])
    assert [sign_flip(outcomes, alternative=way).pvalue for way in ("two-sided", "greater", "less")] == [
        1,
        0.625,
        0.625,
    ]


def test_many_are_a_loop_over_one():
    """Those with a lattice, those with few differences and those that draw, side by side."""
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(4, 2, 25))
    scores[0] = scores[0].round()
    scores[1, :, 8:] = 0
    scores[2] = 0.5
    outcomes = Outcomes(scores)
    together = sign_flip(outcomes, resamples=500).pvalue
    limits = bca_bootstrap(outcomes, resamples=500)
    for index in range(4):
        assert_allclose(sign_flip(outcomes[index], resamples=500).pvalue, together[index], rtol=1e-12)
        one = bca_bootstrap(outcomes[index], resamples=500)
        assert_allclose([one.low, one.high], [limits.low[index], limits.high[index]], rtol=1e-9)


# --- The bootstrap --------------------------------------------------------------------------------


@pytest.mark.parametrize("skewed", [True, False])
def test_is_scipys_bca(skewed):
    """Within the noise of 20,000 draws, which moves a limit by some hundredths of the width."""
    rng = np.random.default_rng(5)
    values = rng.exponential(size=60) if skewed else rng.normal(size=60)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, rng=rng, vectorized=True).confidence_interval
    ours = bca_bootstrap(Outcomes.from_scores(values, metric="seconds"), resamples=20_000)
    assert_allclose([ours.low, ours.high], theirs, atol=0.03 * (theirs.high - theirs.low))


def test_clusters_are_drawn_whole():
    """Against SciPy on the means of clusters, where all are of one size."""
    rng = np.random.default_rng(6)
    values = rng.normal(size=(30, 4)) + rng.normal(size=(30, 1))
    outcomes = Outcomes.from_scores(values.ravel(), metric="seconds", clusters=np.repeat(np.arange(30), 4))
    means = values.mean(axis=1)
    theirs = stats.bootstrap((means,), np.mean, n_resamples=20_000, rng=rng, vectorized=True).confidence_interval
    ours = bca_bootstrap(outcomes, resamples=20_000)
    assert_allclose([ours.low, ours.high], theirs, atol=0.03 * (theirs.high - theirs.low))


def test_counts_of_right_and_wrong_are_as_good_as_examples():
    """One entry by its counts, and the same by its examples (as scores that are not called right or wrong)."""
    a, b = np.random.default_rng(7).random((2, 300)) < [[0.8], [0.85]]
    counted = bca_bootstrap(Outcomes.from_scores(a, b), resamples=20_000)
    drawn = bca_bootstrap(Outcomes.from_scores(a, b, metric="hit", bounds=(0, 1)), resamples=20_000)
    assert_allclose([counted.low, counted.high], [drawn.low, drawn.high], atol=0.004)


def test_it_has_width_and_stays_in_range():
    flat = Outcomes.from_scores([0.5] * 60, metric="rouge", bounds=(0, 1))
    limits, plain = bca_bootstrap(flat), mean_t(flat).interval()
    assert (limits.low, limits.high) == (plain.low, plain.high)
    rare = Outcomes.from_scores([1] * 999 + [0])
    limits = bca_bootstrap(rare, alpha=0.9, resamples=200)  # both percentiles are one error
    assert 0 <= limits.low < limits.high <= 1
    assert bca_bootstrap(rare, side="upper", resamples=200).low == 0


def test_too_few_resamples_are_reported():
    outcomes = pair(np.arange(20.0))
    with pytest.raises(InvalidOption, match="`resamples` must be at least 200 for this alpha"):
        bca_bootstrap(outcomes, alpha=0.01, resamples=100)
    with pytest.raises(InvalidOption, match="resamples"):
        compare(outcomes, method="sign-flip", resamples=0)
