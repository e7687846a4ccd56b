"""Wilcoxon's signed-rank test over data sets, exact with any ties, and the interval that agrees with it."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...evidence import ScoreTable
from ...numerics.distributions import pvalue_of_tails
from ...results import TestResult
from ...typing_ import Alternative, one_of
from ..registry import Standing, procedure
from .assumptions import LIMITS_AMONG_DIFFERENCES, LITTLE_SKEW_OVER_DATA_SETS, PATTERNS_COUNTED, SIGNS_OF_DIFFERENCES
from .differences import OrderedDifferences, as_whole, pair_of_learners
from .signed_ranks import EXACT, Zeros, chances, rank_sums
from .walsh import pseudomedian, walsh_limits


def _describe_options(zeros: Zeros = "pratt", exact: int = EXACT, **_: Any) -> str:
    ties = "tied data sets left out" if zeros == "drop" else ""
    normal = "" if exact == EXACT else f"normal approximation beyond {exact} data sets"
    return "; ".join(filter(None, (ties, normal)))


@procedure(
    name="wilcoxon-signed-rank",
    title="Wilcoxon signed-rank",
    evidence=ScoreTable,
    parameter="difference",
    assumes=(*SIGNS_OF_DIFFERENCES, LITTLE_SKEW_OVER_DATA_SETS, PATTERNS_COUNTED, *LIMITS_AMONG_DIFFERENCES),
    standing=Standing.RECOMMENDED,
    rationale="robust to different scales of data sets, and more powerful than the sign test; exact with ties and with"
    " few data sets",
    validity="differences that are symmetric if neither learner is better, any number of data sets",
    where={"datasets": (1, inf), "skewness": (0, 0)},
    interval={
        "title": "Hodges & Lehmann",
        "reference": "hodges1963",
        "location": pseudomedian,
        "centre": "typically",
        "unheeded": ("zeros", "exact"),
    },
    test={"reference": "wilcoxon1945", "statistic": "T", "note": _describe_options},
)
def wilcoxon_signed_rank(table: ScoreTable, *, zeros: Zeros = "pratt", exact: int = EXACT) -> OrderedDifferences:
    """Wilcoxon's signed-rank test of two learners over data sets, and Hodges and Lehmann's interval.

    Parameters
    ----------
    table
        The scores of two learners.
    zeros
        Tied data sets: "pratt" ranks them with the rest and then leaves them out (Pratt 1959), "drop" leaves them
        out before (Wilcoxon 1945).
    exact
        The number of data sets up to which the p-value is exact; beyond, it is a normal approximation.

    Notes
    -----
    The differences are ranked by size; if neither learner is better, each rank belongs to either of them with
    probability ½. The statistic is T, the smaller of both rank sums. Its p-value is exact, ties and zeros included.

    The limits, around Hodges and Lehmann's pseudomedian, are means of two differences; the interval contains the values
    that the test (zeros by Pratt) does not reject at alpha. With too few data sets for the level (five, for 95%) it is
    the whole range. If most differences are equal, it is extended by a step of the scores on either side.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.8, 0.9], [0.7, 0.85], [0.6, 0.64], [0.5, 0.7], [0.9, 0.88], [0.7, 0.9]])
    >>> result = wilcoxon_signed_rank(table).test(0.0, "two-sided")
    >>> result.statistic, result.pvalue
    (np.float64(1.0), np.float64(0.0625))
    >>> table = ScoreTable.from_scores({"A": [0.0] * 8, "B": [0.01, 0.02, 0.03, 0.05, 0.08, 0.13, 0.21, -0.01]})
    >>> limits = wilcoxon_signed_rank(table).interval(0.05, "two")
    >>> limits.low.round(4), limits.high.round(4)
    (np.float64(0.01), np.float64(0.13))
    """
    one_of("zeros", zeros, Zeros)
    exact = as_whole("exact", exact, 0, EXACT, f"of data sets from 0 to {EXACT}")

    def decide(null: Any, alternative: Alternative) -> TestResult:
        whole, _ = table.steps(null)
        sums, plain = rank_sums(whole.reshape(-1, whole.shape[-1]), zeros)
        reach, beyond = chances(sums, plain, exact)
        lead = 2 * sums.plus - sums.total
        rest = 1 - beyond
        less, greater = (np.where(leads, reach, rest) for leads in (lead <= 0, lead >= 0))
        pvalue = pvalue_of_tails(less, greater, alternative)
        return TestResult(statistic=(sums.lesser / 2).reshape(table.shape)[()], pvalue=pvalue.reshape(table.shape)[()])

    pair_of_learners("wilcoxon-signed-rank", table)
    return OrderedDifferences(table, decide, lambda tail: walsh_limits(table, tail, table.range))
