"""Comparison: the test decides, the words say so, and nothing is claimed without a p-value."""

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from tellapart import ErrorCount, IndependentCounts, PairedTable, compare
from tellapart.evidence import Note
from tellapart.results import Comparison, Hypothesis, Interval, TestResult
from tellapart.results.wording import looks_text


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
        (0, 0.01, "A", "is below 5 %"),
        (60, 0.01, "B", "is above 5 %"),
        (0, 0.2, None, "is not told apart from 5 %"),
        (60, 0.2, None, "is not told apart from 5 %"),
        (0, 0.05, None, "is not told apart from 5 %"),  # p below alpha rejects, p at alpha does not
    ],
)
def test_the_test_decides_who_is_better(errors, pvalue, better, verdict):
    answer = comparison(errors, pvalue=pvalue)
    assert answer.better == better
    assert verdict in answer.words


def test_alpha_is_what_p_is_held_against():
    assert comparison(0, pvalue=0.01, alpha=0.005).better is None
    assert "at alpha = 0.005" in comparison(0, pvalue=0.01, alpha=0.005).words


def test_without_a_p_value_nobody_is_better():
    """A rule that has no p-value gives NaN (DESIGN.md), and NaN rejects nothing."""
    answer = comparison(0, pvalue=np.nan)
    assert answer.better is None
    assert "is not told apart" in answer.words
    assert comparison([0, 60], pvalue=[np.nan, 0.01]).better.tolist() == [None, "B"]


def test_many_are_decided_one_by_one():
    answer = comparison([0, 3, 60], pvalue=[0.01, 0.5, 0.01])
    assert answer.better.tolist() == ["A", None, "B"]
    assert answer.words == "2 of 3 differ from their threshold (made-up, alpha = 0.05, each by itself)."


@pytest.mark.parametrize(
    ("pvalue", "limits", "contradicts"),
    [
        (0.01, (0.06, 0.09), False),
        (0.2, (0.01, 0.07), False),
        (0.01, (0.01, 0.07), True),
        (0.2, (0.06, 0.09), True),
    ],
)
def test_words_say_who_decides_where_test_and_interval_fall_apart(pvalue, limits, contradicts):
    words = comparison(9, pvalue=pvalue, limits=limits).words
    assert ("The interval (beside) would decide otherwise; the test decides." in words) == contradicts


def test_rows_are_what_a_reader_wants_in_order():
    rows = dict(comparison().rows())
    assert list(rows) == ["error rate", "against", "interval", "p-value", "in words"]
    assert rows["against"] == "5 %"
    assert rows["p-value"].startswith("0.2 ")
    assert "two-sided" in rows["p-value"]
    assert "beside" in rows["interval"]


def test_a_p_value_is_never_shown_as_0():
    assert "below 1e-307" in dict(comparison(pvalue=0.0).rows())["p-value"]


def test_json_is_the_fields_and_keeps_every_digit():
    answer = comparison(1, 3, pvalue=0.1 + 0.2, against=0.07)
    told = json.loads(answer.to_json())
    assert list(told) == [
        "method",
        "difference",
        "interval",
        "statistic",
        "pvalue",
        "alternative",
        "alpha",
        "against",
        "covers",
        "misses",
        "better",
        "evidence",
        "checks",
        "words",
    ]
    assert (told["pvalue"], told["difference"]) == (0.1 + 0.2, 1 / 3 - 0.07)
    assert (told["better"], told["against"], told["statistic"]) == (None, 0.07, 1 / 3)
    assert told["interval"]["method"] == "beside"
    assert told["words"] == answer.words


def test_json_of_many_keeps_each_verdict():
    told = json.loads(comparison([0, 3, 60], pvalue=[0.01, np.nan, 0.01], against=np.array([0.05, 0.1, 0.2])).to_json())
    assert told["better"] == ["A", None, "B"]
    assert told["pvalue"] == [0.01, None, 0.01]
    assert told["against"] == [0.05, 0.1, 0.2]


