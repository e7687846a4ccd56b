"""Resampling: the number of resamples, the draws, and the smallest attainable p-value."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..errors import InvalidOption
from ..numerics.blocks import block_sizes
from ..results import Simulated
from ..typing_ import Alternative, FloatArray, IntArray, as_generator, as_resamples
from .pivots import Limits

_HELD = 4_000_000  # numbers in memory at once


def resamples_for(
    resamples: int | None, units: int, *, work: int = 500_000_000, fewest: int = 1_000, most: int = 10_000
) -> int:
    """Return the number of resamples of this many units: `most`, and down to `fewest` if that would take minutes.

    Examples
    --------
    >>> resamples_for(None, 300), resamples_for(None, 100_000), resamples_for(500, 300)
    (10000, 5000, 500)
    """
    return min(max(work // units, fewest), most) if resamples is None else as_resamples(resamples)


def refuse_few_resamples(resamples: int, tail: float) -> None:
    """Raise InvalidOption if there are too few resamples for a tail of this size."""
    if resamples * tail < 1:
        raise InvalidOption(
            f"`resamples` must be at least {np.ceil(1 / tail):.6g} for this alpha, got {resamples}. Use more resamples."
        )


def draw_seed(rng: int | np.random.Generator) -> int:
    """Return a seed, with which the same numbers can be drawn repeatedly."""
    return int(as_generator(rng).integers(2**63))


def times_drawn(units: int, resamples: int, seed: int) -> Iterator[FloatArray]:
    """Yield how often each unit is drawn, by resample, in blocks.

    Examples
    --------
    >>> [block.sum(axis=1) for block in times_drawn(3, 4, 0)]
    [array([3., 3., 3., 3.])]
    """
    rng = np.random.default_rng(seed)
    for rows in block_sizes(resamples, _HELD // units):
        yield times_drawn_once(units, rows, rng).astype(float)


def times_drawn_once(units: int, resamples: int, rng: np.random.Generator) -> IntArray:
    """Return how often each unit is drawn, by resample.

    Examples
    --------
    >>> times_drawn_once(3, 2, as_generator(0)).sum(axis=1)
    array([3, 3])
    """
    places = rng.integers(units, size=(resamples, units)) + units * np.arange(resamples)[:, None]
    return np.bincount(places.ravel(), minlength=places.size).reshape(places.shape)


def bca_percentiles(drawn: FloatArray, below: FloatArray, skew: FloatArray, tail: float) -> Limits:
    """Return the percentiles of each column of draws, corrected for bias and acceleration (Efron 1987, equation 3.9).

    Parameters
    ----------
    drawn
        The draws, along the first dimension.
    below
        The share of draws below the observed value, with half of those equal to it.
    skew
        The acceleration.
    tail
        The probability that either limit spends.

    Examples
    --------
    >>> drawn = np.linspace(-1.0, 1.0, 201)[:, None]
    >>> bca_percentiles(drawn, np.array([0.5]), np.array([0.0]), 0.025)  # the plain percentiles
    (array([-0.95]), array([0.95]))
    """
    from scipy.special import ndtr, ndtri

    ordered = np.sort(drawn, axis=0)
    bias = ndtri(np.clip(below, 0.5 / len(drawn), 1 - 0.5 / len(drawn)))
    z = ndtri(tail)  # 1 − tail would be 1 for tiny alpha
    moved = bias + np.array([[z], [-z]])
    bent = 1 - skew * moved
    with np.errstate(divide="ignore", invalid="ignore"):
        at = np.where(bent > 0, bias + moved / bent, np.sign(moved) * np.inf)  # the whole range beyond the pole
    low, high = (_interpolate_quantile(ordered, share) for share in ndtr(at))
    return low, high


def _interpolate_quantile(ordered: FloatArray, share: FloatArray) -> FloatArray:
    """Return a quantile of each column of sorted values, each for its own share, interpolated as by NumPy."""
    position = np.clip(share, 0, 1) * (ordered.shape[0] - 1)
    first = np.floor(position).astype(np.int64)
    last = np.minimum(first + 1, ordered.shape[0] - 1)
    here, there = (np.take_along_axis(ordered, np.asarray(index)[None], axis=0)[0] for index in (first, last))
    quantile: FloatArray = (here + (there - here) * (position - first))[()]
    return quantile


def of_tails(pvalue: FloatArray, draws: IntArray | int, alternative: Alternative) -> Simulated:
    """Return the simulation of a p-value (k + 1)/(draws + 1), doubled if two-sided, with k draws in the smaller tail.

    Examples
    --------
    >>> of_tails(np.float64(0.5), 999, "two-sided").floor
    np.float64(0.002)
    """
    floor = (2 if alternative == "two-sided" else 1) / (np.asarray(draws) + 1)
    return Simulated.of(pvalue, draws=draws, floor=np.where(np.asarray(draws) > 0, floor, 0.0))  # 0: nothing was drawn
