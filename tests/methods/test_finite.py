"""Limits and tests for a finite pool, against counting all samples and against scipy.stats."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import hypergeom

from tellapart import ErrorCount, estimate
from tellapart.errors import InvalidOption
from tellapart.methods.error_count.exact import clopper_pearson
from tellapart.methods.error_count.finite import hypergeometric

laws = settings(derandomize=True, deadline=None, max_examples=12)


def samples(k, n, errors, pool):
    """Count the samples of n from the pool that hold k of its errors."""
    return math.comb(errors, k) * math.comb(pool - errors, n - k)


def tails(m, n, errors, pool):
    """P(X ≤ m) and P(X ≥ m), as fractions."""
    every = math.comb(pool, n)
    at_most = sum(samples(k, n, errors, pool) for k in range(m + 1))
    return Fraction(at_most, every), Fraction(every - at_most + samples(m, n, errors, pool), every)


def limits_by_counting(m, n, pool, each):
    """Try every number of errors that the pool may hold: those that neither tail speaks against."""
    inside = [
        errors for errors in range(m, pool - n + m + 1) if all(tail >= each for tail in tails(m, n, errors, pool))
    ]
    return inside[0] / pool, inside[-1] / pool


@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(1, 20), Fraction(1, 10**12)])
@pytest.mark.parametrize(("trials", "pool"), [(1, 1), (1, 2), (1, 40), (7, 12), (10, 30), (29, 30), (30, 30)])
def test_limits_are_those_of_exact_counting(trials, pool, alpha):
    """Ties with alpha are among them: one error in one trial of a pool of 40 has the probability 1/40."""
    interval = hypergeometric(ErrorCount(np.arange(trials + 1), trials), pool=pool).interval(alpha=float(alpha))
    expected = [limits_by_counting(m, trials, pool, alpha / 2) for m in range(trials + 1)]
    assert_allclose(np.stack([interval.low, interval.high], axis=-1), expected, rtol=1e-15)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_pvalues_are_those_of_exact_counting(alternative):
    """At every threshold that such a pool can meet, and between them."""
    pool, n = 30, 10
    for errors in range(1, pool):
        for share, low, high in ((errors / pool, errors, errors), ((errors - 0.5) / pool, errors - 1, errors)):
            pvalue = hypergeometric(ErrorCount(np.arange(n + 1), n), pool=pool).test(share, alternative).pvalue
            less = np.array([float(tails(m, n, high, pool)[0]) for m in range(n + 1)])
            greater = np.array([float(tails(m, n, low, pool)[1]) for m in range(n + 1)])
            both = np.minimum(2 * np.minimum(less, greater), 1)
            expected = {"two-sided": both, "less": less, "greater": greater}[alternative]
            assert_allclose(pvalue, np.maximum(expected, np.finfo(float).tiny), rtol=1e-11)


@pytest.mark.parametrize(("alpha", "side"), [(0.05, "two"), (0.5, "two"), (0.05, "upper"), (0.2, "lower")])
def test_the_level_is_kept_for_every_pool(alpha, side):
    """Exact coverage for each number of errors in a pool of 30, of which 10 are tested."""
    pool, n = 30, 10
    counts = ErrorCount(np.arange(n + 1), n)
    interval = hypergeometric(counts, pool=pool).interval(alpha=alpha, side=side)
    for errors in range(pool + 1):
        inside = (interval.low <= errors / pool) & (errors / pool <= interval.high)
        covered = Fraction(
            sum(samples(m, n, errors, pool) for m in np.flatnonzero(inside).tolist()), math.comb(pool, n)
        )
        assert covered >= 1 - alpha


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_the_size_is_kept_for_every_pool(alternative):
    pool, n = 30, 10
    counts = ErrorCount(np.arange(n + 1), n)
    for errors in range(1, pool):
        pvalue = hypergeometric(counts, pool=pool).test(errors / pool, alternative).pvalue
        rejected = np.flatnonzero(pvalue < 0.05).tolist()
        assert Fraction(sum(samples(m, n, errors, pool) for m in rejected), math.comb(pool, n)) <= Fraction(1, 20)


def tail_in_fifty_digits(m, n, errors, pool):
    """P(X ≥ m): the first term by mpmath's log Γ, the others by their quotients."""
    with mp.workdps(50):
        parts = [(errors, m), (pool - errors, n - m)]
        logs = [mp.loggamma(a + 1) - mp.loggamma(b + 1) - mp.loggamma(a - b + 1) for a, b in [*parts, (pool, n)]]
        total = term = mp.exp(logs[0] + logs[1] - logs[2])
        for k in range(m, min(n, errors)):
            term *= mp.mpf(errors - k) * (n - k) / (mp.mpf(k + 1) * (pool - errors - n + k + 1))
            total += term
            if term < total * mp.mpf(10) ** -25 and (k + 1) * pool > n * errors:
                break
        return float(total)


