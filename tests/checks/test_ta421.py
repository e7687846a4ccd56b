"""TA421: the apparent error is not below that of held-out examples."""

from dataclasses import replace

import numpy as np
import pytest

from tellapart import Plan, Resamples, estimate

SEEN = Resamples.from_scores([0.9], plan="apparent", test=50, train=50)


def beside(held_out):
    """Return an apparent error of 10% with ten folds of this accuracy."""
    return replace(SEEN, parts={"10-fold": Resamples.from_scores([held_out] * 10, plan="10-fold", examples=50)})


def fails():
    return estimate(beside(0.8), method="apparent")


def holds():
    return estimate(beside(0.95), method="apparent")


@pytest.mark.parametrize(("accuracy", "points"), [(0.8, -10), (0.88, -2), (0.95, 5)])
def test_the_figure_is_in_percentage_points(check, accuracy, points):
    result = check(estimate(beside(accuracy), method="apparent"))
    assert result.figure == pytest.approx(points)
    assert result.holds == (points >= 0)


def test_without_held_out_examples_it_passes(check):
    assert check(estimate(SEEN)).holds


def test_examples_left_out_of_bootstrap_samples_are_held_out(check):
    """The out-of-bag error is 25%, the apparent error 10%."""
    bags = Resamples.from_scores([0.8, 0.7], plan="632*2", examples=50)
    answer = estimate(replace(bags, parts={"apparent": SEEN}), method="apparent")
    assert "the apparent error is 15 pp below that of examples that were not trained on" in check(answer).message


def test_the_remedies_have_no_such_check(check, quiet, carriers):
    """The estimate uses the first of several plans: here the folds; the apparent error is the second."""
    assert check(fails()).remedy == "Estimate the error from examples that were not trained on."
    folds = replace(Resamples.from_scores([0.8, 0.9, 0.7], plan="3-fold", examples=60), parts={"apparent": SEEN})
    result = check(estimate(folds, method="apparent"))
    assert not result.holds
    assert result.remedy == "Use method='kfold'."
    assert quiet(estimate(folds, method="kfold"))
    assert carriers == {"apparent"}


def test_batches_are_checked_entry_by_entry(check):
    apparent = Resamples(np.array([0.1, 0.3]).reshape(2, 1, 1, 1), 50, 50, Plan.parse("apparent"), ("A",), examples=50)
    folds = Resamples(np.full((2, 1, 1, 10), 0.2), 5, 45, Plan.parse("10-fold"), ("A",), examples=50)
    result = check(estimate(replace(apparent, parts={"10-fold": folds}), method="apparent"))
    assert result.figure == pytest.approx([-10, 10])
    assert result.holds.tolist() == [False, True]
