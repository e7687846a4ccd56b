"""Intervals from cross-validation inside cross-validation, and from two halves again and again.

Test sets of one cross-validation are dependent, and no unbiased estimate of its variance exists. Both methods here
spend many more fits to see that variance from outside. They take the losses of one learner or the differences of two.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np

from ...evidence import Resamples
from ...evidence.resamples import NESTED
from ...numerics.rounding import unit, without_rounding
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Side
from ..loss_scale import scale
from ..registry import EVERY_SOURCE, Standing, method
from .assumptions import ENOUGH_NESTED_REPLICATES, ENOUGH_TEST_EXAMPLES, HALVES_DIFFER, LOSSES_DIFFER, NOT_CHOSEN
from .common import other_plan, speaking_for
from .estimators import sums_of_squares
from .moments import moments, student, student_interval

# Whom the registry has no place for, by key of the bibliography.
SOURCES = {"conservative_z": ("schulzkumpel2024",)}

_NESTED: dict[str, Any] = {
    "name": "nested-cv",
    "covers": EVERY_SOURCE,
    "evidence": Resamples,
    "assumes": (ENOUGH_NESTED_REPLICATES, ENOUGH_TEST_EXAMPLES, LOSSES_DIFFER, NOT_CHOSEN),
    "standing": Standing.SOUND,
    "because": "it measures how far cross-validation is off; one of the three robust ones among thirteen"
    " (Schulz-Kümpel and others), for losses that are means over examples",
    "holds": "stable learners (no nearest neighbours), 200 replicates or more of 5 or more folds",
    "where": {"stable": (1, 1), "replicates": (200, inf), "folds": (5, inf)},
    "reference": "bates2024",
}
_CONSERVATIVE: dict[str, Any] = {
    "name": "conservative-z",
    "covers": EVERY_SOURCE,
    "evidence": Resamples,
    "assumes": (HALVES_DIFFER, NOT_CHOSEN),
    "standing": Standing.SOUND,
    "because": "its variance is that of half as many examples, so it errs on the safe side; one of the three robust"
    " ones among thirteen (Schulz-Kümpel and others)",
    "holds": "10 or more pairs of halves",
    "where": {"replicates": (10, inf)},
    "reference": "nadeau2003",
}


# --- Nested cross-validation -----------------------------------------------------------------------


@method(gives="estimate", question=6, **_NESTED)
def nested_cv_estimate(resamples: Resamples, *, bias: bool = True) -> FloatArray:
    """Give the mean loss of the inner cross-validations, less their bias.

    Inside, training sets lack two folds and outside one; the bias is (1 + (k−2)/k) times the difference of
    both means (Bates, Hastie and Tibshirani). It is held in the range of the loss.

    Parameters
    ----------
    resamples
        A nested cross-validation.
    bias
        Whether to correct for it; else the estimate is the mean of the outer cross-validations.

    Examples
    --------
    >>> from dataclasses import replace
    >>> outer = Resamples.from_scores([[0.7, 0.8], [0.6, 0.8]], plan="nested 2x2", examples=40)
    >>> inner = Resamples.from_scores([[0.7, 0.7], [0.6, 0.7]], plan="nested 2x2", examples=40)
    >>> nested_cv_estimate(replace(outer, parts={"inner": inner})).round(3)
    np.float64(0.275)
    """
    return np.clip(_nested(resamples, bias=bias).centre, *resamples.range)[()]


@method(gives="interval", question=6, **_NESTED)
def nested_cv_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two", bias: bool = True) -> Interval:
    """Give the estimate ± z times the root of the mean squared error that cross-validation inside shows.

    In each fold the mean loss outside less that inside, squared, holds the squared error of the inner
    cross-validation and the variance of the outer mean, which is taken off. What remains, averaged and
    scaled by (k−1)/k, is the squared standard error, kept between those of n independent losses and
    of k folds that are copies of each other.

    Parameters
    ----------
    resamples
        A nested cross-validation.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".
    bias
        Whether to correct the estimate for training sets that lack a fold.

    Examples
    --------
    >>> from dataclasses import replace
    >>> outer = Resamples.from_scores([[0.7, 0.8], [0.6, 0.8]], plan="nested 2x2", examples=40)
    >>> inner = Resamples.from_scores([[0.7, 0.7], [0.6, 0.7]], plan="nested 2x2", examples=40)
    >>> limits = nested_cv_interval(replace(outer, parts={"inner": inner}))
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(0.136), np.float64(0.414))
    """
    centre, error = _nested(resamples, bias=bias)
    return student_interval("nested-cv", resamples, centre, error, np.inf, alpha, side)


@method(gives="test", question=8, statistic="z", **_NESTED)
def nested_cv(
    resamples: Resamples, *, against: float = 0.0, alternative: Alternative = "two-sided", bias: bool = True
) -> TestResult:
    """Test whether two learners err equally often, by the interval's z.

    Parameters
    ----------
    resamples
        A nested cross-validation of two learners.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    bias
        Whether to correct the difference for training sets that lack a fold.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> plan = Plan.parse("nested 1x2")
    >>> errors = np.array([[[6, 5]], [[2, 4]]])  # of A and B in 20 examples each; 2 by both
    >>> together = np.array([[errors[0], [[2, 2]]], [[[2, 2]], errors[1]]])
    >>> inner = Resamples(np.array([[[0.35, 0.3]], [[0.15, 0.2]]]), test=20, train=20, plan=plan)
    >>> outer = Resamples(errors / 20, test=20, train=20, plan=plan, together=together, parts={"inner": inner})
    >>> nested_cv(outer).pvalue.round(3)
    np.float64(0.088)
    """
    centre, error = _nested(resamples, bias=bias)
    return speaking_for(centre, student(centre - against, error, np.inf, alternative))


class _Nested(NamedTuple):
    centre: FloatArray
    error: FloatArray


def _nested(resamples: Resamples, *, bias: bool) -> _Nested:
    """Return the estimate and its standard error, by replicate and fold at once."""
    if resamples.plan.kind != "nested":
        raise other_plan("nested-cv", resamples, "a cross-validation in every training set", NESTED)
    inner, outer, sizes = resamples.part("inner"), resamples.values, resamples.test
    squares = sums_of_squares("nested-cv", resamples)
    folds, total = outer.shape[-1], sizes.sum()
    within = (squares - sizes * outer**2) / np.maximum(sizes - 1, 1)
    error = ((inner.values - outer) ** 2 - np.maximum(within, 0) / sizes).mean(axis=(-2, -1)) * (folds - 1) / folds
    mean = resamples.pooled
    variance = (squares.sum(axis=(-2, -1)) - total * mean**2) / max(total - 1, 1)
    size = scale(resamples)
    spread = without_rounding(np.maximum(variance, 0), size**2)
    least = np.sqrt(spread / sizes.sum(axis=-1).mean())
    centre = mean
    if bias:
        inside = inner.pooled
        centre = inside - (1 + (folds - 2) / folds) * (inside - mean)
    clipped = np.clip(np.sqrt(np.maximum(error, 0)), least, least * np.sqrt(folds))
    return _Nested(without_rounding(centre, size), clipped[()])


# --- Pairs of halves -------------------------------------------------------------------------------


@method(gives="estimate", question=6, **_CONSERVATIVE)
def conservative_z_estimate(resamples: Resamples) -> FloatArray:
    """Give the mean loss over the splits of all examples.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> plan = Plan.parse("conservative-z 2x3(0.9)")
    >>> halves = Resamples([[[0.3, 0.2], [0.1, 0.2]]], test=5, train=45, plan=plan, learners=("A",))
    >>> loss = [[[0.2], [0.25], [0.15]]]
    >>> held = Resamples(loss, test=10, train=90, plan=plan, learners=("A",), parts={"halves": halves})
    >>> conservative_z_estimate(held).round(3)
    np.float64(0.2)
    """
    error_of_halves(resamples)
    return moments(resamples).mean


@method(gives="interval", question=6, **_CONSERVATIVE)
def conservative_z_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the mean loss ± z·√(Σ(μ₁ − μ₂)²/2R), over R pairs of halves (Nadeau and Bengio).

    The halves share no example, so that their means are independent; their variance is that of
    half as many examples, and larger than that of all of them.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> plan = Plan.parse("conservative-z 2x3(0.9)")
    >>> halves = Resamples([[[0.3, 0.2], [0.1, 0.2]]], test=5, train=45, plan=plan, learners=("A",))
    >>> loss = [[[0.2], [0.25], [0.15]]]
    >>> held = Resamples(loss, test=10, train=90, plan=plan, learners=("A",), parts={"halves": halves})
    >>> limits = conservative_z_interval(held)
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(0.061), np.float64(0.339))
    """
    return student_interval(
        "conservative-z", resamples, moments(resamples).mean, error_of_halves(resamples), np.inf, alpha, side
    )