LARGE = [  # errors, trials, errors in the pool, pool
    (50_300, 100_000, 500_000_000, 10**9),
    (49_900, 100_000, 500_000_000, 10**9),
    (30, 100_000, 100_000, 10**9),
    (100, 100_000, 1_000_000, 10**9),
    (2000, 10_000, 10_000, 100_000),
    (400, 1000, 1_000_000, 10**7),
    (740, 1000, 800, 1100),
    (12_000, 50_000, 12_345, 60_000),
    (99_999, 100_000, 999_990_000, 10**9),
    (3, 10, 3 * 10**11, 10**12),
]


@pytest.mark.parametrize(("errors", "trials", "bad", "pool"), LARGE)
def test_tails_of_large_pools_keep_their_digits(errors, trials, bad, pool):
    """SciPy's own lose half of them here; both tails, the lower one as the upper one of the successes."""
    count, other = ErrorCount(errors, trials), ErrorCount(trials - errors, trials)
    expected = max(tail_in_fifty_digits(errors, trials, bad, pool), np.finfo(float).tiny)
    greater = hypergeometric(count, pool=pool).test(bad / pool, "greater")
    less = hypergeometric(other, pool=pool).test((pool - bad) / pool, "less")
    assert_allclose([greater.pvalue, less.pvalue], expected, rtol=1e-10)


@pytest.mark.parametrize(
    ("errors", "trials", "bad", "pool"), [(3, 29, 5, 60), (14, 100, 30, 400), (1, 7, 3, 9), (6, 7, 8, 9)]
)
def test_tails_are_scipys(errors, trials, bad, pool):
    values = [
        hypergeometric(ErrorCount(errors, trials), pool=pool).test(bad / pool, side).pvalue
        for side in ("less", "greater")
    ]
    law = hypergeom(pool, bad, trials)
    assert_allclose(values, [law.cdf(errors), law.sf(errors - 1)], rtol=1e-10)


@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-12])
def test_a_pool_without_end_gives_clopper_and_pearsons_limits(alpha):
    counts = ErrorCount([0, 1, 3, 60, 119, 120, 5000], [120, 120, 120, 120, 120, 120, 10**5])
    result, exact = (
        hypergeometric(counts, pool=10**15).interval(alpha=alpha),
        clopper_pearson(counts).interval(alpha=alpha),
    )
    assert_allclose(result.low, exact.low, rtol=1e-6, atol=2e-15)
    assert_allclose(result.high, exact.high, rtol=1e-6, atol=2e-15)


@laws
@given(st.data())
def test_limits_are_inside_clopper_and_pearsons_and_never_exclude_what_was_seen(data):
    """The pool holds the errors and the successes that were seen; a larger pool is less known."""
    trials = data.draw(st.integers(1, 200))
    pool = trials + data.draw(st.integers(0, 400))
    alpha = data.draw(st.sampled_from([0.5, 0.05, 1e-6, 1e-12]))
    counts = ErrorCount(np.arange(trials + 1), trials)
    result, exact = (
        hypergeometric(counts, pool=pool).interval(alpha=alpha),
        clopper_pearson(counts).interval(alpha=alpha),
    )
    assert np.all(result.low * pool >= counts.errors - 1e-9)
    assert np.all((1 - result.high) * pool >= counts.successes - 1e-9)
    assert np.all((result.low <= result.high) & (result.low >= 0) & (result.high <= 1))
    one = 1 / pool  # the limits are whole numbers of errors
    assert np.all((result.low >= exact.low - one) & (result.high <= exact.high + one))


