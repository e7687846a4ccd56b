"""Draws from the posterior of the hierarchical model of Corani et al. 2017, by Gibbs steps over many chains at once.

Run differences of data set i have mean δᵢ, standard deviation σᵢ and correlation ρᵢ, so that their mean x̄ᵢ and their
squared deviations are all that has to be known of them: x̄ᵢ ~ N(δᵢ, σᵢ²(ρᵢ + (1 − ρᵢ)/nᵢ)), and the squares are
σᵢ²(1 − ρᵢ) times a chi-square with nᵢ − 1 degrees of freedom. The δᵢ are Student(δ₀, σ₀, ν), which is a normal whose
variance σ₀²wᵢ is drawn for each data set. Three blocks take turns:

- σ₀, δ₀ and all δᵢ, given wᵢ and σᵢ: σ₀ first, with δ₀ and the δᵢ integrated out, so that it can go to 0 and come back;
- σᵢ, given δᵢ;
- σ₀, ν and all wᵢ, given the δᵢ: σ₀ and ν first, with the wᵢ integrated out.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from ...typing_ import BoolArray, FloatArray, IntArray

CHAINS = 32
_WARM_UP = 100  # steps of each chain that are not kept
_WINDOW = 16  # candidates for σ₀ or ν in a step
# Between what the distance of candidates is drawn, on a log scale: for σ₀ relative to what it is known by, for ν fixed.
_STEPS_OF_SPREAD, _STEPS_OF_FREEDOM = (0.4, 3.0), (0.2, 0.8)
_SLANT = 0.15  # how much σ₀ moves with ν, on log scales
# The hyperpriors of the degrees of freedom: ν − 1 ~ Gamma(shape, rate), shape and rate uniform between these, as in the
# code of Corani et al. 2017; baycomp has 1 to 2 and 0.01 to 0.1, which hardly matters to anything but ν.
SHAPES, RATES = (0.5, 5.0), (0.05, 0.15)


class Model(NamedTuple):
    """The summaries of the data sets of one table, and the ends of the uniform priors, in one unit."""

    means: FloatArray  # x̄, by data set (or by chain and data set, if every chain has data of its own)
    squares: FloatArray  # Σ(x − x̄)²/(1 − ρ), likewise
    runs: FloatArray  # n
    shares: FloatArray  # the variance of x̄ for σ = 1: ρ + (1 − ρ)/n
    least: float  # of δ₀
    most: float
    top: float  # of σ₀
    top_within: float  # of each σᵢ


class Draws(NamedTuple):
    """The parameters of the next difference, Student(centre, spread, freedom), by step and chain."""

    centre: FloatArray
    spread: FloatArray
    freedom: FloatArray


def draw(model: Model, count: int, rng: np.random.Generator) -> Draws:
    """Return at least `count` draws of δ₀, σ₀ and ν, by step and chain.

    Examples
    --------
    >>> twenty = np.linspace(-1, 3, 20)
    >>> model = Model(twenty, np.full(20, 9.0), np.full(20, 10.0), np.full(20, 0.19), -30.0, 30.0, 1000.0, 1000.0)
    >>> draws = draw(model, 2000, np.random.default_rng(0))
    >>> draws.centre.shape, round(float(draws.centre.mean()), 1)
    ((63, 32), 1.0)
    """
    steps = -(-count // CHAINS)
    kept = Draws(*(np.empty((steps, CHAINS)) for _ in range(3)))
    state = _draw_start(model, rng)
    for step in range(-_WARM_UP, steps):
        state = _take_step(model, state, rng)
        if step >= 0:
            kept.centre[step], kept.spread[step], kept.freedom[step] = state.centre, state.spread, state.freedom
    return kept


class _State(NamedTuple):
    centre: FloatArray  # δ₀ of each chain
    spread: FloatArray  # σ₀
    freedom: FloatArray  # ν
    weights: FloatArray  # w, by chain and data set
    within: FloatArray  # σ², by chain and data set


def _draw_start(model: Model, rng: np.random.Generator) -> _State:
    """Return starting states that are more dispersed than the posterior."""
    shape = (CHAINS, model.runs.size)
    among = max(float(np.std(model.means)), float(np.sqrt(np.median(model.squares / model.runs * model.shares))))
    spread = np.minimum(among * np.exp(rng.normal(0.0, 1.5, CHAINS)), model.top / 2)
    within = model.squares / (2 * rng.standard_gamma(np.broadcast_to(model.runs / 2, shape)))
    freedom = 1 + np.exp(rng.normal(2.5, 1.0, CHAINS))
    return _State(np.zeros(CHAINS), spread, freedom, np.ones(shape), np.minimum(within, model.top_within**2))


def _take_step(model: Model, state: _State, rng: np.random.Generator) -> _State:
    """Return the next state of every chain: each block is drawn given the others."""
    errors = model.shares * state.within
    spread = _draw_spread(model, state, errors, rng)
    centre, standing = _draw_centre(model, spread, state.weights, errors, rng)  # δᵢ = δ₀ + σ₀·standing
    deviations = model.means - centre[:, None] - spread[:, None] * standing
    rate = (model.squares + deviations * deviations / model.shares) / 2
    proposed = rate / rng.standard_gamma(np.broadcast_to((model.runs - 1) / 2, rate.shape))
    within = np.where(proposed <= model.top_within**2, proposed, state.within)  # the prior ends there
    spread, freedom, squares = _draw_spread_and_freedom(model, spread, state.freedom, standing * standing, rng)
    halves = (freedom[:, None] + 1) / 2
    weights = (freedom[:, None] + squares) / (2 * rng.standard_gamma(np.broadcast_to(halves, squares.shape)))
    spread, weights = _rescale_weights(model, spread, freedom, weights, rng)
    return _State(centre, spread, freedom, weights, within)


def _draw_spread(model: Model, state: _State, errors: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return σ₀ given w and σ, with δ₀ and the δᵢ integrated out; candidates stand on a lattice in log(1 + σ₀/unit)."""
    datasets = errors.shape[-1]
    unit = np.sqrt(np.median(errors, axis=-1) / datasets)
    low, high = _STEPS_OF_SPREAD
    positions = _lay_out_candidates(
        np.log1p(state.spread / unit), (low / math.sqrt(datasets), high / math.sqrt(datasets)), rng
    )
    most = np.log1p(model.top / unit)
    candidates = unit * np.expm1(np.clip(positions, 0.0, most))
    mean, precision, log_density = _integrate_means_out(model, candidates[..., None] ** 2, state.weights, errors)
    _, _, inside = _cut_at_prior_ends(model, mean, precision)
    log_density += inside + positions
    log_density[(positions <= 0) | (positions > most)] = -np.inf
    chosen: FloatArray = candidates[_choose_candidate(log_density, rng), np.arange(unit.size)]
    return chosen


