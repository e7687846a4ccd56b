"""The size of losses, which determines their rounding error."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..typing_ import FloatArray


def scale(evidence: Any) -> FloatArray:
    """Return the size of the numbers from which the losses of resamples or training sets were computed.

    A loss between 0 and 1 may be 1 minus a score, and has the rounding error of 1.

    Examples
    --------
    >>> from tellapart.evidence import Resamples
    >>> scale(Resamples.from_scores([0.99, 0.98], plan="2-fold"))
    np.float64(1.0)
    >>> scale(Resamples.from_scores([-0.5, -3.0], plan="2-fold", metric="neg_log_loss"))
    np.float64(3.0)
    """
    if evidence.bounded:
        unit: FloatArray = np.ones(())[()]
        return unit
    size: FloatArray = np.nanmax(np.abs(evidence.loss), axis=(-3, -2, -1))  # NaN pads fewer seeds
    return size
