"""Verdicts follow from the digits a paper prints and from what was simulated; nothing else decides."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from tellapart.errors import InvalidOption
from tellapart.reproduce import Shown, claimed, compared, missing


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("0.30", 0.3049, "matches"),
        ("0.30", 0.3051, "deviates"),
        ("0.30", 0.295, "matches"),  # half a unit is still rounding, either way
        ("94", 94.49, "matches"),
        ("94", 94.51, "deviates"),
        ("-0.0", 0.04, "matches"),
        ("-9.0", -9.051, "deviates"),
    ],
)
def test_half_a_unit_of_the_last_digit_is_allowed(printed, ours, verdict):
    assert compared("x", printed, ours).verdict == verdict


@given(st.floats(-1e3, 1e3), st.integers(0, 6))
@settings(derandomize=True, deadline=None)
def test_what_was_rounded_matches_its_rounding(value, places):
    assert compared("x", f"{value:.{places}f}", value).verdict == "matches"


@pytest.mark.parametrize("among", [1, 35, 160])
def test_one_table_in_a_hundred_deviates_by_chance(among):
    """Bonferroni: each of `among` numbers may deviate with probability 0.01/among."""
    line = compared("x", "0", 0.0, error=3.0, spread=4.0, among=among)  # 5 together
    reach = (line.tolerance - 0.5) / 5.0
    assert among * 2 * norm.sf(reach) == pytest.approx(0.01, rel=1e-6)
    assert f"{reach:.2f} standard errors" in line.allows


def test_reasons_stand_where_there_is_something_to_explain():
    assert compared("x", "1", 1.2, reason="It is rounded twice.").reason == ""
    assert compared("x", "1", 1.8, reason="It is rounded twice.").reason == "It is rounded twice."
    assert claimed("x", "it holds", True, "5 of 5", reason="no").reason == ""
    assert not claimed("x", "it holds", False, "0 of 5").explained
    assert missing("x", "a curve", "It was not published.").explained


def test_the_unit_may_be_another():
    assert compared("x", "94", 95.9, unit=5).verdict == "matches"
    assert compared("x", "94", 96.6, unit=5).verdict == "deviates"


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_no_number_matches_none(value):
    assert compared("x", "0.5", value).verdict == "deviates"


@pytest.mark.parametrize(
    ("printed", "ours", "shown"),
    [("12", 444, "444"), ("12", 11.5, "11.50"), ("0.30", 0.3, "0.3000"), ("-0.0", 0, "0.000")],
)
def test_ours_has_two_digits_more_but_counts_are_whole(printed, ours, shown):
    assert compared("x", printed, ours).ours == shown


def test_what_is_no_number_is_no_printed_number():
    with pytest.raises(InvalidOption, match="'about 3'"):
        compared("x", "about 3", 3.0)


def test_a_verdict_for_all_lines():
    match, deviate, lost = compared("a", "1", 1.0), compared("b", "1", 3.0), missing("c", "?", "Lost.")
    assert Shown(lines=(match, lost)).verdict == "matches"
    assert Shown(lines=(match, deviate, lost)).verdict == "deviates"
    assert Shown(lines=(lost,)).verdict == "not available"
    assert Shown(lines=(match, deviate, lost)).counts == {"matches": 1, "deviates": 1, "not available": 1}
    assert Shown(lines=(match, deviate, lost)).unexplained == (deviate,)
