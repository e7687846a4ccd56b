"""Removal of rounding errors near 0, and a unit in which squares neither overflow nor underflow."""

from __future__ import annotations

import numpy as np

from ..typing_ import FloatArray, Numbers

ROUNDING = 64 * np.finfo(float).eps  # rounding error of a difference that is 0, relative to the numbers


def unit(size: Numbers) -> FloatArray:
    """Return the power of two just below a size, an exact divisor; 1 for 0.

    Examples
    --------
    >>> unit(3.0), unit(0.0)
    (np.float64(2.0), np.float64(1.0))
    """
    _, exponent = np.frexp(np.where(np.asarray(size) > 0, size, 1.0))
    power: FloatArray = np.ldexp(1.0, exponent - 1)[()]
    return power


def without_rounding(value: Numbers, size: Numbers) -> FloatArray:
    """Return the value, or 0 if it is within rounding error of numbers of this size.

    Examples
    --------
    >>> without_rounding([0.3 - 0.2 - 0.1, 1e-3], 1.0)
    array([0.   , 0.001])
    """
    return np.where(np.abs(value) <= ROUNDING * np.asarray(size), 0.0, value)[()]
