"""TA422: at least 200 replicates of nested cross-validation."""

from functools import cache

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from tellapart import Resamples, estimate, race
from tellapart.methods.resamples.assumptions import ENOUGH_NESTED_REPLICATES


@cache
def raced():
    return race({"bayes": GaussianNB()}, *load_iris(return_X_y=True), plan="nested 2x3")


def fails():
    return estimate(raced())


@pytest.mark.parametrize(("replicates", "holds"), [(2, False), (199, False), (200, True)])
def test_200_are_enough(replicates, holds):
    evidence = Resamples.from_scores(np.tile([0.8, 0.7], replicates), plan=f"nested {replicates}x2", examples=40)
    result = ENOUGH_NESTED_REPLICATES.check(evidence.select("A"), None)
    assert (result.figure, bool(result.holds)) == (replicates, holds)


def test_the_message_has_the_cost_of_the_remedy(check):
    """200 replicates of 10 folds, with one outer fit per fold and an inner one per pair of folds: 200·(10 + 45)."""
    assert 200 * (10 + 10 * 9 // 2) == 11_000
    assert len(raced().fits) == 2 * (3 + 3 * 2 // 2)
    assert "2 replicates of nested cross-validation, fewer than 200" in check(fails()).message
    assert "plan='nested 200x10' (11,000 fits of a learner)" in check(fails()).message


def test_the_remedies_have_no_such_check(check, quiet):
    assert "method='corrected-t-interval'" in check(fails()).message
    folds = Resamples.from_scores([0.8, 0.9, 0.7], plan="3-fold", examples=150)
    assert quiet(estimate(folds, method="corrected-t-interval"))


def test_only_nested_cross_validation_has_the_check(carriers):
    assert carriers == {"nested-cv"}
