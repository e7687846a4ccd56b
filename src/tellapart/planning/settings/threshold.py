"""One classifier against a threshold: the exact power of a test of its error rate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...evidence import ErrorCount
from ...numerics.distributions import critical
from ...typing_ import FloatArray, IntArray
from .regions import Claim, region_of
from .setting import formula_size, on_grid, teeth_of_one_count


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """A test of whether an error rate lies above or below a threshold; the difference is error − threshold.

    Examples
    --------
    >>> from tellapart.methods import find_method
    >>> test = find_method("clopper-pearson", "test", ErrorCount)
    >>> claim = Claim(method=test, threshold=0.01, alternative="less")
    >>> Threshold(claim=claim).power([298, 299], -0.01)  # a rate below 1% needs 299 examples without an error
    array([0., 1.])
    """

    claim: Claim
    unit: ClassVar[str] = "examples"
    basis: ClassVar[str] = "exact"

    @property
    def least(self) -> float:
        """The difference under the null hypothesis."""
        return 0.0

    @property
    def most(self) -> float:
        """The largest difference from the threshold in the direction of the alternative."""
        below, above = self.ends
        if self.claim.alternative == "two-sided":
            return max(below, above, key=abs)
        return below if self.claim.alternative == "less" else above

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest possible difference."""
        return -self.claim.threshold, 1 - self.claim.threshold

    def power(self, size: ArrayLike, difference: ArrayLike) -> FloatArray:
        """Return the power; sizes and differences are broadcast."""
        return on_grid(self._power, size, difference)

    def _power(self, sizes: IntArray, differences: FloatArray) -> FloatArray:
        def counts(count: IntArray, index: IntArray) -> ErrorCount:
            return ErrorCount(count, sizes[index])

        region = region_of(self.claim, counts, sizes)
        rates = np.clip(self.claim.threshold + differences, 0.0, 1.0)
        return np.stack([region.chance(np.broadcast_to(rate, sizes.shape)) for rate in rates], axis=-1)

    def teeth(self, size: int) -> int:
        """Return the number of further sizes to check: several steps of the critical number of errors."""
        rarer = min(self.claim.threshold, 1 - self.claim.threshold)
        return max(math.ceil(min(3 / rarer, 10**9)), teeth_of_one_count(size))

    def approximate(self, power: float, difference: float) -> float:
        """Return the normal formula's number of examples, with the variance of each hypothesis."""
        beyond = max(side * difference for *_, side in self.claim.parts)
        if beyond <= 0:
            return math.nan
        null, rate = self.claim.threshold, self.claim.threshold + difference
        z = critical(self.claim.alpha, "two" if self.claim.alternative == "two-sided" else "upper")
        root = z * math.sqrt(null * (1 - null)) + critical(1 - power, "upper") * math.sqrt(max(rate * (1 - rate), 0.0))
        return formula_size(root, beyond)

    def describe(self) -> str:
        """Return the design in words."""
        return f"one model, threshold {100 * self.claim.threshold:.4g}%"
