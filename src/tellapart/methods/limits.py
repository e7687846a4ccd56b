"""From two limits to an interval: what it is of, and where its range ends."""

from __future__ import annotations

import numpy as np

from ..results import Interval
from ..typing_ import FloatArray, Side

# What intervals are of, and where that ends. The odds are those of A, when only one of two erred, and
# the reduction is the share of A's errors that B avoids (negative where B makes more of them). The ratio is that of a
# metric of B to that of A.
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
