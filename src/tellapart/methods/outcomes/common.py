"""Mean and standard error of scores, and the t test and limits that follow from them.

The values are the errors or scores of one model or loss(A) − loss(B) of two; every function takes either.

Values that are all the same have no spread, and t has nothing to judge them by. But if the value that all n examples
gave had the share p of all examples, n − 1 of them would repeat the first with the chance pⁿ⁻¹: shares below
α^(1/(n − 1)) are too small to believe. What the other examples could hold, at most an end of the range, bounds how
far off the mean can be (for 0 errors this is all but Clopper and Pearson's limit, the "rule of three"). Where scores
have no bounds nothing is known: the limits are infinite and p is 1. Values that differ by rounding alone
count as the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...evidence import Outcomes
from ...numerics.distributions import pvalue_of_tails, ratio, tail
from ...numerics.rounding import unit, without_rounding
from ...numerics.student_t import student_critical, student_pvalue
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Numbers, Side
from ..limits import as_interval

ALONE = 1 + 1e-9  # examples of equal weight up to which one of them has all the weight there is


class Centred(NamedTuple):
    """The mean of the values, and each value less the mean, in a unit whose squares neither overflow nor vanish."""

    mean: FloatArray
    apart: FloatArray  # by example, along the last dimension: (value − mean)/unit
    unit: FloatArray
    size: FloatArray  # how large the scores are: what is smaller by 10¹³ is rounding


class Moments(NamedTuple):
    """A mean, its standard error and degrees of freedom, and how many independent values it is of."""

    mean: FloatArray
    error: FloatArray  # 0 where nothing varies
    freedom: Numbers
    units: Numbers


def score_size(outcomes: Outcomes) -> FloatArray:
    """Return how large the numbers are that the values were made of.

    A score that ends at 1 may be what something lacks to 1, and has the rounding of a 1; wider bounds say nothing.

    Examples
    --------
    >>> score_size(Outcomes.from_scores([3.0, -8.0], [0.5, 0.5], bounds=(-np.inf, 1e9)))
    np.float64(8.0)
    """
    if outcomes.metric.bounds is not None and max(map(abs, outcomes.metric.bounds)) <= 1:
        return np.full(outcomes.shape, max(map(abs, outcomes.metric.bounds)))[()]
    size: FloatArray = np.abs(outcomes.scores).max(axis=(-2, -1))
    return size


def centred(outcomes: Outcomes) -> Centred:
    """Return the weighted mean of the values and what every value is apart from it.

    Examples
    --------
    >>> held = centred(Outcomes.from_scores([0.2, 0.5, 1.0], [0.4, 0.5, 0.9], metric="rouge"))
    >>> held.mean.round(3), (held.apart * held.unit).round(3)
    (np.float64(0.033), array([ 0.167, -0.033, -0.133]))
    """
    size = score_size(outcomes)
    one = unit(size)
    values = outcomes.values / one[..., None]
    mean = outcomes.mean_of(values)
    # The second pass takes out what rounding left in the first: scores near a million lose no digits.
    apart = values - mean[..., None]
    correction = apart @ outcomes.shares
    apart = apart - correction[..., None]
    return Centred(without_rounding((mean + correction) * one, size), apart, one, size)


def moments(outcomes: Outcomes) -> Moments:
    """Return the weighted mean of the values with its robust standard error, every example for itself.

    With shares sᵢ that add up to 1, Var = Σ sᵢ²(xᵢ − x̄)²/(1 − 2sᵢ + Σs²): right on average where all examples have the
    same variance, and near it where they have not. The degrees of freedom are (Σw)²/Σw² − 1. Equal weights give s/√n
    and n − 1. Clusters and repeats are not looked at.

    With normal scores, log-normal weights (σ up to 1.5) and 10 to 100 examples t covers 0.94 to 0.96 of 0.95; with
    Satterthwaite's degrees of freedom it would cover up to 0.99.

    Examples
    --------
    >>> held = Outcomes.from_scores([0.2, 0.5, 1.0], [0.4, 0.5, 0.9], metric="rouge")
    >>> mean, error, freedom, units = moments(held)
    >>> mean.round(3), error.round(4), freedom, units
    (np.float64(0.033), np.float64(0.0882), 2, 3)
    """
    mean, apart, one, size = centred(outcomes)
    n = outcomes.examples
    if outcomes.weights is None:
        variance = np.einsum("...i,...i->...", apart, apart) / (max(n - 1, 1) * n)
        error = without_rounding(np.sqrt(variance) * one, size / np.sqrt(n))
        return Moments(mean, error, n - 1, n)
    share, worth = outcomes.shares, outcomes.effective_examples
    if worth < ALONE:
        return Moments(mean, np.zeros(outcomes.shape)[()], 1.0, 1.0)
    squares = share**2
    left = (1 - share) ** 2 + np.maximum(squares.sum() - squares, 0)  # 1 − 2s + Σs² without its cancellation
    error = without_rounding(np.sqrt(np.square(apart) @ (squares / left)) * one, size / np.sqrt(n))
    return Moments(mean, error, worth - 1, worth)


# --- The t test and its limits --------------------------------------------------------------------


def student(outcomes: Outcomes, found: Moments, against: float, alternative: Alternative) -> TestResult:
    """Return t = (mean − against)/error and its p-value, which agrees with `student_interval` at every level.

    Infinite degrees of freedom make it a normal test.

    Examples
    --------
    >>> held = Outcomes.from_scores([0.2, 0.5, 1.0, 0.1], [0.4, 0.5, 0.9, 0.9], metric="rouge")
    >>> student(held, moments(held), 0.0, "two-sided").pvalue.round(4)
    np.float64(0.3456)
    """
    apart = without_rounding(found.mean - against, score_size(outcomes))
    flat = np.asarray(found.error) == 0
    endless = np.where(apart == 0, 0.0, np.copysign(np.inf, apart))
    t: FloatArray = np.where(flat, endless, ratio(apart, found.error, empty=0.0))[()]
    pvalue: FloatArray = student_pvalue(t, np.where(flat, 1.0, found.freedom), alternative)
    unvaried = unvaried_pvalue(outcomes, found.mean, found.units, against, alternative)
    return TestResult(statistic=t, pvalue=np.where(flat, unvaried, pvalue)[()])


def student_interval(name: str, outcomes: Outcomes, found: Moments, alpha: float, side: Side) -> Interval:
    """Return mean ∓ t·error inside the range of the values; where nothing varies, what a rare example could hold.

    Examples
    --------
    >>> held = Outcomes.from_scores([0.2, 0.5, 1.0, 0.1], [0.4, 0.5, 0.9, 0.9], metric="rouge")
    >>> student_interval("mean-t", held, moments(held), 0.05, "two").high.round(3)
    np.float64(0.866)
    """
    spent = tail(alpha, side)
    flat = np.asarray(found.error) == 0
    with np.errstate(over="ignore"):  # with next to no degrees of freedom t reaches anywhere
        reach = student_critical(np.where(flat, 1.0, found.freedom), spent) * found.error
    still = unvaried_limits(outcomes, found.mean, found.units, spent)
    low, high = (
        np.where(flat, limit, np.clip(found.mean + way * reach, *outcomes.range))[()]
        for way, limit in zip((-1, 1), still, strict=True)
    )
    return as_interval(name, (low, high), alpha, side, outcomes.parameter, outcomes.range)


# --- Values that are all the same -----------------------------------------------------------------


def unvaried_limits(outcomes: Outcomes, value: Numbers, units: Numbers, spent: float) -> tuple[Numbers, Numbers]:
    """Return how far the mean may lie from the one value that all `units` gave, each end spending so much.

    Examples
    --------
    >>> low, high = unvaried_limits(Outcomes.from_scores([1, 1, 1], [1, 1, 1]), 0.0, 100, 0.025)
    >>> round(float(low), 4), round(float(high), 4)
    (-0.0366, 0.0366)
    """
    least, most = outcomes.range
    with np.errstate(divide="ignore"):
        hidden = -np.expm1(np.log(spent) / _repeats(units))  # one value alone: all may be others
    value = np.asarray(value, dtype=float)
    return (value - (value - least) * hidden)[()], (value + (most - value) * hidden)[()]


def unvaried_pvalue(
    outcomes: Outcomes, value: Numbers, units: Numbers, against: float, alternative: Alternative
) -> Numbers:
    """Return the p-value that agrees with `unvaried_limits`.

    Examples
    --------
    >>> held = Outcomes.from_scores([1, 1, 1], [1, 1, 1])
    >>> unvaried_pvalue(held, 0.0, 100, 0.0, "two-sided"), unvaried_pvalue(held, 0.0, 100, 0.05, "less").round(4)
    (np.float64(1.0), np.float64(0.0062))
    """
    value, (least, most) = np.asarray(value, dtype=float), outcomes.range
    repeats = _repeats(units)
    greater, less = _chance(value - against, value - least, repeats), _chance(against - value, most - value, repeats)
    return pvalue_of_tails(less, greater, alternative)


def _repeats(units: Numbers) -> FloatArray:
    """Return how many of the values repeat the first; what one cluster is worth may fall short of 1 by rounding."""
    repeats: FloatArray = np.maximum(np.asarray(units, dtype=float) - 1, 0.0)
    return repeats


def _chance(needed: FloatArray, room: FloatArray, repeats: Numbers) -> FloatArray:
    """Return how likely so many repeats of one value are, if others must bring the mean so far, and have that room."""
    share = np.clip(ratio(np.maximum(needed, 0.0), room, empty=0.0), 0.0, 1.0)  # nothing needed: all are of one kind
    chance: FloatArray = (1 - share) ** repeats
    return chance
