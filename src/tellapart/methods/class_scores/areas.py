"""AUC and average precision: number of models, limits on the log-odds scale, and the difference of two areas.

A method takes one model, and gives the area itself, or two, and gives loss(A) − loss(B): the area of B minus that of A.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import ClassScores
from ...numerics.distributions import normal_quantile
from ...typing_ import FloatArray, Numbers
from ..pivots import Limits, RareOthers, Student

OF_AUC: dict[str, Any] = {"evidence": ClassScores, "metrics": ("auc",)}  # facts of most methods


def require_model_count(scores: ClassScores, name: str, models: int = 2) -> None:
    """Raise InvalidOption if a method is for another number of models.

    Examples
    --------
    >>> require_model_count(ClassScores.from_scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), "delong-paired")
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidOption: method 'delong-paired' needs two models, got A. Add the scores of another model.
    """
    if len(scores.models) != models:
        number = {1: "one model", 2: "two models"}[models]
        fix = "Select models with `select`." if len(scores.models) > models else "Add the scores of another model."
        raise InvalidOption(f"method {name!r} needs {number}, got {', '.join(scores.models)}. {fix}")


def has_variance_estimate(scores: ClassScores) -> bool:
    """Whether every class has two or more examples, so that variances can be estimated."""
    return bool(scores.class_counts.min() > 1)


# --- One area -------------------------------------------------------------------------------------


def logit_limits(area: Numbers, error: Numbers, tail: float) -> Limits:
    """Return the limits of an area on the log-odds scale: its log odds ∓ z·error/(A(1 − A)), transformed back.

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
    with np.errstate(over="ignore"):  # overflow gives an end of the range
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
    variance = np.where(variance <= 1e-13 * size, 0.0, variance)  # rounding of what cancels
    value = np.where(np.abs(scores.difference) < 1e-15, 0.0, scores.difference)[()]
    return fit_normal(scores, value, np.sqrt(variance)[()])


def fit_normal(scores: ClassScores, value: FloatArray, error: FloatArray) -> Student:
    """Return the pivot of a difference with this standard error.

    If the standard error is 0, the limits allow for a kind of example of the smaller class too rare to be observed.

    Examples
    --------
    >>> same = ClassScores.from_scores([0] * 50 + [1] * 30, range(80), range(80))
    >>> limits = fit_normal(same, np.float64(0.0), np.float64(0.0)).limits(0.025)
    >>> [round(float(limit), 3) for limit in limits]
    [-0.119, 0.119]
    """
    ends = (-1.0, 1.0)
    rare = RareOthers(value, ends, int(scores.class_counts.min()) - 1)
    return Student(value, error, None, rare, ends=ends, flat=(error == 0) | (not has_variance_estimate(scores)))
