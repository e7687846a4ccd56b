"""How precision, F1, areas and costs are printed: with the counts they follow from, and when undefined."""

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
# Label, prediction of old, prediction of new: old finds 6 of 10 with 2 false positives, new 8 of 10 with 1.
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
    ("metric", "figure", "data"),
    [
        ("f1", "F1 (spam) 0.82", "100 examples: 35 true positives of 40, 10 false positives"),
        ("f2", "F2 (spam) 0.85", "100 examples: 35 true positives of 40, 10 false positives"),
        ("recall", "recall (spam) 0.88", "100 examples: 35 true positives of 40"),
        ("precision", "precision (spam) 0.78", "100 examples: 35 right of 45 predicted spam"),
        ("specificity", "specificity (spam) 0.83", "100 examples: 50 right of 60 that are not spam"),
        ("fpr", "FPR (spam) 0.17", "100 examples: 10 false positives of 60 that are not spam"),
        ("npv", "NPV (spam) 0.91", "100 examples: 50 right of 55 not predicted spam"),
        ("balanced-accuracy", "balanced accuracy 0.85", "100 examples of 2 labels, 15 errors"),
        ("mcc", "MCC 0.70", "100 examples of 2 labels, 15 errors"),
        ("f1-macro", "macro F1 0.85", "100 examples of 2 labels, 15 errors"),
    ],
)
def test_a_metric_is_printed_with_its_counts(metric, figure, data):
    """Figures by hand from TP = 35, FN = 5, FP = 10, TN = 50."""
    answer = estimated(MATRIX.by(metric))
    assert answer.display().verdict == f"{figure} (95% CI 0.70 to 0.90)"
    assert answer.display().rows[0].text == data
    title, _, value = figure.rpartition(" ")
    assert answer.paragraph().startswith(f"The {title} was {value} (95% CI 0.70 to 0.90) from ")


def test_accuracy_is_in_percent():
    assert estimated(MATRIX.by("accuracy")).display().verdict == "accuracy 85.0% (95% CI 70.0% to 90.0%)"


def test_the_class_is_the_one_requested():
    answer = estimated(MATRIX.by("recall", positive="ham"))
    assert answer.display().verdict.startswith("recall (ham) 0.83 ")
    assert answer.display().rows[0].text == "100 examples: 50 true positives of 60"


def test_what_is_undefined_says_what_is_missing():
    lazy = ta.ConfusionMatrix([[60, 0], [40, 0]], ["ham", "spam"])
    answer = estimated(lazy.by("precision"), 0.0, 1.0)
    assert answer.display().verdict == "precision (spam) is undefined: nothing was predicted spam"
    assert "The precision (spam) is undefined: nothing was predicted spam" in answer.paragraph()
    assert "is undefined: all predictions are alike" in str(estimated(lazy.by("mcc"), -1.0, 1.0))
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
def test_every_metric_says_why_it_is_undefined(cells, metric, why):
    answer = estimated(ta.ConfusionMatrix(cells, ["ham", "spam"]).by(metric), 0.0, 1.0)
    assert np.isnan(answer.estimate)
    assert answer.display().verdict.endswith(f" is undefined: {why}")


def test_label_balance_is_in_percentage_points_with_the_errors_it_does_not_see():
    """26 false positives against 22 false negatives, of 198 examples."""
    matrix = ta.ConfusionMatrix([[21, 26], [22, 129]], ["no", "yes"]).by("label-balance")
    answer = estimated(matrix, -0.0894, 0.0492)
    verdict = "yes is predicted 2.0 pp more often than it occurs (95% CI -4.9 to 8.9)"
    assert answer.display().verdict == verdict
    assert answer.display().rows[0].text == "198 examples: 151 labelled and 155 predicted yes, 48 errors"
    assert "less often" in str(estimated(ta.ConfusionMatrix([[21, 3], [22, 1]]).by("label-balance")))
    assert "0.0 pp" in str(estimated(ta.ConfusionMatrix([[21, 3], [3, 1]]).by("label-balance")))


def test_what_was_left_out_is_in_the_data_row():
    answer = estimated(MATRIX.by("f1"), excluded={"missing prediction": 3})
    assert answer.display().rows[0].text.endswith("; 3 left out (missing prediction)")
    assert "3 left out (missing prediction)." in answer.paragraph()
    assert answer.as_dict()["excluded"] == {"missing prediction": 3}


def test_many_values_are_summarised_by_their_range():
    matrices = ta.ConfusionMatrix([[[50, 10], [5, 35]], [[60, 0], [40, 0]]]).by("precision")
    interval = limits(matrices, [0.7, 0.0], [0.9, 1.0])
    answer = Estimate(method="m", evidence=matrices, value=matrices.value, interval=interval)
    assert answer.display().verdict == "2 values of precision (1) from 0.778 to 0.778, 1 undefined"


def test_the_explanation_warns_of_a_threshold_chosen_on_these_examples():
    caveat = "If a decision threshold was chosen on these examples, the metric is biased upwards."
    assert caveat in [text for _, text in estimated(MATRIX.by("f1")).explanations()]
    assert caveat in [text for _, text in compared(BOTH.by("mcc")).explanations()]
    assert caveat not in [text for _, text in estimated(MATRIX.by("label-balance")).explanations()]
    scores = ClassScores.from_scores([0, 1, 1], [0.1, 0.2, 0.3])
    assert caveat not in [text for _, text in estimated(scores).explanations()]