@method(gives="test", question=8, statistic="z", **_CONSERVATIVE)
def conservative_z(resamples: Resamples, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether two learners err equally often, by the interval's z.

    Parameters
    ----------
    resamples
        Splits of all examples, and of pairs of halves, by two learners.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> plan = Plan.parse("conservative-z 2x3(0.9)")
    >>> loss = [[[0.3, 0.2], [0.1, 0.2]], [[0.2, 0.15], [0.1, 0.1]]]
    >>> halves = Resamples(loss, test=5, train=45, plan=plan)
    >>> held = Resamples([[[0.2], [0.3]], [[0.1], [0.2]]], test=10, train=90, plan=plan, parts={"halves": halves})
    >>> conservative_z(held).pvalue.round(3)
    np.float64(0.074)
    """
    return student(moments(resamples).mean - against, error_of_halves(resamples), np.inf, alternative)


def error_of_halves(resamples: Resamples) -> FloatArray:
    """Return the standard error that the halves tell of."""
    if resamples.plan.kind != "halves":
        raise other_plan("conservative-z", resamples, "splits of disjoint halves", "Race by the plan 'conservative-z'.")
    halves = resamples.part("halves")
    size = scale(halves)
    one = unit(size)
    apart = (halves.values[..., 0] - halves.values[..., 1]) / one[..., None]
    return without_rounding(np.sqrt((apart**2).mean(axis=-1) / 2) * one, size)
