"""Intervals for one error rate in 10¹¹ to 10¹⁵ trials, where rounding is no longer small against their width."""

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tellapart import ErrorCount
from tellapart.methods import find_method, find_methods
from tellapart.numerics.distributions import beta_high, beta_low
from tellapart.numerics.large_beta import deviance, large_beta_tail, log1p_beyond_linear

INTERVALS = find_methods(gives="interval", evidence=ErrorCount)
EPS = np.finfo(float).eps
ALPHAS = (1e-12, 0.05, 0.5, 0.999)
TRIALS = (10**11, 10**12, 10**15)
# Fitted for 95 %, and up to five errors for 10 to 200 trials: it extrapolates to nonsense, and a check says so.
FITTED = {"jeffreys-approx", "jeffreys-handbook"}
# A prior of its own opinion draws the limits away; a pool has error rates of its own, in steps of one example.
ELSEWHERE = {"beta", "posterior", "hypergeometric"}
# It searches over the counts of a pool for every entry: seconds at such sizes.
SLOW = {"hypergeometric"}

each_interval = pytest.mark.parametrize("method", INTERVALS, ids=lambda method: method.name)


def skewed(error):
    return error * (1 - error) ** 4


def limits(method, counts, alpha):
    options = {"beta": {"prior": (2, 5)}, "posterior": {"prior": skewed}, "hypergeometric": {"pool": 2 * 10**15}}
    interval = method(counts, alpha=alpha, **options.get(method.name, {}))
    return interval.low, interval.high


