"""How small a p-value can be that is a share of random draws."""

from __future__ import annotations

import numpy as np

from ..results import Simulated
from ..typing_ import Alternative, FloatArray, IntArray


def of_tails(pvalue: FloatArray, draws: IntArray | int, alternative: Alternative) -> Simulated:
    """Return the floor of (k + 1)/(draws + 1), doubled if two-sided, where k draws lie in the smaller tail.

    Examples
    --------
    >>> of_tails(np.float64(0.5), 999, "two-sided").floor
    np.float64(0.002)
    """
    floor = (2 if alternative == "two-sided" else 1) / (np.asarray(draws) + 1)
    return Simulated.of(pvalue, draws=draws, floor=np.where(np.asarray(draws) > 0, floor, 0.0))  # 0: nothing was drawn
