"""mcnemar-evalue: whole-number arithmetic, integrals by mpmath, the martingale itself, and the looks it is made for."""

from fractions import Fraction
from math import comb, factorial

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import PairedTable, compare
from tellapart.errors import InvalidOption
from tellapart.methods import find_method
from tellapart.methods.paired_table.tango_score import tango

laws = settings(derandomize=True, deadline=None, max_examples=15)
mcnemar_evalue = find_method("mcnemar-evalue", "test", PairedTable)
mcnemar_evalue_limits = find_method("mcnemar-evalue", "interval", PairedTable)
SIDES = {"two-sided": "two", "greater": "lower", "less": "upper"}


def table(b, c, n):
    return PairedTable(0 * b, b, c, n - b - c)


def evalue(b, c, n, delta=0.0, alternative="two-sided", prior=1.0):
    return mcnemar_evalue(table(b, c, n), against=delta, alternative=alternative, prior=prior).statistic


# --- Numbers from elsewhere -----------------------------------------------------------------------


@pytest.mark.parametrize(("b", "c"), [(10, 2), (25, 10), (0, 0), (0, 7), (1, 1), (60, 31), (90, 4)])
def test_without_a_margin_it_is_a_quotient_of_factorials(b, c):
    """2^(b+c) b! c!/(b+c+1)!; for (10, 2) that is 4096/858."""
    exact = Fraction(2 ** (b + c) * factorial(b) * factorial(c), factorial(b + c + 1))
    if (b, c) == (10, 2):
        assert exact == Fraction(4096, 858)
    assert_allclose(evalue(b, c, 200), float(exact), rtol=1e-13)
    # The integral agrees with the closed form where the margin is next to nothing.
    assert_allclose(evalue(b, c, 200, 1e-300), float(exact), rtol=1e-13)


def exact_mixture(b, c, d, delta):
    """Return E(δ) at κ = 1 in fractions: 1 + δ − 2uδ = (1 − δ) + 2δ(1 − u), and every term a Beta function."""
    if delta < 0:
        return exact_mixture(c, b, d, -delta)
    total = sum(
        comb(d, k)
        * (1 - delta) ** (d - k)
        * (2 * delta) ** k
        * Fraction(factorial(b) * factorial(c + k), factorial(b + c + k + 1))
        for k in range(d + 1)
    )
    return (2 / (1 + delta)) ** b * (2 / (1 - delta)) ** c / (1 - delta**2) ** d * total


def exact_one_way(b, c, d, delta):
    """Return E(δ) at κ = 1 of bets λ = r/(1 + δ), r uniform: a polynomial in r, integrated term by term."""
    polynomial = [Fraction(1)]
    for factor, times in (((1 - delta) / (1 + delta), b), (Fraction(-1), c), (-delta / (1 + delta), d)):
        for _ in range(times):
            shifted = [Fraction(0), *(factor * each for each in polynomial)]
            polynomial = [one + other for one, other in zip([*polynomial, Fraction(0)], shifted, strict=True)]
    return sum(each / (power + 1) for power, each in enumerate(polynomial))


@laws
@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 25), st.floats(-0.999, 0.999))
def test_with_a_margin_it_is_a_sum_of_fractions(b, c, d, delta):
    n = max(b + c + d, 1)
    d, exact = n - b - c, Fraction(delta)
    assert_allclose(evalue(b, c, n, delta), float(exact_mixture(b, c, d, exact)), rtol=1e-11)
    assert_allclose(evalue(b, c, n, delta, "greater"), float(exact_one_way(b, c, d, exact)), rtol=1e-11)
    assert_allclose(evalue(b, c, n, delta, "less"), float(exact_one_way(c, b, d, -exact)), rtol=1e-11)


