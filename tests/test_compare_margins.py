"""compare with a margin: the score test and its interval at 1 − 2·alpha agree."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import (
    IndependentCounts,
    PairedTable,
    compare,
)
from tellapart.errors import InvalidOption, UnknownMethod
from tellapart.gate import judge

# The cells of the README's example, and two test sets of a hundred.
TABLE = PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)
COUNTS = IndependentCounts.from_counts(30, 100, 20, 100)
HYPOTHESES = ("non-inferior", "superior", "equivalent")
few = settings(derandomize=True, deadline=None, max_examples=12)
cells = st.tuples(*[st.integers(0, 60)] * 4).filter(any)
counts = st.integers(1, 80).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))
margins = st.sampled_from([0.01, 0.02, 0.05, 0.1, 0.3])


def every_table(n):
    """All tables of n examples, as one."""
    rows = [(a, b, c, n - a - b - c) for a, b, c in product(range(n + 1), repeat=3) if a + b + c <= n]
    return PairedTable(*np.array(rows).T)


def inside(answer):
    """Whether the interval shows the hypothesis by itself."""
    low, high, margin = answer.interval.low, answer.interval.high, answer.margin
    return {
        "non-inferior": low > -margin,
        "superior": low > margin,
        "equivalent": (low > -margin) & (high < margin),
    }[answer.hypothesis.kind]


# --- The scores, from the likelihood itself: the constrained maximum is found by bisection ---


def upper_tail(z):
    return math.erfc(z / math.sqrt(2)) / 2


def log_derivative(count, share):
    """Return the derivative of count·log(share); 0 for a count of 0."""
    return count / share if count else 0.0


def bisected(slope, low, high):
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return (low + high) / 2


def paired_score(b, c, n, delta):
    """Tango 1998: b and c discordant errors of A and of B, whose probabilities q + δ and q maximise the likelihood."""

    def slope(q):
        return log_derivative(b, q + delta) + log_derivative(c, q) - 2 * log_derivative(n - b - c, 1 - 2 * q - delta)

    q = bisected(slope, max(0.0, -delta), (1 - delta) / 2)
    return (b - c - n * delta) / math.sqrt(n * (2 * q + delta * (1 - delta)))


def independent_score(x, m, y, n, delta):
    """Miettinen and Nurminen 1985: p + δ and p maximise the likelihood; the variance times N/(N − 1)."""

    def slope(p):
        return (
            log_derivative(x, p + delta)
            - log_derivative(m - x, 1 - p - delta)
            + log_derivative(y, p)
            - log_derivative(n - y, 1 - p)
        )

    p = bisected(slope, max(0.0, -delta), min(1.0, 1 - delta))
    variance = (p + delta) * (1 - p - delta) / m + p * (1 - p) / n
    return (x / m - y / n - delta) / math.sqrt(variance * (m + n) / (m + n - 1))


# --- Margins ---


def expected_pvalue(score, margin, hypothesis):
    """One-sided at the border; for equivalence the larger p-value of two one-sided tests."""
    if hypothesis == "equivalent":
        return max(upper_tail(score(-margin)), upper_tail(-score(margin)))
    return upper_tail(score(-margin if hypothesis == "non-inferior" else margin))


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
@few
@given(cells, margins)
def test_the_p_value_of_a_margin_is_tangos(hypothesis, four, margin):
    _, b, c, _ = four
    answer = compare(PairedTable(*four), margin=margin, hypothesis=hypothesis)
    expected = expected_pvalue(lambda delta: paired_score(b, c, sum(four), delta), margin, hypothesis)
    assert_allclose(answer.pvalue, expected, rtol=1e-6)


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
@few
@given(counts, counts, margins)
def test_the_p_value_of_a_margin_on_two_test_sets_is_miettinen_and_nurminens(hypothesis, a, b, margin):
    answer = compare(IndependentCounts.from_counts(*a, *b), margin=margin, hypothesis=hypothesis)
    expected = expected_pvalue(lambda delta: independent_score(*a, *b, delta), margin, hypothesis)
    assert_allclose(answer.pvalue, expected, rtol=1e-6)


def test_limits_are_where_the_score_is_as_large_as_its_quantile():
    """Two-sided at 95 %: 1.959964 standard errors, each under the limit itself."""
    limits = compare(TABLE).interval
    scores = [paired_score(25, 10, 100, limit) for limit in (limits.low, limits.high)]
    assert_allclose(scores, [1.959963984540054, -1.959963984540054], rtol=1e-6)
    limits = compare(COUNTS).interval
    scores = [independent_score(30, 100, 20, 100, limit) for limit in (limits.low, limits.high)]
    assert_allclose(scores, [1.959963984540054, -1.959963984540054], rtol=1e-6)


def test_tangos_own_example():
    """Tango 1998: of 44 pairs none discordant in one direction and 1 in the other, margin 0.1: Z = 1.709, p = 0.044."""
    answer = compare(PairedTable(both_wrong=0, only_a_wrong=0, only_b_wrong=1, both_right=43), margin=0.1)
    assert round(float(answer.statistic), 3) == 1.709
    assert round(float(answer.pvalue), 3) == 0.044
    assert answer.rejected
    assert_allclose(answer.interval.level, 0.9)


def test_five_examples_that_both_get_right_demonstrate_nothing():
    """Other gates pass on [0, 0]; without discordant pairs Tango's limits are ±z²/(n + z²), ±0.434 at 95 %."""
    for margin, hypothesis in product((0.01, 0.02, 0.05, 0.1, 0.3), ("non-inferior", "equivalent")):
        assert not compare(PairedTable(0, 0, 0, 5), margin=margin, hypothesis=hypothesis).rejected
    answer = compare(PairedTable(0, 0, 0, 5))
    assert_allclose([answer.interval.low, answer.interval.high], [-0.4345, 0.4345], atol=5e-5)


