"""Random-effects meta-analysis: the mean difference over data sets, weighted by the precision of their runs.

The differences d_i of the data sets have variances v_i = s_i²·(1/n_i + ρ_i/(1 − ρ_i)), where the second term accounts
for the overlap of the runs (Nadeau and Bengio 2003). True differences vary between data sets by τ², so that d_i has
weight 1/(v_i + τ²).
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
from .assumptions import (
    ENOUGH_RUNS_PER_DATA_SET,
    MEAN_DIFFERENCE,
    NO_DOMINANT_DATA_SET,
    RUNS_HAVE_SPREAD,
    SPREAD_OF_ANY_KIND,
)
from .differences import pair_of_learners
from .hierarchical_posterior import summarise_runs

Tau = Literal["reml", "dersimonian-laird", "paule-mandel"]

_NAME = "random-effects"
_GRID = np.concatenate([[0.0], np.geomspace(1e-6, 1.0, 60)])  # of the largest possible τ²


def _describe_options(tau: Tau = "reml", rho: float | None = None, **_: Any) -> str:
    ways = {"reml": "REML", "dersimonian-laird": "DerSimonian and Laird", "paule-mandel": "Paule and Mandel"}
    runs = "" if rho is None else f"; correlation of the runs {rho:g}"
    return f"variance between data sets by {ways[tau]}{runs}"


class Combined(NamedTuple):
    """The mean difference over data sets, its error, degrees of freedom, τ² and the share of each data set in it."""

    mean: FloatArray
    error: FloatArray
    freedom: IntArray
    between: FloatArray
    shares: FloatArray  # by data set


class _DataSetSummary(NamedTuple):
    """The difference on each data set and its variance, from the runs, in a unit of their own."""

    means: FloatArray
    variances: FloatArray
    present: BoolArray
    datasets: IntArray  # with a difference
    unit_size: FloatArray


# --- The method -----------------------------------------------------------------------------------------


@procedure(
    name="random-effects",
    title="Hartung-Knapp random effects",
    evidence=ScoreTable,
    parameter="difference",
    assumes=(SPREAD_OF_ANY_KIND, RUNS_HAVE_SPREAD, ENOUGH_RUNS_PER_DATA_SET, NO_DOMINANT_DATA_SET, *MEAN_DIFFERENCE),
    standing=Standing.SOUND,
    rationale="weights each data set by the precision of its difference; unreliable with few runs per data set or"
    " strongly non-normal differences",
    validity="roughly normal differences, 5 data sets or more with 5 runs or more",
    where={"datasets": (5, inf), "normal": (1, 1), "runs": (5, inf)},
    note=_describe_options,
    statistic="t",
    reference="hartung2001",
)
def random_effects(table: ScoreTable, *, rho: float | None = None, tau: Tau = "reml") -> Student:
    """Interval and test for the mean difference over data sets, weighted by the precision of their runs.

    Parameters
    ----------
    table
        The scores of two learners, two runs or more on each data set.
    rho
        The correlation of the runs of a data set, if the table does not contain it: 0.1 for 10-fold cross-validation, 0
        for independent runs.
    tau
        The estimator of the variance between data sets: "reml", "dersimonian-laird" or "paule-mandel".

    Notes
    -----
    t is the weighted mean over its error, √(q/Σw_i), with k − 1 degrees of freedom for k data sets and
    q = Σw_i(d_i − d̄)²/(k − 1) (Hartung and Knapp 2001; Sidik and Jonkman 2002), or 1 if that is less: the variances
    are estimates, and without this bound the test rejects too often if few data sets agree by chance.

    Examples
    --------
    >>> a, b = [[0.8, 0.7], [0.9, 0.8], [0.6, 0.8]], [[0.9, 0.7], [0.95, 0.9], [0.7, 0.84]]
    >>> pivot = random_effects(ScoreTable.from_scores({"A": a, "B": b}, rho=0.0))
    >>> result, limits = pivot.test(0.0, "two-sided"), pivot.interval(0.05, "two")
    >>> result.estimate.round(4), result.pvalue.round(4), limits.low.round(4), limits.high.round(4)
    (np.float64(0.07), np.float64(0.0598), np.float64(-0.0071), np.float64(0.1471))
    """
    mean, error, df, *_ = combine_data_sets(table, rho=rho, tau=tau)
    return Student(mean, error, df, Undetermined(table.range), ends=table.range, quick=True, location=mean)


def combine_data_sets(
    table: ScoreTable, *, rho: float | None = None, tau: Tau = "reml", never_narrower: bool = True
) -> Combined:
    """Return the weighted mean over data sets and its standard error; 0 if nothing varies.

    With `never_narrower=False` q may be less than 1, as in Hartung and Knapp, unless all data sets agree.

    Examples
    --------
    >>> a, b = [[0.8, 0.7], [0.9, 0.8], [0.6, 0.8]], [[0.9, 0.7], [0.95, 0.9], [0.7, 0.84]]
    >>> combine_data_sets(ScoreTable.from_scores({"A": a, "B": b}, rho=0.0)).shares.round(3)
    array([0.129, 0.514, 0.357])
    """
    one_of("tau", tau, Tau)
    runs = _summarise_data_sets(pair_of_learners(_NAME, table), rho)
    between = _ESTIMATORS[tau](runs)
    weights, mean, squares = _weight_around_mean(runs, between)
    total, freedom = weights.sum(axis=-1), np.maximum(runs.datasets - 1, 1)
    spread = (weights * squares).sum(axis=-1) / freedom
    alike = without_rounding(np.ptp(np.where(runs.present, runs.means, mean[..., None]), axis=-1), 1.0) == 0
    sure = runs.variances.max(axis=-1) > 0  # the variances of the runs are used if all data sets agree
    floor = np.where(sure & (alike | bool(never_narrower)), 1.0, 0.0)
    spread = np.maximum(np.where(alike, 0.0, spread), floor)
    error = np.where(runs.datasets > 1, np.sqrt(spread / total), 0.0) * runs.unit_size
    shares = weights / total[..., None]
    with np.errstate(over="ignore", under="ignore"):  # reported only
        between = between * np.square(runs.unit_size)
    mean = np.where(runs.datasets > 0, mean * runs.unit_size, np.nan)
    return Combined(mean[()], error[()], freedom[()], between[()], shares)


# --- The runs of the data sets ----------------------------------------------------------------------------


def _summarise_data_sets(table: ScoreTable, rho: float | None) -> _DataSetSummary:
    shared = table.runs_of(_NAME, rho)
    means, deviations, counts = summarise_runs(table)
    if (counts.max(axis=-1) == 1).any():
        raise InvalidEvidence(
            f"method {_NAME!r} needs 2 runs or more of both learners, got one of each data set. Pass the scores of the"
            " runs, or use method='wilcoxon-signed-rank'."
        )
    unit_size = unit(scale(table))
    means, deviations = means / unit_size[..., None], deviations / unit_size[..., None]
    present, freedom = counts > 0, np.maximum(counts - 1, 0) * (deviations > 0)
    pooled = (freedom * deviations**2).sum(axis=-1) / np.maximum(freedom.sum(axis=-1), 1)
    variances = np.where(freedom > 0, deviations**2, pooled[..., None])
    variances = variances * (1 / np.maximum(counts, 1) + shared / (1 - shared))
    datasets = np.count_nonzero(present, axis=-1)
    filled = np.where(present, means, 0.0), np.where(present, variances, 0.0)
    # Learners that share no data set get a difference of 0 without variance.
    return _DataSetSummary(*filled, present | (datasets == 0)[..., None], datasets, unit_size)


def _weight_around_mean(runs: _DataSetSummary, between: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the weights, the weighted mean of the differences, and their squares around it.

    Weights are 1/(v + τ²), or equal if both are 0; missing data sets have none.
    """
    variance = runs.variances + between[..., None]
    weights = np.where(runs.present, 1 / np.where(variance > 0, variance, 1.0), 0.0)
    mean = (weights * runs.means).sum(axis=-1) / weights.sum(axis=-1)
    return weights, mean, np.where(runs.present, runs.means - mean[..., None], 0.0) ** 2


