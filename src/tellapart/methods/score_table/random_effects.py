"""Random effects: the mean difference over data sets, each of which is known as well as its own runs tell.

What is combined are the differences d_i of the data sets and their variances v_i = s_i²·(1/n_i + ρ_i/(1 − ρ_i)), where
the second term stands for the overlap of the runs (Nadeau and Bengio 2003). True differences vary between data sets by
τ², so that d_i weighs 1/(v_i + τ²): where runs are noisy a data set counts for less, and no data set for everything.
"""

from __future__ import annotations

from math import inf
from typing import Any, Literal, NamedTuple

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import ScoreTable
from ...numerics.distributions import ratio
from ...numerics.roots import solve
from ...numerics.rounding import unit, without_rounding
from ...typing_ import BoolArray, FloatArray, IntArray, one_of
from ..loss_scale import scale
from ..pivots import Student, Undetermined
from ..registry import Standing, procedure
from .assumptions import ENOUGH_RUNS_OF_EACH, MEAN_DIFFERENCE, NO_RULING_DATA_SET, RUNS_HAVE_SPREAD, SPREAD_OF_ANY_KIND
from .differences import pair_of_learners
from .hierarchical_posterior import summaries

Tau = Literal["reml", "dersimonian-laird", "paule-mandel"]

_NAME = "random-effects"
_GRID = np.concatenate([[0.0], np.geomspace(1e-6, 1.0, 60)])  # of the largest τ² there can be


def _describe_options(tau: Tau = "reml", rho: float | None = None, **_: Any) -> str:
    ways = {"reml": "REML", "dersimonian-laird": "DerSimonian and Laird", "paule-mandel": "Paule and Mandel"}
    runs = "" if rho is None else f"; correlation of the runs taken for {rho:g}"
    return f"variance between data sets by {ways[tau]}{runs}"


class Combined(NamedTuple):
    """The mean difference over data sets, its error, degrees of freedom, τ² and the share of each data set in it."""

    mean: FloatArray
    error: FloatArray
    freedom: IntArray
    between: FloatArray
    shares: FloatArray  # by data set


class _Runs(NamedTuple):
    """What the runs tell of each data set, in a unit of their own: its difference and the variance of that."""

    means: FloatArray
    variances: FloatArray
    known: BoolArray
    many: IntArray  # data sets that are known
    unit: FloatArray


# --- The method -----------------------------------------------------------------------------------------


@procedure(
    name="random-effects",
    evidence=ScoreTable,
    parameter="difference",
    assumes=(SPREAD_OF_ANY_KIND, RUNS_HAVE_SPREAD, ENOUGH_RUNS_OF_EACH, NO_RULING_DATA_SET, *MEAN_DIFFERENCE),
    standing=Standing.SOUND,
    rationale="takes into account how well each data set's own difference is known; variances that few runs tell, and"
    " differences far from normal, mislead it",
    validity="differences that are about normal, 5 data sets or more with 5 runs or more",
    where={"datasets": (5, inf), "normal": (1, 1), "runs": (5, inf)},
    note=_describe_options,
    statistic="t",
    reference="hartung2001",
)
def random_effects(table: ScoreTable, *, rho: float | None = None, tau: Tau = "reml") -> Student:
    """Interval and test for the mean difference over data sets, each weighted by how well its runs tell it.

    Parameters
    ----------
    table
        The scores of two learners, two runs or more on each data set.
    rho
        How the runs of a data set go together, where the table does not know it: 0.1 for 10-fold cross-validation, 0
        for runs that share nothing.
    tau
        How the variance between data sets is estimated: "reml", "dersimonian-laird" or "paule-mandel".

    Notes
    -----
    t is the weighted mean over its error, √(q/Σw_i), with k − 1 degrees of freedom for k data sets and
    q = Σw_i(d_i − d̄)²/(k − 1) (Hartung and Knapp 2001; Sidik and Jonkman 2002), or 1 where that is less: the variances
    are estimates, and without it the test rejects too often where few data sets agree by chance.

    Examples
    --------
    >>> a, b = [[0.8, 0.7], [0.9, 0.8], [0.6, 0.8]], [[0.9, 0.7], [0.95, 0.9], [0.7, 0.84]]
    >>> pivot = random_effects(ScoreTable.from_scores({"A": a, "B": b}, rho=0.0))
    >>> result, limits = pivot.test(0.0, "two-sided"), pivot.interval(0.05, "two")
    >>> result.estimate.round(4), result.pvalue.round(4), limits.low.round(4), limits.high.round(4)
    (np.float64(0.07), np.float64(0.0598), np.float64(-0.0071), np.float64(0.1471))
    """
    mean, error, df, *_ = combined(table, rho=rho, tau=tau)
    return Student(mean, error, df, Undetermined(table.range), ends=table.range, quick=True, location=mean)


