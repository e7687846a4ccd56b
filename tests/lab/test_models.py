"""The binomial and the normal model against SciPy's, and Mitchell's numbers (1997, chapter 5)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from tellapart.errors import InvalidOption
from tellapart.lab import BinomialModel, Moments, NormalModel, moments


@pytest.mark.parametrize(("trials", "error"), [(1, 0.5), (10, 0.1), (40, 0.3), (1000, 0.003), (10, 0.0), (10, 1.0)])
def test_binomial_probabilities(trials, error):
    model, law = BinomialModel(trials, error), stats.binom(trials, error)
    errors = np.arange(trials + 1)
    assert_allclose(model.probability(errors), law.pmf(errors), rtol=1e-9, atol=1e-300)
    assert_allclose(model.probability(errors).sum(), 1, rtol=1e-11)
    assert_allclose([model.mean, model.variance], law.stats("mv"), rtol=1e-13)
    assert_allclose(model.sd_of_rate, law.std() / trials, rtol=1e-13)


def test_mitchells_binomial():
    """Section 5.3: 12 of 40 expected wrong at 0.3, variance 8.4, sd 2.9, of the rate 0.07."""
    model = BinomialModel(40, 0.3)
    assert_allclose([model.mean, model.variance], [12, 8.4], rtol=1e-13)
    assert round(model.variance**0.5, 1) == 2.9
    assert round(model.sd_of_rate, 2) == 0.07


def test_bias_is_the_average_miss():
    """Of errors/trials none; of (m + 1)/(n + 2), Laplace's rule, (1 − 2p)/(n + 2)."""
    model = BinomialModel(25, 0.2)
    assert abs(model.bias(lambda count: count.rate)) < 1e-14
    assert_allclose(model.bias(lambda count: (count.errors + 1) / (count.trials + 2)), (1 - 0.4) / 27, rtol=1e-12)


@pytest.mark.parametrize(("trials", "error"), [(0, 0.5), (-1, 0.5), (2.5, 0.5), (10, -0.1), (10, 1.1), (10, np.nan)])
def test_binomials_that_cannot_be(trials, error):
    with pytest.raises(InvalidOption):
        BinomialModel(trials, error)


@pytest.mark.parametrize(("mean", "sd"), [(0, 1), (0.3, 0.07), (-5, 1e3)])
def test_the_normal_curve(mean, sd):
    model, law = NormalModel(mean, sd), stats.norm(mean, sd)
    values = mean + sd * np.linspace(-8, 8, 33)
    assert_allclose(model.density(values), law.pdf(values), rtol=1e-12)
    for low, high in ((-1.96, 1.96), (1, 2), (7, 9), (-9, -7), (-np.inf, 0), (3, np.inf)):
        expected = stats.norm.sf(low) - stats.norm.sf(high) if low > 0 else stats.norm.cdf(high) - stats.norm.cdf(low)
        assert_allclose(model.probability(mean + low * sd, mean + high * sd), expected, rtol=1e-9)
    assert_allclose(model.interval(alpha=0.05), law.ppf([0.025, 0.975]), rtol=1e-12, atol=1e-12)
    assert model.interval(alpha=0.05, side="upper") == (-np.inf, pytest.approx(law.ppf(0.95)))
    assert model.interval(alpha=0.05, side="lower") == (pytest.approx(law.ppf(0.05)), np.inf)


def test_figure_5_1():
    """80% of a normal lies within 1.28 sd; 90% below 1.28."""
    assert round(NormalModel(0, 1).interval(alpha=0.2)[1], 2) == 1.28
    assert round(NormalModel(0, 1).interval(alpha=0.1, side="upper")[1], 2) == 1.28


@pytest.mark.parametrize("sd", [0, -1, np.nan])
def test_a_curve_needs_a_spread(sd):
    with pytest.raises(InvalidOption, match="sd"):
        NormalModel(0, sd)


@pytest.mark.parametrize(("alpha", "side", "match"), [(5, "two", "alpha"), (0, "two", "alpha"), (0.05, "both", "side")])
def test_normal_intervals_of_no_level(alpha, side, match):
    with pytest.raises(InvalidOption, match=match):
        NormalModel(0, 1).interval(alpha=alpha, side=side)


def test_moments():
    """Mitchell's eq. 5.3 to 5.7, with his example P(1) = 0.7, P(2) = 0.3: expected value 1.3."""
    result = moments([1, 2], [0.7, 0.3])
    assert isinstance(result, Moments)
    assert_allclose([result.mean, result.variance, result.sd], [1.3, 0.21, 0.21**0.5], rtol=1e-13)
    errors = np.arange(41)
    result = moments(errors, BinomialModel(40, 0.3).probability(errors))
    assert_allclose([result.mean, result.variance], [12, 8.4], rtol=1e-11)


@pytest.mark.parametrize(
    ("values", "probabilities"),
    [([1, 2], [0.7, 0.2]), ([1, 2], [1.2, -0.2]), ([1, 2, 3], [0.5, 0.5]), ([1, 2], [np.nan, 1])],
)
def test_probabilities_that_are_none(values, probabilities):
    with pytest.raises(InvalidOption, match="add up to 1"):
        moments(values, probabilities)
