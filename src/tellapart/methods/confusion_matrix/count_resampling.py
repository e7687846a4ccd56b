"""Bootstrap intervals from multinomial resamples of the counts, at a cost that does not depend on their size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...evidence import ConfusionMatrix
from ...numerics.blocks import blocks
from ...typing_ import FloatArray, IntArray, as_generator
from ..pivots import Limits
from ..registry import Standing, procedure
from ..simulation import refuse_few_resamples, resamples_for
from .assumptions import CORRECTION_IS_SMALL, DEFINED, DEFINED_IN_EVERY_CLASS
from .delta import delta_limits
from .f1 import as_prior_count
from .metric_limits import INTERVAL, MetricLimits, add_examples

_IN_MEMORY = 2_000_000  # counts in memory at once
_ADDED = 2.0  # examples, half of them correct


@procedure(
    name="count-bootstrap",
    title="bootstrap",
    **INTERVAL,
    assumes=(DEFINED, DEFINED_IN_EVERY_CLASS),
    standing=Standing.SOUND,
    rationale="available for every metric, follows skewness; slower than 'delta', with coverage no closer to nominal",
    monotone=False,
    reference="efron1993",
)
def count_bootstrap(
    matrix: ConfusionMatrix, *, resamples: int | None = None, rng: int | np.random.Generator = 0
) -> MetricLimits:
    """Return the percentiles of the metric over matrices resampled from the observed shares.

    The cells of a matrix are drawn from a multinomial distribution, so a billion examples take no longer than a
    hundred. One correct and one wrong example are added first: otherwise a perfect classifier is perfect in every
    resample, and the BCa correction cannot help. Resamples for which the metric is undefined are omitted, and the
    limits include the value itself.

    Parameters
    ----------
    matrix
        The counts, with any metric.
    resamples
        Number of resamples. Default: 10,000, fewer for very many labels.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> limits = count_bootstrap(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("f1")).interval()
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(0.72), np.float64(0.9))
    """
    cells = add_examples(matrix.counts, _ADDED, matrix.metric.positive)
    return MetricLimits(matrix, lambda tail: percentiles(matrix, cells, tail, resamples, rng))


@procedure(
    name="bcost",
    title="BCost",
    **INTERVAL,
    metrics=("cost",),
    assumes=(CORRECTION_IS_SMALL,),
    standing=Standing.SOUND,
    rationale=(
        "designed for costs: the correction gives rare, costly errors that were not observed a positive probability; "
        "too large with many labels"
    ),
    validity="every number of examples of two labels; for more labels, 10 per cell of the matrix",
    monotone=False,
    reference="margineantu2000",
    note=lambda added=0.5, **_: f"{added:g} added to every cell",
)
def bcost(
    matrix: ConfusionMatrix,
    *,
    added: float = 0.5,
    resamples: int | None = None,
    rng: int | np.random.Generator = 0,
) -> MetricLimits:
    """Return the percentiles of the cost over resamples of Laplace-corrected shares (Margineantu and Dietterich).

    Parameters
    ----------
    matrix
        The counts, with the metric `cost`.
    added
        λ, added to every cell before the shares are computed, so that unobserved errors can be drawn.
    resamples
        Number of resamples. Default: 10,000, fewer for very many labels.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> matrix = ConfusionMatrix([[90, 5], [1, 4]], ["well", "ill"])
    >>> limits = bcost(matrix.by("cost", costs={("ill", "well"): 10, ("well", "ill"): 1})).interval()
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(0.03), np.float64(0.47))
    """
    cells = np.asarray(matrix.counts, dtype=float) + as_prior_count(added)
    return MetricLimits(matrix, lambda tail: percentiles(matrix, cells, tail, resamples, rng))


def percentiles(matrix: ConfusionMatrix, cells: FloatArray, tail: float, resamples: int | None, rng: Any) -> Limits:
    """Return the percentiles of the metric over resamples from the shares of the cells, for a tail probability.

    If both percentiles are equal, the limits are those of the delta method.

    Examples
    --------
    >>> matrix = ConfusionMatrix([[50, 10], [5, 35]]).by("accuracy")
    >>> low, high = percentiles(matrix, matrix.counts + 0.0, 0.025, 1000, 0)
    >>> low.round(2), high.round(2)
    (np.float64(0.77), np.float64(0.92))
    """
    size = len(matrix.labels)
    draws, generator = resamples_for(resamples, size**2), as_generator(rng)
    refuse_few_resamples(draws, tail)
    totals, tables = np.ravel(matrix.examples), cells.reshape(-1, size, size)
    ends = np.empty((2, totals.size))
    for here in blocks(totals.size, _IN_MEMORY // (draws * size**2)):
        drawn = compute_resampled_values(matrix.metric.of, totals[here], tables[here], draws, generator)
        ends[:, here] = _interpolate_percentiles(drawn, tail)
    low, high = (end.reshape(matrix.shape) for end in ends)
    low, high = np.fmin(low, matrix.value), np.fmax(high, matrix.value)
    flat, (least, most) = ~(high > low), delta_limits(matrix, tail)
    return np.where(flat, least, low)[()], np.where(flat, most, high)[()]


def compute_resampled_values(
    value_of: Callable[[IntArray], FloatArray],
    totals: IntArray,
    cells: FloatArray,
    draws: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Return a value of tables drawn from the shares of the cells of every entry: [draw, entry].

    Examples
    --------
    >>> cells = np.array([[[5.0, 1.0], [1.0, 3.0]]])
    >>> count = lambda tables: tables.sum(axis=(-2, -1))
    >>> drawn = compute_resampled_values(count, np.array([10]), cells, 3, as_generator(0))
    >>> drawn.ravel()
    array([10., 10., 10.])
    """
    shares = cells.reshape(len(cells), -1)
    shares = shares / shares.sum(axis=-1, keepdims=True)
    values = np.empty((draws, len(cells)))
    for here in blocks(
        draws, _IN_MEMORY // shares.size
    ):  # with very many labels, the draws of a single entry need several blocks
        block = values[here]
        block[:] = value_of(rng.multinomial(totals, shares, size=block.shape).reshape(*block.shape, *cells.shape[1:]))
    return values


def _interpolate_percentiles(values: FloatArray, spent: float) -> FloatArray:
    """Return both percentiles of the defined values of every column, interpolated as by NumPy."""
    ordered = np.sort(values, axis=0)  # undefined values are last
    defined = np.isfinite(ordered).sum(axis=0)
    position = np.array([[spent], [1 - spent]]) * np.maximum(defined - 1, 0)
    first = np.floor(position).astype(np.int64)
    last = np.minimum(first + 1, np.maximum(defined - 1, 0))
    here, there = (np.take_along_axis(ordered, index, axis=0) for index in (first, last))
    percentiles_: FloatArray = here + (there - here) * (position - first)
    return percentiles_
