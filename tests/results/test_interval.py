"""Interval: two limits, their level, and as many digits as the width supports."""

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tellapart import ErrorCount, estimate
from tellapart.results import Interval


def interval(low=0.0072, high=0.0653, **facts):
    facts = {"alpha": 0.05, "method": "jeffreys"} | facts
    return Interval(low=np.asarray(low, dtype=float)[()], high=np.asarray(high, dtype=float)[()], **facts)


many = interval([0.1, 0.2, 0.3], [0.4, 0.6, 0.8])


def test_width_is_the_distance_of_the_limits():
    assert_allclose(interval(0.25, 0.75).width, 0.5)
    assert_allclose(many.width, [0.3, 0.4, 0.5])


@pytest.mark.parametrize(("value", "inside"), [(0.25, True), (0.5, True), (0.75, True), (0.24, False), (0.76, False)])
def test_the_limits_belong_to_it(value, inside):
    assert interval(0.25, 0.75).contains(value) == inside


def test_many_hold_one_value_or_one_each():
    assert many.contains(0.25).tolist() == [True, True, False]
    assert many.contains(np.array([0.5, 0.5, 0.5])).tolist() == [False, True, True]


def test_nothing_lies_in_an_undefined_interval():
    assert not interval(np.nan, np.nan).contains(0.5)


def test_level_is_what_alpha_leaves():
    assert interval(alpha=0.25).level == 0.75


def test_a_level_that_was_given_is_kept_to_the_last_digit():
    assert 1 - (1 - 0.3) != 0.3  # what the difference would have lost
    assert interval(alpha=1 - 0.3, level=0.3).level == 0.3


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.1, 0.2, "10.0% to 20.0%"),  # half of the width is 5.0 points: one decimal shows two digits of it
        (0.25, 0.75, "25.0% to 75.0%"),  # one decimal at least
        (0.025, 0.0256, "2.500% to 2.560%"),  # 0.030 points
        (0.0, 0.0653, "0.0% to 6.5%"),
        (0.93, 1.0, "93.0% to 100.0%"),
        (-0.01, 0.3, "-1.0% to 30.0%"),  # Wald's may leave the range
    ],
)
def test_digits_shown_are_those_the_width_earns(low, high, text):
    assert interval(low, high).limits_text() == text


def test_what_is_undefined_is_written_so():
    assert interval(np.nan, np.nan).limits_text() == "undefined"


def test_a_bound_is_one_limit_and_its_kind():
    upper, lower = interval(0.0, 0.2, side="upper"), interval(0.8, 1.0, side="lower")
    assert (upper.limits_text(), lower.limits_text()) == ("at most 20.0%", "at least 80.0%")
    assert "95% upper bound" in str(upper)
    assert "95% lower bound" in str(lower)


@pytest.mark.parametrize(
    ("alpha", "text"), [(0.05, "95%"), (0.001, "99.9%"), (0.3, "70%"), (1e-12, "1 - 1e-12"), (2.5e-9, "1 - 2.5e-09")]
)
def test_the_level_has_the_digits_of_alpha(alpha, text):
    assert interval(alpha=alpha).kind_text() == f"{text} CI, jeffreys"


def test_an_index_picks_both_limits_and_keeps_the_rest():
    one = many[1]
    assert one.shape == ()
    assert (one.low, one.high) == (0.2, 0.6)
    assert (one.alpha, one.level, one.side, one.parameter, one.method) == (0.05, 0.95, "two", "error", "jeffreys")
    assert_array_equal(many[1:].high, [0.6, 0.8])


def test_one_interval_has_nothing_to_index():
    with pytest.raises(IndexError, match="this Interval is a single entry and cannot be indexed"):
        interval()[0]


def test_fields_cannot_be_set():
    with pytest.raises(FrozenInstanceError):
        interval().low = 0.0


