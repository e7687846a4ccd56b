"""Power of tests of mean differences, against statsmodels, enumeration and trials of the very methods."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import binom, binomtest, norm
from statsmodels.stats.power import TTestPower

from tellapart import Resamples
from tellapart.evidence.plan import Plan
from tellapart.methods import find_method
from tellapart.planning.settings.mean_differences import Means, SignedRanks, Wins
from tellapart.planning.settings.regions import Claim
from tellapart.planning.solving import difference_for, size_for


def means(sd=0.05, *, folds=1, ratio=0.0, **claim):
    method = find_method("corrected-resampled-t", "test", Resamples)
    return Means(claim=Claim(method=method, **claim), sd=sd, unit="", about="", folds=folds, ratio=ratio)


# --- Student's t ----------------------------------------------------------------------------------

SIDES = {"two-sided": "two-sided", "greater": "larger", "less": "smaller"}


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-4])
def test_power_is_that_of_statsmodels(alternative, alpha):
    """One sample of differences: TTestPower, by its own noncentral t, which is NaN in some far tails."""
    sizes, differences = np.meshgrid([2, 3, 10, 52, 1000], [-0.04, 0.0, 0.01, 0.05])
    expected = TTestPower().power(differences / 0.05, sizes, alpha, alternative=SIDES[alternative])
    result = means(alpha=alpha, alternative=alternative).power(sizes, differences)
    known = np.isfinite(expected)
    assert known.sum() >= 15
    assert np.isfinite(result).all()
    assert_allclose(result[known], expected[known], rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize(("difference", "power"), [(0.02, 0.8), (0.01, 0.9), (0.1, 0.99), (0.003, 0.8)])
def test_sizes_and_differences_are_those_of_statsmodels(difference, power):
    expected = TTestPower().solve_power(effect_size=difference / 0.05, alpha=0.05, power=power)
    result = size_for(means(), power, difference)
    assert result == math.ceil(expected)
    back = TTestPower().solve_power(nobs=result, alpha=0.05, power=power)
    assert_allclose(difference_for(means(), result, power), 0.05 * back, rtol=1e-6)


@pytest.mark.parametrize(("folds", "replicates", "ratio"), [(1, 15, 0.5), (10, 3, 1 / 9), (2, 5, 1.0)])
def test_the_corrected_test_has_this_power_where_its_model_is_true(folds, replicates, ratio):
    """Differences with the equal correlation that the correction supposes, judged by the registered method itself."""
    rng, runs, trials = np.random.default_rng(2003), folds * replicates, 20_000
    shared = rng.normal(size=(trials, 1)) * np.sqrt(ratio)  # ρ = ratio/(1 + ratio); the sample variance is blind to it
    loss = 0.5 + np.clip(0.02 + 0.01 * (shared + rng.normal(size=(trials, runs))), -0.4, 0.4)
    both = np.stack([loss, np.full_like(loss, 0.5)], axis=1).reshape(trials, 2, replicates, folds)
    test, train = (np.full((replicates, folds), 90 * each) for each in (ratio, 1))
    evidence = Resamples(both, test=test, train=train, plan=Plan("splits", "splits", replicates, folds))
    method = find_method("corrected-resampled-t", "test", Resamples)
    seen = method(evidence).rejected(0.05).mean()
    result = means(0.01, folds=folds, ratio=ratio).power(replicates, 0.02)
    assert abs(seen - result) < 4 * np.sqrt(result * (1 - result) / trials)


def test_no_number_of_replicates_passes_the_ceiling():
    """As J → ∞ the mean varies by sd²·ratio still: a normal test with that standard error."""
    tenfold = means(folds=10, ratio=1 / 9)
    for difference in (0.01, 0.03, 0.06):
        z = difference / (0.05 / 3)
        expected = norm.sf(1.959964 - z) + norm.cdf(-1.959964 - z)
        assert_allclose(tenfold.power(10**9, difference), expected, atol=1e-6)
    least = (norm.isf(0.025) + norm.isf(0.2)) * 0.05 / 3  # the other tail has 10⁻⁶ of it
    assert_allclose(difference_for(tenfold, 10**9, 0.8), least, rtol=1e-4)
    assert size_for(tenfold, 0.8, 0.99 * least) == math.inf == tenfold.approximate(0.8, 0.99 * least)
    assert math.isfinite(size_for(tenfold, 0.8, 1.02 * least))


@pytest.mark.parametrize(
    ("hypothesis", "difference", "effect", "side"),
    [("non-inferior", 0.0, 0.2, "larger"), ("non-inferior", -0.02, -0.2, "larger"), ("superior", 0.03, 0.4, "larger")],
)
def test_margins_shift_the_difference(hypothesis, difference, effect, side):
    """A margin of a fifth of sd."""
    result = means(hypothesis=hypothesis, margin=0.01).power(40, difference)
    assert_allclose(result, TTestPower().power(effect, 40, 0.05, alternative=side), rtol=1e-9)


def test_equivalence_is_shown_where_both_one_sided_tests_agree():
    rng = np.random.default_rng(0)
    mean = 0.003 + rng.normal(size=200_000) * 0.05 / np.sqrt(200)
    error = 0.05 * np.sqrt(rng.chisquare(199, size=200_000) / 199) / np.sqrt(200)
    limit = 1.6525467  # the t with 199 degrees leaves 5 % beyond it (R: qt(.95, 199))
    seen = np.mean((mean + 0.01 > limit * error) & (mean - 0.01 < -limit * error))
    assert_allclose(means(hypothesis="equivalent", margin=0.01).power(200, 0.003), seen, atol=0.004)


@settings(max_examples=12)
@given(st.integers(2, 10**6), st.floats(0, 0.2), st.floats(1e-3, 0.3), st.floats(0, 1))
def test_power_laws(size, difference, sd, ratio):
    """In [0, 1], alpha at the null, more with more; A and B may change places; a batch is a loop."""
    setting = means(sd, ratio=ratio)
    here = setting.power([size, 2 * size], [[difference], [-difference], [0.0]])
    assert ((here >= 0) & (here <= 1)).all()
    assert_allclose(here[0], here[1], atol=1e-12)
    assert_allclose(here[2], 0.05, atol=1e-9)
    assert here[0, 1] >= here[0, 0] - 1e-9
    assert here[0, 0] == setting.power(size, difference)


def test_one_difference_has_no_spread():
    assert means().power(1, 0.5) == 0
    assert means(folds=2, ratio=1.0).power(1, 0.5) > 0


# --- Over data sets -------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("wins", [0.5, 0.7, 0.1, 1.0])
def test_the_sign_test_is_enumerated(alternative, wins):
    """Every outcome judged by SciPy's binomtest."""
    for sets in (1, 5, 6, 13, 40):
        counts = np.arange(sets + 1)
        rejected = [binomtest(int(won), sets, 0.5, alternative).pvalue < 0.05 for won in counts]
        expected = binom.pmf(counts, sets, wins)[rejected].sum()
        assert_allclose(Wins(about="", alternative=alternative).power(sets, 2 * wins - 1), expected, atol=1e-12)


