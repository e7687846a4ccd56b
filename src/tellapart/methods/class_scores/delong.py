"""DeLong's variance: the interval of one area, and test and interval of the difference of two."""

from __future__ import annotations

from math import inf

import numpy as np

from ...evidence import ClassScores
from ...numerics.distributions import tail
from ...results import Interval
from ...typing_ import Side
from ..limits import as_interval
from ..pivots import Student
from ..registry import Standing, interval, procedure
from .areas import difference_of_areas, limits_of_area, refuse_models
from .assumptions import ENOUGH_OF_EVERY_CLASS, ENOUGH_WRONG_RANKS, MORE_THAN_TWO_SCORES, RANKS_DIFFER
from .newcombe import newcombe_limits


@interval(
    name="delong",
    question=1,
    evidence=ClassScores,
    metrics=("auc",),
    assumes=(ENOUGH_OF_EVERY_CLASS, ENOUGH_WRONG_RANKS, MORE_THAN_TWO_SCORES),
    standing=Standing.RECOMMENDED,
    because="the variance needs no model of the scores, and on the scale of log odds the limits stay inside and cover"
    " better than those of the area itself",
    holds="20 or more examples of either class, and so many that the rarer one times what the area lacks to 1 is 4:"
    " 40 at an area of 0.9, 200 at 0.98",
    where={"smaller": (20, inf), "misranked": (4, inf)},
    monotone=False,
    reference="delong1988",
)
def delong(scores: ClassScores, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the limits of an area under the ROC curve: its log odds ∓ z·s/(A(1 − A)), with DeLong's variance s².

    Of several classes the area is the mean of each against the rest. Where the data show no spread (every positive
    scores above every negative, or a class has one example) the limits are those of `newcombe-auc`.

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
    >>> drawn = np.random.default_rng(0).normal(size=60).round(2) + np.repeat([0, 1], 30)
    >>> limits = delong(ClassScores.from_scores(np.repeat([0, 1], 30), drawn))
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(0.743), np.float64(0.928))
    """
    refuse_models(scores, "delong", models=1)
    error, spent = np.sqrt(scores.areas.covariance[..., 0, 0]), tail(alpha, side)
    plain = newcombe_limits(scores, scores.levels[..., 0], spent)
    return as_interval("delong", limits_of_area(scores, error, spent, plain), alpha, side)


@procedure(
    name="delong-paired",
    evidence=ClassScores,
    parameter="difference",
    metrics=("auc",),
    assumes=(ENOUGH_OF_EVERY_CLASS, RANKS_DIFFER, MORE_THAN_TWO_SCORES),
    standing=Standing.RECOMMENDED,
    because="both areas come from the same examples, and the covariance allows for that without a model of the"
    " scores; not for a model that was fitted on these very examples with the other's inputs and more (Demler et al."
    " 2012)",
    holds="20 or more examples of either class",
    where={"smaller": (20, inf)},
    monotone=False,
    statistic="z",
    reference="delong1988",
)
def delong_paired(scores: ClassScores) -> Student:
    """Interval and test for the difference of two areas under ROC curves, on the same examples.

    Models that rank all examples alike show no difference: p is 1. Where no example's placement differs from the
    others' there is no spread to go by: then the limits are what a kind of example too rare to be met in the smaller
    class could make of it.

    Notes
    -----
    z = (difference − null)/s with DeLong's standard error of the difference, from one sort a model, and the interval
    is the difference ∓ z·s, inside −1 to 1. Of several classes the area is the mean of each against the rest.

    Examples
    --------
    >>> drawn = np.random.default_rng(0).normal(size=(2, 60)).round(2) + np.repeat([0, 1], 30)
    >>> pivot = delong_paired(ClassScores.from_scores(np.repeat([0, 1], 30), *drawn))
    >>> result, limits = pivot.test(0.0, "two-sided"), pivot.interval(0.05, "two")
    >>> result.statistic.round(3), result.pvalue.round(4), limits.low.round(3), limits.high.round(3)
    (np.float64(-1.754), np.float64(0.0794), np.float64(-0.311), np.float64(0.017))
    """
    refuse_models(scores, "delong-paired")
    return difference_of_areas(scores)
