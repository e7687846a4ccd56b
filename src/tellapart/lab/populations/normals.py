"""Populations with a formula: normal classes, and the logistic model."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...typing_ import FloatArray, IntArray, as_generator
from ..design import flag, one_number, one_rate
from ..inducers.classifiers import Cells, Constant, Linear
from .base import Population

_FAR = 9.0  # standard deviations: a normal variable is beyond them once in 10¹⁸
_TINY = 1e-150  # no smaller standard deviation, so that nothing is divided by 0
_RULES = 1_000  # rules that are integrated at once


class _Normals(Population):
    """Two normal classes whose covariance is the unit matrix."""

    __slots__ = ()
    formulas: ClassVar = (Constant, Linear, Cells)

    @property
    @abstractmethod
    def means(self) -> FloatArray:
        """The means of the classes, (2, attributes)."""

    @property
    @abstractmethod
    def shares(self) -> FloatArray:
        """Probability of each class."""

    @property
    def attributes(self) -> int:
        """Number of attributes of an example."""
        return int(self.means.shape[1])

    @property
    def _bayes_rule(self) -> Linear:
        """The Bayes rule."""
        weights = self.means[1] - self.means[0]
        with np.errstate(divide="ignore"):  # a class of probability 0 is never predicted
            odds = np.log(self.shares[1]) - np.log(self.shares[0])
        return Linear(weights, np.asarray(odds - weights @ self.means.sum(axis=0) / 2))

    @property
    def bayes_error(self) -> float:
        """The Bayes error, PE*."""
        return float(self.true_error(self._bayes_rule))

    def draw(self, shape: tuple[int, ...], examples: int, rng: Any) -> tuple[FloatArray, IntArray]:
        """Return `shape` samples, labels and attributes drawn independently."""
        generator = as_generator(rng)
        y = self._draw_classes((*shape, examples), generator)
        X = generator.standard_normal((*shape, examples, self.attributes))  # noqa: N806
        X += self.means[y]  # noqa: N806
        return X, y

    def _draw_classes(self, shape: tuple[int, ...], rng: np.random.Generator) -> IntArray:
        return _draw_labels(shape, self.shares[1], rng)

    def posterior(self, X: ArrayLike) -> FloatArray:  # noqa: N803
        """Return the probability of each class at X (..., attributes)."""
        return _two_sided(self._bayes_rule, X)

    def _exact_error(self, classifier: Any) -> FloatArray:
        match classifier:
            case Linear():
                return self._error_of_planes(classifier)
            case Cells():
                return self._error_of_cells(classifier)
        share: FloatArray = self.shares[np.asarray(classifier.label)]
        return 1 - share

    def _error_of_planes(self, rule: Linear) -> FloatArray:
        """Return the probability of each class beyond a plane, where it is misclassified."""
        from scipy.special import ndtr

        scale = np.linalg.norm(rule.weights, axis=-1)[..., None]
        middle = rule.weights @ self.means.T + np.asarray(rule.offset)[..., None]
        # A rule without weights says the same everywhere, as one does whose plane is infinitely far away.
        constant = np.where(middle > 0, np.inf, -np.inf)
        away = np.where(scale > 0, middle / np.where(scale > 0, scale, 1.0), constant)
        error: FloatArray = self.shares[0] * ndtr(away[..., 0]) + self.shares[1] * ndtr(-away[..., 1])
        return error[()]

    def _error_of_cells(self, cells: Cells) -> FloatArray:
        """Return 1 minus the total probability of the cells' labels.

        A cell's probability is a difference of two distribution functions, so that neighbours of the same label
        cancel: only cuts at which the label changes count.
        """
        from scipy.special import ndtr

        labels = cells.labels.reshape(-1, cells.labels.shape[-1])
        changes = np.flatnonzero(labels[:, 1:] != labels[:, :-1])
        row, cut = np.divmod(changes, max(cells.cuts.shape[-1], 1))  # no cuts: as many neighbours as examples
        at, below, above = cells.cuts.ravel()[changes], labels[row, cut], labels[row, cut + 1]
        centre = self.means[:, cells.column]
        gain = self.shares[below] * ndtr(at - centre[below]) - self.shares[above] * ndtr(at - centre[above])
        right = np.bincount(row, weights=gain, minlength=len(labels)) + self.shares[labels[:, -1]]
        return (1 - right).reshape(cells.shape)[()]


@dataclass(frozen=True, slots=True, repr=False)
class TwoNormals(_Normals):
    """Two equally likely normal classes on one attribute, given by the Bayes error.

    The standard deviations are 1, the means lie symmetrically about 0, 2 Φ⁻¹(1 − inherent error) apart. Labels are
    fair coins, so that the classes of a sample are not of the same size (Martin and Hirschberg 1996, appendix B).

    Examples
    --------
    >>> from tellapart.lab import NearestNeighbours
    >>> population = TwoNormals(0.10)
    >>> round(population.separation, 4), round(population.bayes_error, 12)
    (2.5631, 0.1)
    >>> X, y = population.draw((3,), 20, 0)  # three samples of twenty
    >>> population.true_error(NearestNeighbours(1).fit(X, y)).round(4)
    array([0.1378, 0.1486, 0.1451])
    """

    inherent_error: float

    def __post_init__(self) -> None:
        error = one_rate("inherent_error", self.inherent_error)
        if not 0 < error <= 0.5:
            raise InvalidOption(f"`inherent_error` must be above 0 and at most 0.5, got {error:g}.")
        object.__setattr__(self, "inherent_error", error)

    @property
    def separation(self) -> float:
        """Distance between the means in standard deviations."""
        from scipy.special import ndtri

        return float(-2 * ndtri(self.inherent_error))

    @property
    def means(self) -> FloatArray:
        """The means of the classes, (2, 1)."""
        return np.array([[-0.5], [0.5]]) * self.separation

    @property
    def shares(self) -> FloatArray:
        """Probability of each class: one half."""
        return np.array([0.5, 0.5])

    def describe(self) -> str:
        """Return a description of the population."""
        return f"two normal classes on one attribute, Bayes error {100 * self.inherent_error:.4g}%"


@dataclass(frozen=True, slots=True, repr=False)
class NormalClasses(_Normals):
    """Two normal classes with independent attributes of variance 1.

    Parameters
    ----------
    means_0, means_1
        The means of the classes, one number an attribute.
    share_1
        The probability of class 1.
    fixed
        Whether each sample has exactly that share of class 1 (rounded), in random order; else labels are independent.

    Examples
    --------
    >>> yang = NormalClasses((0.4, 0.3, 0.0), (0.0, 0.0, 0.0), share_1=0.4, fixed=True)  # Yang (2006), section 2.4
    >>> round(yang.bayes_error, 4)
    0.3716
    >>> yang.draw((2,), 100, 0)[1].sum(axis=-1)
    array([40, 40])
    """

    means_0: tuple[float, ...]
    means_1: tuple[float, ...]
    share_1: float = 0.5
    fixed: bool = False

    def __post_init__(self) -> None:
        for name in ("means_0", "means_1"):
            object.__setattr__(self, name, _check_numbers(name, getattr(self, name)))
        if len(self.means_0) != len(self.means_1):
            raise InvalidOption(
                f"`means_0` and `means_1` must be of the same length, got {len(self.means_0)} and {len(self.means_1)}."
            )
        object.__setattr__(self, "share_1", one_rate("share_1", self.share_1))
        object.__setattr__(self, "fixed", flag("fixed", self.fixed))

    @property
    def means(self) -> FloatArray:
        """The means of the classes, (2, attributes)."""
        return np.array([self.means_0, self.means_1])

    @property
    def shares(self) -> FloatArray:
        """Probability of each class."""
        return np.array([1 - self.share_1, self.share_1])

    def _draw_classes(self, shape: tuple[int, ...], rng: np.random.Generator) -> IntArray:
        if not self.fixed:
            return _draw_labels(shape, self.share_1, rng)
        y = np.zeros(shape, dtype=np.int64)
        y[..., : round(self.share_1 * shape[-1])] = 1
        return rng.permuted(y, axis=-1, out=y)

    def describe(self) -> str:
        """Return a description of the population."""
        distance = float(np.linalg.norm(self.means[1] - self.means[0]))
        classes = f"two normal classes at distance {distance:.4g}"
        return f"{classes}, {self.attributes} attributes, {100 * self.share_1:.4g}% of class 1"


@dataclass(frozen=True, slots=True, repr=False)
class LogisticModel(Population):
    """Independent standard normal attributes, and linear log odds of class 1.

    Parameters
    ----------
    intercept, coefficients
        The log odds of class 1 are intercept + coefficients · x.

    Examples
    --------
    >>> yang = LogisticModel(1.0, (0.2, 0.2, 3.0))  # Yang (2006), section 3.3
    >>> round(yang.bayes_error, 4), round(yang.share_1, 4)
    (0.1564, 0.6129)
    """

    intercept: float
    coefficients: tuple[float, ...]
    formulas: ClassVar = (Constant, Linear)

    def __post_init__(self) -> None:
        object.__setattr__(self, "intercept", one_number("intercept", self.intercept))
        object.__setattr__(self, "coefficients", _check_numbers("coefficients", self.coefficients))

    @property
    def attributes(self) -> int:
        """Number of attributes of an example."""
        return len(self.coefficients)

    @property
    def _bayes_rule(self) -> Linear:
        """The Bayes rule."""
        return Linear(np.array(self.coefficients), np.asarray(self.intercept))

    @property
    def bayes_error(self) -> float:
        """The Bayes error, PE*."""
        return float(self.true_error(self._bayes_rule))

    @property
    def share_1(self) -> float:
        """Probability of class 1."""
        return float(self.true_error(Constant(np.asarray(0))))

    def draw(self, shape: tuple[int, ...], examples: int, rng: Any) -> tuple[FloatArray, IntArray]:
        """Return `shape` samples, all examples independent."""
        generator = as_generator(rng)
        X = generator.standard_normal((*shape, examples, self.attributes))  # noqa: N806
        # A logistic variable is above −s with the probability that the log odds s stand for.
        y = self._bayes_rule.score(X) + generator.logistic(size=X.shape[:-1]) > 0
        return X, y.astype(np.int64)

    def posterior(self, X: ArrayLike) -> FloatArray:  # noqa: N803
        """Return the probability of each class at X (..., attributes)."""
        return _two_sided(self._bayes_rule, X)

    def _exact_error(self, classifier: Any) -> FloatArray:
        if isinstance(classifier, Linear):
            return self._error_of_planes(classifier)
        label = np.asarray(classifier.label)
        everywhere = np.where(label > 0, 1.0, -1.0)
        return self._error_of_planes(Linear(np.zeros((*label.shape, self.attributes)), everywhere))

    def _error_of_planes(self, rule: Linear) -> FloatArray:
        """Return the true errors of linear rules, in portions."""
        weights, offset = rule.weights.reshape(-1, self.attributes), np.reshape(rule.offset, -1)
        parts = [
            self._integrate_odds(weights[i : i + _RULES], offset[i : i + _RULES]) for i in range(0, offset.size, _RULES)
        ]
        return np.concatenate(parts).reshape(rule.shape)[()]

    def _integrate_odds(self, weights: FloatArray, offset: FloatArray) -> FloatArray:
        """Return the integral over the log odds s = intercept + length z, given which the rule's score is normal.

        The integrand has at most two steep places, where either score is 0. The range is parted there, and each part
        gets nodes that crowd at its ends, so that any steepness is resolved (to 10⁻¹⁰).
        """
        from scipy.special import expit, ndtr

        truth = np.array(self.coefficients)
        length = float(np.linalg.norm(truth))
        direction = truth / length if length else truth
        along = weights @ direction
        # What is left of the weights across the log odds: as a vector it keeps its digits near 0.
        across = np.maximum(np.linalg.norm(weights - along[:, None] * direction, axis=-1), _TINY)
        places = np.stack(
            np.broadcast_arrays(_boundary_roots(offset, along), _boundary_roots(self.intercept, length)), axis=-1
        )
        ends = np.sort(np.column_stack([np.full(offset.size, -_FAR), places, np.full(offset.size, _FAR)]), axis=-1)
        nodes, density = _quadrature_nodes()
        half = np.diff(ends, axis=-1)[..., None] / 2  # rule by part
        z = ends[:, :-1, None] + half * (1 + nodes)
        says_1 = ndtr((offset[:, None, None] + along[:, None, None] * z) / across[:, None, None])
        is_1 = expit(self.intercept + length * z)
        wrong = is_1 + says_1 * (1 - 2 * is_1)
        error: FloatArray = (wrong * np.exp(-(z**2) / 2) * half * density).sum(axis=(-1, -2)) / math.sqrt(2 * math.pi)
        return error

    def describe(self) -> str:
        """Return a description of the population."""
        slopes = ", ".join(f"{value:.4g}" for value in self.coefficients)
        return f"a logistic model on {self.attributes} normal attributes, log odds {self.intercept:.4g} + ({slopes}) x"


def _boundary_roots(offset: Any, slope: Any) -> FloatArray:
    """Return the root of offset + slope z, within the range of integration."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        roots = np.divide(-offset, slope)
    return np.clip(np.where(np.isnan(roots), _FAR, roots), -_FAR, _FAR)


