"""Tests and limits that lean on no curve: signs turned at random, and examples drawn again."""

from __future__ import annotations

from functools import reduce
from math import lcm
from typing import Any

import numpy as np

from ...evidence import Outcomes
from ...numerics.blocks import blocks
from ...numerics.distributions import ratio, tail
from ...numerics.orientation import mirrored_limits, orientation
from ...numerics.rounding import unit, without_rounding
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, IntArray, Numbers, Side, as_generator
from ..limits import as_interval
from ..pivots import Limits
from ..registry import Standing, interval, test
from ..simulation import bca_percentiles, draw_seed, refuse_few_resamples, resamples_for, times_drawn
from .assumptions import ENOUGH_TO_RESAMPLE, FLIPPED_AT_ZERO, NO_LONG_TAIL, NOT_CLIPPED, OUTCOMES_VARY, SIGNS_CAN_REJECT
from .clusters import ClusterParts, cluster_parts, clusters_of
from .flips import on_lattice, pvalue_of_signs
from .moments import OF_OUTCOMES, Moments, as_student, score_size

_HELD = 4_000_000  # numbers held at once


# --- Signs turned at random -----------------------------------------------------------------------


@test(
    name="sign-flip",
    evidence=Outcomes,
    assumes=(SIGNS_CAN_REJECT, FLIPPED_AT_ZERO, NOT_CLIPPED),
    standing=Standing.RECOMMENDED,
    rationale="if it makes no difference which model is which, every sign is a coin toss: its level holds at any size"
    " and for any scores",
    validity="every number of examples, for models that could be exchanged if they are equally good: partial credit"
    " against all or nothing needs examples enough for t",
    where={"exchangeable": (1, 1)},
    statistic="mean",
    reference="fisher1935b",
)
def sign_flip(
    outcomes: Outcomes,
    *,
    against: float = 0.0,
    alternative: Alternative = "two-sided",
    resamples: int | None = None,
    rng: int | np.random.Generator = 0,
) -> TestResult:
    """Test the mean difference by turning the signs of the examples' differences (of whole clusters, where there are).

    If both models are equally good on every kind of example, each difference could as well have come out the other
    way. The p-value is the share of all patterns of signs whose mean is at least as far from 0 as the observed one:
    exact where it can be had (16 differences or fewer that are not 0; whole steps, such as right and wrong or grades,
    by convolution), else of so many draws, the observed pattern among them. Around another value than 0, and for one
    model, it supposes that the values are symmetric.

    Parameters
    ----------
    outcomes
        The scores of two models (or one).
    against
        The mean around which signs are turned: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    resamples
        How many patterns are drawn where all cannot be gone through; 10,000 if left out, fewer for many examples.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> held = Outcomes.from_scores([0.2, 0.5, 1.0, 0.1, 0.6], [0.4, 0.5, 0.9, 0.9, 0.7], metric="rouge")
    >>> sign_flip(held).pvalue
    np.float64(0.375)
    """
    parts, whole = flip_parts(outcomes, against)
    drawn, size = resamples_for(resamples, parts.shape[-1]), score_size(outcomes)
    pvalue, simulated = pvalue_of_signs(parts, whole, drawn, rng, alternative)
    mean = without_rounding(parts.sum(axis=-1) * unit(size), size)
    return TestResult(statistic=mean, pvalue=pvalue, simulated=simulated)


def flip_parts(outcomes: Outcomes, against: Numbers = 0.0) -> tuple[FloatArray, IntArray | None]:
    """Return what each example (or cluster) adds to the mean less `against`, and the same in whole steps.

    The parts are in the unit of the scores; the steps are by entry and unit, None where weights are or no step is.

    Examples
    --------
    >>> flip_parts(Outcomes.from_scores([1, 0, 1, 0], [1, 1, 0, 1]))[1]
    array([[ 0,  1, -1,  1]])
    """
    size, clusters = score_size(outcomes), clusters_of(outcomes)
    one = unit(size)[..., None]
    values = without_rounding(outcomes.values - np.asarray(against)[..., None], size[..., None])
    reach = size[..., None] / one
    totals = clusters.totals(values / one * outcomes.shares)
    parts: FloatArray = np.where(np.abs(totals) <= 1e-13 * reach * clusters.shares, 0.0, totals)
    if outcomes.weights is not None:
        return parts, None
    grids = [] if outcomes.repeats is None else [reduce(lcm, np.unique(outcomes.repeats).tolist())]
    sums = clusters.totals(values).reshape(-1, clusters.count)
    return parts, on_lattice(sums, *(grid for grid in grids if grid < 10_000))


# --- Examples drawn again -------------------------------------------------------------------------


