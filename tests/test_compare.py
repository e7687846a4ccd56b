"""compare: default methods, errors, results and JSON, for two classifiers or more."""

import json
import math
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import tellapart
from tellapart import (
    ConfusionMatrix,
    ErrorCount,
    ErrorPatterns,
    IndependentCounts,
    PairedConfusion,
    PairedTable,
    Predictions,
    StratifiedCount,
    adjust,
    compare,
    find_methods,
)
from tellapart.errors import InvalidEvidence, InvalidOption, UnknownMethod
from tellapart.results import Comparison, Ranking

# The cells of the README's example, and two test sets of a hundred.
TABLE = PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)
COUNTS = IndependentCounts.from_counts(30, 100, 20, 100)
METHODS = [
    method
    for kind in (PairedTable, IndependentCounts)
    for method in find_methods(evidence=kind)
    if method.gives in {"test", "interval"}
]
TESTS = [method for method in METHODS if method.gives == "test"]
few = settings(derandomize=True, deadline=None, max_examples=12)
cells = st.tuples(*[st.integers(0, 60)] * 4).filter(any)
counts = st.integers(1, 80).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))


def by_name(method):
    return f"{method.name}-{method.gives}-{method.evidence.__name__}"


def options_for(method):
    """Return the keyword that selects this method."""
    return {"method" if method.gives == "test" else "interval": method.name}


def evidence_for(method):
    """Return counts for it: few if it enumerates all outcomes."""
    if method.name == "unconditional":
        return PairedTable(both_wrong=3, only_a_wrong=12, only_b_wrong=3, both_right=4)
    return TABLE if method.evidence is PairedTable else COUNTS


def patterns_of_three():
    right = np.random.default_rng(3).random((3, 200)) < np.array([[0.95], [0.9], [0.6]])
    return ErrorPatterns.from_correct(dict(zip(("forest", "logit", "stump"), right, strict=True)))


# --- Defaults ---


@few
@given(cells)
def test_the_default_for_one_test_set_does_not_depend_on_the_numbers(four):
    answer = compare(PairedTable(*four))
    assert isinstance(answer, Comparison)
    assert (answer.method, answer.interval.method, answer.interval.parameter) == (
        "mcnemar-mid-p",
        "tango",
        "difference",
    )
    with_margin = compare(PairedTable(*four), margin=0.1)
    assert (with_margin.method, with_margin.interval.method) == ("tango", "tango")


@few
@given(counts, counts)
def test_the_default_for_two_test_sets_does_not_depend_on_the_numbers(a, b):
    both = IndependentCounts.from_counts(*a, *b)
    answer = compare(both)
    assert (answer.method, answer.interval.method, answer.interval.parameter) == (
        "fisher-mid-p",
        "miettinen-nurminen",
        "difference",
    )
    assert compare(both, margin=0.1).method == compare(both, margin=0.1).interval.method == "miettinen-nurminen"


@pytest.mark.parametrize("test", TESTS, ids=by_name)
def test_the_interval_next_to_a_test_is_of_the_difference(test):
    """Its own, its partner's, or the default; never one of the odds ratio."""
    answer = compare(evidence_for(test), method=test.name)
    same_name = {match.name for match in find_methods(name=test.name, gives="interval", evidence=test.evidence)}
    partner = {
        match.name
        for match in find_methods(name=test.partner or "", gives="interval", evidence=test.evidence)
        if match.parameter == "difference"
    }
    default = "tango" if test.evidence is PairedTable else "miettinen-nurminen"
    assert answer.method == test.name
    assert answer.interval.method == next(iter(same_name | partner or {default}))
    assert answer.interval.parameter == "difference"


