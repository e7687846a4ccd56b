"""TA005, Mitchell's second rule: n e (1 - e) is at least 5."""

from fractions import Fraction

import pytest

from tellapart import ErrorCount, estimate


def fails():
    return estimate(ErrorCount(3, 120), method="wilson")


def holds():
    return estimate(ErrorCount(12, 40), method="wilson")


@pytest.mark.parametrize(
    ("errors", "trials", "holds"),
    [(10, 20, True), (6, 36, True), (30, 36, True), (5, 36, False), (9, 20, False), (5, 10**6, False)],
)
def test_exactly_5_is_enough(check, errors, trials, holds):
    """10·10/20 = 6·30/36 = 5; 5·31/36 = 4.31, 9·11/20 = 4.95."""
    result = check(estimate(ErrorCount(errors, trials), method="wilson"))
    assert result.figure == pytest.approx(float(Fraction(errors * (trials - errors), trials)), rel=1e-15)
    assert result.holds == holds


def test_mitchells_own_example_holds_and_is_shown(check):
    """12 of 40: 40·0.3·0.7 = 8.4."""
    assert check(holds()).message == "n e (1 - e) = 8.4, which is at least 5 (Mitchell 1997)"


def test_a_figure_just_below_is_not_rounded_up(check):
    shown = check(estimate(ErrorCount(5, 10**6), method="wilson")).message.split(" = ")[1].split(", below")[0]
    assert float(shown) < 5


def test_the_remedy_has_no_minimum(check, quiet):
    assert "2.92, below 5" in check(fails()).message
    assert "method='jeffreys'" in check(fails()).message
    assert quiet(estimate(ErrorCount(3, 120), method="jeffreys"))


def test_arrays_are_checked_entry_by_entry(check):
    assert check(estimate(ErrorCount([9, 10], 20), method="wilson")).holds.tolist() == [False, True]
