"""Laws that every test and every interval of two classifiers on one test set obeys; run over the registry.

The exceptions stand at the top, each with its reason.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import ndtri

from tellapart import PairedTable, compare
from tellapart.methods import find_method, find_methods

EVERYTHING = find_methods(evidence=PairedTable)
TESTS = [method for method in EVERYTHING if method.gives == "test"]
INTERVALS = [method for method in EVERYTHING if method.gives == "interval"]

# Verdicts, which have no p-value.
RULES = {"k-se", "interval-overlap"}
# They enumerate all tables of a size.
SLOW = {"mcnemar-unconditional", "unconditional"}
# They draw: mirrored tables get other draws.
DRAWN = {"percentile", "bca-bootstrap"}
# They see no spread where nobody disagrees (or only one errs, always); their results carry a failed check there.
NO_WIDTH = {"wald-paired", "yang-paired", *DRAWN}
# They look at the errors of each classifier, so at both_wrong as well.
FOUR_CELLS = {"difference-of-proportions", "two-se", "two-intervals", "newcombe-paired", "reduction-score", *RULES}
# One capital is bet on both sides, and what the other side has left counts, too: test_anytime.py.
ANYTIME = {"mcnemar-evalue"}
# A prior guess of the disagreements moves the centre.
CENTRED_ELSEWHERE = {"bonett-price", "agresti-min"}

RANGES = {"difference": (-1, 1), "odds": (0, np.inf), "reduction": (-np.inf, 1)}
OPPOSITE = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
MIRRORED = {"two": "two", "upper": "lower", "lower": "upper"}

laws = settings(derandomize=True, deadline=None, max_examples=12)
few = settings(derandomize=True, deadline=None, max_examples=8)


def every(methods, but=()):
    """Run a law over the registry, except for those named."""
    chosen = [method for method in methods if method.name not in but]
    return pytest.mark.parametrize("method", chosen, ids=lambda method: method.name)


alternatives = st.sampled_from(["two-sided", "greater", "less"])
sides = st.sampled_from(["two", "upper", "lower"])
alphas = st.one_of(st.sampled_from([0.5, 0.1, 0.05, 0.01, 1e-6, 1e-12]), st.floats(1e-12, 0.49))


@st.composite
def paired_tables(draw, size=6, largest=10**9):
    """Give a handful of tables: small ones, large ones, and ones with empty cells."""
    rows = []
    for _ in range(size):
        most = draw(st.sampled_from([1, 3, 12, 60, 2000, largest]))
        cell = st.one_of(st.just(0), st.integers(0, most // 4 if most > 8 else most))
        row = [draw(cell) for _ in range(4)]
        rows.append(row if sum(row) else [0, 0, 0, 1])
    return PairedTable(*np.array(rows).T)


def tables_for(method):
    return paired_tables(size=3, largest=12) if method.name in SLOW else paired_tables()


def small(method, data):
    """Draw tables that the method can take: those that enumerate get few examples."""
    table = data.draw(tables_for(method))
    if method.name in SLOW:
        cells = (table.both_wrong, table.only_a_wrong, table.only_b_wrong, table.both_right)
        table = PairedTable(*(np.minimum(cell, 12) for cell in cells))
    return table


def limits(method, table, alpha=0.05, side="two"):
    options = {"resamples": 200} if method.name in DRAWN else {}
    if method.name in DRAWN:
        alpha = max(alpha, 0.01)  # no drawn value is rarer
    interval = method(table, alpha=alpha, side=side, **options)
    assert interval.parameter == method.parameter
    return interval.low, interval.high


# --- Tests ---------------------------------------------------------------------------------------


@every(TESTS, but=RULES)
@few
@given(st.data(), alternatives)
def test_a_p_value_is_one(method, data, alternative):
    table = small(method, data)
    result = method(table, alternative=alternative)
    assert result.pvalue.shape == table.shape
    assert np.all((result.pvalue > 0) & (result.pvalue <= 1))
    assert not np.any(np.isnan(result.statistic))


@every([method for method in TESTS if method.name in RULES])
@laws
@given(paired_tables(), alternatives)
def test_a_rule_has_a_verdict_instead(method, table, alternative):
    result = method(table, alternative=alternative)
    assert np.all(np.isnan(result.pvalue))
    assert result.rejects.dtype == bool
    assert not np.any(result.rejects & (table.only_a_wrong == table.only_b_wrong))


@every(TESTS)
@few
@given(st.data(), alternatives)
def test_renaming_the_classifiers_only_turns_the_sides(method, data, alternative):
    table = small(method, data)
    here = method(table, alternative=alternative)
    there = method(table.swapped(), alternative=OPPOSITE[alternative])
    assert_allclose(there.pvalue, here.pvalue, rtol=1e-9)
    if here.rejects is not None:
        assert_array_equal(there.rejects, here.rejects)


@every(TESTS, but=RULES)
@few
@given(st.data())
def test_the_two_sides_make_up_the_whole(method, data):
    """The smaller side's p-value is at most ½ wherever somebody has fewer errors; two-sided is never below it."""
    table = small(method, data)
    two, greater, less = (method(table, alternative=each).pvalue for each in OPPOSITE)
    ahead = table.only_a_wrong >= table.only_b_wrong
    one = np.where(ahead, greater, less)
    assert np.all(two >= one * (1 - 1e-12))
    if method.name not in SLOW:
        assert np.all(np.where(ahead, less, greater) >= one * (1 - 1e-12))


