"""The checks of two classifiers: each exactly where its figure says, and forbidden methods with their reason."""

import json

import numpy as np
import pytest

from tellapart import (
    IndependentCounts,
    PairedTable,
    compare,
    find_methods,
)

# The cells of the README's example, and two test sets of a hundred.
TABLE = PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)
COUNTS = IndependentCounts.from_counts(30, 100, 20, 100)
METHODS = [
    method
    for kind in (PairedTable, IndependentCounts)
    for method in find_methods(evidence=kind)
    if method.gives in {"test", "interval"}
]
FORBIDDEN = [method for method in METHODS if method.standing == "forbidden"]


def by_name(method):
    return f"{method.name}-{method.gives}-{method.evidence.__name__}"


def asking(method):
    """Return how to ask for this method."""
    return {"method" if method.gives == "test" else "interval": method.name}


def evidence_for(method):
    """Return counts for it: few where it enumerates all that could have been seen."""
    if method.name == "unconditional":
        return PairedTable(both_wrong=3, only_a_wrong=12, only_b_wrong=3, both_right=4)
    return TABLE if method.evidence is PairedTable else COUNTS


def failed(answer):
    return {check.code: check.message for check in answer.checks if not np.all(check.holds)}


# --- Checks: each exactly where its figure says ---


@pytest.mark.parametrize(
    "asked", [{"method": "mcnemar"}, {"method": "tango"}, {}, {"margin": 0.1}, {"method": "mcnemar-exact"}]
)
@pytest.mark.parametrize(("disagreements", "fails"), [(0, True), (9, True), (10, False), (11, False)])
def test_ten_disagreements_are_asked_for_by_normal_approximations(asked, disagreements, fails):
    """Yang 2006: D of at least 10. Tango's interval asks for them beside any test."""
    answer = compare(PairedTable(3, disagreements, 0, 80), **asked)
    assert ("TA104" in failed(answer)) == fails


@pytest.mark.parametrize(
    "asked", [{"method": "mcnemar-exact", "interval": "bonett-price"}, {"interval": "newcombe-paired"}]
)
def test_what_needs_no_ten_disagreements_does_not_ask_for_them(asked):
    assert "TA104" not in {check.code for check in compare(PairedTable(0, 4, 3, 93), **asked).checks}


def test_few_disagreements_point_to_the_exact_test():
    result = compare(PairedTable(both_wrong=0, only_a_wrong=4, only_b_wrong=3, both_right=93), method="mcnemar")
    assert "TA104: 7 disagreements" in str(result)
    assert "mcnemar-exact" in str(result)


CAN_REJECT = [  # method, alternative, alpha, the fewest disagreements at which p may fall below alpha
    ("mcnemar-exact", "two-sided", 0.05, 6),  # 2·2^-6 = 0.031, 2·2^-5 = 0.0625
    ("mcnemar-exact", "greater", 0.05, 5),  # 2^-5 = 0.031, 2^-4 = 0.0625
    ("mcnemar-mid-p", "two-sided", 0.05, 5),  # 2·2^-5/2
    ("mcnemar-mid-p", "less", 0.05, 4),  # 2^-4/2
    ("mcnemar-exact", "two-sided", 2**-5, 7),  # at alpha itself nothing is rejected
    ("mcnemar-mid-p", "two-sided", 1e-6, 20),  # 2^-19 = 1.9e-6, 2^-20 = 9.5e-7
]


@pytest.mark.parametrize(("method", "alternative", "alpha", "fewest"), CAN_REJECT)
def test_where_no_outcome_could_reach_alpha_the_result_says_so(method, alternative, alpha, fewest):
    one_way = (lambda d: PairedTable(9, 0, d, 90)) if alternative == "less" else (lambda d: PairedTable(9, d, 0, 90))
    asked = {"method": method, "alternative": alternative, "alpha": alpha}
    below, enough = (compare(one_way(number), **asked) for number in (fewest - 1, fewest))
    code = {"mcnemar-exact": "TA105", "mcnemar-mid-p": "TA110"}[method]
    assert "no outcome at so few disagreements could reach alpha" in failed(below)[code]
    assert not below.rejected
    assert code not in failed(enough)
    assert enough.rejected


@pytest.mark.parametrize(("agreeing", "fails"), [(19, True), (20, False), (21, False)])
def test_mid_p_asks_for_some_agreement(agreeing, fails):
    """The threshold itself, one fifth, is enough."""
    half = (100 - agreeing) // 2
    table = PairedTable(0, half, 100 - agreeing - half, agreeing)
    assert ("TA106" in failed(compare(table))) == fails
    assert "TA106" not in failed(compare(table, method="mcnemar-exact"))


