"""What methods for ranks share: whom a method serves, limits on the log odds, and the difference of two areas.

A method sees one model, and gives the area itself, or two, and gives loss(A) − loss(B): what B's area has more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import ClassScores
from ...numerics.distributions import normal_quantile
from ...typing_ import FloatArray, Numbers
from ..pivots import Limits, RareOthers, Student

OF_AUC: dict[str, Any] = {"evidence": ClassScores, "metrics": ("auc",)}  # what most methods are of


def refuse_models(scores: ClassScores, name: str, models: int = 2) -> None:
    """Refuse another number of models than a method is for.

    Examples
    --------
    >>> refuse_models(ClassScores.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), "delong-paired")
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: method 'delong-paired' is for two models, but this is one.
    """
    if len(scores.models) != models:
        which = {1: "one model", 2: "two models"}[models]
        these = f"these are {', '.join(scores.models)}. Take them out by select"
        raise InvalidOption(
            f"method {name!r} is for {which}, but {these if len(scores.models) > 1 else 'this is one'}."
        )


def spread_is_seen(scores: ClassScores) -> bool:
    """Whether every class has two examples or more: a single one shows no spread."""
    return bool(scores.class_counts.min() > 1)


# --- One area -------------------------------------------------------------------------------------


def logit_limits(area: Numbers, error: Numbers, tail: float) -> Limits:
    """Return the limits of an area that lies inside its range: its log odds ∓ z·error/(A(1 − A)).

    Examples
    --------
    >>> [round(float(limit), 3) for limit in logit_limits(0.9, 0.05, 0.025)]
    [0.752, 0.964]
    """
    area = np.asarray(area, dtype=float)
    room = area * (1 - area)
    inside = np.where(room > 0, area, 0.5)
    middle = np.log(inside) - np.log1p(-inside)
    reach = normal_quantile(tail) * np.asarray(error) / np.where(room > 0, room, 1.0)
    with np.errstate(over="ignore"):  # far out it is an end
        low, high = ((1 / (1 + np.exp(-(middle + way * reach))))[()] for way in (-1, 1))
    return low, high


# --- Two areas ------------------------------------------------------------------------------------


def difference_of_areas(scores: ClassScores) -> Student:
    """Return the pivot of the difference of two areas, with DeLong's standard error.

    Examples
    --------
    >>> pivot = difference_of_areas(ClassScores.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [0.2, 0.3, 0.7, 0.9]))
    >>> pivot.estimate, pivot.error.round(4)
    (np.float64(0.25), np.float64(0.3536))
    """
    parts = scores.areas.covariance
    size = parts[..., 0, 0] + parts[..., 1, 1]
    variance = size - 2 * parts[..., 0, 1]
    variance = np.where(variance <= 1e-13 * size, 0.0, variance)  # what cancels leaves rounding
    value = np.where(np.abs(scores.difference) < 1e-15, 0.0, scores.difference)[()]
    return as_normal(scores, value, np.sqrt(variance)[()])


def as_normal(scores: ClassScores, value: FloatArray, error: FloatArray) -> Student:
    """Return the pivot of a difference with this standard error.

    Where no example's placement differs from the others', nothing shows how far to trust it: then the limits are what
    a kind of example too rare to be met in the smaller class could make of it.

    Examples
    --------
    >>> same = ClassScores.from_scores([0] * 50 + [1] * 30, range(80), range(80))
    >>> limits = as_normal(same, np.float64(0.0), np.float64(0.0)).limits(0.025)
    >>> [round(float(limit), 3) for limit in limits]
    [-0.119, 0.119]
    """
    ends = (-1.0, 1.0)
    rare = RareOthers(value, ends, int(scores.class_counts.min()) - 1)
    return Student(value, error, None, rare, ends=ends, flat=(error == 0) | (not spread_is_seen(scores)))