@pytest.mark.parametrize("prior", [0.1, 2.5, 50.0])
@pytest.mark.parametrize(
    ("b", "c", "n", "delta"),
    [(3, 1, 40, -0.01), (0, 0, 5, 0.99), (9, 0, 9, 0.3), (0, 4, 300, 0.5), (60, 70, 900, 1 - 1e-9)],
)
def test_other_priors_by_the_hypergeometric_function_and_by_integration(b, c, n, delta, prior):
    """Two-sided, 2F1(−d, b + κ; b + c + 2κ; 2δ/(1 + δ)) of mpmath; one-sided, the integral from where λ is 0."""
    with mp.workdps(40):
        d, k, z = n - b - c, mp.mpf(prior), mp.mpf(delta)
        if z < 0:
            b, c, z = c, b, -z
        start = b * mp.log(2 / (1 + z)) + c * mp.log(2 / (1 - z)) - d * mp.log(1 - z)
        quotient = mp.beta(b + k, c + k) / mp.beta(k, k)
        log = start + mp.log(quotient * mp.hyp2f1(-d, b + k, b + c + 2 * k, 2 * z / (1 + z)))

        def capital(w):  # with w = (1 − u)^κ the density is finite everywhere
            u = 1 - w ** (1 / k)
            won = (2 * u / (1 + z)) ** b * (2 * (1 - u) / (1 - z)) ** c * ((1 + z - 2 * u * z) / (1 - z * z)) ** d
            return won * u ** (k - 1) / k

        most = ((1 - z) / 2) ** k
        grid = [0, *(most * (1 - mp.mpf(2) ** -index) for index in range(1, 12)), most]
        one_way = mp.quad(capital, grid) / mp.betainc(k, k, 0, (1 - z) / 2)
    result = mcnemar_evalue(table(b, c, n), against=float(z), prior=prior)
    if log < 700:
        assert_allclose(np.log(result.statistic), float(log), rtol=1e-10, atol=1e-10)
    assert_allclose(np.log(result.pvalue), -min(max(float(log), 0), 708.3964185322641), rtol=1e-10, atol=1e-10)
    assert_allclose(evalue(b, c, n, float(z), "greater", prior), float(one_way), rtol=1e-9)


LARGE = [  # b, c, δ, κ, log E of a billion examples by mpmath's quadrature in 40 digits over panels around the peak
    (10**9, 0, 1 - 5e-9, 1.0, "two-sided", -18.22326585001509),
    (10**9 - 1, 0, 1 - 5e-9, 1.0, "two-sided", -18.579940792931687),
    (10**9 - 1, 1, 1 - 9e-8, 0.5, "two-sided", 29.566193440125986),
    (0, 0, 1e-8, 1.0, "two-sided", 7.004267783384856),
    (5 * 10**8, 400_999_999, 0.1, 1.0, "two-sided", 551.0314883613848),
    (1, 0, 3e-8, 50.0, "two-sided", 3.96011619361608),
    (5 * 10**8, 400_999_999, 0.0989, 1.0, "greater", -3.680763424945441),
    (10**9 - 1, 1, 1 - 3e-8, 1.0, "greater", 9.583894817059324),
    (0, 0, -5e-9, 1.0, "greater", 3.3838013497351254),
    (0, 3, 1e-9, 1.0, "greater", -1.573700918232149),
]


@pytest.mark.parametrize(("b", "c", "delta", "prior", "alternative", "log"), LARGE)
def test_a_billion_examples(b, c, delta, prior, alternative, log):
    assert_allclose(np.log(evalue(b, c, 10**9, delta, alternative, prior)), log, rtol=1e-10)


def test_what_no_float_holds():
    result = mcnemar_evalue(PairedTable(0, [10**9, 10**9], [0, 3], [0, 5]), against=-0.5)
    assert_array_equal(result.statistic, np.finfo(float).max)
    assert_array_equal(result.pvalue, np.finfo(float).tiny)


@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-3])
def test_limits_in_closed_form(alpha):
    """One agreeing example has E = 1/(1 − δ²), and one-sided 1 + ½δ/(1 − δ); n lone errors (2/(1 + δ))^n/(n + 1)."""
    agreed = mcnemar_evalue_limits(PairedTable(1, 0, 0, 0), alpha=alpha)
    assert_allclose([-agreed.low, agreed.high], np.sqrt(1 - alpha), rtol=1e-13)
    odds = 2 * (1 / alpha - 1)
    assert_allclose(mcnemar_evalue_limits(PairedTable(1, 0, 0, 0), alpha=alpha, side="upper").high, odds / (1 + odds))
    n = np.array([1, 5, 300, 10**9])
    limits = mcnemar_evalue_limits(PairedTable(0, n, 0, 0), alpha=alpha)
    assert_allclose(limits.low, 2 * (alpha / (n + 1.0)) ** (1 / n) - 1, rtol=0, atol=1e-14)
    assert_array_equal(limits.high, 1.0)


