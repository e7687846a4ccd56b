"""TA003, Mendenhall and others: e ± 2 sqrt(e (1 - e) / n) lies inside 0 to 1."""

from math import sqrt

import pytest

from tellapart import ErrorCount, estimate


def fails():
    return estimate(ErrorCount(3, 120), method="likelihood-ratio")


def holds():
    return estimate(ErrorCount(6, 120), method="likelihood-ratio")


@pytest.mark.parametrize(
    ("errors", "trials", "holds"),
    [
        (3, 12, False),  # 0.25 − 2·0.125 = 0 is not inside
        (9, 12, False),
        (4, 12, True),  # 0.3333 − 2·0.1361 = 0.0612
        (8, 12, True),
        (2, 12, False),
        (2, 4, False),  # 0.5 ± 2·0.25 touches both ends
        (0, 12, False),
        (12, 12, False),
    ],
)
def test_an_end_of_the_range_is_not_inside(check, errors, trials, holds):
    e = errors / trials
    result = check(estimate(ErrorCount(errors, trials), method="wilson"))
    assert result.figure == pytest.approx(min(e, 1 - e) - 2 * sqrt(e * (1 - e) / trials), abs=1e-15)
    assert result.holds == holds


def test_the_message_gives_the_distance_and_the_remedy(check, quiet):
    assert "lies inside 0 to 1, by 0.0102" in check(holds()).message  # 0.05 − 2·√(0.05·0.95/120) = 0.01021
    assert "does not lie inside 0 to 1" in check(fails()).message
    assert "method='jeffreys'" in check(fails()).message
    assert quiet(estimate(ErrorCount(3, 120), method="jeffreys"))


def test_errors_and_successes_are_treated_alike(check):
    result = check(estimate(ErrorCount([3, 117, 60], 120), method="wald"))
    assert result.figure[0] == pytest.approx(result.figure[1], abs=1e-15)
    assert result.holds.tolist() == [False, False, True]
