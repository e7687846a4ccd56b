"""Draws of the hierarchical model against quadrature, and against the laws of any sampler."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import signal, special, stats

from tellapart.evidence import ScoreTable
from tellapart.methods.score_table import hierarchical_sampler
from tellapart.methods.score_table.hierarchical import hierarchical
from tellapart.methods.score_table.hierarchical_sampler import Model, draw, log_prior_of_freedom
from tellapart.numerics.convergence import effective_draws


def some_model(means, deviations, runs, rho, reach, top):
    runs = np.broadcast_to(np.asarray(runs, dtype=float), np.shape(means))
    squares = np.asarray(deviations) ** 2 * (runs - 1) / (1 - rho)
    return Model(np.asarray(means), squares, runs, rho + (1 - rho) / runs, -reach, reach, top, 1000.0)


MODELS = {
    "alike, unevenly known": some_model(
        [0.1, 0.2, 0.15, 0.3, 0.12], [1.0, 0.7, 1.3, 0.5, 1.1], [5, 6, 8, 10, 12], 0.2, 2.0, 4.0
    ),
    "an outlier": some_model([0.1, 0.2, 0.15, 0.3, 0.2, 0.1, 5.0], [0.3] * 7, 10, 0.0, 8.0, 10.0),
    "three runs of each": some_model([0.5, 1.5, 1.0, 0.8], [0.3, 0.5, 0.4, 0.2], 3, 0.0, 2.0, 3.0),
}


def likelihoods(model, grid):
    """Return the likelihood of δᵢ, by place on the grid and data set, σᵢ integrated out: Student with n − 2."""
    scales = np.sqrt(model.shares * model.squares / (model.runs - 2))
    return stats.t.pdf(grid[:, None], model.runs - 2, model.means, scales)


def by_quadrature(own, grid, reach, top, rope):
    """Return E δ₀, E δ₀², P(δ₀ > 0), E σ₀, E σ₀², E log(ν − 1) by integrals, and the shares of votes.

    The likelihoods of the δᵢ, convolved with Student(0, σ₀, ν), are those of δ₀, σ₀ and ν. No step of it is one of the
    sampler's.
    """
    step, centres = grid[1] - grid[0], np.abs(grid) <= reach * (1 + 1e-9)
    roots = (np.arange(40) + 0.5) / 40
    spreads = roots**2 * top  # most of them where the posterior is
    nodes, weights = np.polynomial.legendre.leggauss(20)
    total, sums, centre = 0.0, np.zeros(9), grid[centres]
    for index, weight in zip(-2.5 + 9.0 * nodes, weights, strict=True):
        freedom = 1 + np.exp(index)
        prior = weight * np.exp(index) * _prior(freedom)
        edges = special.stdtr(freedom, (np.append(grid, grid[-1] + step) - step / 2) / spreads[:, None])
        for root, spread, kernel in zip(roots, spreads, np.diff(edges, axis=-1), strict=True):
            likelihood = signal.fftconvolve(own, kernel[:, None], mode="same", axes=0)[centres].prod(axis=-1)
            mass = prior * root * np.maximum(likelihood, 0)
            figures = [centre, centre**2, (centre > 0) + 0.5 * (centre == 0)]
            figures += [np.full(centre.shape, value) for value in (spread, spread**2, index)]
            total += mass.sum()
            sums += [(mass * figure).sum() for figure in (*figures, *votes(centre, spread, freedom, rope))]
    return sums / total


def votes(centre, spread, freedom, rope):
    a, b = (special.stdtr(freedom, (side * centre - rope) / spread) for side in (-1, 1))
    winner = np.argmax([a, 1 - a - b, b], axis=0)
    return [winner == region for region in range(3)]


def _prior(freedom):
    shapes, rates = 0.5 + 4.5 * (np.arange(400) + 0.5) / 400, 0.05 + 0.1 * (np.arange(40) + 0.5) / 40
    return stats.gamma.pdf(freedom - 1, shapes[:, None], scale=1 / rates).mean()


@pytest.mark.parametrize("name", MODELS)
def test_draws_are_those_of_the_posterior_by_quadrature(name):
    """Every figure within four standard errors of the integral (and the integral's own error)."""
    model, grid = MODELS[name], 0.02 * np.arange(-800, 801)
    expected = by_quadrature(likelihoods(model, grid), grid, model.most, model.top, 0.2)
    result = draw(model, 12_000, np.random.default_rng(5))
    figures = [result.centre, result.centre**2, result.centre > 0, result.spread, result.spread**2]
    figures += [np.log(result.freedom - 1), *votes(*result, 0.2)]
    for figure, value in zip(figures, expected, strict=True):
        error = figure.std() / np.sqrt(effective_draws(figure + 0.0))
        assert figure.mean() == pytest.approx(value, abs=4 * error + 0.003 * (1 + abs(value)))


def test_a_table_is_answered_as_by_the_density_that_the_authors_programmed():
    """From scores to votes: the multivariate normal of all runs, matrix and all, as baycomp's Stan file has it."""
    rng, rho, rope = np.random.default_rng(4), 0.2, 0.004
    runs = rng.normal(np.array([0.02, 0.0, 0.03, 0.01, -0.005])[:, None], 0.02, (5, 6))
    table = ScoreTable.from_scores({"A": 0.7 + 0 * runs, "B": 0.7 + runs}, metric="accuracy", bounds=(0, 1), rho=rho)
    matrix = np.linalg.inv(np.full((6, 6), rho) + (1 - rho) * np.eye(6))
    unit = runs.std(axis=1, ddof=1).mean()
    grid = 0.03 * np.arange(-900, 901)
    difference = runs[None] / unit - grid[:, None, None]
    forms = np.einsum(
        "gir,rs,gis->gi", difference, matrix, difference
    )  # ∫σ⁻ⁿ·exp(−form/2σ²)dσ goes with form^(−(n−1)/2)
    own = (forms / forms.min(axis=0)) ** -2.5
    # The priors reach to 1/unit and a thousand standard deviations; these are as good as that, as nothing is out there.
    expected = by_quadrature(own, grid, 20.0, 12.0, rope / unit)
    result = hierarchical(table, rope=rope, draws=12_000).test()
    shares = [result.practical.a_better, result.practical.equivalent, result.practical.b_better]
    assert_allclose(result.estimate, expected[0] * unit, atol=3e-4)
    assert_allclose(shares, expected[-3:], atol=0.016)
    assert_allclose(hierarchical(table, draws=12_000).test().statistic, expected[2], atol=0.012)


def test_simulated_truths_are_exchangeable_with_draws(monkeypatch):
    """Simulation-based calibration (Talts et al. 2018): truths from the prior rank evenly among draws given their data.

    Every chain has data of its own, so that one run of the sampler is 640 posteriors.
    """
    many, sets, runs, rho = 640, 4, 6, 0.1
    monkeypatch.setattr(hierarchical_sampler, "CHAINS", many)
    rng = np.random.default_rng(11)
    centre, spread = rng.uniform(-2, 2, (many, 1)), rng.uniform(0, 2, (many, 1))
    freedom = 1 + rng.gamma(rng.uniform(0.5, 5, (many, 1)), 1 / rng.uniform(0.05, 0.15, (many, 1)))
    within, share = rng.uniform(0, 2, (many, sets)), rho + (1 - rho) / runs
    truths = centre + spread * rng.standard_t(freedom, (many, sets))
    means = truths + within * np.sqrt(share) * rng.normal(size=(many, sets))
    squares = within**2 * rng.chisquare(runs - 1, (many, sets))
    model = Model(means, squares, np.full(sets, float(runs)), np.full(sets, share), -2.0, 2.0, 2.0, 2.0)
    result = draw(model, 60 * many, rng)
    for truth, draws in zip((centre, spread, freedom), result, strict=True):
        ranks = (draws[3::4] < truth[:, 0]).sum(axis=0)  # 0 to 15
        assert stats.chisquare(np.bincount(ranks, minlength=16)).pvalue > 0.001


def test_the_prior_of_the_degrees_of_freedom_is_a_mixture_of_gammas():
    for freedom in (1.01, 1.5, 3.0, 30.0, 150.0):
        assert_allclose(np.exp(log_prior_of_freedom(np.array(freedom))), _prior(freedom), rtol=2e-3)


def test_chains_forget_where_they_began():
    """From two data sets to many, all draws are worth at least one in twenty independent ones."""
    rng = np.random.default_rng(3)
    for sets, runs in ((2, 3), (54, 100)):
        model = some_model(rng.normal(0.2, 0.3, sets), rng.uniform(0.5, 1.5, sets), runs, 0.1, 20.0, 300.0)
        result = draw(model, 4800, np.random.default_rng(0))
        assert min(effective_draws(np.log(np.abs(part))) for part in result) > 240
