"""Limits at no errors and at no successes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...evidence import ErrorCount
from ...typing_ import FloatArray, Numbers
from ..pivots import Tails


def with_open_ends(fitted: Tails, count: ErrorCount) -> Tails:
    """Return the pivot with open ends: where the interval is open, no value is rejected."""

    def tails(null: Any) -> tuple[FloatArray, FloatArray]:
        less, greater = fitted.tails(null)
        return np.where(count.successes == 0, 1.0, less)[()], np.where(count.errors == 0, 1.0, greater)[()]

    return replace(fitted, tails=tails, invert=lambda tail: open_ends(fitted.invert(tail), count.errors, count.trials))


def open_ends(limits: tuple[Numbers, Numbers], errors: Numbers, trials: Numbers) -> tuple[Numbers, Numbers]:
    """Return the limits with 0 below no errors and 1 above no successes, written into arrays of several.

    A lower limit above 0 at no errors would exclude all small error rates; the coverage would fall to 0 with the true
    error rate.
    """
    low, high = limits
    if not getattr(errors, "ndim", 0):  # one count: as below, in a tenth of the time
        return (np.float64(0.0) if errors == 0 else low), (np.float64(1.0) if errors == trials else high)
    low[errors == 0], high[errors == trials] = 0.0, 1.0
    return low, high
