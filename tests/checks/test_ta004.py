"""TA004, Mitchell's first rule: at least 30 examples."""

import pytest

from tellapart import ErrorCount, estimate


def fails():
    return estimate(ErrorCount(6, 20), method="wilson")


def holds():
    return estimate(ErrorCount(3, 120), method="wilson")


@pytest.mark.parametrize(("trials", "holds"), [(1, False), (29, False), (30, True), (31, True)])
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_thirty_examples_are_enough_for_any_number_of_errors(check, trials, share, holds):
    result = check(estimate(ErrorCount(int(share * trials), trials), method="wilson"))
    assert (result.figure, bool(result.holds)) == (trials, holds)


def test_the_remedy_has_no_minimum(check, quiet):
    assert check(fails()).message.startswith(
        "20 examples, fewer than 30 (Mitchell 1997): the normal approximation is poor."
    )
    assert "method='jeffreys'" in check(fails()).message
    assert quiet(estimate(ErrorCount(6, 20), method="jeffreys"))


def test_arrays_are_checked_entry_by_entry(check):
    assert check(estimate(ErrorCount(3, [29, 30]), method="wilson")).holds.tolist() == [False, True]
