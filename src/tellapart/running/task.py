"""One fit, on any engine: its inputs and its result."""

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
    """A fit to run: the learner's name, the index of the split, and the index of the seed."""

    learner: str
    split: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """The common inputs of all fits of an experiment, sent to every worker once.

    Parameters
    ----------
    learners
        By name.
    random
        The parameters of each learner that get a seed.
    X, y
        The examples and their labels.
    classes
        The labels, sorted.
    splits
        Training and test sets.
    root
        The seed that all seeds are derived from.
    config
        scikit-learn's configuration (`get_config`) at the call of `race`.
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
    """Return the fit; errors become its `failure`, except interrupts by the user."""
    split = bundle.splits[task.split]
    start = time.perf_counter()
    try:
        with _fit_environment(bundle.config):
            learner = _seed_learner(bundle, task)
            learner.fit(rows(bundle.X, split.train), bundle.y[split.train])
            outcome = _predict_classes(learner, rows(bundle.X, split.test), split.test.size, bundle.classes)
    except BaseException as error:  # any error of a learner is a failed fit
        if interruptible and isinstance(error, KeyboardInterrupt):
            raise
        return failed(task, reason_of(error), time.perf_counter() - start)
    predictions, probabilities, why = outcome
    return Fit(*task, predictions, probabilities, time.perf_counter() - start, None, why)


@contextmanager
def _fit_environment(config: Mapping[str, Any]) -> Iterator[None]:
    """Set up the same environment for every fit, on any engine."""
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
    """Return the result of `run`, or a failed fit after the timeout; the thread is left running."""
    results: list[Fit] = []

    def try_it() -> None:
        try:
            results.append(run())
        except BaseException as error:  # otherwise it would look like a timeout
            results.append(failed(task, reason_of(error)))

    runner = threading.Thread(target=try_it, daemon=True)
    runner.start()
    runner.join(timeout)
    return results[0] if results else failed(task, f"timed out after {timeout:g} s", timeout)


def failed(task: Task, reason: str, seconds: float = 0.0) -> Fit:
    """Return a failed fit."""
    return Fit(*task, None, None, seconds, reason)


def _seed_learner(bundle: Bundle, task: Task) -> Any:
    """Return an unfitted learner with the seeds of this fit, and seed NumPy and Python."""
    names = bundle.random[task.learner]
    general, *parameter_seeds = seeds_of(bundle.root, *task, count=1 + len(names))
    np.random.seed(general)  # noqa: NPY002  # learners that take no seed draw from here
    random.seed(general)
    learner = fresh(bundle.learners[task.learner])
    if names and hasattr(learner, "set_params"):
        learner.set_params(**dict(zip(names, parameter_seeds, strict=True)))
    elif names:
        learner.random_state = parameter_seeds[0]
    return learner


def rows(data: Any, indices: IntArray) -> Any:
    """Return a copy of some rows of an array, a sparse matrix, a data frame or a list."""
    if type(data) is np.ndarray:  # the common case, at a fraction of the cost
        selected = data[indices]
        steady = selected.dtype != object or all(isinstance(value, _IMMUTABLE) for value in selected.flat)
        return selected if steady else copy.deepcopy(selected)
    # Documented, though not public: it supports all of scikit-learn's input types.
    selected = import_extra("sklearn.utils", "learn")._safe_indexing(data, indices)  # noqa: SLF001
    return [_copy_row(row) for row in selected] if isinstance(selected, list) else selected


_IMMUTABLE = (str, bytes, int, float, complex, np.generic, type(None))


def _copy_row(row: Any) -> Any:
    if isinstance(row, _IMMUTABLE):
        return row
    if type(row) is list and all(isinstance(value, _IMMUTABLE) for value in row):
        return row.copy()
    return copy.deepcopy(row)


_VOTING = {
    "sklearn.ensemble._forest.ExtraTreesClassifier",
    "sklearn.ensemble._forest.RandomForestClassifier",
    "sklearn.neighbors._classification.KNeighborsClassifier",
    "sklearn.tree._classes.DecisionTreeClassifier",
    "sklearn.tree._classes.ExtraTreeClassifier",
}


def _predict_classes(
    learner: Any, test: Any, size: int, classes: np.ndarray
) -> tuple[IntArray, FloatArray | None, str | None]:
    """Return the predicted classes, the probabilities if there are any, and why there are none."""
    kind = type(learner)
    if f"{kind.__module__}.{kind.__qualname__}" in _VOTING and getattr(learner, "weights", "uniform") == "uniform":
        # These predict the first of the most probable classes: the probabilities are computed only once.
        votes, why = _predict_probabilities(learner, test, size, classes)
        if votes is not None:
            return votes.argmax(axis=1), votes, why
    labels = learner.predict(test)
    codes = _as_codes(labels, size, classes)
    if (codes < 0).all():
        first = np.ravel(labels)[:1].tolist()[0]  # numbers would differ between fits, and reasons are counted
        description = "numbers" if isinstance(first, float) else f"labels such as {first!r}"
        raise ValueError(f"predict returned {description}, which y does not have (a regressor?)")
    return codes, *_predict_probabilities(learner, test, size, classes)


def _as_codes(predicted: Any, size: int, classes: np.ndarray) -> IntArray:
    """Return the indices of predicted labels among the classes, or raise ValueError if they are invalid."""
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
        indices = np.minimum(np.searchsorted(classes, labels), classes.size - 1)
        return np.where(classes[indices] == labels, indices, -1).astype(np.int64)
    codes = {label: index for index, label in enumerate(classes.tolist())}
    return np.asarray([codes.get(label, -1) for label in labels.tolist()], dtype=np.int64)


def _predict_probabilities(
    learner: Any, test: Any, size: int, classes: np.ndarray
) -> tuple[FloatArray | None, str | None]:
    """Return the probabilities in the order of the classes; None if there are none, and why if predicting fails."""
    try:
        returned = np.asarray(learner.predict_proba(test), dtype=float) if hasattr(learner, "predict_proba") else None
        return None if returned is None else _order_probabilities(returned, learner, size, classes), None
    except (AttributeError, NotImplementedError):  # a wrapper of a learner that has none
        return None, None
    except Exception as error:
        return None, reason_of(error)


def _order_probabilities(returned: FloatArray, learner: Any, size: int, classes: np.ndarray) -> FloatArray:
    learner_classes = getattr(learner, "classes_", None)
    returned_classes = classes if learner_classes is None else np.asarray(learner_classes)
    if returned.shape != (size, returned_classes.size):
        raise ValueError(
            f"predict_proba returned shape {returned.shape} for {size} examples of {returned_classes.size} classes"
        )
    if np.isnan(returned).any():
        raise ValueError("predict_proba returned NaN")
    if returned_classes.shape == classes.shape and (returned_classes == classes).all():
        return returned
    codes = _as_codes(returned_classes, returned_classes.size, classes)
    ordered = np.zeros((size, classes.size))  # a class that was not in the training set has probability 0
    ordered[:, codes[codes >= 0]] = returned[:, codes >= 0]
    return ordered


_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")


def reason_of(error: BaseException) -> str:
    """Return the error in one line, the same in every process."""
    try:
        message = str(error)
    except Exception:  # its own code runs here
        message = "no message"
    text = " ".join(f"{type(error).__name__}: {message}".split()).removesuffix(":")
    text = _ADDRESS.sub("0x…", text).encode(errors="replace").decode()
    return text if len(text) <= 500 else text[:497] + "..."
