"""TA206: the posterior probability of the observed direction is at least 0.5."""

import numpy as np
import pytest
from mpmath import mp
from numpy.testing import assert_allclose

from tellapart import IndependentCounts, compare
from tellapart.methods.independent_counts.two_betas import two_betas, two_betas_probability

FEW_BESIDE_MANY = (0, 5, 1, 10**6)  # A made no error in only five examples


def answer_of(*four, **options):
    return compare(IndependentCounts.from_counts(*four), **{"method": "two-betas", "interval": "two-betas"} | options)


def fails():
    return answer_of(*FEW_BESIDE_MANY)


def holds():
    return answer_of(30, 100, 20, 100)


def probability_of_b(x, n, y, m):
    """Return P(θ_A > θ_B) under Jeffreys' prior by mpmath's quadrature."""
    half = mp.mpf(1) / 2

    def integrand(rate):
        above = 1 - mp.betainc(x + half, n - x + half, 0, rate, regularized=True)
        return above * rate ** (y - half) * (1 - rate) ** (m - y - half) / mp.beta(y + half, m - y + half)

    cuts = {min(mp.mpf(y + 1) / m * times, mp.mpf(1)) for times in (0, 0.01, 0.25, 1, 2, 4, 20, 99)}
    return mp.quad(integrand, sorted(cuts))


def test_the_figure_is_the_posterior_probability_of_the_observed_direction(check):
    """The observed difference is -1e-6: A is better."""
    figure = check(fails()).figure
    assert_allclose(figure, 1 - float(probability_of_b(*FEW_BESIDE_MANY)), rtol=1e-6)
    assert not check(fails()).holds
    assert check(holds()).holds


@pytest.mark.parametrize("four", [FEW_BESIDE_MANY, (0, 5, 0, 10**6), (0, 1, 2, 10**9)])
def test_a_model_without_an_error_is_not_called_worse(four):
    answer = answer_of(*four)
    assert answer.statistic <= 0.5
    assert answer.interval.low <= 0
    assert answer.pvalue == 1
    assert answer_of(*four, alternative="greater").pvalue >= 0.5
    assert answer.better is None


def test_mirror_images_are_treated_alike():
    """Models swapped, and right and wrong swapped: error(A) - error(B) is success(B) - success(A)."""
    x, n, y, m = FEW_BESIDE_MANY
    low, high = (float(answer_of(*FEW_BESIDE_MANY).interval.low), float(answer_of(*FEW_BESIDE_MANY).interval.high))
    for other in ((y, m, x, n), (n - x, n, m - y, m)):
        assert_allclose([-answer_of(*other).interval.high, -answer_of(*other).interval.low], [low, high], rtol=1e-9)
        assert answer_of(*other).statistic == 0.5


def test_otherwise_probability_and_limits_are_those_of_the_posterior():
    """The reference values contain limits by mpmath; here the observed difference lies well inside."""
    answer = holds()
    assert_allclose(float(answer.statistic), float(probability_of_b(30, 100, 20, 100)), rtol=1e-8)
    assert answer.interval.low < answer.difference < answer.interval.high


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("alpha", [0.6, 0.5, 0.05])
def test_test_and_interval_agree(alternative, alpha):
    tables = [(x, n, y, m) for n, m in ((2, 50), (5, 10**6), (9, 9)) for x in (0, 1, n) for y in (0, 1, m // 2, m)]
    counts = IndependentCounts.from_counts(*np.array(tables).T)
    side = {"two-sided": "two", "greater": "lower", "less": "upper"}[alternative]
    limits = two_betas(counts, alpha=alpha, side=side)
    outside = (limits.low > 0) | (limits.high < 0)
    assert np.array_equal(two_betas_probability(counts, alternative=alternative).pvalue < alpha, outside)


def test_equal_rates_fail_only_if_the_prior_alone_would_decide(check):
    assert not check(answer_of(0, 5, 0, 10**6)).holds
    assert check(answer_of(10, 100, 20, 200)).holds
    assert check(answer_of(0, 100, 0, 100)).holds


def test_the_remedy_has_no_prior(check, quiet):
    assert "Use method='fisher-mid-p' and interval='miettinen-nurminen'." in check(fails()).message
    assert quiet(answer_of(0, 40, 1, 50, method="fisher-mid-p", interval="miettinen-nurminen"))


def test_arrays_are_checked_entry_by_entry(check, carriers):
    assert check(answer_of([0, 30], [5, 100], [1, 20], [10**6, 100])).holds.tolist() == [False, True]
    assert carriers == {"two-betas"}