@pytest.mark.parametrize("kind", [PairedTable, IndependentCounts], ids=lambda kind: kind.__name__)
def test_every_name_is_found_in_a_fresh_process(kind):
    """No module of methods was loaded by an earlier call."""
    names = [(method.name, method.gives) for method in METHODS if method.evidence is kind]
    code = f"""
import json
from tellapart import {kind.__name__}
from tellapart.methods import look_up
print(json.dumps([key for key in {names!r} if look_up(*key, {kind.__name__}) is None]))
"""
    done = subprocess.run(  # noqa: S603  # our own interpreter and code
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(Path(tellapart.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == []


@pytest.mark.parametrize(
    ("evidence", "interval", "test"),
    [
        (TABLE, "tango", "tango"),  # a test of that name comes first
        (TABLE, "bonett-price", "mcnemar-mid-p"),
        (TABLE, "newcombe-paired", "mcnemar-mid-p"),
        (TABLE, "odds-exact", "mcnemar-exact"),  # its partner
        (TABLE, "odds-mid-p", "mcnemar-mid-p"),
        (TABLE, "reduction-score", "mcnemar"),
        (COUNTS, "newcombe", "fisher-mid-p"),
        (COUNTS, "agresti-caffo", "fisher-mid-p"),
        (COUNTS, "wald-independent", "probability-better"),
    ],
)
def test_a_method_may_be_an_interval(evidence, interval, test):
    answer = compare(evidence, method=interval)
    assert (answer.method, answer.interval.method) == (test, interval)


def test_a_test_and_an_interval_may_both_be_named():
    answer = compare(TABLE, method="mcnemar-exact", interval="bonett-price")
    assert (answer.method, answer.interval.method) == ("mcnemar-exact", "bonett-price")
    assert (compare(TABLE, interval="newcombe-paired").method) == "mcnemar-mid-p"


def test_limits_of_the_odds_ratio_are_labelled():
    """The odds of a discordant error: Clopper and Pearson's limits p of 25 in 35, as p/(1 − p)."""
    scipy_stats = pytest.importorskip("scipy.stats")
    answer = compare(TABLE, interval="odds-exact")
    share = scipy_stats.binomtest(25, 35).proportion_ci(0.95, method="exact")
    assert answer.interval.parameter == "odds"
    assert_allclose(
        [answer.interval.low, answer.interval.high],
        [share.low / (1 - share.low), share.high / (1 - share.high)],
        rtol=1e-9,
    )
    assert "15.0 pp lower (odds ratio 95% CI 1.16 to 5.83)" in answer.display().figures
    assert answer.difference == 0.15  # the difference is not affected


def test_a_relative_reduction_is_labelled():
    answer = compare(TABLE, interval="reduction-score")
    assert answer.interval.parameter == "reduction"
    assert "(errors of A that B avoids: 95% CI 9.0% to 52.1%)" in answer.display().figures


def test_every_class_for_two_models_on_one_test_set_gives_the_same_answer():
    """Patterns and confusions of two are the same four counts."""
    here = compare(PairedTable(2, 9, 4, 15, models=("old", "new")))
    wrong = np.repeat([[True, True], [True, False], [False, True], [False, False]], [2, 9, 4, 15], axis=0)
    patterns = ErrorPatterns.from_correct({"old": ~wrong[:, 0], "new": ~wrong[:, 1]})
    assert isinstance(compare(patterns), Comparison)
    by_patterns = compare(patterns)
    assert (by_patterns.pvalue, by_patterns.difference) == (here.pvalue, here.difference)
    assert compare(patterns, metric="error").words == here.words
    truth = np.zeros(30, dtype=int)
    confusion = PairedConfusion.from_predictions(truth, wrong[:, 0].astype(int), wrong[:, 1].astype(int))
    assert compare(confusion).pvalue == here.pvalue


# --- Numbers from elsewhere ---


def test_the_worked_example():
    """25 and 10 discordant errors: mid-p is P(X < 10)·2 + P(X = 10), X binomial(35, ½), in whole numbers."""
    exact = sum(math.comb(35, k) for k in range(10)) * 2 + math.comb(35, 10)
    answer = compare(TABLE)
    assert_allclose(answer.pvalue, exact / 2**35, rtol=1e-13)
    assert answer.difference == 0.15
    assert answer.better == "B"


def test_swapping_the_two_changes_the_sign_and_the_winner_only():
    here, there = compare(TABLE), compare(TABLE.swapped())
    assert (here.better, there.better) == ("B", "A")
    assert here.pvalue == there.pvalue
    assert_allclose(
        [there.difference, there.interval.low, there.interval.high], [-0.15, -here.interval.high, -here.interval.low]
    )


@pytest.mark.parametrize(
    ("alternative", "better", "side"), [("two-sided", "B", "two"), ("greater", "B", "lower"), ("less", None, "upper")]
)
def test_greater_tests_whether_b_is_better(alternative, better, side):
    answer = compare(TABLE, alternative=alternative)
    assert (answer.better, answer.interval.side) == (better, side)
    assert answer.interval.low >= -1
    assert answer.interval.high <= 1
    assert (answer.interval.low == -1) == (side == "upper")
    assert (answer.interval.high == 1) == (side == "lower")


@pytest.mark.parametrize(("alternative", "loser"), [("greater", "A"), ("less", "B")])
@pytest.mark.parametrize("four", [(20, 10, 11, 45), (20, 11, 10, 45), (20, 10, 10, 45)])
def test_a_one_sided_question_is_never_answered_by_the_other_side(alternative, loser, four):
    """Even if alpha is so large that the sign of the difference does not matter."""
    answer = compare(PairedTable(*four), alternative=alternative, alpha=0.7)
    assert answer.better != loser


def test_level_and_alpha_are_one_number():
    for options in ({"level": 0.99}, {"alpha": 0.01}, {"level": 0.99, "alpha": 0.01}):
        answer = compare(TABLE, **options)
        assert answer.better is None  # p = 0.0113
        assert_allclose(answer.interval.alpha, 0.01, rtol=1e-12)
    assert compare(TABLE, level=0.3).interval.level == 0.3
    for evidence in (TABLE, COUNTS):
        with pytest.raises(InvalidOption, match="must be 1 - level"):
            compare(evidence, level=0.95, alpha=0.01)
        with pytest.raises(InvalidOption, match="must be 1 - level"):
            compare(evidence, level=0.95, alpha=0.01, margin=0.1)


# --- Errors ---


@pytest.mark.parametrize("name", ["nope", "", 3, ["mcnemar"], "fisher", "clopper-pearson"])
def test_an_unknown_method_is_refused(name):
    with pytest.raises(UnknownMethod, match=re.escape(f"unknown method {name!r}") + ".*`tellapart methods`"):
        compare(TABLE, method=name)


def test_the_nearest_name_is_suggested():
    with pytest.raises(UnknownMethod, match="Did you mean 'tango'"):
        compare(TABLE, method="Tango")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nope", "unknown method 'nope'"),
        ("", "unknown method ''"),
        ("mcnemar", "'mcnemar' gives a test, not an interval"),
        ("newcombe", "unknown method 'newcombe' for PairedTable"),
    ],
)
def test_an_unknown_interval_is_refused(name, message):
    with pytest.raises(UnknownMethod, match=message):
        compare(TABLE, interval=name)


@pytest.mark.parametrize("evidence", [TABLE, COUNTS], ids=["paired", "independent"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"against": 0.1}, "For two models use margin=0.01"),
        ({"adjust": "holm"}, "`adjust` needs several comparisons"),
        ({"side": "upper"}, "`side` is an option of estimate()"),
        ({"colour": "red"}, "unknown option `colour` of method"),
        ({"prior": (1, 3)}, "`prior`"),
        ({"looks": -1}, "`looks` must be a whole number of 0 or more, got -1"),
        ({"looks": 1.5}, "`looks` must be a whole number"),
        ({"looks": "two"}, "`looks` must be a whole number"),
        ({"alternative": "better"}, "`alternative` must be one of"),
        ({"alpha": 0}, "`alpha` must be between 0 and 1"),
        ({"level": 95}, "For 95% use 0.95"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_an_unknown_option_for_two_is_refused(evidence, options, message):
    with pytest.raises(InvalidOption) as caught:
        compare(evidence, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize("options", [{"margin": 0.01}, {"hypothesis": "superior"}, {"adjust": "holm"}, {"looks": 3}])
def test_an_option_that_one_count_does_not_have_is_refused(options):
    with pytest.raises(InvalidOption, match=next(iter(options))):
        compare(ErrorCount(3, 120), against=0.05, **options)


@pytest.mark.parametrize("stranger", [(20, 25, 10, 45), None, "20 25 10 45", np.ones((2, 2)), 3])
def test_an_object_that_is_not_evidence_is_refused_with_an_example(stranger):
    kind = "None" if stranger is None else type(stranger).__name__
    with pytest.raises(InvalidEvidence, match=rf", got {kind}\. Use PairedTable"):
        compare(stranger)


def test_strata_of_one_classifier_cannot_be_compared():
    with pytest.raises(InvalidEvidence, match="StratifiedCount"):
        compare(StratifiedCount([3, 1], [50, 20], shares=[0.7, 0.3]))


# --- Output ---


@pytest.mark.parametrize(
    ("four", "winner"), [((20, 25, 10, 45), "new"), ((20, 10, 25, 45), "old"), ((20, 11, 10, 45), None)]
)
def test_the_words_name_the_models_and_which_is_better(four, winner):
    answer = compare(PairedTable(*four, models=("old", "new")))
    loser = {"new": "old", "old": "new"}.get(winner)
    figures = answer.display().figures
    if winner is None:
        assert answer.display().verdict == "No significant difference between new and old"
        assert figures.startswith("error rate 34.9% vs 36.0%: 1.2 pp lower (95% CI ")
        assert answer.better is None
    else:
        assert answer.words.startswith(f"{winner} has a lower error rate than {loser}: ")
        assert answer.better == ("A" if winner == "old" else "B")
        assert figures.startswith("error rate 30.0% vs 45.0%: 15.0 pp lower (95% CI ")
    lead = winner or "new"
    discordant = f"{max(four[1:3])} only {'old' if lead == 'new' else 'new'} wrong, {min(four[1:3])} only {lead} wrong"
    assert discordant in dict(answer.rows())["data"]
    details = " ".join(answer.display(verbose=True).to_text().split())
    assert f"old wrong, new right: {four[1]}; old right, new wrong: {four[2]}" in details
    assert f"both wrong: {four[0]}; both right: {four[3]}" in details


def test_a_models_name_keeps_its_case():
    """Another model may be called A."""
    assert compare(PairedTable(20, 25, 10, 45, models=("a", "b"))).words.startswith("b has a lower error rate than a: ")


def test_four_rows_support_the_verdict():
    display = compare(TABLE).display()
    assert [label for label, _ in display.rows] == ["data", "test", "interval", "scope"]
    assert "15.0 pp lower (95% CI 3.6 to 26.3), p = 0.011" in display.figures
    rows = dict(display.rows)
    assert rows["test"] == "McNemar mid-p (Fagerland et al. 2013): p = 0.0113, alpha = 0.05"
    assert rows["data"].startswith("100 examples, 35 discordant: ")
    assert rows["scope"].endswith("not retraining")
    assert compare(TABLE, margin=0.1).display().rows[0][0] == "margin"
    assert dict(compare(COUNTS).display().rows)["data"].startswith("two test sets: ")


@pytest.mark.parametrize("method", METHODS, ids=by_name)
def test_a_significant_difference_is_reported_with_its_test_and_alpha(method):
    evidence = evidence_for(method)
    for alternative in ("two-sided", "greater", "less"):
        answer = compare(evidence, alternative=alternative, **options_for(method))
        row = dict(answer.display().rows)["test"]
        assert (answer.test.title or answer.method) in row
        probability = answer.test.statistic_name.startswith("P(")
        rule = "a rule without a p-value" if np.isnan(answer.pvalue) else "alpha = 0.05"
        assert rule in row or probability
        assert f"method {method.name}" in answer.explain()


@pytest.mark.parametrize("method", METHODS, ids=by_name)
def test_a_heuristic_is_explained_with_its_rationale(method):
    text = " ".join(compare(evidence_for(method), **options_for(method)).explain().lower().split())
    assert (f"heuristic ({method.rationale.lower()})" in text) == (method.standing == "heuristic")


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_a_one_sided_test_is_labelled(alternative):
    answer = compare(PairedTable(20, 25, 10, 45, models=("old", "new")), alternative=alternative)
    row = dict(answer.display().rows)["test"]
    assert ("one-sided" in row) == (alternative != "two-sided")
    assert ("one-sided" if alternative != "two-sided" else "two-sided") in answer.explain()


@pytest.mark.parametrize(("looks", "text"), [(1, "1 earlier look"), (2, "2 earlier looks"), (9, "9 earlier looks")])
def test_earlier_looks_are_reported_with_the_level_they_require(looks, text):
    """Bonferroni: alpha over the number of looks, this one included."""
    answer = compare(TABLE, looks=looks)
    assert f"{text} at this test set" in answer.words
    share = 0.05 / (looks + 1)
    assert f"p < {share:.3g} (alpha/{looks + 1})" in answer.words
    assert answer.note("looks", 0) == looks
    assert json.loads(answer.to_json())["looks"] == looks
    assert answer.pvalue == compare(TABLE).pvalue  # it is reported; the p-value does not change
    assert f"alpha/{looks + 1}" in compare(TABLE, margin=0.1, looks=looks).words
    assert "earlier look" not in str(compare(TABLE))


def test_earlier_looks_are_reported_for_rankings():
    assert "alpha/3" in compare(patterns_of_three(), looks=2).words


@pytest.mark.parametrize(
    ("evidence", "options"),
    [
        (PairedTable(0, 4, 0, 96), {}),  # mid-p: 2^-4 = 0.0625; McNemar: 2·Φ(−2) = 0.0455
        (PairedTable(0, 0, 4, 96), {}),
        (TABLE, {"method": "two-intervals"}),
    ],
)
def test_the_test_decides_if_the_interval_disagrees(evidence, options):
    answer = compare(evidence, **options)
    assert answer.better is None
    assert not answer.interval.contains(0.0)
    assert dict(answer.display().rows)["interval"].endswith("; excludes 0, the test decides")


@pytest.mark.parametrize(
    ("method", "interval"),
    [
        ("mcnemar", "tango"),
        ("mcnemar-mid-p", "odds-mid-p"),
        ("mcnemar-exact", "odds-exact"),
        ("mcnemar", "reduction-score"),
    ],
)
def test_a_test_and_its_own_interval_always_agree(method, interval):
    """For every table of up to 14 examples, also by the remark that reports a contradiction."""
    for alternative, alpha in product(("two-sided", "greater"), (0.05, 0.0101, 0.2003)):
        for n in (1, 6, 14):
            tables = PairedTable(0, *np.array([(b, c) for b in range(n + 1) for c in range(n + 1 - b)]).T, n)
            answer = compare(tables, method=method, interval=interval, alternative=alternative, alpha=alpha)
            null = 1.0 if interval.startswith("odds") else 0.0
            assert_array_equal(answer.rejected, ~answer.interval.contains(null))
            assert not [entry for entry in answer[::7] if "the test decides" in str(entry)]


def test_a_p_value_below_the_smallest_float_is_reported_as_a_bound():
    answer = compare(PairedTable(0, 10**6, 0, 0))
    assert answer.pvalue == np.finfo(float).tiny
    assert answer.display().figures.endswith("p < 0.001")
    assert "p < 1e-307, " in dict(answer.display().rows)["test"]
    assert "almost no test set would show as large a difference" in " ".join(answer.explain().split())


@pytest.mark.parametrize(
    ("four", "share"), [((0, 25, 10, 45), "1.1% of test sets"), ((0, 30, 5, 65), "1 test set in 77,000")]
)
def test_a_p_value_is_explained_as_a_share_of_test_sets(four, share):
    assert f"{share} would show" in dict(compare(PairedTable(*four)).explanations())["p-value"]


def test_models_with_the_same_error_rate_have_no_difference():
    display = compare(PairedTable(3, 5, 5, 87)).display()
    assert display.figures == "error rate 8.0% vs 8.0%: no difference (95% CI -7.0 to 7.0), p = 1.0"
    assert display.verdict.startswith("No significant difference")


def test_a_posterior_is_reported_as_a_probability():
    """P(B better) under Dirichlet: a Beta(25 + ½, 10 + ½) exceeds ½."""
    scipy_stats = pytest.importorskip("scipy.stats")
    answer = compare(TABLE, method="dirichlet")
    expected = scipy_stats.beta.sf(0.5, 25.5, 10.5)
    assert_allclose(answer.statistic, expected, rtol=1e-9)
    assert answer.display().figures.endswith(f"P(B better) = {expected:.3f}")
    assert "above 0.975 needed" in dict(answer.display().rows)["test"]


@pytest.mark.parametrize("evidence", [TABLE, COUNTS], ids=["paired", "independent"])
def test_a_rule_without_a_p_value_gives_its_verdict(evidence):
    answer = compare(evidence, method="k-se", k=0.01)
    assert np.isnan(answer.pvalue)
    assert answer.better == "B"
    assert "B has a lower error rate than A" in answer.words
    assert dict(answer.display().rows)["test"].endswith(": a rule without a p-value")
    assert json.loads(answer.to_json())["pvalue"] is None
    conservative = compare(evidence, method="k-se", k=50)
    assert conservative.better is None
    assert conservative.words.startswith("No significant difference between ")


# --- JSON ---

KEYS = {"method", "difference", "interval", "statistic", "pvalue", "better", "words", "checks", "evidence"}


def test_json_has_the_documented_keys():
    document = json.loads(compare(TABLE).to_json())
    assert set(document) >= KEYS
    assert document["evidence"] == {
        "both_wrong": 20,
        "only_a_wrong": 25,
        "only_b_wrong": 10,
        "both_right": 45,
        "models": ["A", "B"],
    }
    assert set(document["interval"]) >= {"low", "high", "level", "side", "parameter", "method"}
    assert (document["better"], document["method"], document["difference"]) == ("B", "mcnemar-mid-p", 0.15)
    assert all(set(check) == {"code", "title", "holds", "message"} for check in document["checks"])
    assert "shown" not in document


def test_json_of_two_test_sets_has_both_counts():
    document = json.loads(compare(COUNTS).to_json())
    assert set(document) >= KEYS
    assert document["evidence"]["a"] == {"errors": 30, "trials": 100}
    assert document["evidence"]["b"] == {"errors": 20, "trials": 100}


def test_json_of_a_margin_has_whether_it_is_demonstrated():
    document = json.loads(compare(TABLE, margin=0.01).to_json())
    assert (document["hypothesis"], document["margin"], document["shown"], document["better"]) == (
        "non-inferior",
        0.01,
        True,
        None,
    )


def test_json_of_many_is_lists():
    document = json.loads(compare(PairedTable([20, 0], [25, 0], [10, 0], [45, 9])).to_json())
    assert document["better"] == ["B", None]
    assert document["evidence"]["only_a_wrong"] == [25, 0]
    assert len(document["pvalue"]) == len(document["interval"]["low"]) == 2
    assert all(len(check["holds"]) == 2 for check in document["checks"])


# --- Several models ---


def test_several_models_make_a_ranking():
    answer = compare(patterns_of_three())
    assert isinstance(answer, Ranking)
    assert (answer.method, answer.adjustment.method) == ("mcnemar-mid-p", "max-t")
    assert answer.names == (("forest", "logit"), ("forest", "stump"), ("logit", "stump"))
    document = json.loads(answer.to_json())
    assert {"pairs", "groups", "method", "checks", "evidence", "words"} <= set(document)
    assert [pair["a"] for pair in document["pairs"]] == ["forest", "forest", "logit"]
    assert all({"difference", "interval", "pvalue", "adjusted", "better"} <= set(pair) for pair in document["pairs"])


@pytest.mark.parametrize(
    "rule",
    [
        *("holm", "hochberg", "hommel", "finner", "shaffer", "bergmann-hommel"),
        *("benjamini-hochberg", "benjamini-yekutieli", "bonferroni", "none"),
    ],
)
def test_the_pairs_of_a_ranking_are_comparisons_and_their_p_values_are_adjusted(rule):
    patterns = patterns_of_three()
    answer = compare(patterns, adjust=rule)
    pairs = [compare(patterns.pair(*pair)) for pair in answer.names]
    assert_allclose(answer.pairs.pvalue, [pair.pvalue for pair in pairs])
    assert_allclose(answer.pairs.interval.low, [pair.interval.low for pair in pairs])
    assert_allclose(answer.adjusted, adjust([pair.pvalue for pair in pairs], rule))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": 0.1}, "`margin` needs two models"),
        ({"hypothesis": "superior"}, "`hypothesis` needs two models"),
        ({"adjust": "nope"}, "`adjust` must be one of"),
        ({"method": "cochran-q"}, "`method` must compare pairs"),
        ({"against": 0.1}, "`against` needs one ErrorCount"),
        ({"colour": "red"}, "unknown option `colour`"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_an_option_that_several_models_do_not_have_is_refused(options, message):
    with pytest.raises(InvalidOption) as caught:
        compare(patterns_of_three(), **options)
    assert message in str(caught.value)


# --- Many tables, adjusted for multiple comparisons ---


def test_tables_of_groups_are_adjusted_together():
    """Holm by hand over three tables: the smallest p-value times 3, then times 2, then as it is."""
    tables = PairedTable([20, 3, 1], [25, 9, 4], [10, 2, 3], [45, 86, 92])
    answers = compare(tables, adjust="holm")
    first, second, third = np.sort(answers.pvalue)
    assert_allclose(np.sort(answers.adjusted), [3 * first, max(3 * first, 2 * second), max(2 * second, third)])
    assert answers.pvalue.tolist() == compare(tables).pvalue.tolist()
    assert answers.better.tolist() == [None if p >= 0.05 else "B" for p in answers.adjusted]
    assert answers.words.startswith("1 of 3 comparisons is significant")
    assert "Holm-adjusted (1979)" in str(answers)
    first_entry = answers[0]
    assert first_entry.as_dict()["adjusted"] == first_entry.adjusted
    assert f"adj. p = {first_entry.adjusted:.3f}" in first_entry.words
    assert "Holm-adjusted (1979)" in str(first_entry)
    assert "adjusted over 3 comparisons" in " ".join(first_entry.explain().split())
    assert "of test sets would show" not in first_entry.explain()  # true of unadjusted p-values only
    assert compare(tables, adjust="none").adjusted is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"adjust": "max-t"}, "`adjust` must work from p-values alone"),
        ({"adjust": "shaffer"}, "`adjust` must work from p-values alone"),
        ({"adjust": "bergmann-hommel"}, "`adjust` must work from p-values alone"),
        ({"adjust": "holm", "method": "k-se"}, "method 'k-se' has no p-values to adjust"),
        ({"adjust": "bonferoni"}, "`adjust` must be one of"),
    ],
)
def test_an_adjustment_that_does_not_apply_to_tables_is_refused(options, message):
    with pytest.raises(InvalidOption, match=message):
        compare(PairedTable([20, 3], [25, 9], [10, 2], [45, 86]), **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alternative": "greater"}, "`alternative` needs two models"),
        ({"method": "k-se"}, "method 'k-se' has no p-values to adjust"),
        ({"rng": "x"}, "`rng` must be a seed"),
        ({"resamples": 10**12}, "from 1 to 10,000,000"),
    ],
)
def test_an_option_that_a_ranking_does_not_have_is_refused(options, message):
    with pytest.raises(InvalidOption, match=message):
        compare(patterns_of_three(), **options)


