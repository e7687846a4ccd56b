"""TA016: the interval of a stratified error rate has a width."""

import pytest

from tellapart import StratifiedCount, estimate


def answer_of(errors, method="stratified-normal"):
    return estimate(StratifiedCount(errors, [100, 50], [0.9, 0.1]), method=method)


def fails():
    return answer_of([0, 0])


def holds():
    return answer_of([0, 1])


@pytest.mark.parametrize("errors", [[0, 0], [0, 50], [100, 50]])
def test_without_variation_in_any_stratum_it_has_width_0(check, errors):
    assert answer_of(errors).interval.width == 0
    assert not check(answer_of(errors)).holds


def test_one_error_is_enough_for_a_width(check):
    """0 in 100 has variance 0, 1 in 50 has not; the lower limit is truncated at 0."""
    upper = 0.1 * 0.02 + 1.959963984540054 * 0.1 * (0.02 * 0.98 / 50) ** 0.5
    assert check(holds()).figure == pytest.approx(upper, rel=1e-12)
    assert check(holds()).holds


@pytest.mark.parametrize("errors", [[0, 0], [0, 50], [100, 50]])
def test_the_remedy_has_a_width(check, quiet, errors):
    assert "Use method='stratified-wilson'." in check(answer_of(errors)).message
    answer = answer_of(errors, "stratified-wilson")
    assert quiet(answer)
    assert answer.interval.width > 0.01


def test_arrays_are_checked_entry_by_entry(check, carriers):
    strata = StratifiedCount([[0, 0], [5, 10]], [[100, 50], [100, 50]], [0.9, 0.1])
    assert check(estimate(strata, method="stratified-normal")).holds.tolist() == [False, True]
    assert carriers == {"stratified-normal"}
