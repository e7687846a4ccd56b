"""Demšar (2006), section 3.1.3: Wilcoxon's signed-rank test with tied data sets split between both learners."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

import tellapart as ta

from ..typing_ import Alternative


class SplitRanks(NamedTuple):
    """The smaller sum of ranks, and its p-value."""

    statistic: float
    pvalue: float


def wilcoxon_with_split_zeros(table: ta.ScoreTable, *, alternative: Alternative = "two-sided") -> SplitRanks:
    """Return the signed-rank test with the ranks of ties split evenly; one tie of an odd number is dropped.

    The p-value is that of `wilcoxon-signed-rank` without the dropped tie, because ranks shared by both have no effect.

    Examples
    --------
    >>> scores = {"A": [0.8, 0.7, 0.6, 0.5, 0.9], "B": [0.9, 0.75, 0.6, 0.5, 0.88]}
    >>> wilcoxon_with_split_zeros(ta.ScoreTable.from_scores(scores))
    SplitRanks(statistic=4.5, pvalue=0.5)
    """
    ties = np.flatnonzero(table.steps()[0] == 0)
    loss = table.loss.copy()
    loss[0, ties[: len(ties) % 2]] = np.nan
    if np.isnan(loss[0]).all():
        return SplitRanks(0.0, 1.0)
    comparison: Any = ta.compare(replace(table, loss=loss), method="wilcoxon-signed-rank", alternative=alternative)
    kept = len(ties) // 2 * 2
    return SplitRanks(
        float(comparison.statistic) + kept * (kept + 1) / 4, float(comparison.pvalue)
    )  # half of ranks 1 to `kept`
