"""Every check has a code, a page, a test file, a message, and a remedy that exists."""

import importlib.util
import json
import re
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from tellapart import (
    ErrorCount,
    Estimate,
    Plan,
    Resamples,
    StratifiedCount,
    TrainingSets,
    compare,
    estimate,
    find_methods,
)
from tellapart.bibliography import REFERENCES
from tellapart.methods.assumptions import Assumption
from tellapart.methods.error_count.assumptions import (
    ANDERSON_SCLOVE,
    HODGES_LEHMANN,
    MENDENHALL,
    MITCHELL_PRODUCT,
    MITCHELL_SIZE,
)
from tellapart.metrics import get_metric

HERE = Path(__file__).parent
OWN = [method for method in find_methods() if method.function.__module__.startswith("tellapart.")]
ALL = {assumption.code: assumption for method in OWN for assumption in method.assumes}
CODES = sorted({*ALL, "TA010"})  # which no assumption states: forbidden methods carry it
NEVER_HOLD = {"TA010", "TA400", "TA420"}  # of a method that is never fit, only chooses, or tests what it was trained on
NO_METHOD_HELPS = {"TA402", "TA411", "TA420", "TA421", "TA423", "TA428", "TA442", "TA624", "TA628", "TA704"}
SLOW_TO_HOLD = {"TA422"}  # two hundred replicates; its own tests check the number only
NAMES = {method.name for method in find_methods()}
# The criteria for the normal approximation, and the methods for one error rate that use it.
CRITERIA = {HODGES_LEHMANN, ANDERSON_SCLOVE, MENDENHALL, MITCHELL_SIZE, MITCHELL_PRODUCT}
NORMAL = {"wald", "wald-cc", "wilson", "wilson-cc", "agresti-coull", "arcsine", "logit", "likelihood-ratio"}
each_code = pytest.mark.parametrize("code", CODES)