# --- Two models ---------------------------------------------------------------------------------------


def test_two_models_are_compared_by_the_metric():
    """By hand: F1 of old 12/18, of new 16/19."""
    answer = compared(BOTH.by("f1"), low=0.01, high=0.34)
    display = answer.display(verbose=True)
    assert display.verdict == "new has a higher F1 (spam) than old"
    assert display.figures == "F1 0.84 vs 0.67: 0.18 higher (95% CI 0.01 to 0.34), p = 0.030"
    assert display.rows[0].text == "30 examples (10 of them spam), 7 with different predictions"
    counts = "old: 6 true positives of 10, 2 false positives; new: 8 true positives of 10, 1 false positive"
    assert display.rows[1].text == counts
    assert "the F1 (spam) was 0.84 for new and 0.67 for old: 0.18 higher" in answer.paragraph()
    assert "At alpha = 0.05: new has a higher F1 (spam) than old." in answer.paragraph()
    assert answer.as_dict()["evidence"]["means"] == pytest.approx([12 / 18, 16 / 19])


def test_the_direction_of_the_metric_is_in_the_verdict():
    answer = compared(BOTH.by("false-positive-rate"))
    assert answer.better == "B"
    assert answer.display().verdict == "new has a lower false positive rate (spam) than old"
    assert answer.display().figures.startswith("false positive rate 0.05 vs 0.10: 0.05 lower (95% CI 0.01 to 0.20)")


def test_no_model_is_better_without_a_significant_difference():
    cube = BOTH.by("mcc")
    assert compared(cube, 0.3).display().verdict == "No significant difference between new and old"
    one_sided = compared(cube, 0.3, hypothesis=Hypothesis(alternative="greater"))
    assert one_sided.display().verdict == "new is not significantly better than old"


def test_a_margin_is_in_units_of_the_metric():
    tested = Hypothesis(kind="non-inferior", margin=0.05, alternative="greater")
    answer = compared(BOTH.by("f1"), hypothesis=tested)
    assert answer.display().verdict == "new is at most 0.05 worse than old"


def test_a_ratio_is_compared_with_one():
    answer = compared(BOTH.by("precision"), parameter="ratio", low=1.0004, high=1.42)
    assert "(ratio 95% CI 1.0004 to 1.42)" in answer.display().figures  # which excludes 1
    assert "the test decides" not in str(answer)
    assert "(ratio 95% CI 1.0004 to 1.42, " in answer.paragraph()
    assert "includes 1, the test decides" in str(compared(BOTH.by("precision"), parameter="ratio", low=0.7, high=1.2))


def test_what_is_undefined_of_one_of_two_decides_nothing():
    answer = compared(NEVER.by("precision"), np.nan, -1.0, 1.0)
    assert (answer.better, bool(answer.rejected)) == (None, False)
    verdict = "old and new cannot be compared: precision (spam) is undefined (nothing was predicted spam)"
    assert (answer.display().verdict, answer.display().figures) == (verdict, "")
    assert verdict in answer.paragraph()
    assert answer.as_dict()["evidence"]["means"] == [None, 1.0]
    assert "null" in answer.to_json()


def test_areas_are_printed_with_the_examples_of_the_class():
    scores = ClassScores.from_scores(
        ["ham", "ham", "spam", "spam"], {"old": [0.1, 0.4, 0.35, 0.8], "new": [1, 2, 3, 4]}
    )
    answer = compared(scores, low=0.01, high=0.5)
    assert answer.display().verdict == "new has a higher AUC (spam) than old"
    assert answer.display().figures.endswith(" 1.00 vs 0.75: 0.25 higher (95% CI 0.01 to 0.50), p = 0.030")
    assert answer.display().rows[0].text == "4 examples, 2 of them spam"
    assert estimated(scores.select("old"), 0.3, 0.97).display().verdict.startswith("old: AUC (spam) 0.75 ")


@given(st.lists(st.integers(0, 30), min_size=8, max_size=8).filter(any), st.sampled_from(["f1", "fpr", "mcc", "npv"]))
@laws
def test_exchanging_the_two_keeps_the_winner_and_the_sizes(cells, metric):
    cube = ta.PairedConfusion(np.reshape(cells, (2, 2, 2)), models=("old", "new")).by(metric)
    pvalue = np.nan if np.isnan(cube.difference) else 0.01 if cube.difference else 1.0
    here, there = compared(cube, pvalue, -0.5, 0.5), compared(cube.swapped(), pvalue, -0.5, 0.5)
    assert here.as_dict()["better_model"] == there.as_dict()["better_model"]
    sizes = [sorted(re.findall(r"\d[\d.]*", answer.display().figures)) for answer in (here, there)]
    assert sizes[0] == sizes[1]
    for answer in (here, there):
        assert "nan" not in f"{answer.words} {answer} {answer.paragraph()}"


def test_every_form_is_written():
    answer = compared(BOTH.by("f1"))
    assert "| data |" in answer.to_markdown()
    assert r"\begin{tabular}" in answer.to_latex()
    assert "F1 (spam)" in answer._repr_html_()
