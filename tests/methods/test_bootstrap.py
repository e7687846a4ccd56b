"""The bootstraps without drawing: against their definition in SciPy's terms, and against drawing."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from tellapart import ErrorCount, estimate
from tellapart.methods.error_count.bootstrap import bca_bootstrap, percentile

COUNTS = [(1, 3), (1, 10), (3, 10), (5, 10), (9, 10), (1, 29), (15, 148), (3, 120), (60, 120), (117, 120), (300, 1000)]
ALPHAS = [0.5, 0.1, 0.05, 0.001]


def limits(interval):
    return np.array([interval.low, interval.high])


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize(("errors", "trials"), COUNTS)
def test_percentiles_are_binomial_quantiles(errors, trials, alpha):
    resampled = stats.binom(trials, errors / trials)
    expected = resampled.ppf([alpha / 2, 1 - alpha / 2]) / trials
    assert_allclose(limits(percentile(ErrorCount(errors, trials), alpha=alpha)), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("alpha", [0.1, 0.05])
@pytest.mark.parametrize("side", ["upper", "lower"])
def test_one_sided_percentiles(alpha, side):
    low, high = limits(percentile(ErrorCount(15, 148), alpha=alpha, side=side))
    expected = stats.binom(148, 15 / 148).ppf(1 - alpha if side == "upper" else alpha) / 148
    assert_allclose([low, high], [0, expected] if side == "upper" else [expected, 1], rtol=1e-12)


def corrected(errors, trials, alpha):
    """Return the BCa limits by Efron's definition (1987, eq. 2.3), with the bootstrap distribution known.

    The bias is the normal quantile of the share of resamples below the estimate, ties counted half;
    the acceleration is a sixth of the skewness of one score, over the root of their number.
    """
    rate = errors / trials
    resampled = stats.binom(trials, rate)
    bias = stats.norm.ppf(resampled.cdf(errors - 1) + resampled.pmf(errors) / 2)
    acceleration = stats.bernoulli(rate).stats("s") / (6 * np.sqrt(trials))
    values = []
    for probability in (alpha / 2, 1 - alpha / 2):
        moved = bias + stats.norm.ppf(probability)
        values.append(resampled.ppf(stats.norm.cdf(bias + moved / (1 - acceleration * moved))) / trials)
    return values


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize(("errors", "trials"), COUNTS)
def test_bca_limits_follow_the_definition(errors, trials, alpha):
    interval = limits(bca_bootstrap(ErrorCount(errors, trials), alpha=alpha))
    assert_allclose(interval, corrected(errors, trials, alpha), rtol=1e-12, atol=1e-15)


def test_bca_limits_of_every_count_up_to_a_hundred_trials():
    """Limits are whole errors, so a slightly wrong correction shows only here and there: look everywhere."""
    errors, trials = np.array([(m, n) for n in range(5, 101) for m in range(1, n)]).T
    interval = limits(bca_bootstrap(ErrorCount(errors, trials)))
    assert_allclose(interval, corrected(errors, trials, 0.05), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("errors", "trials"), [(15, 148), (3, 60), (30, 60), (57, 60)])
@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca-bootstrap", "BCa")])
def test_drawing_gives_nearly_the_same(errors, trials, method, theirs):
    """scipy.stats.bootstrap with 20 000 resamples of zeros and ones: within two errors of ours."""
    outcomes = np.repeat([1.0, 0.0], [errors, trials - errors])
    drawn = stats.bootstrap(
        (outcomes,), np.mean, n_resamples=20_000, method=theirs, rng=np.random.default_rng(1987), batch=2000
    ).confidence_interval
    interval = estimate(ErrorCount(errors, trials), method=method).interval
    assert_allclose(limits(interval), drawn, rtol=0, atol=2 / trials + 1e-12)


@pytest.mark.parametrize("function", [percentile, bca_bootstrap])
@pytest.mark.parametrize("trials", [1, 20, 10**6])
def test_without_errors_every_resample_is_the_same(function, trials):
    interval = limits(function(ErrorCount([0, trials], trials)))
    assert_allclose(interval, [[0, 1], [0, 1]], rtol=0, atol=0)


@pytest.mark.parametrize("function", [percentile, bca_bootstrap])
def test_limits_are_whole_numbers_of_errors(function):
    counts = ErrorCount(np.arange(51), 50)
    for end in limits(function(counts)):
        assert np.all(end == np.round(end * 50) / 50)


@pytest.mark.parametrize(("errors", "trials"), [(1, 10), (2, 1000), (26, 27), (3, 928)])
def test_the_acceleration_never_turns_the_limits_around(errors, trials):
    """Beyond 1/acceleration standard errors the corrected level has reached its end, 0 or 1, and stays there."""
    low, high = limits(bca_bootstrap(ErrorCount(np.full(70, errors), trials), alpha=1e-12))
    assert np.all((low >= 0) & (low <= errors / trials) & (errors / trials <= high) & (high <= 1))
