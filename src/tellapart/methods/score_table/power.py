"""How often a test would see a difference that is named, with these data sets and with more like them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import ScoreTable
from ...metrics import Metric
from ...numerics.blocks import blocks
from ...numerics.rounding import unit
from ...results import Outlook
from ...typing_ import COMPLEMENT, FloatArray, as_alpha, as_generator, as_resamples, open_unit
from ..registry import Offer, find_method
from .differences import as_size, as_whole
from .paired_t import paired_t
from .walsh import pseudomedian

_FEWEST = 3  # data sets that show how differences spread
_COUNTED = 40  # data sets up to which Wilcoxon's test counts patterns here: drawn differences tie
_SMOOTH = 400  # places that the differences at hand stand for
_HELD = 2_000_000  # numbers held at once
_LARGEST = 100_000  # number of data sets or comparisons
_DIFFERENCE = Metric(name="difference", higher_is_better=False)
_POINTS = 8  # of the curve, besides those of the search


def power_over_data_sets(
    table: ScoreTable,
    *,
    difference: float,
    power: float = 0.8,
    method: str = "wilcoxon-signed-rank",
    alpha: float = 0.05,
    comparisons: int = 1,
    resamples: int = 2000,
    most: int = 2000,
    rng: Any = 0,
) -> Outlook:
    """Tell how often a test would see a typical difference of a named size, and how many data sets that would take.

    The differences at hand say how differences spread, and nothing else: they are moved so that their middle is the
    difference that is named, data sets are drawn from them with replacement, and the test is run on every draw, for
    either learner ahead in turn. The middle is what the test speaks of: the mean for `paired-t`, the median for signs,
    the pseudomedian for ranks. Power at the difference that was observed would only tell its p-value once more, so it
    cannot be asked for.

    What is drawn from is smooth: each difference stands for a normal curve around it. A test of ranks or signs sees a
    small difference by how many data sets lie near the middle, which the gaps and ties of a few would leave to chance:
    moved together, data sets that tie would all point one way, however little they are moved. All data sets are moved
    alike. Where some will tie for good (a data set that everybody solves), fewer speak, and more are needed than is
    said here; and `needed` is no better known than the spread of those at hand.

    Among several learners the pair is taken whose differences spread as much as those of the middle one of all pairs
    (by their standard deviation); the answer says which. `needed` is found by doubling the number of data sets until
    the power is reached and halving the gap then; a larger number adds to the draws of a smaller one, so that the power
    hardly ever falls (that of signs does, by a step of their p-values). Beyond 40 data sets Wilcoxon's test goes by the
    normal curve here, which rejects a little less often than the exact test where alpha is small.

    Parameters
    ----------
    table
        The scores of two learners, or of several.
    difference
        The size of a typical difference that should be seen, above 0, in units of the metric.
    power
        How often it should be seen.
    method
        The test of two learners, by name.
    alpha, comparisons
        The level of the test, and by how many comparisons it is shared (alpha/comparisons for each).
    resamples
        How often data sets are drawn; half as often where each draw is read both ways.
    most
        The largest number of data sets to look at, if there are not more at hand.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> a, b = [0.0] * 8, [0.01, 0.02, -0.03, 0.05, -0.02, 0.03, 0.0, 0.01]
    >>> found = power_over_data_sets(ScoreTable.from_scores({"A": a, "B": b}), difference=0.02, resamples=500)
    >>> print(found)
    power   0.36 at a typical difference of 0.02, with 8 data sets (wilcoxon-signed-rank at alpha =
            0.05)
    needed  about 18 data sets for power 0.8: 10 more than these
    """
    size = as_size("difference", difference, zero=False)
    wanted = open_unit("power", power, "For 80% use 0.8.", least=COMPLEMENT)
    comparisons = as_whole("comparisons", comparisons, 1, _LARGEST)
    level = as_alpha(alpha=alpha) / comparisons
    test = find_method(method, "test", ScoreTable)
    if "rho" in test.options:
        raise InvalidOption(
            f"power_over_data_sets draws data sets of one run, but method {method!r} looks at several. Take"
            " 'wilcoxon-signed-rank' or 'paired-t'."
        )
    centred, pair = _spread(table, test.name)
    here = int((table if pair is None else table.select(*pair)).compared)  # data sets that both have a score on
    most = max(as_whole("most", most, 1, _LARGEST), here)
    draws = _Draws(centred, size, test, level, (as_resamples(resamples) + 1) // 2, most, as_generator(rng))
    now = draws.power(here)
    needed = _needed(draws, wanted, here)
    return Outlook(
        difference=size,
        datasets=here,
        power=now,
        wanted=wanted,
        needed=needed,
        method=test.name,
        alpha=level,
        resamples=2 * draws.draws,
        comparisons=comparisons,
        pair=pair,
        most=most,
        curve=draws.curve(here if needed is None else max(here, needed)),
    )


def _spread(table: ScoreTable, method: str) -> tuple[FloatArray, tuple[str, str] | None]:
    """Return differences around the middle that a test speaks of, and of which pair where there are several."""
    if table.shape:
        raise InvalidOption(f"power_over_data_sets takes one table, but this has shape {table.shape}. Go one by one.")
    if len(table.learners) < 2:
        raise InvalidOption(f"power_over_data_sets compares learners, but {table.learners[0]!r} is the only one.")
    pairs = table.pairs()
    apart = pairs.differences
    known = ~np.isnan(apart)
    count = np.count_nonzero(known, axis=-1)
    flat = np.fmax.reduce(apart, axis=-1) == np.fmin.reduce(apart, axis=-1)
    usable = np.flatnonzero((count >= _FEWEST) & ~flat)
    if not usable.size:
        raise InvalidOption(
            "power_over_data_sets has to see how differences spread, on 3 data sets or more, but here are no more than"
            f" {int(count.max())}, or the differences are all the same. Collect more data sets; scores of another run,"
            " or of data sets like those that are planned, would do."
        )
    spreads = paired_t(pairs).error * np.sqrt(count)
    middle = usable[np.argsort(spreads[usable], kind="stable")[(len(usable) - 1) // 2]]
    held = _smoothed(apart[middle][known[middle]])
    centred = held - _MIDDLES.get(method, _pseudomedian_of)(held)
    return centred, table.pair_names()[middle] if len(table.learners) > 2 else None


def _smoothed(values: FloatArray) -> FloatArray:
    """Return differences that are spread as these are, gaps and ties between them filled; n − 1 in their variance.

    Each stands for some places of a normal curve around it, of the width that Silverman (1986) gives for estimating a
    density. All are drawn together again so that their standard deviation stays what it is.
    """
    from scipy.special import ndtri

    one = unit(np.abs(values).max())  # in which powers neither overflow nor vanish
    apart = values / one - (values / one).mean()
    if np.sum(apart**3) < 0:  # either learner is ahead in turn, so that it is all the same who is called A
        apart = -apart
    size, deviation = apart.size, float(apart.std(ddof=1))
    quarter, three = np.percentile(apart, [25, 75])
    narrow = (three - quarter) / 1.349  # the standard deviation of a normal curve with these quartiles
    width = 0.9 * (min(deviation, narrow) if narrow > 0 else deviation) * size**-0.2
    many = int(np.clip(_SMOOTH // size, 4, 25))
    # Equal ones share the curve, each with places of its own.
    ordered = np.sort(apart)
    _, first, group, count = np.unique(ordered, return_index=True, return_inverse=True, return_counts=True)
    share = (np.arange(size) - first[group] + 0.5) / count[group]
    places = ndtri((np.arange(many) + share[:, None]) / many)
    held = (ordered[:, None] + width * places).ravel()
    smoothed: FloatArray = held * (deviation / held.std()) * one
    return smoothed


def _pseudomedian_of(values: FloatArray) -> Any:
    return pseudomedian(ScoreTable.from_scores(np.column_stack([np.zeros_like(values), values])))


_MIDDLES: dict[str, Callable[[FloatArray], Any]] = {
    "paired-t": np.mean,
    "sign-test": np.median,
    "bayesian-sign": np.median,
}


@dataclass(eq=False)
class _Draws:
    """Data sets drawn from centred differences, more of them added as more are asked for, and how often a test rejects.

    One draw of places serves every number of data sets: those of n are the first n of it. Each draw is read both ways,
    so that it does not matter which learner is called A.
    """

    centred: FloatArray
    size: float  # of the difference
    test: Offer
    level: float
    draws: int
    most: int  # data sets
    generator: np.random.Generator

    def __post_init__(self) -> None:
        self.places = np.empty((self.draws, 0), dtype=np.intp)
        self.found: dict[int, float] = {}

    def power(self, count: int) -> float:
        """Return in which share of the draws of so many data sets the test rejects, which is looked up once."""
        while self.places.shape[1] < count:  # as many again, so that a longer search draws the same
            more = self.generator.integers(len(self.centred), size=(self.draws, max(self.places.shape[1], 16)))
            self.places = np.hstack([self.places, more])
        if count not in self.found:
            parts = (self.places[block, :count] for block in blocks(self.draws, _HELD // count))
            rejections = sum(self._rejections(self.centred[part]) for part in parts)
            self.found[count] = rejections / (2 * self.draws)
        return self.found[count]

    def _rejections(self, drawn: FloatArray) -> int:
        """Return how often the test sees the difference in these draws, and in the same ones turned around."""
        loss = np.zeros((2 * len(drawn), 2, drawn.shape[-1], 1))
        loss[:, 0, :, 0] = self.size + np.concatenate([drawn, -drawn])
        names = tuple(str(place) for place in range(drawn.shape[-1]))
        options = {"exact": _COUNTED} if "exact" in self.test.options else {}
        found = self.test(ScoreTable(loss, names, metric=_DIFFERENCE), **options)
        return int(np.count_nonzero(found.rejected(self.level)))

    def curve(self, end: int) -> tuple[tuple[int, float], ...]:
        """Return the power at all numbers of data sets that were looked at, and at some up to a bit beyond the end."""
        stop = min(ceil(1.25 * end), self.most)
        for count in np.linspace(min(_FEWEST, stop), stop, _POINTS).round().astype(int).tolist():
            self.power(count)
        return tuple(sorted(self.found.items()))


def _needed(draws: _Draws, wanted: float, start: int) -> int | None:
    """Return the smallest number of data sets with the power that is wanted, by doubling and halving; None if none."""
    low, high = 0, start
    while draws.power(high) < wanted:
        if high == draws.most:
            return None
        low, high = high, min(2 * high, draws.most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if draws.power(middle) >= wanted else (middle, high)
    return high
