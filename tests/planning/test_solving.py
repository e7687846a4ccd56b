"""How many are enough, and how small a difference is seen: whatever the setting, one undoes the other."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import binom

from tellapart.evidence import PairedTable
from tellapart.methods import find_method
from tellapart.planning.settings.pairs import PairedSetting
from tellapart.planning.settings.regions import Claim
from tellapart.planning.settings.setting import few_at_many
from tellapart.planning.solving import MOST, difference_for, first_size, power_by_formula, size_for


def pairs(name, disagreement, **claim):
    return PairedSetting(claim=Claim(method=find_method(name, "test", PairedTable), **claim), disagreement=disagreement)


@pytest.mark.parametrize("guess", [math.nan, 2, 50, 99, 100, 101, 5000, 1e18])
@pytest.mark.parametrize("border", [1, 2, 99, 100, 10**6])
def test_the_first_size_is_found_from_anywhere(guess, border):
    assert first_size(lambda size: size - border, guess) == border  # a line
    assert first_size(lambda size: np.where(size >= border, 1.0, -1.0), guess) == border  # a step


@pytest.mark.parametrize("guess", [math.nan, 30, 1e18])
def test_a_size_that_nothing_reaches(guess):
    assert first_size(lambda size: size - MOST - 1, guess) == math.inf
    assert first_size(lambda size: size - MOST, guess) == MOST


def test_a_lucky_size_is_passed_over():
    """Enough at 40, 60 and from 70 on."""
    assert first_size(lambda size: np.where((size >= 70) | np.isin(size, [40, 60]), 1, -1), 40) == 70


def test_a_wide_saw_is_looked_at_by_every_so_many_th():
    """Short in the second half of every 10 000, up to 60 000."""
    result = first_size(lambda size: np.where((size % 10_000 < 5000) | (size > 60_000), 1, -1), teeth=lambda _: 20_000)
    assert result == 60_000


def test_few_sizes_are_looked_at_where_there_are_many():
    assert [few_at_many(size) for size in (1, 10**4, 10**5, MOST)] == [64, 20, 4, 4]


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


def test_equivalence_is_looked_for_where_it_can_be():
    """Two that disagree far more often than the margin: the power is a narrow hump about 0."""
    claim = {"hypothesis": "equivalent", "margin": 0.01}
    setting = pairs("tango", 0.5, **claim)
    result = difference_for(setting, 100_000, 0.8)
    assert -0.01 < result < 0
    assert_allclose(setting.power(100_000, [result, -result]), 0.8, atol=1e-6)


def test_the_formulas_power_is_its_size_turned_round():
    setting = pairs("mcnemar", 0.25)
    for power in (0.3, 0.8, 0.99):
        assert_allclose(power_by_formula(setting, setting.approximate(power, 0.15), 0.15), power, rtol=1e-9)
    assert math.isnan(power_by_formula(setting, 100, 0.0))


def test_where_all_disagree_teeth_go_on():
    """The sign test of a share of 0.505: no size of the next thousand has less, by SciPy's binomial; one fewer has."""
    size = int(size_for(pairs("mcnemar-exact", 1.0), 0.8, 0.01))
    sizes = np.arange(size - 1, size + 1000)
    few = binom.ppf(0.025, sizes, 0.5)
    few = np.where(binom.cdf(few, sizes, 0.5) < 0.025, few, few - 1)
    power = binom.cdf(few, sizes, 0.505) + binom.sf(sizes - few - 1, sizes, 0.505)
    assert power[0] < 0.8 <= power[1:].min()
