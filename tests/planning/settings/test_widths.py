"""Widths of intervals to come, against plain sums over every outcome, and the textbook's exercise."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import beta, binom

from tellapart.errors import InvalidOption
from tellapart.evidence import ErrorCount, IndependentCounts, PairedTable
from tellapart.methods import find_method, find_methods
from tellapart.planning import plan
from tellapart.planning.settings.widths import Limits, PairWidth, RateWidth, TwoSetsWidth

RATES = [result for result in find_methods(gives="interval", evidence=ErrorCount) if not result.required]
DIFFERENCES = [
    result
    for result in find_methods(gives="interval", evidence=PairedTable)
    if result.parameter == "difference"
    and result.reads != "cells"
    and "rng" not in result.options
    and result.name != "unconditional"
]
SETS = [result for result in find_methods(gives="interval", evidence=IndependentCounts) if result.name != "two-betas"]


def _name(method):
    return method.name


# --- One error rate -------------------------------------------------------------------------------


def test_mitchells_exercise():
    """Exercise 5.4: below 0.1 wide at 95 %, error between 0.2 and 0.6: n > (2·1.96/0.1)²·0.25 = 384.16, so 385.

    What the formula takes to be observed is the mean over all outcomes here, and √(p(1 − p)) is on average less than at
    the average: 384 examples do.
    """
    result = plan(width=0.1, error=(0.2, 0.6), method="wald")
    assert math.ceil(result.formula) == 385
    assert_allclose(result.formula, 384.16, atol=0.02)
    assert result.size == 384
    assert_allclose(result.setting.worst(384)[0], 0.5)
    errors = np.arange(385)
    widths = 2 * 1.959963984540054 * np.sqrt(errors / 384 * (1 - errors / 384) / 384)
    assert_allclose(result.width, binom.pmf(errors, 384, 0.5) @ widths, rtol=1e-9)


def test_the_worst_of_a_range_may_be_at_its_end():
    assert plan(width=0.1, error=(0.1, 0.3)).size == plan(width=0.1, error=0.3).size
    assert plan(width=0.1, error=(0.7, 0.9)).size == plan(width=0.1, error=0.7).size
    assert plan(width=0.1).size == plan(width=0.1, error=0.5).size
    assert plan(width=0.1, error=(0.1, 0.3)).formula == pytest.approx((2 * 1.959964 / 0.1) ** 2 * 0.21, rel=1e-5)


@pytest.mark.parametrize("method", RATES, ids=_name)
def test_every_interval_of_a_rate(method):
    for side in ("two", "upper", "lower"):
        alpha = 0.05 if side == "two" else 0.025  # some know no other level
        limits = Limits(method=method, alpha=alpha, side=side)
        for n, error in ((1, 0.3), (25, 0.1), (40, 0.0)):
            counts = ErrorCount(np.arange(n + 1), n)
            result = method(counts, alpha=alpha, side=side)
            reach = {"two": result.high - result.low, "upper": result.high - error, "lower": error - result.low}[side]
            expected = binom.pmf(counts.errors, n, error) @ reach
            assert_allclose(RateWidth(limits=limits, low=error, high=error).width(n), expected, rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize(("width", "size"), [(0.01, 299), (0.05, 59)])
def test_no_errors_expected(width, size):
    """An upper bound from no errors is 1 − α^(1/n): ln α/ln(1 − width) examples."""
    result = plan(error=0.0, width=width, method="clopper-pearson", side="upper")
    assert result.size == size == math.ceil(math.log(0.05) / math.log(1 - width))
    assert math.ceil(result.formula) == size
    assert_allclose(result.width, 1 - 0.05 ** (1 / size), rtol=1e-9)


def test_examples_to_width_and_back():
    """What so many examples are expected to give is what it takes so many to get."""
    settings_ = plan(examples=400, error=0.2)
    assert settings_.solved == "width"
    assert plan(width=settings_.width + 1e-12, error=0.2).size == 400
    assert_allclose(settings_.formula, 2 * 1.959964 * math.sqrt(0.2 * 0.8 / 400), rtol=1e-6)


def test_assurance():
    """Jeffreys' interval by SciPy's Beta: of 200 examples at 10 %, so wide or less nine times out of ten."""
    errors = np.arange(201)
    low = np.where(errors == 0, 0, beta.ppf(0.025, errors + 0.5, 200.5 - errors))
    high = np.where(errors == 200, 1, beta.ppf(0.975, errors + 0.5, 200.5 - errors))
    result = plan(examples=200, error=0.1, assurance=0.9)
    chance = binom.pmf(errors, 200, 0.1)
    assert chance[(high - low) <= result.width + 1e-12].sum() >= 0.9
    assert chance[(high - low) < result.width - 1e-12].sum() < 0.9
    assert_allclose(plan(examples=200, assurance=1).width, np.max(high - low), rtol=1e-9)
    assert plan(width=0.08, error=0.1).size < plan(width=0.08, error=0.1, assurance=0.9).size
    assert "or less with 90% assurance" in result.answer


@pytest.mark.parametrize(("side", "low", "high"), [("upper", 0.0, 0.3), ("lower", 0.4, 1.0), ("two", 0.1, 0.35)])
def test_the_worst_of_a_range_with_assurance(side, low, high):
    """What is seldom exceeded jumps from rate to rate: none of a fine grid is wider, and one is as wide."""
    errors, rates = np.arange(21), np.linspace(low, high, 4001)
    limits = find_method("wilson", "interval", ErrorCount)(ErrorCount(errors, 20), alpha=0.05, side=side)
    away = {"two": limits.high - limits.low, "upper": limits.high, "lower": -limits.low}[side]
    reach = away + {"two": 0, "upper": -1, "lower": 1}[side] * rates[:, None]
    order = np.argsort(reach, axis=1)
    often = np.cumsum(np.take_along_axis(binom.pmf(errors, 20, rates[:, None]), order, axis=1), axis=1) >= 0.9
    there = np.take_along_axis(order, np.argmax(often, axis=1)[:, None], axis=1)
    widest = np.take_along_axis(reach, there, axis=1).max()
    result = plan(examples=20, error=(low, high), side=side, assurance=0.9, method="wilson").width
    assert widest - 1e-9 <= result <= widest + (high - low) / 4000


def test_very_many():
    result = plan(examples=10**9, error=0.3)
    assert_allclose(result.width, result.formula, rtol=1e-6)
    never = plan(width=1e-9, error=0.3)
    assert not never.reached
    assert never.answer == "More than 1,000,000,000 examples are needed for such an interval."


def test_a_pilot_has_an_interval_of_its_own():
    result = plan(ErrorCount(3, 120), width=0.02)
    assert result.size == plan(error=0.025, width=0.02).size
    low, high = beta.ppf(0.025, 3.5, 117.5), beta.ppf(0.975, 3.5, 117.5)
    assert result.beside[0].value == plan(error=(low, high), width=0.02).size
    assert "3 errors in 120 examples" in result.words


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(["jeffreys", "wilson", "clopper-pearson"]), st.floats(0.05, 0.5), st.floats(0.05, 0.9))
def test_the_size_is_the_first_that_is_enough(name, width, error):
    result = plan(width=width, error=error, method=name)
    assert result.width <= width
    if result.size > 1:
        assert result.setting.width(result.size - 1) > width


# --- The difference of two ------------------------------------------------------------------------


@pytest.mark.parametrize("method", DIFFERENCES, ids=_name)
def test_every_interval_of_a_paired_difference(method):
    n, disagreement, difference = 14, 0.4, 0.1
    b, c = (part.ravel() for part in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
    b, c = b[b + c <= n], c[b + c <= n]
    chance = binom.pmf(b + c, n, disagreement) * binom.pmf(b, b + c, (1 + difference / disagreement) / 2)
    for side in ("two", "upper", "lower"):
        result = method(PairedTable(0 * b, b, c, n - b - c), alpha=0.05, side=side)
        reach = {"two": result.high - result.low, "upper": result.high - difference, "lower": difference - result.low}[
            side
        ]
        setting = PairWidth(limits=Limits(method=method, side=side), disagreement=disagreement, difference=difference)
        assert_allclose(setting.width(n), chance @ reach, rtol=1e-9)


@pytest.mark.parametrize("method", SETS, ids=_name)
def test_every_interval_of_two_sets(method):
    a, b = np.meshgrid(np.arange(11), np.arange(21), indexing="ij")
    result = method(IndependentCounts(ErrorCount(a, 10), ErrorCount(b, 20)), alpha=0.05, side="two")
    expected = (binom.pmf(a, 10, 0.3) * binom.pmf(b, 20, 0.2) * (result.high - result.low)).sum()
    setting = TwoSetsWidth(limits=Limits(method=method), error_a=0.3, error_b=0.2, ratio=2.0)
    assert_allclose(setting.width(10), expected, rtol=1e-9)


def test_distant_outcomes_stand_for_their_neighbours():
    """Three outcomes to a standard deviation are enough for a mean: all of them give the same digits."""
    tango = find_method("tango", "interval", PairedTable)
    n = 5000
    evidence = np.arange(400, 601)  # disagreements within five standard deviations and more
    chance = binom.pmf(evidence, n, 0.1)
    total = 0.0
    for significant, weight in zip(evidence, chance, strict=True):
        b = np.arange(significant + 1)
        result = tango(PairedTable(0 * b, b, significant - b, n - significant), alpha=0.05, side="two")
        total += weight * (binom.pmf(b, significant, 0.6) @ (result.high - result.low))
    thin = PairWidth(limits=Limits(method=tango), disagreement=0.1, difference=0.02).width(n)
    assert_allclose(thin, total / chance.sum(), rtol=1e-6)


def test_a_width_of_a_difference():
    result = plan(width=0.02, disagreement=0.06)
    assert (result.method, result.difference) == ("tango", 0.0)
    assert_allclose(result.formula, (2 * 1.959964 / 0.02) ** 2 * 0.06, rtol=1e-5)
    assert result.setting.width(result.size) <= 0.02 < result.setting.width(result.size - 1)
    assert plan(width=0.02, disagreement=0.0).size > 100  # Tango's interval of n agreements is 2z²/(n + z²) wide
    assert plan(width=0.02, disagreement=0.0).size == math.ceil(1.959964**2 * (2 / 0.02 - 1))
    significant = plan(width=0.04, error_a=0.12, error_b=0.1, independent=True)
    assert significant.unit == "examples of each"
    assert_allclose(significant.size, significant.formula, rtol=0.02)


@pytest.mark.parametrize(
    ("options", "trouble"),
    [
        ({"width": 0.1, "examples": 10}, "one of `width` and `examples` must be set"),
        ({"width": 0.1, "power": 0.8}, "`power`, `margin`, `hypothesis` and `alternative` are for tests, got a width"),
        (
            {"width": 0.1, "error": (0.6, 0.2)},
            r"`error` must be a rate, or two with the smaller first, got \(0\.6, 0\.2\)\.",
        ),
        ({"width": 10, "error": 0.1}, "must be between 0 and 1"),
        ({"width": 0.1, "difference": 0.1}, "`disagreement` is required for the width of a difference"),
        ({"width": 0.1, "disagreement": 0.1, "method": "percentile"}, "draws at random"),
        ({"width": 0.1, "disagreement": 0.1, "method": "odds-exact"}, "of the odds"),
        (
            {"width": 0.1, "disagreement": 0.1, "method": "newcombe-paired"},
            "`method` of a plan must not be 'newcombe-paired', which needs the number of examples that both",
        ),
        (
            {"width": 0.1, "disagreement": 0.1, "difference": 0.2},
            r"`difference` must be at most the discordant rate \(0\.1\), got 0\.2\. For 1 pp use 0\.01\.",
        ),
        ({"width": 0.1, "error": 0.1, "method": "beta"}, "`prior` is required by method 'beta'"),
        ({"width": 0.1, "error": 0.1, "against": 0.1}, "`against` is for one classifier without a width"),
    ],
)
def test_bad_input(options, trouble):
    with pytest.raises(InvalidOption, match=trouble):
        plan(**options)


def test_options_pass_through():
    """A uniform prior is method "uniform" by another name."""
    here, there = (
        plan(width=0.1, error=0.1, **options)
        for options in ({"method": "beta", "prior": (1, 1)}, {"method": "uniform"})
    )
    assert here.size == there.size
