"""TA004, Mitchell's first rule: thirty trials."""

import pytest

from tellapart import ErrorCount, estimate


def fails():
    return estimate(ErrorCount(6, 20), method="wilson")


def holds():
    return estimate(ErrorCount(3, 120), method="wilson")


@pytest.mark.parametrize(("trials", "holds"), [(1, False), (29, False), (30, True), (31, True)])
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_thirty_trials_are_enough_whatever_the_errors(check, trials, share, holds):
    result = check(estimate(ErrorCount(int(share * trials), trials), method="wilson"))
    assert (result.figure, bool(result.holds)) == (trials, holds)


def test_the_way_out_needs_no_such_number(check, quiet):
    assert check(fails()).message.startswith(
        "20 examples, fewer than 30 (Mitchell 1997): the normal approximation is poor."
    )
    assert "method='jeffreys'" in check(fails()).message
    assert quiet(estimate(ErrorCount(6, 20), method="jeffreys"))


def test_many_counts_are_looked_at_one_by_one(check):
    assert check(estimate(ErrorCount(3, [29, 30]), method="wilson")).holds.tolist() == [False, True]