@every(TESTS, but=RULES)
@few
@given(st.data(), alternatives)
def test_a_batch_of_tables_is_a_loop_over_them(method, data, alternative):
    table = small(method, data)
    together = method(table, alternative=alternative)
    for index in range(table.shape[0]):
        alone = method(table[index], alternative=alternative)
        assert alone.shape == ()
        assert_allclose(alone.pvalue, together.pvalue[index], rtol=1e-12)
        assert_allclose(alone.statistic, together.statistic[index], rtol=1e-12, atol=1e-300)


@every(TESTS, but=FOUR_CELLS | SLOW)
@laws
@given(paired_tables(), alternatives)
def test_where_both_are_wrong_or_both_right_does_not_matter(method, table, alternative):
    moved = PairedTable(table.both_right, table.only_a_wrong, table.only_b_wrong, table.both_wrong)
    assert_array_equal(method(moved, alternative=alternative).pvalue, method(table, alternative=alternative).pvalue)
    if method.name.startswith(("mcnemar", "dirichlet")):
        discordant = table.disagreements > 0
        count = (
            PairedTable(0, table.only_a_wrong[discordant], table.only_b_wrong[discordant], 0)
            if discordant.any()
            else None
        )
        if count is not None:
            expected = method(table, alternative=alternative).pvalue[discordant]
            assert_allclose(method(count, alternative=alternative).pvalue, expected, rtol=1e-12)


@every(TESTS, but=RULES)
def test_classifiers_that_never_disagree_are_not_significantly_different(method):
    for table in (PairedTable(0, 0, 0, 1), PairedTable(1, 0, 0, 0), PairedTable(40, 0, 0, 60)):
        assert method(table).pvalue == 1
    if method.name not in SLOW:
        assert method(PairedTable(0, 0, 0, 10**9)).pvalue == 1


@every(TESTS, but=RULES | SLOW)
@laws
@given(st.integers(1, 10**8))
def test_a_tie_is_no_difference(method, discordant):
    assert_allclose(method(PairedTable(5, discordant, discordant, 7)).pvalue, 1, rtol=1e-12)