@pytest.mark.parametrize(("n", "shown"), [(267, False), (268, True)])
@pytest.mark.parametrize("hypothesis", ["non-inferior", "equivalent"])
def test_a_margin_of_one_point_needs_268_examples_without_discordant_pairs(n, shown, hypothesis):
    """z²/(n + z²) < 0.01 with z² = 2.7055 from n = 268 on."""
    answer = compare(PairedTable(0, 0, 0, n), margin=0.01, hypothesis=hypothesis)
    assert bool(answer.rejected) == shown
    assert answer.words.startswith("Not demonstrated: ") == (not shown)
    assert_allclose(answer.interval.high, 2.705543454 / (n + 2.705543454), rtol=1e-8)


@pytest.mark.parametrize("hypothesis", HYPOTHESES)
@pytest.mark.parametrize("method", ["tango", "tango-bcf"])
@pytest.mark.parametrize("n", [1, 5, 12, 20])
def test_the_interval_at_1_minus_2_alpha_decides_alike_for_every_table(hypothesis, method, n):
    for margin, alpha in product((0.02, 0.1, 0.4), (0.05, 0.01, 0.2)):
        answer = compare(every_table(n), margin=margin, hypothesis=hypothesis, method=method, alpha=alpha)
        sure = np.abs(answer.pvalue - alpha) > 1e-9  # a limit on the border may round to either side
        assert_array_equal(answer.rejected[sure], inside(answer)[sure])
        assert_allclose(answer.interval.level, 1 - 2 * alpha)


@few
@given(st.lists(cells, min_size=1, max_size=20), margins, st.sampled_from(HYPOTHESES), st.floats(1e-6, 0.49))
def test_the_interval_decides_alike_at_every_alpha(many, margin, hypothesis, alpha):
    answer = compare(PairedTable(*np.array(many).T), margin=margin, hypothesis=hypothesis, alpha=alpha)
    sure = np.abs(answer.pvalue / alpha - 1) > 1e-6
    assert_array_equal(answer.rejected[sure], inside(answer)[sure])


@few
@given(st.lists(st.tuples(counts, counts), min_size=1, max_size=20), margins, st.sampled_from(HYPOTHESES))
def test_the_interval_decides_alike_on_two_test_sets(many, margin, hypothesis):
    both = IndependentCounts.from_counts(*np.array([(*a, *b) for a, b in many]).T)
    for method in ("miettinen-nurminen", "mee"):
        answer = compare(both, margin=margin, hypothesis=hypothesis, method=method)
        sure = np.abs(answer.pvalue / 0.05 - 1) > 1e-6
        assert_array_equal(answer.rejected[sure], inside(answer)[sure])


@pytest.mark.parametrize("evidence", [TABLE, COUNTS], ids=["paired", "independent"])
def test_a_margin_that_is_kept_does_not_make_a_winner(evidence):
    """Non-inferiority and equivalence name no better model; superiority does."""
    assert compare(evidence, margin=0.5).rejected
    assert compare(evidence, margin=0.5).better is None
    assert compare(evidence, margin=0.5, hypothesis="equivalent").rejected
    assert compare(evidence, margin=0.5, hypothesis="equivalent").better is None
    assert not compare(evidence, margin=0.5, hypothesis="superior").rejected


def test_superiority_by_a_margin_makes_b_the_better():
    answer = compare(TABLE, margin=0.02, hypothesis="superior")
    assert answer.better == "B"
    assert answer.words.startswith("B is better than A by more than 2 pp: ")


def test_a_margin_without_a_hypothesis_is_for_non_inferiority():
    answer = compare(TABLE, margin=0.01)
    assert (answer.hypothesis.kind, answer.margin) == ("non-inferior", 0.01)
    assert answer.words.startswith("B is at most 1 pp worse than A: ")
    assert answer.words == compare(TABLE, margin=0.01, hypothesis="non-inferior").words


