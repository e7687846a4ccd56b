"""How large losses are, by which one tells what is rounding in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..typing_ import FloatArray


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
        unit: FloatArray = np.ones(())[()]
        return unit
    size: FloatArray = np.nanmax(np.abs(evidence.loss), axis=(-3, -2, -1))  # a learner of fewer seeds ends in NaN
    return size