def _integrate_means_out(
    model: Model, squared: FloatArray, weights: FloatArray, errors: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean and precision of δ₀ given σ₀, and the log density of the means, all other things integrated out."""
    precisions = 1 / (errors + squared * weights)
    precision = precisions.sum(axis=-1)
    mean = np.einsum("...i,...i", precisions, model.means) / precision
    squares = np.einsum("...i,...i", precisions, model.means * model.means) - mean * mean * precision
    return mean, precision, 0.5 * (np.log(precisions).sum(axis=-1) - np.log(precision) - squares)


def _cut_at_prior_ends(
    model: Model, mean: FloatArray, precision: FloatArray
) -> tuple[BoolArray, FloatArray, FloatArray]:
    """Return where the prior of δ₀ truncates its normal, from the side on which log probabilities are precise.

    These are whether it is the upper side, and the log probabilities before the near end and between the ends.
    """
    from scipy.special import log_ndtr

    root = np.sqrt(precision)
    low, high = (model.least - mean) * root, (model.most - mean) * root
    turned = low > 0  # all of the prior is in the upper tail
    before, upto = log_ndtr(np.where(turned, -high, low)), log_ndtr(np.where(turned, -low, high))
    return turned, before, upto + np.log1p(-np.exp(before - upto))


def _draw_centre(
    model: Model, spread: FloatArray, weights: FloatArray, errors: FloatArray, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return δ₀ given σ₀, and (δᵢ − δ₀)/σ₀ given both."""
    from scipy.special import ndtri_exp

    mean, precision, _ = _integrate_means_out(model, spread[:, None] ** 2, weights, errors)
    turned, before, inside = _cut_at_prior_ends(model, mean, precision)
    below = np.logaddexp(before, inside + np.log1p(-rng.random(mean.shape)))
    centre = mean + np.where(turned, -1.0, 1.0) * ndtri_exp(np.minimum(below, 0.0)) / np.sqrt(precision)
    centre = np.clip(centre, model.least, model.most)
    total = errors + spread[:, None] ** 2 * weights
    expected = spread[:, None] * weights * (model.means - centre[:, None]) / total
    return centre, expected + np.sqrt(errors * weights / total) * rng.standard_normal(total.shape)


def _draw_spread_and_freedom(
    model: Model, spread: FloatArray, freedom: FloatArray, squares: FloatArray, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return σ₀ and ν given the δᵢ, with the w integrated out, and the squares of (δᵢ − δ₀)/σ₀.

    A few data sets far out are either heavy tails or a large spread, so both are drawn together: candidates stand on a
    line of a random direction in log(ν − 1) and log σ₀.
    """
    from scipy.special import gammaln

    datasets = squares.shape[-1]
    moves = _lay_out_candidates(np.zeros(freedom.shape), _STEPS_OF_FREEDOM, rng)
    positions = np.log(freedom - 1) + moves
    nu = 1 + np.exp(np.clip(positions, -13.0, 9.0))
    slants = rng.normal(0.0, _SLANT, freedom.shape) * moves
    spreads = spread * np.exp(np.clip(slants, -30.0, 30.0))
    sums = np.log1p(squares / (nu * np.exp(2 * slants))[..., None]).sum(axis=-1)
    height = gammaln((nu + 1) / 2) - gammaln(nu / 2) - np.log(nu) / 2
    log_density = datasets * (height - slants) - (nu + 1) / 2 * sums + log_prior_of_freedom(nu) + positions + slants
    log_density[spreads > model.top] = -np.inf
    chosen = _choose_candidate(log_density, rng), np.arange(freedom.size)
    return spreads[chosen], nu[chosen], squares / np.exp(2 * slants[chosen])[:, None]


def _rescale_weights(
    model: Model, spread: FloatArray, freedom: FloatArray, weights: FloatArray, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return σ₀ and w with the variances σ₀²w divided anew between them, which the data do not determine.

    A factor u of σ₀² is 1/u for every w; given all products it is a Gamma variable (the generalised Gibbs step of Liu
    and Sabatti 2000).
    """
    rate = freedom * (1 / weights).sum(axis=-1) / 2
    factor = rng.standard_gamma((weights.shape[-1] * freedom + 1) / 2) / rate
    factor = np.where(spread * spread * factor <= model.top**2, factor, 1.0)  # the prior ends there
    return spread * np.sqrt(factor), weights / factor[:, None]


def _lay_out_candidates(positions: FloatArray, steps: tuple[float, float], rng: np.random.Generator) -> FloatArray:
    """Return candidates around the position of each chain, by candidate and chain.

    They form a lattice of a random step, in a window in which the position itself has a uniform index. Each of them
    would give the same window with the same probability, so that choosing by density leaves the posterior invariant.
    """
    step = np.exp(rng.uniform(math.log(steps[0]), math.log(steps[1]), positions.shape))
    offset = rng.integers(0, _WINDOW, positions.shape)
    candidates: FloatArray = positions + step * (np.arange(_WINDOW)[:, None] - offset)
    return candidates


def _choose_candidate(log_density: FloatArray, rng: np.random.Generator) -> IntArray:
    """Return the candidate of each chain, chosen with probability proportional to the density."""
    heaped = np.cumsum(np.exp(log_density - log_density.max(axis=0)), axis=0)
    chosen: IntArray = np.count_nonzero(heaped < rng.random(heaped.shape[1]) * heaped[-1], axis=0)
    return chosen


def log_prior_of_freedom(freedom: FloatArray) -> FloatArray:
    """Return the log density of ν before any data: the mean of Gamma densities of ν − 1 over all shapes and rates.

    Examples
    --------
    >>> places = np.linspace(-12, 8, 10_001)  # of log(ν − 1)
    >>> float((np.exp(log_prior_of_freedom(1 + np.exp(places)) + places).sum() * 0.002).round(4))
    1.0
    """
    places, heights = _tabulate_prior_of_freedom()
    return np.interp(np.log(freedom - 1), places, heights)


@cache
def _tabulate_prior_of_freedom() -> tuple[FloatArray, FloatArray]:
    """Return log(ν − 1) and the log prior density of ν there."""
    from scipy.special import gammaln

    (shapes, shares), (rates, weights) = (
        _place_quadrature_nodes(*ends, count) for ends, count in ((SHAPES, 32), (RATES, 8))
    )
    positions = np.linspace(-14.0, 9.0, 3001)
    shapes, rates = shapes[:, None, None], rates[:, None]
    gammas = np.exp(shapes * np.log(rates) + (shapes - 1) * positions - rates * np.exp(positions) - gammaln(shapes))
    with np.errstate(divide="ignore"):
        heights = np.log(np.einsum("i,j,ijk->k", shares, weights, gammas))
    return positions, heights


def _place_quadrature_nodes(low: float, high: float, count: int) -> tuple[FloatArray, FloatArray]:
    """Return the nodes of Gauss and Legendre between two ends, and weights that add up to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return (low + high) / 2 + (high - low) / 2 * nodes, weights / 2
