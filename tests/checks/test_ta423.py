"""TA423: at least 50 bootstrap samples."""

from dataclasses import replace
from functools import cache

import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from tellapart import Resamples, estimate, race
from tellapart.methods.resamples.assumptions import ENOUGH_BOOTSTRAP_SAMPLES


@cache
def analyse(samples):
    x, y = load_iris(return_X_y=True)
    return estimate(race({"bayes": GaussianNB()}, x[::2], y[::2], plan=f"632*{samples}"))


def fails():
    return analyse(49)


def holds():
    return analyse(50)


@pytest.mark.parametrize(("samples", "holds"), [(49, False), (50, True)])
def test_fifty_are_enough(check, samples, holds):
    result = check(analyse(samples))
    assert (result.figure, bool(result.holds)) == (samples, holds)


def test_samples_of_a_second_plan_are_counted():
    bags = Resamples.from_scores([0.8] * 40, plan="632*40", examples=30)
    folds = replace(Resamples.from_scores([0.8, 0.7], plan="2-fold", examples=30), parts={"632*40": bags})
    assert ENOUGH_BOOTSTRAP_SAMPLES.check(folds, None).figure == 40


def test_the_remedy_has_no_such_check(check, quiet):
    assert "49 bootstrap samples, fewer than 50" in check(fails()).message
    assert "Use 200 bootstrap samples (plan='632*200'), or 10-fold cross-validation." in check(fails()).message
    assert quiet(estimate(Resamples.from_scores([0.8, 0.9, 0.7], plan="3-fold", examples=60), method="kfold"))


def test_bootstrap_estimates_have_the_check(carriers):
    assert carriers == {"632", "632plus", "oob"}
