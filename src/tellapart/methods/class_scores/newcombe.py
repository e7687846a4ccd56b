"""Newcombe's limits of an AUC, with the variance at the limit, and of the difference of two, by MOVER."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...errors import InvalidOption
from ...evidence import ClassScores
from ...numerics.distributions import normal_quantile, ratio, tail
from ...results import Interval
from ...typing_ import BoolArray, FloatArray, Numbers, Side
from ..limits import as_interval
from ..pivots import Limits
from ..registry import Standing, interval
from .areas import OF_AUC, difference_of_areas, require_model_count
from .assumptions import MORE_THAN_TWO_SCORES, RANKS_DIFFER


@interval(
    name="newcombe-auc",
    title="Newcombe interval",
    question=1,
    **OF_AUC,
    standing=Standing.RECOMMENDED,
    rationale=(
        "uses the variance at the limit itself, so it has positive width if every positive outranks every "
        "negative; better coverage than DeLong's interval for areas near 1 and for rare classes"
    ),
    validity="areas of 0.5 and more; scores of both classes with similar variances",
    reference="newcombe2006",
    assumes=(MORE_THAN_TWO_SCORES,),
)
def newcombe_auc(scores: ClassScores, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Return the areas θ within z·√V(θ) of the observed one (Newcombe 2006, method 5).

    V(θ) = θ(1 − θ)[1 + N*(1 − θ)/(2 − θ) + N*θ/(1 + θ)]/(mn) with N* = (m + n)/2 − 1, from the exponential model of
    Hanley and McNeil. For two classes only; of several, specify `positive`.

    Parameters
    ----------
    scores
        The scores of one model.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".

    Examples
    --------
    >>> limits = newcombe_auc(ClassScores.from_scores([0] * 50 + [1] * 10, range(60)))
    >>> limits.low.round(3), limits.high
    (np.float64(0.88), np.float64(1.0))
    """
    require_model_count(scores, "newcombe-auc", models=1)
    _require_two_classes(scores, "newcombe-auc")
    limits = newcombe_limits(scores, scores.levels[..., 0], tail(alpha, side))
    return as_interval("newcombe-auc", limits, alpha, side)


def _require_two_classes(scores: ClassScores, name: str) -> None:
    if scores.several_classes:
        raise InvalidOption(
            f"method {name!r} needs the AUC of one class against the rest, got the mean of {len(scores.classes)}."
            " Specify `positive`, or use method='delong'."
        )


def newcombe_limits(scores: ClassScores, area: Numbers, tail: float) -> Limits:
    """Return both limits of an area; for several classes with the size of the rarest.

    Examples
    --------
    >>> scores = ClassScores.from_scores([0] * 50 + [1] * 10, range(60))
    >>> [round(float(limit), 3) for limit in newcombe_limits(scores, 0.9, 0.025)]
    [0.728, 0.965]
    """
    many, others, z = scores.positives, scores.negatives, normal_quantile(tail)
    squared, area = z**2, np.asarray(area, dtype=float)
    rest, product = (many + others) / 2 - 1, float(many) * others

    def beyond(theta: FloatArray) -> BoolArray:
        inner = 1 + rest * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        outside: BoolArray = (theta - area) ** 2 > squared * theta * (1 - theta) * inner / product
        return outside

    low, high = _bisect_limit(beyond, np.zeros_like(area), area), _bisect_limit(beyond, np.ones_like(area), area)
    return (high, low) if z < 0 else (low, high)  # bounds of level below ½ are on the other side


def _bisect_limit(beyond: Callable[[FloatArray], BoolArray], far: FloatArray, near: FloatArray) -> FloatArray:
    """Return the limit between the end of the range and the area, by bisection."""
    for _ in range(60):
        middle = (far + near) / 2
        outside = beyond(middle)
        far, near = np.where(outside, middle, far), np.where(outside, near, middle)
    # At the end of the range both sides are 0: an area at the end keeps it.
    return np.where(far == np.rint(far), far, near)[()]


@interval(
    name="mover-newcombe",
    title="MOVER-Newcombe",
    **OF_AUC,
    parameter="difference",
    assumes=(RANKS_DIFFER, MORE_THAN_TWO_SCORES),
    standing=Standing.SOUND,
    rationale=(
        "combines Newcombe's limits, valid near 1, with DeLong's correlation of the two areas; DeLong's interval "
        "is the default and agrees with its test"
    ),
    validity="areas of 0.5 and more",
    monotone=False,
    reference="zou2008",
)
def mover_newcombe(scores: ClassScores, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Return the limits of the difference of two AUCs by adding squared distances to Newcombe's limits (MOVER).

    The lower limit is d − √(a² − 2rab + b²), where a is the distance of B's area from its lower limit, b that of A's
    from its upper limit, and r DeLong's correlation of the two areas (Zou and Donner 2008).

    Parameters
    ----------
    scores
        The scores of two models.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".

    Examples
    --------
    >>> drawn = np.random.default_rng(0).normal(size=(2, 60)).round(2) + np.repeat([0, 1], 30)
    >>> limits = mover_newcombe(ClassScores.from_scores(np.repeat([0, 1], 30), *drawn))
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(-0.312), np.float64(0.025))
    """
    require_model_count(scores, "mover-newcombe")
    _require_two_classes(scores, "mover-newcombe")
    pivot, spread, spent = difference_of_areas(scores), scores.areas.covariance, tail(alpha, side)
    size = np.sqrt(spread[..., 0, 0] * spread[..., 1, 1])
    correlation = np.clip(ratio(spread[..., 0, 1], size, empty=0.0), -1.0, 1.0)
    a, b = (scores.levels[..., model] for model in (0, 1))
    limits_a, limits_b = (newcombe_limits(scores, area, spent) for area in (a, b))
    value = pivot.estimate
    low = value - _add_squares(b - limits_b[0], limits_a[1] - a, correlation)
    high = value + _add_squares(limits_b[1] - b, a - limits_a[0], correlation)
    if normal_quantile(spent) < 0:
        low, high = value + (value - low), value - (high - value)
    low, high = (
        np.where(pivot.flat, still, np.clip(limit, -1, 1))[()]
        for still, limit in zip(pivot.without_variance.limits(spent), (low, high), strict=True)
    )
    return as_interval("mover-newcombe", (low, high), alpha, side, "difference")


def _add_squares(first: FloatArray, second: FloatArray, correlation: FloatArray) -> FloatArray:
    reach: FloatArray = np.sqrt(np.maximum(first**2 + second**2 - 2 * correlation * (first * second), 0.0))
    return reach