def test_an_index_picks_everything_along():
    answer = comparison([0, 60], pvalue=[0.01, 0.2], against=np.array([0.05, 0.1]))
    one = answer[1]
    assert one.shape == one.evidence.shape == one.interval.shape == one.test.shape == ()
    assert (one.evidence.errors, one.pvalue, one.against, one.better) == (60, 0.2, 0.1, None)
    assert "10 %" in one.words


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
        ((20, 25, 10, 45), 0.01, "B", "new is better than old at alpha = 0.05"),
        ((20, 10, 25, 45), 0.01, "A", "old is better than new at alpha = 0.05"),
        ((20, 25, 10, 45), 0.2, None, "old and new are not told apart at alpha = 0.05"),
        ((20, 25, 10, 45), 0.05, None, "old and new are not told apart at alpha = 0.05"),
    ],
)
def test_the_verdict_names_the_better_of_two(four, pvalue, better, verdict):
    answer = two(four, pvalue)
    assert answer.better == better
    assert answer.rows()[0] == ("better", f"{verdict}.")
    assert answer.answer.startswith(f"{verdict}: on 100 examples with 35 disagreements, ")
    assert answer.words.startswith(answer.answer)


@pytest.mark.parametrize(
    ("hypothesis", "margin", "pvalue", "verdict"),
    [
        ("non-inferior", 0.01, 0.01, "new is at most 1 point worse than old: shown at alpha = 0.05."),
        ("non-inferior", 0.025, 0.2, "new is at most 2.5 points worse than old: not shown at alpha = 0.05."),
        ("superior", 0.02, 0.01, "new is better than old by more than 2 points: shown at alpha = 0.05."),
        ("equivalent", 0.1, 0.2, "old and new differ by at most 10 points: not shown at alpha = 0.05."),
    ],
)
def test_the_verdict_of_a_margin_says_whether_it_is_shown(hypothesis, margin, pvalue, verdict):
    answer = two(pvalue=pvalue, hypothesis=Hypothesis(kind=hypothesis, margin=margin))
    assert answer.rows()[0] == ("verdict", verdict)
    assert json.loads(answer.to_json())["shown"] == (pvalue < 0.05)
    assert answer.better == ("B" if hypothesis == "superior" else None)


@pytest.mark.parametrize(
    ("four", "said"),
    [
        ((20, 25, 10, 45), "old errs 15.0 points more often than new (45.0 % against 30.0 %)"),
        ((20, 10, 25, 45), "new errs 15.0 points more often than old (45.0 % against 30.0 %)"),
        ((5, 5, 5, 85), "old and new err equally often (10.0 %)"),
    ],
)
def test_by_how_much_is_told_by_whoever_errs_more(four, said):
    assert dict(two(four).rows())["by how much"].startswith(said)


@pytest.mark.parametrize(
    ("parameter", "limits", "said"),
    [
        ("difference", (0.036, 0.263), "error(old) − error(new): 3.6 to 26.3 points (95 %, two-sided, beside)"),
        ("odds", (1.22, 5.44), "lone errors of old for each of new: 1.22 to 5.44 (95 %, two-sided, beside)"),
        ("reduction", (0.09, 0.52), "share of old's errors that new avoids: 9 % to 52 % (95 %, two-sided, beside)"),
    ],
)
def test_what_the_limits_are_of_is_said(parameter, limits, said):
    assert dict(two(limits=limits, parameter=parameter).rows())["by how much"].endswith(said)


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
    words = two(pvalue=pvalue, limits=limits, parameter=parameter).words
    assert ("The interval (beside) would decide otherwise; the test decides." in words) == contradicts


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
    words = two(pvalue=pvalue, limits=limits, hypothesis=Hypothesis(kind=hypothesis, margin=0.1)).words
    assert ("would decide otherwise" in words) == contradicts


@pytest.mark.parametrize(
    ("pvalue", "share"),
    [
        (0.999, "nearly all test sets"),
        (0.97, "97 % of test sets"),
        (0.25, "25 % of test sets"),
        (0.0123, "1.2 % of test sets"),
        (0.004, "1 test set in 250"),
        (1e-6, "1 test set in 1000000"),
        (1e-30, "next to no test set"),
    ],
)
def test_a_p_value_is_told_as_a_share_of_test_sets(pvalue, share):
    said = dict(two(pvalue=pvalue).rows())["how sure"]
    assert f"if they erred equally often, {share} would show as large a difference" in said


