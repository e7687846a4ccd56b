"""TA415: at least 30 examples."""

import pytest

from tellapart import Resamples, compare

A, B = [0.9, 0.8, 0.85, 0.7], [0.8, 0.75, 0.9, 0.65]


def analyse(examples, method="calibrated-t"):
    return compare(Resamples.from_scores(A, B, plan="2x2", examples=examples), method=method)


def fails():
    return analyse(29)


def holds():
    return analyse(30)


@pytest.mark.parametrize(("examples", "holds"), [(24, False), (29, False), (30, True), (31, True)])
def test_thirty_are_enough(check, examples, holds):
    result = check(analyse(examples))
    assert (result.figure, bool(result.holds)) == (examples, holds)


def test_an_unknown_number_passes(check):
    assert check(compare(Resamples.from_scores(A, B, plan="2x2"), method="calibrated-t")).holds


def test_the_remedy_needs_no_such_factor(check, quiet):
    assert "29 examples, fewer than 30" in check(fails()).message
    assert "Use method='corrected-repeated-kfold-t', which needs no such factor" in check(fails()).message
    assert quiet(analyse(29, "corrected-repeated-kfold-t"))


def test_only_the_calibrated_t_has_the_check(carriers):
    assert carriers == {"calibrated-t"}
