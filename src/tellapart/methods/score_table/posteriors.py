"""Posteriors over data sets by Dirichlet weights, and the mass of the regions of practical equivalence.

The model of Benavoli et al. (2014, 2017): the data sets, and a pseudo data set for the prior, have weights with a
Dirichlet distribution. Each draw gives the mass of the regions "A better", "practically equivalent" and "B better", and
counts for the region with the largest mass.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from ...errors import InvalidOption
from ...evidence import ScoreTable
from ...numerics.blocks import block_sizes, blocks
from ...numerics.orientation import orientation
from ...typing_ import FloatArray, IntArray, as_generator, as_resamples, one_of
from .differences import as_size, count_wins

PriorAt = Literal["rope", "a", "b"]

_LEVEL = 1e-12  # of all mass: regions that differ by less have as much
_BLOCK = 2**17  # numbers in memory at once: they fit the processor's cache
_POINTS = 400  # of the integral: its step is a small part of the width of what it adds up


class Regions(NamedTuple):
    """Values for the regions "A better", "practically equivalent" and "B better"."""

    a_better: FloatArray
    equivalent: FloatArray
    b_better: FloatArray


def as_prior(prior: float) -> float:
    """Return the weight of the prior, or raise InvalidOption if it is not above 0.

    Examples
    --------
    >>> as_prior(0.5)
    0.5
    """
    if isinstance(prior, bool) or not (isinstance(prior, int | float | np.number) and 0 < prior < np.inf):
        raise InvalidOption(f"`prior` must be a weight above 0, got {prior!r}. For half a data set use prior=0.5.")
    return float(prior)


# --- Signs --------------------------------------------------------------------------------------------


def count_signs(table: ScoreTable, rope: float, prior: float, prior_at: PriorAt) -> Regions:
    """Return the numbers of data sets on which A is better, neither is, and B is, with the pseudo data set.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92], "tree": [0.85, 0.7, 0.9]})
    >>> [count.item() for count in count_signs(table, 0.03, 1.0, "rope")]
    [0.0, 3.0, 1.0]
    """
    rope, prior, position = as_size("rope", rope), as_prior(prior), one_of("prior_at", prior_at, PriorAt)
    counts = zip(("a", "rope", "b"), count_wins(*_in_steps(table, rope)), strict=True)
    return Regions(*(np.asarray(count + (prior if position == name else 0.0))[()] for name, count in counts))


def dirichlet_regions(weights: Regions) -> Regions:
    """Return the probability of each region to have the largest of Dirichlet shares with these weights.

    Shares are Gamma variables over their sum, so region b has most with probability E[F_a(X)·F_e(X)] for X of
    Gamma(b), an integral over the logarithm of X. The integrand vanishes on both sides, so the trapezoidal rule has
    full precision. A region without weight has no mass.

    Examples
    --------
    >>> regions = dirichlet_regions(Regions(np.array(0.0), np.array(1.0), np.array(5.0)))
    >>> regions.equivalent.round(5), regions.b_better.round(5)  # 2⁻⁵, the p-value of five wins by the sign test
    (np.float64(0.03125), np.float64(0.96875))
    """
    stacked = np.stack(np.broadcast_arrays(*weights), axis=-1).astype(float)
    unique, back = np.unique(stacked.reshape(-1, 3), axis=0, return_inverse=True)  # a table of few signs has few
    most = np.stack([_has_most(np.roll(unique, -index, axis=-1)) for index in range(3)], axis=-1)
    whole = most[:, 0] + most[:, 2] + most[:, 1]  # A and B first: their order changes no digit
    shares = (most / whole[:, None])[back.reshape(-1)].reshape(stacked.shape)
    return Regions(shares[..., 0][()], shares[..., 1][()], shares[..., 2][()])


def _has_most(weights: FloatArray) -> FloatArray:
    """Return the probability that the first of three Gamma variables is the largest."""
    from scipy.special import gammainc, gammaln

    weight, rivals = weights[:, 0, None], weights[:, None, 1:]
    shape = np.where(weight > 0, weight, 1.0)
    lowest, highest = np.full((len(weights), 1), -60.0), np.log(weight + 12 * np.sqrt(weight + 1) + 60)
    for _ in range(2):  # first to see where there is anything, then to add it up
        grid = lowest + (highest - lowest) * np.linspace(0, 1, _POINTS)
        value = np.exp(grid)
        with np.errstate(divide="ignore"):  # no chance at all: the rival is larger
            below = np.log(gammainc(rivals, value[..., None])).sum(axis=-1)
        logs = shape * grid - value - gammaln(shape) + below
        step = (highest - lowest) / (_POINTS - 1)
        worth = logs > np.max(logs, axis=-1, keepdims=True) - 42
        ends = np.argmax(worth, axis=-1)[:, None], _POINTS - 1 - np.argmax(worth[:, ::-1], axis=-1)[:, None]
        total = np.exp(logs).sum(axis=-1) * step[:, 0]
        lowest, highest = lowest + (ends[0] - 1) * step, lowest + (ends[1] + 1) * step
    return np.where(weight[:, 0] > 0, total, 0.0)


# --- Signed ranks -------------------------------------------------------------------------------------


class _Positions(NamedTuple):
    """The numbers of sorted differences below a value, and at or below it."""

    below: IntArray
    within: IntArray


class _SumPositions(NamedTuple):
    """For every difference (and for the pseudo data set, which comes last) the positions of its sums with the others.

    Differences are in favour of the leader, so that swapping A and B changes no draw.
    """

    size: IntArray  # the number of differences
    low: _Positions  # of sums below −2·rope
    high: _Positions  # of sums below 2·rope
    turn: IntArray  # −1 where A leads; 0 where the differences are their own mirror image


def share_votes(
    table: ScoreTable, *, rope: float, prior: float, prior_at: PriorAt, resamples: int, rng: object
) -> Regions:
    """Return the shares of draws in which a region has the largest mass; tied regions share the draw.

    All entries of the table have the same draws, so that each has the same answer alone and among others. If the
    differences are symmetric, each draw counts together with its mirror image.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92], "tree": [0.85, 0.7, 0.9]})
    >>> share_votes(table, rope=0.0, prior=0.5, prior_at="rope", resamples=1000, rng=0).b_better > 0.5
    np.True_
    """
    total = np.zeros((3, *table.shape))
    for masses in rank_masses(table, rope=rope, prior=prior, prior_at=prior_at, resamples=resamples, rng=rng):
        best = masses.max(axis=0)
        first = masses >= best - _LEVEL
        total += (first / first.sum(axis=0)).sum(axis=-1)
    shares = total / resamples
    both = (shares[0] + shares[2]) / 2
    even = _orient_to_leader(table.steps()[0], prior_at) == 0
    a, b = (np.where(even, both, shares[region])[()] for region in (0, 2))
    return Regions(a, shares[1][()], b)


def rank_masses(
    table: ScoreTable, *, rope: float, prior: float, prior_at: PriorAt, resamples: int, rng: object
) -> Iterator[FloatArray]:
    """Yield the masses of the three regions by region, entry and draw, some draws at a time; they add up to 1.

    The mass where B is better is that of the pairs of data sets whose differences add up to more than twice the rope
    (Benavoli et al. 2017, section 4.2): Σ_ij w_i·w_j·[d_i + d_j > 2r], and half of it where they are equal.
    """
    rope, prior, position = as_size("rope", rope), as_prior(prior), one_of("prior_at", prior_at, PriorAt)
    resamples, generator = as_resamples(resamples), as_generator(rng)
    limits, datasets = _locate_sums(table, rope, position), len(table.datasets)
    # Divided by their sum the weights have a Dirichlet distribution. They are exchangeable, so the smallest difference
    # may have the first, and all entries share their cumulative sums.
    for size in block_sizes(resamples, max(64, _BLOCK // (datasets + 1))):
        prior_weights = generator.standard_gamma(prior, size)
        weights = generator.standard_exponential((datasets, size))
        yield _compute_masses(limits, weights, _cumulate_weights(weights), prior_weights, rope, position)


def _compute_masses(
    limits: _SumPositions,
    weights: FloatArray,
    upto: FloatArray,
    prior_weights: FloatArray,
    rope: float,
    position: PriorAt,
) -> FloatArray:
    """Return the masses of the three regions by region, entry and draw."""
    turned = np.asarray(limits.turn < 0)[..., None]
    data_mass = upto[limits.size]  # of all data sets
    low = _sum_mass_below(limits.low, weights, upto)
    high = data_mass * data_mass - (low if rope == 0 else _sum_mass_below(limits.high, weights, upto))
    if position == "rope":  # at no difference: half of it on either side, if there is no rope
        half = 0.5 * prior_weights * prior_weights if rope == 0 else 0.0
        low = low + 2 * prior_weights * _average_mass_below(upto, limits.low) + half
        high = high + 2 * prior_weights * (data_mass - _average_mass_below(upto, limits.high)) + half
    else:  # beyond all others
        beyond = prior_weights * (2 * data_mass + prior_weights)
        behind = turned != (position == "a")  # whether that is the side of the other learner
        low, high = np.where(behind, low + beyond, low), np.where(behind, high, high + beyond)
    whole = (data_mass + prior_weights) ** 2
    low, high = low / whole, high / whole
    middle = np.maximum(1 - low - high, 0.0) if rope > 0 else np.zeros_like(low)
    return np.stack([np.where(turned, high, low), middle, np.where(turned, low, high)])


def _cumulate_weights(weights: FloatArray) -> FloatArray:
    """Return the sums of the first 0, 1, 2, … rows; adding rows takes a tenth of the time of a cumulative sum."""
    upto = np.zeros((len(weights) + 1, *weights.shape[1:]))
    for index, row in enumerate(weights):
        np.add(upto[index], row, out=upto[index + 1])
    return upto


def _sum_mass_below(positions: _Positions, weights: FloatArray, upto: FloatArray) -> FloatArray:
    """Return Σ_i w_i·W_i with W_i the weight of the differences that with the i-th add up to less; of ties half."""
    below, within = (counts[..., :-1].reshape(-1, len(weights)) for counts in positions)
    ties = (below != within).any()
    masses = np.empty((len(below), weights.shape[-1]))
    for block in blocks(len(below), 4 * _BLOCK // weights.size):
        np.einsum("ij,nij->nj", weights, upto[below[block]], out=masses[block])
        if ties:
            masses[block] += np.einsum("ij,nij->nj", weights, upto[within[block]])
    return (0.5 * masses if ties else masses).reshape(*positions.below.shape[:-1], -1)


def _average_mass_below(upto: FloatArray, positions: _Positions) -> FloatArray:
    """Return the weight of the differences below the limit of the pseudo data set; of those at it half."""
    return 0.5 * (upto[positions.below[..., -1]] + upto[positions.within[..., -1]])


def _in_steps(table: ScoreTable, rope: float) -> tuple[FloatArray, FloatArray]:
    """Return the differences and the rope in whole steps, so that equal values compare equal."""
    whole, step = table.steps()
    return whole, np.round(rope / step)


def _orient_to_leader(whole: FloatArray, position: PriorAt) -> IntArray:
    """Return 1 if B leads, −1 if A does, 0 if the differences and the prior are symmetric."""
    ordered, mirrored = np.sort(whole, axis=-1), np.sort(-whole, axis=-1)
    prior_side = np.full(whole.shape[:-1], {"a": -1, "rope": 0, "b": 1}[position])
    return orientation(np.nansum(whole, axis=-1), ordered - mirrored, prior_side)


def _locate_sums(table: ScoreTable, rope: float, position: PriorAt) -> _SumPositions:
    """Return the positions of the sums of every two differences; missing ones come last, without weight."""
    whole, limit = _in_steps(table, rope)
    turn = _orient_to_leader(whole, position)
    ordered = np.sort(np.where(np.asarray(turn < 0)[..., None], -whole, whole), axis=-1)
    present = ~np.isnan(ordered)
    ordered = np.where(present, ordered, np.inf)
    rival = np.concatenate([ordered, np.zeros((*ordered.shape[:-1], 1))], axis=-1)
    low = _count_values_before(ordered, -2 * limit[..., None] - rival)
    high = low if rope == 0 else _count_values_before(ordered, 2 * limit[..., None] - rival)
    return _SumPositions(np.count_nonzero(present, axis=-1), low, high, turn)


def _count_values_before(ordered: FloatArray, limits: FloatArray) -> _Positions:
    """Return how many of the ordered values lie below each limit, and how many at or below it, for all entries."""
    size = limits.shape[-1]
    ways = ([limits, ordered], slice(None, size)), ([ordered, limits], slice(-size, None))
    return _Positions(*(_count_others_before(np.concatenate(both, axis=-1), which) for both, which in ways))


def _count_others_before(both: FloatArray, which: slice) -> IntArray:
    """Return the number of other values before each of `which`; equal ones in the order of the arguments."""
    order = np.argsort(both, axis=-1, kind="stable")
    ours = np.zeros(both.shape[-1], dtype=bool)
    ours[which] = True
    counts = np.empty(both.shape, dtype=np.int64)
    np.put_along_axis(counts, order, np.cumsum(~ours[order], axis=-1), axis=-1)
    return counts[..., which]
