"""The arithmetic at its edges: large and lopsided Betas by mpmath, thin priors, and digits that a mirror loses."""

import math
from functools import cache

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import special

from tellapart import ErrorCount, Resamples
from tellapart.methods import find_method
from tellapart.numerics.continued_fraction import quick_beta_quantile
from tellapart.numerics.distributions import beta_high, beta_low, tail
from tellapart.numerics.large_beta import deviance
from tellapart.numerics.repetition import once
from tellapart.numerics.student_t import student_critical


@cache
def log_beta(a, b):
    with mp.workdps(40):
        return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(mp.mpf(a) + b)


def density(a, b, x):
    return mp.exp((a - 1) * mp.log(x) + (b - 1) * mp.log1p(-x) - log_beta(a, b))


def mass(a, b, x, *, upper):
    """Return P(Beta(a, b) > x) or ≤ x: mpmath's function, or its integral where both are large."""
    if min(a, b) < 2000:
        return mp.betainc(a, b, *((x, 1) if upper else (0, x)), regularized=True)
    if upper == (x < a / (a + b)):  # the larger part
        return 1 - mass(a, b, x, upper=not upper)
    away = (1 if upper else -1) * mp.sqrt(a * b / (a + b)) / (a + b)
    return abs(mp.quad(lambda t: density(a, b, t), [x, x + away, x + 4 * away, x + 16 * away], maxdegree=6))


def off_by(a, b, x, probability, *, upper):
    """Return the relative error of a quantile: what is too much in its tail, over the density."""
    with mp.workdps(40):
        a, b, x = mp.mpf(a), mp.mpf(b), mp.mpf(float(x))
        return abs(float((mass(a, b, x, upper=upper) - mp.mpf(probability)) / (density(a, b, x) * x)))


SHAPES = [
    (0.5, 0.5),
    (300.5, 700.5),
    (0.5, 1e5),
    (50_000.5, 60_000.5),
    (0.5, 1e9 + 0.5),
    (2, 999_999_999),  # here scipy's inverse has lost half of its digits
    (101, 1e9),
    (9e6, 9e6),
    (2e7, 3e7),
    (1e7 + 1, 1e9),
    (5e8 + 0.5, 5e8 + 0.5),
]


@pytest.mark.parametrize(("a", "b"), SHAPES)
@pytest.mark.parametrize("probability", [0.025, 0.4, 5e-13])
def test_beta_quantiles_have_ten_digits(a, b, probability):
    for one, other in ((a, b), (b, a)):
        assert off_by(one, other, beta_low(one, other, probability), probability, upper=False) < 1e-10
        assert off_by(one, other, beta_high(one, other, probability), probability, upper=True) < 1e-10


def test_many_quantiles_at_once_are_those_one_by_one():
    a, b = np.array(SHAPES).T
    for function in (beta_low, beta_high):
        assert_allclose(function(a, b, 0.025), [function(*shape, 0.025) for shape in SHAPES], rtol=2e-11)


shapes = st.one_of(st.floats(0.1, 20), st.floats(0.1, 9000), st.integers(0, 5000).map(lambda m: m + 0.5))
chances = st.one_of(st.sampled_from([0.025, 0.05, 0.5, 0.95]), st.floats(1e-14, 0.999))


@settings(derandomize=True, deadline=None, max_examples=500)
@given(shapes, shapes, chances, st.booleans())
def test_a_quick_quantile_is_scipys(a, b, probability, upper):
    """By the quantile itself, however close to 0; where the two part, high precision says that ours is right.

    SciPy's inverse is off by 10⁻⁸ at some medians, such as that of Beta(0.273901, 0.273901), which is ½.
    """
    result = quick_beta_quantile(a, b, probability, upper=upper)
    theirs = (special.betainccinv if upper else special.betaincinv)(a, b, probability)
    if result is not None and result != pytest.approx(theirs, rel=1e-10, abs=1e-300):
        assert off_by(a, b, result, probability, upper=upper) < 1e-10


@pytest.mark.parametrize(
    ("a", "b", "probability", "upper"),
    [(0.012, 8356.4, 0.423, True), (0.0137, 4988.8, 0.0217, False), (0.05, 5000, 1e-10, False)],
)
def test_a_quick_quantile_under_a_thin_prior(a, b, probability, upper):
    """A relative error in the tail is 1/a times as large in the quantile, so the fraction has to be the better."""
    result = quick_beta_quantile(a, b, probability, upper=upper)
    assert result is None or off_by(a, b, result, probability, upper=upper) < 1e-10


