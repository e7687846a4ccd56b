"""Damaged learners against scikit-learn's undamaged ones, and their own laws."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from tellapart.errors import InvalidOption
from tellapart.lab import Flipped, Weighted
from tellapart.lab.inducers.damage import set_to

IRIS = load_iris(return_X_y=True)


@pytest.mark.parametrize("learner", [Flipped(GaussianNB(), 0.2), Weighted(3, 0.5, direction=(0, 1, 2, 3))])
def test_damaged_learners_are_learners_of_scikit_learn(learner):
    assert is_classifier(learner)
    again = clone(learner)
    assert again is not learner
    assert again.get_params(deep=False).keys() == learner.get_params(deep=False).keys()
    assert again.set_params(**learner.get_params(deep=False)) is again
    assert cross_val_score(learner, *IRIS, cv=3).mean() > 0.5
    with pytest.raises(ValueError, match="Invalid parameter"):
        again.set_params(nonsense=1)


# --- Flips ------------------------------------------------------------------------------------------


def constant(classes):
    y = np.array(classes)
    inner = DummyClassifier(strategy="constant", constant=classes[0])
    return inner, np.zeros((y.size, 1)), y


def test_flips_are_as_frequent_as_requested_and_all_other_classes_alike():
    inner, X, y = constant(["a", "b", "c", "d"])  # noqa: N806
    result = Flipped(inner, 0.3, random_state=1).fit(X, y).predict(np.zeros((40_000, 1)))
    counts = np.array([np.count_nonzero(result == name) for name in "abcd"])
    assert abs(counts[0] / 40_000 - 0.7) < 4 * np.sqrt(0.3 * 0.7 / 40_000)
    assert stats.chisquare(counts[1:]).pvalue > 1e-4


def test_none_and_all_are_flipped_at_the_ends():
    X, y = IRIS  # noqa: N806
    plain = GaussianNB().fit(X, y).predict(X)
    assert_array_equal(Flipped(GaussianNB(), 0.0).fit(X, y).predict(X), plain)
    assert not np.any(Flipped(GaussianNB(), 1.0).fit(X, y).predict(X) == plain)


def test_a_repeated_call_says_the_same_and_other_seeds_say_otherwise():
    X, y = IRIS  # noqa: N806
    one = Flipped(GaussianNB(), 0.5, random_state=3).fit(X, y)
    assert_array_equal(one.predict(X), one.predict(X))
    assert_array_equal(one.predict(X), Flipped(GaussianNB(), 0.5, random_state=3).fit(X, y).predict(X))
    assert np.any(one.predict(X) != Flipped(GaussianNB(), 0.5, random_state=4).fit(X, y).predict(X))


def test_the_learner_inside_stays_as_it_is():
    inner = GaussianNB()
    Flipped(inner, 0.5).fit(*IRIS)
    assert not hasattr(inner, "classes_")


def test_there_is_no_other_class_to_flip_to():
    inner, X, y = constant([7])  # noqa: N806
    assert_array_equal(Flipped(inner, 0.9).fit(X, y).predict(np.zeros((5, 1))), [7] * 5)


def test_flips_change_the_error_as_the_closed_form_says():
    """Error' = error + rate (1 − error) − rate · error/(K − 1): of wrong predictions some are turned right."""
    rng = np.random.default_rng(5)
    truth = rng.integers(4, size=100_000)
    values = np.where(rng.random(100_000) < 0.35, (truth + 1) % 4, truth)
    learner = Flipped(Echo(), 0.25, random_state=1).fit(np.arange(4)[:, None], np.arange(4))
    error, before = np.mean(learner.predict(values[:, None]) != truth), np.mean(values != truth)
    expected = before + 0.25 * (1 - before) - 0.25 * before / 3
    assert abs(error - expected) < 4 * np.sqrt(0.25 / 100_000)


class Echo(GaussianNB):
    def fit(self, X, y):  # noqa: ARG002, N803
        return self

    def predict(self, X):  # noqa: N803
        return X[:, 0]


@pytest.mark.parametrize("rate", [-0.1, 1.5, float("nan")])
def test_a_rate_is_between_0_and_1(rate):
    with pytest.raises(InvalidOption, match="`rate` must be a number from 0 to 1"):
        Flipped(GaussianNB(), rate).fit(*IRIS)


# --- Bad weights ------------------------------------------------------------------------------------

RNG = np.random.default_rng(11)
POINTS, OPTIONS = RNG.normal(size=(200, 5)), RNG.normal(size=(300, 5))
LABELS = RNG.integers(3, size=200)


@pytest.mark.parametrize("neighbours", [1, 3, 7])
@pytest.mark.parametrize("strength", [0.0, 0.7, 3.0])
def test_it_is_scikit_learns_nearest_neighbours_by_a_weighted_distance(neighbours, strength):
    direction = np.array([0.5, -1.0, 2.0, 0.0, 1.0])
    ours = Weighted(neighbours, strength, direction).fit(POINTS, LABELS).predict(OPTIONS)
    theirs = KNeighborsClassifier(
        neighbours, algorithm="brute", metric="minkowski", p=2, metric_params={"w": np.exp(strength * direction)}
    )
    assert_array_equal(ours, theirs.fit(POINTS, LABELS).predict(OPTIONS))


def test_very_bad_weights_look_at_one_attribute():
    direction = (0.0, 0.0, 1.0, 0.0, 0.0)
    ours = Weighted(1, 200.0, direction).fit(POINTS, LABELS).predict(OPTIONS)
    alone = KNeighborsClassifier(1).fit(POINTS[:, [2]], LABELS)
    assert_array_equal(ours, alone.predict(OPTIONS[:, [2]]))
    assert np.isfinite(Weighted(1, 900.0).fit(POINTS, LABELS).examples_).all()


def test_weights_belong_to_the_seed_not_to_the_fit():
    first, again = (Weighted(strength=2.0, seed=4).fit(POINTS[part], LABELS[part]) for part in (slice(100), slice(50)))
    assert_array_equal(first.scale_, again.scale_)
    assert np.any(first.scale_ != Weighted(strength=2.0, seed=5).fit(POINTS, LABELS).scale_)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strength": -1.0}, "`strength` must be at least 0"),
        ({"strength": float("inf")}, "`strength` must be at least 0"),
        ({"strength": 1.0, "direction": (1.0, 2.0)}, "one number for each of 5 attributes"),
    ],
)
def test_weights_that_cannot_be_are_refused(options, message):
    with pytest.raises(InvalidOption, match=message):
        Weighted(**options).fit(POINTS, LABELS)


def test_setting_the_damage_leaves_the_learner_as_it_is():
    learner = Weighted(3)
    assert set_to(learner, 0.5).strength == 0.5
    assert learner.strength == 0.0
    assert set_to(Flipped(GaussianNB()), 0.25).rate == 0.25
