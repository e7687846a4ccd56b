"""Trained classifiers, any number of them in one object.

What a classifier looks like (`Cells`, `Linear`, `Constant`) lets a population tell its true error without drawing.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...typing_ import FloatArray, IntArray

_AT_ONCE = 4_000_000  # comparisons of examples that are held in memory together
_COUNTED = 200  # cuts up to which it is quicker to compare with all than to search


class Classifier(ABC):
    """One classifier, or an array of them of a given `shape`."""

    __slots__ = ()

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of classifiers; () is one."""

    @abstractmethod
    def predict(self, X: ArrayLike) -> IntArray:  # noqa: N803
        """Return the labels of X (..., examples, attributes); X without leading dimensions is used for all."""


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Classifier):
    """Classifiers that predict one label for all inputs.

    Examples
    --------
    >>> Constant(np.array([0, 1])).predict([[5.0], [6.0], [7.0]])
    array([[0, 0, 0],
           [1, 1, 1]])
    """

    label: IntArray

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of classifiers."""
        return np.shape(self.label)

    def predict(self, X: ArrayLike) -> IntArray:  # noqa: N803
        """Return the label for each example."""
        label = np.asarray(self.label, dtype=np.int64)[..., None]
        return np.broadcast_to(label, np.broadcast_shapes(label.shape, np.shape(X)[:-1])).copy()


@dataclass(frozen=True, slots=True, eq=False)
class Cells(Classifier):
    """Labels of the intervals between cuts of one attribute; a cut belongs to the interval below it.

    Parameters
    ----------
    cuts
        Sorted, of shape (..., m).
    labels
        One more than there are cuts: (..., m + 1).
    column
        The attribute that is cut.

    Examples
    --------
    >>> Cells(np.array([0.0, 1.0]), np.array([0, 1, 0])).predict([[-0.5], [0.5], [1.0], [1.5]])
    array([0, 1, 1, 0])
    """

    cuts: FloatArray
    labels: IntArray
    column: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of classifiers."""
        return self.labels.shape[:-1]

    def predict(self, X: ArrayLike) -> IntArray:  # noqa: N803
        """Return the label of each example's interval."""
        x = np.asarray(X, dtype=float)[..., self.column]
        batch = np.broadcast_shapes(self.shape, x.shape[:-1])
        cuts = np.broadcast_to(self.cuts, (*batch, self.cuts.shape[-1]))
        labels = np.broadcast_to(self.labels, (*batch, self.labels.shape[-1]))
        x = np.broadcast_to(x, (*batch, x.shape[-1]))
        if cuts.shape[-1] > _COUNTED:
            return np.take_along_axis(labels, _count_cuts_below(cuts, x), axis=-1)
        predicted = np.empty(x.shape, dtype=np.int64)
        for part in _row_slices(x.shape[-1], math.prod(batch) * max(cuts.shape[-1], 1)):
            cell = np.count_nonzero(cuts[..., None, :] < x[..., part, None], axis=-1)
            predicted[..., part] = np.take_along_axis(labels, cell, axis=-1)
        return predicted