@cache
def module(code):
    """Return the test file of a code, with answers in which its check fails and holds."""
    spec = importlib.util.spec_from_file_location(f"test_{code.lower()}", HERE / f"test_{code.lower()}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@cache
def answer(code, which):
    return getattr(module(code), which)()


def check(code, which="fails"):
    (found,) = (each for each in answer(code, which).checks if each.code == code)
    return found


def test_a_code_means_one_thing_and_has_one_file():
    stated = {assumption for method in OWN for assumption in method.assumes}
    assert len({assumption.code for assumption in stated}) == len(stated)
    assert "TA010" not in ALL
    assert [path.stem for path in sorted(HERE.glob("test_ta*.py"))] == [f"test_{code.lower()}" for code in CODES]


def test_the_assumptions_of_a_kind_are_those_of_its_methods():
    """Every assumption belongs to a method, and every method has its assumptions in `assumptions.py` of its kind."""
    kinds = {method.function.__module__.rpartition(".")[0] for method in OWN}
    modules = [import_module(f"{kind}.assumptions") for kind in kinds]
    stated = {value for module in modules for value in vars(module).values() if isinstance(value, Assumption)}
    assert stated == set(ALL.values())


@pytest.mark.parametrize("assumption", ALL.values(), ids=lambda assumption: assumption.code)
def test_the_code_has_the_family_of_the_evidence(assumption):
    """TA0xx one error rate, TA1xx one test set, TA2xx two, TA3xx several classifiers, TA4xx learners, TA5xx scores.

    TA6xx other metrics; the log loss, whose tail is heavy, comes as scores. TA7xx many data sets.
    """
    kinds = {
        method.evidence.__name__
        for method in find_methods()
        if assumption.code in {each.code for each in method.assumes}
    }
    family = {
        "0": {"ErrorCount", "StratifiedCount"},
        "1": {"PairedTable"},
        "2": {"IndependentCounts"},
        "3": {"ErrorPatterns"},
        "4": {"Resamples", "TrainingSets"},
        "5": {"Outcomes"},
        "6": {"ClassScores", "ConfusionMatrix", "Outcomes", "PairedConfusion"},
        "7": {"ScoreTable"},
    }
    assert kinds <= family[assumption.code[2]]
    assert assumption.reference is None or assumption.reference in REFERENCES


@pytest.mark.parametrize(
    "method",
    [method for method in find_methods(question=1) if method.evidence in (ErrorCount, StratifiedCount)],
    ids=lambda method: f"{method.name}-{method.gives}",
)
def test_methods_with_a_normal_quantile_have_all_criteria(method):
    """Three criteria of Martin and Hirschberg and two of Mitchell, for all methods that use a normal quantile."""
    carried = CRITERIA & set(method.assumes)
    assert carried == (CRITERIA if method.name in NORMAL else set())


@pytest.mark.parametrize("method", module("TA010").METHODS, ids=module("TA010").named)
def test_each_assumption_of_test_and_interval_is_checked_once(method):
    # Test and interval may both be forbidden, each for a reason of its own.
    checks = [(each.code, each.message) for each in module("TA010").answer_of(method).checks]
    assert len(checks) == len(set(checks))
    codes = [code for code, _ in checks if code != "TA010"]
    assert len(codes) == len(set(codes))
    assert {each.code for each in method.assumes} <= set(codes)


@each_code
def test_a_failed_check_is_in_every_rendering(code):
    found = check(code)
    assert not found.holds
    shown = answer(code, "fails")
    assert found.message in " ".join(str(shown).split())
    assert code in shown.to_markdown()
    assert code in shown.to_latex()
    (told,) = (each for each in json.loads(shown.to_json())["checks"] if each["code"] == code)
    assert told == {"code": code, "title": found.title, "holds": False, "message": found.message}


@pytest.mark.parametrize("code", [code for code in CODES if code not in NEVER_HOLD | SLOW_TO_HOLD])
def test_a_check_that_holds_is_not_a_caution(code):
    found = check(code, "holds")
    assert found.holds
    assert f"{code}:" not in str(answer(code, "holds"))
    assert "{" not in found.message


@each_code
def test_the_message_is_complete_and_ends_with_the_remedy(code):
    message = check(code).message
    assert not re.search(r"[{}]|\bnan\b|by -|None", message)
    assert message.endswith(f". {check(code).remedy}")
    assert message[0] != " "


@each_code
def test_the_message_has_one_colon_before_the_remedy(code):
    """The colon separates the violation from its consequence."""
    message = check(code).message.removesuffix(check(code).remedy)
    assert message.count(": ") <= 1 or code == "TA010"  # whose reason is that of the method


@each_code
def test_every_method_of_a_remedy_exists(code):
    """Quoted names are methods, metrics, plans, adjustments, or the common part of the methods hpd-…."""
    quoted = re.findall(r"'([^']*)'", check(code).remedy.replace("Student's", "").replace("learner's", ""))
    for text in re.findall(r"(?:method|interval)='([^']*)'", check(code).remedy):
        assert text in NAMES
    for text in re.findall(r"metric='([^']*)'", check(code).remedy):
        assert get_metric(text).name == text
        quoted.remove(text)
    for text in quoted:
        known = text in NAMES or text in {"holm", "hpd-…", "delve", "632", "two", "two-sided"}
        assert known or Plan.parse(text).name
    more_data = re.search(r"\b(more|add|larger)\b", check(code).remedy, re.IGNORECASE)
    helps = more_data or "metric=" in check(code).remedy or any(text in NAMES for text in quoted)
    assert helps or code in NO_METHOD_HELPS


@pytest.mark.parametrize("code", [code for code in CODES if code < "TA4" and code != "TA010"])
def test_the_remedy_helps_with_the_data_that_fail(code):
    """The methods of a remedy accept this evidence at this size, and do not fail the same check."""
    failing, remedy = answer(code, "fails"), check(code).remedy
    choices = dict(re.findall(r"(method|interval|adjust)='([^']*)'", remedy))
    if not choices:
        assert remedy.startswith("Test more examples")
        return
    if isinstance(failing, Estimate):
        side = {"side": failing.interval.side} if code != "TA013" else {}
        again = estimate(failing.evidence, **choices, **side)
    elif failing.evidence.models[1:]:
        kept = {"method": failing.method} if "method" not in choices else {}
        again = compare(failing.evidence, **kept, **choices)
    else:
        again = compare(failing.evidence, against=failing.hypothesis.threshold, **choices)
    assert all(np.all(each.holds) for each in again.checks if each.code == code)


OF_LEARNERS = [code for code in CODES if code[:4] in {"TA40", "TA41", "TA42", "TA44"} or code in {"TA435", "TA436"}]
OF_DATA_SETS = [code for code in CODES if code.startswith("TA7")]


@pytest.mark.parametrize("code", OF_LEARNERS + OF_DATA_SETS)
def test_the_remedy_for_learners_runs_on_the_same_data_and_passes_the_check(code):
    """Every method='x' or interval='x' of a remedy accepts the evidence that failed."""
    failing, remedy = answer(code, "fails"), check(code).remedy
    assert remedy.endswith(".")
    for keyword, name in re.findall(r"(method|interval)='([^']*)'", remedy):
        verb = estimate if isinstance(failing, Estimate) else compare
        again = verb(failing.evidence, **{keyword: name})
        assert all(np.all(each.holds) for each in again.checks if each.code == code), name


@each_code
def test_a_larger_figure_never_fails(code):
    """A check fails below the threshold and holds above it; at the threshold it holds unless it is strict."""
    found = check(code)
    bound = found.threshold
    near = replace(found, figure=np.array([-np.inf, bound - 1, np.nextafter(bound, -9), bound, bound + 1, np.inf]))
    assert near.holds.tolist() == [False, False, False, not found.strict, True, True]
    assert not replace(found, figure=np.float64(np.nan)).holds  # what is not known to hold does not


@each_code
def test_failures_of_many_entries_are_counted(code):
    found = check(code)
    several = replace(found, figure=np.array([found.figure, found.threshold + 1, found.figure]))
    assert "in 2 of 3 comparisons" in several.message
    assert several.message.endswith(f". {found.remedy}")
    assert replace(several, pairs=(("a", "b"), ("a", "c"), ("b", "c"))).message == several.message.replace(
        "in 2 of 3 comparisons", "in 2 of 3 pairs (a and b, b and c)"
    )
    every = replace(found, figure=np.full(2, found.figure)).message
    assert "in all 2 comparisons" in every


@pytest.mark.parametrize("assumption", ALL.values(), ids=lambda each: each.code)
def test_an_assumption_without_evidence_has_no_placeholder(assumption):
    """`tellapart methods` and the pages of the methods print the rule without a figure."""
    assert assumption.rule
    assert not re.search(r"[…{}#]", assumption.rule)
    assert assumption.rule != assumption.requirement or "{" not in assumption.requirement


def _swapped(evidence):
    if isinstance(evidence, Resamples | TrainingSets):
        return evidence.select(*evidence.learners[::-1]) if len(evidence.learners) == 2 else None
    return evidence.swapped() if hasattr(evidence, "swapped") else None


@pytest.mark.parametrize("code", [code for code in CODES if "TA1" <= code < "TA3" or code[:4] in ("TA40", "TA41")])
def test_the_check_is_the_same_with_models_swapped(code):
    """Except for the odds: their upper bound depends on the discordant errors of B only."""
    given = answer(code, "fails")
    swapped = _swapped(given.evidence)
    assert swapped is not None
    again = compare(
        swapped, method=given.method, interval=None if given.interval.method == given.method else given.interval.method
    )
    found = next(each for each in again.checks if each.code == code)
    if code == "TA107":
        assert found.holds
    else:
        assert found.figure == pytest.approx(check(code).figure)
