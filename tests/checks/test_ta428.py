"""TA428: more than 2 folds."""

from dataclasses import replace

import numpy as np
import pytest

from tellapart import Resamples, estimate
from tellapart.methods.resamples.assumptions import MORE_THAN_TWO_FOLDS


def analyse(plan, method):
    runs = {"2-fold": 2, "3-fold": 3, "2-fold*5": 10, "5x2": 10, "4x3": 12, "10-fold": 10}[plan]
    return estimate(Resamples.from_scores(np.linspace(0.7, 0.9, runs), plan=plan, examples=300), method=method)


def fails():
    return analyse("2-fold", "kfold")


def holds():
    return analyse("3-fold", "kfold")


@pytest.mark.parametrize(
    ("plan", "method", "folds"),
    [
        ("2-fold", "kfold", 2),
        ("2-fold*5", "iterated-kfold", 2),
        ("5x2", "repeated-kfold", 2),
        ("3-fold", "kfold", 3),
        ("4x3", "repeated-kfold", 3),
        ("10-fold", "kfold", 10),
    ],
)
def test_two_folds_are_too_few_however_often_repeated(check, plan, method, folds):
    result = check(analyse(plan, method))
    assert (result.figure, bool(result.holds)) == (folds, folds > 2)


def test_a_second_plan_does_not_count():
    halves = Resamples.from_scores([[0.8, 0.7]] * 100, plan="2-fold*100")
    thirds = Resamples.from_scores([0.8, 0.7, 0.9], plan="3-fold")
    assert MORE_THAN_TWO_FOLDS.check(replace(thirds, parts={"2-fold*100": halves}), None).holds


def test_the_remedy_has_ten_folds(check, quiet):
    assert "2 folds, fewer than 3 (Martin & Hirschberg 1996)" in check(fails()).message
    assert "Use 10 repeats of 10-fold cross-validation (plan='10x10')." in check(fails()).message
    ten = Resamples.from_scores(np.linspace(0.7, 0.9, 100), plan="10x10", examples=300)
    assert quiet(estimate(ten, method="repeated-kfold"))


def test_cross_validation_estimates_have_the_check(carriers):
    assert carriers == {"kfold", "repeated-kfold", "iterated-kfold"}
