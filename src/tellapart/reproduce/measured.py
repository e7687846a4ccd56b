"""A simulated number with its standard error."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

SURE = 2.5758  # standard errors of a two-sided 99% level


class Measured(NamedTuple):
    """A number and its standard error, which is 0 if the number is exact.

    Examples
    --------
    >>> more = Measured.mean([3.0, 4.0, 5.0]).less(Measured(1.0))
    >>> more.value, more.description
    (3.0, '+3.000 ± 0.577')
    >>> Measured(0.1, 0.2).description, Measured(-0.1, 0.2).not_negative
    ('+0.100 ± 0.200, not significantly different from 0', True)
    """

    value: float
    error: float = 0.0

    @classmethod
    def mean(cls, values: ArrayLike) -> Measured:
        """Return the mean of one number for each trial."""
        array = np.asarray(values, dtype=float)
        return cls(float(array.mean()), float(array.std(ddof=1) / math.sqrt(array.size)))

    @classmethod
    def share(cls, marks: ArrayLike) -> Measured:
        """Return a share of trials; its error is computed with two more trials of each kind, so that it is never 0."""
        array = np.asarray(marks, dtype=bool)
        near = (array.sum() + 2) / (array.size + 4)
        return cls(float(array.mean()), math.sqrt(near * (1 - near) / (array.size + 4)))

    def less(self, subtrahend: Measured) -> Measured:
        """Return the difference from another, independent number."""
        return Measured(self.value - subtrahend.value, math.hypot(self.error, subtrahend.error))

    @property
    def not_negative(self) -> bool:
        """Whether it is not significantly negative."""
        return self.value > -SURE * self.error

    @property
    def description(self) -> str:
        """The number with its error, and whether it differs significantly from 0."""
        unsure = ", not significantly different from 0" if abs(self.value) < SURE * self.error else ""
        return f"{self.value:+.3f} ± {self.error:.3f}{unsure}"
