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

_VARIES = 25.0  # the variance of the number of disagreements beyond which their teeth have worn each other off


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """A test for two classifiers that meet the same independent examples, and disagree on a share of them.

    The number of disagreements is binomial, and among these so is the number on which only A is wrong: the power is a
    sum over both, unconditional and exact but for what lies beyond sixteen digits. (Where more than 2000 numbers of
    disagreements have any probability, every so many-th stands for its neighbours.)

    Examples
    --------
    >>> from tellapart.methods import find_method
    >>> claim = Claim(method=find_method("mcnemar-exact", "test", PairedTable))
    >>> Pairs(claim=claim, disagreement=0.25).power(50, 0.15).round(3)
    np.float64(0.478)
    """

    claim: Claim
    disagreement: float
    unit: ClassVar[str] = "examples"
    basis: ClassVar[str] = "exact"

    @property
    def least(self) -> float:
        """The difference under the null hypothesis; none is larger than the disagreement."""
        return float(np.clip(self.claim.parts[0][0], -self.disagreement, self.disagreement))

    @property
    def most(self) -> float:
        """Errors differ by the disagreement at most; to be found equivalent, the two may be equal at best."""
        return 0.0 if self.claim.together else self.claim.side * self.disagreement

    def power(self, size: ArrayLike, difference: ArrayLike) -> FloatArray:
        """Return how often the test shows what it is to show; sizes and differences are broadcast."""
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
        # Where nobody disagrees, it does not matter who would be wrong.
        shares = (1 + differences / self.disagreement) / 2 if self.disagreement else np.full(differences.shape, 0.5)
        chances = (region.chance(share) for share in np.clip(shares, 0.0, 1.0))
        return np.stack([discordant.total(weight * chance) for chance in chances], axis=-1)

    def _spread_counts(self, sizes: ArrayLike) -> Spread:
        return spread(sizes, self.disagreement, self.disagreement)

    def thinned(self, size: int) -> bool:
        """Whether of so many outcomes only every so many-th is looked at."""
        return bool(self._spread_counts(size).stride[0] > 1)

    def teeth(self, size: int) -> int:
        """Return how far the power saws: hardly, if disagreements vary; with a margin, by what that makes."""
        varies = size * self.disagreement * (1 - self.disagreement) > _VARIES
        most = few_at_many(size) if varies else teeth_of_one_count(size)
        return max(most, math.ceil(1 / max(self.claim.margin, 1 / 400)) if self.claim.margin else 0)

    def approximate(self, power: float, difference: float) -> float:
        """Return Connor's (1987) number of examples; with a margin the distance to it takes the difference's place."""
        alpha, claim = self.claim.alpha, self.claim
        distances = [side * (difference - null) for null, _, side in claim.parts]
        beyond = min(distances) if claim.together else max(distances)  # the nearer border, or the side that it is on
        if beyond <= 0:
            return math.nan
        two = claim.hypothesis == "different" and claim.alternative == "two-sided"
        z = critical(alpha, "two" if two else "upper")
        # To be found equivalent, a difference in the middle must miss neither border.
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
