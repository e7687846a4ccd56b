"""The power of tests of a mean difference over splits, training sets, data sets or graded examples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...numerics.distributions import binomial_quantile, critical, probability_at_least, probability_at_most, tail
from ...numerics.student_t import student_critical
from ...typing_ import Alternative, FloatArray
from .noncentral_t import both_beyond, t_beyond
from .regions import Claim
from .setting import formula_size, teeth_of_one_count

_WIDE = 1000.0  # largest difference, in standard deviations, for scores without a range


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """Student's t test of the mean difference, with a correction for overlapping training sets (Nadeau & Bengio 2003).

    The size is the number of replicates with `folds` differences each, J differences in total. Their mean has the
    variance sd²(1/J + ratio), and t has J − 1 degrees of freedom; without overlap the ratio is 0.

    Examples
    --------
    >>> from tellapart.evidence import Resamples
    >>> from tellapart.methods import find_method
    >>> claim = Claim(method=find_method("corrected-resampled-t", "test", Resamples))
    >>> Means(claim=claim, sd=0.03, unit="replicates", about="", folds=10, ratio=1 / 9).power(10, 0.03).round(3)
    np.float64(0.812)
    """

    claim: Claim
    sd: float
    unit: str
    about: str
    folds: int = 1
    ratio: float = 0.0  # the size of a test set over that of a training set
    bounded: bool = True  # differences of rates are at most 1
    basis: ClassVar[str] = "noncentral t, assuming normal differences"

    @property
    def smallest(self) -> int:
        """The smallest size with two differences, which a standard deviation needs."""
        return 1 if self.folds > 1 else 2

    @property
    def least(self) -> float:
        """The difference under the null hypothesis."""
        return self.claim.parts[0][0]

    @property
    def most(self) -> float:
        """The largest difference in the direction of the alternative; 0 for equivalence."""
        if self.claim.together:
            return 0.0
        return self.claim.parts[0][2] * (1.0 if self.bounded else self.claim.margin + _WIDE * self.sd)

    def power(self, size: ArrayLike, difference: ArrayLike) -> FloatArray:
        """Return the power for normal differences."""
        claim = self.claim
        true = np.asarray(difference, dtype=float)
        runs = np.asarray(size, dtype=float) * self.folds
        enough = runs >= 2
        freedom = np.where(enough, runs, 2.0) - 1
        error = self.sd * np.sqrt(1 / (freedom + 1) + self.ratio)
        two = claim.hypothesis == "different" and claim.alternative == "two-sided"
        limit = student_critical(freedom, tail(claim.alpha, "two" if two else "upper"))
        shifts = [side * (true - null) / error for null, _, side in claim.parts]
        if claim.together:
            power_sum = both_beyond(limit, freedom, *shifts)
        else:
            power_sum = sum((t_beyond(limit, freedom, shift) for shift in shifts), start=np.zeros(()))
        return np.where(enough, np.minimum(power_sum, 1.0), 0.0)[()]

    def teeth(self, size: int) -> int:  # noqa: ARG002  # as every setting has it
        """Return the number of further sizes to check: one, because power is monotone."""
        return 1

    def approximate(self, power: float, difference: float) -> float:
        """Return the size by the normal formula; infinity if the variance due to overlap is too large."""
        claim = self.claim
        distances = [side * (difference - null) for null, _, side in claim.parts]
        beyond = min(distances) if claim.together else max(distances)  # for equivalence the nearer margin
        if beyond <= 0:
            return math.nan
        # For equivalence, a difference in the middle may fail at either margin.
        missed = (1 - power) / 2 if claim.together and distances[0] == distances[1] else 1 - power
        two = claim.hypothesis == "different" and claim.alternative == "two-sided"
        z = critical(claim.alpha, "two" if two else "upper") + critical(missed, "upper")
        room = formula_size(beyond, self.sd * z) - self.ratio if z > 0 else math.inf
        return 1 / (room * self.folds) if room > 0 else math.inf

    def describe(self) -> str:
        """Return the design in words."""
        return self.about


@dataclass(frozen=True, slots=True, kw_only=True)
class Wins:
    """The sign test of the number of data sets on which B wins: exact; ties count for neither.

    The difference is P(B wins) − P(A wins); with `sd` it is the mean of normal differences, and B wins a data set if
    its difference is positive.

    Examples
    --------
    >>> Wins(about="").power(30, 0.4).round(3)
    np.float64(0.589)
    """

    about: str
    sd: float = math.nan
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    unit: str = "data sets"
    bounded: bool = True  # differences of rates are at most 1

    @property
    def basis(self) -> str:
        """How the power is computed."""
        return "exact" if math.isnan(self.sd) else "exact for normal differences without ties"

    @property
    def least(self) -> float:
        """The difference under the null hypothesis."""
        return 0.0

    @property
    def most(self) -> float:
        """The largest difference in the direction of the alternative."""
        return _farthest(self.alternative, self.sd, self.bounded)

    def power(self, size: ArrayLike, difference: ArrayLike) -> FloatArray:
        """Return the power."""
        sets = np.asarray(size, dtype=np.int64)
        wins = self._wins(np.asarray(difference, dtype=float))
        spent = tail(self.alpha, "two" if self.alternative == "two-sided" else "upper")
        # As in `compare`, it rejects if the p-value is below alpha, not if they are equal.
        losses = np.asarray(binomial_quantile(spent, sets, 0.5))  # the smallest number with P(X ≤ losses) ≥ spent
        few = losses - 1
        power_sum = np.zeros(np.broadcast_shapes(sets.shape, wins.shape))
        if self.alternative != "less":
            power_sum = power_sum + probability_at_least(sets - few, sets, wins)
        if self.alternative != "greater":
            power_sum = power_sum + probability_at_most(few, sets, wins)
        return np.minimum(power_sum, 1.0)[()]

    def _wins(self, difference: FloatArray) -> FloatArray:
        from scipy.special import ndtr

        return (1 + difference) / 2 if math.isnan(self.sd) else np.asarray(ndtr(difference / self.sd))

    def teeth(self, size: int) -> int:
        """Return the number of further sizes to check."""
        return teeth_of_one_count(size)

    def approximate(self, power: float, difference: float) -> float:
        """Return Noether's (1987) number: (z + z)²/(4(wins − ½)²)."""
        ahead = _on_its_side(float(self._wins(np.asarray(difference))) - 0.5, self.alternative)
        return formula_size(_both_quantiles(self.alpha, self.alternative, power), 2 * ahead) if ahead > 0 else math.nan

    def describe(self) -> str:
        """Return the design in words."""
        return self.about


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedRanks:
    """Wilcoxon's signed-rank test of normal differences, by Noether's (1987) normal approximation.

    Examples
    --------
    >>> SignedRanks(about="", sd=0.04).power(30, 0.02).round(2)
    np.float64(0.69)
    """

    about: str
    sd: float
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    unit: str = "data sets"
    bounded: bool = True  # differences of rates are at most 1
    basis: ClassVar[str] = "Noether's approximation, assuming normal differences"

    @property
    def smallest(self) -> int:
        """The smallest size at which the exact test can reject: differences of one sign have probability 2⁻ⁿ."""
        spent = tail(self.alpha, "two" if self.alternative == "two-sided" else "upper")
        return math.floor(-math.log2(spent)) + 1

    @property
    def least(self) -> float:
        """The difference under the null hypothesis."""
        return 0.0

    @property
    def most(self) -> float:
        """The largest difference in the direction of the alternative."""
        return _farthest(self.alternative, self.sd, self.bounded)

    def power(self, size: ArrayLike, difference: ArrayLike) -> FloatArray:
        """Return the approximate power."""
        from scipy.special import ndtr

        sets, true = np.asarray(size, dtype=float), np.asarray(difference, dtype=float)
        two = self.alternative == "two-sided"
        shift = np.sqrt(3 * sets) * (ndtr(np.sqrt(2) * true / self.sd) - 0.5)
        z = critical(self.alpha, "two" if two else "upper")
        sides = {"two-sided": (1, -1), "greater": (1,), "less": (-1,)}[self.alternative]
        power_sum = sum((ndtr(side * shift - z) for side in sides), start=np.zeros(()))
        return np.where(sets >= self.smallest, power_sum, 0.0)[()]

    def teeth(self, size: int) -> int:  # noqa: ARG002  # as every setting has it
        """Return the number of further sizes to check: one, because the approximation is monotone."""
        return 1

    def approximate(self, power: float, difference: float) -> float:
        """Return Noether's number, (z + z)²/(3(p′ − ½)²), with p′ = P(the sum of two differences is positive)."""
        ahead = _on_its_side(math.erf(difference / self.sd) / 2, self.alternative)
        both = _both_quantiles(self.alpha, self.alternative, power)
        return formula_size(both, math.sqrt(3) * ahead) if ahead > 0 else math.nan

    def describe(self) -> str:
        """Return the design in words."""
        return self.about


def _farthest(alternative: Alternative, sd: float, bounded: bool) -> float:
    """Return the largest possible difference, or the largest that is considered for scores without a range."""
    far = 1.0 if bounded else _WIDE * sd
    return -far if alternative == "less" else far


def _on_its_side(ahead: float, alternative: Alternative) -> float:
    """Return the lead in the direction of the alternative; negative in the other direction."""
    return {"two-sided": abs(ahead), "greater": ahead, "less": -ahead}[alternative]


def _both_quantiles(alpha: float, alternative: Alternative, power: float) -> float:
    """Return the sum of both quantiles; 0 for a power below alpha, which needs no examples."""
    z = critical(alpha, "two" if alternative == "two-sided" else "upper")
    return max(z + critical(1 - power, "upper"), 0.0)
