"""compare: what is chosen, what is refused, how it is told, for two classifiers or more."""

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


def asking(method):
    """Return how to ask for this method."""
    return {"method" if method.gives == "test" else "interval": method.name}


def evidence_for(method):
    """Return counts for it: few where it enumerates all that could have been seen."""
    if method.name == "unconditional":
        return PairedTable(both_wrong=3, only_a_wrong=12, only_b_wrong=3, both_right=4)
    return TABLE if method.evidence is PairedTable else COUNTS


def patterns_of_three():
    right = np.random.default_rng(3).random((3, 200)) < np.array([[0.95], [0.9], [0.6]])
    return ErrorPatterns.from_correct(dict(zip(("forest", "logit", "stump"), right, strict=True)))


# --- What is chosen ---


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
def test_beside_a_test_stands_an_interval_of_the_difference(test):
    """Its own, its partner's, or the default; never one of the odds, which is another thing."""
    answer = compare(evidence_for(test), method=test.name)
    own = {found.name for found in find_methods(name=test.name, gives="interval", evidence=test.evidence)}
    partner = {
        found.name
        for found in find_methods(name=test.partner or "", gives="interval", evidence=test.evidence)
        if found.parameter == "difference"
    }
    default = "tango" if test.evidence is PairedTable else "miettinen-nurminen"
    assert answer.method == test.name
    assert answer.interval.method == next(iter(own | partner or {default}))
    assert answer.interval.parameter == "difference"


@pytest.mark.parametrize("kind", [PairedTable, IndependentCounts], ids=lambda kind: kind.__name__)
def test_every_name_is_found_by_whoever_asks_first(kind):
    """In a fresh process: no module of methods was loaded by an earlier question."""
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


def test_the_named_test_and_the_named_interval_are_taken_at_their_word():
    answer = compare(TABLE, method="mcnemar-exact", interval="bonett-price")
    assert (answer.method, answer.interval.method) == ("mcnemar-exact", "bonett-price")
    assert (compare(TABLE, interval="newcombe-paired").method) == "mcnemar-mid-p"


def test_limits_of_the_odds_are_shown_only_if_asked_for_and_said_to_be_such():
    """The odds of a lone error: Clopper and Pearson's limits p of 25 in 35, as p/(1 − p)."""
    scipy_stats = pytest.importorskip("scipy.stats")
    answer = compare(TABLE, interval="odds-exact")
    share = scipy_stats.binomtest(25, 35).proportion_ci(0.95, method="exact")
    assert answer.interval.parameter == "odds"
    assert_allclose(
        [answer.interval.low, answer.interval.high],
        [share.low / (1 - share.low), share.high / (1 - share.high)],
        rtol=1e-9,
    )
    assert "lone errors of A for each of B: " in answer.words
    assert "error(A) − error(B)" not in answer.words
    assert "points (95 %" not in answer.words
    assert answer.difference == 0.15  # which stays what it is


def test_a_reduction_is_said_to_be_one():
    answer = compare(TABLE, interval="reduction-score")
    assert answer.interval.parameter == "reduction"
    assert "share of A's errors that B avoids: " in answer.words


def test_what_one_test_set_saw_of_two_models_is_compared_whatever_holds_it():
    """Patterns and confusions of two are the same four counts."""
    here = compare(PairedTable(2, 9, 4, 15, models=("old", "new")))
    wrong = np.repeat([[True, True], [True, False], [False, True], [False, False]], [2, 9, 4, 15], axis=0)
    patterns = ErrorPatterns.from_correct({"old": ~wrong[:, 0], "new": ~wrong[:, 1]})
    assert isinstance(compare(patterns), Comparison)
    assert compare(patterns).words == here.words
    truth = np.zeros(30, dtype=int)
    confusion = PairedConfusion.from_predictions(truth, wrong[:, 0].astype(int), wrong[:, 1].astype(int))
    assert compare(confusion).pvalue == here.pvalue


