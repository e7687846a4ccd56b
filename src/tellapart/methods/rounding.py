"""What arithmetic leaves of nothing, and the unit in which squares neither overflow nor vanish."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..typing_ import FloatArray, Numbers

ROUNDING = 64 * np.finfo(float).eps  # what arithmetic on some numbers may leave of nothing, relative to them


def scale(evidence: Any) -> FloatArray:
    """Return how large the numbers are that the losses of resamples or training sets were made of.

    A loss that lies between 0 and 1 may be what a score lacks to 1, and has the rounding of a 1.

    Examples
    --------
    >>> from tellapart.evidence import Resamples
    >>> scale(Resamples.from_scores([0.99, 0.98], plan="2-fold"))
    np.float64(1.0)
    >>> scale(Resamples.from_scores([-0.5, -3.0], plan="2-fold", metric="neg_log_loss"))
    np.float64(3.0)
    """
    if evidence.bounded:
        one: FloatArray = np.ones(())[()]
        return one
    size: FloatArray = np.nanmax(np.abs(evidence.loss), axis=(-3, -2, -1))  # a learner of fewer seeds ends in NaN
    return size


def unit(size: Numbers) -> FloatArray:
    """Return the power of two just below a size, by which anything is divided exactly; 1 for 0.

    Examples
    --------
    >>> unit(3.0), unit(0.0)
    (np.float64(2.0), np.float64(1.0))
    """
    _, exponent = np.frexp(np.where(np.asarray(size) > 0, size, 1.0))
    power: FloatArray = np.ldexp(1.0, exponent - 1)[()]
    return power


def without_rounding(value: Numbers, size: Numbers) -> FloatArray:
    """Return 0 for what is no more than rounding in numbers of this size.

    Examples
    --------
    >>> without_rounding([0.3 - 0.2 - 0.1, 1e-3], 1.0)
    array([0.   , 0.001])
    """
    return np.where(np.abs(value) <= ROUNDING * np.asarray(size), 0.0, value)[()]
