"""TA002, Anderson and Sclove: at least 5 errors and 5 successes."""

import pytest

from tellapart import ErrorCount, estimate


def fails():
    return estimate(ErrorCount(3, 120), method="arcsine")


def holds():
    return estimate(ErrorCount(5, 120), method="arcsine")


@pytest.mark.parametrize(("errors", "holds"), [(0, False), (4, False), (5, True), (50, True), (95, True), (96, False)])
def test_five_of_each_are_enough_and_four_are_not(check, errors, holds):
    result = check(estimate(ErrorCount(errors, 100), method="arcsine"))
    assert result.figure == min(errors, 100 - errors)
    assert result.holds == holds


def test_it_needs_at_most_half_the_examples_of_hodges_and_lehmann():
    """At an error rate e, 5/e examples are (1 - e)/2 times 10/(e (1 - e))."""
    for percent in (5, 10, 25, 50):
        e = percent / 100
        assert 5 / e == pytest.approx((1 - e) / 2 * 10 / (e * (1 - e)))


def test_the_remedy_has_no_minimum(check, quiet):
    assert check(fails()).message.startswith(
        "the smaller of errors and successes is 3, below 5 (Anderson & Sclove 1986):"
    )
    assert "method='jeffreys'" in check(fails()).message
    assert quiet(estimate(ErrorCount(3, 120), method="jeffreys"))


def test_arrays_are_checked_entry_by_entry(check):
    result = check(estimate(ErrorCount([4, 5, 116], 120), method="wilson"))
    assert result.holds.tolist() == [False, True, False]
