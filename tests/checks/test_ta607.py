"""TA607: no errors hide behind a balance."""

import pytest

from tellapart import ConfusionMatrix, estimate


def fails():
    """As many of one kind as of the other: 216 errors in 768."""
    return estimate(ConfusionMatrix([[392, 108], [108, 160]]), metric="label-balance")


def holds():
    return estimate(ConfusionMatrix([[300, 200], [10, 258]]), metric="label-balance")


def test_a_balance_of_many_errors_is_told_as_what_it_is(check):
    assert fails().estimate == 0
    assert fails().interval.low < 0 < fails().interval.high
    assert check(fails()).figure == -216
    assert "216 errors cancel in the label balance" in str(fails()).replace("\n", " ")


@pytest.mark.parametrize(("counts", "figure"), [([[60, 0], [0, 40]], 0), ([[60, 1], [0, 39]], -1)])
def test_without_an_error_nothing_hides(check, counts, figure):
    assert check(estimate(ConfusionMatrix(counts), metric="label-balance")).figure == figure


def test_an_imbalance_that_is_told_hides_nothing(check):
    assert holds().interval.high < 0
    assert check(holds()).figure == 0


def test_of_one_class_its_own_errors_count(check):
    counts = [[20, 3, 1], [4, 30, 6], [0, 2, 9]]
    answer = estimate(ConfusionMatrix(counts), metric="label-balance", positive=2)
    assert check(answer).figure == -(2 + 7)


def test_the_error_rate_tells_how_many(check, quiet):
    answer = estimate(ConfusionMatrix([[392, 108], [108, 160]]), metric="error", method="jeffreys")
    assert "method='jeffreys'" in check(fails()).message
    assert quiet(answer)
    assert answer.estimate == 216 / 768