@interval(
    name="bca-bootstrap",
    **OF_OUTCOMES,
    assumes=(OUTCOMES_VARY, ENOUGH_TO_RESAMPLE, *NO_LONG_TAIL),
    standing=Standing.HEURISTIC,
    rationale="it follows the skewness of one model's scores a little better than t, but is shorter: of 30 heavy-tailed"
    " differences it covers 0.86 where t covers 0.94",
    monotone=False,
    reference="efron1987",
)
def bca_bootstrap(
    outcomes: Outcomes,
    *,
    alpha: float = 0.05,
    side: Side = "two",
    resamples: int | None = None,
    rng: int | np.random.Generator = 0,
) -> Interval:
    """Give the percentiles of means of examples drawn again (whole clusters, where there are), bias-corrected.

    BCa: corrected for bias, and accelerated by the skewness, which for a mean needs no jackknife runs. Where one
    value is all there is, or so few differ that both percentiles are one, the limits are those of `mean-t`.

    Parameters
    ----------
    outcomes
        The scores of one model or of two.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".
    resamples
        How many times the examples are drawn again; 10,000 if left out, fewer for many examples.
    rng
        Seed or NumPy generator.

    Examples
    --------
    >>> rouge = np.random.default_rng(0).beta(5, 2, size=(2, 80)).round(2)
    >>> limits = bca_bootstrap(Outcomes.from_scores(*rouge, metric="rouge"))
    >>> limits.low.round(2), limits.high.round(2)
    (np.float64(-0.05), np.float64(0.06))
    """
    held = cluster_parts(outcomes)
    drawn, spent = resamples_for(resamples, held.clusters.count), tail(alpha, side)
    refuse_few_resamples(drawn, spent)
    limits = _by_counts(outcomes, held, spent, drawn, rng) if outcomes.countable else _by_draws(held, spent, drawn, rng)
    low, high = (np.clip(held.mean + limit * held.unit, *outcomes.range) for limit in limits)
    plain = as_student(outcomes, _plain(held)).limits(spent)
    narrow = ~(high - low > 1e-13 * held.size)
    low, high = (np.where(narrow, other, own)[()] for other, own in zip(plain, (low, high), strict=True))
    return as_interval("bca-bootstrap", (low, high), alpha, side, outcomes.parameter, outcomes.range)


def _plain(held: ClusterParts) -> Moments:
    """Return mean and standard error as if clusters were all there is."""
    units = held.clusters.count
    square = np.einsum("...i,...i->...", held.parts, held.parts)
    error = np.sqrt(square * units / max(units - 1, 1)) * held.unit
    error = without_rounding(error, held.size / np.sqrt(units))
    return Moments(held.mean, error, max(units - 1, 1), held.clusters.effective, held.size)


def _by_draws(held: ClusterParts, spent: float, resamples: int, rng: Any) -> tuple[FloatArray, FloatArray]:
    """Return the limits, less the mean, from examples drawn again: the same draws for every entry."""
    seed = draw_seed(rng)
    shares, units = held.clusters.shares, held.clusters.count
    rows = held.parts.reshape(-1, units)
    turn = orientation(np.ravel(held.mean), rows)
    rows = np.where(turn[:, None] < 0, -rows, rows)
    skew = _acceleration(rows / np.maximum(1 - shares, 1e-12))
    found = []
    for block in blocks(len(rows), _HELD // resamples):
        draws = times_drawn(units, resamples, seed)  # a draw without any weight leaves the mean where it is
        means = np.concatenate([rows[block] @ times.T / np.maximum(times @ shares, 1e-300) for times in draws], axis=-1)
        found.append(_limits(means.T, skew[block], spent))
    low, high = (np.concatenate(ends) for ends in zip(*found, strict=True))
    low, high = mirrored_limits(low, high, turn)
    return low.reshape(held.parts.shape[:-1]), high.reshape(held.parts.shape[:-1])


def _by_counts(
    outcomes: Outcomes, held: ClusterParts, spent: float, resamples: int, rng: Any
) -> tuple[FloatArray, FloatArray]:
    """Return the limits, less the mean, for right or wrong: how many of each are drawn, and not which."""
    generator, n, values = as_generator(rng), outcomes.examples, outcomes.values
    up, down = (np.count_nonzero(way, axis=-1).ravel() for way in (values > 0.5, values < -0.5))
    turn = orientation(up - down)
    way = np.where(turn < 0, -1, 1)
    up, down = np.maximum(up, down), np.minimum(up, down)
    skew = way * _acceleration(held.parts.reshape(-1, n))
    mean, one = way * np.ravel(held.mean), np.ravel(held.unit)
    low, high = np.empty(up.size), np.empty(up.size)
    for here in blocks(up.size, _HELD // resamples):
        lone = generator.binomial(n, (up + down)[here] / n, size=(resamples, *up[here].shape))
        means = (2 * generator.binomial(lone, ratio(up[here], (up + down)[here], empty=0.5)) - lone) / n
        low[here], high[here] = _limits((means - mean[here]) / one[here], skew[here], spent)
    low, high = mirrored_limits(low, high, turn)
    return low.reshape(outcomes.shape)[()], high.reshape(outcomes.shape)[()]


def _acceleration(parts: FloatArray) -> FloatArray:
    """Return a sixth of the skewness of what leaving each unit out changes."""
    apart = parts - parts.mean(axis=-1, keepdims=True)
    return ratio((apart**3).sum(axis=-1), 6 * (apart**2).sum(axis=-1) ** 1.5, empty=0.0)


def _limits(drawn: FloatArray, skew: FloatArray, spent: float) -> Limits:
    """Return BCa's percentiles of each column, of which 0 is what was observed."""
    tie = 1e-12
    below = ((drawn < -tie).mean(axis=0) + (drawn <= tie).mean(axis=0)) / 2
    return bca_percentiles(drawn, below, skew, spent)
