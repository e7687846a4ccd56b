"""TA403: at least 30 examples in every test set."""

from dataclasses import replace

import numpy as np
import pytest

from tellapart import Resamples, compare

A, B = [0.9, 0.8, 0.85, 0.7], [0.8, 0.75, 0.9, 0.65]


def analyse(examples, method=None):
    return compare(Resamples.from_scores(A, B, plan="4-fold", examples=examples), method=method)


def fails():
    return analyse(116)


def holds():
    return analyse(120)


@pytest.mark.parametrize("method", ["kfold-t", "corrected-resampled-t"])
def test_thirty_are_enough_and_29_are_not(check, method):
    assert check(analyse(120, method)).holds
    assert not check(analyse(116, method)).holds
    assert check(analyse(116, method)).message.startswith("a test set of 29 examples, fewer than 30 (Dietterich 1998)")


def test_the_caution_changes_no_number():
    """The mean difference of the folds: loss(A) − loss(B) = score(B) − score(A)."""
    assert fails().difference == pytest.approx(sum(B) / 4 - sum(A) / 4)
    assert fails().pvalue == pytest.approx(holds().pvalue)


@pytest.mark.parametrize("folds", [3, 7, 10, 49])
def test_a_share_of_all_examples_is_counted_without_rounding(check, folds):
    """A tenth of 300 is 30, although 300·(1/9)/(10/9) is slightly less in floating point."""
    scores = np.linspace(0.7, 0.9, folds)
    evidence = Resamples.from_scores(scores, scores[::-1], plan=f"{folds}-fold", examples=30 * folds)
    assert check(compare(evidence)).figure == 30
    assert check(compare(evidence)).holds


def test_the_smallest_test_set_counts(check):
    evidence = Resamples.from_scores(A, B, plan="4-fold", examples=160)
    odd = replace(evidence, test=np.array([[50, 51, 30, 29]]))
    assert check(compare(odd)).figure == 29


def test_unknown_sizes_pass(check):
    assert check(compare(Resamples.from_scores(A, B, plan="4-fold"), method="kfold-t")).holds


def test_the_remedy_counts_discordant_pairs(check, quiet):
    assert "fewer folds" in check(fails()).remedy
    evidence = Resamples.from_scores([1, 1, 0, 1, 1, 1], [1, 0, 1, 0, 1, 1], plan="loo")
    assert "method='mcnemar-on-cv'" in check(compare(evidence, method="kfold-t")).remedy
    assert quiet(compare(evidence, method="mcnemar-on-cv"))
    halves = Resamples.from_scores(A[:2], B[:2], plan="2-fold", examples=116)
    assert check(compare(halves)).holds