# --- Numbers from elsewhere ---


def test_the_worked_example():
    """25 and 10 lone errors: mid-p is P(X < 10)·2 + P(X = 10), X binomial(35, ½), in whole numbers."""
    exact = sum(math.comb(35, k) for k in range(10)) * 2 + math.comb(35, 10)
    answer = compare(TABLE)
    assert_allclose(answer.pvalue, exact / 2**35, rtol=1e-13)
    assert answer.difference == 0.15
    assert answer.better == "B"


def test_exchanging_the_two_changes_the_sign_and_the_winner_only():
    here, there = compare(TABLE), compare(TABLE.swapped())
    assert (here.better, there.better) == ("B", "A")
    assert here.pvalue == there.pvalue
    assert_allclose(
        [there.difference, there.interval.low, there.interval.high], [-0.15, -here.interval.high, -here.interval.low]
    )


@pytest.mark.parametrize(
    ("alternative", "better", "side"), [("two-sided", "B", "two"), ("greater", "B", "lower"), ("less", None, "upper")]
)
def test_greater_asks_whether_b_is_better(alternative, better, side):
    answer = compare(TABLE, alternative=alternative)
    assert (answer.better, answer.interval.side) == (better, side)
    assert answer.interval.low >= -1
    assert answer.interval.high <= 1
    assert (answer.interval.low == -1) == (side == "upper")
    assert (answer.interval.high == 1) == (side == "lower")


@pytest.mark.parametrize(("alternative", "other"), [("greater", "A"), ("less", "B")])
@pytest.mark.parametrize("four", [(20, 10, 11, 45), (20, 11, 10, 45), (20, 10, 10, 45)])
def test_a_one_sided_question_is_never_answered_by_the_other_side(alternative, other, four):
    """Even where alpha is so large that a difference to the other side is no obstacle."""
    answer = compare(PairedTable(*four), alternative=alternative, alpha=0.7)
    assert answer.better != other


def test_level_and_alpha_are_one_number():
    for asked in ({"level": 0.99}, {"alpha": 0.01}, {"level": 0.99, "alpha": 0.01}):
        answer = compare(TABLE, **asked)
        assert answer.better is None  # p = 0.0113
        assert_allclose(answer.interval.alpha, 0.01, rtol=1e-12)
    assert compare(TABLE, level=0.3).interval.level == 0.3
    for evidence in (TABLE, COUNTS):
        with pytest.raises(InvalidOption, match="must be 1 - level"):
            compare(evidence, level=0.95, alpha=0.01)
        with pytest.raises(InvalidOption, match="must be 1 - level"):
            compare(evidence, level=0.95, alpha=0.01, margin=0.1)


# --- What is refused ---


@pytest.mark.parametrize("name", ["nope", "", "Tango", 3, ["mcnemar"], "fisher", "clopper-pearson"])
def test_an_unknown_method_lists_the_tests(name):
    with pytest.raises(UnknownMethod) as caught:
        compare(TABLE, method=name)
    assert all(
        test.name in str(caught.value)
        for test in TESTS
        if test.evidence is PairedTable and test.standing != "forbidden"
    )


@pytest.mark.parametrize("name", ["nope", "", "mcnemar", "newcombe"])
def test_an_unknown_interval_lists_the_intervals(name):
    with pytest.raises(UnknownMethod) as caught:
        compare(TABLE, interval=name)
    assert "bonett-price" in str(caught.value)
    assert "tango" in str(caught.value)


