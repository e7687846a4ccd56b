"""Two classifiers on one test set: the exact power of a paired test, at any number of examples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...evidence import PairedTable
from ...lab.models import binomial_probability
from ...numerics.distributions import critical
from ...typing_ import FloatArray, IntArray
from .counts import Spread, spread
from .regions import Claim, region_of
from .setting import few_at_many, formula_size, on_grid, teeth_of_one_count

_VARIES = 25.0  # variance of the number of discordant pairs beyond which power is almost monotone


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedSetting:
    """A test for two classifiers on the same independent examples, with a given discordant rate.

    The number of discordant pairs is binomial, and so is the number of "only A wrong" among them. The power is a sum
    over both: unconditional, and exact to sixteen digits. (If more than 2000 numbers of discordant pairs have a
    non-negligible probability, every k-th represents its neighbours.)

    Examples
    --------
    >>> from tellapart.methods import find_method
    >>> claim = Claim(method=find_method("mcnemar-exact", "test", PairedTable))
    >>> PairedSetting(claim=claim, disagreement=0.25).power(50, 0.15).round(3)
    np.float64(0.478)
    """

    claim: Claim
    disagreement: float
    unit: ClassVar[str] = "examples"
    basis: ClassVar[str] = "exact"

    @property
    def least(self) -> float:
        """The difference under the null hypothesis, at most the discordant rate."""
        return float(np.clip(self.claim.parts[0][0], -self.disagreement, self.disagreement))

    @property
    def most(self) -> float:
        """The largest difference, which is the discordant rate; 0 for equivalence."""
        return 0.0 if self.claim.together else self.claim.side * self.disagreement

    def power(self, size: ArrayLike, difference: ArrayLike) -> FloatArray:
        """Return the power; sizes and differences are broadcast."""
        return on_grid(self._power, size, difference)

    def _power(self, sizes: IntArray, differences: FloatArray) -> FloatArray:
        discordant = self._spread_counts(sizes)
        discordant_count, n = discordant.count, sizes[discordant.index]

        def tables(count: IntArray, index: IntArray) -> PairedTable:
            return PairedTable(
                np.zeros_like(count), count, discordant_count[index] - count, n[index] - discordant_count[index]
            )

        region = region_of(self.claim, tables, discordant_count)
        weight = binomial_probability(discordant_count, n, self.disagreement)
        # Without discordant pairs the share of A's errors among them is irrelevant.
        shares = (1 + differences / self.disagreement) / 2 if self.disagreement else np.full(differences.shape, 0.5)
        chances = (region.chance(share) for share in np.clip(shares, 0.0, 1.0))
        return np.stack([discordant.total(weight * chance) for chance in chances], axis=-1)

    def _spread_counts(self, sizes: ArrayLike) -> Spread:
        return spread(sizes, self.disagreement, self.disagreement)

    def thinned(self, size: int) -> bool:
        """Return whether the outcomes are thinned out."""
        return bool(self._spread_counts(size).stride[0] > 1)

    def teeth(self, size: int) -> int:
        """Return the number of further sizes to check: few if discordant pairs vary in number; more with a margin."""
        varies = size * self.disagreement * (1 - self.disagreement) > _VARIES
        most = few_at_many(size) if varies else teeth_of_one_count(size)
        return max(most, math.ceil(1 / max(self.claim.margin, 1 / 400)) if self.claim.margin else 0)

    def approximate(self, power: float, difference: float) -> float:
        """Return Connor's (1987) number of examples; with a margin the distance from it replaces the difference."""
        alpha, claim = self.claim.alpha, self.claim
        distances = [side * (difference - null) for null, _, side in claim.parts]
        beyond = min(distances) if claim.together else max(distances)  # for equivalence the nearer margin
        if beyond <= 0:
            return math.nan
        two = claim.hypothesis == "different" and claim.alternative == "two-sided"
        z = critical(alpha, "two" if two else "upper")
        # For equivalence, a difference in the middle may fail at either margin.
        missed = (1 - power) / 2 if claim.together and min(distances) == max(distances) else 1 - power
        spread = np.sqrt(max(self.disagreement - difference**2, 0.0))
        under_null = np.sqrt(self.disagreement) if claim.hypothesis == "different" else spread
        return formula_size(z * under_null + critical(missed, "upper") * spread, beyond)

    def describe(self) -> str:
        """Return the design in words."""
        return f"two models, one test set, {describe_discordance(self.disagreement)}"


def describe_discordance(rate: float) -> str:
    """Return the discordant rate in words.

    Examples
    --------
    >>> describe_discordance(0.06), describe_discordance(0)
    ('discordant rate 6%', 'no discordant pairs')
    """
    return f"discordant rate {100 * rate:.4g}%" if rate else "no discordant pairs"
