"""The rejection region of a test, which is determined by its border.

Of the two counts of a table, one is fixed and the other varies: a test that rejects in favour of B at some count
rejects at every larger one. So the border is found by bisection with the registered method, and the probability beyond
it is a binomial tail. Instead of n² tables about √n borders are computed, for any number of examples. For a slow test
the search starts at the border of a fast one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from ...evidence import ErrorCount, IndependentCounts, PairedTable
from ...lab.models import binomial_probability
from ...methods import Offer, find_method
from ...numerics.distributions import first_count, probability_at_least, probability_at_most
from ...typing_ import Alternative, BoolArray, FloatArray, Hypothesis, IntArray
from .borders import real_border


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The claim of a test: its hypothesis, alternative, margin and alpha.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> from tellapart.methods import find_method
    >>> claim = Claim(method=find_method("mcnemar-exact", "test", PairedTable))
    >>> claim.shown(PairedTable(0, 9, 1, 90), *claim.parts[0])
    np.True_
    """

    method: Offer
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    margin: float = 0.0
    threshold: float = 0.0  # the threshold for the error rate of one classifier
    hypothesis: Hypothesis = "different"
    options: dict[str, Any] = field(default_factory=dict, hash=False)

    @property
    def parts(self) -> tuple[tuple[float, Alternative, int], ...]:
        """The one-sided parts: null value, alternative, and whether it rejects at large (1) or small counts (−1)."""
        match self.hypothesis:
            case "non-inferior":
                return ((-self.margin, "greater", 1),)
            case "superior":
                return ((self.margin, "greater", 1),)
            case "equivalent":
                return ((-self.margin, "greater", 1), (self.margin, "less", -1))
        sides = {"two-sided": (1, -1), "greater": (1,), "less": (-1,)}[self.alternative]
        return tuple((self.threshold, self.alternative, side) for side in sides)

    @property
    def side(self) -> int:
        """The direction of the alternative: 1 if B is better, −1 if A is better."""
        return -1 if self.alternative == "less" else 1

    @property
    def together(self) -> bool:
        """Whether both parts must reject, rather than one of them."""
        return self.hypothesis == "equivalent"

    @property
    def quick(self) -> Claim:
        """The claim with a test in closed form, which has a similar border; unchanged for a fast test."""
        name = _QUICK[self.method.evidence][self.hypothesis != "different"]
        if name in {"", self.method.name}:
            return self
        return replace(self, method=find_method(name, "test", self.method.evidence), options={})

    def shown(self, evidence: Any, against: float, alternative: Alternative, side: Any) -> BoolArray:
        """Return whether the test rejects in this direction."""
        known = {"against": against, "alpha": self.alpha}
        own = {name: value for name, value in known.items() if name in self.method.options}
        rejected: BoolArray = self.method(evidence, alternative=alternative, **own, **self.options).rejected(self.alpha)
        if alternative != "two-sided":  # it has one direction
            return rejected
        # The direction of a two-sided test is that of the estimate.
        meant: BoolArray = side * (evidence.quantity - against) > 0
        return rejected & meant


# The fastest test for each kind of evidence, without and with a margin.
_QUICK: dict[type[Any], tuple[str, str]] = {
    ErrorCount: ("wilson", ""),
    IndependentCounts: ("pooled-z", ""),
    PairedTable: ("mcnemar", "tango"),
}

_ON_BORDER = 1e-4  # a real border this close to a whole number may lie on either side of it
# Indices, a count for each, and 1 if it rejects after all, −1 if it does not.
Odd = tuple[IntArray, IntArray, IntArray]


@dataclass(frozen=True, slots=True)
class Region:
    """The counts from which on, and up to which, a test rejects; one entry for each fixed count."""

    sizes: IntArray  # the largest possible count
    low: IntArray  # it rejects up to this count; −1 for never
    high: IntArray  # it rejects from this count on; one above the size for never
    together: bool  # whether it rejects only if both conditions hold
    odd: tuple[Odd, ...] = ()  # exceptions next to a border

    def chance(self, probability: FloatArray) -> FloatArray:
        """Return the probability of a rejection for a binomial count."""
        above = probability_at_least(self.high, self.sizes, probability)
        if not self.together:
            result = np.asarray(above + probability_at_most(self.low, self.sizes, probability))
            for index, count, sign in self.odd:
                result[index] += sign * binomial_probability(count, self.sizes[index], probability)
            return result
        beyond = probability_at_least(np.maximum(self.low + 1, 0), self.sizes, probability)
        return np.where(self.low >= self.high, above - beyond, 0.0)