def test_the_sign_test_of_normal_differences_counts_the_positive_ones():
    here = Wins(about="", sd=0.05).power(40, 0.02)
    assert_allclose(here, Wins(about="").power(40, 2 * norm.cdf(0.4) - 1))


def test_sizes_of_the_sign_test_stay_reached():
    """Power saws; from the planned number on, no number has less than was asked for."""
    setting = Wins(about="")
    size = size_for(setting, 0.8, 0.4)
    power = setting.power(np.arange(1, 200), 0.4)
    assert (power[int(size) - 1 :] >= 0.8).all()
    assert power[int(size) - 2] < 0.8
    assert_allclose(setting.approximate(0.8, 0.4), (norm.isf(0.025) + norm.isf(0.2)) ** 2 / (4 * 0.2**2))


def ranks_reject(values):
    """Return which rows the exact signed-rank test rejects at 5 %, by the distribution of all sign patterns."""
    sets = values.shape[1]
    ways = np.zeros(sets * (sets + 1) // 2 + 1)
    ways[0] = 1
    for rank in range(1, sets + 1):
        ways[rank:] += ways[: ways.size - rank].copy()
    tail = np.cumsum(ways / 2.0**sets)
    last = np.searchsorted(tail, 0.025) - 1
    ranks = np.abs(values).argsort(axis=1).argsort(axis=1) + 1
    smaller = np.minimum((ranks * (values > 0)).sum(axis=1), (ranks * (values < 0)).sum(axis=1))
    return smaller <= last


@pytest.mark.parametrize("sets", [12, 30, 58])
def test_noethers_formula_is_near_the_exact_test(sets):
    values = np.random.default_rng(1987).normal(0.4, 1, size=(20_000, sets))
    assert_allclose(SignedRanks(about="", sd=0.05).power(sets, 0.02), ranks_reject(values).mean(), atol=0.04)


def test_too_few_data_sets_never_reject():
    """Six of one sign have 2/64; five have 2/32, which is above 5 %."""
    setting = SignedRanks(about="", sd=0.05)
    assert setting.smallest == 6
    assert setting.power(5, 0.5) == 0 < setting.power(6, 0.5)
    assert Wins(about="").power(5, 1.0) == 0 < Wins(about="").power(6, 1.0)


def test_noethers_number():
    """p′ = Φ(√2·δ/sd), from tables: δ/sd = ½ has Φ(0.7071) = 0.76025."""
    expected = (1.959964 + 0.841621) ** 2 / (3 * 0.26025**2)
    assert_allclose(SignedRanks(about="", sd=0.04).approximate(0.8, 0.02), expected, rtol=1e-4)
    assert math.isnan(SignedRanks(about="", sd=0.04).approximate(0.8, 0.0))
