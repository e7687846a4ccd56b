"""A probability, exact by enumeration or estimated from simulated trials."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..evidence import ErrorCount
from ..methods.error_count.exact import clopper_pearson
from ..rendering import html_rows
from ..results import Interval
from ..shaped import Shaped
from ..typing_ import FloatArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Share(Shaped):
    """A probability: exact, or estimated from simulated trials, with Clopper-Pearson 95% limits.

    Parameters
    ----------
    value
        The probability, or the share of the trials.
    trials
        The number of trials; 0 if it is exact, and its limits equal the value.
        NaN if it is undefined, such as the coverage of an undefined true value.

    Examples
    --------
    >>> Share(np.float64(0.031), 1000)
    0.0310 (0.0212 to 0.0437)
    >>> Share(np.float64(0.0248))
    0.0248 (exact)
    """

    value: FloatArray
    trials: int = 0
    _leader = "value"

    @property
    def low(self) -> FloatArray:
        """The lower limit of the two-sided 95% interval."""
        return self.value if not self.trials else self.interval.low

    @property
    def high(self) -> FloatArray:
        """The upper limit of the two-sided 95% interval."""
        return self.value if not self.trials else self.interval.high

    @property
    def interval(self) -> Interval:
        """The Clopper-Pearson interval; for an exact probability, both limits equal it."""
        if self.trials and np.size(self.value):  # power at no difference has no entries
            known = ~np.isnan(self.value)
            count = ErrorCount(np.where(known, np.rint(self.value * self.trials), 0), self.trials)
            limits = clopper_pearson(count).interval()
            low, high = (np.where(known, limit, np.nan)[()] for limit in (limits.low, limits.high))
            return replace(limits, low=low, high=high)
        return Interval(low=self.value, high=self.value, alpha=0.05, method="exact")

    def as_dict(self) -> dict[str, Any]:
        """Return the value and its limits, at full precision."""
        return {"value": self.value, "low": self.low, "high": self.high}

    def _repr_html_(self) -> str:
        return html_rows("Share", [("share", str(self))])

    def __str__(self) -> str:
        known = np.atleast_1d(self.value)[~np.isnan(np.atleast_1d(self.value))]
        if not known.size:
            return "undefined"
        if self.shape:
            return f"{self.value.size} shares from {_format_digits(known.min())} to {_format_digits(known.max())}"
        if not self.trials:
            return f"{_format_digits(float(self.value))} (exact)"
        return (
            f"{_format_digits(float(self.value))} ({_format_digits(float(self.low))} to"
            f" {_format_digits(float(self.high))})"
        )

    def __repr__(self) -> str:
        return str(self)


def _format_digits(value: float) -> str:
    return f"{value:.4f}" if value >= 1e-4 or value == 0 else f"{value:.1e}"