def test_json_keeps_every_digit():
    low, high = np.nextafter(0.1, 1), np.nextafter(0.2, 1)
    values = json.loads(interval(low, high, alpha=1e-12).to_json())
    assert values == {
        "low": float(low),
        "high": float(high),
        "level": 1 - 1e-12,
        "alpha": 1e-12,
        "side": "two",
        "parameter": "error",
        "method": "jeffreys",
    }


def test_json_says_null_where_nothing_is_defined():
    values = json.loads(interval([np.nan, 0.1], [np.inf, 0.2]).to_json())
    assert (values["low"], values["high"]) == ([None, 0.1], [None, 0.2])


def test_many_are_counted():
    assert str(many) == "  interval  3 intervals (95% CI, jeffreys)"
    assert "shape" not in str(many)
    assert "(3,)" in repr(many)


def test_repr_shows_the_limits_themselves():
    assert repr(interval()) == (
        "Interval(low=0.0072, high=0.0653, level=0.95, side='two', parameter='error', method='jeffreys')"
    )


# --- What it is of ---


@pytest.mark.parametrize(
    ("low", "high", "side", "text"),
    [
        (0.0356, 0.2633, "two", "3.6 to 26.3 pp"),
        (-0.2633, -0.0356, "two", "-26.3 to -3.6 pp"),
        (-0.037, 0.037, "two", "-3.7 to 3.7 pp"),
        (-1.0, 0.25, "upper", "at most 25.0 pp"),
        (-0.02, 1.0, "lower", "at least -2.0 pp"),
    ],
)
def test_limits_of_a_difference_are_percentage_points(low, high, side, text):
    assert interval(low, high, side=side, parameter="difference").limits_text() == text


@pytest.mark.parametrize(
    ("low", "high", "side", "text"),
    [
        (1.2214, 5.4411, "two", "1.22 to 5.44"),
        (0.0, np.inf, "two", "unbounded"),
        (26.61, np.inf, "two", "above 26.6"),
        (1.4, np.inf, "lower", "at least 1.4"),
        (0.0, 0.704, "upper", "at most 0.704"),
    ],
)
def test_limits_of_odds_are_bare_numbers(low, high, side, text):
    assert interval(low, high, side=side, parameter="odds").limits_text() == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.09, 0.52, "9.0% to 52.0%"),
        (-0.5, 0.3, "-50.0% to 30.0%"),
        (-np.inf, 1.0, "unbounded"),
        (-np.inf, -25.99, "below -2,599.0%"),
    ],
)
def test_limits_of_a_reduction_are_shares(low, high, text):
    assert interval(low, high, parameter="reduction").limits_text() == text


def test_what_it_is_of_is_in_the_plain_form():
    assert interval(-0.1, 0.2, parameter="difference").as_dict()["parameter"] == "difference"
    assert json.loads(interval(0.5, np.inf, parameter="odds").to_json())["high"] is None


def test_a_limit_near_the_border_has_digits_that_distinguish_them():
    near = interval(-0.00996, 0.09, parameter="difference")
    assert near.limits_text() == "-1.0 to 9.0 pp"
    assert near.limits_text(apart_from=-0.01) == "-0.996 to 9.000 pp"


@pytest.mark.parametrize(
    ("alpha", "text"),
    [(0.05, "0.7% to 6.5%"), (1e-12, "0.001% to 26.260%"), (1e-20, "< 0.001% to 37.420%")],
)
def test_a_limit_is_not_rounded_onto_0(alpha, text):
    """Its limits are 5.2e-6 and 2.7e-8 at the small alphas: `scipy.stats.beta.ppf(alpha / 2, 3.5, 117.5)`."""
    answer = estimate(ErrorCount(3, 120), alpha=alpha)
    assert answer.interval.limits_text() == text
    assert f"CI {text})" in str(answer)


def test_a_limit_is_not_rounded_onto_100_percent():
    answer = estimate(ErrorCount(117, 120), alpha=1e-20)
    assert answer.interval.limits_text() == "62.580% to > 99.999%"