@pytest.mark.parametrize("interval", ["odds-exact", "odds-mid-p"])
def test_odds_ask_for_a_disagreement(interval):
    assert "never disagree" in failed(compare(PairedTable(4, 0, 0, 40), interval=interval))["TA107"]
    assert "TA107" not in failed(compare(PairedTable(4, 3, 2, 40), interval=interval))
    assert "TA107" not in {check.code for check in compare(PairedTable(4, 0, 0, 40)).checks}


@pytest.mark.parametrize(
    ("four", "fails"), [((0, 5, 0, 95), True), ((0, 0, 5, 95), True), ((0, 0, 0, 9), True), ((1, 5, 0, 94), False)]
)
def test_a_ratio_asks_for_errors_of_both(four, fails):
    assert ("TA108" in failed(compare(PairedTable(*four), interval="reduction-score"))) == fails


@pytest.mark.parametrize(("four", "fails"), [((0, 25, 0, 75), True), ((20, 25, 0, 0), True), ((5, 25, 10, 60), False)])
def test_two_intervals_ask_for_spread_in_both(four, fails):
    assert ("TA109" in failed(compare(PairedTable(*four), method="two-intervals"))) == fails


@pytest.mark.parametrize("interval", ["wald-paired", "percentile", "bca-bootstrap"])
@pytest.mark.parametrize(("four", "fails"), [((3, 0, 0, 97), True), ((0, 40, 0, 0), True), ((5, 25, 10, 60), False)])
def test_an_interval_of_no_width_says_so(interval, four, fails):
    answer = compare(PairedTable(*four), interval=interval)
    assert (answer.interval.width == 0) == fails
    assert ("no width" in failed(answer).get("TA103", "")) == fails


@pytest.mark.parametrize(
    ("trials", "fails"), [((100, 49), True), ((49, 100), True), ((100, 50), False), ((100, 100), False)]
)
@pytest.mark.parametrize("method", ["miettinen-nurminen", "mee", "pooled-z", "n-1-z"])
def test_score_tests_ask_for_test_sets_of_like_size(method, trials, fails):
    m, n = trials
    assert ("TA201" in failed(compare(IndependentCounts.from_counts(20, m, 10, n), method=method))) == fails


@pytest.mark.parametrize(("errors", "fails"), [(0, True), (5, True), (6, False), (50, False), (96, True)])
def test_normal_theory_on_two_sets_asks_for_mitchells_product(errors, fails):
    """100·0.05·0.95 = 4.75, 100·0.06·0.94 = 5.64."""
    answer = compare(IndependentCounts.from_counts(errors, 100, 40, 100), interval="wald-independent")
    assert ("TA202" in failed(answer)) == fails


@pytest.mark.parametrize("method", FORBIDDEN, ids=by_name)
def test_a_forbidden_method_carries_its_reason_and_the_default_instead(method):
    answer = compare(evidence_for(method), **asking(method))
    message = failed(answer)["TA010"]
    assert f"'{method.name}' is forbidden: {method.because}" in message
    test, interval = (
        ("mcnemar-mid-p", "tango") if method.evidence is PairedTable else ("fisher-mid-p", "miettinen-nurminen")
    )
    assert f"'{test}' is the default test, '{interval}' the default interval" in message
    assert f"TA010: '{method.name}' is forbidden" in str(answer)
    assert "TA010" in [check["code"] for check in json.loads(answer.to_json())["checks"]]


@pytest.mark.parametrize("method", [method for method in METHODS if method not in FORBIDDEN], ids=by_name)
def test_the_others_are_not_forbidden(method):
    assert "TA010" not in {check.code for check in compare(evidence_for(method), **asking(method)).checks}


def test_the_worst_habits_of_papers_are_forbidden():
    assert {"difference-of-proportions", "k-se", "interval-overlap", "two-se"} == {method.name for method in FORBIDDEN}


@pytest.mark.parametrize("method", METHODS, ids=by_name)
def test_each_assumption_of_test_and_interval_is_examined_once(method):
    answer = compare(evidence_for(method), **asking(method))
    codes = [check.code for check in answer.checks]
    assert len(codes) == len(set(codes))
    assert {assumption.code for assumption in method.assumes} <= set(codes)
