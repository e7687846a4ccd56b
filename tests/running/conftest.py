"""Small data, fast learners, and learners that fail; they are pickled by value for other processes."""

# ruff: noqa: N803, N806  # X is scikit-learn's name for it

import os
import signal
import sys
import time
import warnings
import zlib
from pathlib import Path
from types import SimpleNamespace

import cloudpickle
import numpy as np
import pytest
import sklearn
import threadpoolctl
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

cloudpickle.register_pickle_by_value(sys.modules[__name__])


class Counting(ClassifierMixin, BaseEstimator):
    """Predict the sign of the second column, and log a line per fit."""

    def __init__(self, log, pause=0.0):
        self.log = log
        self.pause = pause

    def fit(self, X, y):
        with Path(self.log).open("a") as file:
            file.write(f"{os.getpid()} {zlib.crc32(np.ascontiguousarray(X).tobytes())}\n")
        time.sleep(self.pause)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[(np.asarray(X)[:, 1] > 0).astype(int)]


class Drawing:
    """A learner without parameters that draws its predictions from NumPy's global generator."""

    def fit(self, X, y):  # noqa: ARG002
        self.labels = np.unique(y)
        return self

    def predict(self, X):
        return np.random.choice(self.labels, len(X))  # noqa: NPY002  # the very point


class Mute(Exception):
    """An exception without a message."""

    def __str__(self):
        raise ZeroDivisionError


class Misbehaving(BaseEstimator):
    """Fails in a given way on training sets with a given example."""

    def __init__(self, how, log=None, where=0):
        self.how = how
        self.log = log
        self.where = where

    def fit(self, X, y):
        self.wrong = self.where in np.asarray(X)[:, 0]
        self.label = y[0]
        if self.wrong and self.how == "raise":
            raise ValueError("no wish to learn")
        if self.wrong and self.how == "raise once" and not Path(self.log).exists():
            Path(self.log).touch()
            raise ValueError("not today")
        if self.wrong and self.how == "exit":
            sys.exit(3)
        if self.wrong and self.how == "interrupt":
            raise KeyboardInterrupt
        if self.wrong and self.how == "generator exit":
            raise GeneratorExit
        if self.wrong and self.how == "mute":
            raise Mute
        if self.wrong and self.how == "address":
            raise ValueError(f"what is {object()}?")
        if self.wrong and self.how == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.wrong and self.how == "die once" and not Path(self.log).exists():
            Path(self.log).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if self.wrong and self.how == "hang":
            time.sleep(600)
        return self

    def predict(self, X):
        if self.wrong and self.how == "short":
            return np.full(2, self.label)
        if self.wrong and self.how == "nan":
            return np.full(len(X), np.nan)
        if self.wrong and self.how == "none":
            return np.full(len(X), None)
        if self.wrong and self.how == "unheard of":
            return np.full(len(X), 77)
        if self.wrong and self.how == "unheard of once":
            return np.where(np.arange(len(X)) == 0, 77, self.label)
        return np.full(len(X), self.label)

    def predict_proba(self, X):
        if self.wrong and self.how == "no shares":
            raise RuntimeError("not today")
        return np.full((len(X), 2), np.nan if self.wrong and self.how == "nan share" else 0.5)


class Threads(BaseEstimator):
    """Predict the number of threads of its libraries."""

    def fit(self, X, y):  # noqa: ARG002
        self.most = max(pool["num_threads"] for pool in threadpoolctl.threadpool_info())
        return self

    def predict(self, X):
        return np.full(len(X), self.most)


class Careless(ClassifierMixin, BaseEstimator):
    """Change all global state: the examples, settings of NumPy and scikit-learn, and filters of warnings."""

    def fit(self, X, y):
        for row in X:
            row[1] += 1.0
        np.seterr(all="raise")
        sklearn.set_config(transform_output="pandas")
        warnings.simplefilter("error")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class Sensitive(ClassifierMixin, BaseEstimator):
    """Predict the second class if the global state is unchanged."""

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        warnings.warn("nobody shall hear this", stacklevel=1)
        np.log(np.zeros(1))  # raises where somebody said so
        scaled = StandardScaler().fit_transform(np.asarray(X))
        return np.full(len(X), self.classes_[int(type(scaled) is np.ndarray)])


class Haphazard(ClassifierMixin, BaseEstimator):
    """Draw predictions from a distribution of SciPy, with its own generator."""

    def __init__(self, distribution):
        self.distribution = distribution

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[(self.distribution.rvs(len(X)) > 1).astype(int)]


class Pausing(ClassifierMixin, BaseEstimator):
    """Draw predictions from NumPy's global generator after a pause, in which others may draw."""

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        time.sleep(0.01)
        return self

    def predict(self, X):
        return np.random.choice(self.classes_, len(X))  # noqa: NPY002


@pytest.fixture(scope="session")
def data():
    """Return forty examples of two classes; the first column is their number."""
    rng = np.random.default_rng(1998)
    X = np.column_stack([np.arange(40.0), rng.normal(size=(40, 3))])
    return X, (X[:, 1] + rng.normal(size=40) > 0).astype(int)


@pytest.fixture(scope="session")
def learners():
    """Return fast learners, half of them random."""
    return {
        "nb": GaussianNB(),
        "nn": KNeighborsClassifier(3),
        "tree": DecisionTreeClassifier(max_features=1),
        "sgd": make_pipeline(StandardScaler(), SGDClassifier(max_iter=20, tol=None)),
        "drawing": Drawing(),
    }


@pytest.fixture(scope="session")
def odd():
    """Return the module with the learners above."""
    kinds = (Careless, Counting, Drawing, Haphazard, Misbehaving, Pausing, Sensitive, Threads)
    return SimpleNamespace(**{kind.__name__: kind for kind in kinds})


@pytest.fixture(scope="session")
def bits():
    """Return all that makes two races the same, to the last bit."""

    def of(race):
        def raw(array):
            return None if array is None else (array.dtype.str, array.shape, array.tobytes())

        return {
            (fit.learner, fit.split, fit.seed): (
                *(raw(fit.predictions), raw(fit.probabilities)),
                *(fit.failure, fit.no_probabilities),
            )
            for fit in race.fits
        }

    return of
