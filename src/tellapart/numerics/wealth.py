"""Wealth of bets on the difference of two error rates: mixtures of bets on W ∈ {−1, 0, 1}, integrated in logarithms.

W is 1 if only A is wrong, −1 if only B is wrong, else 0. A bet that is fair if the mean of W is δ multiplies its
capital by 1 + λ(W − δ). Capital that is divided among many λ grows as their mixture.

The integrands are log-concave in λ, with a single peak. A Gauss-Legendre rule on either side of it, with nodes
transformed by sinh, is accurate for the narrow peak of a billion examples and for the long exponential tail of a few.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..typing_ import FloatArray, Numbers
from .log_tails import log_beta_tail
from .roots import solve

# A function of b, c, n and δ of every table (vectors) and κ of the prior that returns log E and its slope in δ.
Wealth = Callable[[Any, Any, Any, Any, float], tuple[Any, Any]]
# A function of x, with one row of nodes per table, that returns the logarithm of an integrand and its slope in δ.
Integrand = Callable[[Any], tuple[Any, Any]]

_NODES = 56  # nodes on either side of the peak
# The drop of the logarithm of an integrand below its peak at which it is negligible, and the tolerance of that drop.
_DROP, _NEAR = 54.0, 16.0


def both_ways(b: Any, c: Any, n: Any, delta: Any, prior: float) -> tuple[Numbers, Numbers]:
    """Return log E(δ) of bets on a mean above or below δ, and its slope in δ.

    λ = −1/(1 − δ) + 2u/(1 − δ²) with u from Beta(κ, κ): no outcome reduces the capital to 0. For fixed u the logarithms
    of the factors 2u/(1 + δ), 2(1 − u)/(1 − δ) and (1 + δ − 2uδ)/(1 − δ²) are convex in δ, and so is that of the
    mixture: the values that are not rejected form an interval.

    Examples
    --------
    >>> log, _ = both_ways(*np.array([[10.0], [2.0], [100.0], [0.0]]), 1.0)
    >>> np.exp(log).round(6), round(2**12 / 858, 6)
    (array([4.773893]), 4.773893)
    """
    from scipy.special import betaln

    integrand, peak, scale = _combine_wagers(b, c, n, delta, prior)
    room = np.full(peak.shape, _negligible_distance(prior))
    log, slope = _log_integral(integrand, peak, scale, room, room)
    log = log + prior * np.log((1 - delta) * (1 + delta) / 4) - betaln(prior, prior)
    return log, slope - 2 * prior * delta / (1 - delta * delta)


def one_way(b: Any, c: Any, n: Any, delta: Any, prior: float) -> tuple[Numbers, Numbers]:
    """Return log E(δ) of bets on a mean above δ only, and its slope in δ; they lose on average if the mean is below δ.

    The prior of u is truncated at λ = 0. If E exceeds 1 it decreases with δ: at κ = 1 because every possible bet wins
    less, at other κ according to a search over tables and δ.

    Examples
    --------
    >>> log, _ = one_way(*np.array([[10.0], [2.0], [100.0], [0.0]]), 1.0)
    >>> np.exp(log).round(6)
    array([9.440559])
    """
    integrand, peak, scale = _combine_wagers(b, c, n, delta, prior)
    above, below = (1 + delta) / 2, (1 - delta) / 2
    # If the peak lies on the other side, the integrand decreases from x = 0 on, and its slope there is the scale.
    fall = (c + prior) * above - (b + prior) * below + (n - b - c) * delta / 2
    bend = (n + 2 * prior) * above * below - (n - b - c) / 4
    scale = np.where(peak > 0, scale, 1 / np.sqrt(np.maximum(fall, 0) ** 2 + np.maximum(bend, prior / 4)))
    peak = np.maximum(peak, 0.0)
    log, slope = _log_integral(integrand, peak, scale, peak, np.full(peak.shape, _negligible_distance(prior)))
    cut = _log_cut(above, below, prior)
    log = log - cut + np.log(above)
    return log, slope - 2 * prior * delta / (1 - delta * delta) + np.exp(-cut) / (2 * below)


def _combine_wagers(b: Any, c: Any, n: Any, delta: Any, prior: float) -> tuple[Integrand, Numbers, Numbers]:
    """Return the wealth of the bets times their prior as a function of x, its peak, and the width of the peak.

    In x, the log odds of u less those of the u at which λ is 0, the factors of W = 1, −1 and 0 are 1 + s, 1 − s and
    1, each over 1 + δs, with s = tanh(x/2).
    """
    rest, above, below = n - b - c, (1 + delta) / 2, (1 - delta) / 2
    first, second = b + prior, c + prior
    # The odds at the peak are the positive root of a quadratic equation whose terms do not cancel.
    middle = first * below - second * above - rest * delta
    root = np.sqrt(middle * middle + 4 * first * second * above * below)
    with np.errstate(divide="ignore"):  # in the unused formula
        odds = np.where(middle > 0, (middle + root) / (2 * second * above), 2 * first * below / (root - middle))
    even = odds / (1 + odds)
    curvature = (first * second + rest * (first * (1 - even) ** 2 + second * even**2)) / (n + 2 * prior)
    lone_a, lone_b, concordant, every, null = (column[:, None] for column in (b, c, rest, n + 2 * prior, delta))

    def integrand(x: Any) -> tuple[Numbers, Numbers]:
        s, less = np.tanh(x / 2), 2 / (1 + np.exp(np.abs(x)))  # less = 1 − |s|, to full accuracy
        plus, minus = np.where(x > 0, 1 + s, less), np.where(x > 0, less, 1 - s)
        mean = ((1 + null) * plus + (1 - null) * minus) / 2  # 1 + δs, a sum of positive terms
        gain, loss = (
            _log_near_one(plus / mean, s * (1 - null) / mean),
            _log_near_one(minus / mean, -s * (1 + null) / mean),
        )
        log = lone_a * gain + lone_b * loss - concordant * _log_near_one(mean, null * s) + prior * (gain + loss)
        return log, -every * s / mean

    return integrand, np.log(odds), 1 / np.sqrt(curvature)


def _log_cut(above: Any, below: Any, prior: float) -> Numbers:
    """Return the logarithm of the prior's probability beyond the cut, in units of its density there."""
    if prior == 1:  # a uniform distribution stays uniform
        return np.zeros(above.shape)
    near = log_beta_tail(prior, prior, np.minimum(below, 0.5), upper=False)
    return np.where(below < 0.5, near, log_beta_tail(prior, prior, np.minimum(above, 0.5), upper=True))


