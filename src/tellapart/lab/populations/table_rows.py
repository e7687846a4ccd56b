"""A data set as a population."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...typing_ import FloatArray, IntArray, as_generator
from .base import Population


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rows(Population):
    """A data set as a population: examples are rows drawn with replacement.

    What is found here is true of these rows. That it is true of the domain they came from is a further claim, and
    contingent: it assumes that the data set is large and was drawn at random from that domain (Martin and
    Hirschberg 1996).

    Parameters
    ----------
    X
        One row an example, numbers.
    y
        The classes, labels of any kind; they are numbered in sorted order, see `labels`.

    Examples
    --------
    >>> rows = Rows([[1.0], [1.0], [2.0], [3.0]], ["yes", "no", "no", "no"])
    >>> rows.labels, rows.bayes_error  # two rows look alike and differ in class
    (('no', 'yes'), 0.25)
    """

    X: FloatArray
    y: IntArray
    labels: tuple[Any, ...] = field(init=False)
    _chances: dict[bytes, FloatArray] = field(init=False)

    def __post_init__(self) -> None:
        X, y = _copy_rows(self.X), np.asarray(self.y)  # noqa: N806
        if X.ndim != 2 or y.shape != X.shape[:1] or not X.size or not np.isfinite(X).all():
            raise InvalidOption(
                f"`X` must be rows of finite numbers and `y` one class per row, got shapes {X.shape} and {y.shape}."
            )
        names, code = np.unique(y, return_inverse=True)
        X += 0.0  # noqa: N806  # −0 looks like 0
        X.setflags(write=False)
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", code.astype(np.int64))
        object.__setattr__(self, "labels", tuple(names.tolist()))
        alike, which = np.unique(X, axis=0, return_inverse=True)
        counts = np.zeros((len(alike), len(names)))
        np.add.at(counts, (which.ravel(), code), 1.0)
        chances = counts / counts.sum(axis=1, keepdims=True)
        object.__setattr__(self, "_chances", {row.tobytes(): part for row, part in zip(alike, chances, strict=True)})

    @property
    def attributes(self) -> int:
        """Number of attributes of an example."""
        return int(self.X.shape[1])

    @property
    def classes(self) -> int:
        """Number of classes."""
        return len(self.labels)

    @property
    def points(self) -> int:
        """Number of inputs over which true errors are summed: all rows."""
        return len(self.y)

    @property
    def bayes_error(self) -> float:
        """The Bayes error: the error if equal rows get their most frequent class."""
        return float(np.mean(self.bayes_rule(self.X) != self.y))

    def draw(self, shape: tuple[int, ...], examples: int, rng: Any) -> tuple[FloatArray, IntArray]:
        """Return `shape` samples of rows, with replacement."""
        chosen = as_generator(rng).integers(len(self.y), size=(*shape, examples))
        return self.X[chosen], self.y[chosen]

    def posterior(self, X: ArrayLike) -> FloatArray:  # noqa: N803
        """Return the class frequencies of the rows equal to X, which must be in the data set."""
        queries = np.asarray(X, dtype=float) + 0.0
        try:
            probabilities = [self._chances[row.tobytes()] for row in queries.reshape(-1, self.attributes)]
        except KeyError:
            raise InvalidOption("`X` must hold rows of the data set: the class of other rows is unknown.") from None
        return np.array(probabilities).reshape(*queries.shape[:-1], self.classes)

    def _exact_error(self, classifier: Any) -> FloatArray:
        """Return the error over all rows."""
        wrong = np.asarray(classifier.predict(self.X)) != self.y
        return np.asarray(wrong.mean(axis=-1))[()]

    def __repr__(self) -> str:
        return f"Rows({len(self.y)} rows, {self.attributes} attributes, labels={self.labels!r})"

    def how(self, classifier: Any) -> str:  # noqa: ARG002
        """Return how true errors are computed: over all rows, for any classifier."""
        return "exact"

    def describe(self) -> str:
        """Return a description of the population."""
        return f"{len(self.y)} rows as the population, {self.attributes} attributes, {self.classes} classes"

    def as_dict(self) -> dict[str, Any]:
        """Return the size and a fingerprint of the rows."""
        print_ = hashlib.sha256(self.X.tobytes() + self.y.tobytes()).hexdigest()[:16]
        sizes = {"rows": len(self.y), "attributes": self.attributes, "classes": self.classes}
        return {"population": "Rows"} | sizes | {"fingerprint": print_}


def _copy_rows(X: Any) -> FloatArray:  # noqa: N803
    """Return a read-only copy."""
    try:
        return np.array(X, dtype=float)
    except (TypeError, ValueError) as error:
        raise InvalidOption(f"`X` must be rows of numbers ({error}). Encode other values first.") from None
