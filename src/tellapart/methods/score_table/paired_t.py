"""The paired t test over data sets."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np

from ...evidence import ScoreTable
from ...numerics.distributions import ratio
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, IntArray, Side
from ..registry import Standing, method
from ..resamples.moments import student, student_interval
from .assumptions import DATA_SETS_OF_ONE_SCALE, DATA_SETS_VARY, EVERY_DATA_SET_KNOWN
from .common import OVER_DATA_SETS, pair_of_learners

_FACTS: dict[str, Any] = OVER_DATA_SETS | {
    "name": "paired-t",
    "assumes": (DATA_SETS_VARY, DATA_SETS_OF_ONE_SCALE, EVERY_DATA_SET_KNOWN),
    "standing": Standing.SOUND,
    "because": "differences of different data sets are not of one scale, and a single one that is far off may hide or"
    " make a difference; where they are normal it is the best there is",
    "holds": "differences that are about symmetric and of one scale, 5 data sets or more",
    "where": {"datasets": (5, inf), "skewness": (0, 0), "outlier": (0, 0)},
    "reference": "demsar2006",
}


class OverDataSets(NamedTuple):
    """The mean difference over data sets, its standard error and its degrees of freedom; no spread: no error."""

    mean: FloatArray
    error: FloatArray
    freedom: IntArray


def over_data_sets(table: ScoreTable) -> OverDataSets:
    """Return mean and standard error of loss(A) − loss(B) over the data sets that both have a score on.

    Examples
    --------
    >>> over_data_sets(ScoreTable.from_scores({"A": [0.5, 0.5, 0.5], "B": [0.5, 0.75, 1.0]}))
    OverDataSets(mean=np.float64(0.25), error=np.float64(0.14433756729740646), freedom=np.int64(2))
    """
    whole, unit = table.steps()
    known = ~np.isnan(whole)
    count = np.count_nonzero(known, axis=-1)
    mean = ratio(np.where(known, whole, 0.0).sum(axis=-1), count, empty=np.nan)
    apart = np.where(known, whole - mean[..., None], 0.0)
    # Means of many equal numbers are rounded: whether they are equal is seen in the numbers.
    flat = np.fmax.reduce(whole, axis=-1) == np.fmin.reduce(whole, axis=-1)
    variance = np.einsum("...i,...i->...", apart, apart) / np.maximum(count - 1, 1)
    error = np.where(flat | (count < 2), 0.0, np.sqrt(variance / np.maximum(count, 1)))
    return OverDataSets((mean * unit)[()], (error * unit)[()], np.maximum(count - 1, 1)[()])


@method(gives="test", statistic="t", **_FACTS)
def paired_t_over_data_sets(
    table: ScoreTable, *, against: float = 0.0, alternative: Alternative = "two-sided"
) -> TestResult:
    """Test the mean difference of two learners over data sets by Student's t.

    Every data set counts alike, whatever the size of its scores. Where all differences are the same there is nothing to
    judge them by, and p is 1.

    Parameters
    ----------
    table
        The scores of two learners.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".

    Examples
    --------
    >>> table = ScoreTable.from_scores({"A": [0.8, 0.7, 0.6, 0.5], "B": [0.9, 0.85, 0.64, 0.7]})
    >>> found = paired_t_over_data_sets(table)
    >>> found.statistic.round(4), found.pvalue.round(4)
    (np.float64(3.5769), np.float64(0.0374))
    """
    mean, error, freedom = over_data_sets(pair_of_learners("paired-t", table))
    return student(mean - against, error, freedom, alternative)


@method(gives="interval", **_FACTS)
def paired_t_over_data_sets_interval(table: ScoreTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the mean differences over data sets that the paired t test leaves standing; everything without spread.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"A": [0.8, 0.7, 0.6, 0.5], "B": [0.9, 0.85, 0.64, 0.7]})
    >>> limits = paired_t_over_data_sets_interval(table)
    >>> limits.low.round(4), limits.high.round(4)
    (np.float64(0.0135), np.float64(0.2315))
    """
    mean, error, freedom = over_data_sets(pair_of_learners("paired-t", table))
    return student_interval("paired-t", table, mean, error, freedom, alpha, side)  # type: ignore[arg-type]  # its range
