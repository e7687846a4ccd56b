"""What happens at no errors and at nothing but errors."""

from __future__ import annotations

import numpy as np

from ...typing_ import Numbers


def open_ends(limits: tuple[Numbers, Numbers], errors: Numbers, trials: Numbers) -> tuple[Numbers, Numbers]:
    """Return the limits with 0 below no errors and 1 above no successes.

    A lower limit above 0 at no errors says that so small an error is ruled out by never
    having been seen; the coverage then falls to 0 as the true error does.
    """
    low, high = limits
    if not getattr(errors, "ndim", 0):  # one count: as below, in a tenth of the time
        return (np.float64(0.0) if errors == 0 else low), (np.float64(1.0) if errors == trials else high)
    return np.where(np.asarray(errors) == 0, 0.0, low)[()], np.where(np.equal(errors, trials), 1.0, high)[()]
