"""How many are enough, and how small a difference is seen: whatever the setting, one undoes the other."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from tellapart.evidence import PairedTable
from tellapart.methods import find_method
from tellapart.planning.settings.pairs import Pairs
from tellapart.planning.settings.regions import Claim
from tellapart.planning.settings.setting import few_at_many
from tellapart.planning.solving import MOST, difference_for, first_size, power_by_formula, size_for


def pairs(name, disagreement, **claim):
    return Pairs(claim=Claim(method=find_method(name, "test", PairedTable), **claim), disagreement=disagreement)


@pytest.mark.parametrize("guess", [math.nan, 2, 50, 99, 100, 101, 5000, 1e18])
@pytest.mark.parametrize("border", [1, 2, 99, 100, 10**6])
def test_the_first_size_is_found_from_anywhere(guess, border):
    assert first_size(lambda size: size >= border, guess) == border


@pytest.mark.parametrize("guess", [math.nan, 30, 1e18])
def test_a_size_that_nothing_reaches(guess):
    assert first_size(lambda size: size > MOST, guess) == math.inf
    assert first_size(lambda size: size >= MOST, guess) == MOST


def test_a_lucky_size_is_passed_over():
    """Enough at 40, 60 and from 70 on."""
    lucky = {40, 60}
    assert first_size(lambda size: (size >= 70) | np.isin(size, list(lucky)), 40) == 70


def test_few_sizes_are_looked_at_where_there_are_many():
    assert [few_at_many(size) for size in (1, 10**4, 10**5, MOST)] == [64, 64, 10, 4]


@settings(max_examples=10, deadline=None)
@given(
    st.sampled_from(["mcnemar-exact", "mcnemar-mid-p", "mcnemar", "tango"]),
    st.floats(0.02, 0.9),
    st.floats(0.2, 0.95),
    st.floats(0.5, 0.97),
    st.sampled_from(["two-sided", "greater", "less"]),
)
def test_size_power_and_difference_undo_each_other(name, disagreement, share, power, alternative):
    """From the size on the power is there, one below it is not; and this difference is the least that it shows."""
    setting = pairs(name, disagreement, alternative=alternative)
    difference = share * setting.most
    size = size_for(setting, power, difference)
    sizes = np.arange(size, size + 20)
    assert np.all(setting.power(sizes, difference) >= power)
    if size > 1:
        assert setting.power(size - 1, difference) < power
    least = difference_for(setting, size, power)
    assert abs(least) <= abs(difference) * (1 + 1e-6)
    assert_allclose(setting.power(size, least), power, atol=1e-6)
    if size > 1:  # one fewer shows it at a larger difference only, or at none
        assert not abs(difference_for(setting, size - 1, power)) < abs(difference) * (1 - 1e-6)


def test_a_difference_that_nothing_shows():
    assert math.isnan(difference_for(pairs("mcnemar-exact", 1.0), 5, 0.8))
    assert difference_for(pairs("mcnemar-exact", 1.0), 6, 0.8) == pytest.approx(2 * 0.8 ** (1 / 6) - 1, abs=1e-6)


def test_the_formulas_power_is_its_size_turned_round():
    setting = pairs("mcnemar", 0.25)
    for power in (0.3, 0.8, 0.99):
        assert_allclose(power_by_formula(setting, setting.approximate(power, 0.15), 0.15), power, rtol=1e-9)
    assert math.isnan(power_by_formula(setting, 100, 0.0))
