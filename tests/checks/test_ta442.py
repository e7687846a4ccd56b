"""TA442: it is known which examples both learners got wrong."""

import pytest

from tellapart import PairedTable, Resamples, compare

KNOWN = Resamples([[[0.3]], [[0.2]]], 40, 80, "holdout", together=[[[[12]], [[4]]], [[[4]], [[8]]]])


def fails():
    return compare(Resamples.from_scores([0.7], [0.8], plan="holdout"), method="holdout-choice")


def holds():
    return compare(KNOWN, method="holdout-choice")


def test_scores_alone_leave_the_interval_unbounded(check):
    answer = fails()
    assert answer.better == "B"
    assert (answer.interval.low, answer.interval.high) == (-1, 1)
    assert not check(answer).holds


def test_with_predictions_the_interval_is_that_of_the_pairs(check, quiet):
    """12 errors of A and 8 of B, 4 in common: discordant pairs 8 and 4 among 40 examples."""
    assert "Compare the predictions: race(...) keeps them." in check(fails()).message
    assert check(holds()).holds
    theirs = compare(KNOWN, method="mcnemar-on-cv")
    table = compare(PairedTable(4, 8, 4, 24), interval="tango")
    assert quiet(theirs)
    for other in (theirs, table):
        assert holds().interval.low == pytest.approx(other.interval.low, rel=1e-9)
        assert holds().interval.high == pytest.approx(other.interval.high, rel=1e-9)


def test_only_the_choice_by_one_split_has_the_check(carriers):
    assert carriers == {"holdout-choice"}
