"""Demšar (2006), section 3.1.3: Wilcoxon's signed ranks where data sets that tie are split between both learners."""

from __future__ import annotations

import numpy as np

from ..evidence import ScoreTable
from ..methods.score_table.wilcoxon import signed_ranks_test
from ..results import TestResult
from ..typing_ import Alternative


def wilcoxon_with_split_zeros(
    table: ScoreTable, *, against: float = 0.0, alternative: Alternative = "two-sided"
) -> TestResult:
    """Test two learners by signed ranks, of which either gets half where they tie; of an odd number one is left out.

    Its p-value is that of `wilcoxon-signed-rank` without the one left out: ranks that both get say nothing.

    Examples
    --------
    >>> scores = {"A": [0.8, 0.7, 0.6, 0.5, 0.9], "B": [0.9, 0.75, 0.6, 0.5, 0.88]}
    >>> found = wilcoxon_with_split_zeros(ScoreTable.from_scores(scores))
    >>> found.statistic, found.pvalue
    (np.float64(4.5), np.float64(0.5))
    """
    differences, _ = table.steps(against)
    rows = differences.reshape(-1, differences.shape[-1]).copy()
    ties = np.count_nonzero(rows == 0, axis=-1)
    odd = np.flatnonzero(ties % 2)
    rows[odd, np.argmax(rows[odd] == 0, axis=-1)] = np.nan
    smaller, pvalue = signed_ranks_test(rows, alternative)
    kept = ties - ties % 2
    statistic = smaller + kept * (kept + 1) / 4  # half of the ranks 1 to `kept`
    return TestResult(statistic=statistic.reshape(table.shape)[()], pvalue=pvalue.reshape(table.shape)[()])
