"""The true levels of 5x2cv's t and F where the ten differences are independent and normal."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, stats

from tellapart.evidence import Resamples
from tellapart.evidence.plan import Plan
from tellapart.methods.resamples.five_by_two import five_by_two_f, five_by_two_t


def size_of_t(critical, replicates):
    """Integrate the size of the t: its numerator is (u + v)/√2, and v² one of the squares below, all independent.

    u ~ (p₁ + p₂)/√2 and v ~ (p₁ − p₂)/√2 are standard normal, s₁² = v², the other s² sum to a chi-square. Given v
    and their sum c, the test rejects if |u + v|/√2 > t·√((v² + c)/r).
    """
    v, root = np.linspace(-9, 9, 1201)[:, None], np.linspace(0, 10, 1201)  # c = root²: both ends are flat
    reach = np.sqrt(2) * critical * np.sqrt((v**2 + root**2) / replicates)
    outside = stats.norm.sf(reach - v) + stats.norm.cdf(-reach - v)
    density = stats.norm.pdf(v) * stats.chi2.pdf(root**2, replicates - 1) * 2 * root
    return integrate.trapezoid(integrate.trapezoid(outside * density, root, axis=1), v[:, 0])


def test_size_of_the_t_by_quadrature():
    """A million draws have given 0.0282 and 0.0283: it is 0.0281, not 0.05."""
    assert_allclose(size_of_t(stats.t.isf(0.025, 5), 5), 0.0282, atol=1.5e-4)


def test_level_of_the_f_by_its_identity():
    """F = ½ + ½·F(5, 5): Alpaydın's point 4.735 has size 0.0175, and 3.025 would have 0.05."""
    point = stats.f.isf(0.05, 10, 5)
    assert_allclose(point, 4.735, atol=5e-4)
    assert_allclose(stats.f.sf(2 * point - 1, 5, 5), 0.0175, atol=5e-5)
    assert_allclose(0.5 + 0.5 * stats.f.isf(0.05, 5, 5), 3.025, atol=5e-4)


@pytest.fixture(scope="module")
def ideal():
    """Give a hundred thousand races whose ten differences are independent and normal."""
    losses = np.random.default_rng(1998).normal(0, 1, size=(100_000, 2, 5, 2))
    return Resamples(losses, 50, 50, Plan.parse("5x2"), metric="loss")


def within(rejected, size):
    """Whether a count of rejections is what a binomial of that size gives in 99.9 % of cases."""
    low, high = stats.binom.interval(0.999, rejected.size, size)
    return low <= rejected.sum() <= high


def test_sizes_by_simulation(ideal):
    result = five_by_two_t(ideal)
    assert within(result.pvalue < 0.05, size_of_t(stats.t.isf(0.025, 5), 5))
    assert within(five_by_two_t(ideal, numerator=(4, 2)).pvalue < 0.05, 0.0281)
    assert within(five_by_two_f(ideal).pvalue < 0.05, stats.f.sf(2 * stats.f.isf(0.05, 10, 5) - 1, 5, 5))
    assert within(five_by_two_f(ideal, exact=True).pvalue < 0.05, 0.05)
    assert within(five_by_two_f(ideal, exact=True).pvalue < 0.01, 0.01)
    assert within(five_by_two_f(ideal, exact=True, alternative="greater").pvalue < 0.05, 0.05)


def test_the_identity_holds_for_every_race(ideal):
    """(ΣΣp² − Σs²)/Σs² is what F(5, 5) is said to be of: the ratio of the sums of (p₁ + p₂)²/2 and (p₁ − p₂)²/2."""
    p, q = ideal.values[:100, :, 0], ideal.values[:100, :, 1]
    ratio = ((p + q) ** 2).sum(axis=-1) / ((p - q) ** 2).sum(axis=-1)
    assert_allclose(five_by_two_f(ideal[:100]).statistic, 0.5 + 0.5 * ratio, rtol=1e-10)