def test_limits_in_print():
    """The roots of the fractions above, by bisection in whole numbers."""

    def root(b, c, d, low, high):
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if exact_mixture(b, c, d, middle) < 20 else (low, middle)
        return float(low)

    interval = mcnemar_evalue_limits(table(9, 3, 32))
    assert_allclose(interval.high, root(9, 3, 20, Fraction(6, 32), Fraction(1)), rtol=1e-13)
    assert_allclose(interval.low, -root(3, 9, 20, Fraction(-6, 32), Fraction(1)), rtol=1e-13)


# --- Why it is valid ------------------------------------------------------------------------------

cells = st.integers(0, 400)
nulls = st.floats(-0.98, 0.98)


def after_one_more(b, c, n, delta, alternative, prior):
    """Return E now, and after an example with W = 1, −1 and 0."""
    more = table(np.array([b, b + 1, b, b]), np.array([c, c, c + 1, c]), np.array([n, n + 1, n + 1, n + 1]))
    log = mcnemar_evalue(more, against=delta, alternative=alternative, prior=prior)
    return log.statistic


@laws
@given(cells, cells, cells, nulls, st.floats(0, 1), st.sampled_from([0.5, 1.0, 4.0]))
def test_under_the_null_the_next_example_is_expected_to_change_nothing(b, c, d, delta, share, prior):
    """A martingale: whatever the distribution of W, if only its mean is δ."""
    rest = share * (1 - abs(delta))
    chances = np.array([(1 - rest + delta) / 2, (1 - rest - delta) / 2, rest])
    n = max(b + c + d, 1)
    for alternative in SIDES:
        now, *then = after_one_more(b, c, n, delta, alternative, prior)
        if now < 1e300:
            assert_allclose(chances @ then, now, rtol=1e-9)


@laws
@given(cells, cells, cells, nulls, st.floats(0, 1), st.floats(-1, 1), st.sampled_from([0.5, 1.0, 4.0]))
def test_beyond_a_one_sided_null_it_is_expected_to_fall(b, c, d, delta, share, mean, prior):
    rest = share * (1 - abs(mean))
    chances = np.array([(1 - rest + mean) / 2, (1 - rest - mean) / 2, rest])
    now, *then = after_one_more(b, c, max(b + c + d, 1), delta, "greater" if mean <= delta else "less", prior)
    if now < 1e300:
        assert chances @ then <= now * (1 + 1e-9)


@pytest.mark.parametrize(("alternative", "delta"), [("two-sided", 0.0), ("two-sided", 0.15), ("greater", -0.05)])
def test_looking_after_every_example_keeps_the_level(alternative, delta):
    """Every path of 40 examples, stopped at the first p-value below 0.05."""
    most = 40
    n, b, c = (each.ravel() for each in np.indices((most + 1,) * 3))
    n, b, c = (each[(n > 0) & (b + c <= n)] for each in (n, b, c))
    rejects = np.zeros((most + 1,) * 3, dtype=bool)
    rejects[n, b, c] = mcnemar_evalue(table(b, c, n), against=delta, alternative=alternative).pvalue < 0.05
    for rest in (0.0, 0.5, 0.84):
        only_a, only_b = (1 - rest + delta) / 2, (1 - rest - delta) / 2
        reached, stopped = np.zeros((most + 1, most + 1)), 0.0
        reached[0, 0] = 1.0
        for now in range(1, most + 1):
            following = rest * reached
            following[1:] += only_a * reached[:-1]
            following[:, 1:] += only_b * reached[:, :-1]
            stopped += following[rejects[now]].sum()
            reached = np.where(rejects[now], 0.0, following)
        assert 0 < stopped <= 0.05
        assert_allclose(stopped + reached.sum(), 1)


# --- Test and limits ------------------------------------------------------------------------------


