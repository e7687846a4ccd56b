"""Comparison: the test decides, the words say so, and nothing is claimed without a p-value."""

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from tellapart import ErrorCount
from tellapart.results import Comparison, Interval, Significance


def comparison(errors=3, trials=120, pvalue=0.2, against=0.05, limits=(0.01, 0.07), **facts):
    count = ErrorCount(errors, trials)
    low, high = (np.broadcast_to(np.float64(limit), count.shape)[()] for limit in limits)
    return Comparison(
        **{
            "method": "made-up",
            "evidence": count,
            "difference": count.rate - against,
            "against": against,
            "interval": Interval(low=low, high=high, alpha=0.05, method="beside"),
            "significance": Significance(statistic=count.rate, pvalue=np.asarray(pvalue, dtype=float)[()]),
        }
        | facts
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
    assert answer.words == "2 of 3 differ (made-up, alpha = 0.05)."


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
    assert one.shape == one.evidence.shape == one.interval.shape == one.significance.shape == ()
    assert (one.evidence.errors, one.pvalue, one.against, one.better) == (60, 0.2, 0.1, None)
    assert "10 %" in one.words


def test_html_runs_no_script():
    assert "<script" not in comparison(scope="<script>alert('x')</script>")._repr_html_()


def test_repr_is_what_is_printed():
    assert repr(comparison()) == str(comparison())


def test_fields_cannot_be_set():
    with pytest.raises(FrozenInstanceError):
        comparison().method = "another"
