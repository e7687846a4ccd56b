"""What comparisons of all pairs by their largest statistic share."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidOption
from ..typing_ import Side

SIDES: dict[str, Side] = {"two-sided": "two", "greater": "lower", "less": "upper"}
DIRECTED: dict[str, Any] = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}


def claims_allowed(alpha: float, resamples: int) -> int:
    """Return how many of the p-values that so many resamples can give are below alpha."""
    allowed = int(np.count_nonzero(np.arange(1, resamples + 2) / (resamples + 1) < alpha))
    if not allowed:
        raise InvalidOption(
            f"resamples must be {np.ceil(1 / alpha):.6g} or more for alpha = {alpha:.6g}, but is {resamples}:"
            " no p-value could be below alpha. Draw more, or write adjust='holm'."
        )
    return allowed
