"""Bayesian hierarchical model of two learners over many data sets with several runs each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np

from ...evidence import ScoreTable
from ...numerics.distributions import pvalue_of_tails, tail
from ...numerics.rounding import without_rounding
from ...results import Interval, Mixing, Practical, TestResult
from ...typing_ import Alternative, FloatArray, IntArray, Side
from ..loss_scale import scale
from ..pivots import Pivot
from ..registry import Standing, procedure
from ..simulation import of_tails
from .assumptions import CHAINS_AGREE, DATA_SETS_HAVE_SPREAD, ENOUGH_DRAWS, ENOUGH_FOR_A_SPREAD, EVERY_DATA_SET_SCORED
from .differences import as_size, pair_of_learners
from .hierarchical_posterior import DRAWS, PosteriorDraws, as_draws, draw_posteriors


def _describe_options(rope: float = 0.0, rho: float | None = None, **_: Any) -> str:
    correlation = "" if rho is None else f"correlation of the runs {rho:g}"
    region = f"region of practical equivalence ±{rope:g}" if rope else ""
    return "; ".join(filter(None, ("flat priors", region, correlation)))


@procedure(
    name="hierarchical",
    title="Bayesian hierarchical",
    evidence=ScoreTable,
    parameter="difference",
    assumes=(CHAINS_AGREE, ENOUGH_DRAWS, DATA_SETS_HAVE_SPREAD, ENOUGH_FOR_A_SPREAD, EVERY_DATA_SET_SCORED),
    standing=Standing.RECOMMENDED,
    rationale="weights each data set by the precision of its difference, and predicts the next data set; with a region"
    " of practical equivalence also the probability of equivalence",
    validity="5 data sets or more, each with 2 runs or more of known correlation, no region of practical equivalence",
    where={"datasets": (5, inf), "runs": (2, inf)},
    note=_describe_options,
    statistic="P(B better)",
    reference="corani2017",
    interval={"unheeded": ("rope",)},
)
def hierarchical(
    table: ScoreTable, *, rope: float = 0.0, rho: float | None = None, draws: int = DRAWS, rng: Any = 0
) -> NextDataSet:
    """Posterior probability that B is better on the next data set, and a credible interval for the mean difference.

    The statistic is the posterior probability that B is better, by more than the region of practical equivalence (rope)
    if there is one. The p-value is the posterior probability that the leading learner is not better, doubled if
    two-sided; its minimum depends on the number of draws. The estimate is the posterior mean of δ₀. If neither runs nor
    data sets vary, the posterior is a point, and the p-value is 1.

    Parameters
    ----------
    table
        The losses of two learners on many data sets, in two runs or more each.
    rope
        The region of practical equivalence: differences up to this size, in either direction.
    rho
        The correlation of differences of two runs, if the table does not contain it: 0.1 for 10-fold cross-validation.
    draws
        The number of draws from the posterior.
    rng
        The seed, or a generator.

    Notes
    -----
    The difference on a data set is Student(δ₀, σ₀, ν) over data sets, and its runs are normal around it, with the
    standard deviation of the data set and the correlation ρ (Corani et al. 2017). Each draw from the posterior counts
    for the region (A better, equivalent, B better) with most of the probability of the next difference; the statistic
    is the share of draws for B, without a rope P(δ₀ > 0).

    The limits are order statistics of the draws of δ₀, chosen so that 0 is outside if the test without a rope rejects.

    Examples
    --------
    >>> gains = np.array([0.02, 0.01, 0.0, 0.03, -0.01, 0.01])[:, None]
    >>> runs = 0.8 + np.random.default_rng(8).normal(gains, 0.02, (6, 10))
    >>> table = ScoreTable.from_scores({"A": np.full((6, 10), 0.8), "B": runs}, metric="accuracy", rho=0.1)
    >>> result = hierarchical(table, rope=0.005).test(0.0, "two-sided")
    >>> round(float(result.practical.equivalent), 1), result.estimate.round(2)
    (0.1, np.float64(0.01))
    >>> limits = hierarchical(table).interval(0.05, "two")
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(-0.01), np.float64(0.02))
    """
    return NextDataSet(pair_of_learners("hierarchical", table), as_size("rope", rope), rho, as_draws(draws), rng)


@dataclass(eq=False)
class NextDataSet(Pivot):
    """Draws from the posterior of the next data set: the probabilities of three regions, and an interval for δ₀."""

    table: ScoreTable
    rope: float
    rho: float | None
    draws: int
    rng: Any

    def __post_init__(self) -> None:
        self.ends = self.table.range

    def interval(self, alpha: float = 0.05, side: Side = "two") -> Interval:
        """Return the credible interval of δ₀."""
        limits = np.ones((*self.table.shape, 2)) * self.table.range
        # p < alpha if the draw of this rank is beyond
        rank = int(np.ceil(tail(alpha, side) * (self.draws + 1))) - 1

        def read_limits(posterior: PosteriorDraws) -> Any:
            ranks = (rank - 1, self.draws - rank)
            return np.partition(posterior.centre, ranks)[[*ranks]] if rank > 0 else self.table.range

        mixing = self._fill_from_draws(limits, read_limits)
        return replace(self._as_interval((limits[..., 0][()], limits[..., 1][()]), alpha, side), mixing=mixing)

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Return the probability that B is better by more than this value, and the p-value."""
        mean = _region_of_mean(self.table, null, self.rope)
        figures = np.zeros((*self.table.shape, 4))  # the centre, and the votes for each region
        figures[..., 0] = self.table.difference

        def read_figures(posterior: PosteriorDraws) -> Any:
            return posterior.centre.mean(), *np.bincount(_find_winning_regions(posterior, null, self.rope), minlength=3)

        mixing = self._fill_from_draws(figures, read_figures)
        votes = figures[..., 1:].astype(np.int64)
        count = votes.sum(axis=-1)
        not_b, not_a = ((1 + count - votes[..., region]) / (1 + count) for region in (2, 0))
        pvalue = pvalue_of_tails(not_a, not_b, alternative)
        flat = count == 0
        shares = np.where(flat[..., None], mean, votes / np.maximum(count, 1)[..., None])
        a, equivalent, b = (shares[..., region][()] for region in range(3))
        return TestResult(
            statistic=b,
            pvalue=np.where(flat, 1.0, pvalue)[()],
            estimate=figures[..., 0][()],
            practical=Practical(a_better=a, equivalent=equivalent, b_better=b, rope=self.rope),
            mixing=mixing,
            simulated=of_tails(pvalue, count, alternative),
        )

    def masses(self) -> FloatArray:
        """Return the probabilities that A is better on the next data set, neither is, and B is, by table and draw.

        Examples
        --------
        >>> gains = np.array([0.02, 0.01, 0.0, 0.03, -0.01, 0.01])[:, None]
        >>> runs = 0.8 + np.random.default_rng(8).normal(gains, 0.02, (6, 10))
        >>> table = ScoreTable.from_scores({"A": np.full((6, 10), 0.8), "B": runs}, metric="accuracy", rho=0.1)
        >>> hierarchical(table, rope=0.005).masses().mean(axis=0).round(1)
        array([0.2, 0.2, 0.6])
        """
        masses = np.empty((*self.table.shape, self.draws, 3))
        masses[:] = _region_of_mean(self.table, 0.0, self.rope)[..., None, :]  # if neither runs nor data sets vary
        self._fill_from_draws(masses, lambda posterior: _compute_region_masses(posterior, 0.0, self.rope))
        return masses

    def _fill_from_draws(self, values: FloatArray, read: Callable[[PosteriorDraws], Any]) -> Mixing:
        """Fill in the values read from the draws of each table that has any; return the convergence of the draws."""
        quality = np.ones((*self.table.shape, 2)) * (1.0, inf)  # perfect convergence without draws
        for entry, posterior in draw_posteriors(self.table, rho=self.rho, draws=self.draws, rng=self.rng):
            values[entry], quality[entry] = read(posterior), (posterior.agreement, posterior.effective)
        return Mixing(agreement=quality[..., 0][()], effective=quality[..., 1][()])


