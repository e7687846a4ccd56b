"""mean-t against SciPy and dense matrices, and what happens where nothing varies."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

from tellapart import Outcomes
from tellapart.methods.outcomes.mean import mean_t
from tellapart.methods.outcomes.moments import moments

few = settings(derandomize=True, deadline=None, max_examples=12)
scores = st.lists(st.integers(0, 20), min_size=2, max_size=12)


def drawn(*shape, seed=0):
    return np.random.default_rng(seed).beta(5, 2, size=shape)


def pair(values, **more):
    """Return two models whose differences, as loss(A) − loss(B), are these."""
    values = np.asarray(values, dtype=float)
    return Outcomes.from_scores(np.zeros_like(values), values, **{"metric": "rouge"} | more)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_is_scipys_t_test(alternative):
    a, b = drawn(2, 40)
    outcomes = Outcomes.from_scores(a, b, metric="rouge")
    theirs = stats.ttest_1samp(b - a, 0.02, alternative=alternative)
    ours = mean_t(outcomes).test(0.02, alternative)
    assert_allclose([ours.statistic, ours.pvalue], [theirs.statistic, theirs.pvalue], rtol=1e-12)
    limits = mean_t(outcomes).interval(alpha=0.1)
    assert_allclose([limits.low, limits.high], stats.ttest_1samp(b - a, 0).confidence_interval(0.9), rtol=1e-12)


def test_lower_scores_may_be_better_and_one_model_is_reported_by_its_score():
    a, b = drawn(2, 30)
    loss = Outcomes.from_scores(a, b, metric="log_loss", higher_is_better=False)
    assert_allclose(mean_t(loss).test().statistic, stats.ttest_rel(a, b).statistic, rtol=1e-12)
    alone = Outcomes.from_scores(a, metric="rouge", bounds=(0, 1))
    assert_allclose(mean_t(alone).estimate, a.mean(), rtol=1e-14)
    assert_allclose(mean_t(alone).test(0.7).pvalue, stats.ttest_1samp(a, 0.7).pvalue, rtol=1e-12)
    wrong = Outcomes.from_scores((a > 0.6).astype(int))
    assert_allclose(mean_t(wrong).estimate, np.mean(a <= 0.6), rtol=1e-14)


def dense(values, weights):
    """Return the bias-reduced error of a weighted mean by matrices (Bell and McCaffrey 2002), every value a cluster."""
    share = weights / weights.sum()
    residual = np.eye(len(values)) - np.outer(np.ones(len(values)), share)  # what makes deviations of values
    free = np.diag(residual @ residual.T)
    return np.sqrt(np.sum(share**2 * (residual @ values) ** 2 / free))


def test_weights_have_the_bias_reduced_error_and_equal_ones_change_nothing():
    a, b = drawn(2, 25)
    weights = np.random.default_rng(1).lognormal(size=25)
    outcomes = Outcomes.from_scores(a, b, metric="rouge", weights=weights)
    mean, error, freedom, units, _ = moments(outcomes)
    assert_allclose(mean, DescrStatsW(b - a, weights).mean, rtol=1e-12)
    assert_allclose(error, dense(b - a, weights), rtol=1e-12)
    assert_allclose([freedom + 1, units], [weights.sum() ** 2 / np.sum(weights**2)] * 2, rtol=1e-12)
    equal, plain = (replace(outcomes, weights=each) for each in (np.full(25, 3.0), None))
    assert_allclose(moments(equal), moments(plain), rtol=1e-12)


def test_the_weighted_variance_is_right_on_average():
    """Over all 3⁴ draws of independent values of one variance the estimate averages to the true variance."""
    weights = np.array([1.0, 2.0, 0.5, 4.0])
    grid = np.stack(np.meshgrid(*[[-1.0, 0.0, 2.0]] * 4), axis=-1).reshape(-1, 1, 4)
    error = moments(Outcomes(grid, models=("A",), weights=weights)).error
    share = weights / weights.sum()
    assert_allclose(np.mean(error**2), np.var([-1, 0, 2]) * np.sum(share**2), rtol=1e-12)


@few
@given(scores, st.sampled_from([0.01, 0.05, 0.3]), st.integers(-20, 20), st.sampled_from([None, (0, 20)]))
def test_test_and_interval_decide_alike(values, alpha, against, bounds):
    """For any bounds, and where nothing varies."""
    outcomes = pair(values, bounds=bounds)
    limits = mean_t(outcomes).interval(alpha=alpha)
    if abs(against - limits.low) > 1e-9 and abs(against - limits.high) > 1e-9:
        assert (mean_t(outcomes).test(against).pvalue < alpha) == (not limits.contains(against))
    for side, alternative in (("upper", "less"), ("lower", "greater")):
        bound = mean_t(outcomes).interval(alpha=alpha, side=side)
        edge = bound.high if side == "upper" else bound.low
        if abs(against - edge) > 1e-9:
            rejects = mean_t(outcomes).test(against, alternative).pvalue < alpha
            assert rejects == (not bound.contains(against))


@few
@given(scores)
def test_renaming_the_models_only_flips_the_sign(values):
    outcomes = pair(values, bounds=(0, 20))
    here, there = mean_t(outcomes).interval(), mean_t(outcomes.swapped()).interval()
    assert_allclose([there.low, there.high], [-here.high, -here.low], atol=1e-12)
    assert_allclose(mean_t(outcomes).test().pvalue, mean_t(outcomes.swapped()).test().pvalue)


def test_many_are_a_loop_over_one():
    outcomes = Outcomes(drawn(2, 3, 2, 15), weights=np.arange(1.0, 16))
    limits, test = mean_t(outcomes).interval(), mean_t(outcomes).test()
    for index in np.ndindex(2, 3):
        assert_allclose(mean_t(outcomes[index]).interval().low, limits.low[index], rtol=1e-12)
        assert_allclose(mean_t(outcomes[index]).test().pvalue, test.pvalue[index], rtol=1e-12)


# --- Where nothing varies -------------------------------------------------------------------------


def test_nothing_varies_and_scores_have_bounds():
    """A value that has the share p of all examples repeats itself a hundred times with the chance p¹⁰⁰."""
    outcomes = Outcomes.from_scores([0.6] * 101, [0.6] * 101, metric="rouge", bounds=(0, 1))
    limits = mean_t(outcomes).interval()
    assert_allclose([limits.low, limits.high], [-(1 - 0.025**0.01), 1 - 0.025**0.01], rtol=1e-12)
    assert mean_t(outcomes).test().pvalue == 1
    assert mean_t(outcomes).test().statistic == 0
    # By hand: at a mean of 0.03 three hundredths at least of all examples show a difference.
    assert_allclose(mean_t(outcomes).test(0.03).pvalue, 2 * 0.97**100, rtol=1e-10)
    assert_allclose(mean_t(outcomes).test(0.03, "less").pvalue, 0.97**100, rtol=1e-10)
    assert mean_t(outcomes).test(0.03, "greater").pvalue == 1


def test_no_errors_are_all_but_clopper_and_pearson():
    none = Outcomes.from_scores([1] * 101)
    limits = mean_t(none).interval()
    assert limits.low == 0
    assert_allclose(limits.high, stats.beta.ppf(0.975, 1, 100), rtol=1e-12)  # of a hundred examples


def test_a_difference_as_large_as_can_be():
    """A always wrong, B always right: for equal error rates every other example would have to be the reverse."""
    outcomes = Outcomes.from_scores([0] * 20, [1] * 20)
    assert_allclose(mean_t(outcomes).test().pvalue, 2 * 0.5**19, rtol=1e-12)
    assert_allclose(mean_t(outcomes).test(alternative="greater").pvalue, 0.5**19, rtol=1e-12)
    assert mean_t(outcomes).test(alternative="less").pvalue == 1
    assert_allclose(mean_t(outcomes).interval().low, 1 - 2 * (1 - 0.025 ** (1 / 19)), rtol=1e-12)


@pytest.mark.parametrize("values", [[0.3], [0.3] * 9])
def test_nothing_varies_and_nothing_bounds_the_scores(values):
    outcomes = pair(values)
    limits = mean_t(outcomes).interval()
    assert (limits.low, limits.high, mean_t(outcomes).test().pvalue) == (-np.inf, np.inf, 1)


def test_one_example_says_nothing():
    for outcomes in (Outcomes.from_scores([1], [0]), Outcomes.from_scores([1], [0], weights=[3.0])):
        limits = mean_t(outcomes).interval()
        assert (limits.low, limits.high, mean_t(outcomes).test().pvalue) == (-1, 1, 1)
    nearly = pair([0.1, 0.5], weights=[1.0, 1e-300], bounds=(0, 1))  # two, of which one has all the weight
    assert mean_t(nearly).interval().low == -1


def test_rounding_is_no_spread():
    """0.9 − 0.8 and 0.3 − 0.2 differ in the last bit."""
    outcomes = Outcomes.from_scores([0.8, 0.2, 0.7], [0.9, 0.3, 0.8], metric="rouge", bounds=(0, 1))
    assert np.ptp(outcomes.values) > 0
    assert moments(outcomes).error == 0


@pytest.mark.parametrize("size", [1e-200, 1e6, 1e300])
def test_the_unit_of_the_scores_does_not_matter(size):
    a, b = drawn(2, 12)
    here, there = (mean_t(Outcomes.from_scores(a * unit, b * unit, metric="x")).test() for unit in (1.0, size))
    assert_allclose(there.pvalue, here.pvalue, rtol=1e-9)
    shifted = Outcomes.from_scores(a + 1e6, b + 1e6, metric="x")  # differences of a millionth keep their digits
    assert_allclose(mean_t(shifted).test().pvalue, here.pvalue, rtol=1e-6)


@pytest.mark.parametrize("bounds", [(0, np.inf), (0, 1e18)])
def test_an_end_that_is_far_away_is_no_rounding(bounds):
    """Losses end at 0 and nowhere else, or at what a format allows: the limits are those without bounds."""
    losses = np.random.default_rng(9).exponential(size=(2, 30))
    plain, bounded = (
        mean_t(Outcomes.from_scores(*losses, metric="loss", higher_is_better=False, bounds=ends)).interval()
        for ends in (None, bounds)
    )
    assert (bounded.low, bounded.high) == (plain.low, plain.high)


def test_only_the_ratio_of_weights_matters():
    values, weights = drawn(2, 12), np.random.default_rng(1).lognormal(size=12)
    plain, huge = (mean_t(Outcomes.from_scores(*values, metric="x", weights=weights * by)).test() for by in (1, 1e307))
    assert_allclose([huge.statistic, huge.pvalue], [plain.statistic, plain.pvalue], rtol=1e-12)
