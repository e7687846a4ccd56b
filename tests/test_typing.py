"""One spelling: level and alpha are one number told two ways, and options have few values."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tellapart as ta
from tellapart.errors import InvalidOption
from tellapart.typing_ import Alternative, Hypothesis, Side, as_alpha, as_real, one_of, open_unit

inside = st.floats(1e-300, 1, exclude_max=True)


def test_five_percent_if_neither_is_given():
    assert as_alpha() == 0.05


@settings(deadline=None)
@given(inside)
def test_alpha_keeps_every_digit(alpha):
    assert as_alpha(alpha=alpha) == alpha


@settings(deadline=None)
@given(inside.filter(lambda level: 0 < 1 - level < 1))
def test_a_level_is_taken_as_the_float_it_is(level):
    assert as_alpha(level=level) == 1 - level
    assert as_alpha(level=level, alpha=1 - level) == 1 - level


def test_alpha_beside_a_level_that_has_lost_digits_wins():
    assert 1 - (1 - 1e-12) != 1e-12
    assert as_alpha(level=1 - 1e-12, alpha=1e-12) == 1e-12
    assert as_alpha(level=0.95, alpha=0.05) == 0.05


@pytest.mark.parametrize(
    ("level", "alpha"),
    [(0.95, 0.01), (0.95, 0.95), (0.95, 0.0501), (1 - 5e-13, 1e-13), (1 - 1e-13, 9e-13)],
)
def test_a_level_and_an_alpha_that_contradict_are_refused(level, alpha):
    with pytest.raises(InvalidOption, match=f"got level={level!r} and alpha={alpha!r}. Use one of them"):
        as_alpha(level=level, alpha=alpha)


@pytest.mark.parametrize(
    ("level", "remedy"), [(95, "0.95"), (99.9, "0.999"), (90.0, "0.9"), (100, "0.95"), (-0.95, "0.95")]
)
def test_percent_for_a_share_is_refused_with_a_fix(level, remedy):
    with pytest.raises(InvalidOption) as caught:
        as_alpha(level=level)
    assert f"got {level:g}. " in str(caught.value)
    assert f"use {remedy}." in str(caught.value)


@pytest.mark.parametrize("name", ["level", "alpha"])
@pytest.mark.parametrize(
    "value",
    [0, 1, 0.0, 1.0, -0.1, 1.5, 5, np.nan, np.inf, True, False, "0.95", "x", [0.95], np.array([0.9, 0.95]), 1j],
    ids=repr,
)
def test_what_is_no_number_strictly_between_0_and_1_is_refused(name, value):
    with pytest.raises(InvalidOption, match=rf"^`?{name}`? must be between 0 and 1"):
        as_alpha(**{name: value})


@pytest.mark.parametrize("value", [np.float64(0.25), np.float32(0.25), np.array(0.25), 0.25])
def test_numbers_of_any_type_pass_as_a_python_float(value):
    assert type(as_alpha(alpha=value)) is float
    assert as_alpha(alpha=value) == 0.25
    assert type(open_unit("x", value, "")) is float


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (Side, ("two", "upper", "lower")),
        (Alternative, ("two-sided", "greater", "less")),
        (Hypothesis, ("different", "non-inferior", "superior", "equivalent")),
    ],
)
def test_an_option_of_few_values_takes_those_and_lists_them(kind, values):
    assert all(one_of("option", value, kind) == value for value in values)
    for stranger in ("", "both", None, 2, ["two"], np.array(["two", "upper"])):
        with pytest.raises(InvalidOption, match=f"`option` must be one of '{values[0]}', '{values[1]}', '{values[2]}'"):
            one_of("option", stranger, kind)


RAGGED = [[1, [2]], [[0.5], [0.5, 0.5]], {"a": 1}, object(), b"0.05"]


@pytest.mark.parametrize("value", RAGGED, ids=[repr(each)[:12] for each in RAGGED])
@pytest.mark.parametrize("name", ["level", "alpha"])
def test_lists_of_several_lengths_and_other_strangers_are_refused_by_name(name, value):
    with pytest.raises(InvalidOption, match=rf"^`?{name}`? must be between 0 and 1, got "):
        as_alpha(**{name: value})
    with pytest.raises(InvalidOption, match=rf"^`?{name}`? must .*{re.escape(repr(value)[:12])}"):
        ta.estimate(ta.ErrorCount(3, 120), **{name: value})


@pytest.mark.parametrize("value", RAGGED, ids=[repr(each)[:12] for each in RAGGED])
@pytest.mark.parametrize("name", ["margin", "against", "level", "alpha"])
def test_options_of_a_comparison_are_refused_by_name(name, value):
    table = ta.ErrorCount(3, 120) if name == "against" else ta.PairedTable(20, 25, 10, 45)
    with pytest.raises(InvalidOption, match=rf"^`?{name}`? must .*{re.escape(repr(value)[:12])}"):
        ta.compare(table, **{name: value})


@pytest.mark.parametrize("name", ["margin", "power", "alpha"])
def test_options_of_a_gate_are_refused_by_name(name):
    for value in ([1, [2]],) if name == "margin" else ([1, [2]], 5e-324):  # any margin above 0 has its answer
        with pytest.raises(InvalidOption, match=rf"^`?{name}`? must .*{re.escape(repr(value))}"):
            ta.judge(ta.PairedTable(20, 25, 10, 45), **{name: value})


def test_numbers_that_cannot_be_halved_are_refused():
    """Half of 5e-324, the smallest float, is 0; 1 − 10⁻¹⁷ is 1."""
    for text in ({"alpha": 5e-324}, {"alpha": 1e-301}):
        with pytest.raises(InvalidOption, match="`alpha` must be at least 1e-300, got "):
            as_alpha(**text)
    for text in ({"level": 5e-324}, {"level": 1e-17}):
        with pytest.raises(InvalidOption, match=r"`level` must be at least 2\.22045e-16, got "):
            as_alpha(**text)
    assert as_alpha(alpha=1e-300) == 1e-300
    assert as_alpha(level=1e-15) < 1


@pytest.mark.parametrize(
    ("value", "number"), [(3, 3.0), (np.float32(0.5), 0.5), (10**400, np.inf), (-(10**400), -np.inf), (np.inf, np.inf)]
)
def test_a_number_of_any_size_is_a_float(value, number):
    assert as_real(value) == number


@pytest.mark.parametrize("value", [True, "3", None, [1], np.array([]), 1j])
def test_what_is_no_number_is_nan(value):
    assert np.isnan(as_real(value))
