"""One fit, wherever it runs: what it needs, and what comes of it."""

from __future__ import annotations

import copy
import random
import re
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..errors import import_extra
from ..typing_ import FloatArray, IntArray
from .fit import Fit
from .learners import fresh, seeds_of
from .plans import Split


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
    config
        What scikit-learn is told by `set_config`, where the race was called.
    """

    learners: Mapping[str, Any]
    random: Mapping[str, tuple[str, ...]]
    X: Any
    y: np.ndarray
    classes: np.ndarray
    splits: tuple[Split, ...]
    root: int
    config: Mapping[str, Any]


def perform(bundle: Bundle, task: Task, *, interruptible: bool = False) -> Fit:
    """Fit and predict; what goes wrong is told, not raised, unless the user may have interrupted it."""
    split = bundle.splits[task.split]
    start = time.perf_counter()
    try:
        with _surroundings(bundle.config):
            learner = _seeded(bundle, task)
            learner.fit(rows(bundle.X, split.train), bundle.y[split.train])
            found = _predicted(learner, rows(bundle.X, split.test), split.test.size, bundle.classes)
    except BaseException as error:  # whatever a learner raises is its own affair
        if interruptible and isinstance(error, KeyboardInterrupt):
            raise
        return failed(task, reason_of(error), time.perf_counter() - start)
    predictions, probabilities, why = found
    return Fit(*task, predictions, probabilities, time.perf_counter() - start, None, why)


@contextmanager
def _surroundings(config: Mapping[str, Any]) -> Iterator[None]:
    """Give every fit the same, wherever it runs, and whatever a fit before it has changed."""
    sklearn, joblib = import_extra("sklearn", "learn"), import_extra("joblib", "learn")
    with (
        np.errstate(all="warn", under="ignore"),  # NumPy's own
        warnings.catch_warnings(),
        sklearn.config_context(**config),
        joblib.parallel_config(backend="sequential"),  # n_jobs of a learner: sums in the same order, no more threads
    ):
        warnings.simplefilter("ignore")
        yield


def in_time(run: Callable[[], Fit], task: Task, timeout: float) -> Fit:
    """Return what `run` returns, or give up after so many seconds: nobody waits for a fit that cannot be ended."""
    found: list[Fit] = []

    def try_it() -> None:
        try:
            found.append(run())
        except BaseException as error:  # else it would look as if time had run out
            found.append(failed(task, reason_of(error)))

    runner = threading.Thread(target=try_it, daemon=True)
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
    """Return some rows of an array, a sparse matrix, a data frame or a list, which the learner may change."""
    if type(data) is np.ndarray:  # the common case, at a fraction of the cost
        some = data[places]
        steady = some.dtype != object or all(isinstance(value, _STEADY) for value in some.flat)
        return some if steady else copy.deepcopy(some)
    # Documented there, if not public: it knows all that scikit-learn takes.
    some = import_extra("sklearn.utils", "learn")._safe_indexing(data, places)  # noqa: SLF001
    return [_copied(row) for row in some] if isinstance(some, list) else some


_STEADY = (str, bytes, int, float, complex, np.generic, type(None))


def _copied(row: Any) -> Any:
    if isinstance(row, _STEADY):
        return row
    if type(row) is list and all(isinstance(value, _STEADY) for value in row):
        return row.copy()
    return copy.deepcopy(row)


_VOTING = {
    "sklearn.ensemble._forest.ExtraTreesClassifier",
    "sklearn.ensemble._forest.RandomForestClassifier",
    "sklearn.neighbors._classification.KNeighborsClassifier",
    "sklearn.tree._classes.DecisionTreeClassifier",
    "sklearn.tree._classes.ExtraTreeClassifier",
}


def _predicted(
    learner: Any, test: Any, size: int, classes: np.ndarray
) -> tuple[IntArray, FloatArray | None, str | None]:
    """Return what the learner predicts, its probabilities if it gives any, and why not if it should have."""
    kind = type(learner)
    if f"{kind.__module__}.{kind.__qualname__}" in _VOTING and getattr(learner, "weights", "uniform") == "uniform":
        # These predict the first of the most probable classes, and would find the same votes a second time.
        votes, why = _probabilities(learner, test, size, classes)
        if votes is not None:
            return votes.argmax(axis=1), votes, why
    labels = learner.predict(test)
    codes = _as_codes(labels, size, classes)
    if (codes < 0).all():
        first = np.ravel(labels)[:1].tolist()[0]  # of numbers every fit would give another: a reason is told once
        found = "numbers, but no label of y" if isinstance(first, float) else f"no label of y, e.g. {first!r}"
        raise ValueError(f"predict returned {found}: is it a regressor?")
    return codes, *_probabilities(learner, test, size, classes)


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


def _probabilities(learner: Any, test: Any, size: int, classes: np.ndarray) -> tuple[FloatArray | None, str | None]:
    """Return the probabilities of the classes in our order; None if the learner gives none, and why if it fails to."""
    try:
        given = np.asarray(learner.predict_proba(test), dtype=float) if hasattr(learner, "predict_proba") else None
        return None if given is None else _in_order(given, learner, size, classes), None
    except (AttributeError, NotImplementedError):  # a wrapper of a learner that has none
        return None, None
    except Exception as error:
        return None, reason_of(error)


def _in_order(given: FloatArray, learner: Any, size: int, classes: np.ndarray) -> FloatArray:
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


_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")


def reason_of(error: BaseException) -> str:
    """Return what went wrong in one line, the same in every process."""
    try:
        said = str(error)
    except Exception:  # its own code runs here
        said = "it does not say why"
    text = " ".join(f"{type(error).__name__}: {said}".split()).removesuffix(":")
    text = _ADDRESS.sub("0x…", text).encode(errors="replace").decode()
    return text if len(text) <= 500 else text[:497] + "..."
