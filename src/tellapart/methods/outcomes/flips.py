"""The distribution of a sum whose terms have random signs: exact if it can be enumerated, else by simulation.

If two models are equally good, the difference of each example (or cluster) is as likely with the opposite sign. The
distribution is symmetric, so the probabilities of |S| suffice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...numerics.blocks import block_sizes, blocks
from ...numerics.distributions import probability_at_least
from ...results import Simulated
from ...typing_ import Alternative, BoolArray, FloatArray, IntArray, as_generator, one_of

_FEW = 16  # signs of which all patterns are enumerated
_STEPS = 1_000_000  # additions to convolve one entry
_IN_MEMORY = 4_000_000  # numbers in memory at once
_TIE = 1e-10  # of the sum of all sizes: sums that differ by less are equal


class Reached(NamedTuple):
    """P(|S| ≥ observed), P(|S| > observed), and the number of draws behind them: 0 if exact."""

    reach: FloatArray
    beyond: FloatArray
    draws: IntArray | int = 0


def pvalue_of_signs(
    parts: FloatArray, whole: IntArray | None, resamples: int, rng: Any, alternative: Alternative
) -> tuple[FloatArray, Simulated | None]:
    """Return the p-value of the sum of the parts, and how it was simulated; None if all p-values are exact.

    The parts are along the last dimension; the rest is as in `sign_probabilities`, with all entries in one dimension.

    Examples
    --------
    >>> pvalue_of_signs(np.array([3.0, 1.0, 0.5]), None, 100, 0, "greater")
    (np.float64(0.125), None)
    """
    rows, shape = parts.reshape(-1, parts.shape[-1]), parts.shape[:-1]
    chances = sign_probabilities(rows, whole, resamples, rng)
    pvalue, sides = chances.reach, 2
    if one_of("alternative", alternative, Alternative) != "two-sided":
        observed, sides = rows.sum(axis=-1), 1
        tie = _TIE * np.abs(rows).sum(axis=-1)  # a sum within rounding of 0 has no direction
        this_way = observed > tie if alternative == "greater" else observed < -tie
        pvalue = np.where(this_way, chances.reach / 2, 1 - chances.beyond / 2)
    pvalue, draws = pvalue.reshape(shape)[()], np.reshape(chances.draws, shape)
    if not np.any(draws):
        return pvalue, None
    floor = np.where(draws > 0, sides / 2 / (draws + 1), 0.0)
    return pvalue, Simulated.of(pvalue, draws=draws, floor=floor)


def sign_probabilities(parts: FloatArray, whole: IntArray | None, resamples: int, rng: Any) -> Reached:
    """Return the probabilities for each row of parts if every sign is random.

    Parameters
    ----------
    parts
        The terms of the sum, along the last of two dimensions.
    whole
        The same as integers, from `on_lattice`; the least integer in the first column of a row that has none.
    resamples
        Number of sign patterns drawn if there are too many to enumerate.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> sign_probabilities(np.array([[3.0, 1.0, 0.5]]), None, 100, 0)
    Reached(reach=array([0.25]), beyond=array([0.]), draws=array([0]))
    """
    reach, beyond = np.ones(len(parts)), np.zeros(len(parts))
    draws = np.zeros(len(parts), dtype=np.int64)
    unsettled = np.ones(len(parts), dtype=bool)

    def settle(rows: BoolArray, compute: Any) -> None:
        rows = rows & unsettled
        if rows.any():
            reach[rows], beyond[rows], draws[rows] = compute(rows)
            unsettled[rows] = False

    if whole is not None:
        steps = np.abs(whole)
        has_lattice = whole[:, 0] != _NO_LATTICE
        settle(has_lattice & (steps.max(axis=-1) <= 1), lambda rows: _sum_coins(whole[rows]))
        cost = np.count_nonzero(steps, axis=-1) * steps.sum(axis=-1)
        settle(
            has_lattice & (cost <= _STEPS),
            lambda rows: _compute_in_blocks(_convolve_signs, whole[rows], steps[rows].sum(-1).max()),
        )
    few = np.count_nonzero(parts, axis=-1) <= _FEW
    settle(few, lambda rows: _compute_in_blocks(_enumerate_signs, parts[rows], 2 ** (_FEW - 1)))
    settle(unsettled.copy(), lambda rows: _simulate_signs(parts[rows], resamples, rng))
    return Reached(reach, beyond, draws)


def _compute_in_blocks(chances: Any, rows: Any, size: int) -> Reached:
    """Call a function on blocks of rows that fit in memory."""
    results = [chances(rows[block]) for block in blocks(len(rows), _IN_MEMORY // max(int(size), 1))]
    return Reached(*(np.concatenate([getattr(result, name) for result in results]) for name in ("reach", "beyond")))


# --- Whole steps ----------------------------------------------------------------------------------

_NO_LATTICE = np.iinfo(np.int64).min
_LARGEST = 1e6  # largest size of a value on a lattice
_GRIDS = (840, 1000)  # denominators: halves to eighths, and three decimals


def on_lattice(values: FloatArray, *grids: int) -> IntArray | None:
    """Return each row as integer multiples of its greatest common step; None if no row has one.

    Examples
    --------
    >>> on_lattice(np.array([[0.5, -1.0, 0.0], [0.3, 1 / 3, 0.25]]))[0]
    array([ 1, -2,  0])
    """
    size = np.abs(values).max(axis=-1)
    whole = np.full(values.shape, _NO_LATTICE)
    for grid in (*grids, *_GRIDS):
        scaled = np.where(size[:, None] < _LARGEST, values, np.nan) * grid
        steps = np.rint(scaled)
        near = 1e-9 * grid * np.minimum(size, 1.0)[:, None]  # relative to small numbers
        fits = (np.abs(scaled - steps) <= near).all(axis=-1)
        fits &= whole[:, 0] == _NO_LATTICE
        whole[fits] = steps[fits]
    has_lattice = whole[:, 0] != _NO_LATTICE
    if not has_lattice.any():
        return None
    step = np.gcd.reduce(whole[has_lattice], axis=-1)
    whole[has_lattice] //= np.maximum(step, 1)[:, None]
    return whole


def _sum_coins(whole: IntArray) -> Reached:
    """Return the probabilities for parts of equal size: the number of positive ones is binomial."""
    tosses, lead = np.count_nonzero(whole, axis=-1), np.abs(whole.sum(axis=-1))
    heads = (tosses + lead) // 2
    return Reached(*(np.minimum(2 * probability_at_least(count, tosses, 0.5), 1.0) for count in (heads, heads + 1)))


def _convolve_signs(whole: IntArray) -> Reached:
    """Return the probabilities by convolution of the sum of the positive parts, which is (S + Σ|parts|)/2."""
    steps = -np.sort(-np.abs(whole), axis=-1)[:, ::-1]  # the smallest first: the range of the sum grows slowly
    steps = steps[:, (steps > 0).any(axis=0)]
    total, lead = steps.sum(axis=-1), np.abs(whole.sum(axis=-1))
    chance = np.zeros((len(whole), int(total.max()) + 1))
    chance[:, 0] = 1.0
    grown = np.cumsum(steps, axis=-1).max(axis=0)
    for column, width in zip(steps.T, grown + 1, strict=True):
        source = np.arange(width) - column[:, None]
        moved = np.take_along_axis(chance[:, :width], np.maximum(source, 0), axis=1)
        chance[:, :width] = (chance[:, :width] + np.where(source >= 0, moved, 0.0)) / 2
    above = np.cumsum(chance[:, ::-1], axis=-1)[:, ::-1]  # from the tail, for precision
    above = np.pad(above, ((0, 0), (0, 1)))
    index = (total + lead) // 2
    reach, beyond = (2 * np.take_along_axis(above, position[:, None], axis=1)[:, 0] for position in (index, index + 1))
    return Reached(np.where(lead == 0, 1.0, np.minimum(reach, 1.0)), np.minimum(beyond, 1.0))


# --- Any numbers ----------------------------------------------------------------------------------


def _enumerate_signs(parts: FloatArray) -> Reached:
    """Return the probabilities over all sign patterns; one sign is fixed, because of symmetry."""
    indices = np.argsort(-np.abs(parts), axis=-1, kind="stable")[:, :_FEW]
    kept = np.take_along_axis(parts, indices, axis=-1)
    patterns = np.arange(2 ** (kept.shape[-1] - 1))
    bits = (patterns[:, None] >> np.arange(kept.shape[-1])) & 1  # the last sign is fixed
    counts = _count_patterns(kept, bits.astype(float))
    return Reached(counts.reach / len(patterns), counts.beyond / len(patterns))


def _simulate_signs(parts: FloatArray, resamples: int, rng: Any) -> Reached:
    """Return the probabilities over random signs, with the observed pattern included: never 0."""
    reached, beyond = np.zeros((2, len(parts)))
    for bits in draw_sign_bits(parts.shape[-1], resamples, rng):
        for block in blocks(len(parts), _IN_MEMORY // resamples):
            counts = _count_patterns(parts[block], bits)
            reached[block] += counts.reach
            beyond[block] += counts.beyond
    return Reached((reached + 1) / (resamples + 1), beyond / (resamples + 1), resamples)


def draw_sign_bits(units: int, resamples: int, rng: Any) -> Iterator[FloatArray]:
    """Yield which signs are flipped (1) in each resample, in blocks; the same for every row.

    Examples
    --------
    >>> [block.shape for block in draw_sign_bits(3, 5, 0)]
    [(5, 3)]
    """
    generator = as_generator(rng)
    for rows in block_sizes(resamples, _IN_MEMORY // units):
        packed = np.frombuffer(generator.bytes((rows * units + 7) // 8), dtype=np.uint8)
        yield np.unpackbits(packed, count=rows * units).reshape(rows, units).astype(float)


def _count_patterns(parts: FloatArray, bits: FloatArray) -> Reached:
    """Return in how many patterns |S| is at least the observed one, and in how many it is larger."""
    total = parts.sum(axis=-1, keepdims=True)
    size = np.abs(total - 2 * (parts @ bits.T))
    tie = _TIE * np.abs(parts).sum(axis=-1, keepdims=True)
    observed = np.abs(total)
    reach, beyond = size >= observed - tie, size > observed + tie
    return Reached(*(np.count_nonzero(flags, axis=-1).astype(float) for flags in (reach, beyond)))
