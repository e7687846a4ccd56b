"""DeLong's variance: the interval of one area, and test and interval of the difference of two."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from ...evidence import ClassScores
from ...results import TestResult
from ...typing_ import Alternative, FloatArray
from ..pivots import Limits, Pivot, Student
from ..registry import Standing, procedure
from .areas import OF_AUC, difference_of_areas, has_variance_estimate, logit_limits, require_model_count
from .assumptions import ENOUGH_OF_EVERY_CLASS, ENOUGH_WRONG_RANKS, MORE_THAN_TWO_SCORES, RANKS_DIFFER
from .newcombe import newcombe_limits
from .precision import ap_limits


@procedure(
    name="delong",
    title="DeLong interval, logit scale",
    offers=("interval",),
    question=1,
    **OF_AUC,
    assumes=(ENOUGH_OF_EVERY_CLASS, ENOUGH_WRONG_RANKS, MORE_THAN_TWO_SCORES),
    standing=Standing.RECOMMENDED,
    rationale=(
        "the variance needs no model of the scores, and on the log-odds scale the limits stay within the range and "
        "cover better than on the scale of the area"
    ),
    validity=(
        "20 or more examples of either class, and size of the rarer class times (1 - AUC) of at least 4: 40 "
        "examples for an AUC of 0.9, 200 for 0.98"
    ),
    where={"smaller": (20, inf), "misranked": (4, inf)},
    monotone=False,
    reference="delong1988",
)
def delong(scores: ClassScores) -> AreaByLogOdds:
    """Return the limits of an AUC on the log-odds scale, log odds ∓ z·s/(A(1 − A)), with DeLong's variance s².

    For several classes the area is the mean of each against the rest. If the variance cannot be estimated (every
    positive scores above every negative, or a class has one example), the limits are those of `newcombe-auc`.

    Parameters
    ----------
    scores
        The scores of one model.

    Examples
    --------
    >>> drawn = np.random.default_rng(0).normal(size=60).round(2) + np.repeat([0, 1], 30)
    >>> limits = delong(ClassScores.from_scores(np.repeat([0, 1], 30), drawn)).interval()
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(0.743), np.float64(0.928))
    """
    require_model_count(scores, "delong", models=1)
    return AreaByLogOdds(scores, np.sqrt(scores.areas.covariance[..., 0, 0]))


@dataclass(eq=False)
class AreaByLogOdds(Pivot):
    """The AUC or average precision of one model with its standard error: an interval and no test.

    If the variance cannot be estimated, the limits are those of `newcombe-auc` or `ap-logit`.

    Examples
    --------
    >>> perfect = ClassScores.from_scores([0] * 50 + [1] * 10, range(60))
    >>> AreaByLogOdds(perfect, np.float64(0.0)).interval().low.round(3)
    np.float64(0.88)
    """

    scores: ClassScores
    error: FloatArray
    own_parameter = "error"

    def limits(self, tail: float) -> Limits:
        """Return the limits on the log-odds scale, and others if the variance cannot be estimated."""
        scores, error, area = self.scores, self.error, self.scores.levels[..., 0]
        flat = (error == 0) | (area <= 0) | (area >= 1) | (not has_variance_estimate(scores))
        plain = newcombe_limits if scores.metric.name == "auc" else ap_limits
        limits = plain(scores, area, tail), logit_limits(area, error, tail)
        low, high = (np.where(flat, fallback, limit)[()] for fallback, limit in zip(*limits, strict=True))
        return low, high

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Raise InvalidOption: a test needs two models."""
        require_model_count(self.scores, self.method)
        return Pivot.test(self, null, alternative)


@procedure(
    name="delong-paired",
    interval={"title": "DeLong interval"},
    title="DeLong",
    **OF_AUC,
    parameter="difference",
    assumes=(ENOUGH_OF_EVERY_CLASS, RANKS_DIFFER, MORE_THAN_TWO_SCORES),
    standing=Standing.RECOMMENDED,
    rationale=(
        "accounts for the correlation of areas on the same examples without a model of the scores; not for nested "
        "models fitted on these examples (Demler et al. 2012)"
    ),
    validity="20 or more examples of either class",
    where={"smaller": (20, inf)},
    monotone=False,
    statistic="z",
    reference="delong1988",
)
def delong_paired(scores: ClassScores) -> Student:
    """Interval and test for the difference of two AUCs on the same examples.

    Models that rank all examples equally have p = 1. If the standard error is 0, the limits allow for a kind of example
    of the smaller class too rare to be observed.

    Notes
    -----
    z = (difference − null)/s with DeLong's standard error of the difference, from one sort per model, and the interval
    is the difference ∓ z·s, within −1 to 1. For several classes the area is the mean of each against the rest.

    Examples
    --------
    >>> drawn = np.random.default_rng(0).normal(size=(2, 60)).round(2) + np.repeat([0, 1], 30)
    >>> pivot = delong_paired(ClassScores.from_scores(np.repeat([0, 1], 30), *drawn))
    >>> result, limits = pivot.test(0.0, "two-sided"), pivot.interval(0.05, "two")
    >>> result.statistic.round(3), result.pvalue.round(4), limits.low.round(3), limits.high.round(3)
    (np.float64(-1.754), np.float64(0.0794), np.float64(-0.311), np.float64(0.017))
    """
    require_model_count(scores, "delong-paired")
    return difference_of_areas(scores)
