"""What the exhibits of Yang (2006) share: numbers with their errors in words, slopes, and sums of lone errors."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...types import FloatArray

__all__ = ["Measured", "right_choice", "slope_of", "sum_of_lone_errors"]

_SURE = 2.5758  # standard errors: two numbers are told apart at 99 %


class Measured(NamedTuple):
    """A number and its standard error; 0 where it is exact."""

    value: float
    error: float = 0.0

    @classmethod
    def mean(cls, values: ArrayLike) -> Measured:
        """Return the mean of one number a trial."""
        found = np.asarray(values, dtype=float)
        return cls(float(found.mean()), float(found.std(ddof=1) / math.sqrt(found.size)))

    @classmethod
    def share(cls, marks: ArrayLike) -> Measured:
        """Return a share of trials; its error is that of two more on either side, lest it be 0 where all agree."""
        found = np.asarray(marks, dtype=bool)
        near = (found.sum() + 2) / (found.size + 4)
        return cls(float(found.mean()), math.sqrt(near * (1 - near) / (found.size + 4)))

    def less(self, other: Measured) -> Measured:
        """Return by how much this exceeds another that was drawn apart from it."""
        return Measured(self.value - other.value, math.hypot(self.error, other.error))

    @property
    def not_negative(self) -> bool:
        """Whether it may be 0 or more, as far as trials tell."""
        return self.value > -_SURE * self.error

    @property
    def told(self) -> str:
        """The number with its error, and whether it can be told from 0."""
        unsure = ", which so few trials cannot tell from 0" if abs(self.value) < _SURE * self.error else ""
        return f"{self.value:+.3f} ± {self.error:.3f}{unsure}"


def slope_of(sizes: ArrayLike, values: list[Measured]) -> Measured:
    """Return the exponent b of values that go as size^b, by least squares on logarithms, weighted by their errors.

    Examples
    --------
    >>> slope_of([10, 100], [Measured(0.1, 0.001), Measured(0.01, 0.0001)]).value.__round__(6)
    -1.0
    """
    x, y = np.log(np.asarray(sizes, dtype=float)), np.log([each.value for each in values])
    weight = np.array([(each.value / each.error) ** 2 for each in values])
    away = x - np.average(x, weights=weight)
    below = (weight * away**2).sum()
    return Measured(float((weight * away * y).sum() / below), float(1 / np.sqrt(below)))


def sum_of_lone_errors(only_a: float, only_b: float, n_test: int) -> FloatArray:
    """Return the probabilities of ΣW = −n, …, n, where W is 1 if A alone errs, −1 if B alone does, else 0.

    The characteristic function of one W to the power n, transformed back.

    Examples
    --------
    >>> sum_of_lone_errors(0.5, 0.5, 2).round(12).tolist()
    [0.25, 0.0, 0.5, 0.0, 0.25]
    """
    length = 1 << (2 * n_test).bit_length()  # a power of 2, for speed
    angle = 2 * np.pi * np.arange(length) / length
    one: Any = only_a * np.exp(-1j * angle) + only_b * np.exp(1j * angle) + (1 - only_a - only_b)
    found: FloatArray = np.maximum(np.fft.ifft(one**n_test).real[np.arange(-n_test, n_test + 1)], 0.0)
    return found


def right_choice(difference: float, disagreement: float, n_test: int) -> float:
    """Return how probable it is that the better of two classifiers makes fewer errors, with ties to either by a coin.

    Examples
    --------
    >>> right_choice(0.0, 0.1, 50).__round__(12), right_choice(0.1, 0.1, 50) > 0.99
    (0.5, True)
    """
    only_worse, only_better = (disagreement + difference) / 2, (disagreement - difference) / 2
    chance = sum_of_lone_errors(only_worse, only_better, n_test)
    return float(chance[n_test + 1 :].sum() + chance[n_test] / 2)
