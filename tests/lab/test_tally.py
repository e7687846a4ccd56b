"""Counting answers: the distribution of p-values, limits that touch the truth, and answers one at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from tellapart.evidence import ErrorCount, PairedTable
from tellapart.lab.tally import PVALUES, Margin, MethodRequest, add, tally
from tellapart.methods import find_method, find_methods
from tellapart.methods.registry import Offer, Standing
from tellapart.results import Interval, TestResult

laws = settings(derandomize=True, deadline=None, max_examples=12)
TABLES = PairedTable([3, 0, 1, 5], [9, 1, 0, 2], [1, 8, 0, 2], [30, 20, 10, 7])


def stub(gives, answer):
    """Return a method with given results."""
    return Offer(
        name="stub",
        gives=gives,
        question=3,
        evidence=PairedTable,
        standing=Standing.SOUND,
        rationale="",
        reference="mcnemar1947",
        function=lambda evidence: answer,  # noqa: ARG005
    )


@laws
@given(st.lists(st.floats(1e-9, 1), min_size=1, max_size=30))
def test_p_values_are_counted_where_they_lie(pvalues):
    """How many are at most u, for every u that is kept; counted one by one."""
    answer = TestResult(statistic=np.zeros(len(pvalues)), pvalue=np.array(pvalues), estimate=np.zeros(len(pvalues)))
    result = tally(MethodRequest(stub("test", answer), {}, 0.05), None, 0.0, 0.0)
    expected = [sum(p <= u * (1 + 1e-9) for p in pvalues) for u in PVALUES]
    assert result["pvalues"][0].tolist() == expected
    assert result["rejected"].tolist() == [sum(p < 0.05 for p in pvalues)]


def test_p_values_on_the_marks_and_at_the_ends():
    marks = np.concatenate([PVALUES, [np.nan, 5e-324]])
    answer = TestResult(statistic=marks, pvalue=marks, estimate=marks)
    result = tally(MethodRequest(stub("test", answer), {}, 0.05), None, 0.0, 0.0)
    assert result["pvalues"][0].tolist() == list(range(2, PVALUES.size + 2))  # the smallest is below every mark
    assert result["undefined"].tolist() == [1]


def test_a_truth_on_the_limit_is_held_and_no_limit_holds_nothing():
    low, high = np.array([0.0, 0.1, 0.1 + 1e-14, 0.2, np.nan, -np.inf]), np.array([0.1, 0.3, 0.2, 0.3, np.nan, np.inf])
    answer = Interval(low=low, high=high, alpha=0.05, method="stub")
    result = tally(MethodRequest(stub("interval", answer), {}, 0.05), None, 0.1, 0.0)
    assert result["covered"].tolist() == [4]
    assert result["below"].tolist() == [1]
    assert result["above"].tolist() == [0]
    assert result["bounded"].tolist() == [4]
    assert_allclose(result["width"], 0.1 + 0.2 + 0.1 + 0.1)


def test_an_undefined_truth_sinks_nobody_else():
    answer = Interval(low=np.array([0.0, 0.2]), high=np.array([0.1, 0.3]), alpha=0.05, method="stub")
    chance = np.array([[0.5, 0.25], [0.5, 0.75]])
    result = tally(
        MethodRequest(stub("interval", answer), {}, 0.05), None, np.array([np.nan, 0.25]), np.zeros(2), chance
    )
    assert np.isnan(result["covered"][0])
    assert result["covered"][1] == 0.75
    assert result["above"][1] == 0.25
    assert_allclose(result["width"], 0.1)


@pytest.mark.parametrize(
    "method", find_methods(evidence=PairedTable), ids=lambda result: f"{result.name}-{result.gives}"
)
def test_one_at_a_time_is_all_at_once(method):
    """A list of evidence is asked one by one, an array in one call; the tallies are the same."""
    if "rng" in method.options:
        return
    options = MethodRequest(method, {}, 0.05)
    together = tally(options, TABLES, 0.01, 1.0)
    alone = tally(options, [TABLES[index] for index in range(4)], 0.01, 1.0)
    assert together.keys() == alone.keys()
    for name, values in together.items():
        assert_allclose(alone[name], values, rtol=1e-9, atol=1e-12)


def test_probabilities_weigh_what_trials_count():
    """Outcomes of equal probability are trials divided by their number."""
    options = MethodRequest(find_method("tango", "interval", PairedTable), {}, 0.05)
    counted = tally(options, TABLES, 0.01, 1.0)
    weighed = tally(options, TABLES, np.array([0.01, 0.01]), np.ones(2), np.full((4, 2), 0.25))
    for name, values in counted.items():
        assert_allclose(weighed[name], np.repeat(values, 2) / 4)


def test_tallies_add_up_entry_by_entry():
    options = MethodRequest(find_method("mcnemar", "test", PairedTable), {}, 0.05)
    first, second = (tally(options, TABLES[some], 0.0, 0.0) for some in (slice(0, 1), slice(1, 4)))
    assert {name: values.tolist() for name, values in add(first, second).items()} == {
        name: values.tolist() for name, values in tally(options, TABLES, 0.0, 0.0).items()
    }


@pytest.mark.parametrize(
    ("hypothesis", "border", "side"),
    [
        ("non-inferior", -0.1, [-1, 0, 1, 1, 1]),
        ("superior", 0.1, [-1, -1, -1, 0, 1]),
        ("equivalent", -0.1, [-1, 0, 1, 0, -1]),
    ],
)
def test_margins(hypothesis, border, side):
    margin = Margin(0.1, hypothesis)
    assert margin.border == border
    assert margin.side(np.array([-0.2, -0.1, 0.0, 0.1, 0.2])).tolist() == side


def test_whom_a_test_speaks_for():
    """By its own choice, else by its own estimate, else by what was seen; a threshold is subtracted."""
    seen = ErrorCount([1, 9], [10, 10])
    options = MethodRequest(find_method("clopper-pearson", "test", ErrorCount), {"against": 0.5}, 0.9, 1)
    result = tally(options, seen, 0.5, 1.0)
    assert (result["for A"].tolist(), result["for B"].tolist(), result["wrong"].tolist()) == ([1], [1], [1])
    always = {"statistic": np.zeros(4), "pvalue": np.zeros(4)}
    chosen = TestResult(**always, chooses=np.array([-1, 0, 0, 1]))
    result = tally(MethodRequest(stub("test", chosen), {}, 0.05), TABLES, 0.0, -1.0)
    assert (result["for A"].tolist(), result["for B"].tolist(), result["wrong"].tolist()) == ([1], [1], [1])
    estimated = TestResult(**always, estimate=np.array([-0.1, -0.1, 0.0, 0.1]))
    result = tally(MethodRequest(stub("test", estimated), {}, 0.05), TABLES, 0.0, 1.0)
    assert (result["for A"].tolist(), result["for B"].tolist(), result["wrong"].tolist()) == ([2], [1], [2])
    result = tally(MethodRequest(stub("test", TestResult(**always)), {}, 0.05), TABLES, 0.0, 1.0)
    assert (result["for A"].tolist(), result["for B"].tolist()) == ([1], [1])  # 9 : 1, 1 : 8, and two ties
