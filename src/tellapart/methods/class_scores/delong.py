"""DeLong's variance: the interval of one area, and test and interval of the difference of two."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...evidence import ClassScores
from ...results import Interval, TestResult
from ...typing_ import Alternative, Side
from ..limits import as_interval
from ..registry import ONE_TEST_SET, Standing, method
from .assumptions import ENOUGH_OF_EVERY_CLASS, ENOUGH_WRONG_RANKS, MORE_THAN_TWO_SCORES, RANKS_DIFFER
from .common import difference_of, logit_limits, refuse, spread_is_seen, z_interval, z_test
from .newcombe import newcombe_limits


@method(
    name="delong",
    gives="interval",
    question=1,
    evidence=ClassScores,
    covers=ONE_TEST_SET,
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
    refuse(scores, "delong", "interval", models=1)
    area, error = scores.levels[..., 0], np.sqrt(scores.areas.covariance[..., 0, 0])
    flat = (error == 0) | (area <= 0) | (area >= 1) | (not spread_is_seen(scores))
    plain = newcombe_limits(scores, area, alpha, side)
    own = logit_limits(area, error, alpha, side)
    low, high = (np.where(flat, other, limit)[()] for other, limit in zip(plain, own, strict=True))
    return as_interval("delong", (low, high), alpha, side)


_PAIRED: dict[str, Any] = {
    "name": "delong-paired",
    "question": 3,
    "evidence": ClassScores,
    "covers": ONE_TEST_SET,
    "parameter": "difference",
    "metrics": ("auc",),
    "assumes": (ENOUGH_OF_EVERY_CLASS, RANKS_DIFFER, MORE_THAN_TWO_SCORES),
    "standing": Standing.RECOMMENDED,
    "because": "both areas come from the same examples, and the covariance allows for that without a model of the"
    " scores; not for a model that was fitted on these very examples with the other's inputs and more (Demler et al."
    " 2012)",
    "holds": "20 or more examples of either class",
    "where": {"smaller": (20, inf)},
    "monotone": False,
    "reference": "delong1988",
}


@method(gives="test", statistic="z", **_PAIRED)
def delong_paired(scores: ClassScores, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether two areas under ROC curves differ, on the same examples.

    z = (difference − against)/s with DeLong's standard error of the difference, from one sort a model. Models that rank
    all examples alike show no difference: p is 1. Of several classes the area is the mean of each against the rest.

    Parameters
    ----------
    scores
        The scores of two models.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> drawn = np.random.default_rng(0).normal(size=(2, 60)).round(2) + np.repeat([0, 1], 30)
    >>> found = delong_paired(ClassScores.from_scores(np.repeat([0, 1], 30), *drawn))
    >>> found.statistic.round(3), found.pvalue.round(4)
    (np.float64(-1.754), np.float64(0.0794))
    """
    refuse(scores, "delong-paired", "test")
    return z_test(scores, difference_of(scores), against, alternative)


@method(gives="interval", **_PAIRED)
def delong_paired_interval(scores: ClassScores, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the differences of two areas that the test leaves standing: difference ∓ z·s, inside −1 to 1.

    Where no example's placement differs from the others' there is no spread to go by: then the limits are what a kind
    of example too rare to be met in the smaller class could make of it.

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
    >>> limits = delong_paired_interval(ClassScores.from_scores(np.repeat([0, 1], 30), *drawn))
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(-0.311), np.float64(0.017))
    """
    refuse(scores, "delong-paired", "interval")
    return z_interval("delong-paired", scores, difference_of(scores), alpha, side)
