"""beta-binomial-cs: whole-number arithmetic, mpmath, the martingale itself, and what its validity costs."""

from fractions import Fraction
from math import factorial

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import ErrorCount, compare, estimate
from tellapart.errors import InvalidOption
from tellapart.methods.error_count.anytime import beta_binomial_cs
from tellapart.methods.error_count.wilson_score import wilson

laws = settings(derandomize=True, deadline=None, max_examples=12)
SIDES = {"two-sided": "two", "greater": "lower", "less": "upper"}
priors = st.sampled_from([(0.5, 0.5), (1, 1), (1, 3.67), (20, 300)])


def evalue(errors, trials, p, alternative="two-sided", prior=(0.5, 0.5)):
    result = beta_binomial_cs(ErrorCount(errors, trials), prior=prior).test(p, alternative)
    return result.statistic


# --- Numbers from elsewhere -----------------------------------------------------------------------


@laws
@given(st.integers(0, 40), st.integers(1, 40), st.floats(0.01, 0.99))
def test_under_a_uniform_prior_it_is_a_fraction(errors, more, p):
    """It is m! k!/(n + 1)! over p^m q^k; the bets above p are θ = p + (1 − p)w, a polynomial in w."""
    exact, trials = Fraction(p), errors + more
    whole = Fraction(factorial(errors) * factorial(more), factorial(trials + 1))
    assert_allclose(
        evalue(errors, trials, p, prior="uniform"), float(whole / exact**errors / (1 - exact) ** more), rtol=1e-12
    )
    polynomial = [Fraction(1)]
    for factor, times in (((1 - exact) / exact, errors), (Fraction(-1), more)):
        for _ in range(times):
            shifted = [Fraction(0), *(factor * each for each in polynomial)]
            polynomial = [one + other for one, other in zip([*polynomial, Fraction(0)], shifted, strict=True)]
    above = sum(each / (power + 1) for power, each in enumerate(polynomial))
    assert_allclose(evalue(errors, trials, p, "greater", "uniform"), float(above), rtol=1e-11)


@pytest.mark.parametrize(
    ("errors", "trials", "p", "prior"),
    [
        (3, 120, 0.05, (0.5, 0.5)),
        (0, 5000, 0.5, (0.5, 0.5)),  # the tail of what is known after the trials is below the smallest float
        (5000, 5000, 0.5, (0.5, 0.5)),
        (3, 20, 0.6, (1, 1000)),  # and so is that of the prior
        (40, 50, 0.9999, (2, 80)),
        (1, 10**6, 1e-9, (0.5, 0.5)),
        (0, 3, 1e-300, (0.5, 0.5)),
        (300, 10**4, 0.031, (1, 3.67)),
    ],
)
def test_any_prior_by_incomplete_beta_functions_of_mpmath(errors, trials, p, prior):
    """In 60 digits: the mass of prior × likelihood beyond p, over that of the prior, over the likelihood at p."""
    with mp.workdps(60):
        rate, (u, v), k = mp.mpf(p), map(mp.mpf, prior), trials - errors
        likelihood = errors * mp.log(rate) + k * mp.log(1 - rate)

        def log(a, b, x, first, second):
            return mp.log(mp.betainc(a + first, b + second, 0, x) / mp.betainc(a, b, 0, x)) - likelihood

        below, above = log(u, v, rate, errors, k), log(v, u, 1 - rate, k, errors)
        expected = {"two-sided": log(u, v, 1, errors, k), "greater": above, "less": below}
    for alternative, value in expected.items():
        if value < 700:
            assert_allclose(np.log(evalue(errors, trials, p, alternative, prior)), float(value), rtol=1e-10, atol=1e-10)
        else:
            assert evalue(errors, trials, p, alternative, prior) > 1e300


@pytest.mark.parametrize(
    ("errors", "trials"), [(0, 1), (1, 1), (0, 50), (1, 50), (3, 120), (7, 10**6), (123_456_789, 10**9), (1, 10**9)]
)
@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-12])
def test_limits_are_the_roots_of_the_equation(errors, trials, alpha):
    """B(m + ½, k + ½)/B(½, ½) = p^m q^k/α in 50 digits: it holds between the last digits around a limit."""
    interval = beta_binomial_cs(ErrorCount(errors, trials)).interval(alpha=alpha)
    with mp.workdps(50):
        k, half = trials - errors, mp.mpf(1) / 2
        constant = mp.log(mp.beta(errors + half, k + half) / mp.pi) + mp.log(mp.mpf(alpha))
        for limit, open_ in ((interval.low, errors == 0), (interval.high, errors == trials)):
            if open_:
                continue
            exact = mp.mpf(float(limit))
            around = exact * (1 - mp.mpf("3e-14")), min(exact * (1 + mp.mpf("3e-14")), (1 + exact) / 2)
            first, second = (constant - errors * mp.log(p) - k * mp.log(1 - p) for p in around)
            assert first * second < 0
    assert (interval.low == 0) == (errors == 0)
    assert (interval.high == 1) == (errors == trials)


@pytest.mark.parametrize("rate", [0.1, 0.2, 0.3])
def test_the_price_of_looking_at_any_time(rate):
    """Against Wilson's at 95 %: 1.4 times as wide at 10 trials, 1.7 at 100, 1.9 at 1000 and 2.3 at a million."""
    trials = np.array([10, 100, 1000, 10**6])
    counts = ErrorCount(np.rint(rate * trials).astype(int), trials)
    assert_array_equal(
        np.round(beta_binomial_cs(counts).interval().width / wilson(counts).interval().width, 1), [1.4, 1.7, 1.9, 2.3]
    )


