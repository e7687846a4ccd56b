"""Conversion of two limits to an interval, with its parameter and the range of the parameter."""

from __future__ import annotations

import numpy as np

from ..results import Interval
from ..typing_ import FloatArray, Side

# The parameters of intervals, and their ranges. The odds are those of "only A wrong" among discordant pairs, the
# reduction is the share of A's errors that B avoids (negative if B has more errors), and the ratio is the metric of B
# over that of A.
RANGES = {
    "error": (0.0, 1.0),
    "difference": (-1.0, 1.0),
    "odds": (0.0, np.inf),
    "reduction": (-np.inf, 1.0),
    "ratio": (0.0, np.inf),
}


def as_interval(
    name: str,
    limits: tuple[FloatArray, FloatArray],
    alpha: float,
    side: Side,
    parameter: str = "error",
    ends: tuple[float, float] | None = None,
) -> Interval:
    """Return the limits as an interval; a one-sided one ends where the parameter's range (or `ends`) ends."""
    low, high = limits
    least, most = ends or RANGES[parameter]
    if side == "upper":
        low = np.full_like(high, least)[()]
    elif side == "lower":
        high = np.full_like(low, most)[()]
    return Interval(low=low, high=high, alpha=alpha, side=side, method=name, parameter=parameter)