@laws
@given(cells, cells, cells, st.sampled_from([0.1, 0.5, 1.0, 7.0]), st.sampled_from([0.5, 0.05, 1e-4]))
def test_what_is_not_rejected_is_an_interval(b, c, d, prior, alpha):
    """On a grid: log E is convex, one-sided it only falls or rises from 0 on, and the limits are where it crosses."""
    n, grid = max(b + c + d, 1), np.linspace(-0.995, 0.995, 399)
    many = table(np.full(grid.shape, b), np.full(grid.shape, c), np.full(grid.shape, n))
    for alternative, side in SIDES.items():
        result = mcnemar_evalue(many, against=grid, alternative=alternative, prior=prior)
        interval = mcnemar_evalue_limits(table(b, c, n), alpha=alpha, side=side, prior=prior)
        inside, sure = (interval.low <= grid) & (grid <= interval.high), np.abs(result.pvalue / alpha - 1) > 1e-9
        assert_array_equal((result.pvalue >= alpha)[sure], inside[sure])
        log = np.log(result.statistic[result.statistic < 1e300])
        if alternative == "two-sided":
            assert np.all(np.diff(log, 2) >= -1e-9 * (1 + np.abs(log[1:-1])))
        else:
            assert np.all((np.diff(log) * (1 if side == "upper" else -1) >= -1e-9) | (log[1:] <= 0))


@laws
@given(cells, cells, cells, st.sampled_from([0.5, 0.05, 1e-9]), st.sampled_from([0.5, 1.0, 30.0]))
def test_a_bound_is_closer_than_the_end_of_the_interval(b, c, d, alpha, prior):
    """It bets on one side what the interval bets on both."""
    n = max(b + c + d, 1)
    both, low, high = (
        mcnemar_evalue_limits(table(b, c, n), alpha=alpha, side=side, prior=prior) for side in ("two", "lower", "upper")
    )
    assert both.low - 1e-12 <= low.low <= (b - c) / n <= high.high <= both.high + 1e-12


def test_the_price_at_a_single_look():
    """Wider than Tango's, the more so the more looks there could have been."""
    n = np.array([100, 10_000, 10**6])
    tables = PairedTable(n // 10, n // 10, n // 20, n - n // 10 - n // 10 - n // 20)
    ratio = mcnemar_evalue_limits(tables).width / tango(tables).interval().width
    assert np.all(np.diff(ratio) > 0)
    assert np.all((ratio > 1.2) & (ratio < 2.5))


def test_the_order_and_the_batches_do_not_matter():
    """A function of the counts: parts add up to the same table."""
    parts = [PairedTable(1, 3, 0, 6), PairedTable(0, 2, 2, 6), PairedTable(4, 9, 1, 66)]
    whole = parts[0] + parts[1] + parts[2]
    assert mcnemar_evalue(whole).statistic == mcnemar_evalue(PairedTable(5, 14, 3, 78)).statistic


# --- In use ---------------------------------------------------------------------------------------


def test_the_verb_takes_test_and_interval_of_the_name():
    answer = compare(PairedTable(20, 25, 10, 45), method="mcnemar-evalue", prior=2.0)
    assert (answer.method, answer.interval.method) == ("mcnemar-evalue", "mcnemar-evalue")
    assert answer.pvalue == mcnemar_evalue(PairedTable(20, 25, 10, 45), prior=2.0).pvalue
    assert answer.interval.low == mcnemar_evalue_limits(PairedTable(20, 25, 10, 45), prior=2.0).low
    assert "nytime-valid, bets from Beta(2, 2)" in " ".join(answer.explain().split())


def test_the_answer_states_the_e_value_and_that_it_holds_at_any_stop():
    text = " ".join(str(compare(PairedTable(50, 50, 12, 918), method="mcnemar-evalue")).split())
    assert "e-value 3.39e+04, 20 needed, alpha = 0.05 at any stop" in text


def test_a_margin_is_tested_by_the_bets_above_it():
    tables = PairedTable(50, 20, 12, 918)
    answer = compare(tables, margin=0.01, method="mcnemar-evalue")
    assert answer.pvalue == mcnemar_evalue(tables, against=-0.01, alternative="greater").pvalue
    assert answer.interval.method == "mcnemar-evalue"


def test_nobody_gets_it_without_asking():
    answer = compare(PairedTable(20, 25, 10, 45))
    assert (answer.method, answer.interval.method) == ("mcnemar-mid-p", "tango")


@pytest.mark.parametrize("prior", [0, 0.09, -1, np.nan, np.inf, "uniform", (1, 1), None, True])
def test_a_prior_that_is_none(prior):
    for function in (mcnemar_evalue, mcnemar_evalue_limits):
        with pytest.raises(InvalidOption, match=r"`prior` must be a number κ of Beta\(κ, κ\), 0.1 or more"):
            function(PairedTable(20, 25, 10, 45), prior=prior)
