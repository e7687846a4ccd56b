"""Interfaces of settings, which compute power, or width, from size and difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from ...typing_ import FloatArray, IntArray

_WINDOW, _FEWEST = 64, 4  # further sizes that must have the power, too


class Setting(Protocol):
    """A test, with everything that determines its power except sample size and true difference.

    `power` is vectorised over both.
    """

    @property
    def unit(self) -> str:
        """Unit of the size: "examples"."""

    @property
    def basis(self) -> str:
        """How the power is computed: "exact"."""

    @property
    def least(self) -> float:
        """The difference under the null hypothesis: power is measured beyond it."""

    @property
    def most(self) -> float:
        """The largest possible difference, on that side."""

    def power(self, size: ArrayLike, difference: ArrayLike) -> FloatArray:
        """Return the power at each size and difference."""

    def teeth(self, size: int) -> int:
        """Return the number of further sizes to check, as the power may fall with one more example."""

    def approximate(self, power: float, difference: float) -> float:
        """Return the size by a textbook's normal formula; NaN without one."""

    def describe(self) -> str:
        """Return the design in words."""


class Spans(Protocol):
    """An interval, with everything that determines its width except sample size."""

    @property
    def unit(self) -> str:
        """Unit of the size: "examples"."""

    def width(self, size: ArrayLike) -> FloatArray:
        """Return the expected width, or the width that is not exceeded with the assurance."""

    def approximate(self, width: float) -> float:
        """Return the size by a textbook's normal formula; NaN without one."""

    def describe(self) -> str:
        """Return the design in words."""


def few_at_many(size: int) -> int:
    """Return the number of further sizes to check if several counts vary; power is smoother for large sizes.

    Examples
    --------
    >>> few_at_many(100), few_at_many(10**6)
    (64, 4)
    """
    return min(_WINDOW, max(_FEWEST, 2 * 10**5 // size))


def teeth_of_one_count(size: int) -> int:
    """Return the number of further sizes to check if a single count decides: power falls for up to about √size.

    Examples
    --------
    >>> teeth_of_one_count(100), teeth_of_one_count(10**6)
    (64, 2000)
    """
    return max(_WINDOW, 2 * math.isqrt(size))


def formula_size(root: float, distance: float) -> float:
    """Return (root/distance)², the size by a normal formula; infinity if it is too large for a float.

    Examples
    --------
    >>> formula_size(3.0, 0.5), formula_size(3.0, 5e-324), formula_size(-1.0, 0.5)
    (36.0, inf, 0.0)
    """
    with np.errstate(over="ignore", divide="ignore"):
        return float(np.square(np.float64(max(root, 0.0)) / distance))


def on_grid(power: Callable[[IntArray, FloatArray], FloatArray], size: ArrayLike, difference: ArrayLike) -> FloatArray:
    """Return the power at broadcast sizes and differences, each combination computed once.

    Parameters
    ----------
    power
        Returns the power of every size (a row) at every difference (a column).
    size, difference
        Sizes and true differences.

    Examples
    --------
    >>> on_grid(lambda sizes, differences: sizes[:, None] * differences, [1, 2, 1], 0.25)
    array([0.25, 0.5 , 0.25])
    """
    examples, true = np.broadcast_arrays(np.asarray(size, dtype=np.int64), np.asarray(difference, dtype=float))
    sizes, row = np.unique(examples, return_inverse=True)
    differences, column = np.unique(true, return_inverse=True)
    powers = np.clip(power(sizes, differences), 0.0, 1.0)
    return powers[row.reshape(examples.shape), column.reshape(examples.shape)][()]
