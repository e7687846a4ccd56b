"""Learners that are trained on many samples in one call.

An `Inducer` is trained on any number of samples at once: `fit(X, y)` with X of shape (..., examples, attributes) and
labels y of shape (..., examples), 0, 1, 2, …, gives one `Classifier` that holds them all.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...rendering import plain
from ...typing_ import BoolArray, FloatArray, IntArray
from ..design import brief, flag, whole
from .classifiers import (
    Cells,
    Classifier,
    Constant,
    Linear,
    Neighbours,
    Scores,
    largest,
)

_RIDGE = 1e-9  # of the variances: what makes a singular covariance regular
_TRACE = 1e-6  # of a penalty: what keeps coefficients finite
_STEPS = 100  # of Newton, at most: some ten do, unless a plane parts the classes


class Inducer(ABC):
    """A learner: it trains one classifier for each sample."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Name for reports."""
        return type(self).__name__

    @abstractmethod
    def fit(self, X: ArrayLike, y: ArrayLike) -> Classifier:  # noqa: N803
        """Return the classifiers trained on X (..., examples, attributes) and y (..., examples), one per sample."""

    def __repr__(self) -> str:
        return brief(self)

    def as_dict(self) -> dict[str, Any]:
        """Return the learner's kind and its options, for JSON."""
        parameters = {field.name: plain(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]
        return {"inducer": type(self).__name__} | parameters


@dataclass(frozen=True, slots=True, repr=False)
class Majority(Inducer):
    """Majority classifier: the most frequent class of the sample, the smallest label among ties.

    Examples
    --------
    >>> Majority().fit(np.zeros((5, 1)), [0, 1, 1, 0, 1]).predict([[0.0]])
    array([1])
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> Constant:  # noqa: N803
        """Return the most frequent class of each sample."""
        _, labels = _check_sample(X, y)
        return Constant(largest(_class_counts(labels)))


@dataclass(frozen=True, slots=True, repr=False)
class NearestNeighbours(Inducer):
    """The k nearest neighbours, by Euclidean distance.

    On one attribute the classifier is a row of `Cells`: the k nearest are always k neighbours in order, and one such
    window gives way to the next halfway between the example that leaves and the one that enters.

    Parameters
    ----------
    k
        How many neighbours vote; all of them in a sample that has fewer. Among equal votes the smallest label wins;
        which of several examples at the same distance are asked is fixed, but means nothing.
    attributes
        The columns that are looked at; all if None.
    weights
        One a column, in the sum of squared differences; bad weights damage the learner (Dietterich 1998).

    Examples
    --------
    >>> NearestNeighbours(1).fit([[1.0], [2.0], [4.0]], [0, 1, 0]).cuts
    array([1.5, 3. ])
    """

    k: int = 1
    attributes: tuple[int, ...] | None = None
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", whole("k", self.k))
        object.__setattr__(self, "attributes", as_columns(self.attributes))
        if self.weights is not None:
            try:
                weights = tuple(float(weight) for weight in self.weights)
            except (TypeError, ValueError):
                weights = (math.nan,)
            if not all(0 <= weight < math.inf for weight in weights):
                raise InvalidOption(f"`weights` must be one number of at least 0 per column, got {self.weights!r}.")
            object.__setattr__(self, "weights", weights)

    @property
    def name(self) -> str:
        """Name for reports."""
        return f"{self.k}-NN"

    def __repr__(self) -> str:
        return brief(self, "k")

    def fit(self, X: ArrayLike, y: ArrayLike) -> Cells | Neighbours:  # noqa: N803
        """Return the rules of each sample; on one attribute, the intervals of constant prediction."""
        known, labels = _check_sample(X, y, self.attributes)
        columns = self.attributes or tuple(range(known.shape[-1]))
        if self.weights is not None and len(self.weights) != len(columns):
            raise InvalidOption(f"`weights` must have one number per column, {len(columns)}, got {len(self.weights)}.")
        if len(columns) > 1:
            return Neighbours(known, labels, self.k, self.attributes, self.weights)
        x, labels = _in_order(known[..., columns[0]], labels)
        k = min(self.k, x.shape[-1])
        return Cells((x[..., :-k] + x[..., k:]) / 2, _window_modes(labels, k), columns[0])


@dataclass(frozen=True, slots=True, repr=False)
class Discriminant(Inducer):
    """Linear discriminant analysis, with the covariance pooled and divided by examples − classes.

    Two classes give a `Linear` classifier, more give `Scores`. A class that is missing from a sample is never
    predicted; a sample of one class gives a constant. Where the pooled covariance is singular, a billionth of each
    variance is added to it: attributes that do not vary within the classes, but between them, then decide.

    Parameters
    ----------
    attributes
        The columns that are looked at; all if None.
    shares
        Whether the shares of the classes in the sample are their priors. If not, the classes weigh alike, and on one
        attribute the threshold is the midpoint of the class means.

    Examples
    --------
    >>> rule = Discriminant(shares=False).fit([[0.0], [1.0], [4.0], [7.0]], [0, 0, 1, 1])
    >>> (-rule.offset / rule.weights[..., 0]).round(12)  # halfway between 0.5 and 5.5
    np.float64(3.0)
    """

    attributes: tuple[int, ...] | None = None
    shares: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "shares", flag("shares", self.shares))
        object.__setattr__(self, "attributes", as_columns(self.attributes))

    @property
    def name(self) -> str:
        """Name for reports."""
        return "discriminant"

    def fit(self, X: ArrayLike, y: ArrayLike) -> Linear | Scores:  # noqa: N803
        """Return the linear rules from the class means and the pooled covariance."""
        known, labels = _check_sample(X, y, self.attributes)
        columns = list(self.attributes or range(known.shape[-1]))
        x = known[..., columns]
        number = _class_counts(labels)
        member = (labels[..., None, :] == np.arange(number.shape[-1])[:, None]).astype(float)
        means = member @ x / np.maximum(number, 1)[..., None]
        away = x - np.swapaxes(member, -1, -2) @ means
        free = np.maximum(x.shape[-2] - np.count_nonzero(number, axis=-1), 1)
        pooled = np.swapaxes(away, -1, -2) @ away / free[..., None, None]
        weights = np.zeros((*number.shape, known.shape[-1]))
        weights[..., columns] = np.swapaxes(_solve_pooled(pooled, np.swapaxes(means, -1, -2)), -1, -2)
        there = np.asarray(number > 0)
        prior = np.log(np.maximum(number, 1) / x.shape[-2]) if self.shares else 0.0
        offsets = prior - (weights[..., columns] * means).sum(axis=-1) / 2
        if number.shape[-1] > 2:  # scores, as one plane does not tell three classes apart
            return Scores(weights, np.where(there, offsets, -np.inf))
        plane, offset = weights[..., 1, :] - weights[..., 0, :], offsets[..., 1] - offsets[..., 0]
        both: BoolArray = np.all(there, axis=-1, keepdims=True)
        only = np.where(there[..., 1], 1.0, -1.0)
        return Linear(np.where(both, plane, 0.0), np.where(both[..., 0], offset, only)[()])


@dataclass(frozen=True, slots=True, repr=False)
class Logistic(Inducer):
    """Logistic regression of two classes by maximum likelihood; label 1 if its probability exceeds one half.

    A trace of a penalty on the coefficients (a millionth, in units of the standard deviations) keeps them finite where
    a plane parts the classes without fail. A sample of one class gives a constant.

    Parameters
    ----------
    attributes
        The columns that are looked at; all if None.

    Examples
    --------
    >>> rule = Logistic().fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    >>> (-rule.offset / rule.weights[..., 0]).round(6)
    np.float64(1.5)
    """

    attributes: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", as_columns(self.attributes))

    @property
    def name(self) -> str:
        """Name for reports."""
        return "logistic"

    def fit(self, X: ArrayLike, y: ArrayLike) -> Linear:  # noqa: N803
        """Return the linear rules of maximum likelihood, by Newton steps for all samples at once."""
        known, labels = _check_sample(X, y, self.attributes)
        if labels.max() > 1:
            raise InvalidOption(
                "`y` must hold two classes, 0 and 1, for Logistic. For more classes use Discriminant()."
            )
        columns = list(self.attributes or range(known.shape[-1]))
        x = known[..., columns]
        centre, spread = x.mean(axis=-2, keepdims=True), x.std(axis=-2, keepdims=True)
        unit = np.where(spread > 0, spread, 1.0)
        z = np.concatenate([np.ones((*labels.shape, 1)), (x - centre) / unit], axis=-1)
        share = labels.mean(axis=-1)
        both = (share > 0) & (share < 1)
        coefficients = _fit_coefficients(z, np.where(both[..., None], labels, 0.5))
        weights = np.zeros((*labels.shape[:-1], known.shape[-1]))
        weights[..., columns] = np.where(both[..., None], coefficients[..., 1:] / unit[..., 0, :], 0.0)
        offset = coefficients[..., 0] - (weights[..., columns] * centre[..., 0, :]).sum(axis=-1)
        return Linear(weights, np.where(both, offset, np.where(share > 0, 1.0, -1.0))[()])


def _fit_coefficients(z: FloatArray, labels: FloatArray) -> FloatArray:
    """Return the coefficients of the largest penalised likelihood; labels of ½ leave them at 0."""
    from scipy.special import expit, log_expit

    weights, reach = np.zeros((*z.shape[:-2], z.shape[-1])), np.ones((*z.shape[:-2], 1))
    flipped, sign = np.swapaxes(z, -1, -2), 2 * labels - 1

    def height(at: FloatArray) -> FloatArray:
        fit = log_expit(sign * (z @ at[..., None])[..., 0]).sum(axis=-1, keepdims=True)
        return np.asarray(fit - _TRACE / 2 * (at**2).sum(axis=-1, keepdims=True))

    reached = height(weights)
    for _ in range(_STEPS):
        chance = expit((z @ weights[..., None])[..., 0])
        slope = (flipped @ (labels - chance)[..., None])[..., 0] - _TRACE * weights
        bend = flipped @ (z * (chance * (1 - chance))[..., None]) + _TRACE * np.eye(z.shape[-1])
        step = np.linalg.solve(bend, slope[..., None])[..., 0]
        if (slope * step).sum(axis=-1).max() < 1e-12:
            break
        there = height(weights + reach * step)
        up = there >= reached  # where the likelihood is flat a step may lead too far, and is taken back
        weights, reached = np.where(up, weights + reach * step, weights), np.where(up, there, reached)
        reach = np.where(up, np.minimum(2 * reach, 1.0), reach / 4)
    return weights


def _solve_pooled(pooled: FloatArray, means: FloatArray) -> FloatArray:
    """Return pooled⁻¹ means in units of the standard deviations, singular matrices made regular."""
    size = pooled.shape[-1]
    spread = np.sqrt(np.diagonal(pooled, axis1=-2, axis2=-1))
    unit = np.where(spread > 0, spread, 1.0)
    matrix = pooled / (unit[..., :, None] * unit[..., None, :])
    singular = np.linalg.det(matrix) < _RIDGE
    matrix = matrix + np.where(singular, _RIDGE, 0.0)[..., None, None] * np.eye(size)
    return np.linalg.solve(matrix, means / unit[..., None]) / unit[..., None]


def _in_order(x: FloatArray, labels: IntArray) -> tuple[FloatArray, IntArray]:
    """Return each sample in the order of x, with its labels.

    The labels travel in the last bits of x, of which there is no need: sorting numbers is several times faster than
    finding the order and looking up twice. Equal values come in the order of their labels, whatever it was before;
    then x must keep its bits, lest an example of that value lies beside them.
    """
    mask = (1 << max(int(labels.max()).bit_length(), 1)) - 1
    packed = np.ascontiguousarray(x).view(np.int64) & ~mask
    packed |= labels
    packed.view(np.float64).sort(axis=-1)
    ordered = (packed & ~mask).view(np.float64)
    if (ordered[..., 1:] == ordered[..., :-1]).any():
        order = np.lexsort((labels, x), axis=-1)
        return np.take_along_axis(x, order, axis=-1), np.take_along_axis(labels, order, axis=-1)
    return ordered, packed & mask


def _window_modes(labels: IntArray, k: int) -> IntArray:
    """Return the most frequent label of every k neighbours in order."""
    if k == 1:
        return labels
    classes = int(labels.max()) + 1
    if classes <= 2:  # the usual case, and the quick one
        return (2 * _window_sums(labels, k) > k).astype(np.int64)
    return largest(np.stack([_window_sums(labels == label, k) for label in range(classes)], axis=-1))


def _window_sums(marks: IntArray | BoolArray, k: int) -> IntArray:
    """Return the sum of every k neighbours in order."""
    windows = marks.shape[-1] - k + 1
    total = marks[..., :windows].astype(np.int64)
    for start in range(1, k):
        total += marks[..., start : start + windows]
    return total


def _class_counts(labels: IntArray) -> IntArray:
    """Return how often each class is in each sample, for at least two classes."""
    classes = max(int(labels.max()) + 1, 2)
    return np.stack([np.count_nonzero(labels == label, axis=-1) for label in range(classes)], axis=-1)


def _check_sample(X: ArrayLike, y: ArrayLike, columns: tuple[int, ...] | None = None) -> tuple[FloatArray, IntArray]:  # noqa: N803
    """Return a sample as arrays; raise InvalidOption if it is not one."""
    try:
        known, labels = np.asarray(X, dtype=float), np.asarray(y)
    except (TypeError, ValueError) as error:
        raise InvalidOption(f"`X` must hold numbers ({error}). Encode other values first.") from None
    if known.ndim < 2 or labels.shape != known.shape[:-1] or not labels.shape[-1]:
        raise InvalidOption(
            f"`X` must have shape (..., examples, attributes) and `y` (..., examples), got {known.shape}"
            f" and {labels.shape}. One attribute: X[..., None]."
        )
    if not np.isfinite(known).all():
        raise InvalidOption("`X` must hold finite numbers. Drop or fill in the missing ones first.")
    if labels.dtype.kind not in "iub" or (labels.size and labels.min() < 0):
        raise InvalidOption("`y` must hold labels 0, 1, 2, …. Use np.unique(y, return_inverse=True)[1].")
    if columns is not None and max(columns) >= known.shape[-1]:
        raise InvalidOption(f"`attributes` must be columns of X, 0 to {known.shape[-1] - 1}, got {max(columns)}.")
    return known, labels.astype(np.int64, copy=False)


def as_inducer(name: str, value: Any) -> Inducer:
    """Return a learner; raise InvalidOption if it is not one."""
    if not isinstance(value, Inducer):
        raise InvalidOption(
            f"`{name}` must be a learner of tellapart.lab, such as Discriminant(), got {value!r}. Estimator(…) makes"
            " one of a scikit-learn estimator."
        )
    return value


def as_columns(value: Any) -> tuple[int, ...] | None:
    """Return the requested columns; raise InvalidOption if they do not exist."""
    if value is None:
        return None
    columns = tuple(whole("attributes", column, 0) for column in np.ravel(value).tolist())
    if not columns or len(set(columns)) < len(columns):
        raise InvalidOption(f"`attributes` must name at least one column, each once, got {value!r}.")
    return columns
