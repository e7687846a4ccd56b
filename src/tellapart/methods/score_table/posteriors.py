"""What data sets tell of the next one: weights drawn for them, and where their mass lies.

The model of Benavoli et al. (2014, 2017): the data sets at hand, and a pseudo data set that stands for what is believed
before them, have unknown weights, which a Dirichlet distribution draws. Each draw says how much mass lies where A is
better, where neither is in practice and where B is; it votes for the region that has most.
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
_BLOCK = 2**17  # numbers that are held at once: they stay near the processor
_POINTS = 400  # of the integral: its step is a small part of the width of what it adds up


class Regions(NamedTuple):
    """Where A is better, where neither is in practice, and where B is."""

    a_better: FloatArray
    equivalent: FloatArray
    b_better: FloatArray


def as_prior(prior: float) -> float:
    """Return how many data sets the pseudo data set is worth, or say what it must be.

    Examples
    --------
    >>> as_prior(0.5)
    0.5
    """
    if isinstance(prior, bool) or not (isinstance(prior, int | float | np.number) and 0 < prior < np.inf):
        raise InvalidOption(
            f"prior must be the weight of the pseudo data set, above 0, but is {prior!r}. Half a data set is prior=0.5."
        )
    return float(prior)


# --- Signs --------------------------------------------------------------------------------------------


def sign_counts(table: ScoreTable, rope: float, prior: float, prior_at: PriorAt) -> Regions:
    """Return on how many data sets A is better, neither is by more than the rope, and B is; with the pseudo data set.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92], "tree": [0.85, 0.7, 0.9]})
    >>> [count.item() for count in sign_counts(table, 0.03, 1.0, "rope")]
    [0.0, 3.0, 1.0]
    """
    rope, prior, place = as_size("rope", rope), as_prior(prior), one_of("prior_at", prior_at, PriorAt)
    counts = zip(("a", "rope", "b"), count_wins(*_in_steps(table, rope)), strict=True)
    return Regions(*(np.asarray(count + (prior if place == name else 0.0))[()] for name, count in counts))


def dirichlet_regions(weights: Regions) -> Regions:
    """Return how probable it is that a region has most of the mass, whose shares are Dirichlet with these weights.

    Shares are Gamma variables over their sum, so region b has most with probability E[F_a(X)·F_e(X)] for X of
    Gamma(b), an integral over the logarithm of X. What it adds up fades away on both sides, so the trapezoidal rule has
    all digits. A region without any weight has no mass.

    Examples
    --------
    >>> found = dirichlet_regions(Regions(np.array(0.0), np.array(1.0), np.array(5.0)))
    >>> found.equivalent.round(5), found.b_better.round(5)  # 2⁻⁵, the p-value of five wins by the sign test
    (np.float64(0.03125), np.float64(0.96875))
    """
    stacked = np.stack(np.broadcast_arrays(*weights), axis=-1).astype(float)
    unique, back = np.unique(stacked.reshape(-1, 3), axis=0, return_inverse=True)  # a table of few signs has few
    most = np.stack([_has_most(np.roll(unique, -place, axis=-1)) for place in range(3)], axis=-1)
    whole = most[:, 0] + most[:, 2] + most[:, 1]  # A and B first: their order changes no digit
    found = (most / whole[:, None])[back.reshape(-1)].reshape(stacked.shape)
    return Regions(found[..., 0][()], found[..., 1][()], found[..., 2][()])


def _has_most(weights: FloatArray) -> FloatArray:
    """Return the probability that the first of three Gamma variables is the largest."""
    from scipy.special import gammainc, gammaln

    own, rivals = weights[:, 0, None], weights[:, None, 1:]
    shape = np.where(own > 0, own, 1.0)
    lowest, highest = np.full((len(weights), 1), -60.0), np.log(own + 12 * np.sqrt(own + 1) + 60)
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
    return np.where(own[:, 0] > 0, total, 0.0)


# --- Signed ranks -------------------------------------------------------------------------------------


class _Places(NamedTuple):
    """How many of the sorted differences lie below a value, and how many lie at or below it."""

    below: IntArray
    within: IntArray


class _Sums(NamedTuple):
    """For every difference (and for the pseudo data set, which comes last) where the sums with the others lie.

    Differences are in favour of whichever learner leads, so that exchanging A and B changes no draw.
    """

    known: IntArray  # how many differences there are
    low: _Places  # of sums below −2·rope
    high: _Places  # of sums below 2·rope
    turn: IntArray  # −1 where A leads; 0 where the differences are their own mirror image


def votes(table: ScoreTable, *, rope: float, prior: float, prior_at: PriorAt, resamples: int, rng: object) -> Regions:
    """Return the shares of draws in which a region has most of the mass; regions that have as much share a vote.

    Every entry of the table meets the same draws, so that it has the same answer alone and among others. Where the
    differences are their own mirror image, so is every draw as likely as its mirror image, and both vote.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92], "tree": [0.85, 0.7, 0.9]})
    >>> votes(table, rope=0.0, prior=0.5, prior_at="rope", resamples=1000, rng=0).b_better > 0.5
    np.True_
    """
    total = np.zeros((3, *table.shape))
    for masses in rank_masses(table, rope=rope, prior=prior, prior_at=prior_at, resamples=resamples, rng=rng):
        best = masses.max(axis=0)
        first = masses >= best - _LEVEL
        total += (first / first.sum(axis=0)).sum(axis=-1)
    shares = total / resamples
    both = (shares[0] + shares[2]) / 2
    even = _turn(table.steps()[0], prior_at) == 0
    a, b = (np.where(even, both, shares[region])[()] for region in (0, 2))
    return Regions(a, shares[1][()], b)


def rank_masses(
    table: ScoreTable, *, rope: float, prior: float, prior_at: PriorAt, resamples: int, rng: object
) -> Iterator[FloatArray]:
    """Yield the masses of the three regions by region, entry and draw, some draws at a time; they add up to 1.

    The mass where B is better is that of the pairs of data sets whose differences add up to more than twice the rope
    (Benavoli et al. 2017, section 4.2): Σ_ij w_i·w_j·[d_i + d_j > 2r], and half of it where they are equal.
    """
    rope, prior, place = as_size("rope", rope), as_prior(prior), one_of("prior_at", prior_at, PriorAt)
    resamples, generator = as_resamples(resamples), as_generator(rng)
    sums, many = _sums(table, rope, place), len(table.datasets)
    # Weights are those of a Dirichlet distribution once they are divided by their sum. They are the same whichever data
    # set they belong to, so the smallest difference may have the first, and all entries share the sums of them.
    for size in block_sizes(resamples, max(64, _BLOCK // (many + 1))):
        own = generator.standard_gamma(prior, size)
        weights = generator.standard_exponential((many, size))
        yield _masses(sums, weights, _added_up(weights), own, rope, place)


def _masses(
    sums: _Sums, weights: FloatArray, upto: FloatArray, own: FloatArray, rope: float, place: PriorAt
) -> FloatArray:
    """Return the masses of the three regions by region, entry and draw."""
    turned = np.asarray(sums.turn < 0)[..., None]
    data = upto[sums.known]  # of all data sets
    low = _below(sums.low, weights, upto)
    high = data * data - (low if rope == 0 else _below(sums.high, weights, upto))
    if place == "rope":  # at no difference: half of it on either side, if that is no region of its own
        half = 0.5 * own * own if rope == 0 else 0.0
        low = low + 2 * own * _mean(upto, sums.low) + half
        high = high + 2 * own * (data - _mean(upto, sums.high)) + half
    else:  # beyond all others
        beyond = own * (2 * data + own)
        behind = turned != (place == "a")  # whether that is the side of the learner that does not lead
        low, high = np.where(behind, low + beyond, low), np.where(behind, high, high + beyond)
    whole = (data + own) ** 2
    low, high = low / whole, high / whole
    middle = np.maximum(1 - low - high, 0.0) if rope > 0 else np.zeros_like(low)
    return np.stack([np.where(turned, high, low), middle, np.where(turned, low, high)])


def _added_up(weights: FloatArray) -> FloatArray:
    """Return the sums of the first 0, 1, 2, … rows; adding rows takes a tenth of the time of a cumulative sum."""
    upto = np.zeros((len(weights) + 1, *weights.shape[1:]))
    for place, row in enumerate(weights):
        np.add(upto[place], row, out=upto[place + 1])
    return upto


def _below(places: _Places, weights: FloatArray, upto: FloatArray) -> FloatArray:
    """Return Σ_i w_i·W_i with W_i the weight of the differences that with the i-th add up to less; of ties half."""
    below, within = (each[..., :-1].reshape(-1, len(weights)) for each in places)
    ties = (below != within).any()
    found = np.empty((len(below), weights.shape[-1]))
    for part in blocks(len(below), 4 * _BLOCK // weights.size):
        np.einsum("ij,nij->nj", weights, upto[below[part]], out=found[part])
        if ties:
            found[part] += np.einsum("ij,nij->nj", weights, upto[within[part]])
    return (0.5 * found if ties else found).reshape(*places.below.shape[:-1], -1)


def _mean(upto: FloatArray, places: _Places) -> FloatArray:
    """Return the weight of the differences below the limit of the pseudo data set; of those at it half."""
    return 0.5 * (upto[places.below[..., -1]] + upto[places.within[..., -1]])


def _in_steps(table: ScoreTable, rope: float) -> tuple[FloatArray, FloatArray]:
    """Return the differences and the rope in whole steps, in which what is equal on paper is equal."""
    whole, step = table.steps()
    return whole, np.round(rope / step)


def _turn(whole: FloatArray, place: PriorAt) -> IntArray:
    """Return 1 where B leads, −1 where A does, 0 where the differences and the prior are their own mirror image."""
    ordered, mirrored = np.sort(whole, axis=-1), np.sort(-whole, axis=-1)
    believed = np.full(whole.shape[:-1], {"a": -1, "rope": 0, "b": 1}[place])
    return orientation(np.nansum(whole, axis=-1), ordered - mirrored, believed)


def _sums(table: ScoreTable, rope: float, place: PriorAt) -> _Sums:
    """Return where the sums of every two differences lie; what is missing comes last, and weighs nothing."""
    whole, limit = _in_steps(table, rope)
    turn = _turn(whole, place)
    ordered = np.sort(np.where(np.asarray(turn < 0)[..., None], -whole, whole), axis=-1)
    known = ~np.isnan(ordered)
    ordered = np.where(known, ordered, np.inf)
    rival = np.concatenate([ordered, np.zeros((*ordered.shape[:-1], 1))], axis=-1)
    low = _places(ordered, -2 * limit[..., None] - rival)
    high = low if rope == 0 else _places(ordered, 2 * limit[..., None] - rival)
    return _Sums(np.count_nonzero(known, axis=-1), low, high, turn)


def _places(ordered: FloatArray, limits: FloatArray) -> _Places:
    """Return how many of the ordered values lie below each limit, and how many at or below it, for all entries."""
    many = limits.shape[-1]
    ways = ([limits, ordered], slice(None, many)), ([ordered, limits], slice(-many, None))
    return _Places(*(_before(np.concatenate(both, axis=-1), which) for both, which in ways))


def _before(both: FloatArray, which: slice) -> IntArray:
    """Return how many of the other values come before each of `which`; of equal ones the first as they stand here."""
    order = np.argsort(both, axis=-1, kind="stable")
    ours = np.zeros(both.shape[-1], dtype=bool)
    ours[which] = True
    counts = np.empty(both.shape, dtype=np.int64)
    np.put_along_axis(counts, order, np.cumsum(~ours[order], axis=-1), axis=-1)
    return counts[..., which]
