"""Comparison: the test determines the verdict, and without a p-value no model is better."""

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from tellapart import ErrorCount, IndependentCounts, PairedTable, compare
from tellapart.evidence import Note
from tellapart.results import Comparison, Hypothesis, Interval, TestResult
from tellapart.results.comparison_text import contradiction, pvalue_meaning


def comparison(errors=3, trials=120, pvalue=0.2, against=0.05, limits=(0.01, 0.07), **facts):
    count = ErrorCount(errors, trials)
    low, high = (np.broadcast_to(np.float64(limit), count.shape)[()] for limit in limits)
    return Comparison(
        evidence=count,
        difference=count.rate - against,
        hypothesis=Hypothesis(threshold=against),
        interval=Interval(low=low, high=high, alpha=0.05, method="beside"),
        test=TestResult(method="made-up", statistic=count.rate, pvalue=np.asarray(pvalue, dtype=float)[()]),
        **facts,
    )


@pytest.mark.parametrize(
    ("errors", "pvalue", "better", "verdict"),
    [
        (0, 0.01, "A", "The error rate is significantly below 5%"),
        (60, 0.01, "B", "The error rate is significantly above 5%"),
        (0, 0.2, None, "No significant difference between the error rate and 5%"),
        (60, 0.2, None, "No significant difference between the error rate and 5%"),
        (
            0,
            0.05,
            None,
            "No significant difference between the error rate and 5%",
        ),  # p below alpha rejects, p at alpha does not
    ],
)
def test_the_test_decides_who_is_better(errors, pvalue, better, verdict):
    answer = comparison(errors, pvalue=pvalue)
    assert answer.better == better
    assert answer.words.startswith(verdict)


def test_p_is_compared_with_alpha():
    assert comparison(0, pvalue=0.01, alpha=0.005).better is None
    assert "p = 0.01, alpha = 0.005" in str(comparison(0, pvalue=0.01, alpha=0.005))


def test_without_a_p_value_no_model_is_better():
    """A rule that has no p-value gives NaN (DESIGN.md), and NaN rejects nothing."""
    answer = comparison(0, pvalue=np.nan)
    assert answer.better is None
    assert "No significant difference" in answer.words
    assert comparison([0, 60], pvalue=[np.nan, 0.01]).better.tolist() == [None, "B"]


def test_many_are_decided_one_by_one():
    answer = comparison([0, 3, 60], pvalue=[0.01, 0.5, 0.01])
    assert answer.better.tolist() == ["A", None, "B"]
    assert answer.words == "2 of 3 comparisons are significant."
    assert dict(answer.rows())["test"] == "made-up, unadjusted, alpha = 0.05"


@pytest.mark.parametrize(
    ("pvalue", "limits", "contradicts"),
    [
        (0.01, (0.06, 0.09), False),
        (0.2, (0.01, 0.07), False),
        (0.01, (0.01, 0.07), True),
        (0.2, (0.06, 0.09), True),
    ],
)
def test_the_interval_row_says_that_the_test_decides_if_the_interval_disagrees(pvalue, limits, contradicts):
    row = dict(comparison(9, pvalue=pvalue, limits=limits).rows())["interval"]
    assert row.endswith("the threshold, the test decides") == contradicts


def test_rows_are_in_order():
    display = comparison().display()
    assert [row.label for row in display.rows] == ["data", "test", "interval", "scope"]
    assert display.figures == "error rate 2.5% (95% CI 1.0% to 7.0%), p = 0.20"
    assert display.rows[1].text == "made-up: p = 0.2, alpha = 0.05"


def test_a_p_value_is_never_shown_as_0():
    assert "p < 1e-307" in dict(comparison(pvalue=0.0).rows())["test"]
    assert "p < 0.001" in comparison(pvalue=0.0).display().figures


def test_json_is_the_fields_and_keeps_every_digit():
    answer = comparison(1, 3, pvalue=0.1 + 0.2, against=0.07)
    values = json.loads(answer.to_json())
    assert list(values) == [
        "method",
        "difference",
        "interval",
        "statistic",
        "pvalue",
        "alternative",
        "alpha",
        "against",
        "better",
        *("sources_covered", "sources_ignored", "covers", "misses"),  # the last two are old names
        "evidence",
        "checks",
        "words",
    ]
    assert (values["pvalue"], values["difference"]) == (0.1 + 0.2, 1 / 3 - 0.07)
    assert (values["better"], values["against"], values["statistic"]) == (None, 0.07, 1 / 3)
    assert values["interval"]["method"] == "beside"
    assert values["words"] == answer.words


