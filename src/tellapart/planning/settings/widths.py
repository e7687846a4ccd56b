"""The expected width of an interval: its width at every outcome, weighted by the probability of the outcome."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...evidence import ErrorCount, IndependentCounts, PairedTable
from ...lab.models import binomial_probability
from ...methods import Offer
from ...numerics.distributions import critical
from ...results import Interval
from ...typing_ import FloatArray, IntArray, Numbers, Side
from .counts import spread
from .pairs import describe_discordance
from .setting import formula_size

_RATES = 33  # grid of true rates over a range
_BETWEEN = 9  # refined grid around the best rate
_JUMPS, _BEYOND = 256, 1e-9  # most counts at which a quantile may jump, and the distance beyond a jump
_OUTCOMES = 2000  # most values of one count; beyond, every k-th represents its neighbours
_OF_EACH = 48  # most values of each of two counts: three per standard deviation, enough for an accurate mean
_FINE = 160  # most values of each for a quantile


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The method, level and side of an interval, and the assurance of its width (None for the mean width)."""

    method: Offer
    alpha: float = 0.05
    side: Side = "two"
    assurance: float | None = None  # the probability of an interval that is no wider
    options: dict[str, Any] = field(default_factory=dict, hash=False)

    def reach(self, evidence: Any, truth: float) -> FloatArray:
        """Return the width of each interval, or the distance of a bound from the true value."""
        limits: Interval = self.method(evidence, alpha=self.alpha, side=self.side, **self.options)
        if self.side == "two":
            return limits.width
        return limits.high - truth if self.side == "upper" else truth - limits.low

    def summed(self, reach: FloatArray, weight: FloatArray) -> float:
        """Return the mean of the widths, or their quantile at the assurance."""
        if self.assurance is None:
            return float(np.sum(weight * reach) / np.sum(weight))
        order = np.argsort(reach)
        below = np.cumsum(weight[order])
        return float(reach[order][np.searchsorted(below, self.assurance * below[-1] * (1 - 1e-12))])

    @property
    def most(self) -> int:
        """The largest number of values of each of two counts."""
        return _OF_EACH if self.assurance is None else _FINE

    @property
    def spread(self) -> float:
        """The width of a normal interval in standard errors."""
        return 2 * critical(self.alpha, "two") if self.side == "two" else critical(self.alpha, self.side)