@pytest.mark.parametrize("evidence", [TABLE, COUNTS], ids=["paired", "independent"])
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"against": 0.1}, "against is a threshold for one ErrorCount. For two models or learners write margin="),
        ({"adjust": "holm"}, "adjust is for several comparisons"),
        ({"side": "upper"}, "side is not an option of compare"),
        ({"colour": "red"}, "unknown option `colour` of method"),
        ({"prior": (1, 3)}, "unknown option `prior` of method"),
        ({"looks": -1}, "looks must be a whole number, 0 or more, but is -1"),
        ({"looks": 1.5}, "looks must be a whole number"),
        ({"looks": "two"}, "looks must be a whole number"),
        ({"alternative": "better"}, "`alternative` must be one of"),
        ({"alpha": 0}, "`alpha` must be between 0 and 1"),
        ({"level": 95}, "For 95% use 0.95"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_what_is_no_option_for_two_is_refused(evidence, asked, told):
    with pytest.raises(InvalidOption) as caught:
        compare(evidence, **asked)
    assert told in str(caught.value)


@pytest.mark.parametrize("asked", [{"margin": 0.01}, {"hypothesis": "superior"}, {"adjust": "holm"}, {"looks": 3}])
def test_what_is_no_option_for_one_count_is_refused_and_not_forgotten(asked):
    with pytest.raises(InvalidOption, match=next(iter(asked))):
        compare(ErrorCount(3, 120), against=0.05, **asked)


@pytest.mark.parametrize("stranger", [(20, 25, 10, 45), None, "20 25 10 45", np.ones((2, 2)), 3])
def test_what_is_no_evidence_is_told_what_to_write(stranger):
    with pytest.raises(InvalidEvidence, match=rf"is {type(stranger).__name__}\b.*PairedTable\(both_wrong"):
        compare(stranger)


def test_strata_of_one_classifier_are_nothing_to_compare():
    with pytest.raises(InvalidEvidence, match="StratifiedCount"):
        compare(StratifiedCount([3, 1], [50, 20], shares=[0.7, 0.3]))


# --- Words ---


@pytest.mark.parametrize(
    ("four", "winner"), [((20, 25, 10, 45), "new"), ((20, 10, 25, 45), "old"), ((20, 11, 10, 45), None)]
)
def test_the_words_name_the_models_and_who_is_better(four, winner):
    answer = compare(PairedTable(*four, models=("old", "new")))
    loser = {"new": "old", "old": "new"}.get(winner)
    if winner is None:
        assert answer.words.startswith("old and new are not told apart at alpha = 0.05: on ")
        assert answer.better is None
    else:
        assert answer.words.startswith(f"{winner} is better than {loser} at alpha = 0.05: on ")
        assert answer.better == ("A" if winner == "old" else "B")
        assert re.search(
            f"{loser} errs 15.0 points more often than {winner} \\(45.0 % against 30.0 %\\)", answer.words, re.I
        )
    assert "error(old) − error(new): " in answer.words
    rows = dict(answer.rows())
    assert f"old wrong, new right: {four[1]}; old right, new wrong: {four[2]}" in rows["seen"]
    assert f"both wrong: {four[0]}; both right: {four[3]}" in rows["seen"]


def test_a_models_name_is_written_as_it_is():
    """Another model may be called A."""
    words = compare(PairedTable(20, 25, 10, 45, models=("a", "b"))).words
    assert "A errs" not in words
    assert ", a errs 15.0 points more often than b" in words


def test_five_rows_teach_who_by_how_much_how_sure_what_was_seen_and_what_to_mind():
    rows = compare(TABLE).rows()
    assert [label for label, _ in rows] == ["better", "by how much", "how sure", "seen", "careful"]
    told = dict(rows)
    assert "3.6 to 26.3 points (95 %, two-sided, tango)" in told["by how much"]
    assert told["how sure"].startswith("p = 0.0113 (mcnemar-mid-p, two-sided)")
    assert told["seen"].startswith("100 examples, 35 disagreements.")
    assert (
        "does not allow for the choice of training data or for randomness in the learner (question 8"
        in (told["careful"])
    )
    assert compare(TABLE, margin=0.1).rows()[0][0] == "verdict"
    assert dict(compare(COUNTS).rows())["seen"].startswith("100 examples and 100 others.")


@pytest.mark.parametrize("method", METHODS, ids=by_name)
def test_significant_never_stands_alone(method):
    evidence = evidence_for(method)
    for alternative in ("two-sided", "greater", "less"):
        answer = compare(evidence, alternative=alternative, **asking(method))
        assert "significant" not in str(answer).lower()
        assert "significant" not in answer.words.lower()
        assert method.name in answer.words
        bar = f"by the rule {answer.method}" if np.isnan(answer.pvalue) else "at alpha = 0.05"
        assert bar in answer.words


@pytest.mark.parametrize("method", METHODS, ids=by_name)
def test_a_heuristic_says_so_and_why_where_it_decides(method):
    words = compare(evidence_for(method), **asking(method)).words
    assert (f"heuristic ({method.rationale})" in words) == (method.standing == "heuristic")


@pytest.mark.parametrize(
    ("alternative", "asked"), [("greater", "is new better?"), ("less", "is old better?"), ("two-sided", "two-sided")]
)
def test_the_question_is_told_in_words(alternative, asked):
    answer = compare(PairedTable(20, 25, 10, 45, models=("old", "new")), alternative=alternative)
    assert f"(mcnemar-mid-p, {asked})" in answer.words


@pytest.mark.parametrize(("looks", "told"), [(1, "1 time before"), (2, "2 times before"), (9, "9 times before")])
def test_earlier_looks_are_reported_with_what_they_ask_for(looks, told):
    """Bonferroni: alpha over the number of looks, this one included."""
    answer = compare(TABLE, looks=looks)
    assert told in answer.words
    share = 0.05 / (looks + 1)
    assert f"p below {share:.3g} (alpha/{looks + 1})" in answer.words
    assert answer.note("looks", 0) == looks
    assert json.loads(answer.to_json())["looks"] == looks
    assert answer.pvalue == compare(TABLE).pvalue  # it is reported, and the p-value left alone
    assert f"alpha/{looks + 1}" in compare(TABLE, margin=0.1, looks=looks).words
    assert "looked at" not in compare(TABLE).words


def test_no_looks_are_reported_in_ranks_as_well():
    assert "alpha/3" in compare(patterns_of_three(), looks=2).words


@pytest.mark.parametrize(
    ("evidence", "asked", "interval"),
    [
        (PairedTable(0, 4, 0, 96), {}, "tango"),  # mid-p: 2^-4 = 0.0625; McNemar: 2·Φ(−2) = 0.0455
        (PairedTable(0, 0, 4, 96), {}, "tango"),
        (TABLE, {"method": "two-intervals"}, "tango"),
    ],
)
def test_where_test_and_interval_fall_apart_the_words_say_who_decides(evidence, asked, interval):
    answer = compare(evidence, **asked)
    assert answer.better is None
    assert not answer.interval.contains(0.0)
    sentence = f"The interval ({interval}) would decide otherwise; the test decides."
    assert sentence in answer.words
    assert sentence in dict(answer.rows())["careful"]


@pytest.mark.parametrize(
    ("method", "interval"),
    [
        ("mcnemar", "tango"),
        ("mcnemar-mid-p", "odds-mid-p"),
        ("mcnemar-exact", "odds-exact"),
        ("mcnemar", "reduction-score"),
    ],
)
def test_a_test_and_the_interval_that_belongs_to_it_never_fall_apart(method, interval):
    """For every table of up to 14 examples, by the sentence that would say so."""
    for alternative, alpha in product(("two-sided", "greater"), (0.05, 0.0101, 0.2003)):
        for n in (1, 6, 14):
            tables = PairedTable(0, *np.array([(b, c) for b in range(n + 1) for c in range(n + 1 - b)]).T, n)
            answer = compare(tables, method=method, interval=interval, alternative=alternative, alpha=alpha)
            null = 1.0 if interval.startswith("odds") else 0.0
            assert_array_equal(answer.rejected, ~answer.interval.contains(null))
            assert not [one.words for one in answer[::7] if "would decide otherwise" in one.words]


def test_a_p_value_beyond_floats_is_told_in_words():
    answer = compare(PairedTable(0, 10**6, 0, 0))
    assert answer.pvalue == np.finfo(float).tiny
    assert "p = below 1e-307" in answer.words or "p below 1e-307" in answer.words
    assert "next to no test set" in dict(answer.rows())["how sure"]


@pytest.mark.parametrize(
    ("four", "share"), [((0, 25, 10, 45), "1.1 % of test sets"), ((0, 30, 5, 65), "1 test set in")]
)
def test_a_p_value_is_made_a_share_of_test_sets(four, share):
    assert share in dict(compare(PairedTable(*four)).rows())["how sure"]


def test_those_that_err_equally_often_are_said_to():
    words = compare(PairedTable(3, 5, 5, 87)).words
    assert "err equally often (8.0 %)" in words
    assert "nothing speaks for either" in words


def test_a_posterior_is_told_as_a_probability():
    """P(B better) under Dirichlet: a Beta(25 + ½, 10 + ½) exceeds ½."""
    scipy_stats = pytest.importorskip("scipy.stats")
    answer = compare(TABLE, method="dirichlet")
    right = scipy_stats.beta.sf(0.5, 25.5, 10.5)
    assert_allclose(answer.statistic, right, rtol=1e-9)
    assert f"P(B better) = {right:.4f}" in answer.words


@pytest.mark.parametrize("evidence", [TABLE, COUNTS], ids=["paired", "independent"])
def test_a_rule_without_a_p_value_gives_its_verdict(evidence):
    answer = compare(evidence, method="k-se", k=0.01)
    assert np.isnan(answer.pvalue)
    assert answer.better == "B"
    assert "no p-value: k-se is a rule, and it calls them different" in answer.words
    assert json.loads(answer.to_json())["pvalue"] is None
    cautious = compare(evidence, method="k-se", k=50)
    assert cautious.better is None
    assert "does not call them different" in cautious.words


# --- JSON ---

KEYS = {"method", "difference", "interval", "statistic", "pvalue", "better", "words", "checks", "evidence"}


def test_json_has_what_scripts_count_on():
    told = json.loads(compare(TABLE).to_json())
    assert set(told) >= KEYS
    assert told["evidence"] == {
        "both_wrong": 20,
        "only_a_wrong": 25,
        "only_b_wrong": 10,
        "both_right": 45,
        "models": ["A", "B"],
    }
    assert set(told["interval"]) >= {"low", "high", "level", "side", "parameter", "method"}
    assert (told["better"], told["method"], told["difference"]) == ("B", "mcnemar-mid-p", 0.15)
    assert all(set(check) == {"code", "holds", "message"} for check in told["checks"])
    assert "shown" not in told


def test_json_of_two_test_sets_has_both_counts():
    told = json.loads(compare(COUNTS).to_json())
    assert set(told) >= KEYS
    assert told["evidence"]["a"] == {"errors": 30, "trials": 100}
    assert told["evidence"]["b"] == {"errors": 20, "trials": 100}


def test_json_of_a_margin_says_whether_it_is_shown():
    told = json.loads(compare(TABLE, margin=0.01).to_json())
    assert (told["hypothesis"], told["margin"], told["shown"], told["better"]) == ("non-inferior", 0.01, True, None)


def test_json_of_many_is_lists():
    told = json.loads(compare(PairedTable([20, 0], [25, 0], [10, 0], [45, 9])).to_json())
    assert told["better"] == ["B", None]
    assert told["evidence"]["only_a_wrong"] == [25, 0]
    assert len(told["pvalue"]) == len(told["interval"]["low"]) == 2
    assert all(len(check["holds"]) == 2 for check in told["checks"])


# --- Several models ---


def test_several_models_make_a_ranking():
    answer = compare(patterns_of_three())
    assert isinstance(answer, Ranking)
    assert (answer.method, answer.adjustment.method) == ("mcnemar-mid-p", "max-t")
    assert answer.names == (("forest", "logit"), ("forest", "stump"), ("logit", "stump"))
    told = json.loads(answer.to_json())
    assert {"pairs", "groups", "method", "checks", "evidence", "words"} <= set(told)
    assert [pair["a"] for pair in told["pairs"]] == ["forest", "forest", "logit"]
    assert all({"difference", "interval", "pvalue", "adjusted", "better"} <= set(pair) for pair in told["pairs"])


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
    alone = [compare(patterns.pair(*pair)) for pair in answer.names]
    assert_allclose(answer.pairs.pvalue, [one.pvalue for one in alone])
    assert_allclose(answer.pairs.interval.low, [one.interval.low for one in alone])
    assert_allclose(answer.adjusted, adjust([one.pvalue for one in alone], rule))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"margin": 0.1}, "margin is for two models"),
        ({"hypothesis": "superior"}, "hypothesis is for two models"),
        ({"adjust": "nope"}, "`adjust` must be one of"),
        ({"method": "cochran-q"}, "compares no two models; every ranking reports it"),
        ({"against": 0.1}, "against is a threshold for one ErrorCount"),
        ({"colour": "red"}, "colour is no option"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_what_is_no_option_for_several_is_refused(asked, told):
    with pytest.raises(InvalidOption) as caught:
        compare(patterns_of_three(), **asked)
    assert told in str(caught.value)


# --- Many tables that pay for their number ---


def test_tables_of_groups_are_adjusted_together():
    """Holm by hand over three tables: the smallest p-value times 3, then times 2, then as it is."""
    tables = PairedTable([20, 3, 1], [25, 9, 4], [10, 2, 3], [45, 86, 92])
    answers = compare(tables, adjust="holm")
    first, second, third = np.sort(answers.pvalue)
    assert_allclose(np.sort(answers.adjusted), [3 * first, max(3 * first, 2 * second), max(2 * second, third)])
    assert answers.pvalue.tolist() == compare(tables).pvalue.tolist()
    assert answers.better.tolist() == [None if p >= 0.05 else "B" for p in answers.adjusted]
    assert "adjusted by holm over 3 comparisons" in answers.words
    one = answers[0]
    assert one.as_dict()["adjusted"] == one.adjusted
    assert "adjusted by holm over 3 comparisons" in one.words
    assert "of test sets would show" not in str(one)  # that is said of a p-value by itself
    assert compare(tables, adjust="none").adjusted is None


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"adjust": "max-t"}, "Take 'holm' for many tables"),
        ({"adjust": "shaffer"}, "adjust='shaffer' is for all pairs of several. Take 'holm' for many tables"),
        ({"adjust": "bergmann-hommel"}, "is for all pairs of several"),
        ({"adjust": "holm", "method": "k-se"}, "a rule without p-values"),
        ({"adjust": "bonferoni"}, "`adjust` must be one of"),
    ],
)
def test_what_does_not_adjust_tables_is_refused(asked, told):
    with pytest.raises(InvalidOption, match=told):
        compare(PairedTable([20, 3], [25, 9], [10, 2], [45, 86]), **asked)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"alternative": "greater"}, "who is A is a matter of their order"),
        ({"method": "k-se"}, "a rule without p-values"),
        ({"rng": "x"}, "`rng` must be a seed"),
        ({"resamples": 10**12}, "from 1 to ten million"),
    ],
)
def test_what_a_ranking_cannot_tell_is_refused(asked, told):
    with pytest.raises(InvalidOption, match=told):
        compare(patterns_of_three(), **asked)


