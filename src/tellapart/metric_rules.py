"""The formulas of metrics of labels: a ratio of sums of cells, a mean of ratios, and measures of agreement.

Each has a value and slopes (derivatives by the proportion of every cell), for one matrix or many. Sums are of floats,
as products of counts overflow integers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from .typing_ import BoolArray, FloatArray


class Rule(Protocol):
    """A function of the cells [..., label, prediction] that does not change when all of them are multiplied."""

    def value(self, cells: FloatArray) -> FloatArray:
        """Return the value; NaN if it is undefined."""

    def slopes(self, cells: FloatArray) -> FloatArray:
        """Return the derivatives by the proportion of every cell, up to a constant; 0 if it is undefined."""


@dataclass(frozen=True, slots=True, eq=False)
class CellRatio:
    """A ratio of two weighted sums of cells.

    Parameters
    ----------
    hits, trials
        The weight of every cell [label, prediction] in the numerator and in the denominator.
    """

    hits: FloatArray
    trials: FloatArray

    def value(self, cells: FloatArray) -> FloatArray:
        """Return the ratio; NaN if the denominator is 0."""
        upper, lower = _weighted_sums(cells, self.hits), _weighted_sums(cells, self.trials)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(lower > 0, upper / lower, np.nan)[()]

    def slopes(self, cells: FloatArray) -> FloatArray:
        """Return (hits − value·trials) / (proportion of the trials)."""
        value = self.value(cells)
        with np.errstate(invalid="ignore", divide="ignore"):
            share = _weighted_sums(cells, self.trials) / cells.sum(axis=(-2, -1))
            slopes = (self.hits - value[..., None, None] * self.trials) / share[..., None, None]
        return np.where(np.isfinite(value)[..., None, None], slopes, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Average:
    """A mean over the classes of a ratio, times a factor, plus a constant.

    Parameters
    ----------
    shares
        The ratio of each class.
    weighing
        Equal weights for all classes that occur ("all") or for those with examples ("labelled"), or weights by the
        number of labels ("weighted"). An undefined ratio counts as 0, as in scikit-learn.
    times, plus
        The factor and the constant.
    fewest
        The smallest number of classes for which the metric is defined.
    """

    shares: tuple[CellRatio, ...]
    weighing: Literal["all", "labelled", "weighted"]
    times: float = 1.0
    plus: float = 0.0
    fewest: int = 1

    def value(self, cells: FloatArray) -> FloatArray:
        """Return the mean of the classes' ratios."""
        weights = self.weights(cells)
        mean = (self._class_values(cells) * weights).sum(axis=-1)
        return np.where(self._is_defined(weights), self.times * mean + self.plus, np.nan)[()]

    def slopes(self, cells: FloatArray) -> FloatArray:
        """Return the mean of the classes' slopes; weights by label have slopes as well."""
        slopes = np.stack([share.slopes(cells) for share in self.shares], axis=-3)
        weights = self.weights(cells)
        mean: FloatArray = (slopes * weights[..., None, None]).sum(axis=-3)
        if self.weighing == "weighted":
            mean = mean + self._class_values(cells)[..., :, None]
        return np.where(self._is_defined(weights)[..., None, None], self.times * mean, 0.0)

    def weights(self, cells: FloatArray) -> FloatArray:
        """Return the weight of every class, along the last dimension."""
        labels, predictions = cells.sum(axis=-1), cells.sum(axis=-2)
        counts = {"all": labels + predictions > 0, "labelled": labels > 0, "weighted": labels}[self.weighing]
        total = np.maximum(counts.sum(axis=-1, keepdims=True), np.finfo(float).tiny)
        weights: FloatArray = counts / total
        return weights

    def _is_defined(self, weights: FloatArray) -> BoolArray:
        return np.asarray((weights > 0).sum(axis=-1) >= self.fewest)

    def _class_values(self, cells: FloatArray) -> FloatArray:
        return np.nan_to_num(np.stack([share.value(cells) for share in self.shares], axis=-1))


class Matthews:
    """The correlation of label and prediction, for any number of classes (Gorodkin 2004).

    With the proportions t of the labels, s of the predictions and c of right ones: (c − t·s)/√((1 − t·t)(1 − s·s)).
    """

    __slots__ = ()

    def value(self, cells: FloatArray) -> FloatArray:
        """Return the correlation; NaN if label or prediction is constant."""
        shares, labels, predictions = _cell_shares(cells)
        beyond = np.trace(shares, axis1=-2, axis2=-1) - (labels * predictions).sum(axis=-1)
        spread = np.sqrt(_chance_to_differ(labels) * _chance_to_differ(predictions))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(spread > 0, np.clip(beyond / spread, -1.0, 1.0), np.nan)[()]

    def slopes(self, cells: FloatArray) -> FloatArray:
        """Return the derivatives of the correlation."""
        value, (_, labels, predictions) = self.value(cells), _cell_shares(cells)
        left, over = (_chance_to_differ(margin)[..., None, None] for margin in (labels, predictions))
        with np.errstate(invalid="ignore", divide="ignore"):
            upper = np.eye(cells.shape[-1]) - labels[..., None, :] - predictions[..., :, None]
            lower = labels[..., :, None] / left + predictions[..., None, :] / over
            slopes = upper / np.sqrt(left * over) + value[..., None, None] * lower
        return np.where(np.isfinite(value)[..., None, None], slopes, 0.0)