def _plain_variance(runs: _DataSetSummary) -> FloatArray:
    """Return the variance of the differences, weighted equally: τ² if the runs had none."""
    mean = runs.means.sum(axis=-1) / np.maximum(runs.datasets, 1)
    squares = np.where(runs.present, runs.means - mean[..., None], 0.0) ** 2
    variance: FloatArray = squares.sum(axis=-1) / np.maximum(runs.datasets - 1, 1)
    return variance


# --- The variance between data sets -------------------------------------------------------------------------


def _dersimonian_laird(runs: _DataSetSummary) -> FloatArray:
    """Return the τ² at which the sum of squares around the mean, weighted by 1/v, is as expected; closed form."""
    weights, _, squares = _weight_around_mean(runs, np.zeros(runs.datasets.shape))
    total = weights.sum(axis=-1)
    excess = (weights * squares).sum(axis=-1) - (runs.datasets - 1)
    per = total - (weights**2).sum(axis=-1) / total
    between = np.maximum(excess / np.where(per > 0, per, 1.0), 0.0)
    return np.where(runs.variances.max(axis=-1) > 0, between, _plain_variance(runs))


def _paule_mandel(runs: _DataSetSummary) -> FloatArray:
    """Return the τ² at which Σ(d − d̄)²/(v + τ²) has its expected value k − 1; 0 if it is never larger."""
    freedom = runs.datasets - 1

    def step(between: FloatArray) -> tuple[FloatArray, FloatArray]:
        weights, _, squares = _weight_around_mean(runs, between)
        excess = (weights * squares).sum(axis=-1) - freedom
        return -excess, between + ratio(excess, (weights**2 * squares).sum(axis=-1), empty=0.0)

    most = _plain_variance(runs) * np.maximum(freedom, 1)
    return np.where(step(np.zeros(most.shape))[0] >= 0, 0.0, solve(step, most / 4, 0.0, most))


def _restricted_likelihood(runs: _DataSetSummary) -> FloatArray:
    """Return the τ² of the global maximum of the restricted likelihood (REML)."""
    most = 4 * _plain_variance(runs) * np.maximum(runs.datasets - 1, 1)
    grid = most[..., None] * _GRID
    best = np.argmax(
        np.stack([_log_restricted_likelihood(runs, candidate) for candidate in np.moveaxis(grid, -1, 0)], axis=-1),
        axis=-1,
    )

    def step(between: FloatArray) -> tuple[FloatArray, FloatArray]:
        weights, _, squares = _weight_around_mean(runs, between)
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


def _log_restricted_likelihood(runs: _DataSetSummary, between: FloatArray) -> FloatArray:
    weights, _, squares = _weight_around_mean(runs, between)
    logs = np.where(runs.present, np.log(np.where(runs.present, weights, 1.0)), 0.0).sum(axis=-1)
    likelihood: FloatArray = logs - np.log(weights.sum(axis=-1)) - (weights * squares).sum(axis=-1)
    return likelihood


_ESTIMATORS = {"reml": _restricted_likelihood, "dersimonian-laird": _dersimonian_laird, "paule-mandel": _paule_mandel}