def test_a_hope_that_is_not_shown_is_told_as_one():
    worse = PairedTable(5, 2, 21, 72, models=("old", "new"))
    assert compare(worse, alternative="greater").words.startswith("new is not shown to be better than old")
    assert compare(worse.swapped(), alternative="less").words.startswith("new is not shown to be better than old")


def test_the_better_model_is_named_in_json():
    """B may be called A: the letter alone would mislead."""
    told = compare(PairedTable(20, 25, 10, 45, models=("B", "A"))).as_dict()
    assert (told["better"], told["better_model"]) == ("B", "A")


@pytest.mark.parametrize(
    ("stranger", "told"),
    [
        (ConfusionMatrix([[3, 1], [2, 4]]), "label_against_prediction"),
        (ConfusionMatrix([[3, 1], [2, 4]]), "error_count"),
    ],
    ids=["balance", "error"],
)
def test_who_holds_such_evidence_is_told_where(stranger, told):
    with pytest.raises(InvalidEvidence, match=told):
        compare(stranger)


def test_no_bootstrap_stands_beside_a_margin():
    with pytest.raises(InvalidOption, match="may have no width"):
        compare(PairedTable(0, 0, 0, 50), margin=0.1, interval="percentile")


def test_what_is_drawn_for_a_ranking_can_be_told():
    """The seed and the number of resamples reach both the p-values and the winner's optimism."""
    patterns = patterns_of_three()
    first, again, other = (compare(patterns, rng=seed, resamples=200) for seed in (1, 1, 2))
    assert first.note("optimism") == again.note("optimism") != other.note("optimism")
    assert min(first.adjusted) >= 1 / 201