# --- From draws to probabilities --------------------------------------------------------------------------


def _find_winning_regions(posterior: PosteriorDraws, null: float, rope: float) -> IntArray:
    """Return the region with most of each draw: 0 for A better, 1 for equivalent, 2 for B better."""
    if rope == 0:  # the side that the centre is on, to the last digit
        return np.sign(posterior.centre - null).astype(np.int64) + 1
    most: IntArray = np.argmax(_compute_region_masses(posterior, null, rope), axis=-1)
    return most


def _compute_region_masses(posterior: PosteriorDraws, null: float, rope: float) -> FloatArray:
    from scipy.special import stdtr

    below = stdtr(posterior.freedom, (null - rope - posterior.centre) / posterior.spread)
    above = stdtr(posterior.freedom, (posterior.centre - null - rope) / posterior.spread)
    return np.stack([below, np.maximum(1 - below - above, 0.0), above], axis=-1)


def _region_of_mean(table: ScoreTable, null: float, rope: float) -> FloatArray:
    """Return 1 for the region that the mean difference is in, by region along the last dimension, otherwise 0.

    The ends belong to the rope: a difference of its size, apart from rounding, is equivalent.
    """
    difference = table.difference - null
    a, b = (without_rounding(way * difference - rope, scale(table)) > 0 for way in (-1, 1))
    return np.stack([a, ~(a | b), b], axis=-1).astype(float)