class Width:
    """The base class of widths: each size is computed separately, and there is a normal formula."""

    __slots__ = ()
    limits: Limits

    def width(self, size: ArrayLike) -> FloatArray:
        """Return the width at each size."""
        sizes = np.asarray(size, dtype=np.int64)
        return np.array([self.at(int(n)) for n in sizes.ravel()]).reshape(sizes.shape)[()]

    def at(self, size: int) -> float:
        """Return the width at one size."""
        raise TypeError(f"{type(self).__name__} has no width at {size}")

    @property
    def variance(self) -> float:
        """The variance of one example's contribution."""
        raise TypeError(f"{type(self).__name__} has no variance")

    def approximate(self, width: float) -> float:
        """Return the normal formula's number of examples; NaN if it has none."""
        return formula_size(self.limits.spread, width) * self.variance or math.nan

    def by_formula(self, size: float) -> float:
        """Return the width by the formula, for a number of examples."""
        return self.limits.spread * math.sqrt(self.variance / size) or math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class RateWidth(Width):
    """The width of an interval for one error rate, the largest over a range of true rates.

    Examples
    --------
    >>> from tellapart.methods import find_method
    >>> limits = Limits(method=find_method("wald", "interval", ErrorCount))
    >>> RateWidth(limits=limits, low=0.2, high=0.6).width(385).round(4)
    np.float64(0.0998)
    """

    limits: Limits
    low: float
    high: float
    unit: ClassVar[str] = "examples"

    def at(self, size: int) -> float:
        """Return the width at one size, at the true rate with the largest width."""
        return self.worst(size)[1]

    def worst(self, size: int) -> tuple[float, float]:
        """Return the true rate at which the interval is widest, and its width there."""
        if self.limits.assurance == 1:
            return self.low, self._widest(size)
        reach = self._reach(size)
        rates = np.linspace(self.low, self.high, _RATES if self.high > self.low else 1)
        if self.limits.assurance is not None and rates.size > 1:
            rates = self._jumps(size, rates, self.limits.assurance)
        result = -math.inf, self.low
        for _ in range(4):  # each pass refines the grid around the best rate
            widths = self._at(size, rates, reach)
            best = int(np.argmax(widths))
            result = max(result, (float(widths[best]), float(rates[best])))
            if rates.size == 1:
                break
            rates = np.linspace(rates[max(best - 1, 0)], rates[min(best + 1, rates.size - 1)], _BETWEEN)
        return result[1], result[0]

    def _jumps(self, size: int, rates: FloatArray, often: float) -> FloatArray:
        """Return the rates, and those just beyond a jump of the quantile, which is largest there.

        At a jump the probability of a number of errors or fewer (or more) falls below the assurance.
        """
        from scipy.special import betaincinv

        count = np.unique(np.rint(np.linspace(0, size, min(size + 1, _JUMPS))))
        few = betaincinv(count[:-1] + 1, size - count[:-1], 1 - often) * (1 + _BEYOND)
        jumps = np.concatenate([few, betaincinv(count[1:], size - count[1:] + 1, often) * (1 - _BEYOND)])
        return np.unique(np.concatenate([rates, jumps[(jumps >= self.low) & (jumps <= self.high)]]))

    def _reach(self, size: int) -> Callable[[IntArray], FloatArray]:
        """Return a function from outcomes to limits; all are computed at once if there are not too many."""
        every = spread(size, self.low, self.high, most=10 * _OUTCOMES)
        if every.stride[0] > 1:
            return lambda count: self.limits.reach(ErrorCount(count, size), 0.0)
        known, first = self.limits.reach(ErrorCount(every.count, size), 0.0), every.count[0]
        return lambda count: known[count - first]

    def _at(self, size: int, rates: FloatArray, reach: Callable[[IntArray], FloatArray]) -> FloatArray:
        discordant_count = spread(np.full(rates.size, size), rates, rates, most=_OUTCOMES)
        true = rates[discordant_count.index]
        away: Numbers = {"two": 0.0, "upper": -true, "lower": true}[self.limits.side]
        width, weight = reach(discordant_count.count) + away, binomial_probability(discordant_count.count, size, true)
        ends = np.append(discordant_count.starts, discordant_count.count.size)
        parts = [slice(first, last) for first, last in pairwise(ends)]
        return np.array([self.limits.summed(width[part], weight[part]) for part in parts])

    def _widest(self, size: int) -> float:
        """Return the width of the widest possible interval, for any true rate."""
        counts = np.unique(np.rint(np.linspace(0, size, min(size + 1, 10 * _OUTCOMES)))).astype(np.int64)
        return float(np.max(self.limits.reach(ErrorCount(counts, size), 0.0)))

    def approximate(self, width: float) -> float:
        """Return Mitchell's number of examples, (2z/width)² times the largest p(1 − p) of the range.

        For an upper bound without expected errors, ln(alpha)/ln(1 − width).
        """
        if self.high == 0 and self.limits.side == "upper":
            return math.log(self.limits.alpha) / math.log1p(-width)
        return Width.approximate(self, width)

    def by_formula(self, size: float) -> float:
        """Return the width by the formula, for a number of examples."""
        if self.high == 0 and self.limits.side == "upper":
            return -math.expm1(math.log(self.limits.alpha) / size)
        return Width.by_formula(self, size)

    @property
    def variance(self) -> float:
        """The largest p(1 − p) of the range."""
        nearest = min(max(0.5, self.low), self.high)
        return nearest * (1 - nearest)

    def describe(self) -> str:
        """Return the design in words."""
        return "one model"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairWidth(Width):
    """The width of an interval for the difference of two classifiers on one test set.

    Examples
    --------
    >>> from tellapart.methods import find_method
    >>> limits = Limits(method=find_method("tango", "interval", PairedTable))
    >>> PairWidth(limits=limits, disagreement=0.06, difference=0.0).width(1000).round(4)
    np.float64(0.0311)
    """

    limits: Limits
    disagreement: float
    difference: float
    unit: ClassVar[str] = "examples"

    def at(self, size: int) -> float:
        """Return the width at one size."""
        discordant = spread(size, self.disagreement, self.disagreement, most=self.limits.most)
        share = (1 + self.difference / self.disagreement) / 2 if self.disagreement else 0.5
        share = min(max(share, 0.0), 1.0)
        alone = spread(discordant.count, share, share, most=self.limits.most)
        discordant_count = discordant.count[alone.index]
        table = PairedTable(
            np.zeros_like(discordant_count), alone.count, discordant_count - alone.count, size - discordant_count
        )
        chance = (
            binomial_probability(discordant.count, size, self.disagreement)[alone.index] * alone.stride[alone.index]
        )
        reach = self.limits.reach(table, self.difference)
        return self.limits.summed(reach, chance * binomial_probability(alone.count, discordant_count, share))

    @property
    def variance(self) -> float:
        """The variance of one example's difference."""
        return max(self.disagreement - self.difference**2, 0.0)

    def describe(self) -> str:
        """Return the design in words."""
        return f"two models, one test set, {describe_discordance(self.disagreement)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSetsWidth(Width):
    """The width of an interval for the difference of two classifiers on a test set each.

    Examples
    --------
    >>> from tellapart.methods import find_method
    >>> limits = Limits(method=find_method("newcombe", "interval", IndependentCounts))
    >>> TwoSetsWidth(limits=limits, error_a=0.1, error_b=0.1).width(1000).round(4)
    np.float64(0.0528)
    """

    limits: Limits
    error_a: float
    error_b: float
    ratio: float = 1.0

    @property
    def unit(self) -> str:
        """The unit of the size."""
        return "examples of each" if self.ratio == 1 else "examples of A"

    def at(self, size: int) -> float:
        """Return the width at one size."""
        size_b = max(math.ceil(size * self.ratio - 1e-9), 1)
        a = spread(size, self.error_a, self.error_a, most=self.limits.most).count[:, None]
        b = spread(size_b, self.error_b, self.error_b, most=self.limits.most).count
        reach = self.limits.reach(
            IndependentCounts(ErrorCount(a, size), ErrorCount(b, size_b)), self.error_a - self.error_b
        )
        weight = binomial_probability(a, size, self.error_a) * binomial_probability(b, size_b, self.error_b)
        return self.limits.summed(reach.ravel(), weight.ravel())

    @property
    def variance(self) -> float:
        """The variance of the difference, times the number of A's examples."""
        return self.error_a * (1 - self.error_a) + self.error_b * (1 - self.error_b) / self.ratio

    def describe(self) -> str:
        """Return the design in words."""
        sizes = "" if self.ratio == 1 else f", {self.ratio:g} examples of B for each of A"
        return (
            f"two models, one test set each{sizes}, error rates {100 * self.error_a:.4g}% and {100 * self.error_b:.4g}%"
        )
