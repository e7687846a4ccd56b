"""TA010: the method's status is not "do not use"."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from tellapart import (
    ErrorCount,
    IndependentCounts,
    PairedTable,
    Resamples,
    compare,
    estimate,
    find_methods,
)
from tellapart.methods.assumptions import standing_check

TABLE = PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)
COUNTS = IndependentCounts.from_counts(30, 100, 20, 100)
METHODS = [method for method in find_methods() if method.evidence in (ErrorCount, PairedTable, IndependentCounts)]
UNSUITABLE = [method for method in METHODS if method.standing == "forbidden"]
SUITABLE = [method for method in METHODS if method not in UNSUITABLE and method.gives in ("interval", "test")]


def named(method):
    return f"{method.name}-{method.gives}-{method.evidence.__name__}"


def answer_of(method):
    """Return the result of a method for evidence that it takes."""
    needs = {"prior": (1, 3), "pool": 500}
    more = {option: needs[option] for option in method.required if option in needs}
    if method.evidence is ErrorCount:
        if method.gives == "test":
            return compare(ErrorCount(40, 80), against=0.4, method=method.name, **more)
        return estimate(ErrorCount(40, 80), method=method.name, **more)
    evidence = TABLE if method.evidence is PairedTable else COUNTS
    if method.name == "unconditional":  # which enumerates all outcomes
        evidence = PairedTable(both_wrong=3, only_a_wrong=12, only_b_wrong=3, both_right=4)
    return compare(evidence, **{"method" if method.gives == "test" else "interval": method.name}, **more)


def fails():
    return estimate(ErrorCount(60, 120), method="wald")


@pytest.mark.parametrize("method", UNSUITABLE, ids=named)
def test_a_method_not_to_use_gives_its_reason_and_names_the_defaults(method):
    answer = answer_of(method)
    # The test and the interval may both have this status: then there are two messages.
    messages = [each.message for each in answer.checks if each.code == "TA010"]
    defaults = {
        ErrorCount: {"test": {"jeffreys", "clopper-pearson"}, "interval": {"jeffreys", "clopper-pearson"}},
        PairedTable: {"test": {"mcnemar-mid-p"}, "interval": {"tango"}},
        IndependentCounts: {"test": {"fisher-mid-p"}, "interval": {"miettinen-nurminen"}},
    }[method.evidence][method.gives]
    start = f"do not use '{method.name}': {method.rationale}. "
    (remedy,) = (message.removeprefix(start) for message in messages if message.startswith(start))
    assert set(re.findall(r"(?:method|interval)='([^']*)'", remedy)) == defaults
    assert f"TA010: do not use '{method.name}'" in " ".join(str(answer).split())
    assert "TA010" in [each["code"] for each in json.loads(answer.to_json())["checks"]]


@pytest.mark.parametrize("method", SUITABLE, ids=named)
def test_the_others_do_not_have_this_check(method):
    assert "TA010" not in {each.code for each in answer_of(method).checks}


def test_the_defaults_that_the_message_names_are_the_defaults():
    assert estimate(ErrorCount(40, 80)).method == "jeffreys"
    assert compare(ErrorCount(40, 80), against=0.4).method == "clopper-pearson"
    for evidence, test, interval in (
        (TABLE, "mcnemar-mid-p", "tango"),
        (COUNTS, "fisher-mid-p", "miettinen-nurminen"),
    ):
        answer = compare(evidence)
        assert (answer.method, answer.interval.method) == (test, interval)


def test_the_message_does_not_name_an_interval_that_is_in_use():
    (message,) = (check.message for check in compare(TABLE, method="interval-overlap").checks if not check.holds)
    assert message.endswith(" Use method='mcnemar-mid-p'.")


def test_the_methods_not_to_use_are_these():
    names = {method.name for method in find_methods() if method.standing == "forbidden"}
    no_width = {"wald", "percentile", "bca-bootstrap", "wald-paired", "yang-paired", "wald-independent"}
    pairs = {"difference-of-proportions", "k-se", "interval-overlap", "two-se"}
    splits = {"resampled-t", "splitting-sd", "splitting-se"}
    assert names == no_width | {"stratified-normal", "probability-better"} | pairs | splits


LEARNERS = [0.9, 0.8, 0.85, 0.95], [0.8, 0.75, 0.7, 0.75]


def in_every_form(answer):
    forms = (
        str(answer),
        answer.explain(),
        answer.to_markdown(),
        answer.to_latex(),
        answer._repr_html_(),
        answer.to_json(),
    )
    return " ".join("\n".join(forms).split())


@pytest.mark.parametrize(
    "method", [method for method in find_methods(gives="test") if method.standing == "forbidden"], ids=named
)
def test_the_p_value_of_an_unsuitable_test_is_not_explained_as_a_share_of_test_sets(method):
    """Its type I error rate is not alpha, so "1 test set in 150 would show as large a difference" would be false."""
    if method.evidence is not Resamples:
        answer = answer_of(method)
    elif method.name == "two-se":
        counts = np.array([[[[30]], [[10]]], [[[10]], [[60]]]])  # 30 errors of A, 60 of B, 10 of both
        evidence = Resamples([[[0.1]], [[0.2]]], 300, 600, "holdout", together=counts, examples=900)
        answer = compare(evidence, method="two-se")
    else:
        answer = compare(Resamples.from_scores(*LEARNERS, plan="4x(2/3)", examples=90), method=method.name)
    text = in_every_form(answer)
    assert "TA010" in text
    assert "would show" not in text
    assert "in how many" not in text


def test_the_p_value_of_a_suitable_test_is_explained_as_a_share_of_test_sets():
    """An unsuitable interval beside a suitable test does not change this."""
    share = "of test sets would show as large a difference"
    assert share in in_every_form(compare(COUNTS))
    assert share in in_every_form(compare(COUNTS, interval="wald-independent"))


def test_the_remedy_for_learners_names_their_defaults(check):
    evidence = Resamples.from_scores([0.9, 0.8, 0.85], [0.8, 0.75, 0.9], plan="3x(2/3)", examples=90)
    message = check(compare(evidence, method="resampled-t")).message
    assert "Use method='corrected-resampled-t' to compare learners" in message
    assert compare(evidence).method == "corrected-resampled-t"


def test_it_fails_for_every_entry_and_a_reason_may_contain_braces(check):
    assert check(estimate(ErrorCount([1, 30], 60), method="wald")).holds.tolist() == [False, False]
    odd_method = replace(
        next(method for method in UNSUITABLE if method.name == "wald"), rationale="its limits are in {0, 1}"
    )
    (odd,) = standing_check(odd_method, ErrorCount(3, 120), "use another")
    assert "{0, 1}" in odd.message
