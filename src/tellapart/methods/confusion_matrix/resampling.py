"""Counts drawn again: as many examples in every draw, and no work that grows with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import ConfusionMatrix
from ...numerics.distributions import critical, tail
from ...results import Interval
from ...typing_ import FloatArray, Side, as_generator
from ..registry import Standing, interval
from ..simulation import resamples_for
from .assumptions import CORRECTION_IS_SMALL, DEFINED, EVERY_CLASS_COUNTS
from .common import as_limits, smoothed
from .delta import delta_limits
from .f1 import as_added

_HELD = 2_000_000  # counts held at once
_ADDED = 2.0  # examples, half of them right


@interval(
    name="count-bootstrap",
    evidence=ConfusionMatrix,
    assumes=(DEFINED, EVERY_CLASS_COUNTS),
    standing=Standing.SOUND,
    because="serves every metric and follows its skewness; drawn, and so slower than 'delta' and no nearer the level",
    monotone=False,
    reference="efron1993",
)
def count_bootstrap(
    matrix: ConfusionMatrix,
    *,
    alpha: float = 0.05,
    side: Side = "two",
    resamples: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Interval:
    """Give the percentiles of the metric over matrices drawn from the observed shares.

    The cells of a matrix are drawn at once (multinomially), so a billion examples take no longer than a hundred. One
    right and one wrong example are added before the shares are taken: without them a perfect classifier stays perfect
    in every draw, and BCa's correction cannot mend that. Draws in which the metric is not defined are left out, and the
    limits take in the value itself.

    Parameters
    ----------
    matrix
        The counts, asked for any metric.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" or "lower".
    resamples
        How many matrices are drawn; 10,000 if left out, fewer for very many labels.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> limits = count_bootstrap(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("f1"))
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(0.72), np.float64(0.9))
    """
    cells = smoothed(matrix.counts, _ADDED, matrix.metric.positive)
    low, high = percentiles(matrix, cells, tail(alpha, side), resamples, rng)
    plain = delta_limits(matrix, critical(alpha, side))
    flat = ~(high > low)  # so few draws differ that both percentiles are one
    return as_limits(
        "count-bootstrap", matrix, (np.where(flat, plain[0], low), np.where(flat, plain[1], high)), alpha, side
    )


@interval(
    name="bcost",
    evidence=ConfusionMatrix,
    metrics=("cost",),
    assumes=(CORRECTION_IS_SMALL,),
    standing=Standing.SOUND,
    because="made for costs: a rare and dear mistake that was not seen may still be drawn; with many labels the"
    " correction weighs too much",
    holds="every number of examples of two labels; of more labels, 10 for each cell of the matrix",
    monotone=False,
    reference="margineantu2000",
    told=lambda added=0.5, **_: f"{added:g} added to every cell",
)
def bcost(
    matrix: ConfusionMatrix,
    *,
    alpha: float = 0.05,
    side: Side = "two",
    added: float = 0.5,
    resamples: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Interval:
    """Give the percentiles of the cost over matrices drawn from Laplace-corrected shares (Margineantu and Dietterich).

    Parameters
    ----------
    matrix
        The counts, asked for the cost.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" or "lower".
    added
        λ, what is added to every cell before the shares are taken, so that mistakes that were not seen can be drawn.
    resamples
        How many matrices are drawn; 10,000 if left out, fewer for very many labels.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> matrix = ConfusionMatrix([[90, 5], [1, 4]], ["well", "ill"])
    >>> limits = bcost(matrix.by("cost", costs={("ill", "well"): 10, ("well", "ill"): 1}))
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(0.03), np.float64(0.47))
    """
    cells = np.asarray(matrix.counts, dtype=float) + as_added(added)
    low, high = percentiles(matrix, cells, tail(alpha, side), resamples, rng)
    plain = delta_limits(matrix, critical(alpha, side))
    flat = ~(high > low)
    return as_limits("bcost", matrix, (np.where(flat, plain[0], low), np.where(flat, plain[1], high)), alpha, side)


def percentiles(
    matrix: ConfusionMatrix, cells: FloatArray, spent: float, resamples: int | None, rng: Any
) -> tuple[FloatArray, FloatArray]:
    """Return the percentiles that leave `spent` on either side, of as many examples drawn by the shares of the cells.

    Examples
    --------
    >>> matrix = ConfusionMatrix([[50, 10], [5, 35]]).by("accuracy")
    >>> low, high = percentiles(matrix, matrix.counts + 0.0, 0.025, 1000, 0)
    >>> low.round(2), high.round(2)
    (np.float64(0.77), np.float64(0.92))
    """
    measure, size = matrix.metric, len(matrix.labels)
    drawn = resamples_for(resamples, size**2)
    if drawn * spent < 1:
        raise InvalidOption(
            f"resamples must be {1 / spent:.3g} or more for this alpha, but is {drawn}: no drawn value is so rare."
        )
    generator = as_generator(rng)
    total = np.atleast_1d(matrix.examples).ravel()
    shares = cells.reshape(total.size, size**2)
    shares = shares / shares.sum(axis=-1, keepdims=True)
    ends = np.empty((2, total.size))
    at_once = max(_HELD // (drawn * size**2), 1)
    for start in range(0, total.size, at_once):
        here = slice(start, start + at_once)
        piece = max(_HELD // (shares[here].size), 1)  # of very many labels, not even one entry's draws fit
        parts = [
            measure.of(
                generator.multinomial(total[here], shares[here], (min(piece, drawn - done), total[here].size)).reshape(
                    -1, total[here].size, size, size
                )
            )
            for done in range(0, drawn, piece)
        ]
        ends[:, here] = _ends(np.concatenate(parts), spent)
    low, high = (end.reshape(matrix.shape) for end in ends)
    value = matrix.value
    return np.fmin(low, value)[()], np.fmax(high, value)[()]


def _ends(values: FloatArray, spent: float) -> FloatArray:
    """Return both percentiles of every column, of the values that are defined, between neighbours as NumPy does."""
    ordered = np.sort(values, axis=0)  # what is not defined comes last
    defined = np.isfinite(ordered).sum(axis=0)
    place = np.array([[spent], [1 - spent]]) * np.maximum(defined - 1, 0)
    first = np.floor(place).astype(np.int64)
    last = np.minimum(first + 1, np.maximum(defined - 1, 0))
    here, there = (np.take_along_axis(ordered, index, axis=0) for index in (first, last))
    found: FloatArray = here + (there - here) * (place - first)
    return found