def test_equivalence_reports_two_one_sided_tests():
    answer = compare(TABLE, margin=0.1, hypothesis="equivalent")
    assert answer.words.startswith("Not demonstrated: B and A differ by less than 10 pp: ")
    assert "two one-sided tests" in dict(answer.display().rows)["test"]
    assert "; one-sided" in compare(TABLE, margin=0.1).explain()
    assert "(90% CI 5.5 to 24.5)" in answer.words


BAD_MARGINS = [
    ({"hypothesis": "superior"}, "`margin` is required with hypothesis='superior'"),
    ({"hypothesis": "equivalent"}, "For 1 pp use margin=0.01"),
    ({"margin": 0.1, "alternative": "greater"}, "`alternative` must be left out with a margin"),
    ({"margin": 0.1, "alternative": "less"}, "`alternative` must be left out with a margin"),
    ({"margin": 0.1, "hypothesis": "different"}, "with a margin, got 'different'"),
    ({"margin": 0.1, "hypothesis": "better"}, "`hypothesis` must be one of"),
    ({"margin": 0}, "`margin` must be between 0 and 1, got 0"),
    ({"margin": 1}, "must be between 0 and 1"),
    ({"margin": -0.01}, "got -0.01"),
    ({"margin": 5}, "For 1 pp use 0.01"),
    ({"margin": math.nan}, "must be between 0 and 1"),
    ({"margin": "0.1"}, "must be between 0 and 1"),
    ({"margin": [0.1, 0.2]}, "must be between 0 and 1"),
    ({"margin": 0.1, "alpha": 0.5}, "`alpha` must be below 0.5 with a margin"),
    ({"margin": 0.1, "level": 0.3}, "`alpha` must be below 0.5 with a margin"),
    ({"margin": 0.1, "level": 0.95, "alpha": 0.01}, "`alpha` must be 1 - level"),
]


@pytest.mark.parametrize(("options", "message"), BAD_MARGINS, ids=[str(options) for options, _ in BAD_MARGINS])
@pytest.mark.parametrize("evidence", [TABLE, COUNTS], ids=["paired", "independent"])
def test_an_invalid_margin_is_refused(evidence, options, message):
    with pytest.raises(InvalidOption) as caught:
        compare(evidence, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("evidence", "method", "able"),
    [
        (TABLE, "mcnemar", "scas-paired, tango, tango-bcf"),
        (TABLE, "mcnemar-mid-p", "scas-paired, tango, tango-bcf"),
        (TABLE, "odds-exact", "scas-paired, tango, tango-bcf"),
        (COUNTS, "fisher-mid-p", "mee, miettinen-nurminen"),
    ],
)
def test_a_method_without_a_margin_names_those_that_take_one(evidence, method, able):
    with pytest.raises(InvalidOption, match=rf"takes no margin\. Choose one of: .*{able}"):
        compare(evidence, method=method, margin=0.1)


@pytest.mark.parametrize("interval", ["odds-exact", "odds-mid-p", "reduction-score"])
def test_a_margin_is_of_the_difference(interval):
    with pytest.raises(UnknownMethod, match="`interval` must be one of the difference with a margin"):
        compare(TABLE, margin=0.1, interval=interval)


def test_a_contradiction_of_test_and_interval_is_reported_at_the_margin():
    """Bonett and Price's limits next to Tango's test: for some tables they differ, and only there it is reported."""
    answer = compare(every_table(16), margin=0.1, interval="bonett-price")
    contradicts = answer.rejected != inside(answer)
    assert contradicts.any()
    for index in (*np.flatnonzero(contradicts)[:20], *np.flatnonzero(~contradicts)[:20]):
        assert ("the test decides" in dict(answer[index].display().rows)["interval"]) == contradicts[index]


def test_the_statistic_of_equivalence_is_that_of_the_larger_p_value():
    table = PairedTable(5, 9, 4, 282)
    both = [compare(table, margin=0.03, hypothesis=which) for which in ("non-inferior", "equivalent")]
    mirrored = compare(table.swapped(), margin=0.03)
    assert both[1].pvalue == max(both[0].pvalue, mirrored.pvalue)
    assert abs(both[1].statistic) == min(abs(both[0].statistic), abs(mirrored.statistic))


def test_a_margin_is_printed_as_a_gate_prints_it():
    """The rows of margin and test agree: the margin has the decimals of the interval, the test its hypothesis."""
    table = PairedTable(3, 10, 12, 975, models=("baseline", "candidate"))
    answers = compare(table, margin=0.02), judge(table, margin=0.02)
    compared, judged = (dict(answer.display().rows) for answer in answers)
    assert compared["margin"] == judged["margin"] == "2.00 pp; a loss that large lies outside the 90% CI"
    assert compared["test"] == judged["test"] == "Tango non-inferiority (Tango 1998): p = 0.000778, alpha = 0.05"