def some_counts(method, trials):
    """Give few errors, many and hardly any successes: the last half mirrors the first."""
    few = {6, 7, 1000} if method.name == "jeffreys-handbook" else {0, 1, 2, 7, 1000}
    first = np.array(sorted(few | {trials // 1000, trials // 4, trials // 2}))
    return ErrorCount(np.concatenate([first, trials - first[::-1]]), trials)


@cache
def cases(method):
    """Give counts, alpha and both limits, computed once for all the laws below."""
    values = []
    for trials in TRIALS[:1] if method.name in SLOW else (TRIALS[0], TRIALS[-1]):
        for alpha in (0.05,) if method.name in FITTED | SLOW else ALPHAS:
            counts = some_counts(method, trials)
            values.append((counts, alpha, *limits(method, counts, alpha)))
    return values


def rows(method):
    with (Path(__file__).parents[1] / "references" / "large_counts.csv").open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["method"] == method]


@pytest.mark.parametrize(
    "name", ["clopper-pearson", "jeffreys", "uniform", "mid-p", "hpd-jeffreys", "hpd-uniform", "blaker"]
)
def test_limits_agree_with_high_precision(name):
    """tests/references/large_counts.py: mpmath, 80 digits, n from 10⁹ to 10¹⁵, alpha from 10⁻¹² to 0.999."""
    method, interval = find_method(name, "interval", ErrorCount), rows(name)
    assert interval
    for alpha in sorted({row["alpha"] for row in interval}):
        options = [row for row in interval if row["alpha"] == alpha]
        counts = ErrorCount([int(row["errors"]) for row in options], [int(row["trials"]) for row in options])
        right = np.array([[float(row[end]) for row in options] for end in ("low", "high")])
        # To 10⁻¹² of the limit and 10⁻⁹ of the width, or the last digits of the limit where these are wider. SciPy's
        # tails of few errors in 10⁹ trials, whole parameters below 2³¹, have eleven digits.
        digits = np.where(counts.trials < 2**31, 2e-11, 1e-12) * (2 if name == "blaker" else 1)  # moved apart by 10⁻¹²
        reach = np.maximum(np.where(counts.trials < 2**31, 3e-9, 1e-9) * (right[1] - right[0]), 8 * EPS * right)
        off = np.abs(np.array(limits(method, counts, float(alpha))) - right)
        assert np.all(off <= reach), (alpha, (off / reach).max())
        assert np.all(off <= digits * right), (alpha, (off / right).max())


@each_interval
def test_limits_are_in_order_nested_and_around_the_estimate(method):
    wider = {}
    for counts, alpha, low, high in cases(method):
        assert np.all(np.isfinite(low) & np.isfinite(high) & (low <= high))
        if method.name not in ELSEWHERE and alpha <= 0.5:
            last = 2 * np.spacing(counts.rate)
            assert np.all((low <= counts.rate + last) & (counts.rate - last <= high))
        outer = wider.get(int(counts.trials[0]), (low, high))
        assert np.all((low >= outer[0] - 2 * np.spacing(abs(low))) & (high <= outer[1] + 2 * np.spacing(abs(high))))
        wider[int(counts.trials[0])] = low, high


@pytest.mark.parametrize("method", [m for m in INTERVALS if m.symmetric], ids=lambda method: method.name)
def test_limits_near_1_mirror_those_near_0(method):
    """As far as a float near 1 can hold it: its last digits are 1.1·10⁻¹⁶ apart."""
    for _, _, low, high in cases(method):
        width = np.maximum(high - low, 0)
        for here, there in ((low, 1 - high[::-1]), (high, 1 - low[::-1])):
            assert np.all(np.abs(here - there) <= np.maximum(4 * EPS, 1e-9 * width))


@pytest.mark.parametrize("method", [m for m in INTERVALS if m.name not in SLOW], ids=lambda method: method.name)
def test_many_counts_at_once_are_single_counts(method):
    """In a batch of few, and in one of so many that each distinct pair is computed once and mirrored."""
    for counts, alpha, low, high in cases(method):
        if alpha not in (0.05, 0.999):
            continue
        together = limits(method, ErrorCount(np.resize(counts.errors, 80), counts.trials[0]), alpha)
        for at in (1, counts.errors.size // 2, counts.errors.size - 2):
            alone = limits(method, counts[at], alpha)
            assert_allclose([low[at], high[at]], alone, rtol=1e-12, atol=0)
            assert_allclose([end[at] for end in together], alone, rtol=1e-12, atol=0)


def test_one_success_in_a_hundred_thousand_million_mirrors_one_error():
    """Blaker's limits were moved by 10⁻¹² whatever their size: 1 − low was 5.6257e-11, outside Clopper-Pearson's."""
    trials = 10**11
    method, exact = (find_method(name, "interval", ErrorCount) for name in ("blaker", "clopper-pearson"))
    (low, high), (few_low, few_high) = (limits(method, ErrorCount(m, trials), 0.05) for m in (trials - 1, 1))
    assert_allclose(1 - low, few_high, rtol=0, atol=EPS)
    assert_allclose(1 - high, few_low, rtol=0, atol=EPS)
    assert_allclose(1 - low, 5.5257e-11, rtol=0, atol=5e-16)
    assert limits(exact, ErrorCount(trials - 1, trials), 0.05)[0] <= low


@pytest.mark.parametrize("trials", [1, 2, 29, 10**6, *TRIALS])
@pytest.mark.parametrize("alpha", [1e-12, 0.05, 0.5, 0.999])
def test_blakers_interval_lies_in_clopper_and_pearsons_to_the_last_digit(trials, alpha):
    counts = ErrorCount(sorted({0, 1, 2 % (trials + 1), trials // 3, trials // 2, trials - 1, trials}), trials)
    blaker, exact = (
        limits(find_method(name, "interval", ErrorCount), counts, alpha) for name in ("blaker", "clopper-pearson")
    )
    assert np.all(blaker[0] >= exact[0])
    assert np.all(blaker[1] <= exact[1])


@pytest.mark.parametrize("name", ["hpd-uniform", "hpd-jeffreys"])
@pytest.mark.parametrize("alpha", ALPHAS)
def test_a_shortest_set_holds_its_mode(name, alpha):
    """Where the density has one inside: (a − 1)/(a + b − 2). 5·10¹¹ of 10¹² were .5000000115 to .5000000128."""
    prior = 1.0 if name == "hpd-uniform" else 0.5
    for trials in (2, 10, *TRIALS):
        counts = ErrorCount(sorted({1, trials // 4 or 1, trials // 2, trials - 1}), trials)
        low, high = limits(find_method(name, "interval", ErrorCount), counts, alpha)
        mode = (counts.errors + prior - 1) / (counts.trials + 2 * prior - 2)
        assert np.all((low <= mode + EPS * mode) & (mode - EPS * mode <= high))


def test_the_handbook_does_not_overflow():
    """10¹² of 10¹⁵: within a thousandth of the normal limits, 0.001 ± 1.96 √(0.001·0.999/10¹⁵)."""
    low, high = limits(find_method("jeffreys-handbook", "interval", ErrorCount), ErrorCount(10**12, 10**15), 0.05)
    assert_allclose([0.001 - low, high - 0.001], 1.959964 * np.sqrt(0.001 * 0.999 / 1e15), rtol=1e-3)


def test_quantiles_where_scipys_inverse_gives_up():
    """Poisson's limits for 1000 events, which 10¹¹ trials are all but: χ²/2 quantiles (R: qgamma, to 10 digits)."""
    assert_allclose(beta_low(1000.0, 1e15, 0.025) * 1e15, 938.9730184, rtol=1e-9)
    assert_allclose(beta_high(1001.0, 1e15, 0.025) * 1e15, 1063.952136, rtol=1e-9)


def test_what_a_logarithm_has_beyond_its_linear_term():
    """−u²/2 + u³/3 − u⁴/4, exact where u is small; and the plain difference where it is not."""
    u = np.array([1e-12, -1e-9, 1e-5])
    assert_allclose(log1p_beyond_linear(u), -(u**2) / 2 + u**3 / 3 - u**4 / 4, rtol=1e-15)
    assert_allclose(log1p_beyond_linear(np.array([0.0999999, 0.1])), np.log1p([0.0999999, 0.1]) - [0.0999999, 0.1])


def test_a_deviance_keeps_its_digits():
    """Of 10¹⁵ trials, one standard deviation off the peak: ½, but for terms of 1/√n."""
    assert_allclose(deviance(5e14, 5e14, 0.5 + 0.5 / np.sqrt(1e15)), 0.5, rtol=1e-8)


def test_huge_tails_around_their_centre():
    """A symmetric Beta has half its mass on either side, and its tails mirror each other."""
    assert large_beta_tail(5e11, 5e11, 0.5, upper=False) == 0.5
    below = large_beta_tail(5e11, 5e11, 0.499999, upper=False)
    assert_allclose(below, large_beta_tail(5e11, 5e11, 0.500001, upper=True), rtol=1e-9)