def test_a_one_sided_test_that_does_not_reject_is_reported_in_its_direction():
    worse = PairedTable(5, 2, 21, 72, models=("old", "new"))
    for answer in (compare(worse, alternative="greater"), compare(worse.swapped(), alternative="less")):
        assert answer.display().verdict == "new is not significantly better than old"
        assert answer.display().figures.startswith("error rate 26.0% vs 7.0%: 19.0 pp higher (95% upper bound 26.8)")


def test_the_better_model_is_named_in_json():
    """B may be called A: the letter alone would mislead."""
    document = compare(PairedTable(20, 25, 10, 45, models=("B", "A"))).as_dict()
    assert (document["better"], document["better_model"]) == ("B", "A")


@pytest.mark.parametrize(
    ("stranger", "message"),
    [
        (ConfusionMatrix([[3, 1], [2, 4]]), "label_against_prediction"),
        (ConfusionMatrix([[3, 1], [2, 4]]), "`evidence` must have two models to compare"),
    ],
    ids=["balance", "error"],
)
def test_an_object_that_has_such_evidence_is_refused_with_its_attribute(stranger, message):
    with pytest.raises(InvalidEvidence, match=message):
        compare(stranger)


def test_a_bootstrap_interval_is_refused_for_a_margin():
    with pytest.raises(InvalidOption, match="interval 'percentile' may have width 0 and cannot be used with a margin"):
        compare(PairedTable(0, 0, 0, 50), margin=0.1, interval="percentile")


