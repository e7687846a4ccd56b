"""The arithmetic below the methods: tails and quantiles, roots, and doing repeated work once."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from tellapart import ErrorCount
from tellapart.errors import InvalidOption
from tellapart.numerics.continued_fraction import quick_beta_quantile
from tellapart.numerics.distributions import (
    beta_above,
    beta_at_most,
    beta_high,
    beta_low,
    binomial_quantile,
    critical,
    first_count,
    normal_pvalue,
    probability_at_least,
    probability_at_most,
    pvalue_of_tails,
    ratio,
    tail,
)
from tellapart.numerics.repetition import in_blocks, once
from tellapart.numerics.roots import solve

laws = settings(derandomize=True, deadline=None, max_examples=40)


@pytest.fixture(scope="module")
def exact():
    """Load the arithmetic of 70 digits that the reference table was made with."""
    path = Path(__file__).parent.parent / "references" / "error_count_intervals.py"
    spec = importlib.util.spec_from_file_location("error_count_intervals", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- The normal distribution ---------------------------------------------------------------------


def test_each_end_spends_its_part_of_alpha():
    assert (tail(0.05, "two"), tail(0.05, "upper"), tail(0.05, "lower")) == (0.025, 0.05, 0.05)


@pytest.mark.parametrize(("alpha", "side", "match"), [(0, "two", "alpha"), (5, "two", "alpha"), (0.05, "both", "side")])
def test_tails_that_cannot_be(alpha, side, match):
    with pytest.raises(InvalidOption, match=match):
        tail(alpha, side)


@pytest.mark.parametrize("alpha", [0.95, 0.6, 0.5, 0.05, 1e-6, 1e-12, 1e-300])
def test_normal_quantiles(alpha):
    with mp.workdps(400):
        for side, share in (("two", mpf(alpha) / 2), ("upper", mpf(alpha))):
            expected = float(mp.sqrt(2) * mp.erfinv(1 - 2 * share))
            assert_allclose(critical(alpha, side), expected, rtol=1e-13, atol=1e-300)


@pytest.mark.parametrize("z", [-8, -1, 0, 0.3, 2, 30])
def test_normal_pvalues(z):
    assert_allclose(normal_pvalue(np.float64(z), "two-sided"), 2 * stats.norm.sf(abs(z)), rtol=1e-12)
    assert_allclose(normal_pvalue(np.float64(z), "greater"), stats.norm.sf(z), rtol=1e-12)
    assert_allclose(normal_pvalue(np.float64(z), "less"), stats.norm.cdf(z), rtol=1e-12)


def test_a_two_sided_pvalue_is_twice_the_smaller_tail_and_at_most_1():
    less, greater = np.array([0.01, 0.7, 1.0]), np.array([0.995, 0.6, 0.02])
    assert_allclose(pvalue_of_tails(less, greater, "two-sided"), [0.02, 1, 0.04])
    assert_array_equal(pvalue_of_tails(less, greater, "less"), less)
    assert_array_equal(pvalue_of_tails(less, greater, "greater"), greater)


def test_every_division_says_what_0_over_0_means():
    assert_array_equal(ratio([1, 0, -1, 0, 3], [2, 0, 0, 5, 0], empty=7), [0.5, 7, -np.inf, 0, np.inf])
    assert ratio(0, 0, empty=1.0) == 1
    assert np.isnan(ratio(np.nan, 0.0, empty=1.0))


# --- The Beta and the binomial distribution ------------------------------------------------------

SHAPES = [
    (0.5, 10.5),
    (1, 9655),
    (3.5, 117.5),
    (40, 2),
    (60.5, 60.5),
    (2.5, 1e9),
    (1e6, 1e9),
    (1.1e7, 9.89e8),
    (1e9, 1.5),
]
PROBABILITIES = [5e-13, 0.025, 0.3, 0.75]


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_beta_quantiles_have_eleven_digits(exact, a, b):
    for probability in PROBABILITIES:
        low, high = (exact.beta_quantile(mpf(a), mpf(b), mpf(probability), sign) for sign in (-1, +1))
        for wrap in (np.float64, lambda value: np.array([value, 2.5])):  # alone and in company
            company = [np.atleast_1d(f(wrap(a), wrap(b), probability))[0] for f in (beta_low, beta_high)]
            assert_allclose(company, [float(low), float(high)], rtol=1e-11)


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_beta_tails_have_ten_digits(exact, a, b):
    for probability in PROBABILITIES:
        x = beta_low(np.float64(a), np.float64(b), probability)
        log_odds = mp.log(mpf(x)) - mp.log1p(-mpf(x))
        below, above = exact.beta_below(mpf(a), mpf(b), log_odds), exact.beta_below(mpf(b), mpf(a), -log_odds)
        # A float x near 1 says little about 1 − x: what it does not say is not asked for.
        assert_allclose([beta_at_most(a, b, x), beta_above(a, b, x)], [float(below), float(above)], rtol=1e-10)


@laws
@given(
    few=st.one_of(st.integers(0, 60).map(lambda m: m + 0.5), st.floats(0.3, 100)),
    many=st.one_of(st.integers(1, 9000).map(float), st.floats(0.5, 9000)),
    probability=st.one_of(st.sampled_from([5e-13, 0.025, 0.05, 0.25, 0.5]), st.floats(1e-12, 0.95)),
    upper=st.booleans(),
    swapped=st.booleans(),
)
def test_quick_quantiles_meet_their_probability(few, many, probability, upper, swapped):
    """Without SciPy: the tail at what was found is the one asked for, to 10⁻¹¹."""
    a, b = (many, few) if swapped else (few, many)
    x = quick_beta_quantile(a, b, probability, upper=upper)
    if x is None or min(x, 1 - x) < 1e-4:  # the long way; or so near 1 (or 0) that x has few digits
        return
    law = stats.beta(a, b)
    assert_allclose(law.sf(x) if upper else law.cdf(x), probability, rtol=1e-10)


@pytest.mark.parametrize(
    ("a", "b", "probability"), [(200.0, 300.0, 0.025), (3.0, 1e6, 0.025), (3.0, 5.0, 0.0), (3.0, 5.0, 1.0)]
)
def test_quick_quantiles_leave_the_rest_to_scipy(a, b, probability):
    assert quick_beta_quantile(a, b, probability) is None


@pytest.mark.parametrize("p", [1e-9, 0.03, 0.5, 0.99])
@pytest.mark.parametrize("n", [1, 2, 17, 300])
def test_binomial_tails(n, p):
    k = np.arange(-1, n + 2)
    law = stats.binom(n, p)
    assert_allclose(probability_at_most(k[:-1], n, p), law.cdf(k[:-1]), rtol=1e-11, atol=1e-300)
    assert_allclose(probability_at_least(k[1:], n, p), law.sf(k[1:] - 1), rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize(("k", "n", "p"), [(3, 10**9, 2e-9), (10**6, 10**9, 1.0001e-3), (5 * 10**8, 10**9, 0.49997)])
def test_binomial_tails_of_a_billion_trials(exact, k, n, p):
    log_odds = mp.log(mpf(p)) - mp.log1p(-mpf(p))
    expected = [exact.at_most(k, n, log_odds)[0], exact.at_least(k, n, log_odds)[0]]
    assert_allclose(
        [probability_at_most(k, n, p), probability_at_least(k, n, p)], [float(x) for x in expected], rtol=1e-10
    )


@laws
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(-3, 60)), min_size=1, max_size=8))
def test_the_first_count_of_which_a_condition_holds(dtype_of):
    """For each of several ranges at once; one beyond the range if it holds nowhere, 0 if it holds everywhere."""
    largest, threshold = np.array(dtype_of).T
    result = first_count(lambda k: k >= threshold, largest)
    assert_array_equal(result, [min(max(t, 0), n + 1) for n, t in dtype_of])


def test_the_first_count_in_a_huge_range():
    assert first_count(lambda k: k >= 2**52 + 12345, 2**53) == 2**52 + 12345


@pytest.mark.parametrize("p", [1e-4, 0.1, 0.37, 0.93])
@pytest.mark.parametrize("n", [1, 10, 57, 1000, 10**6])
def test_binomial_quantiles(n, p):
    probability = np.array([1e-12, 0.001, 0.0251, 0.4999, 0.731, 0.975, 1 - 1e-9])
    assert_array_equal(binomial_quantile(probability, n, p), stats.binom.ppf(probability, n, p))


def test_a_quantile_is_a_count():
    """Probability 0 is met by no errors already, 1 by all of them at the latest; also beside others."""
    result = binomial_quantile(np.array([0.0, 0.5, 1.0]), np.array([10, 1000, 7]), 0.3)
    assert result[0] == 0
    assert result[2] <= 7


# --- Roots ---------------------------------------------------------------------------------------


def test_newtons_steps_find_all_roots_at_once():
    target = np.array([2.0, 1e-6, 9.0, 1e-30])

    def step(x):
        residual = x * x - target
        return residual, x - residual / (2 * x)

    assert_allclose(solve(step, np.full(4, 0.5), 0.0, 10.0), np.sqrt(target), rtol=1e-14)


@pytest.mark.parametrize("guess", [np.nan, np.inf, -np.inf, -5.0, 77.0])
def test_a_guess_that_is_none_is_replaced_by_halving(guess):
    root = np.array([1e-12, 1e-3, 0.1, 0.77])
    result = solve(lambda x: (x - root, np.full(4, guess)), np.full(4, 0.5), 0.0, 1.0)
    assert_allclose(result, root, rtol=1e-14)


def test_a_start_that_is_the_root_stays():
    assert solve(lambda x: (x - 0.25, x), np.float64(0.25), 0.0, 1.0) == 0.25


def test_a_start_outside_the_bracket_is_brought_in():
    assert_allclose(solve(lambda x: (x - 0.25, np.nan), np.float64(7.0), 0.2, 0.3), 0.25, rtol=1e-14)


# --- Repeated work -------------------------------------------------------------------------------


def formula(errors, trials):
    """Return limits that differ for all pairs, are mirror symmetric, and lose digits near 0 if mirrored."""
    rate = errors / trials
    low = rate**2 / (1 + 1 / trials)
    rest = (trials - errors) / trials
    return low, 1 - rest**2 / (1 + 1 / trials)


@st.composite
def many_pairs(draw):
    trials = draw(st.sampled_from([(1, 3), (5, 90), (1000, 10**6), (2**31, 2**33), (2**52, 2**53)]))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    sizes = rng.integers(*trials, size=draw(st.sampled_from([1, 63, 64, 65, 400])), endpoint=True)
    errors = (sizes * rng.beta(0.3, 0.3, sizes.size)).astype(np.int64)
    repeated = rng.integers(0, sizes.size, sizes.size)
    return ErrorCount(errors[repeated], sizes[repeated])


@laws
@given(many_pairs(), st.booleans())
def test_computing_once_changes_nothing(counts, symmetric):
    low, high = once(formula, counts, symmetric=symmetric)
    direct = formula(counts.errors, counts.trials)
    assert_allclose(low, direct[0], rtol=1e-12)
    assert_allclose(high, direct[1], rtol=1e-12)


def test_each_pair_is_computed_once_and_its_mirror_image_with_it():
    dtype_of = []

    def spy(errors, trials):
        dtype_of.append(sorted(zip(errors.tolist(), trials.tolist(), strict=True)))
        return formula(errors, trials)

    counts = ErrorCount(np.tile([3, 7, 5, 10], 100), 10)
    once(spy, counts)
    assert dtype_of == [[(0, 10), (3, 10), (5, 10)]]
    dtype_of.clear()
    once(spy, counts, symmetric=False)
    assert dtype_of == [[(3, 10), (5, 10), (7, 10), (10, 10)]]


@pytest.mark.parametrize("shape", [(), (3,), (9, 9), (5, 4, 6)])
@pytest.mark.parametrize("run", [once, lambda formula, count: in_blocks(formula, count.errors, count.trials)])
def test_shapes_are_kept(run, shape):
    errors = np.arange(np.prod(shape, dtype=int)).reshape(shape) % 8
    low, high = run(formula, ErrorCount(errors, 7))
    assert np.shape(low) == np.shape(high) == shape


def test_blocks_leave_no_seam():
    rng = np.random.default_rng(0)
    trials = rng.integers(1, 10**9, (5, 9001))
    counts = ErrorCount((trials * rng.random(trials.shape)).astype(int), trials)
    assert_array_equal(in_blocks(formula, counts.errors, counts.trials), formula(counts.errors, counts.trials))
