"""The ideals that tests suppose, against integrals and against the figures that follow from them by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from tellapart.errors import InvalidOption
from tellapart.lab import CrossedEffects, CrossedErrors, NormalEffects, SeedRuns, calibrate


def near(share, true, trials):
    return np.all(np.abs(share - true) < 4 * np.sqrt(true * (1 - true) / trials))


def test_the_ideal_5x2cv_rejects_less_often_than_it_says():
    """By integration: t̃ = x/√((z²/2 + χ²₄)/5), where x and x' make z = x − x' of the first replicate.

    With u = (x + x')/√2 and v = (x − x')/√2 independent: x = (u + v)/√2, s₁² = v². So
    P(|t̃| > c) = E P(|u + v|/√2 > c √((v² + χ²₄)/5)).
    """
    v, of_v = np.polynomial.hermite_e.hermegauss(150)
    w, of_w = np.polynomial.laguerre.laggauss(150)  # χ²₄ has the density (w/2) e^(−w/2) / 2
    weights = np.outer(of_v / np.sqrt(2 * np.pi), of_w * w)
    reach = np.sqrt(2) * stats.t.ppf(0.975, 5) * np.sqrt((v[:, None] ** 2 + 2 * w) / 5)
    size = (weights * (stats.norm.sf(reach - v[:, None]) + stats.norm.cdf(-reach - v[:, None]))).sum()
    assert 0.0275 < size < 0.0290  # ten independent normal differences: 0.0283 by 10^6 draws
    result = calibrate(["5x2cv-t", "5x2cv-f"], NormalEffects("5x2"), trials=100_000, rng=7)
    assert near(result["5x2cv-t"].size.value, size, 100_000)
    assert near(result["5x2cv-f"].size.value, 0.0175, 100_000)


@pytest.mark.parametrize("plan", ["10-fold", "independent"])
def test_student_keeps_its_word_where_differences_are_independent(plan):
    name = "kfold-t" if plan == "10-fold" else "paired-t"
    result = calibrate(name, NormalEffects(plan), trials=20_000, differences=[1.0])
    assert near(result.size.value, 0.05, 20_000)
    assert near(result.coverage.value, 0.95, 20_000)
    # The power of Student's t, by the noncentral distribution with 9 degrees of freedom.
    critical = stats.t.ppf(0.975, 9)
    power = stats.nct.sf(critical, 9, np.sqrt(10)) + stats.nct.cdf(-critical, 9, np.sqrt(10))
    assert near(result.power.value, power, 20_000)


@pytest.mark.parametrize(("splits", "rho"), [(10, 1 / 3), (30, 1 / 3), (30, 0.1)])
def test_equally_correlated_differences_inflate_the_resampled_t_by_a_known_factor(splits, rho):
    """The mean has variance ρ + (1 − ρ)/J and s² has mean 1 − ρ, independently: t is √(1 + Jρ/(1 − ρ)) Student's t."""
    factor = np.sqrt(1 + splits * rho / (1 - rho))
    true = 2 * stats.t.sf(stats.t.ppf(0.975, splits - 1) / factor, splits - 1)
    design = NormalEffects(f"{splits}x(2/3)", rho)
    result = calibrate(["resampled-t", "corrected-resampled-t"], design, trials=20_000)
    assert near(result["resampled-t"].size.value, true, 20_000)
    if rho == 1 / 3:  # which is what Nadeau and Bengio suppose for a third tested
        assert near(result["corrected-resampled-t"].size.value, 0.05, 20_000)


def test_one_learner_of_normal_losses():
    result = calibrate("corrected-t-interval", NormalEffects("10x10", 0.1), trials=5000, differences=[0.7])
    assert near(result.coverage.value, 0.95, 5000)
    assert np.all(np.abs(result.bias) < 0.03)


def test_runs_of_seeds():
    result = calibrate(["welch", "unpaired-t"], SeedRuns(8, 8), trials=20_000, differences=[1.0])
    assert near(result["unpaired-t"].size.value, 0.05, 20_000)
    # Of unlike numbers and spreads: Student's pooled t is off, Welch's is not.
    disagreement = calibrate(["welch", "unpaired-t"], SeedRuns(5, 20, spread_a=3.0), trials=20_000)
    assert abs(disagreement["welch"].size.value - 0.05) < 0.01
    assert disagreement["unpaired-t"].size.value > 0.15
    few = calibrate("probability-better-run", SeedRuns(6, 9), trials=200, resamples=199)
    assert few.size.value < 0.2