@every(TESTS, but=RULES | SLOW)
@laws
@given(st.integers(2, 400))
def test_more_discordant_errors_of_a_speak_more_against_a(method, n):
    b = np.arange(n // 2, n + 1) if method.name != "two-intervals" else np.arange(n // 2, n)
    pvalue = method(PairedTable(0, b, n - b, 3 * n), alternative="greater").pvalue
    assert np.all(np.diff(pvalue) <= 1e-12)


# --- Intervals -----------------------------------------------------------------------------------


@every(INTERVALS)
@few
@given(st.data(), alphas, sides)
def test_limits_are_in_order_and_in_range(method, data, alpha, side):
    table = small(method, data)
    low, high = limits(method, table, alpha, side)
    least, most = RANGES[method.parameter]
    assert low.shape == high.shape == table.shape
    assert not np.any(np.isnan(low) | np.isnan(high))
    assert np.all((low >= least) & (high <= most) & (low <= high))
    if side == "upper":
        assert np.all(low == least)
    if side == "lower":
        assert np.all(high == most)


@every(INTERVALS, but=NO_WIDTH)
@few
@given(st.data())
def test_every_interval_has_width(method, data):
    low, high = limits(method, small(method, data))
    assert np.all(low < high)


@pytest.mark.parametrize("name", sorted(NO_WIDTH))
def test_intervals_without_width_say_so(name):
    answer = compare(PairedTable(10, 0, 0, 90), interval=name, method="mcnemar-mid-p")
    assert answer.interval.width == 0
    assert not {check.code: check for check in answer.checks}["TA103"].holds


@every(INTERVALS, but=DRAWN)
@few
@given(st.data(), alphas, sides)
def test_renaming_the_classifiers_mirrors_the_limits(method, data, alpha, side):
    table = small(method, data)
    low, high = limits(method, table, alpha, side)
    there = limits(method, table.swapped(), alpha, MIRRORED[side])
    turned = {
        "difference": lambda limit: -limit,
        "odds": _inverse,
        "reduction": lambda limit: 1 - _inverse(1 - limit),
    }[method.parameter]
    # 1 − 1/(1 − r) of a reduction r near 1 is a ratio of small differences.
    loose = {"reduction": 1e-7}.get(method.parameter, 1e-10)
    assert_allclose(turned(there[1]), low, rtol=loose, atol=1e-11)
    assert_allclose(turned(there[0]), high, rtol=loose, atol=1e-11)


def _inverse(limit):
    with np.errstate(divide="ignore"):
        return 1 / np.asarray(limit, dtype=float)


@every(INTERVALS, but=DRAWN)
@few
@given(st.data(), alphas, alphas, sides)
def test_a_higher_level_gives_a_wider_interval(method, data, alpha, other, side):
    table = small(method, data)
    wide, narrow = (limits(method, table, each, side) for each in sorted((alpha, other)))
    slack = 1e-11 if method.name in SLOW else 1e-13
    assert np.all(wide[0] <= narrow[0] + slack * (1 + np.nan_to_num(np.abs(narrow[0]), posinf=0)))
    assert np.all(wide[1] >= narrow[1] - slack * (1 + np.nan_to_num(np.abs(narrow[1]), posinf=0)))


@every(INTERVALS, but=CENTRED_ELSEWHERE | {"bca-bootstrap"})
@few
@given(st.data(), alphas)
def test_the_estimate_is_inside(method, data, alpha):
    table = small(method, data)
    low, high = limits(method, table, alpha)
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = {
            "difference": table.difference,
            "odds": table.only_a_wrong / table.only_b_wrong,
            "reduction": 1 - table.count_b.errors / table.count_a.errors,
        }[method.parameter]
    known = ~np.isnan(estimate)
    near = 1e-12 * (1 + np.nan_to_num(np.abs(estimate), posinf=0, neginf=0))
    assert np.all((low - near <= estimate)[known] & (estimate <= high + near)[known])


@every(INTERVALS, but=DRAWN)
@few
@given(st.data(), alphas, sides)
def test_a_batch_of_limits_is_a_loop_over_them(method, data, alpha, side):
    table = small(method, data)
    low, high = limits(method, table, alpha, side)
    for index in range(table.shape[0]):
        alone = limits(method, table[index], alpha, side)
        assert np.shape(alone[0]) == ()
        assert_allclose(alone, (low[index], high[index]), rtol=1e-12, atol=1e-16)


@every(INTERVALS, but=DRAWN | ANYTIME)
@few
@given(st.data(), st.floats(1e-12, 0.24))
def test_a_bound_is_the_end_of_the_two_sided_interval_at_twice_alpha(method, data, alpha):
    table = small(method, data)
    both = limits(method, table, 2 * alpha)
    lower, upper = limits(method, table, alpha, "lower"), limits(method, table, alpha, "upper")
    assert_allclose(lower[0], both[0], rtol=1e-11, atol=1e-11)
    assert_allclose(upper[1], both[1], rtol=1e-11, atol=1e-11)


def test_without_disagreements_tangos_limits_are_known():
    n = np.array([1, 5, 44, 268, 10**9])
    for alpha in (0.5, 0.05, 1e-12):
        z = -ndtri(alpha / 2)
        low, high = limits(find_method("tango", "interval", PairedTable), PairedTable(0, 0, 0, n), alpha)
        assert_allclose([-low, high], [z**2 / (n + z**2)] * 2, rtol=1e-13)


# --- Test and interval of one pair decide alike --------------------------------------------------

PAIRS = [("mcnemar", "tango", 0.0), ("mcnemar-mid-p", "odds-mid-p", 1.0), ("mcnemar-exact", "odds-exact", 1.0)]


@pytest.mark.parametrize(("test", "interval", "null"), PAIRS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@laws
@given(
    table=paired_tables(size=8), alpha=st.one_of(st.sampled_from([0.5, 0.1, 0.05, 1e-6, 1e-12]), st.floats(1e-12, 0.49))
)
def test_partners_agree_at_every_level(test, interval, null, alternative, table, alpha):
    """P-value below alpha, exactly where the null value is outside; a tie is on the border, so a band is left out."""
    side = {"two-sided": "two", "greater": "lower", "less": "upper"}[alternative]
    pvalue = find_method(test, "test", PairedTable)(table, alternative=alternative).pvalue
    limits = find_method(interval, "interval", PairedTable)(table, alpha=alpha, side=side)
    outside = (limits.low > null) | (limits.high < null)
    sure = np.abs(pvalue / alpha - 1) > 1e-9
    assert_array_equal((pvalue < alpha)[sure], outside[sure])


@pytest.mark.parametrize("name", ["tango", "tango-bcf", "scas-paired", "mcnemar-evalue"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@laws
@given(table=paired_tables(size=4, largest=10**5), alpha=st.floats(1e-9, 0.4), null=st.floats(-0.9, 0.9))
def test_a_score_test_and_its_interval_agree_at_every_margin(name, alternative, table, alpha, null):
    side = {"two-sided": "two", "greater": "lower", "less": "upper"}[alternative]
    pvalue = find_method(name, "test", PairedTable)(table, against=null, alternative=alternative).pvalue
    interval = find_method(name, "interval", PairedTable)(table, alpha=alpha, side=side)
    outside = (interval.low > null) | (interval.high < null)
    sure = np.abs(pvalue / alpha - 1) > 1e-7
    if name == "scas-paired":  # without disagreements its score jumps up at 0: it does not fall everywhere
        sure &= table.disagreements > 0
    assert_array_equal((pvalue < alpha)[sure], outside[sure])


@laws
@given(paired_tables(), st.floats(1e-12, 0.4))
def test_the_reduction_is_reported_from_zero_where_mcnemar_rejects(table, alpha):
    """At error(B) = error(A) the constrained estimate is that of no difference: the same score."""
    pvalue = find_method("mcnemar", "test", PairedTable)(table).pvalue
    interval = find_method("reduction-score", "interval", PairedTable)(table, alpha=alpha)
    outside = (interval.low > 0) | (interval.high < 0)
    sure = np.abs(pvalue / alpha - 1) > 1e-7
    assert_array_equal((pvalue < alpha)[sure], outside[sure])


@pytest.mark.parametrize("name", ["difference-of-proportions", "two-se", "two-intervals"])
@pytest.mark.parametrize("n", [10, 10**9, 10**15])
def test_where_nearly_all_are_wrong_tests_decide_as_where_nearly_all_are_right(name, n):
    """Exchanging right and wrong exchanges A and B, for error(A) − error(B) is success(B) − success(A)."""
    test = find_method(name, "test", PairedTable)
    a, b, c, d = np.array([(0, 0, 1, n - 1), (0, 1, 0, n - 1), (1, 1, 3, n - 5), (n // 2, 2, 0, n - n // 2 - 2)]).T
    here, there = test(PairedTable(a, b, c, d)), test(PairedTable(d, c, b, a))
    assert_allclose(here.pvalue, there.pvalue, rtol=1e-14)
    assert_allclose(here.statistic, -there.statistic, rtol=1e-14)


@pytest.mark.parametrize("against", [1e-200, 1e-300, 5e-324])
@pytest.mark.parametrize("n", [2, 5, 10**9])
def test_the_skewness_corrected_score_has_a_limit_as_the_margin_goes_to_0(against, n):
    """Without discordant pairs v = |δ| and γ ~ 1/√|δ|: the root x of Z = x + s(x² − 1) goes to the sign of δ."""
    score = find_method("scas-paired", "test", PairedTable)
    table = PairedTable(0, 0, 0, n)
    assert_allclose(score(table, against=-against, alternative="greater").statistic, -1.0, rtol=1e-9)
    assert_allclose(score(table, against=against, alternative="less").statistic, 1.0, rtol=1e-9)
