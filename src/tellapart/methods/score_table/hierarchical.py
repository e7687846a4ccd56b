"""Two learners over many data sets with several runs each: what the next data set would show, by one joint model."""

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
from .assumptions import CHAINS_AGREE, DATA_SETS_HAVE_SPREAD, ENOUGH_DRAWS, ENOUGH_FOR_A_SPREAD, EVERY_DATA_SET_KNOWN
from .differences import as_size, pair_of_learners
from .hierarchical_posterior import DRAWS, Posterior, as_draws, posteriors


def _describe_options(rope: float = 0.0, rho: float | None = None, **_: Any) -> str:
    correlation = "" if rho is None else f"correlation of the runs taken for {rho:g}"
    region = f"differences within {rope:g} count as none" if rope else ""
    return "; ".join(filter(None, ("flat priors", region, correlation)))


@procedure(
    name="hierarchical",
    evidence=ScoreTable,
    parameter="difference",
    assumes=(CHAINS_AGREE, ENOUGH_DRAWS, DATA_SETS_HAVE_SPREAD, ENOUGH_FOR_A_SPREAD, EVERY_DATA_SET_KNOWN),
    standing=Standing.RECOMMENDED,
    rationale="weighs each data set by how well its own difference is known, and says of the next one what to expect;"
    " with a region of practical equivalence it can also say that nothing speaks for either",
    validity="5 data sets or more with 2 runs or more each, whose correlation is known, without a rope",
    where={"datasets": (5, inf), "runs": (2, inf)},
    note=_describe_options,
    statistic="P(B better)",
    reference="corani2017",
    interval={"unheeded": ("rope",)},
)
def hierarchical(
    table: ScoreTable, *, rope: float = 0.0, rho: float | None = None, draws: int = DRAWS, rng: Any = 0
) -> NextDataSet:
    """Posterior probability that B is better on the next data set, by more than a rope, and credible limits of δ₀.

    The difference on a data set is Student(δ₀, σ₀, ν) over data sets, and its runs are normal around it, with the data
    set's own standard deviation and the correlation ρ. Of every draw from the posterior, the region (A better,
    equivalent, B better) that has most of the next data set's difference gets a vote; the statistic is B's share of the
    votes. Without a rope that is P(δ₀ > 0). The p-value is the probability of being wrong to call one of them better,
    doubled if two-sided, and never below what so many draws can tell. The estimate is the posterior mean of δ₀. Where
    neither runs nor data sets differ, the posterior sits on their one difference: a region has all votes, but nothing
    shows how far that can be trusted, and the p-value is 1.

    The limits are order statistics of the draws of δ₀, the middle of the differences over data sets, chosen so that 0
    is outside where the test without a rope rejects.

    Parameters
    ----------
    table
        The losses of two learners on many data sets, in two runs or more each.
    rope
        The region of practical equivalence: differences up to this size, either way, count as none.
    rho
        The correlation of differences of two runs, if the table does not know it: 0.1 for 10-fold cross-validation.
    draws
        How many draws from the posterior.
    rng
        The seed, or a generator.

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
    """What draws from the posterior say of the next data set: probabilities of three regions, and limits of δ₀."""

    table: ScoreTable
    rope: float
    rho: float | None
    draws: int
    rng: Any

    def __post_init__(self) -> None:
        self.ends = self.table.range

    def interval(self, alpha: float = 0.05, side: Side = "two") -> Interval:
        """Return the limits between which δ₀ lies with probability of the level."""
        limits = np.ones((*self.table.shape, 2)) * self.table.range
        # p < alpha where the draw of this place is beyond
        place = int(np.ceil(tail(alpha, side) * (self.draws + 1))) - 1

        def read(found: Posterior) -> Any:
            places = (place - 1, self.draws - place)
            return np.partition(found.centre, places)[[*places]] if place > 0 else self.table.range

        mixing = self._fill(limits, read)
        return replace(self._as_interval((limits[..., 0][()], limits[..., 1][()]), alpha, side), mixing=mixing)

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Return the probability that B is better by more than this value, and how probable it is to be wrong."""
        mean = _region_of_mean(self.table, null, self.rope)
        figures = np.zeros((*self.table.shape, 4))  # the centre, and the votes for each region
        figures[..., 0] = self.table.difference

        def read(found: Posterior) -> Any:
            return found.centre.mean(), *np.bincount(_winners(found, null, self.rope), minlength=3)

        mixing = self._fill(figures, read)
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
        """Return how probable it is on the next data set that A is better, neither is, and B is, by table and draw.

        Examples
        --------
        >>> gains = np.array([0.02, 0.01, 0.0, 0.03, -0.01, 0.01])[:, None]
        >>> runs = 0.8 + np.random.default_rng(8).normal(gains, 0.02, (6, 10))
        >>> table = ScoreTable.from_scores({"A": np.full((6, 10), 0.8), "B": runs}, metric="accuracy", rho=0.1)
        >>> hierarchical(table, rope=0.005).masses().mean(axis=0).round(1)
        array([0.2, 0.2, 0.6])
        """
        masses = np.empty((*self.table.shape, self.draws, 3))
        masses[:] = _region_of_mean(self.table, 0.0, self.rope)[..., None, :]  # where nothing has any spread
        self._fill(masses, lambda found: _masses(found, 0.0, self.rope))
        return masses

    def _fill(self, values: FloatArray, read: Callable[[Posterior], Any]) -> Mixing:
        """Fill in what is read of the draws of each table that has any; return what all the draws are worth."""
        quality = np.ones((*self.table.shape, 2)) * (1.0, inf)  # nothing speaks against a table without draws
        for entry, found in posteriors(self.table, rho=self.rho, draws=self.draws, rng=self.rng):
            values[entry], quality[entry] = read(found), (found.agreement, found.effective)
        return Mixing(agreement=quality[..., 0][()], effective=quality[..., 1][()])


# --- From draws to probabilities --------------------------------------------------------------------------


def _winners(found: Posterior, null: float, rope: float) -> IntArray:
    """Return which region has most of each draw: 0 for A better, 1 for equivalent, 2 for B better."""
    if rope == 0:  # whichever side the middle is on, to the last digit
        return np.sign(found.centre - null).astype(np.int64) + 1
    most: IntArray = np.argmax(_masses(found, null, rope), axis=-1)
    return most


def _masses(found: Posterior, null: float, rope: float) -> FloatArray:
    from scipy.special import stdtr

    below = stdtr(found.freedom, (null - rope - found.centre) / found.spread)
    above = stdtr(found.freedom, (found.centre - null - rope) / found.spread)
    return np.stack([below, np.maximum(1 - below - above, 0.0), above], axis=-1)


def _region_of_mean(table: ScoreTable, null: float, rope: float) -> FloatArray:
    """Return 1 for the region that the mean difference is in, by region along the last dimension; else 0.

    The ends of the rope belong to it: a difference of its size, but for rounding, is equivalent.
    """
    difference = table.difference - null
    a, b = (without_rounding(way * difference - rope, scale(table)) > 0 for way in (-1, 1))
    return np.stack([a, ~(a | b), b], axis=-1).astype(float)