@laws
@given(st.data())
def test_limit_and_test_are_one_decision_down_to_one_error(data):
    """At every number of errors in the pool; ties included."""
    trials = data.draw(st.integers(1, 60))
    pool = trials + data.draw(st.integers(1, 80))
    count = ErrorCount(data.draw(st.integers(0, trials)), trials)
    alpha = data.draw(st.sampled_from([0.5, 0.2, 0.1, 0.05, 0.025, 0.01, 1e-6]))
    side, alternative = data.draw(st.sampled_from([("two", "two-sided"), ("upper", "less"), ("lower", "greater")]))
    interval = hypergeometric(count, pool=pool).interval(alpha=alpha, side=side)
    rates = np.arange(1, pool) / pool
    many = ErrorCount(np.full(pool - 1, count.errors), trials)
    pvalue = hypergeometric(many, pool=pool).test(rates, alternative).pvalue
    assert_array_equal(pvalue >= alpha, (interval.low <= rates) & (rates <= interval.high))


def test_pools_may_differ_from_count_to_count():
    counts, pools = ErrorCount([[3, 0], [5, 7]], [[120, 9], [10, 7]]), np.array([[400, 9], [10**9, 8]])
    together = hypergeometric(counts, pool=pools).interval()
    tested = hypergeometric(counts, pool=pools).test(0.1)
    assert together.shape == tested.pvalue.shape == (2, 2)
    for index in np.ndindex(2, 2):
        alone = hypergeometric(counts[index], pool=pools[index]).interval()
        assert (together.low[index], together.high[index]) == (alone.low, alone.high)
        one = hypergeometric(counts[index], pool=int(pools[index])).test(0.1)
        assert_allclose(tested.pvalue[index], one.pvalue, rtol=1e-14)


def test_ten_thousand_counts_share_their_distinct_ones():
    errors = np.random.default_rng(0).integers(0, 40, (100, 100))
    together = hypergeometric(ErrorCount(errors, 1000), pool=5000).interval()
    row = hypergeometric(ErrorCount(np.arange(40), 1000), pool=5000).interval()
    assert_array_equal(together.low, row.low[errors])
    assert_array_equal(together.high, row.high[errors])


# --- The whole pool ------------------------------------------------------------------------------


def test_the_result_names_the_pool():
    assert (
        "from a pool of 400 examples" in estimate(ErrorCount(3, 120), method="hypergeometric", pool=400).interval.note
    )
    both = estimate(ErrorCount([3, 4], 120), method="hypergeometric", pool=[400, 500])
    assert str(both)
    assert all(np.all(check.holds) for check in both.checks)


# --- What is no pool -----------------------------------------------------------------------------


@pytest.mark.parametrize("pool", [119, [400, 100], 0])
def test_a_pool_holds_what_was_tested(pool):
    with pytest.raises(InvalidOption, match=r"`pool` must be at least the [0-9,]+ examples tested, got"):
        estimate(ErrorCount([3, 4], 120), method="hypergeometric", pool=pool)


@pytest.mark.parametrize("pool", [-5, 400.5, np.nan, np.inf, "many", None, [400, 500, 600], 2**54, True, []])
def test_a_pool_is_a_number_of_examples(pool):
    with pytest.raises(InvalidOption, match="`pool` must be the number of examples in the pool"):
        estimate(ErrorCount([3, 4], 120), method="hypergeometric", pool=pool)


def test_a_pool_is_needed():
    with pytest.raises(InvalidOption, match="`pool` is required by method 'hypergeometric'"):
        estimate(ErrorCount(3, 120), method="hypergeometric")
