"""TA013: part of the pool is untested."""

import numpy as np
import pytest

from tellapart import ErrorCount, compare, estimate


def fails():
    return estimate(ErrorCount(3, 120), method="hypergeometric", pool=120)


def holds():
    return estimate(ErrorCount(3, 120), method="hypergeometric", pool=400)


def test_a_pool_tested_to_the_last_example_is_known(check):
    answer = fails()
    assert answer.interval.low == answer.interval.high == answer.estimate == 0.025
    assert not check(answer).holds
    assert "the error rate in the pool is known" in " ".join(str(answer).split())


def test_a_test_of_a_known_pool_has_an_extreme_p_value():
    tested = compare(ErrorCount(3, 120), against=0.03, method="hypergeometric", pool=120, alternative="less")
    assert tested.pvalue == np.finfo(float).tiny
    assert compare(ErrorCount(3, 120), against=0.025, method="hypergeometric", pool=120).pvalue == 1


def test_one_untested_example_may_not_give_a_width(check):
    """100 of 101 examples tested, 1 wrong: a second error would be missed with probability 2/101."""
    answer = estimate(ErrorCount(1, 100), method="hypergeometric", pool=101)
    assert answer.interval.low == answer.interval.high == 1 / 101
    assert 2 / 101 < 0.025
    assert not check(answer).holds
    assert check(estimate(ErrorCount(1, 100), method="hypergeometric", pool=101, level=0.99)).holds


def test_the_remedy_is_for_examples_from_beyond_the_pool(check, quiet):
    assert "For examples from beyond the pool use method='clopper-pearson' without a pool." in check(fails()).message
    answer = estimate(ErrorCount(3, 120), method="clopper-pearson")
    assert quiet(answer)
    assert answer.interval.width > 0


def test_arrays_are_checked_entry_by_entry(check, carriers):
    both = estimate(ErrorCount([3, 4], 120), method="hypergeometric", pool=[120, 500])
    assert check(both).holds.tolist() == [False, True]
    assert check(both).figure[1] == pytest.approx(both.interval.width[1])
    assert carriers == {"hypergeometric"}