def test_one_sided_questions_ask_for_this_or_more():
    said = dict(two(hypothesis=Hypothesis(alternative="greater")).rows())["how sure"]
    assert "is new better?" in said
    assert said.endswith("would show this or more")


def test_what_was_left_out_stands_with_what_was_seen():
    answer = two(excluded={"missing prediction of old": 2, "missing label": 1})
    assert dict(answer.rows())["seen"].endswith(" Left out: missing prediction of old: 2; missing label: 1.")
    assert json.loads(answer.to_json())["excluded"] == {"missing prediction of old": 2, "missing label": 1}
    assert "Left out" not in str(two())
    assert "excluded" not in json.loads(two().to_json())


@pytest.mark.parametrize(
    ("four", "said"),
    [((0, 1, 0, 0), "1 example, 1 disagreement. "), ((20, 25, 10, 45), "100 examples, 35 disagreements. ")],
)
def test_examples_are_counted(four, said):
    assert dict(two(four).rows())["seen"].startswith(said)


def test_two_test_sets_are_both_counted():
    counts = IndependentCounts.from_counts(3, 10, 5, 20, models=("old", "new"))
    answer = two(evidence=counts, difference=counts.difference)
    assert dict(answer.rows())["seen"] == (
        "10 examples and 20 others. old: 3 errors in 10 examples; new: 5 errors in 20 examples."
    )


def test_json_of_two_has_its_keys_in_order():
    told = json.loads(two(notes=(Note(key="looks", label="looks", text="", value=2),)).to_json())
    assert list(told) == [
        *("method", "difference", "interval", "statistic", "pvalue", "alternative", "alpha"),
        *("hypothesis", "margin", "looks", "disagreements", "essential_difference"),
        *("covers", "misses", "better", "better_model", "evidence", "checks", "words"),
    ]
    assert (told["difference"], told["margin"], told["looks"], told["better"]) == (0.15, None, 2, "B")
    assert (told["disagreements"], told["essential_difference"]) == (35, 15 / 35)  # Yang's D and R


def test_names_that_could_be_markup_stay_names():
    answer = two(models=("<b>old</b>", "new_1 & 50%"))
    assert "<b>old" not in answer._repr_html_()
    assert r"new\_1 \& 50\%" in answer.to_latex()


def test_an_index_picks_one_of_many_tables():
    tables = PairedTable([20, 3], [25, 0], [10, 0], [45, 7])
    many = compare(tables)
    assert many.rows()[0] == ("comparisons", "2")
    assert many[0].evidence.describe() == PairedTable(20, 25, 10, 45).describe()
    assert many[1].rows()[0] == ("better", "A and B are not told apart at alpha = 0.05.")
    assert [one.better for one in many] == ["B", None]


@pytest.mark.parametrize(
    ("looks", "said"),
    [
        (0, ""),
        (1, "looked at 1 time before, which the p-value does not know: over 2 looks ask for p below 0.025 (alpha/2)."),
        (4, "looked at 4 times before, which the p-value does not know: over 5 looks ask for p below 0.01 (alpha/5)."),
    ],
)
def test_looks_are_told_with_what_they_ask_for(looks, said):
    assert looks_text(looks, 0.05).endswith(said)
    assert bool(looks_text(looks, 0.05)) == bool(looks)


def test_where_something_else_than_errors_is_compared_nobody_is_better():
    """Labels against predictions: how often each is positive, which says nothing about who errs."""
    table = PairedTable(20, 25, 10, 45, models=("label", "prediction"), event="positive")
    answer = two(evidence=table, difference=table.difference)
    assert answer.rejected
    assert answer.better is None
    assert answer.rows()[0] == (
        "verdict",
        "label and prediction differ in how often they are positive at alpha = 0.05.",
    )
    assert "label is positive 15.0 points more often than prediction" in answer.words
    assert "err" not in answer.answer


def test_a_bound_has_as_many_digits_as_the_interval_it_is_half_of():
    """A one-sided bound at 95 % is the lower end of the two-sided interval at 90 %, and is written like it."""
    table = PairedTable(11, 22, 4, 862)
    both = compare(table, level=0.9).interval.limits_text()
    bound = compare(table, alternative="greater")
    assert f"at least {both.partition(' to ')[0]} points" in bound.answer
    assert "2.00 points more often" in bound.answer
