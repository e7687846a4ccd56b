"""TA007: the interval has a width."""

import pytest

from tellapart import ErrorCount, estimate


def fails():
    return estimate(ErrorCount(0, 20), method="percentile")


def holds():
    return estimate(ErrorCount(0, 20), method="wilson")


@pytest.mark.parametrize("method", ["wald", "percentile", "bca-bootstrap"])
@pytest.mark.parametrize("errors", [0, 120])
def test_an_interval_of_width_0_fails(check, method, errors):
    answer = estimate(ErrorCount(errors, 120), method=method)
    assert answer.interval.low == answer.interval.high == errors / 120
    assert not check(answer).holds
    assert "the interval has width 0: it treats the error rate as known exactly" in check(answer).message


def test_one_error_is_enough_for_a_width(check):
    answer = estimate(ErrorCount(1, 120), method="wald")
    assert check(answer).figure == pytest.approx(2 * 1.959963984540054 * (119 / 120**3) ** 0.5, rel=1e-12)
    assert check(answer).holds


def test_the_remedy_has_a_width(check, quiet):
    assert "method='jeffreys'" in check(fails()).message
    for errors in (0, 20):
        answer = estimate(ErrorCount(errors, 20), method="jeffreys")
        assert quiet(answer)
        assert answer.interval.width > 0.1


def test_arrays_are_checked_entry_by_entry(check):
    assert check(estimate(ErrorCount([0, 7, 20], 20), method="wald")).holds.tolist() == [False, True, False]