class Kappa:
    """The agreement of label and prediction beyond chance (Cohen 1960): (c − t·s)/(1 − t·s)."""

    __slots__ = ()

    def value(self, cells: FloatArray) -> FloatArray:
        """Return kappa; NaN if the agreement by chance is 1."""
        shares, labels, predictions = _cell_shares(cells)
        wrong, by_chance = 1 - np.trace(shares, axis1=-2, axis2=-1), 1 - (labels * predictions).sum(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(by_chance > 0, 1 - wrong / by_chance, np.nan)[()]

    def slopes(self, cells: FloatArray) -> FloatArray:
        """Return the derivatives of kappa, which give the variance of Fleiss, Cohen and Everitt (1969)."""
        value, (_, labels, predictions) = self.value(cells), _cell_shares(cells)
        by_chance = 1 - (labels * predictions).sum(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            margins = labels[..., None, :] + predictions[..., :, None]
            slopes = (np.eye(cells.shape[-1]) - (1 - value)[..., None, None] * margins) / by_chance[..., None, None]
        return np.where(np.isfinite(value)[..., None, None], slopes, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Smooth:
    """Any smooth function of the cell proportions, with derivatives by complex steps, which are exact to rounding.

    Parameters
    ----------
    function
        From the proportions [..., label, prediction] to the value, by operations that support complex numbers.

    Examples
    --------
    >>> Smooth(lambda shares: np.einsum("...ii->...", shares) ** 2).value(np.array([[50.0, 10.0], [5.0, 35.0]]))
    np.float64(0.7224999999999999)
    """

    function: Callable[[np.ndarray], np.ndarray]

    def value(self, cells: FloatArray) -> FloatArray:
        """Return the value; NaN if it is undefined."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.function(_cell_shares(cells)[0]))[()]

    def slopes(self, cells: FloatArray) -> FloatArray:
        """Return the derivative by the proportion of every cell (Squire and Trapp 1998)."""
        shares, slopes = _cell_shares(cells)[0], np.empty(cells.shape)
        for cell in np.ndindex(cells.shape[-2:]):
            step = np.zeros(cells.shape[-2:], dtype=complex)
            step[cell] = 1e-200j
            with np.errstate(invalid="ignore", divide="ignore"):
                slopes[(..., *cell)] = np.imag(self.function(shares + step)) / 1e-200
        return np.where(np.isfinite(self.value(cells))[..., None, None], slopes, 0.0)


def class_share(name: str, size: int, position: int, beta: float = 1.0) -> CellRatio:
    """Return the formula of a metric of one class against the rest; `beta` is that of F.

    Examples
    --------
    >>> class_share("precision", 2, 1).value(np.array([[50.0, 10.0], [5.0, 35.0]])).round(4)
    np.float64(0.7778)
    """
    label, predictions = np.zeros((size, size)), np.zeros((size, size))
    label[position, :] = predictions[:, position] = 1
    hit = label * predictions
    upper, lower = {
        "precision": (hit, predictions),
        "recall": (hit, label),
        "specificity": ((1 - label) * (1 - predictions), 1 - label),
        "false-positive-rate": (predictions - hit, 1 - label),
        "negative-predictive-value": ((1 - label) * (1 - predictions), 1 - predictions),
        "jaccard": (hit, label + predictions - hit),
        "f": ((1 + beta**2) * hit, beta**2 * label + predictions),  # (1 + β²)TP + β²FN + FP
    }[name]
    return CellRatio(upper, lower)


def _weighted_sums(cells: FloatArray, weights: FloatArray) -> FloatArray:
    sums: FloatArray = np.einsum("...ij,ij->...", cells, weights)
    return sums


def _cell_shares(cells: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the proportion of every cell, of every label and of every prediction."""
    shares = cells / cells.sum(axis=(-2, -1), keepdims=True)
    return shares, shares.sum(axis=-1), shares.sum(axis=-2)


def _chance_to_differ(shares: FloatArray) -> FloatArray:
    """Return the probability that two draws differ, 1 − Σ p²; exactly 0 if there is one kind."""
    return (shares * (1 - shares)).sum(axis=-1) * (shares.max(axis=-1) < 1)  # type: ignore[no-any-return]