def test_json_of_many_keeps_each_verdict():
    values = json.loads(
        comparison([0, 3, 60], pvalue=[0.01, np.nan, 0.01], against=np.array([0.05, 0.1, 0.2])).to_json()
    )
    assert values["better"] == ["A", None, "B"]
    assert values["pvalue"] == [0.01, None, 0.01]
    assert values["against"] == [0.05, 0.1, 0.2]


def test_an_index_picks_everything_along():
    answer = comparison([0, 60], pvalue=[0.01, 0.2], against=np.array([0.05, 0.1]))
    one = answer[1]
    assert one.shape == one.evidence.shape == one.interval.shape == one.test.shape == ()
    assert (one.evidence.errors, one.pvalue, one.against, one.better) == (60, 0.2, 0.1, None)
    assert "10%" in one.words


def test_html_runs_no_script():
    assert "<script" not in two(models=("<script>alert('x')</script>", "new"))._repr_html_()


def test_repr_is_what_is_printed():
    assert repr(comparison()) == str(comparison())


def test_fields_cannot_be_set():
    with pytest.raises(FrozenInstanceError):
        comparison().alpha = 0.5


# --- Two classifiers ---


def two(
    four=(20, 25, 10, 45),
    pvalue=0.01,
    limits=(0.036, 0.263),
    models=("old", "new"),
    parameter="difference",
    hypothesis=None,
    **facts,
):
    table = PairedTable(*four, models=models)
    low, high = (np.float64(limit) for limit in limits)
    return Comparison(
        **{
            "evidence": table,
            "difference": table.difference,
            "hypothesis": hypothesis or Hypothesis(),
            "interval": Interval(low=low, high=high, alpha=0.05, method="beside", parameter=parameter),
            "test": TestResult(method="made-up", statistic=np.float64(2), pvalue=np.float64(pvalue)),
        }
        | facts
    )


@pytest.mark.parametrize(
    ("four", "pvalue", "better", "verdict"),
    [
        ((20, 25, 10, 45), 0.01, "B", "new has a lower error rate than old"),
        ((20, 10, 25, 45), 0.01, "A", "old has a lower error rate than new"),
        ((20, 25, 10, 45), 0.2, None, "No significant difference between new and old"),
        ((20, 25, 10, 45), 0.05, None, "No significant difference between new and old"),
    ],
)
def test_the_verdict_names_the_better_of_two(four, pvalue, better, verdict):
    answer = two(four, pvalue)
    assert answer.better == better
    assert answer.display().verdict == verdict
    assert answer.words.startswith(f"{verdict}: error rate 30.0% vs 45.0%, 15.0 pp lower (95% CI ")


@pytest.mark.parametrize(
    ("hypothesis", "margin", "pvalue", "verdict"),
    [
        ("non-inferior", 0.01, 0.01, "new is at most 1 pp worse than old"),
        ("non-inferior", 0.025, 0.2, "Not demonstrated: new is at most 2.5 pp worse than old"),
        ("superior", 0.02, 0.01, "new is better than old by more than 2 pp"),
        ("equivalent", 0.1, 0.2, "Not demonstrated: new and old differ by less than 10 pp"),
    ],
)
def test_the_verdict_of_a_margin_says_whether_it_is_demonstrated(hypothesis, margin, pvalue, verdict):
    answer = two(pvalue=pvalue, hypothesis=Hypothesis(kind=hypothesis, margin=margin))
    assert answer.display().verdict == verdict
    assert json.loads(answer.to_json())["shown"] == (pvalue < 0.05)
    assert answer.better == ("B" if hypothesis == "superior" else None)