def test_checks_of_max_t_belong_to_max_t():
    few = ErrorPatterns.from_codes(["a", "b", "c"], {0: 95, 1: 2, 2: 2, 4: 1})
    codes = {rule: {check.code for check in compare(few, adjust=rule).checks} for rule in ("max-t", "holm")}
    assert "TA302" in codes["max-t"]
    assert "TA302" not in codes["holm"]


@pytest.mark.parametrize(
    "asked",
    [{"method": "bonett-price", "interval": "tango"}, {"method": "wald-paired", "interval": "odds-exact"}],
    ids=str,
)
def test_two_intervals_contradict_each_other(asked):
    with pytest.raises(InvalidOption, match="are two intervals"):
        compare(PairedTable(20, 25, 10, 45), **asked)


def test_max_t_and_another_adjustment_contradict_each_other():
    with pytest.raises(InvalidOption, match="contradict each other"):
        compare(patterns_of_three(), method="max-t", adjust="holm")


def test_a_heuristic_interval_says_that_it_is_one():
    answer = compare(IndependentCounts.from_counts(30, 100, 20, 100), interval="two-betas")
    assert "; heuristic (" in dict(answer.rows())["by how much"]


def test_a_margin_of_something_else_than_errors_is_told_as_such():
    balance = ConfusionMatrix([[21, 26], [22, 129]]).label_against_prediction()
    words = compare(balance, margin=0.1, hypothesis="equivalent").words
    assert words.startswith("label and prediction differ by at most 10 points in how often they are positive: shown")
    assert "question 8" not in words


def test_predictions_are_counted_and_what_was_left_out_is_told():
    table = {"label": [0, 1, 1, 0], "a": [0, 1, 0, None], "b": [0, 0, 1, 0]}
    answer = compare(Predictions.of(table, missing="drop"))
    assert answer.evidence.models == ("a", "b")
    assert answer.excluded == {"missing prediction of a": 1}
    assert "Left out: missing prediction of a: 1." in str(answer)
    wrong = compare(Predictions.of(table, missing="wrong"), method="mcnemar-exact", alpha=0.1)
    assert "Counted as wrong: missing prediction of a: 1." in str(wrong)
    assert (wrong.method, wrong.alpha) == ("mcnemar-exact", 0.1)
    ranking = compare(Predictions.of(table | {"c": [0, 1, 1, 1]}, missing="drop"))
    assert ranking.excluded == {"missing prediction of a": 1}
