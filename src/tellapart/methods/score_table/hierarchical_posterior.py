"""From a table of runs to draws of what the next data set would show: data in one unit, priors, and what was drawn."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from math import inf
from typing import Any, NamedTuple

import numpy as np

from ...errors import InvalidEvidence, InvalidOption
from ...evidence import ScoreTable
from ...types import FloatArray, IntArray, as_generator
from ..rounding import scale, without_rounding
from .common import pair_of_learners
from .convergence import agreement, effective_draws
from .hierarchical_sampler import CHAINS, Model, draw

__all__ = ["DRAWS", "Convergence", "Posterior", "as_draws", "convergence", "posteriors", "summaries"]

DRAWS = 10_000
_FAR = 10  # where the metric has no range: how far beyond the largest difference of a run δ₀ is looked for
_WIDE = 1000  # how far beyond what is seen the uniform priors of standard deviations reach (Corani et al. 2017)


class Convergence(NamedTuple):
    """How far the chains behind an answer agree (split R-hat), and how many independent draws they are worth."""

    agreement: float
    effective: float


class Posterior(NamedTuple):
    """Draws of what the next data set's difference is: Student(centre, spread, freedom), in units of the loss."""

    centre: FloatArray
    spread: FloatArray
    freedom: FloatArray
    convergence: Convergence  # of the worst of the three


class _Entry(NamedTuple):
    """One table: the numbers its draws depend on, and what brings draws back to the unit and the sign of the losses."""

    numbers: bytes
    model: Model
    unit: float


# What was drawn last: a test, its interval and their checks speak of the same draws, which are made once.
_DRAWN: OrderedDict[Any, Posterior] = OrderedDict()
_JUDGED: OrderedDict[Any, Convergence] = OrderedDict()
_KEPT, _KEPT_VERDICTS = 64, 4096


def as_draws(draws: Any) -> int:
    """Return how many draws to make, or say what such a number is.

    Examples
    --------
    >>> as_draws(1000)
    1000
    """
    least = 4 * CHAINS  # two steps in each half of a chain: below, nobody could say whether chains agree
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or not least <= draws <= 10**7:
        raise InvalidOption(f"draws must be a whole number from {least} to ten million, but is {draws!r}.")
    return int(draws)


def posteriors(
    name: str, table: ScoreTable, *, rho: float | None, draws: int, rng: Any
) -> Iterator[tuple[tuple[int, ...], Posterior | None]]:
    """Yield the place and the posterior of each table; None where no data set has any spread.

    Examples
    --------
    >>> runs = np.random.default_rng(8).normal(0.02, 0.01, (6, 10))
    >>> table = ScoreTable.from_scores({"A": np.zeros((6, 10)), "B": runs}, rho=0.1)
    >>> ((place, found),) = posteriors("hierarchical", table, rho=None, draws=1000, rng=0)
    >>> found.centre.size, bool(found.convergence.agreement < 1.05)
    (1000, True)
    """
    draws = as_draws(draws)
    for place, each in _entries(name, table, rho):
        yield place, None if each is None else _posterior(each, draws, rng)


def convergence(table: ScoreTable) -> tuple[FloatArray, FloatArray]:
    """Return split R-hat and the effective draws of the draws made last from these numbers, of the usual ones if none.

    Without any spread there are no draws, and nothing to hold against them.

    Examples
    --------
    >>> runs = np.random.default_rng(8).normal(0.02, 0.01, (6, 10))
    >>> table = ScoreTable.from_scores({"A": np.zeros((6, 10)), "B": runs}, rho=0.1)
    >>> agree, worth = convergence(table)
    >>> bool(agree < 1.01), bool(worth > 400)
    (True, True)
    """
    found = np.ones((*table.shape, 2)) * (1.0, inf)
    known = table.rho is not None and not np.isnan(table.rho).any()
    for place, each in _entries("hierarchical", table, None if known else 0.1):  # what is judged knew another
        if each is not None:
            found[place] = _JUDGED.get(each.numbers) or _posterior(each, DRAWS, 0).convergence
    return found[..., 0], found[..., 1]


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
    apart = values - means[..., None]
    deviations = np.sqrt(np.nansum(apart * apart, axis=-1) / np.maximum(runs - 1, 1))
    size = np.asarray(scale(table))[..., None]
    return without_rounding(means, size), without_rounding(deviations, size), runs


def _posterior(entry: _Entry, draws: int, rng: Any) -> Posterior:
    """Return the draws of one table in units of the loss; those made last are remembered in units of their own."""
    key = (entry.numbers, entry.model.shares.tobytes(), entry.model[4:], draws, rng)
    if isinstance(rng, int) and key in _DRAWN:
        found = _DRAWN[key]
    else:
        drawn = draw(entry.model, draws, as_generator(rng))
        each = (drawn.centre, np.log(drawn.spread), np.log(drawn.freedom))
        judged = Convergence(max(map(agreement, each)), min(map(effective_draws, each)))
        centre, spread, freedom = (part.ravel()[:draws] for part in drawn)
        found = Posterior(centre, spread, freedom, judged)
    if isinstance(rng, int):  # a generator gives other draws the next time
        _keep(_DRAWN, key, found, _KEPT)
    _keep(_JUDGED, entry.numbers, found.convergence, _KEPT_VERDICTS)
    return found._replace(centre=found.centre * entry.unit, spread=found.spread * abs(entry.unit))


def _keep(memory: OrderedDict[Any, Any], key: Any, value: Any, most: int) -> None:
    memory[key] = value
    memory.move_to_end(key)
    while len(memory) > most:
        memory.popitem(last=False)


def _entries(name: str, table: ScoreTable, rho: float | None) -> Iterator[tuple[tuple[int, ...], _Entry | None]]:
    """Yield the place and the numbers of each table, one by one: each has a chain, and draws, of its own."""
    shared = pair_of_learners(name, table).runs_of(name, rho)
    means, deviations, runs = summaries(table)
    lonely = (runs == 1).reshape(-1, runs.shape[-1]).any(axis=0)
    if lonely.any():
        raise InvalidEvidence(
            f"method {name!r} needs two runs or more of both learners on every data set, but"
            f" {table.datasets[int(np.argmax(lonely))]!r} has one. Leave it out by only(…), or take"
            " method='wilcoxon-signed-rank', which needs one."
        )
    most = table.range[1]
    reach = most if np.isfinite(most) else _FAR * np.nanmax(np.abs(table.values), axis=(-2, -1), initial=0.0)
    reach = np.broadcast_to(reach, table.shape)
    for place in np.ndindex(table.shape):
        there = runs[place] > 0
        yield (
            place,
            _entry(
                means[place][there], deviations[place][there], runs[place][there], shared[there], float(reach[place])
            ),
        )


def _entry(
    means: FloatArray, deviations: FloatArray, runs: IntArray, shared: FloatArray, reach: float
) -> _Entry | None:
    """Return the model of one table, in units of the mean standard deviation of runs (as Corani et al. 2017)."""
    if not (deviations > 0).any():
        return None
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
    return _Entry(np.concatenate([scaled, within, runs]).tobytes(), model, unit)
