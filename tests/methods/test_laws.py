"""Laws that every interval for one error rate obeys, and every test of it; run over the registry.

The exceptions stand at the top, each with its reason and a test that it is one.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import ErrorCount, compare, estimate
from tellapart.errors import InvalidOption
from tellapart.methods import find_method, find_methods

INTERVALS = find_methods(gives="interval", evidence=ErrorCount)
TESTS = find_methods(gives="test", evidence=ErrorCount)


def skewed(error):
    """Return the density of Beta(2, 5) up to a factor, as a prior given as a function."""
    return error * (1 - error) ** 4


# Of methods that need one: a prior, or a pool that holds the largest counts below.
OPTIONS = {"beta": {"prior": (2, 5)}, "posterior": {"prior": skewed}, "hypergeometric": {"pool": 10**12}}

# Wald's plug-in variance is 0 at no errors and grows faster than the rate; on the log-odds scale one
# error alone is so uncertain that above 98 % its upper limit exceeds that of two; the acceleration
# of the bootstrap does the same.
NOT_MONOTONE = {method.name for method in find_methods(gives="interval", evidence=ErrorCount) if not method.monotone}
# They see no spread at no errors; their results carry the failed check TA007 there.
NO_WIDTH = {"wald", "percentile", "bca-bootstrap"}
# Two-sided by construction: a bound is another method's, and the check TA008 says so.
TWO_SIDED = {"blaker": "clopper-pearson", "hpd-jeffreys": "jeffreys", "hpd-uniform": "uniform"}
# One capital is bet on both sides, and what the other side has left counts, too: test_anytime.py.
ANYTIME = {"beta-binomial-cs"}
# A prior of its own opinion draws the limits away from what was seen.
OPINIONATED = {"beta", "posterior"}
# Two fits, lower and upper, for as many errors as successes, up to five: not mirror images of each other.
TWO_FITS = {"jeffreys-handbook"}

# Fitted for 95 % only; jeffreys-handbook for 10 to 200 trials.
FITTED = ("jeffreys-approx", "jeffreys-handbook")

laws = settings(derandomize=True, deadline=None, max_examples=12)


def every(methods, but=()):
    """Run a law over the registry, except for those named."""
    chosen = [method for method in methods if method.name not in but]
    return pytest.mark.parametrize("method", chosen, ids=lambda method: method.name)


each_interval, each_test = every(INTERVALS), every(TESTS)

sides = st.sampled_from(["two", "upper", "lower"])
confident = st.one_of(st.sampled_from([0.5, 0.1, 0.05, 0.01, 1e-6, 1e-12]), st.floats(1e-12, 0.5))
any_alpha = st.one_of(confident, st.sampled_from([0.6, 0.9]), st.floats(0.5, 0.95))  # bounds below level ½, too


@st.composite
def runs(draw, longest=150):
    """Give all counts of few trials, or a run of counts and both ends of many."""
    trials = draw(st.one_of(st.integers(1, longest), st.integers(longest, 10**9)))
    if trials <= longest:
        return ErrorCount(np.arange(trials + 1), trials)
    first = draw(st.one_of(st.just(1), st.integers(1, trials // 2), st.integers(1, trials - 12)))
    return ErrorCount(np.r_[0, np.arange(first, first + 12), trials], trials)


@st.composite
def single_counts(draw, largest=10**6):
    trials = draw(st.one_of(st.integers(1, 40), st.integers(1, largest)))
    errors = draw(st.one_of(st.sampled_from([0, trials // 10, trials // 2, trials]), st.integers(0, trials)))
    return ErrorCount(errors, trials)


def draw_request(data, method, alphas=any_alpha, side=sides):
    """Draw counts, alpha and side from where the method is defined."""
    if method.name in FITTED:
        few = st.integers(10, 200).map(lambda trials: ErrorCount(np.arange(trials + 1), trials))
        counts = data.draw(runs() if method.name == "jeffreys-approx" else few)
        side = data.draw(side)
        return counts, 0.05 if side == "two" else 0.025, side
    return data.draw(runs()), data.draw(alphas), data.draw(side)


def limits(method, counts, alpha, side="two"):
    interval = method(counts, alpha=alpha, side=side, **OPTIONS.get(method.name, {}))
    return interval.low, interval.high


# --- Intervals -----------------------------------------------------------------------------------


@each_interval
@laws
@given(st.data())
def test_limits_are_in_order_and_in_range(method, data):
    counts, alpha, side = draw_request(data, method)
    low, high = limits(method, counts, alpha, side)
    assert low.shape == high.shape == counts.shape
    assert np.all(np.isfinite(low) & np.isfinite(high))
    if method.within:
        assert np.all((low >= 0) & (high <= 1))
    if method.within or side == "two":  # below level ½ a bound of Wald's may lie beyond the range's end
        assert np.all(low <= high)


def test_only_wald_leaves_the_range_and_says_so():
    assert {method.name for method in INTERVALS if not method.within} == {"wald", "wald-cc"}
    for name in ("wald", "wald-cc"):
        (check,) = (check for check in estimate(ErrorCount(1, 29), method=name).checks if check.code == "TA006")
        assert not check.holds


@every(INTERVALS, but=NOT_MONOTONE)
@laws
@given(st.data())
def test_more_errors_never_lower_a_limit(method, data):
    counts, alpha, side = draw_request(data, method)
    for limit in limits(method, counts, alpha, side):
        assert np.all(np.diff(limit) >= 0)


@pytest.mark.parametrize(
    ("name", "errors", "trials", "alpha"),
    [("wald", 1, 10, 0.05), ("wald-cc", 1, 10, 0.05), ("logit", 2, 100, 0.01), ("bca-bootstrap", 2, 10, 0.001)],
)
def test_limits_that_are_not_monotone(name, errors, trials, alpha):
    method = find_method(name, "interval", ErrorCount)
    low, high = limits(method, ErrorCount([errors - 1, errors], trials), alpha)
    assert low[1] < low[0] or high[1] < high[0]


@every(INTERVALS, but=FITTED)
@laws
@given(st.data(), any_alpha)
def test_a_higher_level_gives_a_wider_interval(method, data, other):
    counts, alpha, side = draw_request(data, method)
    wide, narrow = (limits(method, counts, each, side) for each in sorted((alpha, other)))
    assert np.all(wide[0] <= narrow[0] + 1e-12 * np.abs(narrow[0]))
    assert np.all(wide[1] >= narrow[1] - 1e-12 * np.abs(narrow[1]))


@every(INTERVALS, but=OPINIONATED | TWO_FITS)
@laws
@given(st.data())
def test_errors_and_successes_may_be_exchanged(method, data):
    counts, alpha, side = draw_request(data, method)
    here = limits(method, counts, alpha, side)
    mirrored = {"two": "two", "upper": "lower", "lower": "upper"}[side]
    there = limits(method, ErrorCount(counts.successes, counts.trials), alpha, mirrored)
    for result, other in zip(here, reversed(there), strict=True):
        assert_allclose(result, 1 - other, rtol=0, atol=1e-14)


def test_only_a_prior_of_its_own_opinion_and_two_fits_break_the_symmetry():
    assert {method.name for method in (*INTERVALS, *TESTS) if not method.symmetric} == OPINIONATED | TWO_FITS


@pytest.mark.parametrize("trials", [2, 3, 9, 10, 11, 12, 57, 200, 1000])
def test_the_handbooks_limits_mirror_each_other_but_for_five_of_ten(trials):
    """Martin and Hirschberg (1996), appendix A.3: lcl(M, m) = 1 − ucl(M, M − m), and at m = M/2 ≤ 5 either is a fit."""
    counts = ErrorCount(np.arange(trials + 1), trials)
    low, high = limits(find_method("jeffreys-handbook", "interval", ErrorCount), counts, 0.05)
    own = (counts.errors == counts.successes) & (counts.errors <= 5)
    assert_allclose(low[~own], 1 - high[::-1][~own], rtol=0, atol=1e-15)
    assert np.all(low[own] != 1 - high[own])
    assert np.all((low <= counts.rate) & (counts.rate <= high))


@every(INTERVALS, but=OPINIONATED)
@laws
@given(st.data())
def test_the_estimate_is_inside(method, data):
    """At level ½ and above; a bound on one side may pass it, as medians do."""
    counts, alpha, _ = draw_request(data, method, alphas=confident, side=st.just("two"))
    low, high = limits(method, counts, alpha)
    assert np.all((low <= counts.rate) & (counts.rate <= high))


@every(INTERVALS, but={*TWO_SIDED, *ANYTIME})
@laws
@given(st.data())
def test_a_bound_is_the_end_of_the_two_sided_interval_at_twice_alpha(method, data):
    counts, alpha, side = draw_request(
        data, method, alphas=st.floats(1e-12, 0.45), side=st.sampled_from(["upper", "lower"])
    )
    both, bound = limits(method, counts, 2 * alpha), limits(method, counts, alpha, side)
    end = {"lower": 0, "upper": 1}[side]
    assert_array_equal(bound[end], both[end])
    assert np.all(bound[1 - end] == 1 - end)


@pytest.mark.parametrize(("name", "stand_in"), TWO_SIDED.items())
@pytest.mark.parametrize("side", ["upper", "lower"])
def test_two_sided_constructions_lend_their_bounds_and_say_so(name, stand_in, side):
    counts = ErrorCount(np.arange(30), 29)
    answer = estimate(counts, method=name, side=side)
    assert [check.code for check in answer.checks if not np.all(check.holds)] == ["TA008"]
    borrowed = estimate(counts, method=stand_in, side=side).interval
    assert_array_equal([answer.interval.low, answer.interval.high], [borrowed.low, borrowed.high])
    assert all(np.all(check.holds) for check in estimate(counts, method=name).checks)


@each_interval
@pytest.mark.parametrize("trials", [10, 29, 200])
def test_no_errors_leave_some_doubt(method, trials):
    """An interval of no width is a bug, or a forbidden method's with its check."""
    answer = estimate(ErrorCount([0, trials], trials), method=method.name, **OPTIONS.get(method.name, {}))
    failed = {check.code for check in answer.checks if not np.any(check.holds)}
    if method.name in NO_WIDTH:
        assert np.all(answer.interval.width == 0)
        assert {"TA007", "TA010"} <= failed
        assert method.standing == "forbidden"
    else:
        assert np.all(answer.interval.width > 1e-3 / trials)
        assert "TA007" not in failed


