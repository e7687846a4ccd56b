"""TestResult: a p-value is never 0, and NaN means that there is none."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from tellapart.results import TestResult

SMALLEST = float.fromhex("0x1p-1022")  # the smallest normal float (IEEE 754)


@pytest.mark.parametrize(
    ("given", "kept"), [(0.0, SMALLEST), (5e-324, SMALLEST), (SMALLEST, SMALLEST), (0.3, 0.3), (1.0, 1.0)]
)
def test_a_p_value_too_small_for_a_float_is_the_smallest_normal_one(given, kept):
    assert TestResult(statistic=np.float64(40), pvalue=np.float64(given)).pvalue == kept


def test_no_p_value_stays_none():
    assert np.isnan(TestResult(statistic=np.float64(1), pvalue=np.float64(np.nan)).pvalue)


def test_each_entry_is_kept_from_0_by_itself():
    pvalue = TestResult(statistic=np.zeros(3), pvalue=np.array([0.0, np.nan, 0.5])).pvalue
    assert pvalue[0] == SMALLEST
    assert np.isnan(pvalue[1])
    assert pvalue[2] == 0.5


def test_an_index_picks_both():
    many = TestResult(statistic=np.array([1.0, 2.0]), pvalue=np.array([0.3, 0.04]))
    assert many.shape == (2,)
    assert (many[1].statistic, many[1].pvalue) == (2, 0.04)


def test_the_callers_array_is_left_alone():
    mine = np.array([0.0, 0.5])
    TestResult(statistic=np.zeros(2), pvalue=mine)
    assert mine.tolist() == [0, 0.5]


def test_fields_cannot_be_set():
    with pytest.raises(FrozenInstanceError):
        TestResult(statistic=np.float64(1), pvalue=np.float64(0.3)).pvalue = 0.01


@pytest.mark.parametrize(
    ("pvalue", "alpha", "rejects"), [(0.04, 0.05, True), (0.05, 0.05, False), (np.nan, 0.05, False)]
)
def test_a_p_value_below_alpha_rejects(pvalue, alpha, rejects):
    assert TestResult(statistic=np.float64(1), pvalue=np.float64(pvalue)).rejected(alpha) == rejects


def test_a_rule_without_a_p_value_has_its_own_verdict_whatever_alpha():
    rule = TestResult(statistic=np.arange(3.0), pvalue=np.full(3, np.nan), rejects=np.array([False, True, True]))
    for alpha in (1e-12, 0.05, 0.9):
        assert rule.rejected(alpha).tolist() == [False, True, True]
    assert rule[1].rejected(0.05)
    assert not rule[0].rejected(0.05)


def test_many_are_decided_one_by_one():
    many = TestResult(statistic=np.zeros(3), pvalue=np.array([0.01, np.nan, 0.5]))
    assert many.rejected(0.05).tolist() == [True, False, False]
