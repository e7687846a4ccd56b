"""What methods for ranks share: areas with their covariance, whom a method serves, and rank orders without spread.

A method sees one model, and gives the area itself, or two, and gives loss(A) − loss(B): what B's area has more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...errors import InvalidOption
from ...evidence import ClassScores
from ...numerics.distributions import critical, normal_pvalue, pvalue_of_tails, ratio, tail
from ...results import Interval, TestResult
from ...typing_ import Alternative, BoolArray, FloatArray, Numbers, Side
from ..limits import as_interval
from ..registry import Gives, refuse_metric


def refuse(scores: ClassScores, name: str, gives: Gives, models: int = 2) -> None:
    """Refuse a metric that the method of this name does not serve, and another number of models than it is for.

    Examples
    --------
    >>> held = ClassScores.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).by("average-precision")
    >>> refuse(held, "delong", "interval", models=1)
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: method 'delong' is for auc, not for average-precision. Choose one of: ap-logit, stratified-bootstrap.
    """  # noqa: E501  # a message is one line
    refuse_metric(name, gives, scores)
    of_models(scores, name, models)


def of_models(scores: ClassScores, name: str, models: int) -> None:
    """Refuse another number of models than a method is for."""
    if len(scores.models) != models:
        which = {1: "one model", 2: "two models"}[models]
        these = f"these are {', '.join(scores.models)}. Take them out by select"
        told = these if len(scores.models) > 1 else "this is one"
        raise InvalidOption(f"method {name!r} is for {which}, but {told}.")


class Difference(NamedTuple):
    """What B's area has more, its standard error, and whether that says anything."""

    value: FloatArray
    error: FloatArray
    flat: BoolArray  # where no example's placement differs from the others': nothing shows how far to trust it


def spread_is_seen(scores: ClassScores) -> bool:
    """Whether every class has two examples or more: a single one shows no spread."""
    return bool(scores.class_counts.min() > 1)


def difference_of(scores: ClassScores) -> Difference:
    """Return the difference of two areas with DeLong's standard error.

    Examples
    --------
    >>> held = ClassScores.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [0.2, 0.3, 0.7, 0.9])
    >>> difference_of(held).value, difference_of(held).error.round(4)
    (np.float64(0.25), np.float64(0.3536))
    """
    parts = scores.areas.covariance
    size = parts[..., 0, 0] + parts[..., 1, 1]
    variance = size - 2 * parts[..., 0, 1]
    variance = np.where(variance <= 1e-13 * size, 0.0, variance)  # what cancels leaves rounding
    value = np.where(np.abs(scores.difference) < 1e-15, 0.0, scores.difference)[()]
    return Difference(value, np.sqrt(variance)[()], ((variance == 0) | (not spread_is_seen(scores)))[()])


# --- Limits and tests from a standard error ------------------------------------------------------


def logit_limits(area: Numbers, error: Numbers, alpha: float, side: Side) -> tuple[FloatArray, FloatArray]:
    """Return the limits of an area that lies inside its range: its log odds ∓ z·error/(A(1 − A)).

    Examples
    --------
    >>> [round(float(limit), 3) for limit in logit_limits(0.9, 0.05, 0.05, "two")]
    [0.752, 0.964]
    """
    area = np.asarray(area, dtype=float)
    room = area * (1 - area)
    inside = np.where(room > 0, area, 0.5)
    middle = np.log(inside) - np.log1p(-inside)
    reach = critical(alpha, side) * np.asarray(error) / np.where(room > 0, room, 1.0)
    with np.errstate(over="ignore"):  # far out it is an end
        low, high = ((1 / (1 + np.exp(-(middle + way * reach))))[()] for way in (-1, 1))
    return low, high


def z_interval(name: str, scores: ClassScores, found: Difference, alpha: float, side: Side) -> Interval:
    """Return the difference ∓ z·error, inside −1 to 1; where nothing varies, what a rare example could make of it."""
    reach = critical(alpha, side) * found.error
    plain = flat_limits(scores, found.value, tail(alpha, side))
    low, high = (
        np.where(found.flat, limit, np.clip(found.value + way * reach, -1.0, 1.0))[()]
        for way, limit in zip((-1, 1), plain, strict=True)
    )
    return as_interval(name, (low, high), alpha, side, "difference")


def z_test(scores: ClassScores, found: Difference, against: float, alternative: Alternative) -> TestResult:
    """Return z = (difference − against)/error and its p-value, which agrees with `z_interval` at every level."""
    apart = found.value - against
    endless = np.where(apart == 0, 0.0, np.copysign(np.inf, apart))
    z: FloatArray = np.where(found.flat, endless, ratio(apart, found.error, empty=0.0))[()]
    plain: FloatArray = flat_pvalue(scores, found.value, against, alternative)
    pvalue: FloatArray = normal_pvalue(z, alternative)
    return TestResult(statistic=z, pvalue=np.where(found.flat, plain, pvalue)[()])


# --- Rank orders without spread -------------------------------------------------------------------


def flat_limits(scores: ClassScores, value: Numbers, spent: float) -> tuple[FloatArray, FloatArray]:
    """Return how far a difference may lie from the value that every example of the rarer class gave.

    If the kind of example that was met had the share p of its class, m − 1 others would repeat the first with the
    chance pᵐ⁻¹: shares below spent^(1/(m − 1)) are too small to believe, and what the rest holds is at most ±1.

    Examples
    --------
    >>> held = ClassScores.from_scores([0] * 50 + [1] * 30, range(80), range(80))
    >>> [round(float(limit), 3) for limit in flat_limits(held, 0.0, 0.025)]
    [-0.119, 0.119]
    """
    hidden = _hidden(scores, spent)
    value = np.asarray(value, dtype=float)
    return (value - (value + 1) * hidden)[()], (value + (1 - value) * hidden)[()]


def _hidden(scores: ClassScores, spent: float) -> float:
    many = int(scores.class_counts.min())
    return 1.0 if many < 2 else float(-np.expm1(np.log(spent) / (many - 1)))


def flat_pvalue(scores: ClassScores, value: Numbers, against: float, alternative: Alternative) -> Numbers:
    """Return the p-value that agrees with `flat_limits`: 1 where the value is what is tested.

    Examples
    --------
    >>> held = ClassScores.from_scores([0] * 50 + [1] * 30, range(80), range(80))
    >>> flat_pvalue(held, 0.0, 0.0, "two-sided"), round(float(flat_pvalue(held, 0.0, 0.119, "less")), 3)
    (np.float64(1.0), 0.025)
    """
    value, repeats = np.asarray(value, dtype=float), int(scores.class_counts.min()) - 1
    greater, less = (
        (1 - np.clip(ratio(np.maximum(needed, 0.0), room, empty=0.0), 0.0, 1.0)) ** repeats
        for needed, room in ((value - against, value + 1), (against - value, 1 - value))
    )
    return pvalue_of_tails(less, greater, alternative)
