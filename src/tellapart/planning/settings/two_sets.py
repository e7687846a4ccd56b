"""Two classifiers on a test set each: the exact power of a test that compares two independent error rates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...evidence import ErrorCount, IndependentCounts
from ...lab.models import binomial_probability
from ...numerics.distributions import critical
from ...typing_ import FloatArray, IntArray
from .counts import Spread, spread
from .regions import Claim, region_of
from .setting import formula_size, on_grid

_COUNTS = 600  # most numbers of B's errors; beyond, every k-th represents its neighbours
_FEWER, _HUGE = 200, 10**6  # fewer for test sets of this size, where power is smooth and computation slow
_TEETH, _FINE = 4, 5000  # further sizes that must have the power, too, and the size up to which they are checked


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSets:
    """A test for two classifiers on separate test sets of independent examples.

    For each number of B's errors, the test rejects if A's errors are beyond a border; both are binomial.

    `error` is the error rate of A (`share` 0), of B (1), or the mean of both (½).

    Examples
    --------
    >>> from tellapart.methods import find_method
    >>> claim = Claim(method=find_method("fisher", "test", IndependentCounts))
    >>> TwoSets(claim=claim, error=0.3, share=0.0).power(50, 0.2).round(3)
    np.float64(0.64)
    """

    claim: Claim
    error: float
    share: float = 0.5
    ratio: float = 1.0  # examples of B for each of A
    basis: ClassVar[str] = "exact"

    @property
    def unit(self) -> str:
        """The unit of the size."""
        return "examples of each" if self.ratio == 1 else "examples of A"

    @property
    def least(self) -> float:
        """The difference under the null hypothesis, or the nearest possible one."""
        return float(np.clip(self.claim.parts[0][0], *self.ends))

    @property
    def most(self) -> float:
        """The difference at which one of the error rates is 0 or 1; 0 for equivalence."""
        return 0.0 if self.claim.together else self._end(self.claim.side)

    @property
    def symmetric(self) -> bool:
        """Whether the power is the same for a better A and a better B."""
        return self.share == 0.5 and self.ratio == 1

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest possible difference."""
        return self._end(-1), self._end(1)

    def _end(self, side: int) -> float:
        """Return the largest difference in this direction."""
        room_a, room_b = (1 - self.error, self.error) if side > 0 else (self.error, 1 - self.error)
        far_a = room_a / self.share if self.share else math.inf
        far_b = room_b / (1 - self.share) if self.share < 1 else math.inf
        return side * min(far_a, far_b)

    def rates(self, difference: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return the error rates of A and B."""
        step = np.asarray(difference, dtype=float)
        both = self.error + self.share * step, self.error - (1 - self.share) * step
        return np.clip(both[0], 0.0, 1.0), np.clip(both[1], 0.0, 1.0)

    def size_b(self, size: ArrayLike) -> IntArray:
        """Return the number of examples of B for a number of examples of A."""
        return np.maximum(np.ceil(np.asarray(size) * self.ratio - 1e-9), 1).astype(np.int64)

    def power(self, size: ArrayLike, difference: ArrayLike) -> FloatArray:
        """Return the power; sizes and differences are broadcast."""
        return on_grid(self._power, size, difference)

    def _power(self, sizes: IntArray, differences: FloatArray) -> FloatArray:
        rate_a, rate_b = self.rates(differences)
        spread_b = self._spread_errors(sizes, rate_b)
        if differences.size > 1 and np.any(spread_b.stride > 3 * self._spread_errors(sizes, rate_b[:1]).stride):
            # Very different rates have different counts: a common thinned set would be too coarse.
            return np.concatenate(
                [self._power(sizes, each) for each in np.split(differences, differences.size)], axis=1
            )
        n_a, n_b, errors = sizes[spread_b.index], self.size_b(sizes)[spread_b.index], spread_b.count

        def tables(count: IntArray, index: IntArray) -> IndependentCounts:
            return IndependentCounts(ErrorCount(count, n_a[index]), ErrorCount(errors[index], n_b[index]))

        region = region_of(self.claim, tables, n_a, saws=self.ratio != 1)
        rates = zip(rate_a, rate_b, strict=True)
        powers = [spread_b.total(binomial_probability(errors, n_b, b) * region.chance(a)) for a, b in rates]
        return np.stack(powers, axis=-1)

    def _spread_errors(self, sizes: ArrayLike, rate_b: FloatArray) -> Spread:
        most = _COUNTS if np.max(sizes) <= _HUGE else _FEWER
        return spread(self.size_b(sizes), float(np.min(rate_b)), float(np.max(rate_b)), most=most)

    def thinned(self, size: int, difference: float) -> bool:
        """Return whether the outcomes are thinned out."""
        return bool(self._spread_errors(size, self.rates(difference)[1]).stride[0] > 1)

    def teeth(self, size: int) -> int:
        """Return the number of further sizes to check: few, because both numbers of errors vary."""
        return _TEETH if size <= _FINE else 1

    def approximate(self, power: float, difference: float) -> float:
        """Return the normal formula's number of examples of A, corrected for continuity for Fisher's test.

        Fleiss, Tytun and Ury (1980); with a margin the variance is that of the true rates under both hypotheses.
        """
        claim, ratio = self.claim, self.ratio
        a, b = (float(rate) for rate in self.rates(difference))
        distances = [side * (difference - null) for null, _, side in claim.parts]
        beyond = min(distances) if claim.together else max(distances)  # for equivalence the nearer margin
        if beyond <= 0:
            return math.nan
        two = claim.hypothesis == "different" and claim.alternative == "two-sided"
        z = critical(claim.alpha, "two" if two else "upper")
        missed = (1 - power) / 2 if claim.together and beyond == max(distances) else 1 - power
        pooled = (a + ratio * b) / (1 + ratio)
        under_truth = a * (1 - a) + b * (1 - b) / ratio
        under_null = (1 + 1 / ratio) * pooled * (1 - pooled) if claim.hypothesis == "different" else under_truth
        root = z * math.sqrt(under_null) + critical(missed, "upper") * math.sqrt(under_truth)
        plain = formula_size(root, beyond)
        if not self.corrected or not plain or math.isinf(plain):
            return plain
        return plain / 4 * (1 + math.sqrt(1 + 2 * (ratio + 1) / (plain * ratio * beyond))) ** 2

    @property
    def corrected(self) -> bool:
        """Whether the formula is corrected for continuity: for Fisher's test, which is conservative."""
        return self.claim.method.name == "fisher"

    def describe(self) -> str:
        """Return the design in words."""
        rate = {0.0: "error rate of A", 1.0: "error rate of B"}.get(self.share, "mean error rate")
        sizes = "" if self.ratio == 1 else f", {self.ratio:g} examples of B for each of A"
        return f"two models, one test set each{sizes}, {rate} {100 * self.error:.4g}%"
