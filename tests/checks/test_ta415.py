"""TA415, Martin and Hirschberg: the calibrated t has thirty examples."""

import pytest

from tellapart import Resamples, compare

A, B = [0.9, 0.8, 0.85, 0.7], [0.8, 0.75, 0.9, 0.65]


def answer_for(examples, method="calibrated-t"):
    return compare(Resamples.from_scores(A, B, plan="2x2", examples=examples), method=method)


def fails():
    return answer_for(29)


def holds():
    return answer_for(30)


@pytest.mark.parametrize(("examples", "holds"), [(24, False), (29, False), (30, True), (31, True)])
def test_thirty_are_enough(check, examples, holds):
    result = check(answer_for(examples))
    assert (result.figure, bool(result.holds)) == (examples, holds)


def test_a_number_that_is_not_known_is_not_held_against_anybody(check):
    assert check(compare(Resamples.from_scores(A, B, plan="2x2"), method="calibrated-t")).holds


def test_the_way_out_needs_no_such_factor(check, quiet):
    assert "29 examples, fewer than 30" in check(fails()).message
    assert "Use method='corrected-repeated-kfold-t', which needs no such factor" in check(fails()).message
    assert quiet(answer_for(29, "corrected-repeated-kfold-t"))


def test_only_the_calibrated_t_carries_it(carriers):
    assert carriers == {"calibrated-t"}
