"""TA420: no example was tested that the classifier was trained on."""

import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from tellapart import Resamples, estimate, race


def fails():
    return estimate(Resamples.from_scores([0.9], plan="apparent", test=50, train=50))


@pytest.mark.parametrize("accuracy", [1.0, 0.9, 0.5, 0.0])
def test_it_fails_for_any_scores(check, accuracy):
    answer = estimate(Resamples.from_scores([accuracy], plan="apparent", examples=50))
    assert answer.estimate == pytest.approx(1 - accuracy)
    assert (check(answer).figure, bool(check(answer).holds)) == (0, False)


def test_the_remedy_tests_held_out_examples(check, quiet):
    assert "every tested example was trained on" in check(fails()).message
    assert "Use 10-fold cross-validation" in check(fails()).message
    iris = race({"bayes": GaussianNB()}, *load_iris(return_X_y=True), plan="3-fold")
    assert quiet(estimate(iris, method="kfold"))


def test_only_the_apparent_error_has_the_check(carriers):
    assert carriers == {"apparent"}
