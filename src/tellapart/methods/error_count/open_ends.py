"""What happens at no errors and at nothing but errors."""

from __future__ import annotations

import numpy as np

from ...evidence import ErrorCount
from ...typing_ import FloatArray, Numbers


def open_ends(limits: tuple[Numbers, Numbers], errors: Numbers, trials: Numbers) -> tuple[Numbers, Numbers]:
    """Return the limits with 0 below no errors and 1 above no successes.

    A lower limit above 0 at no errors says that so small an error is ruled out by never
    having been seen; the coverage then falls to 0 as the true error does.
    """
    low, high = limits
    if not getattr(errors, "ndim", 0):  # one count: as below, in a tenth of the time
        return (np.float64(0.0) if errors == 0 else low), (np.float64(1.0) if errors == trials else high)
    return np.where(np.asarray(errors) == 0, 0.0, low)[()], np.where(np.equal(errors, trials), 1.0, high)[()]


def open_tails(tails: tuple[Numbers, Numbers], count: ErrorCount) -> tuple[FloatArray, FloatArray]:
    """Return the p-values of "less" and of "greater" with 1 where the interval is open: no value is rejected there."""
    less, greater = tails
    return np.where(count.successes == 0, 1.0, less)[()], np.where(count.errors == 0, 1.0, greater)[()]