@pytest.mark.parametrize(
    ("four", "figures"),
    [
        ((20, 25, 10, 45), "error rate 30.0% vs 45.0%: 15.0 pp lower (95% CI 3.6 to 26.3), p = 0.010"),
        ((20, 10, 25, 45), "error rate 30.0% vs 45.0%: 15.0 pp lower (95% CI -26.3 to -3.6), p = 0.010"),
        ((5, 5, 5, 85), "error rate 10.0% vs 10.0%: no difference (95% CI -26.3 to -3.6), p = 0.010"),
    ],
)
def test_figures_are_those_of_the_leader(four, figures):
    assert two(four).display().figures == figures


@pytest.mark.parametrize(
    ("parameter", "limits", "text"),
    [
        ("difference", (0.036, 0.263), "(95% CI 3.6 to 26.3)"),
        ("odds", (1.22, 5.44), "(odds ratio 95% CI 1.22 to 5.44)"),
        ("reduction", (0.09, 0.52), "(errors of old that new avoids: 95% CI 9.0% to 52.0%)"),
        ("ratio", (0.5, 0.9), "(ratio 95% CI 0.5 to 0.9)"),
    ],
)
def test_the_parameter_of_an_interval_is_named(parameter, limits, text):
    assert text in two(limits=limits, parameter=parameter).display().figures


@pytest.mark.parametrize(
    ("parameter", "limits", "pvalue", "contradicts"),
    [
        ("difference", (0.01, 0.2), 0.01, False),
        ("difference", (-0.01, 0.2), 0.01, True),
        ("difference", (-0.01, 0.2), 0.2, False),
        ("odds", (1.2, 5.0), 0.01, False),  # no difference is odds of 1
        ("odds", (0.9, 5.0), 0.01, True),
        ("odds", (0.1, 0.9), 0.2, True),
        ("reduction", (0.1, 0.5), 0.01, False),
        ("reduction", (-0.1, 0.5), 0.01, True),
    ],
)
def test_each_parameter_has_its_own_value_of_no_difference(parameter, limits, pvalue, contradicts):
    answer = two(pvalue=pvalue, limits=limits, parameter=parameter)
    assert bool(contradiction(answer)) == contradicts
    assert dict(answer.rows())["interval"].endswith("the test decides") == contradicts


@pytest.mark.parametrize(
    ("hypothesis", "limits", "pvalue", "contradicts"),
    [
        ("non-inferior", (-0.05, 0.3), 0.01, False),
        ("non-inferior", (-0.15, 0.3), 0.01, True),
        ("non-inferior", (-0.05, 0.3), 0.2, True),
        ("superior", (0.15, 0.3), 0.01, False),
        ("superior", (0.05, 0.3), 0.01, True),
        ("equivalent", (-0.05, 0.05), 0.01, False),
        ("equivalent", (-0.05, 0.15), 0.01, True),
        ("equivalent", (-0.15, 0.05), 0.2, False),
        ("equivalent", (-0.1, 0.05), 0.01, True),  # the border is not inside
    ],
)
def test_with_a_margin_the_interval_decides_at_the_margin(hypothesis, limits, pvalue, contradicts):
    answer = two(pvalue=pvalue, limits=limits, hypothesis=Hypothesis(kind=hypothesis, margin=0.1))
    assert bool(contradiction(answer)) == contradicts


@pytest.mark.parametrize(
    ("pvalue", "share"),
    [
        (0.999, "nearly all test sets"),
        (0.97, "97% of test sets"),
        (0.25, "25% of test sets"),
        (0.0123, "1.2% of test sets"),
        (0.004, "1 test set in 250"),
        (1e-6, "1 test set in 1,000,000"),
        (1e-30, "almost no test set"),
    ],
)
def test_a_p_value_is_explained_as_a_share_of_test_sets(pvalue, share):
    answer = two(pvalue=pvalue)
    assert pvalue_meaning(answer) == f"If both had the same true error rate, {share} would show as large a difference."
    assert dict(answer.explanations())["p-value"] == pvalue_meaning(answer)


def test_a_one_sided_p_value_is_of_this_difference_or_a_larger_one():
    answer = two(hypothesis=Hypothesis(alternative="greater"))
    assert pvalue_meaning(answer).endswith("would show this difference or a larger one.")
    assert "made-up, one-sided: p = 0.01" in str(answer)


