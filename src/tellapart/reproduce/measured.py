"""A number that trials gave, with its standard error, and what it says in words."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

SURE = 2.5758  # standard errors: two numbers are told apart at 99 %


class Measured(NamedTuple):
    """A number and its standard error; 0 where it is exact.

    Examples
    --------
    >>> more = Measured.mean([3.0, 4.0, 5.0]).less(Measured(1.0))
    >>> more.value, more.told
    (3.0, '+3.000 ± 0.577')
    >>> Measured(0.1, 0.2).told, Measured(-0.1, 0.2).not_negative
    ('+0.100 ± 0.200, which so few trials cannot tell from 0', True)
    """

    value: float
    error: float = 0.0

    @classmethod
    def mean(cls, values: ArrayLike) -> Measured:
        """Return the mean of one number a trial."""
        found = np.asarray(values, dtype=float)
        return cls(float(found.mean()), float(found.std(ddof=1) / math.sqrt(found.size)))

    @classmethod
    def share(cls, marks: ArrayLike) -> Measured:
        """Return a share of trials; its error is that of two more on either side, lest it be 0 where all agree."""
        found = np.asarray(marks, dtype=bool)
        near = (found.sum() + 2) / (found.size + 4)
        return cls(float(found.mean()), math.sqrt(near * (1 - near) / (found.size + 4)))

    def less(self, other: Measured) -> Measured:
        """Return by how much this exceeds another that was drawn apart from it."""
        return Measured(self.value - other.value, math.hypot(self.error, other.error))

    @property
    def not_negative(self) -> bool:
        """Whether it may be 0 or more, as far as trials tell."""
        return self.value > -SURE * self.error

    @property
    def told(self) -> str:
        """The number with its error, and whether it can be told from 0."""
        unsure = ", which so few trials cannot tell from 0" if abs(self.value) < SURE * self.error else ""
        return f"{self.value:+.3f} ± {self.error:.3f}{unsure}"
