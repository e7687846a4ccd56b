"""Laws that every interval and every test for two test sets obeys."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from tellapart.errors import InvalidOption
from tellapart.evidence import IndependentCounts
from tellapart.methods import Standing, find_methods
from tellapart.methods.independent_counts.two_samples import rarer

INTERVALS = find_methods(gives="interval", evidence=IndependentCounts)
TESTS = find_methods(gives="test", evidence=IndependentCounts)
RULES = {"interval-overlap", "k-se"}
ENUMERATED = {"boschloo", "barnard", "martin-hirschberg-exact"}
SLOW = {*ENUMERATED, "two-betas"}
MIRRORED = {"two": "two", "upper": "lower", "lower": "upper"}
OPPOSITE = {"two-sided": "two-sided", "greater": "less", "less": "greater"}

laws = settings(derandomize=True, deadline=None, max_examples=12)
by_name = {(method.name, method.gives): method for method in (*INTERVALS, *TESTS)}


def each(methods, but=()):
    chosen = [method for method in methods if method.name not in but]
    return pytest.mark.parametrize("method", chosen, ids=lambda method: method.name)


@st.composite
def tables(draw, largest=10**6):
    def count():
        trials = draw(st.one_of(st.integers(1, 12), st.integers(1, largest)))
        return draw(st.one_of(st.sampled_from([0, trials // 2, trials]), st.integers(0, trials))), trials

    return IndependentCounts.from_counts(*count(), *count())


alphas = st.one_of(st.sampled_from([0.5, 0.1, 0.05, 0.01, 1e-6, 1e-12]), st.floats(1e-12, 0.5))
any_alpha = st.one_of(alphas, st.sampled_from([0.6, 0.9]))
sides = st.sampled_from(list(MIRRORED))
alternatives = st.sampled_from(list(OPPOSITE))


def drawn(data, method):
    return data.draw(tables(30 if method.name in SLOW else 10**6))


# --- Intervals --------------------------------------------------------------------------------------------------


@each(INTERVALS)
@laws
@given(st.data(), any_alpha, sides)
def test_limits_are_in_order_in_range_and_mirrored(method, data, alpha, side):
    counts = drawn(data, method)
    here, there = method(counts, alpha=alpha, side=side), method(counts.swapped(), alpha=alpha, side=MIRRORED[side])
    assert np.isfinite(here.low)
    assert np.isfinite(here.high)
    if method.within:
        assert -1 <= here.low <= here.high <= 1
    assert_allclose([there.low, there.high], [-here.high, -here.low], rtol=1e-8, atol=1e-15)


@each(INTERVALS)
@laws
@given(st.data(), any_alpha, any_alpha, sides)
def test_a_higher_level_gives_a_wider_interval(method, data, alpha, other, side):
    counts = drawn(data, method)
    wide, narrow = (method(counts, alpha=each_, side=side) for each_ in sorted((alpha, other)))
    assert wide.low <= narrow.low + 1e-9 * abs(narrow.low) + 1e-15
    assert wide.high >= narrow.high - 1e-9 * abs(narrow.high) - 1e-15


@each(INTERVALS)
@pytest.mark.parametrize("side", list(MIRRORED))
def test_many_at_once_are_many_single_ones(method, side):
    errors = np.array([[0, 3, 10, 0, 7], [5, 1, 12, 12, 0]])
    counts = IndependentCounts.from_counts(errors, 12, errors[::-1], [[12], [17]])
    many = method(counts, alpha=0.1, side=side)
    assert many.low.shape == many.high.shape == (2, 5)
    single = [method(counts[i, j], alpha=0.1, side=side) for i in range(2) for j in range(5)]
    assert all(isinstance(one.low, np.float64) for one in single)
    assert_allclose(many.low.ravel(), [one.low for one in single], rtol=1e-9, atol=1e-15)
    assert_allclose(many.high.ravel(), [one.high for one in single], rtol=1e-9, atol=1e-15)


@each(INTERVALS, but={"wald-independent"})
@pytest.mark.parametrize("sizes", [(1, 1), (3, 200), (10**9, 10**9)])
def test_no_errors_leave_some_doubt(method, sizes):
    n, m = sizes
    for alpha in (0.5, 0.05, 1e-12):
        for table in ((0, n, 0, m), (n, n, m, m), (0, n, m, m), (n, n, 0, m)):
            interval = method(IndependentCounts.from_counts(*table), alpha=alpha)
            assert interval.width > 0.01 / max(sizes)


def test_only_the_textbooks_interval_has_no_width_and_says_so():
    method = by_name["wald-independent", "interval"]
    assert method(IndependentCounts.from_counts(0, 10, 0, 20)).width == 0
    assert "TA204" in {assumption.code for assumption in method.assumes}
    assert [each_.name for each_ in INTERVALS if not each_.within] == ["wald-independent"]


@each(INTERVALS, but={"wald-independent"})
def test_more_errors_never_lower_a_limit(method):
    counts = IndependentCounts.from_counts(np.arange(15)[:, None], 14, np.arange(10), 9)
    interval = method(counts)
    for limit in (interval.low, interval.high):
        assert np.all(np.diff(limit, axis=0) >= -1e-9)
        assert np.all(np.diff(limit, axis=1) <= 1e-9)


# --- Tests ------------------------------------------------------------------------------------------------------


@each(TESTS)
@laws
@given(st.data(), alternatives)
def test_renaming_the_classifiers_changes_nothing_else(method, data, alternative):
    counts = drawn(data, method)
    here = method(counts, alternative=alternative)
    there = method(counts.swapped(), alternative=OPPOSITE[alternative])
    if method.name in RULES:
        assert here.rejects == there.rejects
        assert np.isnan(here.pvalue)
        return
    assert 0 < here.pvalue <= 1
    assert np.isfinite(here.statistic)
    assert_allclose(there.pvalue, here.pvalue, rtol=1e-9)


@each(TESTS, but=RULES)
@pytest.mark.parametrize("table", [(0, 10, 0, 10), (7, 7, 30, 30), (0, 1, 0, 200), (3, 12, 5, 20), (50, 100, 50, 100)])
def test_equal_rates_give_a_pvalue_of_1(method, table):
    assert method(IndependentCounts.from_counts(*table)).pvalue == 1


@each(TESTS)
def test_many_tables_at_once_are_many_single_tables(method):
    rng = np.random.default_rng(7)
    n, m = rng.integers(1, 13, (2, 9, 9))
    counts = IndependentCounts.from_counts(rng.integers(0, n + 1), n, rng.integers(0, m + 1), m)
    many = method(counts)
    assert many.pvalue.shape == (9, 9)
    for i, j in ((0, 0), (3, 4), (8, 8), (5, 1)):
        one = method(counts[i, j])
        assert isinstance(one.pvalue, np.float64)
        assert_allclose(many.pvalue[i, j], one.pvalue, rtol=1e-10)
        assert_allclose(many.statistic[i, j], one.statistic, rtol=1e-10, atol=1e-15)


@pytest.mark.parametrize("name", ["mee", "miettinen-nurminen"])
@settings(laws, max_examples=20)
@given(tables(), alphas, alternatives, st.floats(-0.95, 0.95), st.sampled_from([0, -1e-6, 1e-6]))
def test_the_score_test_rejects_where_the_interval_excludes(name, counts, alpha, alternative, margin, nudge):
    """At every level and every margin, just beside the limits too."""
    side = {"two-sided": "two", "greater": "lower", "less": "upper"}[alternative]
    interval = by_name[name, "interval"](counts, alpha=alpha, side=side)
    if nudge:
        margin = (interval.high if side == "upper" else interval.low) + nudge
        if not -1 < margin < 1:
            return
    if min(abs(margin - interval.low), abs(margin - interval.high)) < 1e-9:
        return
    rejects = by_name[name, "test"](counts, against=margin, alternative=alternative).pvalue < alpha
    assert rejects == (not interval.contains(margin))


@pytest.mark.parametrize(("name", "partner"), [("pooled-z", "mee"), ("n-1-z", "miettinen-nurminen")])
@laws
@given(tables(), alphas)
def test_textbook_tests_decide_as_their_partners(name, partner, counts, alpha):
    test, interval = by_name[name, "test"], by_name[partner, "interval"]
    assert test.partner == partner
    result = test(counts)
    assert_allclose(result.pvalue, by_name[partner, "test"](counts).pvalue, rtol=1e-12)
    if abs(result.pvalue - alpha) > 1e-9:
        assert (result.pvalue < alpha) == (not interval(counts, alpha=alpha).contains(0.0))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_wald_and_mitchells_probability_decide_alike(alternative):
    counts = IndependentCounts.from_counts(np.arange(31)[:, None], 30, np.arange(26), 25)
    side = {"two-sided": "two", "greater": "lower", "less": "upper"}[alternative]
    interval = by_name["wald-independent", "interval"](counts, side=side)
    rejects = by_name["probability-better", "test"](counts, alternative=alternative).pvalue < 0.05
    discordant = np.minimum(np.abs(interval.low), np.abs(interval.high)) > 1e-12
    assert_array_equal(rejects[discordant], ~interval.contains(0.0)[discordant])


@pytest.mark.parametrize("against", [1.0, -1, np.nan, "0.1", [0.1, 0.2, 0.3]])
def test_a_margin_that_cannot_be(against):
    with pytest.raises(InvalidOption, match="`against` must be"):
        by_name["mee", "test"](IndependentCounts.from_counts([1, 2], 9, 3, 9), against=against)


@pytest.mark.parametrize("name", sorted(ENUMERATED))
def test_enumeration_refuses_what_it_cannot_go_through(name):
    with pytest.raises(InvalidOption, match=f"method '{name}' takes up to 4,000,000 outcomes.*method='fisher'"):
        by_name[name, "test"](IndependentCounts.from_counts(3, 10**4, 8, 10**4))


# --- What the standings promise ---------------------------------------------------------------------------------

RATES = np.sin(np.linspace(0, np.pi / 2, 202)[1:-1]) ** 2


def size(method, n, m, alternative, alpha=0.05):
    """Return the largest probability of a rejection over common error rates, by enumeration."""
    counts = IndependentCounts.from_counts(np.arange(n + 1)[:, None], n, np.arange(m + 1), m)
    rejected = method(counts, alternative=alternative).pvalue <= alpha
    a, b = (stats.binom.pmf(np.arange(trials + 1), trials, RATES[:, None]) for trials in (n, m))
    return float(np.max(np.sum((a @ rejected) * b, axis=1)))


@each([method for method in TESTS if method.standing in {Standing.RECOMMENDED, Standing.SOUND}])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_sizes_are_what_the_standing_promises(method, alternative):
    """Over the designs that `holds` names: for the z tests neither size above twice the other."""
    few = [(5, 5), (5, 10), (10, 10), (10, 15), (10, 20)]
    designs = few if method.name in ENUMERATED else [*few, (8, 8), (8, 16), (20, 20), (30, 60), (50, 50), (100, 100)]
    if method.name.startswith("fisher"):
        designs = [*designs, (10, 50), (10, 100), (20, 200), (10, 300)]
    most = 1.0 if method.guarantees else {"recommended": 1.2, "sound": 1.7}[method.standing]
    for n, m in designs:
        if method.name == "fisher-mid-p" and min(n, m) < 10:
            continue
        assert size(method, n, m, alternative) <= most * 0.05 + 1e-12, (n, m)


@pytest.mark.parametrize("alpha", [0.01, 0.1])
@each([method for method in TESTS if method.guarantees])
def test_a_guarantee_holds_at_other_levels(method, alpha):
    for n, m in ((5, 5), (4, 9)):
        assert size(method, n, m, "two-sided", alpha) <= alpha


@each(TESTS, but={*RULES, *ENUMERATED})
def test_where_no_promise_is_made_it_is_broken(method):
    """The reasons given with `holds`, the checks and the lower standings are true."""
    broken = {
        "pooled-z": (15, 60, 0.0915),
        "n-1-z": (15, 60, 0.0915),
        "mee": (15, 60, 0.0915),
        "miettinen-nurminen": (15, 60, 0.0915),
        "fisher-mid-p": (5, 100, 0.0648),
        "two-betas": (10, 10, 0.0876),
        "probability-better": (20, 200, 0.4645),
    }
    if method.guarantees:
        assert method.name not in broken
        return
    n, m, expected = broken[method.name]
    assert size(method, n, m, "two-sided") == pytest.approx(expected, abs=5e-4)


def coverage(method, n, m, alpha=0.05):
    """Return mean and minimum coverage over a grid of two error rates, by enumeration."""
    counts = IndependentCounts.from_counts(np.arange(n + 1)[:, None], n, np.arange(m + 1), m)
    interval = method(counts, alpha=alpha)
    rates = np.r_[0.001, 0.005, np.linspace(0.01, 0.99, 25), 0.995, 0.999]
    a, b = (stats.binom.pmf(np.arange(trials + 1), trials, rates[:, None]) for trials in (n, m))
    discordant = (rates[:, None] - rates)[..., None, None]
    inside = (interval.low <= discordant + 1e-12) & (discordant <= interval.high + 1e-12)
    covered = np.einsum("ik,ijkl,jl->ij", a, inside.astype(float), b, optimize=True)
    return float(covered.mean()), float(covered.min())


@each([method for method in INTERVALS if method.standing in {Standing.RECOMMENDED, Standing.SOUND}])
def test_coverage_is_what_the_standing_promises(method):
    mean, floor = {"recommended": (0.94, 0.83), "sound": (0.93, 0.80)}[method.standing]
    for n, m in ((5, 5), (5, 10), (10, 10), (10, 30), (20, 20)):
        average, lowest = coverage(method, n, m)
        assert average >= mean, (n, m)
        assert lowest >= floor, (n, m)


# --- What is large, and what lies at an end ---


@pytest.mark.parametrize("name", ["fisher", "fisher-mid-p"])
@pytest.mark.parametrize("size", [10**10, 10**15])
def test_one_large_table_is_answered_as_many_are(name, size):
    """Products of such counts are no int64; a scalar and an array have to survive them alike."""
    test = next(offer for offer in find_methods(evidence=IndependentCounts, gives="test") if offer.name == name)
    half = size // 2
    one = test(IndependentCounts.from_counts(half, size, half + int(2 * size**0.5), size)).pvalue
    many = test(IndependentCounts.from_counts([half], size, [half + int(2 * size**0.5)], size)).pvalue
    z = 2 * size**0.5 / np.sqrt(size * 0.5)
    assert_allclose([one, many[0]], 2 * stats.norm.sf(z), rtol=1e-3)


def test_the_posterior_limits_are_where_the_posterior_says():
    """No errors in 10⁷ and 1 in 3: θ_A is all but 0, so the limits are those of −θ_B ~ Beta(1½, 2½)."""
    counts = IndependentCounts.from_counts(0, 10**7, 1, 3)
    for alpha in (0.05, 0.02):
        two = next(offer for offer in find_methods(name="two-betas", gives="interval"))
        limits = two(counts, alpha=alpha)
        assert_allclose(limits.high, -stats.beta.ppf(alpha / 2, 1.5, 2.5), rtol=1e-3)
        assert_allclose(limits.low, -stats.beta.isf(alpha / 2, 1.5, 2.5), rtol=1e-3)


@pytest.mark.parametrize("name", ["boschloo", "barnard", "martin-hirschberg-exact"])
def test_a_long_test_set_is_refused_before_memory_is(name):
    test = next(offer for offer in find_methods(evidence=IndependentCounts, gives="test") if offer.name == name)
    with pytest.raises(InvalidOption, match="Use method='fisher'"):
        test(IndependentCounts.from_counts(1, 3, 500, 900_000))


def test_rates_near_1_are_reported_by_successes_only_where_both_are():
    """rarer() mirrors a pair only if errors are the rule in both test sets; the difference stays."""
    both, one = IndependentCounts.from_counts(8, 10, 9, 10), IndependentCounts.from_counts(8, 10, 1, 10)
    assert rarer(both).a.errors == 1
    assert rarer(one).a.errors == 8
    assert_allclose([rarer(both).difference, rarer(one).difference], [both.difference, one.difference])


def test_the_posterior_limits_reach_the_end_of_what_was_seen():
    """A always wrong and B never: a difference of 1 was seen, and 1 is not ruled out; and the mirror image."""
    two = next(offer for offer in find_methods(name="two-betas", gives="interval"))
    assert two(IndependentCounts.from_counts(20, 20, 0, 20)).high == 1
    assert two(IndependentCounts.from_counts(0, 20, 20, 20)).low == -1
