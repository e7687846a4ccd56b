"""Where a test rejects: of all tables that may come out, the border is enough.

Of two counts that make a table, one is held and the other is counted up: a test that speaks for B at some count does so
at every larger one. So the border is found by bisection, and the probability beyond it is a tail of a binomial. What
would be n² tables is √n borders, at any number of examples, and the registered function is asked, no copy of it. A test
that takes its time begins at the border of one that does not.
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
    """What a test is asked to show, at which alpha.

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
    threshold: float = 0.0  # the error rate that one classifier is held against
    hypothesis: Hypothesis = "different"
    options: dict[str, Any] = field(default_factory=dict, hash=False)

    @property
    def parts(self) -> tuple[tuple[float, Alternative, int], ...]:
        """The difference that is tested, the alternative, and whether it speaks for large (1) or small counts (−1)."""
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
        """On which side of the null hypothesis a difference is seen: 1 if B is to be better, −1 if A is."""
        return -1 if self.alternative == "less" else 1

    @property
    def together(self) -> bool:
        """Whether both parts must be shown, rather than either of them."""
        return self.hypothesis == "equivalent"

    @property
    def quick(self) -> Claim:
        """The same of a test in closed form, whose border is near; of one that nobody waits for, the claim itself."""
        name = _QUICK[self.method.evidence][self.hypothesis != "different"]
        if name in {"", self.method.name}:
            return self
        return replace(self, method=find_method(name, "test", self.method.evidence), options={})

    def shown(self, evidence: Any, against: float, alternative: Alternative, side: Any) -> BoolArray:
        """Return whether the test rejects, and speaks for this side."""
        known = {"against": against, "alpha": self.alpha}
        own = {name: value for name, value in known.items() if name in self.method.options}
        rejected: BoolArray = self.method(evidence, alternative=alternative, **own, **self.options).rejected(self.alpha)
        if alternative != "two-sided":  # it has but one thing to say
            return rejected
        # The estimate says which of two a two-sided test means.
        meant: BoolArray = side * (evidence.quantity - against) > 0
        return rejected & meant


# Of each kind of evidence the quickest test, without a margin and with one.
_QUICK: dict[type[Any], tuple[str, str]] = {
    ErrorCount: ("wilson", ""),
    IndependentCounts: ("pooled-z", ""),
    PairedTable: ("mcnemar", "tango"),
}

_ON_BORDER = 1e-4  # a real border as near to a whole number as this leaves open on which side it is
# Places, a count at each, and 1 where it rejects after all, −1 where it does not.
Odd = tuple[IntArray, IntArray, IntArray]


@dataclass(frozen=True, slots=True)
class Region:
    """From which count on, and up to which, a test rejects; one entry for each count that is held."""

    sizes: IntArray  # the largest count there can be
    low: IntArray  # it rejects up to here; −1 where never
    high: IntArray  # it rejects from here on; one above the size where never
    together: bool  # it rejects only where both hold
    odd: tuple[Odd, ...] = ()  # counts next to a border that are not as it says

    def chance(self, probability: FloatArray) -> FloatArray:
        """Return how likely a rejection is, where the count is binomial."""
        above = probability_at_least(self.high, self.sizes, probability)
        if not self.together:
            result = np.asarray(above + probability_at_most(self.low, self.sizes, probability))
            for index, count, sign in self.odd:
                result[index] += sign * binomial_probability(count, self.sizes[index], probability)
            return result
        beyond = probability_at_least(np.maximum(self.low + 1, 0), self.sizes, probability)
        return np.where(self.low >= self.high, above - beyond, 0.0)


def region_of(claim: Claim, tables: Callable[[IntArray, Any], Any], sizes: IntArray, *, saws: bool = False) -> Region:
    """Return where a claim is shown.

    Parameters
    ----------
    claim
        What is to be shown.
    tables
        Makes evidence of counts, and of the places (an index into `sizes`) of what is held beside each.
    sizes
        The largest count of each place.
    saws
        Whether the p-value may saw, as that of Fisher's two-sided test does for sets of different sizes: then the
        counts next to a border are looked at, too.
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
    """Return the first count from either end that is shown, one more than there can be where none is.

    Both ends of a two-sided test are asked for in one go: a call takes its time, however few tables it is about.
    """
    index, side = np.tile(np.arange(sizes.size), len(ends)), np.repeat(ends, sizes.size)
    most = sizes[index]

    def shown(by: Claim, count: IntArray, at: IntArray) -> BoolArray:
        # Small counts, counted from the other end, are large ones; one more than there can be stands for "always".
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
    """Return the first whole count beyond a real border; where one is all but on it, the test itself is asked."""
    nearest = np.rint(border)
    first = np.clip(np.ceil(border), 0, sizes + 1).astype(np.int64)
    on_it = np.flatnonzero(np.abs(border - nearest) < _ON_BORDER)
    if on_it.size:
        guess = np.clip(nearest[on_it], 0, sizes[on_it]).astype(np.int64)
        first[on_it] = _from_nearby(lambda count, at: shown(count, on_it[at]), guess, sizes[on_it])
    return first


def _from_nearby(shown: Callable[[IntArray, IntArray], BoolArray], guess: IntArray, sizes: IntArray) -> IntArray:
    """Return the first count of every place that is shown: steps from the guess double until they pass it."""
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
    """Find the counts next to a border that are not on the side on which the border puts them."""
    for against, alternative, side in claim.parts if claim.hypothesis == "different" else ():
        index = np.repeat(np.arange(sizes.size), _STRIP.size)
        count = ((high if side > 0 else low)[:, None] + _STRIP).ravel()
        possible = (count >= 0) & (count <= sizes[index])
        index, count = index[possible], count[possible]
        rejects = claim.shown(tables(count, index), against, alternative, side)
        wrong = rejects != (count >= high[index] if side > 0 else count <= low[index])
        if wrong.any():
            yield index[wrong], count[wrong], np.where(rejects[wrong], 1, -1)
