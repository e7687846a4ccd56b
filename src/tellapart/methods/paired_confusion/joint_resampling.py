"""Bootstrap by multinomial resampling of the joint counts.

A resample costs as much for a billion examples as for a thousand. Empty cells have a small weight; otherwise two
classifiers that always agree would agree in every resample.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...evidence import PairedConfusion
from ...numerics.blocks import blocks
from ...numerics.distributions import pvalue_of_tails, ratio
from ...numerics.orientation import mirrored_limits, orientation
from ...results import Simulated, TestResult
from ...typing_ import Alternative, FloatArray, Numbers, as_generator, one_of
from ..confusion_matrix.assumptions import DEFINED
from ..confusion_matrix.count_resampling import compute_resampled_values
from ..confusion_matrix.f1 import as_prior_count
from ..pivots import Limits, Pivot
from ..registry import Standing, procedure
from ..simulation import resamples_for
from .assumptions import CLASSES_DEFINED_IN_BOTH, ENOUGH_EFFECTIVE_PAIRS, PAIRED_CORRECTION_IS_SMALL
from .metric_differences import (
    DIFFERENCE,
    PossiblyUndefined,
    add_discordant_pairs,
    as_margin,
    difference_of,
    orient_pair,
)

_WORK = 50_000_000  # numbers drawn: some seconds
_IN_MEMORY = 4_000_000  # numbers in memory at once
_DIGITS = 13  # of a difference relative to its range


@procedure(
    name="joint-bootstrap",
    title="bootstrap",
    **DIFFERENCE,
    assumes=(DEFINED, ENOUGH_EFFECTIVE_PAIRS, CLASSES_DEFINED_IN_BOTH),
    standing=Standing.SOUND,
    rationale="accounts for the skewness of any metric; resamples counts, so the time does not depend on the examples",
    validity="20 or more examples",
    reference="efron1993",
    test={"statistic": "share of draws above"},
)
def joint_bootstrap(pair: PairedConfusion, *, resamples: int | None = None, rng: Any = 0) -> PossiblyUndefined:
    """Percentile interval and test for the difference of any metric over resampled joint counts.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, with a metric.
    resamples
        Number of resamples. Default: 10,000, fewer for many labels.
    rng
        Seed or NumPy generator.

    Notes
    -----
    Counts of label, prediction of A and prediction of B are resampled, with a discordant pair added for every label as
    by `paired-delta`. The percentiles are those of the mid-distribution: half of the draws equal to a value count as
    below it. Draws for which the metric is undefined are omitted. The p-value is the level at which the percentiles
    reach the null value.

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]])
    >>> limits = joint_bootstrap(pair.by("f1")).interval()
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(-0.08), np.float64(-0.01))
    >>> joint_bootstrap(pair.by("mcc")).test().pvalue.round(1)
    np.float64(0.3)
    """
    return PossiblyUndefined(pair, _Percentiles(pair, add_discordant_pairs, resamples, rng))


@procedure(
    name="bdeltacost",
    title="BDeltaCost",
    **DIFFERENCE,
    metrics=("cost",),
    assumes=(ENOUGH_EFFECTIVE_PAIRS, PAIRED_CORRECTION_IS_SMALL),
    standing=Standing.HEURISTIC,
    rationale=(
        "the correction added to every cell biases the difference towards 0 with few examples or many labels; "
        "'paired-delta' adds less and needs no resampling"
    ),
    note=lambda added=0.5, **_: f"{added:g} added to every cell",
    reference="margineantu2000",
    test={"statistic": "share of draws above"},
)
def bdeltacost(
    pair: PairedConfusion, *, added: float = 0.5, resamples: int | None = None, rng: Any = 0
) -> PossiblyUndefined:
    """Margineantu and Dietterich's bootstrap interval and test for the difference of expected costs.

    Parameters
    ----------
    pair
        Joint counts of label and both predictions, with the metric "cost".
    added
        λ, added to every cell before the shares are computed, so that unobserved errors can be drawn.
    resamples
        Number of resamples. Default: 10,000, fewer for many labels.
    rng
        Seed or NumPy generator.

    Notes
    -----
    Every cell of label, prediction of A and prediction of B has a Laplace correction, (n + λ)/(N + λ·cells); test sets
    are drawn from these shares, and the limits are the percentiles of the difference of their costs. The p-value is
    the level at which they reach the null value.

    Examples
    --------
    >>> pair = PairedConfusion([[[155, 22], [53, 31]], [[32, 22], [78, 319]]]).by("cost", costs=[[0, 1], [5, 0]])
    >>> limits = bdeltacost(pair).interval()
    >>> pair.difference.round(2), limits.low.round(1), limits.high.round(1)
    (np.float64(-0.35), np.float64(-0.5), np.float64(-0.2))
    >>> bdeltacost(pair).test().pvalue < 0.001
    np.True_
    """
    weight = as_prior_count(added)
    return PossiblyUndefined(pair, _Percentiles(pair, lambda pair: pair.counts.astype(float) + weight, resamples, rng))


# --- Percentiles, and the levels that reach a value -----------------------------------------------


@dataclass(eq=False)
class _Percentiles(Pivot):
    """The percentiles of drawn differences, and the levels at which they reach a value."""

    pair: PairedConfusion
    smooth: Callable[[PairedConfusion], FloatArray]  # the counts that test sets are drawn from
    resamples: int | None
    rng: Any

    @property
    def draws(self) -> int:
        """The number of resamples: ten thousand, down to a thousand for many labels."""
        return resamples_for(self.resamples, len(self.pair.labels) ** 3, work=_WORK)

    def limits(self, tail: float) -> Limits:
        """Return the percentiles for a tail probability."""
        ahead, turn = orient_pair(self.pair)
        low, high = self._read_draws(
            ahead, lambda values, shares, _: [_interpolate_between(shares, values, p) for p in (tail, 1 - tail)]
        )
        return mirrored_limits(low, high, turn)

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Return the share of draws above the null value, and twice the smaller share on either side."""
        one_of("alternative", alternative, Alternative)
        ahead, turn = orient_pair(self.pair)
        margin = np.broadcast_to(as_margin(null, self.pair), self.pair.shape)
        turn = orientation(turn, margin)  # symmetric counts may be swapped according to the margin
        nulls = np.ravel(np.where(turn < 0, -1, 1) * margin)
        share = self._read_draws(ahead, lambda values, shares, here: _interpolate_between(values, shares, nulls[here]))
        below, above = (
            np.where(turn < 0, swapped, value)[()] for value, swapped in ((share, 1 - share), (1 - share, share))
        )
        pvalue = pvalue_of_tails(above, below, alternative)
        # Beyond the outermost draw, p-values are interpolated to the end of the range.
        floor = (1.0 if alternative == "two-sided" else 0.5) / self.draws
        return TestResult(statistic=above, pvalue=pvalue, simulated=Simulated.of(pvalue, draws=self.draws, floor=floor))

    def _read_draws(self, ahead: PairedConfusion, read: Callable[[FloatArray, FloatArray, slice], Any]) -> FloatArray:
        """Return the results of `read` for the drawn differences, in blocks of entries that fit in memory."""
        rng, draws, counts = as_generator(self.rng), self.draws, self.smooth(ahead)
        cells, sizes = counts.reshape(-1, *counts.shape[-3:]), np.ravel(ahead.examples)
        alike = (ahead.counts == np.swapaxes(ahead.counts, -1, -2)).all(axis=(-3, -2, -1))
        mirrored, half = np.ravel(alike), draws // 2
        value_of, (low, high) = partial(difference_of, ahead), ahead.metric.difference_bounds
        blocks_ = []
        for here in blocks(len(cells), _IN_MEMORY // (draws * cells[0].size)):
            drawn, symmetric = compute_resampled_values(value_of, sizes[here], cells[here], draws, rng), mirrored[here]
            # Values that differ by rounding are made equal: half of equal draws count as below.
            drawn = np.round(drawn / (high - low), _DIGITS) * (high - low)
            # Counts that are symmetric in A and B have an exactly symmetric distribution.
            drawn[draws - half :, symmetric] = -drawn[:half, symmetric]
            drawn[half : draws - half, symmetric] = np.nan  # with an odd number, one draw has no counterpart
            blocks_.append(np.asarray(read(*_sort_draws(drawn, low, high), here)))
        values = np.concatenate(blocks_, axis=-1)
        return values.reshape((*values.shape[:-1], *ahead.shape))[()]


def _sort_draws(drawn: FloatArray, least: float, most: float) -> tuple[FloatArray, FloatArray]:
    """Return the sorted differences, along the first dimension, with the ends of their range, and their shares.

    The share of a value is that of all smaller ones and half of its equals. In between it is linear, so that levels
    and limits correspond one to one.
    """
    drawn = np.sort(drawn, axis=0)  # undefined values are last
    defined = (~np.isnan(drawn)).sum(axis=0)
    index = np.arange(len(drawn))[:, None]
    differs = drawn[1:] != drawn[:-1]
    edge = np.ones((1, drawn.shape[1]), dtype=bool)
    first = np.maximum.accumulate(np.where(np.concatenate([edge, differs]), index, 0), axis=0)
    last = np.minimum.accumulate(np.where(np.concatenate([differs, edge]), index, len(drawn))[::-1], axis=0)[::-1]
    shares = np.where(index < defined, (first + last + 1) / (2 * np.maximum(defined, 1)), 1.0)
    values = np.where(index < defined, drawn, most)
    row = np.ones((1, drawn.shape[1]))
    return np.concatenate([least * row, values, most * row]), np.concatenate([0 * row, shares, row])


def _interpolate_between(knots: FloatArray, values: FloatArray, point: Numbers) -> FloatArray:
    """Return the values at a point of the knots, for every column, by linear interpolation."""
    index = np.clip((knots <= point).sum(axis=0), 1, len(knots) - 1)
    (left, right), (low, high) = (
        [np.take_along_axis(array, (index - back)[None], axis=0)[0] for back in (1, 0)] for array in (knots, values)
    )
    result: FloatArray = low + (high - low) * np.clip(ratio(point - left, right - left, empty=1.0), 0.0, 1.0)
    return result