@cache
def _quadrature_nodes() -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights on [−1, 1] of the double exponential rule (Takahasi and Mori)."""
    t = np.linspace(-3.3, 3.3, 166)
    inner = math.pi / 2 * np.sinh(t)
    return np.tanh(inner), (t[1] - t[0]) * math.pi / 2 * np.cosh(t) / np.cosh(inner) ** 2


def _two_sided(rule: Linear, X: ArrayLike) -> FloatArray:  # noqa: N803
    """Return the probabilities of classes 0 and 1 if the rule's score is the log odds of class 1."""
    from scipy.special import expit

    score = np.asarray(X, dtype=float) @ rule.weights + rule.offset
    return np.stack([expit(-score), expit(score)], axis=-1)


def _draw_labels(shape: tuple[int, ...], share: float, rng: np.random.Generator) -> IntArray:
    """Return independent labels, 1 with a given probability."""
    return (rng.random(shape) < share).astype(np.int64)


def _check_numbers(name: str, values: Any) -> tuple[float, ...]:
    """Return finite numbers; raise InvalidOption otherwise."""
    try:
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        numbers = np.asarray(np.nan)
    if numbers.ndim != 1 or not numbers.size or not np.isfinite(numbers).all():
        raise InvalidOption(f"`{name}` must be finite numbers, one or more, got {values!r}.")
    return tuple(numbers.tolist())