def combined(
    table: ScoreTable, *, rho: float | None = None, tau: Tau = "reml", never_narrower: bool = True
) -> Combined:
    """Return the weighted mean over data sets and its error; without any spread there is no error.

    With `never_narrower=False` q may be less than 1, as Hartung and Knapp have it, where data sets differ at all.

    Examples
    --------
    >>> a, b = [[0.8, 0.7], [0.9, 0.8], [0.6, 0.8]], [[0.9, 0.7], [0.95, 0.9], [0.7, 0.84]]
    >>> combined(ScoreTable.from_scores({"A": a, "B": b}, rho=0.0)).shares.round(3)
    array([0.129, 0.514, 0.357])
    """
    one_of("tau", tau, Tau)
    runs = _of_runs(pair_of_learners(_NAME, table), rho)
    between = _ESTIMATORS[tau](runs)
    weights, mean, squares = _around(runs, between)
    total, freedom = weights.sum(axis=-1), np.maximum(runs.many - 1, 1)
    spread = (weights * squares).sum(axis=-1) / freedom
    alike = without_rounding(np.ptp(np.where(runs.known, runs.means, mean[..., None]), axis=-1), 1.0) == 0
    sure = runs.variances.max(axis=-1) > 0  # known variances stand in where all data sets agree
    floor = np.where(sure & (alike | bool(never_narrower)), 1.0, 0.0)
    spread = np.maximum(np.where(alike, 0.0, spread), floor)
    error = np.where(runs.many > 1, np.sqrt(spread / total), 0.0) * runs.unit
    shares = weights / total[..., None]
    with np.errstate(over="ignore", under="ignore"):  # a variance, which no answer is made of
        between = between * np.square(runs.unit)
    mean = np.where(runs.many > 0, mean * runs.unit, np.nan)
    return Combined(mean[()], error[()], freedom[()], between[()], shares)


# --- What the runs tell -----------------------------------------------------------------------------------


def _of_runs(table: ScoreTable, rho: float | None) -> _Runs:
    shared = table.runs_of(_NAME, rho)
    means, deviations, counts = summaries(table)
    if (counts.max(axis=-1) == 1).any():
        raise InvalidEvidence(
            f"method {_NAME!r} has to know two runs or more of both learners, but there is one of each data set. Give"
            " the scores of the runs, or take method='wilcoxon-signed-rank'."
        )
    one = unit(scale(table))
    means, deviations = means / one[..., None], deviations / one[..., None]
    known, freedom = counts > 0, np.maximum(counts - 1, 0) * (deviations > 0)
    pooled = (freedom * deviations**2).sum(axis=-1) / np.maximum(freedom.sum(axis=-1), 1)
    variances = np.where(freedom > 0, deviations**2, pooled[..., None])
    variances = variances * (1 / np.maximum(counts, 1) + shared / (1 - shared))
    many = np.count_nonzero(known, axis=-1)
    held = np.where(known, means, 0.0), np.where(known, variances, 0.0)
    # Learners that share no data set differ by nothing that is known: no difference without spread stands in for it.
    return _Runs(*held, known | (many == 0)[..., None], many, one)


