"""What is planned for: a setting knows the power that so many examples have to see such a difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from ...typing_ import FloatArray, IntArray

_WINDOW, _FEWEST = 64, 4  # sizes beyond the first that must have the power, too


class Setting(Protocol):
    """A test, and all that its power hangs on besides the size of the sample and the true difference.

    `power` is vectorised over both.
    """

    @property
    def unit(self) -> str:
        """What the size counts: "examples"."""

    @property
    def least(self) -> float:
        """The difference at which there is nothing to see: power is measured on the far side of it."""

    @property
    def most(self) -> float:
        """The largest difference that is possible here, on that side."""

    def power(self, size: ArrayLike, difference: ArrayLike) -> FloatArray:
        """Return how often the test shows what it is to show."""

    def teeth(self, size: int) -> int:
        """Return over how many sizes beyond this one the power may saw: one example more, and it is less."""

    def approximate(self, power: float, difference: float) -> float:
        """Return how many a textbook's normal formula asks for; NaN if there is none."""

    def describe(self) -> str:
        """Say in words what is planned."""


class Spans(Protocol):
    """An interval, and all that its width hangs on besides the size of the sample."""

    @property
    def unit(self) -> str:
        """What the size counts: "examples"."""

    def width(self, size: ArrayLike) -> FloatArray:
        """Return how wide the interval is to be expected, or at most with the assurance asked for."""

    def approximate(self, width: float) -> float:
        """Return how many a textbook's normal formula asks for; NaN if there is none."""

    def describe(self) -> str:
        """Say in words what is planned."""


def few_at_many(size: int) -> int:
    """Return how many sizes beyond one to look at where several counts vary: of many, teeth are small and looks long.

    Examples
    --------
    >>> few_at_many(100), few_at_many(10**6)
    (64, 4)
    """
    return min(_WINDOW, max(_FEWEST, 2 * 10**5 // size))


def teeth_of_one_count(size: int) -> int:
    """Return how many sizes beyond one to look at where a single count decides: teeth go on for about √size.

    Examples
    --------
    >>> teeth_of_one_count(100), teeth_of_one_count(10**6)
    (64, 2000)
    """
    return max(_WINDOW, 2 * math.isqrt(size))


def formula_size(root: float, distance: float) -> float:
    """Return (root/distance)², the number of examples of a normal formula; infinity where a float cannot hold it.

    Examples
    --------
    >>> formula_size(3.0, 0.5), formula_size(3.0, 5e-324), formula_size(-1.0, 0.5)
    (36.0, inf, 0.0)
    """
    with np.errstate(over="ignore", divide="ignore"):
        return float(np.square(np.float64(max(root, 0.0)) / distance))


def on_grid(power: Callable[[IntArray, FloatArray], FloatArray], size: ArrayLike, difference: ArrayLike) -> FloatArray:
    """Return the power at sizes and differences that are broadcast, each of them looked at once.

    Parameters
    ----------
    power
        Knows the power of every size (a row) at every difference (a column).
    size, difference
        At which it is asked for.

    Examples
    --------
    >>> on_grid(lambda sizes, differences: sizes[:, None] * differences, [1, 2, 1], 0.25)
    array([0.25, 0.5 , 0.25])
    """
    examples, true = np.broadcast_arrays(np.asarray(size, dtype=np.int64), np.asarray(difference, dtype=float))
    sizes, row = np.unique(examples, return_inverse=True)
    differences, column = np.unique(true, return_inverse=True)
    found = np.clip(power(sizes, differences), 0.0, 1.0)
    return found[row.reshape(examples.shape), column.reshape(examples.shape)][()]