def test_the_seed_of_a_ranking_can_be_set():
    """The seed and the number of resamples reach both the p-values and the winner's optimism."""
    patterns = patterns_of_three()
    first, again, reseeded = (compare(patterns, rng=seed, resamples=200) for seed in (1, 1, 2))
    assert first.note("optimism") == again.note("optimism") != reseeded.note("optimism")
    assert min(first.adjusted) >= 1 / 201


def test_checks_of_max_t_belong_to_max_t():
    few = ErrorPatterns.from_codes(["a", "b", "c"], {0: 95, 1: 2, 2: 2, 4: 1})
    codes = {rule: {check.code for check in compare(few, adjust=rule).checks} for rule in ("max-t", "holm")}
    assert "TA302" in codes["max-t"]
    assert "TA302" not in codes["holm"]


@pytest.mark.parametrize(
    "options",
    [{"method": "bonett-price", "interval": "tango"}, {"method": "wald-paired", "interval": "odds-exact"}],
    ids=str,
)
def test_two_intervals_cannot_be_combined(options):
    with pytest.raises(InvalidOption, match="`method` must be a test if `interval` is used"):
        compare(PairedTable(20, 25, 10, 45), **options)


def test_max_t_and_another_adjustment_cannot_be_combined():
    with pytest.raises(
        InvalidOption, match="`adjust` must be left out with method 'max-t', which adjusts for all pairs"
    ):
        compare(patterns_of_three(), method="max-t", adjust="holm")


def test_a_margin_of_label_balance_is_about_predictions_not_errors():
    balance = ConfusionMatrix([[21, 26], [22, 129]]).label_against_prediction()
    verdict = compare(balance, margin=0.1, hypothesis="equivalent").display().verdict
    assert verdict == "label and prediction differ by less than 10 pp in how often they say 'positive'"


def test_predictions_are_counted_and_those_left_out_are_reported():
    table = {"label": [0, 1, 1, 0], "a": [0, 1, 0, None], "b": [0, 0, 1, 0]}
    answer = compare(Predictions.of(table, missing="drop"))
    assert answer.evidence.models == ("a", "b")
    assert answer.excluded == {"missing prediction of a": 1}
    assert dict(answer.rows())["data"].endswith("; 1 left out (missing prediction of a)")
    wrong = compare(Predictions.of(table, missing="wrong"), method="mcnemar-exact", alpha=0.1)
    assert dict(wrong.rows())["data"].endswith("; 1 counted as wrong (missing prediction of a)")
    assert (wrong.method, wrong.alpha) == ("mcnemar-exact", 0.1)
    ranking = compare(Predictions.of(table | {"c": [0, 1, 1, 1]}, missing="drop"))
    assert ranking.excluded == {"missing prediction of a": 1}
