"""TA427: at least 30 examples."""

from functools import cache

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from tellapart import Resamples, estimate, race


@cache
def analyse(examples):
    x, y = load_iris(return_X_y=True)
    some = np.arange(examples) * 150 // examples  # of every species
    return estimate(race({"bayes": GaussianNB()}, x[some], y[some], plan="nested 2x3"))


def fails():
    return analyse(29)


def holds():
    return analyse(30)


@pytest.mark.parametrize(("examples", "holds"), [(29, False), (30, True)])
def test_thirty_are_enough(check, examples, holds):
    result = check(analyse(examples))
    assert (result.figure, bool(result.holds)) == (examples, holds)


def test_the_remedy_uses_the_t_distribution(check, quiet):
    assert (
        "29 examples, fewer than 30 (Mitchell 1997): the normal approximation is unreliable" in check(fails()).message
    )
    assert "Use method='corrected-t-interval', which uses the t distribution" in check(fails()).message
    folds = Resamples.from_scores([0.8, 0.9, 0.7], plan="3-fold", examples=29)
    assert quiet(estimate(folds, method="corrected-t-interval"))


def test_methods_with_a_normal_quantile_have_the_check(carriers):
    assert carriers == {"nested-cv", "loo-star"}
