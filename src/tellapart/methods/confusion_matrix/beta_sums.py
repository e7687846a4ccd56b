"""Quantiles of a sum of independent Beta variables, by convolution on a grid, without simulation.

The mass of each variable is assigned to the nodes of a common grid such that mass and mean of every piece between two
nodes are kept; the masses of the sum are the product of the transforms. With four thousand nodes the quantiles are
accurate to six decimals, and to nine if no density is infinite at an end.

A transform has sixteen digits of the largest mass, so a far tail has none. There the masses are tilted first:
multiplied by e^(-λk) at the point k, with λ such that the sum is centred at its quantile, and tilted back afterwards.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...numerics.distributions import beta_at_most, beta_front, beta_high, beta_low, ratio
from ...typing_ import BoolArray, FloatArray, IntArray

_POINTS = 4000
_NOTHING = 1e-8  # probability beyond the grid, relative to that beyond the quantile
_AT_ONCE = 128  # entries whose grids are in memory at once
_FAINT = 1e-5  # probabilities below which masses are tilted
_FAINTEST = 1e-200  # below it SciPy's incomplete Beta function underflows, and a bound is used
_FINER = 4  # times as many nodes there: tilted masses have more curvature
_LEAST = 1e-307
_SCALE = 2.0**500  # of tilted masses, so that no product underflows


def sum_quantiles(a: Any, b: Any, counted: Any, probability: float) -> tuple[FloatArray, FloatArray]:
    """Return the lower and upper `each` quantile of the sum of Beta(a, b) variables over the last dimension.

    Parameters
    ----------
    a, b
        The parameters: a row of variables for each entry.
    counted
        Which of them are in the sum: at least one of a row.
    each
        The probability in either tail.

    Examples
    --------
    >>> low, high = sum_quantiles([[1.0, 1.0]], [[1.0, 1.0]], [[True, True]], 0.02)  # a triangle: x²/2 = 0.02
    >>> low.round(5), high.round(5)
    (array([0.2]), array([1.8]))
    """
    a, b, counted = np.asarray(a, dtype=float), np.asarray(b, dtype=float), np.asarray(counted)
    low, high = np.empty(len(a)), np.empty(len(a))
    for start in range(0, len(a), _AT_ONCE):
        block = slice(start, start + _AT_ONCE)
        low[block], high[block] = _quantiles_of_block(a[block], b[block], counted[block], probability)
    return low, high


def _quantiles_of_block(
    a: FloatArray, b: FloatArray, counted: BoolArray, probability: float
) -> tuple[FloatArray, FloatArray]:
    if probability < _FAINT:
        return _quantiles_in_tail(a, b, counted, probability), counted.sum(axis=-1) - _quantiles_in_tail(
            b, a, counted, probability
        )
    number = a.shape[-1]
    spent = _NOTHING * min(probability, 1 - probability) / number
    first, last = (np.where(counted, end(a, b, spent), 0.0) for end in (beta_low, beta_high))
    step = (last - first).sum(axis=-1) / _POINTS
    length = 2 ** math.ceil(math.log2(_POINTS + 2 * number + 1))  # every variable ends between two nodes
    product = np.ones((len(a), length // 2 + 1), dtype=complex)
    for index in range(number):
        masses = _masses_on_grid(a[:, index], b[:, index], first[:, index], last[:, index], step, length)
        product *= np.where(counted[:, index, None], np.fft.rfft(masses, axis=-1), 1.0)
    masses, origin = np.fft.irfft(product, n=length, axis=-1), first.sum(axis=-1)
    # The masses up to a point are what lies below the middle between it and the next.
    most = counted.sum(axis=-1)
    below = (_find_crossing(masses, most, probability) + 0.5) * step + origin
    above = (length - 1.5 - _find_crossing(masses[:, ::-1], most, probability)) * step + origin
    return np.clip(below, 0.0, most), np.clip(above, 0.0, most)


def _quantiles_in_tail(a: FloatArray, b: FloatArray, counted: BoolArray, probability: float) -> FloatArray:
    """Return the lower quantile of the sums for very small probabilities."""
    number, variables = a.shape[-1], counted.sum(axis=-1)
    first = np.where(counted, beta_low(a, b, _NOTHING * probability / number), 0.0)
    # If every variable is below its own quantile, the sum is below the sum of the quantiles.
    shares = np.exp(math.log(probability) / variables[:, None])
    bound = np.where(counted, beta_low(a, b, shares), 0.0).sum(axis=-1)
    if probability < _FAINTEST:  # if the sum is below the sum of these quantiles, one variable is below its own
        least: FloatArray = np.where(counted, beta_low(a, b, probability / number), 0.0).sum(axis=-1)
        return least
    # No variable exceeds that bound if the sum is small, nor its own upper quantile.
    last = np.where(counted, np.minimum(beta_high(a, b, _NOTHING**2), 1.05 * bound[:, None]), 0.0)
    points = _FINER * _POINTS
    step = (last - first).sum(axis=-1) / points
    length = 2 ** math.ceil(math.log2(points + 2 * number + 1))
    at = np.arange(length)
    grids = []
    for index in range(number):  # each up to its last point, with its own scale
        masses = _masses_on_grid(a[:, index], b[:, index], first[:, index], np.ones(len(a)), step, length)
        beyond = at > np.ceil((last[:, index] - first[:, index]) / step)[:, None]
        grids.append(np.where(counted[:, [index]], np.where(beyond, 0.0, masses), at == 0) * _SCALE)
    tilt = _find_tilt(grids, math.log(probability) + number * math.log(_SCALE))
    damped = np.exp(-tilt[:, None] * at)
    product, log_size = np.ones((len(a), length // 2 + 1), dtype=complex), np.full(len(a), -math.log(probability))
    for masses in grids:
        size = np.maximum((masses * damped).sum(axis=-1), _LEAST)
        product *= np.fft.rfft(masses * damped / size[:, None], axis=-1)
        log_size += np.log(size) - math.log(_SCALE)
    tilted = np.maximum(np.fft.irfft(product, n=length, axis=-1), 0.0)
    # In units of the required probability. Beyond the quantile the factor is capped, to avoid amplifying noise.
    masses = tilted * np.exp(np.minimum(log_size[:, None] + tilt[:, None] * at, 20.0))
    quantile = (_find_crossing(masses, variables, 1.0) + 0.5) * step + first.sum(axis=-1)
    inside: FloatArray = np.where(variables == 1, bound, np.clip(quantile, 0.0, bound))
    return inside


def _find_tilt(grids: list[FloatArray], log_each: float) -> FloatArray:
    """Return λ for each row, such that the tilted sum is centred where Chernoff's bound of the tail is `each`.

    With M(λ) the logarithm of the mean of e^(-λk), and k̄ = -M'(λ) the tilted mean, the bound is exp(M + λk̄).
    """
    at = np.arange(grids[0].shape[-1], dtype=float)
    low, high = np.full(len(grids[0]), -20.0), np.full(len(grids[0]), 4.0)  # of log λ
    for _ in range(25):
        middle = (low + high) / 2
        damped = np.exp(-np.exp(middle)[:, None] * at)
        bound = np.zeros(len(middle))
        for masses in grids:
            size = (masses * damped).sum(axis=-1)
            with np.errstate(divide="ignore", invalid="ignore"):  # tilted so far that all masses underflow
                bound += np.log(size) + np.exp(middle) * (masses * damped * at).sum(axis=-1) / size
        far = ~(bound >= log_each)
        low, high = np.where(far, low, middle), np.where(far, middle, high)
    tilt: FloatArray = np.exp(low)
    return tilt


def _masses_on_grid(
    a: FloatArray, b: FloatArray, first: FloatArray, last: FloatArray, step: FloatArray, length: int
) -> FloatArray:
    """Return the masses of one variable at first, first + step, …: the integral of hat functions times its density.

    Between two nodes, x ∈ [u, v], the density has the mass Δ I(x; a, b), and the moment around u of
    (a/(a + b) − u)·mass − Δ front/(a + b), front being x^a (1 − x)^b/B(a, b).
    """
    points = first[:, None] + step[:, None] * np.arange(length + 1)
    inside = (points > 0) & (points < last[:, None])
    rows = np.nonzero(inside)[0]
    reached = (points >= last[:, None]).astype(float)
    reached[inside] = beta_at_most(a[rows], b[rows], points[inside])
    within = np.where(inside, points, 0.5)
    with np.errstate(divide="ignore", under="ignore"):  # logarithms of 0 that are not used
        front = np.where(inside, beta_front(a[:, None], b[:, None], within), 0.0)
    mass = np.diff(reached, axis=-1)
    moment = ((a / (a + b))[:, None] - points[:, :-1]) * mass - np.diff(front, axis=-1) / (a + b)[:, None]
    onwards = np.clip(moment / step[:, None], 0.0, mass)
    masses: FloatArray = mass - onwards
    masses[:, 1:] += onwards[:, :-1]
    masses[:, 0] += reached[:, 0]  # mass below the grid is assigned to its first point
    return masses


def _find_crossing(masses: FloatArray, variables: IntArray, probability: float) -> FloatArray:
    """Return the point, in steps, at which the distribution of a sum of variables reaches `each`.

    Every hat adds a sixth of a squared step to the variance, and midnodes subtract a twelfth: half of that, `smear`,
    times the second derivative is the error of the sums.
    """
    bends = np.diff(masses, axis=-1, append=0.0)
    smear = variables / 12 - 1 / 24
    sums = np.cumsum(masses, axis=-1) - smear[:, None] * bends
    after = np.clip((sums < probability).sum(axis=-1), 1, masses.shape[-1] - 1)
    rows = np.arange(len(masses))
    before, here = sums[rows, after - 1], sums[rows, after]
    fraction = np.clip(ratio(probability - before, here - before, empty=1.0), 0.0, 1.0)
    # Quadratic interpolation between two nodes.
    bend = ratio((bends[rows, after - 1] + bends[rows, after]) / 2, here - before, empty=0.0)
    crossing: FloatArray = (
        after - 1 + np.clip(fraction + fraction * (1 - fraction) / 2 * np.clip(bend, -1.0, 1.0), 0.0, 1.0)
    )
    return crossing