def _negligible_distance(prior: float) -> float:
    """Return a distance from the peak at which an integrand is negligible: its slope soon is −κ or steeper."""
    return _DROP / min(prior, 1.0) + 16


def _log_near_one(value: Any, excess: Any) -> Numbers:
    """Return log(value); `excess` is value − 1, which is more accurate near 1."""
    with np.errstate(invalid="ignore"):
        lost = np.where(np.abs(excess) < 0.5, (excess - (value - 1)) / value, 0.0)
    return np.log(value) + lost


def _log_integral(integrand: Integrand, peak: Any, scale: Any, left: Any, right: Any) -> tuple[Numbers, Numbers]:
    """Return the logarithm of an integral and its slope in δ; `left` and `right` are the ranges beside the peak."""
    height = integrand(peak[:, None])[0][:, 0]
    nodes, weights = _quadrature_rule()
    total, slope = np.zeros(peak.shape), np.zeros(peak.shape)
    for sign, room in ((-1, left), (1, right)):
        reach = np.arcsinh(_find_reach(integrand, peak, height, sign, scale, room) / scale)
        y = reach[:, None] * nodes
        log, bend = integrand(peak[:, None] + sign * scale[:, None] * np.sinh(y))
        mass = np.exp(log - height[:, None]) * np.cosh(y) * weights
        total += mass.sum(axis=1) * reach * scale
        slope += (mass * bend).sum(axis=1) * reach * scale
    return height + np.log(total), slope / total


def _find_reach(integrand: Integrand, peak: Any, height: Any, sign: int, scale: Any, room: Any) -> Numbers:
    """Return the distance from the peak at which the integrand is negligible, at most the room."""

    def drop(distance: Any) -> Numbers:
        return height - integrand((peak + sign * distance)[:, None])[0][:, 0]

    def step(distance: Any) -> tuple[Numbers, Numbers]:
        here = drop(distance)
        ahead = drop(distance * (1 + 2**-13))
        reach = np.abs(here - _DROP) < _NEAR
        return np.where(reach, 0.0, here - _DROP), distance + (_DROP - here) * distance * 2**-13 / (ahead - here)

    short = drop(room) <= _DROP + _NEAR
    reach = solve(step, np.minimum(10 * scale, room), np.where(short, room, 0.0), room)
    return np.where(short, room, reach)


@cache
def _quadrature_rule() -> tuple[FloatArray, FloatArray]:
    """Return the nodes and weights on (0, 1)."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2