@each_interval
@laws
@given(st.data())
def test_level_and_alpha_are_one_number(method, data):
    level = 0.95 if method.name in FITTED else data.draw(st.floats(0.01, 1 - 1e-12))
    count, options = ErrorCount(3, 120), OPTIONS.get(method.name, {})
    by_level = estimate(count, method=method.name, level=level, **options).interval
    by_alpha = estimate(count, method=method.name, alpha=1 - level, **options).interval
    assert (by_level.low, by_level.high) == (by_alpha.low, by_alpha.high)
    assert by_level.level == level
    assert by_alpha.alpha == by_level.alpha == 1 - level


@each_interval
@pytest.mark.parametrize("side", ["two", "upper", "lower"])
@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-12])
def test_many_counts_at_once_are_many_single_counts(method, side, alpha):
    """More than 64 are computed once each and mirrored; one count may not depend on the others."""
    if method.name in FITTED:
        alpha = 0.05 if side == "two" else 0.025
    trials = np.repeat(
        [10, 11, 57, 120, 200] if method.name == "jeffreys-handbook" else [1, 2, 29, 1000, 9655, 10**7], 30
    )
    errors = np.minimum((trials * np.linspace(0, 1, trials.size) ** 2).astype(int), trials)
    errors[::7], errors[3::7], errors[5::7] = 0, 1, trials[5::7]
    counts = ErrorCount(errors, trials)
    together = limits(method, counts, alpha, side)
    alone = np.array([limits(method, counts[i], alpha, side) for i in range(0, trials.size, 6)]).T
    for many, single in zip(together, alone, strict=True):
        assert_allclose(many[::6], single, rtol=1e-12, atol=0)