def test_what_was_left_out_stands_in_the_data_row():
    answer = two(excluded={"missing prediction of old": 2, "missing label": 1})
    assert (
        answer.display().rows[0].text.endswith("; 2 left out (missing prediction of old); 1 left out (missing label)")
    )
    assert json.loads(answer.to_json())["excluded"] == {"missing prediction of old": 2, "missing label": 1}
    assert "left out" not in str(two())
    assert "excluded" not in json.loads(two().to_json())


@pytest.mark.parametrize(
    ("four", "data"),
    [
        ((0, 1, 0, 0), "1 example, 1 discordant: 1 only old wrong, 0 only new wrong"),
        ((20, 25, 10, 45), "100 examples, 35 discordant: 25 only old wrong, 10 only new wrong"),
    ],
)
def test_examples_are_counted(four, data):
    assert two(four).display().rows[0].text == data


def test_two_test_sets_are_both_counted():
    counts = IndependentCounts.from_counts(3, 10, 5, 20, models=("old", "new"))
    answer = two(evidence=counts, difference=counts.difference)
    data = "two test sets: new 5 errors in 20 examples, old 3 in 10"
    assert answer.display().rows[0].text == data


def test_json_of_two_has_its_keys_in_order():
    values = json.loads(two(notes=(Note(key="looks", label="looks", text="", value=2),)).to_json())
    assert list(values) == [
        *("method", "difference", "interval", "statistic", "pvalue", "alternative", "alpha"),
        *("hypothesis", "margin", "looks", "disagreements", "essential_difference"),
        *("better", "better_model", "sources_covered", "sources_ignored", "covers", "misses"),
        *("evidence", "checks", "words"),
    ]
    assert (values["difference"], values["margin"], values["looks"], values["better"]) == (0.15, None, 2, "B")
    assert (values["disagreements"], values["essential_difference"]) == (35, 15 / 35)  # Yang's D and R


def test_names_that_could_be_markup_stay_names():
    answer = two(models=("<b>old</b>", "new_1 & 50%"))
    assert "<b>old" not in answer._repr_html_()
    assert r"new\_1 \& 50\%" in answer.to_latex()


def test_an_index_picks_one_of_many_tables():
    tables = PairedTable([20, 3], [25, 0], [10, 0], [45, 7])
    many = compare(tables)
    assert many.display().verdict == "1 of 2 comparisons is significant (caution: few discordant pairs)"
    assert many[0].evidence.describe() == PairedTable(20, 25, 10, 45).describe()
    assert many[1].display().verdict.startswith("No significant difference between A and B")
    assert [one.better for one in many] == ["B", None]


@pytest.mark.parametrize(
    ("looks", "text"),
    [
        (1, "1 earlier look at this test set: the type I error rate is above alpha. Over 2 looks, require p < 0.025 "),
        (4, "4 earlier looks at this test set: the type I error rate is above alpha. Over 5 looks, require p < 0.01 "),
    ],
)
def test_earlier_looks_are_a_caution(looks, text):
    rows = two(notes=(Note(key="looks", label="looks", text="", value=looks),)).display().rows
    assert (rows[0].label, rows[0].text) == ("caution", f"{text}(alpha/{looks + 1}).")
    assert all(row.label != "caution" for row in two().display().rows)


def test_no_model_is_better_where_something_else_than_errors_is_compared():
    """Labels against predictions: how often each is positive, not how often each is wrong."""
    table = PairedTable(20, 25, 10, 45, models=("label", "prediction"), event="positive")
    answer = two(evidence=table, difference=table.difference)
    assert answer.rejected
    assert answer.better is None
    assert answer.display().verdict == "Significant difference in how often label and prediction say 'positive'"
    assert "share of 'positive' 30.0% vs 45.0%: 15.0 pp" in answer.display().figures
    assert "err" not in answer.display().verdict


def test_a_bound_has_as_many_digits_as_the_interval_it_is_half_of():
    """A one-sided bound at 95% is the lower end of the two-sided interval at 90%, and has its digits."""
    table = PairedTable(20, 25, 10, 45)
    both = compare(table, level=0.9).display().figures
    low = both.partition("(90% CI ")[2].partition(" to ")[0]
    assert f"(95% lower bound {low})" in compare(table, alternative="greater").display().figures