@dataclass(frozen=True, slots=True, eq=False)
class Linear(Classifier):
    """Label 1 if weights · x + offset > 0, else label 0.

    Examples
    --------
    >>> Linear(np.array([1.0, -1.0]), np.array(0.0)).predict([[2.0, 1.0], [1.0, 2.0]])
    array([1, 0])
    """

    weights: FloatArray
    offset: FloatArray

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of classifiers."""
        return np.shape(self.offset)

    def score(self, X: ArrayLike) -> FloatArray:  # noqa: N803
        """Return weights · x + offset."""
        score: FloatArray = (np.asarray(X, dtype=float) @ self.weights[..., None])[..., 0]
        return score + np.asarray(self.offset)[..., None]

    def predict(self, X: ArrayLike) -> IntArray:  # noqa: N803
        """Return 1 for examples on the positive side of the plane, else 0."""
        return (self.score(X) > 0).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Scores(Classifier):
    """The label of the largest linear score; the smallest label among ties.

    Examples
    --------
    >>> Scores(np.array([[-1.0], [0.0], [1.0]]), np.array([0.0, 1.0, 0.0])).predict([[-3.0], [0.5], [3.0]])
    array([0, 1, 2])
    """

    weights: FloatArray  # (..., classes, attributes)
    offsets: FloatArray  # (..., classes)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of classifiers."""
        return self.offsets.shape[:-1]

    def predict(self, X: ArrayLike) -> IntArray:  # noqa: N803
        """Return the class of the largest score."""
        scores = np.asarray(X, dtype=float) @ np.swapaxes(self.weights, -1, -2)
        return largest(scores + self.offsets[..., None, :])


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours(Classifier):
    """The most frequent label among the k nearest examples; the smallest label among ties.

    Of examples at the same distance the earlier ones are taken.

    Examples
    --------
    >>> Neighbours(np.array([[0.0, 0.0], [4.0, 4.0]]), np.array([0, 1]), 1).predict([[1.0, 1.0], [3.0, 3.0]])
    array([0, 1])
    """

    X: FloatArray  # (..., examples, attributes)
    y: IntArray  # (..., examples)
    k: int
    columns: tuple[int, ...] | None = None
    weights: tuple[float, ...] | None = None  # of the columns, in the sum of squares

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of classifiers."""
        return self.y.shape[:-1]

    def predict(self, X: ArrayLike) -> IntArray:  # noqa: N803
        """Return the most frequent label among the nearest examples."""
        training, queries = (self._select_columns(np.asarray(part, dtype=float)) for part in (self.X, X))
        batch = np.broadcast_shapes(self.shape, queries.shape[:-2])
        rows = math.prod(batch)
        training = np.broadcast_to(training, (*batch, *training.shape[-2:])).reshape(rows, *training.shape[-2:])
        labels = np.broadcast_to(self.y, (*batch, self.y.shape[-1])).reshape(rows, -1)
        queries = np.broadcast_to(queries, (*batch, *queries.shape[-2:])).reshape(rows, *queries.shape[-2:])
        examples, size = queries.shape[1], training.shape[1]
        predicted = np.empty((rows, examples), dtype=np.int64)
        for some in _row_slices(rows, min(examples * size, _AT_ONCE)):
            for part in _row_slices(examples, size * (some.stop - some.start)):
                predicted[some, part] = self._vote_neighbours(queries[some, part], training[some], labels[some])
        return predicted.reshape(*batch, examples)

    def _select_columns(self, X: FloatArray) -> FloatArray:  # noqa: N803
        seen = X if self.columns is None else X[..., list(self.columns)]
        return seen if self.weights is None else seen * np.sqrt(self.weights)

    def _vote_neighbours(self, queries: FloatArray, known: FloatArray, labels: IntArray) -> IntArray:
        far = np.zeros((queries.shape[0], queries.shape[1], known.shape[1]))
        for column in range(known.shape[-1]):  # differences keep their digits, which products of matrices lose
            far += (queries[:, :, None, column] - known[:, None, :, column]) ** 2
        classes = int(labels.max()) + 1
        votes = np.zeros((*far.shape[:2], classes), dtype=np.int64)
        for _ in range(min(self.k, known.shape[1])):
            nearest = far.argmin(axis=-1)
            chosen = np.take_along_axis(labels, nearest, axis=-1)
            np.put_along_axis(far, nearest[..., None], np.inf, axis=-1)
            votes += chosen[..., None] == np.arange(classes)
        return largest(votes)


def _count_cuts_below(cuts: FloatArray, x: FloatArray) -> IntArray:
    """Return the number of cuts below x in each row, by bisection in all rows at once."""
    low = np.zeros(x.shape, dtype=np.int64)
    high = np.full(x.shape, cuts.shape[-1])
    for _ in range(cuts.shape[-1].bit_length()):
        middle = (low + high) // 2
        above = np.take_along_axis(cuts, np.minimum(middle, cuts.shape[-1] - 1), axis=-1) < x
        above &= low < high
        low, high = np.where(above, middle + 1, low), np.where(above, high, middle)
    return low


def largest(values: ArrayLike) -> IntArray:
    """Return the index of the largest value along the last axis; the first among ties."""
    index: IntArray = np.argmax(values, axis=-1)
    return index


def _row_slices(length: int, each: int) -> list[slice]:
    """Return slices of rows that limit memory."""
    step = max(_AT_ONCE // max(each, 1), 1)
    return [slice(start, min(start + step, length)) for start in range(0, length, step)]
