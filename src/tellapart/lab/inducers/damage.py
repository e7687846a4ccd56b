"""Damaged learners: predictions flipped at random, or distances badly weighted (Dietterich 1998).

Real learners are never equally good, so the type I error of a test is unknown for them: how often it rejects
without a difference, unless the better one is damaged; `equalise` finds out how much.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidOption, import_extra
from ...running.learners import fresh
from ...typing_ import FloatArray
from ..design import one_number, whole

_base = import_extra("sklearn.base", "learn")


class Flipped(_base.ClassifierMixin, _base.BaseEstimator):  # type: ignore[misc, name-defined]
    """A classifier with some predictions randomly changed to another class.

    Parameters
    ----------
    estimator
        The learner that is damaged; it stays as it is, a copy is fitted.
    rate
        The share of predictions that are changed, on average. Every other class of the training set is as likely.
    random_state
        A seed for what is changed; None: another every time that it is fitted.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> always = DummyClassifier(strategy="constant", constant=1).fit([[0], [0]], [0, 1])
    >>> wrong = Flipped(always, rate=0.3, random_state=0).fit([[0], [0]], [0, 1]).predict([[0]] * 10_000)
    >>> round(float((wrong == 0).mean()), 2)
    0.3
    """

    def __init__(self, estimator: Any, rate: float = 0.0, random_state: Any = None) -> None:
        self.estimator = estimator
        self.rate = rate
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Flipped:  # noqa: N803
        """Return self, with a fitted copy of the learner."""
        one_number("rate", self.rate, 0, 1)
        self.estimator_ = fresh(self.estimator)
        self.estimator_.fit(X, y)
        self.classes_ = np.unique(np.asarray(y))
        state = import_extra("sklearn.utils", "learn").check_random_state(self.random_state)
        self.seed_ = int(state.randint(2**31 - 1))  # one seed a fit: who predicts twice says the same twice
        return self

    def predict(self, X: Any) -> Any:  # noqa: N803
        """Return predictions, some of them changed."""
        predictions = np.asarray(self.estimator_.predict(X))
        others = self.classes_.size - 1
        rng = np.random.default_rng(self.seed_)
        flipped = (rng.random(predictions.size) < self.rate) & (others > 0)
        steps = rng.integers(1, others + 1, predictions.size) if others else np.zeros(predictions.size, dtype=int)
        places = np.searchsorted(self.classes_, predictions)
        return np.where(flipped, self.classes_[(places + steps) % self.classes_.size], predictions)


class Weighted(_base.ClassifierMixin, _base.BaseEstimator):  # type: ignore[misc, name-defined]
    """Nearest neighbours by a weighted Euclidean distance with bad weights.

    The squared difference in attribute j counts exp(strength · direction_j) times: not at all differently at a strength
    of 0, and almost nothing but the attribute with the largest direction when it is large.

    Parameters
    ----------
    n_neighbors
        The number of neighbours; ties go to the first class.
    strength
        The strength of the bad weights, 0 or more.
    direction
        One number for each attribute. If left out they are normal random numbers.
    seed
        The seed of these, if left out: they must be the same whenever the learner is fitted.

    Examples
    --------
    >>> X, y = [[0, 0], [1, 9], [2, 0], [3, 9]], [0, 1, 0, 1]
    >>> good, bad = (Weighted(strength=s, direction=(1, 0)).fit(X, y) for s in (0, 20))
    >>> good.predict([[1, 0]]), bad.predict([[1, 0]])
    (array([0]), array([1]))
    """

    def __init__(self, n_neighbors: int = 1, strength: float = 0.0, direction: Any = None, seed: int = 0) -> None:
        self.n_neighbors = n_neighbors
        self.strength = strength
        self.direction = direction
        self.seed = seed

    def fit(self, X: Any, y: Any) -> Weighted:  # noqa: N803
        """Return self, with the weighted examples."""
        whole("n_neighbors", self.n_neighbors)
        examples = np.asarray(X, dtype=float)
        if examples.ndim != 2 or not (np.isfinite(self.strength) and self.strength >= 0):
            raise InvalidOption(
                f"`X` must have a row per example and `strength` must be at least 0, got shape {examples.shape} and"
                f" strength {self.strength!r}."
            )
        attributes = examples.shape[1]
        requested = self.direction
        drawn = np.random.default_rng(self.seed).standard_normal(attributes) if requested is None else requested
        direction: FloatArray = np.asarray(drawn, dtype=float)
        if direction.shape != (attributes,):
            raise InvalidOption(
                f"`direction` must have one number for each of {attributes} attributes, got shape {direction.shape}."
            )
        # The largest weight is 1: a common factor changes no order, and none overflows.
        self.scale_ = (
            np.exp(self.strength * (direction - direction.max()) / 2) if self.strength else np.ones(attributes)
        )
        self.examples_ = examples * self.scale_
        self.squares_ = (self.examples_**2).sum(axis=1)
        self.classes_, self.codes_ = np.unique(np.asarray(y), return_inverse=True)
        return self

    def predict(self, X: Any) -> Any:  # noqa: N803
        """Return the most frequent class among the nearest examples."""
        scaled = np.asarray(X, dtype=float) * self.scale_
        distance = self.squares_ - 2 * (scaled @ self.examples_.T)  # but for the length of who asks
        if self.n_neighbors == 1:
            return self.classes_[self.codes_[distance.argmin(axis=1)]]
        nearest = np.argsort(distance, axis=1, kind="stable")[:, : self.n_neighbors]
        votes = self.codes_[nearest][..., None] == np.arange(self.classes_.size)
        return self.classes_[votes.sum(axis=1).argmax(axis=1)]


def set_to(learner: Any, setting: float) -> Any:
    """Return a copy of a learner with a given flip rate or strength of bad weights.

    Examples
    --------
    >>> set_to(Weighted(n_neighbors=3), 0.5)
    Weighted(n_neighbors=3, strength=0.5)
    """
    name = "strength" if isinstance(learner, Weighted) else "rate"
    return _base.clone(learner).set_params(**{name: float(setting)})
