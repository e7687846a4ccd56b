"""From a table of runs to draws of what the next data set would show: data in one unit, priors, and their draws."""

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
_FAR = 10  # where the metric has no range: how far beyond the largest difference of a run δ₀ is looked for
_REMEMBERED = 100_000  # draws of a table up to which they may be kept: 64 times as many are some 150 MB
_STEADY = 1e-3  # of the standard deviation of data sets: the answer is that of any smaller part
_WIDE = 1000  # how far beyond what is seen the uniform priors of standard deviations reach (Corani et al. 2017)


class Posterior(NamedTuple):
    """Draws of what the next data set's difference is: Student(centre, spread, freedom), in units of the loss."""

    centre: FloatArray
    spread: FloatArray
    freedom: FloatArray
    agreement: float  # split R-hat, of the worst of the three
    effective: float  # how many independent draws they are worth, likewise


def as_draws(draws: Any) -> int:
    """Return how many draws to make, or say what such a number is.

    Examples
    --------
    >>> as_draws(1000)
    1000
    """
    least = 4 * CHAINS  # two steps in each half of a chain: below, nobody could say whether chains agree
    return as_whole("draws", draws, least, 10**7, f"from {least} to ten million")


def posteriors(
    table: ScoreTable, *, rho: float | None, draws: int, rng: Any
) -> Iterator[tuple[tuple[int, ...], Posterior]]:
    """Yield the place and the posterior of each table in which runs or data sets have any spread.

    Tables are taken one by one, each with chains and draws of its own, so that it has the same answer alone and among
    others; what is vectorised are the chains and the data sets of one.

    Examples
    --------
    >>> runs = np.random.default_rng(8).normal(0.02, 0.01, (6, 10))
    >>> table = ScoreTable.from_scores({"A": np.zeros((6, 10)), "B": runs}, rho=0.1)
    >>> ((place, found),) = posteriors(table, rho=None, draws=1000, rng=0)
    >>> found.centre.size, bool(found.agreement < 1.05)
    (1000, True)
    """
    shared = table.runs_of("hierarchical", rho)
    means, deviations, runs = summaries(table)
    lonely = (runs == 1).reshape(-1, runs.shape[-1]).any(axis=0)
    if lonely.any():
        raise InvalidEvidence(
            "method 'hierarchical' needs two runs or more of both learners on every data set, but"
            f" {table.datasets[int(np.argmax(lonely))]!r} has one. Leave it out by only(…), or take"
            " method='wilcoxon-signed-rank', which needs one."
        )
    most = table.range[1]
    reach = most if np.isfinite(most) else _FAR * np.nanmax(np.abs(table.values), axis=(-2, -1), initial=0.0)
    reach, size = np.broadcast_to(reach, table.shape), np.broadcast_to(scale(table), table.shape)
    for place in np.ndindex(table.shape):
        there = runs[place] > 0
        known = means[place][there]
        spread = _steadied(known, deviations[place][there], size[place])
        if (spread > 0).any():
            model, unit = _in_one_unit(known, spread, runs[place][there], shared[there], float(reach[place]))
            found = _draw(model, draws, rng)
            yield place, found._replace(centre=found.centre * unit, spread=found.spread * abs(unit))


def summaries(table: ScoreTable) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return mean and standard deviation of the differences of runs by data set, and how many runs there are.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"A": [[0.5, 0.5], [0.75, 0.5]], "B": [[0.75, 0.25], [0.5, None]]})
    >>> means, deviations, runs = summaries(table)
    >>> means, deviations.round(3), runs
    (array([ 0.  , -0.25]), array([0.354, 0.   ]), array([2, 1]))
    """
    values = table.values
    runs = np.count_nonzero(~np.isnan(values), axis=-1)
    means = np.nansum(values, axis=-1) / np.maximum(runs, 1)
    size = np.asarray(scale(table))[..., None]
    one = unit(size)  # in which squares neither overflow nor vanish
    apart = (values - means[..., None]) / one[..., None]
    deviations = np.sqrt(np.nansum(apart * apart, axis=-1) / np.maximum(runs - 1, 1)) * one
    return without_rounding(means, size), without_rounding(deviations, size), runs


def _draw(model: Model, draws: int, rng: Any) -> Posterior:
    """Return the draws of one table in the unit of its model."""
    if type(rng) is not int or draws > _REMEMBERED:  # a generator gives other draws the next time
        return _drawn(model, draws, rng)
    parts = tuple(tuple(part.tolist()) if isinstance(part, np.ndarray) else part for part in model)
    return _remembered(parts, draws, rng)


@lru_cache(maxsize=64)
def _remembered(model: tuple[Any, ...], draws: int, seed: int) -> Posterior:
    """Return the draws that this seed makes from this model: a test and its interval share them, and none else could.

    All that they depend on is asked for, so that an answer is the same whatever was answered before.
    """
    parts: list[Any] = [np.array(part) if isinstance(part, tuple) else part for part in model]
    return _drawn(Model(*parts), draws, seed)


def _drawn(model: Model, draws: int, rng: Any) -> Posterior:
    drawn = draw(model, draws, as_generator(rng))
    judged = (drawn.centre, np.log(drawn.spread), np.log(drawn.freedom))
    centre, spread, freedom = (part.ravel()[:draws] for part in drawn)
    freedom.flags.writeable = False  # those who ask again share it
    return Posterior(centre, spread, freedom, max(map(agreement, judged)), min(map(effective_draws, judged)))


def _steadied(means: FloatArray, deviations: FloatArray, size: FloatArray) -> FloatArray:
    """Return the standard deviations of runs; runs without any vary by a thousandth of what the data sets do.

    So each data set counts for what it shows, as it does in the limit of ever steadier runs. All are 0 where the data
    sets do not differ either, but for rounding.
    """
    if (deviations > 0).any() or not without_rounding(np.ptp(means), size) > 0:
        return deviations
    return np.full(means.shape, _STEADY * float(means.std(ddof=1)))


def _in_one_unit(
    means: FloatArray, deviations: FloatArray, runs: IntArray, shared: FloatArray, reach: float
) -> tuple[Model, float]:
    """Return the model of one table, in units of the mean standard deviation of runs (as Corani et al. 2017).

    The unit, which comes with it, brings draws back to the size and the sign of the losses.
    """
    smallest = deviations[deviations > 0].min()  # runs that never differ vary no less than the steadiest others do
    deviations = np.where(deviations > 0, deviations, smallest)
    size = float(deviations.mean())
    first = means.sum() or next(iter(means[means != 0]), 1.0)
    unit = -size if first < 0 else size  # A and B exchanged are the same draws with the other sign
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
        top=_WIDE * max(among, float(np.sqrt(np.median(shares)))),  # data sets that agree may not always do
        top_within=float(_WIDE),
    )
    return model, unit