@each_interval
def test_any_shape_and_any_number(method):
    """Two dimensions, and more counts than one block of the closed forms holds."""
    trials = 150
    errors = np.arange(151 * 120) % (trials + 1)
    row, many = np.arange(trials + 1), errors.reshape(151, 120)
    low, high = limits(method, ErrorCount(row, trials), 0.05)
    wide_low, wide_high = limits(method, ErrorCount(many, trials), 0.05)
    assert wide_low.shape == wide_high.shape == many.shape
    assert_allclose(wide_low, low[many], rtol=1e-13)
    assert_allclose(wide_high, high[many], rtol=1e-13)


@every(INTERVALS, but=FITTED)
@pytest.mark.parametrize("trials", [1, 10**9])
@pytest.mark.parametrize("alpha", [0.5, 0.05, 1e-12])
def test_extreme_counts(method, trials, alpha):
    counts = ErrorCount(sorted({0, 1, trials // 2, trials - 1, trials}), trials)
    low, high = limits(method, counts, alpha)
    assert np.all(np.isfinite(low) & np.isfinite(high))
    if method.within:
        assert low[0] == 0
        assert high[-1] == 1
    if method.name not in NO_WIDTH:
        assert np.all(low < high)


@pytest.mark.parametrize("name", ["jeffreys", "clopper-pearson", "mid-p", "wilson", "uniform", "likelihood-ratio"])
@pytest.mark.parametrize("trials", [10**12, 10**15, 2**53])
def test_the_largest_counts_that_are_accepted(name, trials):
    """Counts are exact up to 2⁵³; there the limits are the normal ones, to the digits that 1/n leaves."""
    errors = np.array([trials // 1000, trials // 10, trials // 2, trials - trials // 10])
    counts = ErrorCount(errors, trials)
    low, high = limits(find_method(name, "interval", ErrorCount), counts, 0.05)
    reach = 1.959963984540054 * counts.standard_error
    assert_allclose(counts.rate - low, reach, rtol=1e-3)
    assert_allclose(high - counts.rate, reach, rtol=1e-3)


@laws
@given(runs(longest=80), confident)
def test_blakers_interval_lies_in_clopper_and_pearsons(counts, alpha):
    blaker, exact = (
        limits(find_method(name, "interval", ErrorCount), counts, alpha) for name in ("blaker", "clopper-pearson")
    )
    assert np.all(blaker[0] >= exact[0])
    assert np.all(blaker[1] <= exact[1])


@pytest.mark.parametrize(("alpha", "side"), [(0.1, "two"), (0.05, "upper"), (0.05, "lower"), (0.01, "two")])
def test_fitted_formulas_are_for_95_percent_only(alpha, side):
    few, many = ErrorCount(3, 120), ErrorCount(30, 120)
    with pytest.raises(InvalidOption, match="must have level"):
        estimate(few, method="jeffreys-approx", alpha=alpha, side=side)
    with pytest.raises(InvalidOption, match="must have level"):
        estimate(few, method="jeffreys-handbook", alpha=alpha, side=side)
    assert estimate(many, method="jeffreys-handbook", alpha=alpha, side=side).interval.width > 0


# --- Tests against a threshold -------------------------------------------------------------------

SIDES = {"two-sided": "two", "less": "upper", "greater": "lower"}
alternatives = st.sampled_from(list(SIDES))
thresholds = st.one_of(st.floats(1e-6, 1 - 1e-6), st.sampled_from([1e-300, 0.001, 0.05, 0.5, 0.95, 1 - 2**-53]))


def pvalue(method, counts, threshold, alternative):
    return method(counts, against=threshold, alternative=alternative, **OPTIONS.get(method.name, {})).pvalue


@each_test
@settings(laws, max_examples=20)
@given(single_counts(), confident, alternatives, st.floats(1e-4, 1 - 1e-4), st.sampled_from([0, -1e-6, 1e-6]))
def test_the_test_rejects_where_the_interval_excludes(method, count, alpha, alternative, threshold, nudge):
    """Two-sided and interval, "less" and upper bound, "greater" and lower bound: one decision."""
    low, high = limits(find_method(method.name, "interval", ErrorCount), count, alpha, SIDES[alternative])
    if nudge:  # just inside or outside of a limit, where there is one to speak of
        limit = low if 1e-9 < low < 1 - 1e-6 else high
        if not 1e-9 < limit < 1 - 1e-6:
            return
        threshold = float(limit * (1 + nudge))
    result = pvalue(method, count, threshold, alternative)
    outside = not low <= threshold <= high
    if method.name == "blaker" and not outside:
        return  # the interval is a hull, and the test may reject in its holes
    assert (result < alpha) == outside, (result, low, high, threshold)


@each_test
@laws
@given(single_counts(), thresholds, alternatives)
def test_a_pvalue_is_above_0_and_at_most_1(method, count, threshold, alternative):
    assert 0 < pvalue(method, count, threshold, alternative) <= 1


@each_test
@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("threshold", [1e-300, 1e-9, 0.5, 1 - 1e-9])
def test_a_pvalue_is_never_0(method, alternative, threshold):
    trials = 10**9
    counts = ErrorCount([0, 1, trials // 2, trials - 1, trials], trials)
    result = pvalue(method, counts, threshold, alternative)
    assert np.all((result >= np.finfo(float).tiny) & (result <= 1))


@every(TESTS, but=OPINIONATED)
@settings(laws, max_examples=20)
@given(single_counts(), st.integers(1, 1023), alternatives)
def test_exchanging_errors_and_successes_exchanges_less_and_greater(method, count, parts, alternative):
    threshold = parts / 1024  # so that 1 − threshold is exact
    mirrored = {"two-sided": "two-sided", "less": "greater", "greater": "less"}[alternative]
    here = pvalue(method, count, threshold, alternative)
    there = pvalue(method, ErrorCount(count.successes, count.trials), 1 - threshold, mirrored)
    assert_allclose(here, there, rtol=1e-7, atol=1e-300)


@pytest.mark.parametrize("name", ["hpd-jeffreys", "hpd-uniform", "jeffreys", "wilson", "clopper-pearson"])
def test_hardly_any_success_in_a_billion_is_not_one_half(name):
    """The mirror image of 1 error: what is out of the question there is out of the question here."""
    trials = 10**9
    pvalue = compare(ErrorCount([1, trials - 1], trials), against=0.5, method=name).pvalue
    assert np.all(pvalue < 1e-300)


@each_test
def test_many_tests_at_once_are_many_single_tests(method):
    counts = ErrorCount([[0, 1, 3], [60, 119, 120]], 120)
    against = np.array([[0.01, 0.02, 0.05], [0.4, 0.97, 0.99]])
    together = pvalue(method, counts, against, "two-sided")
    assert together.shape == (2, 3)
    for index in np.ndindex(2, 3):
        assert_allclose(together[index], pvalue(method, counts[index], against[index], "two-sided"), rtol=1e-12)


@laws
@given(single_counts(), st.floats(1e-4, 1 - 1e-4))
def test_the_acceptability_is_at_most_the_doubled_tail(count, threshold):
    """Blaker's test rejects whenever the exact test does."""
    blaker, exact = (
        pvalue(find_method(name, "test", ErrorCount), count, threshold, "two-sided")
        for name in ("blaker", "clopper-pearson")
    )
    assert blaker <= exact * (1 + 1e-9)
