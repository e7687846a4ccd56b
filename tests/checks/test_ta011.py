"""TA011: 10 to 200 examples, or more than 5 errors and 5 successes."""

import pytest

from tellapart import ErrorCount, estimate


def fails():
    return estimate(ErrorCount(2, 1000), method="jeffreys-handbook")


def holds():
    return estimate(ErrorCount(2, 200), method="jeffreys-handbook")


@pytest.mark.parametrize(
    ("errors", "trials", "holds"),
    [
        (2, 9, False),
        (2, 10, True),
        (2, 200, True),
        (2, 201, False),
        (199, 201, False),  # two successes
        (5, 500, False),
        (6, 500, True),  # another formula, for more than five of each
        (494, 500, True),
        (495, 500, False),
        (6, 10**6, True),
    ],
)
def test_up_to_five_errors_10_to_200_trials(check, errors, trials, holds):
    """Martin and Hirschberg 1996, appendix A.3."""
    assert check(estimate(ErrorCount(errors, trials), method="jeffreys-handbook")).holds == holds


def test_the_remedy_is_the_method_that_it_approximates(check, quiet):
    """Inside the range the two are close, outside they differ."""
    assert "Use method='jeffreys', which the formula approximates." in check(fails()).message
    exact = estimate(ErrorCount([2, 2], [200, 5000]), method="jeffreys")
    near = estimate(ErrorCount([2, 2], [200, 5000]), method="jeffreys-handbook")
    assert quiet(exact)
    assert check(near).holds.tolist() == [True, False]
    off = abs(near.interval.high / exact.interval.high - 1)
    assert off[0] < 0.05
    assert off[1] > 0.5


def test_only_the_handbook_method_has_this_check(carriers):
    assert carriers == {"jeffreys-handbook"}