def _around(runs: _Runs, between: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the weights, the weighted mean of the differences, and their squares around it.

    Weights are 1/(v + τ²), or equal where both are 0; what is not known has none.
    """
    variance = runs.variances + between[..., None]
    weights = np.where(runs.known, 1 / np.where(variance > 0, variance, 1.0), 0.0)
    mean = (weights * runs.means).sum(axis=-1) / weights.sum(axis=-1)
    return weights, mean, np.where(runs.known, runs.means - mean[..., None], 0.0) ** 2


def _plain_variance(runs: _Runs) -> FloatArray:
    """Return the variance of the differences themselves, each counting alike: τ² if nothing else made them differ."""
    mean = runs.means.sum(axis=-1) / np.maximum(runs.many, 1)
    squares = np.where(runs.known, runs.means - mean[..., None], 0.0) ** 2
    variance: FloatArray = squares.sum(axis=-1) / np.maximum(runs.many - 1, 1)
    return variance


# --- The variance between data sets -------------------------------------------------------------------------


def _dersimonian_laird(runs: _Runs) -> FloatArray:
    """Return the τ² at which the spread around the mean, weighted by 1/v, is as expected; closed form."""
    weights, _, squares = _around(runs, np.zeros(runs.many.shape))
    total = weights.sum(axis=-1)
    excess = (weights * squares).sum(axis=-1) - (runs.many - 1)
    per = total - (weights**2).sum(axis=-1) / total
    found = np.maximum(excess / np.where(per > 0, per, 1.0), 0.0)
    return np.where(runs.variances.max(axis=-1) > 0, found, _plain_variance(runs))


def _paule_mandel(runs: _Runs) -> FloatArray:
    """Return the τ² at which Σ(d − d̄)²/(v + τ²) is k − 1, as it is expected to be; 0 if it never is more."""
    wanted = runs.many - 1

    def step(between: FloatArray) -> tuple[FloatArray, FloatArray]:
        weights, _, squares = _around(runs, between)
        excess = (weights * squares).sum(axis=-1) - wanted
        return -excess, between + ratio(excess, (weights**2 * squares).sum(axis=-1), empty=0.0)

    most = _plain_variance(runs) * np.maximum(wanted, 1)
    return np.where(step(np.zeros(most.shape))[0] >= 0, 0.0, solve(step, most / 4, 0.0, most))


def _reml(runs: _Runs) -> FloatArray:
    """Return the τ² that makes the residuals most likely (restricted maximum likelihood), the best of all maxima."""
    most = 4 * _plain_variance(runs) * np.maximum(runs.many - 1, 1)
    grid = most[..., None] * _GRID
    best = np.argmax(np.stack([_likelihood(runs, each) for each in np.moveaxis(grid, -1, 0)], axis=-1), axis=-1)

    def step(between: FloatArray) -> tuple[FloatArray, FloatArray]:
        weights, _, squares = _around(runs, between)
        one, two, three = (np.sum(weights**power, axis=-1) for power in (1, 2, 3))
        score = (weights**2 * squares).sum(axis=-1) - one + two / one
        information = two - 2 * three / one + (two / one) ** 2  # none in a single data set
        return -score, between + ratio(score, information, empty=0.0)

    low, at, high = (
        np.take_along_axis(grid, np.clip(best + way, 0, _GRID.size - 1)[..., None], axis=-1)[..., 0]
        for way in (-1, 0, 1)
    )
    flat = (best == 0) & (step(np.zeros(most.shape))[0] >= 0)
    return np.where(flat, 0.0, solve(step, at, low, high))


def _likelihood(runs: _Runs, between: FloatArray) -> FloatArray:
    weights, _, squares = _around(runs, between)
    logs = np.where(runs.known, np.log(np.where(runs.known, weights, 1.0)), 0.0).sum(axis=-1)
    found: FloatArray = logs - np.log(weights.sum(axis=-1)) - (weights * squares).sum(axis=-1)
    return found


_ESTIMATORS = {"reml": _reml, "dersimonian-laird": _dersimonian_laird, "paule-mandel": _paule_mandel}
