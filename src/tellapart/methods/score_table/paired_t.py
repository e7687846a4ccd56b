"""The paired t test over data sets."""

from __future__ import annotations

from math import inf

import numpy as np

from ...evidence import ScoreTable
from ...numerics.distributions import ratio
from ..pivots import Student, Undetermined
from ..registry import Standing, procedure
from .assumptions import DATA_SETS_VARY, MEAN_DIFFERENCE
from .differences import pair_of_learners


@procedure(
    name="paired-t",
    title="paired t",
    evidence=ScoreTable,
    parameter="difference",
    assumes=(DATA_SETS_VARY, *MEAN_DIFFERENCE),
    standing=Standing.SOUND,
    rationale="most powerful for normal differences; data sets of different scales, or one outlier, can hide or create"
    " a difference",
    validity="roughly symmetric differences of one scale, 5 data sets or more",
    where={"datasets": (5, inf), "skewness": (0, 0), "outlier": (0, 0)},
    statistic="t",
    reference="demsar2006",
)
def paired_t(table: ScoreTable) -> Student:
    """Interval and test for the mean difference of two learners over data sets, by Student's t.

    All data sets on which both learners have a score are weighted equally. If all differences are the same, p is 1 and
    the interval is the whole range.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"A": [0.8, 0.7, 0.6, 0.5], "B": [0.9, 0.85, 0.64, 0.7]})
    >>> result, limits = paired_t(table).test(0.0, "two-sided"), paired_t(table).interval(0.05, "two")
    >>> result.statistic.round(4), result.pvalue.round(4), limits.low.round(4), limits.high.round(4)
    (np.float64(3.5769), np.float64(0.0374), np.float64(0.0135), np.float64(0.2315))
    """
    whole, unit = pair_of_learners("paired-t", table).steps()
    present = ~np.isnan(whole)
    count = np.count_nonzero(present, axis=-1)
    mean = ratio(np.where(present, whole, 0.0).sum(axis=-1), count, empty=np.nan)
    deviations = np.where(present, whole - mean[..., None], 0.0)
    # The mean of equal numbers is rounded: compare the numbers themselves.
    flat = np.fmax.reduce(whole, axis=-1) == np.fmin.reduce(whole, axis=-1)
    variance = np.einsum("...i,...i->...", deviations, deviations) / np.maximum(count - 1, 1)
    error = np.where(flat | (count < 2), 0.0, np.sqrt(variance / np.maximum(count, 1)))
    df, undetermined = np.maximum(count - 1, 1)[()], Undetermined(table.range)
    return Student((mean * unit)[()], (error * unit)[()], df, undetermined, ends=table.range, quick=True)
