"""TA016: the interval over strata has a width."""

import pytest

from tellapart import StratifiedCount, estimate


def answer_of(errors, method="stratified-normal"):
    return estimate(StratifiedCount(errors, [100, 50], [0.9, 0.1]), method=method)


def fails():
    return answer_of([0, 0])


def holds():
    return answer_of([0, 1])


@pytest.mark.parametrize("errors", [[0, 0], [0, 50], [100, 50]])
def test_without_spread_in_any_stratum_it_is_a_point(check, errors):
    assert answer_of(errors).interval.width == 0
    assert not check(answer_of(errors)).holds


def test_one_error_is_enough_for_a_width(check):
    """Of 0 in 100 and 1 in 50 only the second varies; the lower limit is cut off at 0, the upper one is not."""
    upper = 0.1 * 0.02 + 1.959963984540054 * 0.1 * (0.02 * 0.98 / 50) ** 0.5
    assert check(holds()).figure == pytest.approx(upper, rel=1e-12)
    assert check(holds()).holds


@pytest.mark.parametrize("errors", [[0, 0], [0, 50], [100, 50]])
def test_the_way_out_stays_honest(check, quiet, errors):
    assert "Use method='stratified-wilson'." in check(answer_of(errors)).message
    honest = answer_of(errors, "stratified-wilson")
    assert quiet(honest)
    assert honest.interval.width > 0.01


def test_many_are_looked_at_one_by_one(check, carriers):
    strata = StratifiedCount([[0, 0], [5, 10]], [[100, 50], [100, 50]], [0.9, 0.1])
    assert check(estimate(strata, method="stratified-normal")).holds.tolist() == [False, True]
    assert carriers == {"stratified-normal"}
