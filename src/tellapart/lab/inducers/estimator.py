"""Any scikit-learn estimator as a learner for simulations, fitted to one sample at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption, import_extra
from ...typing_ import IntArray
from .batched import Inducer, as_columns
from .classifiers import Classifier


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted(Classifier):
    """Fitted estimators, in an array of objects."""

    each: Any
    attributes: tuple[int, ...] | None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of classifiers."""
        return tuple(self.each.shape)

    def predict(self, X: ArrayLike) -> IntArray:  # noqa: N803
        """Return the predictions of every estimator for its own examples, or for the same ones."""
        inputs = _select_columns(np.asarray(X, dtype=float), self.attributes)
        inputs = np.broadcast_to(inputs, (*self.shape, *inputs.shape[-2:]))
        rows = inputs.reshape(-1, *inputs.shape[-2:])
        predictions = [one.predict(row) for one, row in zip(self.each.ravel(), rows, strict=True)]
        return np.stack(predictions).astype(np.int64).reshape(inputs.shape[:-1])


class _Always:
    """The classifier for samples of one class, which many estimators reject."""

    def __init__(self, label: int) -> None:
        self.label = label

    def predict(self, X: Any) -> IntArray:  # noqa: N803
        return np.full(len(X), self.label)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Estimator(Inducer):
    """A scikit-learn estimator, fitted to one sample at a time.

    It is as slow as its fits are. A `random_state` that was left open is made of the training set itself: the same
    for the same examples, on any machine. A training set of one class gives a classifier that knows no other.

    Parameters
    ----------
    estimator
        A classifier, or a pipeline that ends in one.
    attributes
        The columns it sees; all of them if None.
    called
        The name for reports; by default, the name of its class.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> Estimator(GaussianNB()).fit([[0.0], [0.2], [1.0], [1.2]], [0, 0, 1, 1]).predict([[0.1], [1.1]])
    array([0, 1])
    """

    estimator: Any
    attributes: tuple[int, ...] | None = None
    called: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.estimator, type) or not all(
            hasattr(self.estimator, name) for name in ("fit", "predict", "get_params")
        ):
            raise InvalidOption(
                f"`estimator` must be one of scikit-learn's kind, such as GaussianNB(), got {self.estimator!r}."
            )
        if not isinstance(self.called, str):
            raise InvalidOption(f"`called` must be a name, got {self.called!r}.")
        object.__setattr__(self, "attributes", as_columns(self.attributes))

    @property
    def name(self) -> str:
        """Name for reports."""
        return self.called or type(self.estimator).__name__

    def fit(self, X: ArrayLike, y: ArrayLike) -> Classifier:  # noqa: N803
        """Return a fitted copy for every sample."""
        clone = import_extra("sklearn.base", "learn").clone
        known, labels = _select_columns(np.asarray(X, dtype=float), self.attributes), np.asarray(y)
        settings = self.estimator.get_params().items()
        seeds = [name for name, value in settings if value is None and name.rpartition("__")[2] == "random_state"]
        shape = labels.shape[:-1]
        fitted = np.empty(math.prod(shape), dtype=object)
        rows = zip(known.reshape(-1, *known.shape[-2:]), labels.reshape(-1, labels.shape[-1]), strict=True)
        for index, (examples, of) in enumerate(rows):
            if (of == of[0]).all():
                fitted[index] = _Always(int(of[0]))
                continue
            own = clone(self.estimator).set_params(
                **dict.fromkeys(seeds, crc32(examples.tobytes(), crc32(of.tobytes())))
            )
            fitted[index] = own.fit(examples, of)
        return _Fitted(fitted.reshape(shape), self.attributes)

    def as_dict(self) -> dict[str, Any]:
        """Return the estimator's class and all its settings, for JSON; its repr may omit some."""
        settings = {name: repr(value) for name, value in sorted(self.estimator.get_params().items())}
        parameters = {"estimator": type(self.estimator).__name__, "settings": settings}
        return {"inducer": type(self).__name__} | parameters | {"attributes": self.attributes, "called": self.called}


def _select_columns(X: Any, attributes: tuple[int, ...] | None) -> Any:  # noqa: N803
    return X if attributes is None else X[..., list(attributes)]