def region_of(claim: Claim, tables: Callable[[IntArray, Any], Any], sizes: IntArray, *, saws: bool = False) -> Region:
    """Return the region in which a claim is demonstrated.

    Parameters
    ----------
    claim
        The claim.
    tables
        A function of counts, and of the index (into `sizes`) of the fixed count of each, that returns the evidence.
    sizes
        The largest count for each fixed count.
    saws
        Whether the p-value may be non-monotone, as that of Fisher's two-sided test for sets of different sizes; then
        the counts next to a border are tested, too.
    """
    low, high = np.full_like(sizes, -1), sizes + 1
    if claim.together:
        low, high = sizes.copy(), np.zeros_like(sizes)
    for (against, alternative), parts in groupby(claim.parts, key=itemgetter(0, 1)):
        ends = [side for *_, side in parts]
        for end, first in zip(ends, _first(claim, tables, sizes, against, alternative, ends), strict=True):
            low, high = (low, first) if end > 0 else (sizes - first, high)
    odd = tuple(_odd(claim, tables, sizes, low, high)) if saws and claim.alternative == "two-sided" else ()
    return Region(sizes, low, high, claim.together, odd)


def _first(
    claim: Claim,
    tables: Callable[[IntArray, Any], Any],
    sizes: IntArray,
    against: float,
    alternative: Alternative,
    ends: list[int],
) -> list[IntArray]:
    """Return the first count from either end at which the test rejects; one above the size if there is none.

    Both ends of a two-sided test are computed together, because a call has a fixed cost.
    """
    index, side = np.tile(np.arange(sizes.size), len(ends)), np.repeat(ends, sizes.size)
    most = sizes[index]

    def shown(by: Claim, count: IntArray, at: IntArray) -> BoolArray:
        # Small counts become large ones if counted from the other end; one above the size always counts as rejected.
        clipped = np.clip(np.where(side[at] > 0, count, most[at] - count), 0, most[at])
        return by.shown(tables(clipped, index[at]), against, alternative, side[at]) | (count > most[at])

    quick, every = claim.quick, np.arange(most.size)
    if len(ends) == 1:
        evidence = tables(np.zeros_like(most), every)
        border = real_border(claim.method.name, evidence, against, alternative, claim.alpha, claim.options)
        if border is not None:
            return [_from_border(partial(shown, claim), border, most)]
    first = np.atleast_1d(first_count(lambda count: shown(quick, count, every), most))
    if quick is not claim:
        first = _from_nearby(partial(shown, claim), np.minimum(first, most), most)
    return np.split(first, len(ends))


def _from_border(shown: Callable[[IntArray, IntArray], BoolArray], border: FloatArray, sizes: IntArray) -> IntArray:
    """Return the first whole count beyond a real border; if the border is nearly whole, the test itself decides."""
    nearest = np.rint(border)
    first = np.clip(np.ceil(border), 0, sizes + 1).astype(np.int64)
    on_it = np.flatnonzero(np.abs(border - nearest) < _ON_BORDER)
    if on_it.size:
        guess = np.clip(nearest[on_it], 0, sizes[on_it]).astype(np.int64)
        first[on_it] = _from_nearby(lambda count, at: shown(count, on_it[at]), guess, sizes[on_it])
    return first


def _from_nearby(shown: Callable[[IntArray, IntArray], BoolArray], guess: IntArray, sizes: IntArray) -> IntArray:
    """Return the first count that is rejected, for each index: steps from the guess double until they pass it."""
    begun = shown(guess, np.arange(sizes.size))
    low, high = np.where(begun, -1, guess), np.where(begun, guess, sizes + 1)
    index, step = np.arange(sizes.size), 1
    while index.size:
        down = begun[index]
        at = np.clip(guess[index] + np.where(down, -step, step), 0, sizes[index])
        result = shown(at, index)
        high[index[result]], low[index[~result]] = at[result], at[~result]
        ended = np.where(down, at == 0, at == sizes[index])
        index, step = index[(result == down) & ~ended], 2 * step
    while (index := np.flatnonzero(high - low > 1)).size:
        middle = (low[index] + high[index]) // 2
        result = shown(middle, index)
        high[index[result]], low[index[~result]] = middle[result], middle[~result]
    return high


_STRIP = np.arange(-4, 5)  # counts on either side of a border


def _odd(
    claim: Claim, tables: Callable[[IntArray, Any], Any], sizes: IntArray, low: IntArray, high: IntArray
) -> Iterator[Odd]:
    """Yield the exceptions next to a border: counts for which the test decides otherwise."""
    for against, alternative, side in claim.parts if claim.hypothesis == "different" else ():
        index = np.repeat(np.arange(sizes.size), _STRIP.size)
        count = ((high if side > 0 else low)[:, None] + _STRIP).ravel()
        possible = (count >= 0) & (count <= sizes[index])
        index, count = index[possible], count[possible]
        rejects = claim.shown(tables(count, index), against, alternative, side)
        wrong = rejects != (count >= high[index] if side > 0 else count <= low[index])
        if wrong.any():
            yield index[wrong], count[wrong], np.where(rejects[wrong], 1, -1)
