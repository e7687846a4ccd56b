"""The models at their edges: outcomes that cannot be, printed numbers, and arguments that are none."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from tellapart import posterior
from tellapart.errors import InvalidOption
from tellapart.lab import BinomialModel, NormalModel, moments


@pytest.mark.parametrize(("error", "printed"), [(0, 1.0000), (0.1, 0.3487), (0.2, 0.1074), (1, 0.0000)])
def test_no_errors_in_ten(error, printed):
    """Martin and Hirschberg 1996, appendix A.1: the likelihood of no errors in M = 10."""
    assert BinomialModel(10, error).probability(0) == pytest.approx(printed, abs=0.5e-4)


@pytest.mark.parametrize("error", [0.0, 0.3, 1.0])
def test_more_errors_than_trials_or_fewer_than_none_have_no_probability(error):
    assert_array_equal(BinomialModel(10, error).probability([-1, 11, 12]), 0)


@pytest.mark.parametrize("prior", [(0.5, 0.5), (1, 1), (1, 3.67)])
@pytest.mark.parametrize("error", [0.01, 0.3, 0.8])
def test_the_posterior_mean_is_biased_towards_the_prior(prior, error):
    """E[(m + u)/(M + u + v)] − τ = (Mτ + u)/(M + u + v) − τ."""
    u, v = prior
    bias = BinomialModel(30, error).bias(lambda count: posterior(count, prior=prior).mean)
    assert bias == pytest.approx((30 * error + u) / (30 + u + v) - error, abs=1e-12)


@pytest.mark.parametrize("error", ["a", None])
def test_the_error_must_be_a_rate(error):
    with pytest.raises(InvalidOption, match="`error` must be a rate between 0 and 1, got"):
        BinomialModel(10, error)


@pytest.mark.parametrize("sd", ["a", None])
def test_the_sd_must_be_a_number(sd):
    with pytest.raises(InvalidOption, match="`sd` must be a finite number, got"):
        NormalModel(0, sd)


@pytest.mark.parametrize("mean", [np.nan, np.inf, "a", None])
def test_the_mean_must_be_a_number(mean):
    with pytest.raises(InvalidOption, match="mean"):
        NormalModel(mean, 1)


@pytest.mark.parametrize("values", [[np.nan, 1], [np.inf, 1]])
def test_values_must_be_finite(values):
    with pytest.raises(InvalidOption, match="values"):
        moments(values, [0.5, 0.5])


def test_probabilities_that_are_nan():
    with pytest.raises(InvalidOption, match="probabilities"):
        moments([1, 2], [np.nan, np.nan])


# Mitchell 1997, Table 5.1: the two-sided level in percent, and z.
@pytest.mark.parametrize(
    ("percent", "z"), [(50, 0.67), (68, 1.00), (80, 1.28), (90, 1.64), (95, 1.96), (98, 2.33), (99, 2.58)]
)
def test_mitchells_table_of_z(percent, z):
    _, high = NormalModel(0, 1).interval(alpha=1 - percent / 100)
    assert high == pytest.approx(z, abs=0.0056)  # he has 1.00 for 0.9945, and 1.64 for 1.6449


def test_moments_are_scipys():
    values, chances = [-3, 0, 1, 10], [0.1, 0.2, 0.3, 0.4]
    theirs, result = stats.rv_discrete(values=(values, chances)), moments(values, chances)
    assert (result.mean, result.variance) == (pytest.approx(theirs.mean()), pytest.approx(theirs.var()))
