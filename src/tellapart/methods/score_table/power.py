"""Power of a test for a given difference, with these data sets and with more like them."""

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
from ...results import PowerProjection
from ...typing_ import COMPLEMENT, FloatArray, as_alpha, as_generator, as_resamples, open_unit
from ..registry import Offer, find_method
from .differences import as_size, as_whole
from .paired_t import paired_t
from .walsh import pseudomedian

_FEWEST = 3  # fewest data sets for an estimate of the spread of differences
_MOST_EXACT = 40  # data sets up to which Wilcoxon's test counts patterns here: drawn differences tie
_SMOOTH_PLACES = 400  # quantiles that represent the observed differences
_NUMBERS_IN_MEMORY = 2_000_000  # numbers in memory at once
_LARGEST = 100_000  # number of data sets or comparisons
_DIFFERENCE = Metric(name="difference", higher_is_better=False)
_POINTS = 8  # of the curve, in addition to those of the search


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
) -> PowerProjection:
    """Return the power of a test for a typical difference of a given size, and the number of data sets it needs.

    The observed differences are used for their distribution only: they are shifted so that their centre is the given
    difference. Power at the observed difference would only repeat the p-value, so it is not available.

    Parameters
    ----------
    table
        The scores of two learners, or of several.
    difference
        The size of the typical difference to detect, above 0, in units of the metric.
    power
        The target power.
    method
        The test of two learners, by name.
    alpha, comparisons
        The significance level of the test, and the number of comparisons that share it (alpha/comparisons each).
    resamples
        The number of simulated tests; each draw of data sets is used in both directions.
    most
        The largest number of data sets to consider, unless there are more already.
    rng
        Seed or NumPy generator.

    Notes
    -----
    Data sets are drawn with replacement from the shifted differences, and the test is run on every draw, in both
    directions. The centre is the parameter of the test: the mean for `paired-t`, the median for signs, the pseudomedian
    for ranks.

    The distribution drawn from is smooth: each difference stands for a normal distribution around it. The power of a
    test of ranks or signs for a small difference depends on the density near the centre, and without smoothing tied
    data sets would all change sign together. All data sets are shifted alike: if some will always tie (a data set that
    every learner solves), more are needed than stated here. `needed` is as uncertain as the variance of the observed
    differences.

    Of several learners the pair with the median standard deviation of differences is used; the answer names it.
    `needed` is found by doubling the number of data sets until the power is reached, and then by bisection; a larger
    number extends the draws of a smaller one, so that the power hardly ever falls (that of signs does, by a step of
    their p-values). Beyond 40 data sets Wilcoxon's test uses the normal approximation here, which rejects slightly less
    often than the exact test at small alpha.

    Examples
    --------
    >>> a, b = [0.0] * 8, [0.01, 0.02, -0.03, 0.05, -0.02, 0.03, 0.0, 0.01]
    >>> result = power_over_data_sets(ScoreTable.from_scores({"A": a, "B": b}), difference=0.02, resamples=500)
    >>> round(result.power, 2), result.needed
    (0.36, 18)
    """
    size = as_size("difference", difference, zero=False)
    target_power = open_unit("power", power, "For 80% use 0.8.", least=COMPLEMENT)
    comparisons = as_whole("comparisons", comparisons, 1, _LARGEST)
    level = as_alpha(alpha=alpha) / comparisons
    test = find_method(method, "test", ScoreTable)
    if "rho" in test.options:
        raise InvalidOption(
            f"`method` must be a test of one run per data set, got {method!r}. Use method='wilcoxon-signed-rank'."
        )
    centred, pair = _centre_differences(table, test.name)
    datasets = int((table if pair is None else table.select(*pair)).compared)  # data sets with scores of both
    most = max(as_whole("most", most, 1, _LARGEST), datasets)
    draws = _Draws(centred, size, test, level, (as_resamples(resamples) + 1) // 2, most, as_generator(rng))
    now = draws.power(datasets)
    needed = _find_needed_datasets(draws, target_power, datasets)
    return PowerProjection(
        difference=size,
        datasets=datasets,
        power=now,
        target=target_power,
        needed=needed,
        method=test.name,
        alpha=level,
        resamples=2 * draws.draws,
        comparisons=comparisons,
        pair=pair,
        most=most,
        curve=draws.curve(datasets if needed is None else max(datasets, needed)),
    )


def _centre_differences(table: ScoreTable, method: str) -> tuple[FloatArray, tuple[str, str] | None]:
    """Return the differences around the centre that a test is about, and their pair if there are several."""
    if table.shape:
        raise InvalidOption(f"`table` must be a single table of scores, got shape {table.shape}. Index it first.")
    if len(table.learners) < 2:
        raise InvalidOption(f"`table` must have 2 learners or more, got {table.learners[0]!r} alone.")
    pairs = table.pairs()
    differences = pairs.differences
    present = ~np.isnan(differences)
    count = np.count_nonzero(present, axis=-1)
    flat = np.fmax.reduce(differences, axis=-1) == np.fmin.reduce(differences, axis=-1)
    usable = np.flatnonzero((count >= _FEWEST) & ~flat)
    if not usable.size:
        raise InvalidOption(
            f"`table` must have different differences on 3 data sets or more, got {int(count.max())}. Add data sets, or"
            " use pilot scores of similar ones."
        )
    spreads = paired_t(pairs).error * np.sqrt(count)
    middle = usable[np.argsort(spreads[usable], kind="stable")[(len(usable) - 1) // 2]]
    smooth = _smooth_differences(differences[middle][present[middle]])
    centred = smooth - _MIDDLES.get(method, _pseudomedian_of)(smooth)
    return centred, table.pair_names()[middle] if len(table.learners) > 2 else None


def _smooth_differences(values: FloatArray) -> FloatArray:
    """Return smoothed differences with the same standard deviation (with n − 1).

    Each is replaced by quantiles of a normal distribution around it, with Silverman's (1986) bandwidth; all are then
    scaled to the original standard deviation.
    """
    from scipy.special import ndtri

    unit_size = unit(np.abs(values).max())  # in which powers neither overflow nor vanish
    centred = values / unit_size - (values / unit_size).mean()
    if np.sum(centred**3) < 0:  # both directions are used, so that A and B may be swapped
        centred = -centred
    size, deviation = centred.size, float(centred.std(ddof=1))
    quarter, three = np.percentile(centred, [25, 75])
    narrow = (three - quarter) / 1.349  # the standard deviation of a normal curve with these quartiles
    width = 0.9 * (min(deviation, narrow) if narrow > 0 else deviation) * size**-0.2
    places_each = int(np.clip(_SMOOTH_PLACES // size, 4, 25))
    # Equal differences share the distribution, each with its own quantiles.
    ordered = np.sort(centred)
    _, first, group, count = np.unique(ordered, return_index=True, return_inverse=True, return_counts=True)
    share = (np.arange(size) - first[group] + 0.5) / count[group]
    normal_places = ndtri((np.arange(places_each) + share[:, None]) / places_each)
    widened = (ordered[:, None] + width * normal_places).ravel()
    smoothed: FloatArray = widened * (deviation / widened.std()) * unit_size
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
    """Data sets drawn from centred differences, extended as needed, and the power of a test on them.

    One draw serves every number of data sets: n of them are its first n. Each draw is used in both directions, so that
    A and B may be swapped.
    """

    centred: FloatArray
    size: float  # of the difference
    test: Offer
    level: float
    draws: int
    most: int  # data sets
    generator: np.random.Generator

    def __post_init__(self) -> None:
        self.drawn_indices = np.empty((self.draws, 0), dtype=np.intp)
        self.powers: dict[int, float] = {}

    def power(self, count: int) -> float:
        """Return the share of draws of `count` data sets in which the test rejects (cached)."""
        while self.drawn_indices.shape[1] < count:  # as many again, so that a longer search draws the same
            more = self.generator.integers(len(self.centred), size=(self.draws, max(self.drawn_indices.shape[1], 16)))
            self.drawn_indices = np.hstack([self.drawn_indices, more])
        if count not in self.powers:
            blocks_of_places = (
                self.drawn_indices[block, :count] for block in blocks(self.draws, _NUMBERS_IN_MEMORY // count)
            )
            rejections = sum(
                self._count_rejections(self.centred[block_of_places]) for block_of_places in blocks_of_places
            )
            self.powers[count] = rejections / (2 * self.draws)
        return self.powers[count]

    def _count_rejections(self, drawn: FloatArray) -> int:
        """Return how often the test rejects in these draws, and in their mirror images."""
        loss = np.zeros((2 * len(drawn), 2, drawn.shape[-1], 1))
        loss[:, 0, :, 0] = self.size + np.concatenate([drawn, -drawn])
        names = tuple(str(index) for index in range(drawn.shape[-1]))
        options = {"exact": _MOST_EXACT} if "exact" in self.test.options else {}
        result = self.test(ScoreTable(loss, names, metric=_DIFFERENCE), **options)
        return int(np.count_nonzero(result.rejected(self.level)))

    def curve(self, end: int) -> tuple[tuple[int, float], ...]:
        """Return the power at all numbers of data sets computed so far, and at some up to 1.25 times the end."""
        stop = min(ceil(1.25 * end), self.most)
        for count in np.linspace(min(_FEWEST, stop), stop, _POINTS).round().astype(int).tolist():
            self.power(count)
        return tuple(sorted(self.powers.items()))


def _find_needed_datasets(draws: _Draws, target_power: float, start: int) -> int | None:
    """Return the smallest number of data sets with the target power, by doubling and bisection; None if too many."""
    low, high = 0, start
    while draws.power(high) < target_power:
        if high == draws.most:
            return None
        low, high = high, min(2 * high, draws.most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if draws.power(middle) >= target_power else (middle, high)
    return high
