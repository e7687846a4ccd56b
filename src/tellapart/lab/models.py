"""Models of one error rate: the binomial distribution and its normal approximation.

Mitchell (1997), Tables 5.2 to 5.4; Martin and Hirschberg (1996), eq. 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidOption
from ..evidence import ErrorCount
from ..numerics.distributions import beta_front, critical, tail
from ..typing_ import Numbers, Side


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean and variance of a random variable."""

    mean: float
    variance: float

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return float(np.sqrt(self.variance))


def moments(values: ArrayLike, probabilities: ArrayLike) -> Moments:
    """Return mean and variance of a variable with these values and probabilities.

    Examples
    --------
    >>> round(moments([1, 2], [0.7, 0.3]).mean, 12)
    1.3
    """
    y, p = np.asarray(values, dtype=float).ravel(), np.asarray(probabilities, dtype=float).ravel()
    if not np.all(np.isfinite(y)):
        raise InvalidOption("`values` must be finite numbers.")
    if y.shape != p.shape or not (np.all(p >= 0) and abs(p.sum() - 1) <= 1e-9):  # NaN is none
        raise InvalidOption("`probabilities` must be one number of at least 0 per value that add up to 1.")
    mean = float(p @ y)
    return Moments(mean, float(p @ (y - mean) ** 2))


@dataclass(frozen=True, slots=True)
class BinomialModel:
    """The number of errors in `trials` independent examples, each wrong with probability `error`.

    Exact for a separate test set; for cross-validation a heuristic, exact if the learner does
    not depend on which fold is left out.

    Examples
    --------
    >>> model = BinomialModel(40, 0.3)
    >>> round(model.mean, 6), round(model.variance, 6), round(model.sd_of_rate, 4)
    (12.0, 8.4, 0.0725)
    >>> round(float(BinomialModel(10, 0.1).probability(0)), 4)
    0.3487
    """

    trials: int
    error: float

    def __post_init__(self) -> None:
        if not (isinstance(self.trials, int | np.integer) and self.trials >= 1):
            raise InvalidOption(f"`trials` must be a whole number, at least 1, got {self.trials!r}.")
        if not (isinstance(self.error, int | float | np.number) and 0 <= self.error <= 1):
            raise InvalidOption(f"`error` must be a rate between 0 and 1, got {self.error!r}.")

    def probability(self, errors: ArrayLike) -> Numbers:
        """Return the probability of a number of errors."""
        k = np.asarray(errors)
        possible = (k >= 0) & (k <= self.trials) & (k == np.floor(k))
        return np.where(possible, binomial_probability(np.where(possible, k, 0), self.trials, self.error), 0.0)[()]

    @property
    def mean(self) -> float:
        """The expected number of errors, nτ."""
        return self.trials * self.error

    @property
    def variance(self) -> float:
        """The variance of the number of errors, nτ(1−τ)."""
        return self.trials * self.error * (1 - self.error)

    @property
    def sd_of_rate(self) -> float:
        """The standard deviation of the sample error, √(τ(1−τ)/n)."""
        return float(np.sqrt(self.error * (1 - self.error) / self.trials))

    def bias(self, estimator: Callable[[ErrorCount], ArrayLike]) -> float:
        """Return the bias of an estimator of the error, E[Y] − τ.

        Not to be confused with a learner's inductive bias. The error on the training set is not
        of this model: its examples are not independent of the classifier, and it is biased low.

        Examples
        --------
        >>> abs(BinomialModel(40, 0.3).bias(lambda count: count.rate)) < 1e-12
        True
        """
        errors = np.arange(self.trials + 1)
        values = np.asarray(estimator(ErrorCount(errors, self.trials)), dtype=float)
        return float(self.probability(errors) @ (values - self.error))


def binomial_probability(errors: Numbers, trials: Numbers, error: ArrayLike) -> Numbers:
    """Return P(X = errors) for X ~ Binomial(trials, error), arguments broadcast.

    By the distance from the peak of a Beta density: logarithms of factorials would cost ten digits at a million trials.

    Examples
    --------
    >>> (1024 * binomial_probability([2, 3], 10, 0.5)).round(9)
    array([ 45., 120.])
    """
    k, n, p = (np.asarray(part, dtype=float) for part in (errors, trials, error))
    inside = (p > 0) & (p < 1)
    x = np.where(inside, p, 0.5)
    with np.errstate(under="ignore"):  # far out there is nothing
        probability = beta_front(k + 1, n - k + 1, x) / ((n + 1) * x * (1 - x))
    return np.where(inside, probability, np.where(p >= 1, k == n, k == 0))[()]


@dataclass(frozen=True, slots=True)
class NormalModel:
    """Normal distribution.

    Examples
    --------
    >>> round(NormalModel(0, 1).probability(-1.96, 1.96), 4)
    0.95
    >>> low, high = NormalModel(0, 1).interval(alpha=0.2)
    >>> round(high, 2)
    1.28
    """

    mean: float
    sd: float

    def __post_init__(self) -> None:
        for name, value in (("mean", self.mean), ("sd", self.sd)):
            if not (isinstance(value, int | float | np.number) and np.isfinite(value)):
                raise InvalidOption(f"`{name}` must be a finite number, got {value!r}.")
        if not self.sd > 0:
            raise InvalidOption(f"`sd` must be above 0, got {self.sd!r}.")

    def density(self, value: ArrayLike) -> Numbers:
        """Return the density at a value."""
        z = (np.asarray(value, dtype=float) - self.mean) / self.sd
        return np.exp(-z * z / 2) / (self.sd * np.sqrt(2 * np.pi))

    def probability(self, low: float, high: float) -> float:
        """Return the probability of the interval between two values."""
        from scipy.special import ndtr

        a, b = (low - self.mean) / self.sd, (high - self.mean) / self.sd
        return float(ndtr(b) - ndtr(a)) if a < 0 else float(ndtr(-a) - ndtr(-b))

    def interval(self, *, alpha: float = 0.05, side: Side = "two") -> tuple[float, float]:
        """Return μ ± zσ (Mitchell's 5.10), or one-sided bounds.

        The end of a two-sided interval of level 1 − α is a one-sided bound of level 1 − α/2.
        """
        tail(alpha, side)
        reach = critical(alpha, side) * self.sd
        low, high = self.mean - reach, self.mean + reach
        return (-np.inf if side == "upper" else low), (np.inf if side == "lower" else high)
