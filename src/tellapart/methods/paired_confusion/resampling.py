"""The test set drawn again: multinomial draws of the joint counts, never of the examples.

A draw costs as much at a billion examples as at a thousand. The cells that were empty take part with a little weight,
or two classifiers that agree everywhere would do so in every draw.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...evidence import PairedConfusion
from ...numerics.distributions import pvalue_of_tails, ratio, tail
from ...numerics.orientation import mirrored_limits, orientation
from ...results import Interval, Simulated, TestResult
from ...typing_ import Alternative, FloatArray, IntArray, Numbers, Side, as_generator, as_resamples, one_of
from ..confusion_matrix.assumptions import DEFINED
from ..confusion_matrix.common import whole_where_undefined
from ..confusion_matrix.f1 import as_added
from ..limits import as_interval
from ..registry import Standing, interval, test
from .assumptions import CLASSES_DEFINED_IN_BOTH, DISAGREEMENTS_THAT_MATTER, PAIRED_CORRECTION_IS_SMALL
from .common import as_margin, difference_of, known_where_defined, oriented, with_disagreements

_WORK = 50_000_000  # numbers drawn: some seconds
_FEWEST, _MOST = 1_000, 10_000
_HELD = 4_000_000  # numbers held at once
_DIGITS = 13  # of a difference as a part of its range

_COMMON: dict[str, Any] = {
    "evidence": PairedConfusion,
    "parameter": "difference",
}
_JOINT = _COMMON | {
    "name": "joint-bootstrap",
    "assumes": (DEFINED, DISAGREEMENTS_THAT_MATTER, CLASSES_DEFINED_IN_BOTH),
    "standing": Standing.SOUND,
    "because": "it follows the skewness of any metric, and draws counts, so that it is as quick for a billion examples",
    "holds": "20 or more examples",
    "reference": "efron1993",
}


@interval(**_JOINT)
def joint_bootstrap(
    pair: PairedConfusion, *, alpha: float = 0.05, side: Side = "two", resamples: int | None = None, rng: Any = 0
) -> Interval:
    """Give percentiles of the difference of any metric over test sets drawn again from the joint counts.

    Drawn are counts of label, prediction of A and prediction of B, with a disagreement added for every label as
    `paired-delta` has it. The percentiles are those of the mid-distribution: a value that many draws share is half
    below itself. Draws in which the metric is not defined are left out.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, asked for a metric.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".
    resamples
        How many times the test set is drawn anew; 10,000 if left out, fewer for many labels.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("f1")
    >>> limits = joint_bootstrap(pair)
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(-0.08), np.float64(-0.01))
    """
    return _interval("joint-bootstrap", pair, with_disagreements, alpha, side, resamples, rng)


@test(statistic="share of draws above", **_JOINT)
def joint_bootstrap_test(
    pair: PairedConfusion,
    *,
    against: ArrayLike = 0.0,
    alternative: Alternative = "two-sided",
    resamples: int | None = None,
    rng: Any = 0,
) -> TestResult:
    """Test the difference of any metric by the level at which the percentiles of this name reach it.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, asked for a metric.
    against
        The difference loss(A) − loss(B) under the null hypothesis: 0, or a margin.
    alternative
        "two-sided", "greater" (the difference is larger: B is better than that) or "less".
    resamples
        How many times the test set is drawn anew; 10,000 if left out, fewer for many labels.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("mcc")
    >>> joint_bootstrap_test(pair).pvalue.round(1)
    np.float64(0.3)
    """
    return _test(pair, with_disagreements, against, alternative, resamples, rng)


# --- Costs ----------------------------------------------------------------------------------------

_COST = _COMMON | {
    "name": "bdeltacost",
    "metrics": ("cost",),
    "assumes": (DISAGREEMENTS_THAT_MATTER, PAIRED_CORRECTION_IS_SMALL),
    "standing": Standing.HEURISTIC,
    "because": "what it adds to every cell pulls the difference towards 0 where examples are few or labels many;"
    " 'paired-delta' adds less and needs no draws",
    "told": lambda added=0.5, **_: f"{added:g} added to every cell",
    "reference": "margineantu2000",
}


@interval(**_COST)
def bdeltacost(
    pair: PairedConfusion,
    *,
    alpha: float = 0.05,
    side: Side = "two",
    added: float = 0.5,
    resamples: int | None = None,
    rng: Any = 0,
) -> Interval:
    """Give Margineantu and Dietterich's bootstrap limits of the difference of expected costs.

    Every cell of label, prediction of A and prediction of B gets a Laplace correction, (n + λ)/(N + λ·cells); test
    sets are drawn from these shares, and the limits are the percentiles of the difference of their costs.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, asked for "cost".
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".
    added
        λ, what is added to every cell before the shares are taken, so that mistakes that were not seen can be drawn.
    resamples
        How many times the test set is drawn anew; 10,000 if left out, fewer for many labels.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("cost", costs=[[0, 1], [5, 0]])
    >>> limits = bdeltacost(pair)
    >>> pair.difference.round(2), limits.low.round(1), limits.high.round(1)
    (np.float64(-0.35), np.float64(-0.5), np.float64(-0.2))
    """
    return _interval("bdeltacost", pair, _corrected(added), alpha, side, resamples, rng)


@test(statistic="share of draws above", **_COST)
def bdeltacost_test(
    pair: PairedConfusion,
    *,
    against: ArrayLike = 0.0,
    alternative: Alternative = "two-sided",
    added: float = 0.5,
    resamples: int | None = None,
    rng: Any = 0,
) -> TestResult:
    """Test the difference of expected costs by the level at which the limits of this name reach it.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, asked for "cost".
    against
        The difference cost(A) − cost(B) under the null hypothesis: 0, or a margin.
    alternative
        "two-sided", "greater" (the difference is larger: B is better than that) or "less".
    added
        λ, what is added to every cell before the shares are taken, so that mistakes that were not seen can be drawn.
    resamples
        How many times the test set is drawn anew; 10,000 if left out, fewer for many labels.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("cost", costs=[[0, 1], [5, 0]])
    >>> bdeltacost_test(pair).pvalue < 0.001
    np.True_
    """
    return _test(pair, _corrected(added), against, alternative, resamples, rng)


Smoothing = Callable[[PairedConfusion], FloatArray]  # the counts that test sets are drawn from


def _corrected(added: Any) -> Smoothing:
    weight = as_added(added)
    return lambda pair: pair.counts.astype(float) + weight


# --- Percentiles, and the levels that reach a value -----------------------------------------------


def _interval(
    name: str, pair: PairedConfusion, smoothing: Smoothing, alpha: float, side: Side, resamples: int | None, rng: Any
) -> Interval:
    spent, (ahead, turn) = tail(alpha, side), oriented(pair)
    found = _piecewise(
        lambda ordered, _: ordered.quantiles(spent, 1 - spent), 2, ahead, smoothing(ahead), 0.0, resamples, rng
    )
    ends = mirrored_limits(found[0], found[1], turn)
    low, high = whole_where_undefined(ends, pair.difference, pair.metric.difference_bounds)
    return as_interval(name, (low, high), alpha, side, "difference", pair.metric.difference_bounds)


def _test(
    pair: PairedConfusion,
    smoothing: Smoothing,
    against: ArrayLike,
    alternative: Alternative,
    resamples: int | None,
    rng: Any,
) -> TestResult:
    one_of("alternative", alternative, Alternative)
    ahead, turn = oriented(pair)
    margin = np.broadcast_to(as_margin(against, pair), pair.shape)
    turn = orientation(turn, margin)  # counts that are their own mirror image may be turned by the margin
    null = np.where(turn < 0, -1, 1) * margin
    (share,) = _piecewise(
        lambda ordered, value: (ordered.share_below(value),), 1, ahead, smoothing(ahead), null, resamples, rng
    )
    below, above = (np.where(turn < 0, other, own)[()] for own, other in ((share, 1 - share), (1 - share, share)))
    found = known_where_defined(pair, above, pvalue_of_tails(above, below, alternative))
    draws = _draws(resamples, ahead.counts.shape[-3:])
    # Beyond the outermost draw, which has half a draw's share below it, p-values are drawn out to the end of the range.
    floor = (1.0 if alternative == "two-sided" else 0.5) / draws
    return replace(found, simulated=Simulated.of(found.pvalue, draws=draws, floor=floor))


class _Ordered(NamedTuple):
    """Drawn differences in order, along the first dimension, between the ends of their range, and shares up to each.

    The share up to a value is that of all smaller ones and half of its equals. In between it is linear, so that every
    level has its own limit and every value its own level.
    """

    values: FloatArray
    shares: FloatArray

    def quantiles(self, *shares: float) -> tuple[FloatArray, ...]:
        return tuple(_between(self.shares, self.values, share) for share in shares)

    def share_below(self, value: Numbers) -> FloatArray:
        return _between(self.values, self.shares, value)


def _between(known: FloatArray, wanted: FloatArray, at: Numbers) -> FloatArray:
    """Return what is wanted where the known reaches `at`, for every column, linear between neighbours."""
    place = np.clip((known <= at).sum(axis=0), 1, len(known) - 1)
    (left, right), (low, high) = (
        [np.take_along_axis(each, (place - back)[None], axis=0)[0] for back in (1, 0)] for each in (known, wanted)
    )
    found: FloatArray = low + (high - low) * np.clip(ratio(at - left, right - left, empty=1.0), 0.0, 1.0)
    return found


def _ordered(drawn: FloatArray, ends: tuple[float, float]) -> _Ordered:
    drawn = np.sort(drawn, axis=0)  # what is not defined comes last
    known = (~np.isnan(drawn)).sum(axis=0)
    index = np.arange(len(drawn))[:, None]
    differs = drawn[1:] != drawn[:-1]
    edge = np.ones((1, drawn.shape[1]), dtype=bool)
    first = np.maximum.accumulate(np.where(np.concatenate([edge, differs]), index, 0), axis=0)
    last = np.minimum.accumulate(np.where(np.concatenate([differs, edge]), index, len(drawn))[::-1], axis=0)[::-1]
    shares = np.where(index < known, (first + last + 1) / (2 * np.maximum(known, 1)), 1.0)
    values = np.where(index < known, drawn, ends[1])
    row = np.ones((1, drawn.shape[1]))
    return _Ordered(np.concatenate([ends[0] * row, values, ends[1] * row]), np.concatenate([0 * row, shares, row]))


def _piecewise(
    read: Callable[[_Ordered, FloatArray], tuple[FloatArray, ...]],
    parts: int,
    pair: PairedConfusion,
    counts: FloatArray,
    null: Numbers,
    resamples: int | None,
    rng: Any,
) -> tuple[FloatArray, ...]:
    """Return what is read from the drawn differences, of so many entries at a time that memory holds them."""
    rng, cells = as_generator(rng), counts.shape[-3:]
    wide = int(np.prod(cells))
    resamples = _draws(resamples, cells)
    flat, sizes = counts.reshape(-1, *cells), np.ravel(pair.examples)
    mirrored = np.asarray((pair.counts == np.swapaxes(pair.counts, -1, -2)).all(axis=(-3, -2, -1))).ravel()
    nulls = np.broadcast_to(null, pair.shape).ravel()
    found = tuple(np.empty(len(flat)) for _ in range(parts))
    step = max(_HELD // (resamples * wide), 1)
    for start in range(0, len(flat), step):
        here = slice(start, start + step)
        drawn = _drawn(pair, flat[here], sizes[here], resamples, rng)
        half = resamples // 2
        # Counts that stay the same with A and B exchanged are as likely to fall on either side: to the last digit.
        drawn[half:] = np.where(mirrored[here], 0.0, drawn[half:])  # of an odd number, the one in the middle
        drawn[len(drawn) - half :] = np.where(mirrored[here], -drawn[:half], drawn[len(drawn) - half :])
        drawn[half : len(drawn) - half, mirrored[here]] = np.nan  # of an odd number one has no counterpart
        for whole, part in zip(found, read(_ordered(drawn, pair.metric.difference_bounds), nulls[here]), strict=True):
            whole[here] = part
    return tuple(whole.reshape(pair.shape)[()] for whole in found)


def _draws(resamples: int | None, cells: tuple[int, ...]) -> int:
    """Return how often to draw: ten thousand times, and down to a thousand for many labels."""
    return min(max(_WORK // int(np.prod(cells)), _FEWEST), _MOST) if resamples is None else as_resamples(resamples)


def _drawn(
    pair: PairedConfusion, counts: FloatArray, sizes: IntArray, resamples: int, rng: np.random.Generator
) -> FloatArray:
    """Return the differences of so many test sets drawn from every row of counts, along the first dimension."""
    cells, (low, high) = counts.shape[1:], pair.metric.difference_bounds
    shares = counts.reshape(len(counts), -1)
    shares = shares / shares.sum(axis=-1, keepdims=True)
    drawn = np.empty((resamples, len(counts)))
    step = max(_HELD // shares.size, 1)
    for start in range(0, resamples, step):
        many = min(step, resamples - start)
        tables = rng.multinomial(sizes, shares, size=(many, len(counts))).reshape(many, len(counts), *cells)
        drawn[start : start + many] = difference_of(pair, tables)
    # What is equal but for the last digits is made equal: many draws share a value, and each half is below it.
    return np.round(drawn / (high - low), _DIGITS) * (high - low)
