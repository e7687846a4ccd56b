"""From a table of runs to draws from the posterior of the next data set: units, priors and draws."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import ScoreTable
from ...numerics.convergence import agreement, effective_draws
from ...numerics.rounding import unit, without_rounding
from ...typing_ import FloatArray, IntArray, as_generator
from ..loss_scale import scale
from .differences import as_whole
from .hierarchical_sampler import CHAINS, Model, draw

DRAWS = 10_000
_FAR = 10  # for metrics without a range: the prior of δ₀ reaches to so many times the largest difference of a run
_REMEMBERED = 100_000  # draws of a table that may be cached: 64 times as many take some 150 MB
_STEADY = 1e-3  # of the standard deviation of data sets: any smaller share gives the same answer
_WIDE = 1000  # times the observed spread: the ends of the uniform priors of standard deviations (Corani et al. 2017)


class PosteriorDraws(NamedTuple):
    """Draws of the distribution of the next difference: Student(centre, spread, freedom), in units of the loss."""

    centre: FloatArray
    spread: FloatArray
    freedom: FloatArray
    agreement: float  # split R-hat, of the worst of the three
    effective: float  # effective sample size, likewise


def as_draws(draws: Any) -> int:
    """Return the number of draws, or raise InvalidOption if it is not one.

    Examples
    --------
    >>> as_draws(1000)
    1000
    """
    least = 4 * CHAINS  # two steps in each half of a chain, the fewest that show whether chains agree
    return as_whole("draws", draws, least, 10**7, f"from {least} to ten million")


def draw_posteriors(
    table: ScoreTable, *, rho: float | None, draws: int, rng: Any
) -> Iterator[tuple[tuple[int, ...], PosteriorDraws]]:
    """Yield the index and the posterior of each table in which runs or data sets vary.

    Each table has its own chains and draws, so that it has the same answer alone and among others; the chains and the
    data sets of a table are vectorised.

    Examples
    --------
    >>> runs = np.random.default_rng(8).normal(0.02, 0.01, (6, 10))
    >>> table = ScoreTable.from_scores({"A": np.zeros((6, 10)), "B": runs}, rho=0.1)
    >>> ((index, posterior),) = draw_posteriors(table, rho=None, draws=1000, rng=0)
    >>> posterior.centre.size, bool(posterior.agreement < 1.05)
    (1000, True)
    """
    shared = table.runs_of("hierarchical", rho)
    means, deviations, runs = summarise_runs(table)
    single = (runs == 1).reshape(-1, runs.shape[-1]).any(axis=0)
    if single.any():
        raise InvalidEvidence(
            "method 'hierarchical' needs 2 runs or more of both learners on every data set, got 1 on"
            f" {table.datasets[int(np.argmax(single))]!r}. Use method='wilcoxon-signed-rank', or leave it out."
        )
    most = table.range[1]
    reach = most if np.isfinite(most) else _FAR * np.nanmax(np.abs(table.values), axis=(-2, -1), initial=0.0)
    reach, size = np.broadcast_to(reach, table.shape), np.broadcast_to(scale(table), table.shape)
    for index in np.ndindex(table.shape):
        scored = runs[index] > 0
        means_here = means[index][scored]
        spread = _replace_zero_deviations(means_here, deviations[index][scored], size[index])
        if (spread > 0).any():
            model, unit_size = _in_one_unit(
                means_here, spread, runs[index][scored], shared[scored], float(reach[index])
            )
            posterior = _draw_posterior(model, draws, rng)
            yield (
                index,
                posterior._replace(centre=posterior.centre * unit_size, spread=posterior.spread * abs(unit_size)),
            )


def summarise_runs(table: ScoreTable) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return mean, standard deviation and number of the differences of runs, by data set.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"A": [[0.5, 0.5], [0.75, 0.5]], "B": [[0.75, 0.25], [0.5, None]]})
    >>> means, deviations, runs = summarise_runs(table)
    >>> means, deviations.round(3), runs
    (array([ 0.  , -0.25]), array([0.354, 0.   ]), array([2, 1]))
    """
    values = table.values
    runs = np.count_nonzero(~np.isnan(values), axis=-1)
    means = np.nansum(values, axis=-1) / np.maximum(runs, 1)
    size = np.asarray(scale(table))[..., None]
    unit_size = unit(size)  # in which squares neither overflow nor vanish
    centred = (values - means[..., None]) / unit_size[..., None]
    deviations = np.sqrt(np.nansum(centred * centred, axis=-1) / np.maximum(runs - 1, 1)) * unit_size
    return without_rounding(means, size), without_rounding(deviations, size), runs


def _draw_posterior(model: Model, draws: int, rng: Any) -> PosteriorDraws:
    """Return the draws of one table in the unit of its model."""
    if type(rng) is not int or draws > _REMEMBERED:  # a generator gives other draws the next time
        return _draw_afresh(model, draws, rng)
    parts = tuple(tuple(field.tolist()) if isinstance(field, np.ndarray) else field for field in model)
    return _draw_and_cache(parts, draws, rng)


@lru_cache(maxsize=64)
def _draw_and_cache(model: tuple[Any, ...], draws: int, seed: int) -> PosteriorDraws:
    """Return the draws of this seed from this model; a test and its interval share them.

    The arguments are all that they depend on, so that an answer does not depend on earlier ones.
    """
    parts: list[Any] = [np.array(field) if isinstance(field, tuple) else field for field in model]
    return _draw_afresh(Model(*parts), draws, seed)


def _draw_afresh(model: Model, draws: int, rng: Any) -> PosteriorDraws:
    drawn = draw(model, draws, as_generator(rng))
    judged = (drawn.centre, np.log(drawn.spread), np.log(drawn.freedom))
    centre, spread, freedom = (field.ravel()[:draws] for field in drawn)
    freedom.flags.writeable = False  # the cache shares it
    return PosteriorDraws(centre, spread, freedom, max(map(agreement, judged)), min(map(effective_draws, judged)))


def _replace_zero_deviations(means: FloatArray, deviations: FloatArray, size: FloatArray) -> FloatArray:
    """Return the standard deviations of runs; if all are 0, a thousandth of that of the data sets.

    This is the limit of ever smaller variances of the runs. All are 0 if the data sets do not differ either, apart from
    rounding.
    """
    if (deviations > 0).any() or not without_rounding(np.ptp(means), size) > 0:
        return deviations
    return np.full(means.shape, _STEADY * float(means.std(ddof=1)))


def _in_one_unit(
    means: FloatArray, deviations: FloatArray, runs: IntArray, shared: FloatArray, reach: float
) -> tuple[Model, float]:
    """Return the model of one table, in units of the mean standard deviation of runs (as Corani et al. 2017).

    The unit, returned with it, converts draws back to the size and the sign of the losses.
    """
    smallest = deviations[deviations > 0].min()  # runs without variance get the smallest of the others
    deviations = np.where(deviations > 0, deviations, smallest)
    size = float(deviations.mean())
    first = means.sum() or next(iter(means[means != 0]), 1.0)
    unit = -size if first < 0 else size  # swapping A and B changes the sign of the draws alone
    shares = shared + (1 - shared) / runs
    scaled, within = means / unit, deviations / size
    among = float(scaled.std(ddof=1)) if scaled.size > 1 else 1.0
    model = Model(
        means=scaled,
        squares=within * within * (runs - 1) / (1 - shared),
        runs=runs.astype(float),
        shares=shares,
        least=-reach / size,
        most=reach / size,
        top=_WIDE * max(among, float(np.sqrt(np.median(shares)))),  # data sets may agree by chance
        top_within=float(_WIDE),
    )
    return model, unit
