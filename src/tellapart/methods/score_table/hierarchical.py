"""Two learners over many data sets with several runs each: what the next data set would show, by one joint model."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from ...evidence import ScoreTable
from ...numerics.distributions import pvalue_of_tails, tail
from ...numerics.rounding import without_rounding
from ...results import Interval, Mixing, Practical, TestResult
from ...typing_ import Alternative, FloatArray, IntArray, Side
from ..limits import as_interval
from ..loss_scale import scale
from ..registry import Standing, method
from ..simulation import of_tails
from .assumptions import CHAINS_AGREE, DATA_SETS_HAVE_SPREAD, ENOUGH_DRAWS, ENOUGH_FOR_A_SPREAD, EVERY_DATA_SET_KNOWN
from .common import OVER_DATA_SETS, as_size, pair_of_learners
from .hierarchical_posterior import DRAWS, Judged, Posterior, as_draws, posteriors


def _told(rope: float = 0.0, rho: float | None = None, **_: Any) -> str:
    told = "" if rho is None else f"correlation of the runs taken for {rho:g}"
    region = f"differences within {rope:g} count as none" if rope else ""
    return "; ".join(part for part in ("flat priors", region, told) if part)


_FACTS: dict[str, Any] = {
    **OVER_DATA_SETS,
    "name": "hierarchical",
    "assumes": (CHAINS_AGREE, ENOUGH_DRAWS, DATA_SETS_HAVE_SPREAD, ENOUGH_FOR_A_SPREAD, EVERY_DATA_SET_KNOWN),
    "standing": Standing.RECOMMENDED,
    "because": "weighs each data set by how well its own difference is known, and says of the next one what to expect;"
    " with a region of practical equivalence it can also say that nothing speaks for either",
    "holds": "5 data sets or more with 2 runs or more each, whose correlation is known, without a rope",
    "where": {"datasets": (5, inf), "runs": (2, inf)},
    "told": _told,
    "reference": "corani2017",
}


@method(gives="test", statistic="P(B better)", **_FACTS)
def hierarchical(
    table: ScoreTable,
    *,
    against: float = 0.0,
    alternative: Alternative = "two-sided",
    rope: float = 0.0,
    rho: float | None = None,
    draws: int = DRAWS,
    rng: Any = 0,
) -> TestResult:
    """Give the posterior probability that B is better on the next data set, by more than the rope if there is one.

    The difference on a data set is Student(δ₀, σ₀, ν) over data sets, and its runs are normal around it, with the data
    set's own standard deviation and the correlation ρ. Of every draw from the posterior, the region (A better,
    equivalent, B better) that has most of the next data set's difference gets a vote; the statistic is B's share of the
    votes. Without a rope that is P(δ₀ > 0). The p-value is the probability of being wrong to call one of them better,
    doubled if two-sided, and never below what so many draws can tell. The estimate is the posterior mean of δ₀. Where
    neither runs nor data sets differ, the posterior sits on their one difference: a region has all votes, but nothing
    shows how far that can be trusted, and the p-value is 1.

    Parameters
    ----------
    table
        The losses of two learners on many data sets, in two runs or more each.
    against
        The difference that everything is told relative to.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
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
    >>> found = hierarchical(table, rope=0.005)
    >>> round(float(found.practical.equivalent), 1), found.estimate.round(2)
    (0.1, np.float64(0.01))
    """
    mean = _at_the_mean(table, against, rope)
    centre, votes, mixing = _votes(table, against, rope, rho, draws, rng)
    count = votes.sum(axis=-1)
    not_b, not_a = ((1 + count - votes[..., place]) / (1 + count) for place in (2, 0))
    pvalue = pvalue_of_tails(not_a, not_b, alternative)
    flat = count == 0
    shares = np.where(flat[..., None], mean, votes / np.maximum(count, 1)[..., None])
    practical = Practical(
        a_better=shares[..., 0][()], equivalent=shares[..., 1][()], b_better=shares[..., 2][()], rope=float(rope)
    )
    return TestResult(
        statistic=practical.b_better,
        pvalue=np.where(flat, 1.0, pvalue)[()],
        estimate=centre[()],
        practical=practical,
        mixing=mixing,
        simulated=of_tails(pvalue, count, alternative),
    )


@method(gives="interval", **_FACTS)
def hierarchical_interval(
    table: ScoreTable,
    *,
    alpha: float = 0.05,
    side: Side = "two",
    rho: float | None = None,
    draws: int = DRAWS,
    rng: Any = 0,
) -> Interval:
    """Give limits between which δ₀, the middle of the differences over data sets, lies with probability of the level.

    They are order statistics of the draws, chosen so that 0 is outside where the test without a rope rejects.

    Examples
    --------
    >>> gains = np.array([0.02, 0.01, 0.0, 0.03, -0.01, 0.01])[:, None]
    >>> runs = 0.8 + np.random.default_rng(8).normal(gains, 0.02, (6, 10))
    >>> table = ScoreTable.from_scores({"A": np.full((6, 10), 0.8), "B": runs}, metric="accuracy", rho=0.1)
    >>> limits = hierarchical_interval(table)
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(-0.01), np.float64(0.02))
    """
    least, most = pair_of_learners("hierarchical", table).range
    low, high, judged = np.full(table.shape, least), np.full(table.shape, most), Judged(table.shape)
    place = (
        int(np.ceil(tail(alpha, side) * (as_draws(draws) + 1))) - 1
    )  # p < alpha where the draw of this place is beyond
    for entry, found in posteriors("hierarchical", table, rho=rho, draws=draws, rng=rng):
        if found is None:
            continue
        judged.add(entry, found)
        if place > 0:
            ordered = np.partition(found.centre, (place - 1, draws - place))
            low[entry], high[entry] = ordered[place - 1], ordered[draws - place]
    limits = as_interval("hierarchical", (low[()], high[()]), alpha, side, "difference", table.range)
    return replace(limits, mixing=judged.mixing())


def hierarchical_draws(
    table: ScoreTable, *, rope: float = 0.01, rho: float | None = None, draws: int = DRAWS, rng: Any = 0
) -> FloatArray:
    """Give how probable it is that on the next data set A is better, neither is, and B is, for each posterior draw.

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
    >>> hierarchical_draws(table, rope=0.005).mean(axis=0).round(1)
    array([0.2, 0.2, 0.6])
    """
    masses = np.empty((*table.shape, as_draws(draws), 3))
    masses[:] = _at_the_mean(table, 0.0, rope)[..., None, :]  # where nothing has any spread
    for entry, found in posteriors("hierarchical", table, rho=rho, draws=draws, rng=rng):
        if found is not None:
            masses[entry] = _masses(found, 0.0, rope)
    return masses


# --- From draws to probabilities --------------------------------------------------------------------------


def _votes(
    table: ScoreTable, against: float, rope: float, rho: float | None, draws: int, rng: Any
) -> tuple[FloatArray, IntArray, Mixing]:
    """Return the mean of δ₀, for how many draws A, neither and B have most of the next data set, and their worth."""
    centre, votes = np.asarray(table.difference, dtype=float).copy(), np.zeros((*table.shape, 3), dtype=np.int64)
    judged = Judged(table.shape)
    for entry, found in posteriors("hierarchical", table, rho=rho, draws=draws, rng=rng):
        if found is not None:
            judged.add(entry, found)
            centre[entry] = found.centre.mean()
            votes[entry] = np.bincount(_winners(found, against, rope), minlength=3)
    return centre, votes, judged.mixing()


def _winners(found: Posterior, against: float, rope: float) -> IntArray:
    """Return which region has most of each draw: 0 for A better, 1 for equivalent, 2 for B better."""
    if rope == 0:  # whichever side the middle is on, to the last digit
        return np.sign(found.centre - against).astype(np.int64) + 1
    most: IntArray = np.argmax(_masses(found, against, rope), axis=-1)
    return most


def _masses(found: Posterior, against: float, rope: float) -> FloatArray:
    from scipy.special import stdtr

    below = stdtr(found.freedom, (against - rope - found.centre) / found.spread)
    above = stdtr(found.freedom, (found.centre - against - rope) / found.spread)
    return np.stack([below, np.maximum(1 - below - above, 0.0), above], axis=-1)


def _at_the_mean(table: ScoreTable, against: float, rope: float) -> FloatArray:
    """Return 1 for the region that the mean difference is in, by region along the last dimension; else 0.

    The ends of the rope belong to it: a difference of its size, but for rounding, is equivalent.
    """
    size, apart = as_size("rope", rope), pair_of_learners("hierarchical", table).difference - against
    a, b = (without_rounding(way * apart - size, scale(table)) > 0 for way in (-1, 1))
    return np.stack([a, ~(a | b), b], axis=-1).astype(float)