# --- Why it is valid ------------------------------------------------------------------------------


@laws
@given(st.integers(0, 500), st.integers(0, 500), st.floats(0.005, 0.995), st.floats(0, 1), priors)
def test_the_next_example_is_expected_to_change_nothing(errors, more, p, other, prior):
    """A martingale at p, and one-sided expected to fall at every rate on the null hypothesis' side."""
    trials = max(errors + more, 1)
    counts = ErrorCount([errors, errors + 1, errors], [trials, trials + 1, trials + 1])
    for alternative in SIDES:
        now, error, success = beta_binomial_cs(counts, prior=prior).test(p, alternative).statistic
        if now > 1e300:
            continue
        assert_allclose(p * error + (1 - p) * success, now, rtol=1e-9)
        if alternative != "two-sided":
            true = other * p if alternative == "greater" else p + other * (1 - p)
            assert true * error + (1 - true) * success <= now * (1 + 1e-9)


@pytest.mark.parametrize("side", ["two", "upper", "lower"])
def test_looking_after_every_example_keeps_the_level(side):
    """Every path of 80 examples, stopped at the first interval that leaves the true error out."""
    trials, errors = np.tril_indices(81)
    interval = beta_binomial_cs(ErrorCount(errors[1:], trials[1:])).interval(side=side)
    for p in (0.03, 0.2, 0.5):
        out = np.append(False, (p < interval.low) | (p > interval.high))  # nothing was seen yet
        reached, stopped = np.array([1.0]), 0.0
        for n in range(1, 81):
            reached = np.append(reached * (1 - p), 0.0) + np.append(0.0, reached * p)
            stopped += reached[out[trials == n]].sum()
            reached = np.where(out[trials == n], 0.0, reached)
        assert stopped <= 0.05
        assert_allclose(stopped + reached.sum(), 1)


# --- Test and limits ------------------------------------------------------------------------------


@laws
@given(st.integers(0, 300), st.integers(0, 300), priors, st.sampled_from([0.9, 0.5, 0.05, 1e-6]))
def test_what_is_not_rejected_is_an_interval(errors, more, prior, alpha):
    """On a grid, also where the prior is far from what was seen."""
    trials, grid = max(errors + more, 1), np.linspace(0.001, 0.999, 500)
    counts = ErrorCount(np.full(grid.shape, errors), trials)
    for alternative, side in SIDES.items():
        result = beta_binomial_cs(counts, prior=prior).test(grid, alternative)
        interval = beta_binomial_cs(counts[0], prior=prior).interval(alpha=alpha, side=side)
        assert_array_equal(result.pvalue >= alpha, (interval.low <= grid) & (grid <= interval.high))


@laws
@given(st.integers(0, 300), st.integers(0, 300), st.sampled_from([0.5, 0.05, 1e-6]))
def test_a_bound_is_closer_than_the_end_of_the_interval(errors, more, alpha):
    """It bets on one side what the interval bets on both."""
    trials = max(errors + more, 1)
    count = ErrorCount(errors, trials)
    both, low, high = (beta_binomial_cs(count).interval(alpha=alpha, side=side) for side in ("two", "lower", "upper"))
    assert both.low * (1 - 1e-12) <= low.low <= count.rate <= high.high <= both.high + 1e-12


# --- In use ---------------------------------------------------------------------------------------


def test_the_verbs_take_it_and_say_what_it_is():
    answer = estimate(ErrorCount(3, 120), method="beta-binomial-cs")
    assert answer.interval.method == "beta-binomial-cs"
    assert "anytime-valid, bets from Beta(1/2, 1/2)" in answer.interval.note
    tested = compare(ErrorCount(3, 120), against=0.2, method="beta-binomial-cs", prior="error-rates")
    assert tested.interval.method == "beta-binomial-cs"
    assert "bets from Beta(1, 3.67)" in " ".join(tested.explain().split())
    assert (tested.pvalue < 0.05) == (tested.interval.high < 0.2)


def test_nobody_gets_it_without_asking():
    assert estimate(ErrorCount(3, 120)).method == "jeffreys"


def test_a_density_is_no_prior_of_bets():
    with pytest.raises(InvalidOption, match=r"must be a Beta prior, got a density"):
        beta_binomial_cs(ErrorCount(3, 120), prior=lambda error: error).interval()


@pytest.mark.parametrize(
    ("errors", "trials", "alpha"),
    [(23306269572141, 10**14, 0.999), (146517704772707, 293035409545415, 0.001), (7, 10**15, 0.05)],
)
def test_limits_of_many_trials_keep_their_digits(errors, trials, alpha):
    """At the limit the e-value is 1/alpha, by mpmath; a step of 1e-8 in log odds is wide where the interval is not."""
    interval = beta_binomial_cs(ErrorCount(errors, trials)).interval(alpha=alpha)
    with mp.workdps(60):
        u, v = mp.mpf(errors) + mp.mpf(1) / 2, mp.mpf(trials - errors) + mp.mpf(1) / 2
        mixed = mp.loggamma(u) + mp.loggamma(v) - mp.loggamma(u + v) - mp.log(mp.beta(0.5, 0.5))

        def excess(p):
            return mixed - errors * mp.log(p) - (trials - errors) * mp.log1p(-p) + mp.log(mp.mpf(alpha))

        for limit in (interval.low, interval.high):
            p = mp.mpf(float(limit))
            slope = (trials * p - errors) / (p * (1 - p))
            assert abs(excess(p) / slope) < 4 * np.spacing(float(limit)) + 1e-12 * float(interval.high - interval.low)