def test_crossed_effects_have_the_variances_that_were_requested():
    design = CrossedEffects(6, 10, of_sets=0.5, of_examples=2.0, rest=1.0).at(0.3)
    sets = design.draw([(2, False)], 4000, np.random.default_rng(2))[2, False]
    mean = sets.values.mean(axis=(-2, -1))
    variance = 0.5 / 6 + 2.0 / 10 + 1.0 / 60
    assert abs(mean.mean() - 0.3) < 4 * np.sqrt(variance / 4000)
    assert abs(mean.var() / variance - 1) < 4 * np.sqrt(2 / 4000)
    assert_allclose(sets.values.var(axis=-1, ddof=1).mean(), 3.0, rtol=0.05)


def test_the_crossed_methods_hold_where_they_say():
    for of_sets, of_examples in ((0.0, 0.0), (0.02, 0.1), (0.2, 0.1)):
        result = calibrate(
            ["quasi-f", "crossed-interval"], CrossedEffects(8, 50, of_sets, of_examples), trials=2000, differences=[0.5]
        )
        assert result["quasi-f"].size.value < 0.06 + 4 * np.sqrt(0.06 * 0.94 / 2000)
        assert np.all(result["crossed-interval"].coverage.value > 0.94 - 4 * np.sqrt(0.06 * 0.94 / 2000))


def test_crossed_errors_have_the_error_that_was_requested():
    """And two seeds of one learner agree as the bivariate normal distribution says."""
    design = CrossedErrors(0.2, 5, 40, of_sets=0.3, of_examples=1.0).at(0.06)
    sets = design.draw([(2, False)], 4000, np.random.default_rng(3))[2, False]
    assert sets.varies == "seed"
    spread = sets.loss.mean(axis=(-2, -1)).std(axis=0) / np.sqrt(4000)
    assert np.all(np.abs(sets.losses.mean(axis=0) - [0.23, 0.17]) < 4 * spread)
    threshold = stats.norm.isf(0.23)
    rho = 1.0 / 2.3  # the example's part of the variance
    both = stats.multivariate_normal.cdf([-threshold, -threshold], cov=[[1, rho], [rho, 1]])
    seen = (sets.loss[:, 0, 0] * sets.loss[:, 0, 1]).mean()
    assert abs(seen - both) < 0.004


def test_the_two_way_bootstrap_of_ten_seeds():
    result = calibrate("two-way-bootstrap", CrossedErrors(0.2, 10, 60), trials=200, resamples=199, differences=[0.1])
    assert result.size.value < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 200)
    assert np.all(result.coverage.value > 0.95 - 4 * np.sqrt(0.05 * 0.95 / 200))
    assert result.power.value > result.size.value


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NormalEffects("632"), "`plan` must be a design of folds"),
        (lambda: NormalEffects("5x2", 1.5), "`correlation` must be a rate"),
        (lambda: SeedRuns(1, 5), "`runs_a` must be a whole number, at least 2"),
        (lambda: SeedRuns(5, 5, spread_b=-1), "`spread_b` must be a number, at least 0"),
        (lambda: CrossedEffects(5, 50, rest=float("nan")), "`rest` must be a number"),
        (lambda: CrossedErrors(0.1, 5, 50).at(0.5), "must be closer to 0 for a mean error rate of 0.1"),
        (lambda: CrossedErrors(0.1, 5, 50, varies="runs"), "`varies` must be"),
    ],
)
def test_effects_that_cannot_be_are_refused(make, message):
    with pytest.raises(InvalidOption, match=message):
        make()


def test_designs_say_what_they_are():
    assert "10 normal differences, correlation 0.1, by 10-fold" in NormalEffects("10-fold", 0.1).describe()
    assert "10 seeds, 100 test examples" in CrossedErrors(0.2, 10, 100).describe()
    assert NormalEffects("5x2").facts["runs"] == 10
    assert SeedRuns(5, 9).facts == {"runs": 5}
    assert CrossedEffects(5, 50).facts == CrossedErrors(0.2, 5, 50).facts == {"sets": 5, "examples": 50}
    assert CrossedErrors(0.2, 10, 100).grid == (0.02, 0.05)
    assert NormalEffects("5x2").as_dict()["plan"] == "5x2"


def test_large_trials_are_drawn_a_few_at_a_time():
    assert CrossedEffects(8, 50).block == 500
    assert CrossedEffects(100, 10_000).block == 5
    assert CrossedErrors(0.1, 10, 100).block == 200
    assert CrossedErrors(0.1, 1000, 100_000).block == 1


@pytest.mark.parametrize("plan", ["5x2", "10-fold", "30x(2/3)", "independent"])
def test_every_plan_has_its_usual_methods(plan):
    result = calibrate(None, NormalEffects(plan), trials=20)
    assert result.methods == NormalEffects(plan).usual


def test_rates_are_one_each():
    with pytest.raises(InvalidOption, match="`correlation` must be one rate"):
        NormalEffects("5x2", [0.1, 0.2])
    with pytest.raises(InvalidOption, match="`of_sets` must be a number, at least 0, got -1"):
        CrossedEffects(5, 5, of_sets=-1)