@pytest.mark.parametrize("nothing", [1e-190, 1e-308, 5e-324])
def test_a_prior_of_next_to_nothing_has_its_quantiles_at_the_end(nothing):
    """By the leading term of the tail, P(Beta(a, b) ≤ x) = x^a / (a B(a, b)): as a goes to 0, 0.05^(1/a) is 0."""
    assert beta_low(nothing, 120.5, 0.05) < 1e-300
    assert beta_high(nothing, 120.5, 0.05) < 1e-300
    assert beta_low(120.5, nothing, 0.05) > 1 - 1e-15


def test_a_deviance_far_from_its_peak_is_that_of_plain_floats():
    """A distance as large as the peak is no reason for a warning; by −a log(x/p) − b log((1−x)/(1−p))."""
    x = np.array([1e-308, 5e-324, 0.3, 0.5])
    plain = [-2 * math.log(each / 0.5) - 2 * math.log((1 - each) / 0.5) for each in x]
    assert_allclose(deviance(2.0, 2.0, x), plain, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("name", ["clopper-pearson", "jeffreys", "mid-p", "likelihood-ratio"])
@pytest.mark.parametrize("alpha", [0.05, 1e-12, 1e-17, 1e-30])
def test_the_mirror_keeps_the_digits_of_small_limits(name, alpha):
    """The lower limit of 1 of 1 is of the order of alpha, and 1 minus its mirror would have lost it."""
    limits = find_method(name, "interval", ErrorCount)
    pairs = [(1, 1), (1, 2), (2, 2), (3, 4), (29, 30), (30, 30)]
    many = limits(ErrorCount(*np.tile(pairs, (20, 1)).T), alpha=alpha)
    for index, (errors, trials) in enumerate(pairs):
        one = limits(ErrorCount(errors, trials), alpha=alpha)
        assert_allclose([many.low[index], many.high[index]], [one.low, one.high], rtol=1e-10)


@pytest.mark.parametrize("trials", [1_000_000, 2**31 + 7, 2**53])  # too many for a table of all possible pairs
def test_each_distinct_pair_of_many_trials_is_computed_once(trials):
    sizes = []

    def spy(errors, trials):
        sizes.append(errors.size)
        return errors / trials, (errors + 1) / (trials + 1)

    low, high = once(spy, ErrorCount(np.tile([0, 3, 5], (40, 1)), trials), symmetric=False)
    assert sizes == [3]
    assert low.shape == high.shape == (40, 3)
    assert_allclose(low[0], np.array([0, 3, 5]) / trials, rtol=1e-15)
    sizes.clear()
    once(spy, ErrorCount(np.tile([0, 3, trials - 3, trials, 5], (40, 1)), trials))
    assert sizes[0] == 3


def test_the_shortest_set_at_a_level_next_to_1_does_not_warn():
    """Where a tail of 1e-300, the least that is taken, is shared out, one side may get next to nothing of it."""
    limits = find_method("hpd-jeffreys", "interval", ErrorCount)(ErrorCount(np.arange(21), 20), alpha=1e-300)
    assert np.all((limits.low >= 0) & (limits.low < limits.high) & (limits.high <= 1))


@pytest.mark.parametrize("freedom", [1, 1.5, 2, 3, 5, 9, 19.9, 20, 99, 1e4])
@pytest.mark.parametrize("p", [0.4, 0.025, 1e-12, 1e-49, 1e-51, 1e-150, 1e-182, 1e-240, 5e-301])
def test_students_quantiles_keep_their_digits(freedom, p):
    """The tail beyond the quantile by mpmath: of 3 degrees of freedom SciPy's is 8 times 1e-182, and +inf at 1e-240."""
    with mp.workdps(40):
        t = mp.mpf(float(student_critical(freedom, p)))
        beyond = mp.betainc(mp.mpf(freedom) / 2, mp.mpf(1) / 2, 0, freedom / (freedom + t * t), regularized=True) / 2
        assert abs(beyond / mp.mpf(p) - 1) < 1e-11


def test_an_interval_of_student_at_the_smallest_alpha_is_everything():
    scores = np.random.default_rng(1).random((2, 10))
    splits = Resamples.from_scores(*scores, plan="10-fold")
    for side in ("two", "upper", "lower"):
        limits = find_method("corrected-resampled-t", "interval", Resamples)(splits, alpha=1e-300, side=side)
        assert (limits.low, limits.high) == (-1, 1)
    assert tail(1e-300, "two") == 5e-301
