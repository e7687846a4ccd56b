"""TA607: no errors cancel in the balance."""

import pytest

from tellapart import ConfusionMatrix, estimate


def fails():
    """Estimate a balance of 0 with 216 errors in 768 examples."""
    return estimate(ConfusionMatrix([[392, 108], [108, 160]]), metric="label-balance")


def holds():
    return estimate(ConfusionMatrix([[300, 200], [10, 258]]), metric="label-balance")


def test_many_balanced_errors_fail(check):
    assert fails().estimate == 0
    assert fails().interval.low < 0 < fails().interval.high
    assert check(fails()).figure == -216
    assert "216 errors cancel in the label balance" in str(fails()).replace("\n", " ")


@pytest.mark.parametrize(("counts", "figure"), [([[60, 0], [0, 40]], 0), ([[60, 1], [0, 39]], -1)])
def test_without_errors_it_passes(check, counts, figure):
    assert check(estimate(ConfusionMatrix(counts), metric="label-balance")).figure == figure


def test_an_interval_without_0_passes(check):
    assert holds().interval.high < 0
    assert check(holds()).figure == 0


def test_errors_of_the_class_count(check):
    counts = [[20, 3, 1], [4, 30, 6], [0, 2, 9]]
    answer = estimate(ConfusionMatrix(counts), metric="label-balance", positive=2)
    assert check(answer).figure == -(2 + 7)


def test_the_remedy_counts_the_errors(check, quiet):
    answer = estimate(ConfusionMatrix([[392, 108], [108, 160]]), metric="error", method="jeffreys")
    assert "method='jeffreys'" in check(fails()).message
    assert quiet(answer)
    assert answer.estimate == 216 / 768
