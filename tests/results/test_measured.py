"""How precision, F1, areas and costs are told: as they are, with the counts they follow from, and when undefined."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tellapart as ta
from tellapart.evidence import ClassScores
from tellapart.results import Comparison, Estimate, Hypothesis, Interval, TestResult

laws = settings(derandomize=True, deadline=None, max_examples=12)
MATRIX = ta.ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])
# Label, prediction of old, prediction of new: old finds 6 of 10 with 2 false alarms, new 8 of 10 with 1.
BOTH = ta.PairedConfusion([[[17, 1], [2, 0]], [[1, 3], [1, 5]]], ["ham", "spam"], models=("old", "new"))
NEVER = ta.PairedConfusion([[[20, 0], [0, 0]], [[4, 6], [0, 0]]], ["ham", "spam"], models=("old", "new"))


def limits(evidence, low, high, **facts):
    facts = {"alpha": 0.05, "method": "some-limits", "metric": evidence.metric.name, "parameter": "error"} | facts
    return Interval(low=np.float64(low), high=np.float64(high), **facts)


def estimated(evidence, low=0.7, high=0.9, **facts):
    return Estimate(
        method="some-limits",
        evidence=evidence,
        value=np.asarray(evidence.levels)[..., 0][()],
        interval=limits(evidence, low, high),
        **facts,
    )


def compared(evidence, pvalue=0.03, low=0.01, high=0.2, parameter="difference", **facts):
    return Comparison(
        evidence=evidence,
        difference=evidence.difference,
        interval=limits(evidence, low, high, parameter=parameter),
        test=TestResult(method="some-test", statistic=np.float64(2.0), pvalue=np.float64(pvalue)),
        **facts,
    )


# --- One model ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "told"),
    [
        ("f1", "The F1 (spam) is 0.824 (100 examples: 35 found of 40, 10 false alarms)"),
        ("f2", "The F2 (spam) is 0.854 (100 examples: 35 found of 40, 10 false alarms)"),
        ("recall", "The recall (spam) is 0.875 (100 examples: 35 found of 40)"),
        ("precision", "The precision (spam) is 0.778 (100 examples: 35 right of 45 predicted spam)"),
        ("specificity", "The specificity (spam) is 0.833 (100 examples: 50 right of 60 that are not spam)"),
        ("fpr", "The false positive rate (spam) is 0.167 (100 examples: 10 false alarms among 60 that are not spam)"),
        ("npv", "The negative predictive value (spam) is 0.909 (100 examples: 50 right of 55 not predicted spam)"),
        ("accuracy", "The accuracy is 0.850 (100 examples of 2 labels, 15 errors)"),
        ("balanced-accuracy", "The balanced accuracy is 0.854 (100 examples of 2 labels, 15 errors)"),
        ("mcc", "The MCC is 0.698 (100 examples of 2 labels, 15 errors)"),
        ("f1-macro", "The macro F1 is 0.847 (100 examples of 2 labels, 15 errors)"),
    ],
)
def test_a_metric_is_told_as_it_is_with_its_counts(metric, told):
    """Figures by hand from TP = 35, FN = 5, FP = 10, TN = 50."""
    answer = estimated(MATRIX.by(metric))
    true = "and the true value is between 0.700 and 0.900 (95 %, two-sided, some-limits)."
    assert answer.answer == f"{told}, {true}"
    assert answer.paragraph().startswith(told.replace(" is ", " was ", 1).removesuffix(")"))


def test_the_class_in_question_is_the_one_that_was_asked_for():
    answer = estimated(MATRIX.by("recall", positive="ham")).answer
    assert answer.startswith("The recall (ham) is 0.833 (100 examples: 50 found of 60)")


def test_what_is_not_defined_says_what_is_missing():
    lazy = ta.ConfusionMatrix([[60, 0], [40, 0]], ["ham", "spam"])
    answer = estimated(lazy.by("precision"), 0.0, 1.0)
    assert answer.answer.startswith(
        "The precision (spam) is not defined, as nothing was predicted spam (100 examples: 0 right of 0 predicted"
        " spam), and the true value may be anything between 0.00 and 1.00"
    )
    assert "was not defined, as nothing was predicted spam" in answer.paragraph()
    assert "not defined, as all predictions are alike" in str(estimated(lazy.by("mcc"), -1.0, 1.0))
    assert answer.as_dict()["evidence"]["means"] == [None]


@pytest.mark.parametrize(
    ("cells", "metric", "why"),
    [
        ([[60, 0], [0, 0]], "recall", "no example is spam"),
        ([[60, 0], [0, 0]], "f1", "no example is spam, and nothing was predicted so"),
        ([[60, 0], [0, 0]], "kappa", "all labels and all predictions are alike"),
        ([[0, 0], [3, 7]], "specificity", "every example is spam"),
        ([[0, 0], [3, 7]], "fpr", "every example is spam"),
        ([[0, 4], [0, 7]], "npv", "everything was predicted spam"),
    ],
)
def test_every_metric_says_why_it_is_not_defined(cells, metric, why):
    answer = estimated(ta.ConfusionMatrix(cells, ["ham", "spam"]).by(metric), 0.0, 1.0)
    assert np.isnan(answer.estimate)
    assert f"not defined, as {why} (" in answer.answer


def test_label_balance_is_told_in_points_with_the_errors_it_does_not_see():
    """26 false positives against 22 false negatives, of 198 examples."""
    held = ta.ConfusionMatrix([[21, 26], [22, 129]], ["no", "yes"]).by("label-balance")
    answer = estimated(held, -0.0894, 0.0492)
    assert answer.answer == (
        "The classifier predicts yes 2.0 points more often than it occurs (198 examples: 151 labelled and 155 predicted"
        " yes, 48 errors), and the true balance (how much more often yes occurs than it is predicted) is between -8.9"
        " and 4.9 points (95 %, two-sided, some-limits)."
    )
    assert "was −2.0 percentage points" in answer.paragraph()
    assert "less often" in estimated(ta.ConfusionMatrix([[21, 3], [22, 1]]).by("label-balance")).answer
    assert "as often as it occurs" in estimated(ta.ConfusionMatrix([[21, 3], [3, 1]]).by("label-balance")).answer


def test_what_was_left_out_is_told():
    answer = estimated(MATRIX.by("f1"), excluded={"missing prediction": 3})
    assert "Left out: missing prediction: 3." in answer.words
    assert "Left out: missing prediction: 3." in answer.paragraph()
    assert answer.as_dict()["excluded"] == {"missing prediction": 3}


def test_many_values_are_told_by_their_ends():
    held = ta.ConfusionMatrix([[[50, 10], [5, 35]], [[60, 0], [40, 0]]]).by("precision")
    answer = Estimate(method="m", evidence=held, value=held.value, interval=limits(held, [0.7, 0.0], [0.9, 1.0]))
    assert answer.answer == "2 values of precision from 0.778 to 0.778, 1 not defined."


def test_a_threshold_chosen_here_is_asked_about_where_there_may_be_one():
    asks = "a threshold chosen on these very examples"
    assert asks in estimated(MATRIX.by("f1")).words
    assert asks in compared(BOTH.by("mcc")).words
    assert asks not in estimated(MATRIX.by("label-balance")).words
    assert asks not in estimated(ClassScores.from_scores([0, 1, 1], [0.1, 0.2, 0.3])).words


# --- Two models ---------------------------------------------------------------------------------------


def test_two_models_are_told_by_the_metric():
    """By hand: F1 of old 12/18, of new 16/19."""
    answer = compared(BOTH.by("f1"), low=0.01, high=0.34)
    assert answer.answer == (
        "new has a better F1 (spam) than old at alpha = 0.05: on 30 examples (10 of them spam) with 7 disagreements,"
        " the F1 (spam) of new is 0.175 above that of old (0.842 against 0.667); f1(new) − f1(old): 0.010 to 0.340"
        " (95 %, two-sided, some-limits); p = 0.03 (some-test, two-sided)."
    )
    assert "old: 6 found of 10, 2 false alarms; new: 8 found of 10, 1 false alarm." in re.sub(r"\s+", " ", str(answer))
    assert "the F1 (spam) was 0.667 for old and 0.842 for new; the difference f1(new) − f1(old) was 0.175" in (
        answer.paragraph()
    )
    assert "At alpha = 0.05, new had a better F1 (spam) than old." in answer.paragraph()
    assert answer.as_dict()["evidence"]["means"] == pytest.approx([12 / 18, 16 / 19])


def test_less_is_better_is_told_where_it_is():
    answer = compared(BOTH.by("false-positive-rate"))
    assert answer.better == "B"
    assert "new has a better false positive rate (spam) than old" in answer.answer
    assert "of old is 0.050 above that of new (0.100 against 0.050; lower is better)" in answer.answer
    assert "false-positive-rate(old) − false-positive-rate(new): 0.010 to 0.200" in answer.answer
    assert "(lower is better)" in answer.paragraph()


def test_nothing_is_called_better_that_was_not_told_apart():
    held = BOTH.by("mcc")
    assert "old and new are not told apart by MCC at alpha = 0.05" in compared(held, 0.3).answer
    hoped = compared(held, 0.3, hypothesis=Hypothesis(alternative="greater")).answer
    assert hoped.startswith("new is not shown to have a better MCC than old")


def test_a_margin_is_in_units_of_the_metric():
    tested = Hypothesis(kind="non-inferior", margin=0.05, alternative="greater")
    answer = compared(BOTH.by("f1"), hypothesis=tested)
    assert "new is at most 0.05 (f1) worse than old: shown at alpha = 0.05" in answer.answer


def test_a_ratio_is_held_against_one():
    answer = compared(BOTH.by("precision"), parameter="ratio", low=1.0004, high=1.42)
    assert "precision(new) / precision(old): 1.0004 to 1.42" in answer.answer  # which does not hold 1
    assert "would decide otherwise" not in answer.words
    assert "95 % interval of precision(new) / precision(old) 1.0004 to 1.42" in answer.paragraph()
    assert "would decide otherwise" in compared(BOTH.by("precision"), parameter="ratio", low=0.7, high=1.2).words


def test_what_is_not_defined_of_one_of_two_decides_nothing():
    answer = compared(NEVER.by("precision"), np.nan, -1.0, 1.0)
    assert (answer.better, bool(answer.rejected)) == (None, False)
    assert answer.answer == (
        "old and new are not told apart by precision (spam) at alpha = 0.05: on 30 examples (10 of them spam) with 6"
        " disagreements, the precision (spam) of old is not defined: nothing was predicted spam; precision(new) −"
        " precision(old): -1.00 to 1.00 (95 %, two-sided, some-limits); no p-value (some-test, two-sided)."
    )
    assert "undefined (nothing was predicted spam) for old and 1.00 for new" in answer.paragraph()
    assert answer.as_dict()["evidence"]["means"] == [None, 1.0]
    assert "null" in answer.to_json()


def test_areas_are_told_with_the_examples_of_the_class():
    scores = ClassScores.from_scores(
        ["ham", "ham", "spam", "spam"], {"old": [0.1, 0.4, 0.35, 0.8], "new": [1, 2, 3, 4]}
    )
    answer = compared(scores, low=0.01, high=0.5)
    assert "new has a better AUC (spam) than old at alpha = 0.05: on 4 examples, 2 of them spam, the AUC (spam) of" in (
        answer.answer
    )
    assert "(1.00 against 0.75); auc(new) − auc(old): 0.01 to 0.50" in answer.answer
    told = estimated(scores.select("old"), 0.3, 0.97).answer
    assert told.startswith("The AUC (spam) of old is 0.75 (4 examples, 2 of")


@given(st.lists(st.integers(0, 30), min_size=8, max_size=8).filter(any), st.sampled_from(["f1", "fpr", "mcc", "npv"]))
@laws
def test_exchanging_the_two_keeps_the_winner_and_the_sizes(cells, metric):
    held = ta.PairedConfusion(np.reshape(cells, (2, 2, 2)), models=("old", "new")).by(metric)
    pvalue = np.nan if np.isnan(held.difference) else 0.01 if held.difference else 1.0
    here, there = compared(held, pvalue, -0.5, 0.5), compared(held.swapped(), pvalue, -0.5, 0.5)
    assert here.as_dict()["better_model"] == there.as_dict()["better_model"]
    sizes = [sorted(re.findall(r"\d[\d.]*", answer.answer)) for answer in (here, there)]
    assert sizes[0] == sizes[1]
    for answer in (here, there):
        assert not re.search(r"[.!?]['\")]*\s+[A-Z]", answer.answer)
        assert "\n" not in answer.answer
        assert "nan" not in f"{answer.answer} {answer} {answer.paragraph()}"


def test_every_form_is_written():
    answer = compared(BOTH.by("f1"))
    assert "| by how much |" in answer.to_markdown()
    assert r"\begin{tabular}" in answer.to_latex()
    assert "F1 (spam)" in answer._repr_html_()
