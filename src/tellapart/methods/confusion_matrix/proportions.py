"""Shares of examples of one kind: the intervals of one rate, by the metric's own denominator.

Precision is a share of what was predicted, recall of what is there. Given how many these are, the hits among them are
binomial, whatever the other cells hold: an interval that keeps its level at every number of trials keeps it here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...evidence import ConfusionMatrix, ErrorCount
from ..error_count.bayesian import jeffreys as jeffreys_of_count
from ..error_count.exact import clopper_pearson as clopper_pearson_of_count
from ..error_count.exact import mid_p as mid_p_of_count
from ..error_count.score import wilson as wilson_of_count
from ..pivots import Pivot
from ..registry import Standing, procedure
from .assumptions import DEFINED, ENOUGH_THAT_COUNT
from .common import INTERVAL, PROPORTIONS, MetricLimits

_OF_SHARES: dict[str, Any] = {**INTERVAL, "metrics": PROPORTIONS, "standing": Standing.RECOMMENDED}


@procedure(
    name="jeffreys",
    **_OF_SHARES,
    assumes=(DEFINED,),
    rationale="the default for a share: on average closest to the level and short near the ends",
    reference="martin1996",
    note="prior Beta(1/2, 1/2)",
)
def jeffreys(matrix: ConfusionMatrix, *, raw: bool = False) -> MetricLimits:
    """Give Jeffreys' limits of a share by its own denominator: the quantiles of Beta(hits + ½, misses + ½).

    The numbers are those of one error rate with as many errors and trials.

    Parameters
    ----------
    matrix
        The counts, asked for accuracy, error, precision, recall, specificity, false positive rate, negative
        predictive value, Jaccard index, or a micro average.
    raw
        Leave the quantiles as they are, without 0 below no hits and 1 above nothing but hits.

    Examples
    --------
    >>> limits = jeffreys(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("precision")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.6415), np.float64(0.8796))
    """
    return _by_own_trials(matrix, partial(jeffreys_of_count, raw=raw))


@procedure(
    name="wilson",
    **_OF_SHARES,
    assumes=(DEFINED, ENOUGH_THAT_COUNT),
    rationale="closed form, never degenerate, and it decides as the score test does; short near one expected miss",
    reference="wilson1927",
)
def wilson(matrix: ConfusionMatrix) -> MetricLimits:
    """Give Wilson's limits of a share by its own denominator.

    Examples
    --------
    >>> limits = wilson(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("recall")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.7389), np.float64(0.9454))
    """
    return _by_own_trials(matrix, wilson_of_count)


@procedure(
    name="clopper-pearson",
    **_OF_SHARES,
    assumes=(DEFINED,),
    rationale="its level is guaranteed on each side, however many examples its denominator happens to have",
    guarantees=True,
    reference="clopper1934",
)
def clopper_pearson(matrix: ConfusionMatrix) -> MetricLimits:
    """Give the exact limits of a share by its own denominator.

    Examples
    --------
    >>> limits = clopper_pearson(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("specificity")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.7148), np.float64(0.9171))
    """
    return _by_own_trials(matrix, clopper_pearson_of_count)


@procedure(
    name="mid-p",
    **_OF_SHARES,
    assumes=(DEFINED,),
    rationale="the best floor of the methods that are near the level on average; slower than a closed form",
    reference="lancaster1961",
)
def mid_p(matrix: ConfusionMatrix) -> MetricLimits:
    """Give the mid-p limits of a share by its own denominator.

    Examples
    --------
    >>> limits = mid_p(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("accuracy")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.7698), np.float64(0.9102))
    """
    return _by_own_trials(matrix, mid_p_of_count)


def _by_own_trials(matrix: ConfusionMatrix, fit: Callable[[ErrorCount], Pivot]) -> MetricLimits:
    """Return the limits of hits among trials; of no trials, all there is."""
    hits, trials = matrix.metric.proportion(matrix.counts)
    value = np.where(trials > 0, 0.0, np.nan)
    return MetricLimits(matrix, fit(ErrorCount(hits, np.maximum(trials, 1))).limits, value)
