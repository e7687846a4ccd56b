"""Intervals of metrics that are binomial shares: precision, recall and others.

Precision is a share of the predictions of a class, recall of its examples. Given their number, the hits are binomial
for any values of the other cells: an interval valid at every number of trials is valid here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...evidence import ConfusionMatrix, ErrorCount
from ..error_count.exact import clopper_pearson as clopper_pearson_of_count
from ..error_count.exact import mid_p as mid_p_of_count
from ..error_count.posterior_intervals import jeffreys as jeffreys_of_count
from ..error_count.wilson_score import wilson as wilson_of_count
from ..pivots import Pivot
from ..registry import Standing, procedure
from .assumptions import DEFINED, ENOUGH_IN_DENOMINATOR
from .metric_limits import INTERVAL, PROPORTIONS, MetricLimits

_OF_SHARES: dict[str, Any] = {**INTERVAL, "metrics": PROPORTIONS, "standing": Standing.RECOMMENDED}


@procedure(
    name="jeffreys",
    title="Jeffreys",
    **_OF_SHARES,
    assumes=(DEFINED,),
    rationale="the default for a share: coverage closest to nominal on average, and short near 0 and 1",
    reference="martin1996",
    note="prior Beta(1/2, 1/2)",
)
def jeffreys(matrix: ConfusionMatrix, *, raw: bool = False) -> MetricLimits:
    """Return Jeffreys' limits of a share: the quantiles of Beta(hits + ½, misses + ½).

    They are the limits of an error rate with the same numbers of errors and trials.

    Parameters
    ----------
    matrix
        The counts, with one of the metrics accuracy, error, precision, recall, specificity, false positive rate,
        negative predictive value, Jaccard index, or a micro average.
    raw
        Keep the quantiles, without the limit 0 for no hits and 1 for only hits.

    Examples
    --------
    >>> limits = jeffreys(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("precision")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.6415), np.float64(0.8796))
    """
    return _by_own_trials(matrix, partial(jeffreys_of_count, raw=raw))


@procedure(
    name="wilson",
    title="Wilson score interval",
    **_OF_SHARES,
    assumes=(DEFINED, ENOUGH_IN_DENOMINATOR),
    rationale="closed form, never of width 0, and it agrees with the score test; too short near one expected miss",
    reference="wilson1927",
)
def wilson(matrix: ConfusionMatrix) -> MetricLimits:
    """Return Wilson's limits of a share.

    Examples
    --------
    >>> limits = wilson(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("recall")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.7389), np.float64(0.9454))
    """
    return _by_own_trials(matrix, wilson_of_count)


@procedure(
    name="clopper-pearson",
    title="Clopper-Pearson",
    **_OF_SHARES,
    assumes=(DEFINED,),
    rationale="coverage guaranteed on each side, for every value of its denominator",
    guarantees=True,
    reference="clopper1934",
)
def clopper_pearson(matrix: ConfusionMatrix) -> MetricLimits:
    """Return the exact limits of a share.

    Examples
    --------
    >>> limits = clopper_pearson(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("specificity")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.7148), np.float64(0.9171))
    """
    return _by_own_trials(matrix, clopper_pearson_of_count)


@procedure(
    name="mid-p",
    title="mid-p interval",
    **_OF_SHARES,
    assumes=(DEFINED,),
    rationale=(
        "the highest minimum coverage of the methods that are near nominal on average; slower than a closed form"
    ),
    reference="lancaster1961",
)
def mid_p(matrix: ConfusionMatrix) -> MetricLimits:
    """Return the mid-p limits of a share.

    Examples
    --------
    >>> limits = mid_p(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("accuracy")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.7698), np.float64(0.9102))
    """
    return _by_own_trials(matrix, mid_p_of_count)


def _by_own_trials(matrix: ConfusionMatrix, fit: Callable[[ErrorCount], Pivot]) -> MetricLimits:
    """Return the limits of hits among trials; the whole range for no trials."""
    hits, trials = matrix.metric.proportion(matrix.counts)
    value = np.where(trials > 0, 0.0, np.nan)
    return MetricLimits(matrix, fit(ErrorCount(hits, np.maximum(trials, 1))).limits, value)
