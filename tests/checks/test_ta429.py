"""TA429: the apparent error is not 0."""

from functools import cache

import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from tellapart import Resamples, estimate, race
from tellapart.methods.resamples.assumptions import NOT_MEMORISED


@cache
def raced():
    learners = {"bayes": GaussianNB(), "neighbour": KNeighborsClassifier(n_neighbors=1)}
    return race(learners, *load_iris(return_X_y=True), plan="632*10")


def analyse(learner, method="632"):
    return estimate(raced(), learner=learner, method=method)


def fails():
    return analyse("neighbour")


def holds():
    return analyse("bayes")


def test_the_nearest_neighbour_of_an_example_is_that_example(check):
    assert (check(fails()).figure, bool(check(fails()).holds)) == (0, False)
    x, y = load_iris(return_X_y=True)
    assert check(holds()).figure == pytest.approx(1 - GaussianNB().fit(x, y).score(x, y))
    assert check(holds()).holds


def test_then_632_is_0_632_of_the_out_of_bag_error():
    assert fails().estimate == pytest.approx(0.632 * analyse("neighbour", "oob").estimate, rel=1e-3)


def test_an_unknown_apparent_error_passes():
    bags = Resamples.from_scores([0.8, 0.7], plan="632*2", examples=50)
    assert NOT_MEMORISED.check(bags, None).holds


def test_the_remedies_have_no_such_check(check, quiet):
    assert "the .632 estimate is too low" in check(fails()).message
    assert "Use method='632plus'." in check(fails()).message
    assert quiet(analyse("neighbour", "632plus"))
    assert analyse("neighbour", "632plus").estimate > fails().estimate


def test_only_632_has_the_check(carriers):
    assert carriers == {"632"}
