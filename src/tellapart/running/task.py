"""One fit, wherever it runs: what it needs, and what comes of it."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..errors import import_extra
from ..types import FloatArray, IntArray
from .fit import Fit
from .learners import fresh, seeds_of
from .plans import Split

__all__ = ["Bundle", "Task", "failed", "in_time", "perform", "rows"]


class Task(NamedTuple):
    """Which fit: the learner's name, the place of the split, and which of the seeds."""

    learner: str
    split: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """All that the fits of a race have in common; it goes to every worker once.

    Parameters
    ----------
    learners
        By name.
    random
        The parameters of each learner that take a seed of ours.
    X, y
        The examples and their labels.
    classes
        The labels there are, in order.
    splits
        Training and test sets.
    root
        The seed that all seeds are derived from.
    """

    learners: Mapping[str, Any]
    random: Mapping[str, tuple[str, ...]]
    X: Any
    y: np.ndarray
    classes: np.ndarray
    splits: tuple[Split, ...]
    root: int


def perform(bundle: Bundle, task: Task) -> Fit:
    """Fit and predict; what goes wrong is told, not raised."""
    split = bundle.splits[task.split]
    start = time.perf_counter()
    try:
        learner = _seeded(bundle, task)
        learner.fit(rows(bundle.X, split.train), bundle.y[split.train])
        predictions, probabilities = _predicted(learner, rows(bundle.X, split.test), split.test.size, bundle.classes)
    except (Exception, SystemExit) as error:  # whatever a learner raises is its own affair
        return failed(task, _reason(error), time.perf_counter() - start)
    return Fit(*task, predictions, probabilities, time.perf_counter() - start, None)


def in_time(run: Callable[[], Fit], task: Task, timeout: float) -> Fit:
    """Return what `run` returns, or give up after so many seconds: nobody waits for a fit that cannot be ended."""
    found: list[Fit] = []
    runner = threading.Thread(target=lambda: found.append(run()), daemon=True)
    runner.start()
    runner.join(timeout)
    return found[0] if found else failed(task, f"timed out after {timeout:g} s", timeout)


def failed(task: Task, reason: str, seconds: float = 0.0) -> Fit:
    """Return a fit of which nothing came but the reason."""
    return Fit(*task, None, None, seconds, reason)


def _seeded(bundle: Bundle, task: Task) -> Any:
    """Return an unfitted learner whose randomness, like that of NumPy and Python, begins where this fit's does."""
    names = bundle.random[task.learner]
    general, *own = seeds_of(bundle.root, *task, count=1 + len(names))
    np.random.seed(general)  # noqa: NPY002  # learners that take no seed draw from here
    random.seed(general)
    learner = fresh(bundle.learners[task.learner])
    if names and hasattr(learner, "set_params"):
        learner.set_params(**dict(zip(names, own, strict=True)))
    elif names:
        learner.random_state = own[0]
    return learner


def rows(data: Any, places: IntArray) -> Any:
    """Return some rows of an array, a sparse matrix, a data frame or a list."""
    if type(data) is np.ndarray:  # the common case, at a fraction of the cost
        return data[places]
    # Documented there, if not public: it knows all that scikit-learn takes.
    return import_extra("sklearn.utils", "learn")._safe_indexing(data, places)  # noqa: SLF001


_VOTING = {
    "sklearn.ensemble._forest.ExtraTreesClassifier",
    "sklearn.ensemble._forest.RandomForestClassifier",
    "sklearn.neighbors._classification.KNeighborsClassifier",
    "sklearn.tree._classes.DecisionTreeClassifier",
    "sklearn.tree._classes.ExtraTreeClassifier",
}


def _predicted(learner: Any, test: Any, size: int, classes: np.ndarray) -> tuple[IntArray, FloatArray | None]:
    """Return what the learner predicts, and its probabilities if it gives any."""
    kind = type(learner)
    if f"{kind.__module__}.{kind.__qualname__}" in _VOTING and getattr(learner, "weights", "uniform") == "uniform":
        # These predict the first of the most probable classes, and would find the same votes a second time.
        votes = _probabilities(learner, test, size, classes)
        if votes is not None:
            return votes.argmax(axis=1), votes
    return _as_codes(learner.predict(test), size, classes), _probabilities(learner, test, size, classes)


def _as_codes(predicted: Any, size: int, classes: np.ndarray) -> IntArray:
    """Return the places of predicted labels among the classes, or raise what is wrong with them."""
    labels = np.asarray(predicted)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.shape != (size,):
        raise ValueError(f"predict returned shape {labels.shape} for {size} examples")
    kind = labels.dtype.kind
    missing = np.zeros(0) if kind in "biuUS" else np.asarray([label is None or label != label for label in labels])
    if missing.any():
        raise ValueError(f"predict returned {int(missing.sum())} missing labels (NaN or None) for {size} examples")
    if kind == classes.dtype.kind and kind in "biufU":
        places = np.minimum(np.searchsorted(classes, labels), classes.size - 1)
        return np.where(classes[places] == labels, places, -1).astype(np.int64)
    codes = {label: place for place, label in enumerate(classes.tolist())}
    return np.asarray([codes.get(label, -1) for label in labels.tolist()], dtype=np.int64)


def _probabilities(learner: Any, test: Any, size: int, classes: np.ndarray) -> FloatArray | None:
    """Return the probabilities of the classes in our order, None if the learner gives none."""
    if not hasattr(learner, "predict_proba"):
        return None
    try:
        given = np.asarray(learner.predict_proba(test), dtype=float)
    except (AttributeError, NotImplementedError):  # a wrapper of a learner that has none
        return None
    known = getattr(learner, "classes_", None)
    own = classes if known is None else np.asarray(known)
    if given.shape != (size, own.size):
        raise ValueError(f"predict_proba returned shape {given.shape} for {size} examples of {own.size} classes")
    if np.isnan(given).any():
        raise ValueError("predict_proba returned NaN")
    if own.shape == classes.shape and (own == classes).all():
        return given
    codes = _as_codes(own, own.size, classes)
    held = np.zeros((size, classes.size))  # a class that was not in the training set has no probability
    held[:, codes[codes >= 0]] = given[:, codes >= 0]
    return held


def _reason(error: BaseException) -> str:
    text = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    return text if len(text) <= 500 else text[:497] + "..."
