"""Wilcoxon's signed ranks over data sets: the exact test with any ties, and the limits that decide as it does."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import ScoreTable
from ...numerics.distributions import tail
from ...results import Interval, TestResult
from ...typing_ import Alternative, Side, one_of
from ..limits import as_interval
from ..registry import Standing, method
from .assumptions import (
    EVERY_DATA_SET_KNOWN,
    LIMITS_HAVE_WIDTH,
    LITTLE_SKEW_OVER_DATA_SETS,
    PATTERNS_COUNTED,
    SIGNS_OF_DIFFERENCES,
)
from .common import OVER_DATA_SETS, pair_of_learners, with_width
from .signed_ranks import EXACT, Zeros, chances, rank_sums
from .walsh import pseudomedian, walsh_limits

_NAME = "wilcoxon-signed-rank"
_FACTS: dict[str, Any] = OVER_DATA_SETS | {
    "name": _NAME,
    "assumes": (
        *SIGNS_OF_DIFFERENCES,
        LITTLE_SKEW_OVER_DATA_SETS,
        PATTERNS_COUNTED,
        LIMITS_HAVE_WIDTH,
        EVERY_DATA_SET_KNOWN,
    ),
    "standing": Standing.RECOMMENDED,
    "because": "ranks are safe from a data set whose scores are of another size, and see more than who wins; all"
    " patterns of signs are counted, so that neither ties nor few data sets break its level",
    "holds": "differences that are symmetric if neither learner is better, any number of data sets",
    "where": {"datasets": (1, inf), "skewness": (0, 0)},
    "reference": "wilcoxon1945",
}


def _told(zeros: Zeros = "pratt", exact: int = EXACT, **_: Any) -> str:
    parts = (
        "data sets that tie left out" if zeros == "drop" else "",
        "" if exact == EXACT else f"normal approximation beyond {exact} data sets",
    )
    return "; ".join(part for part in parts if part)


@method(gives="test", statistic="T", told=_told, **_FACTS)
def wilcoxon_signed_rank(
    table: ScoreTable,
    *,
    against: float = 0.0,
    alternative: Alternative = "two-sided",
    zeros: Zeros = "pratt",
    exact: int = EXACT,
) -> TestResult:
    """Test whether the differences of two learners over data sets are symmetric around 0, by their signed ranks.

    The differences are ranked by size; if neither learner is better, each rank belongs to either of them with the
    chance ½. The statistic is T, the smaller of both rank sums. Its p-value is exact, ties and zeros included.

    Parameters
    ----------
    table
        The scores of two learners.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    zeros
        Data sets that tie: "pratt" ranks them with the rest and then leaves them out (Pratt 1959), "drop" leaves them
        out before (Wilcoxon 1945).
    exact
        Up to how many data sets all patterns of signs are counted; beyond, the normal curve stands in.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.8, 0.9], [0.7, 0.85], [0.6, 0.64], [0.5, 0.7], [0.9, 0.88], [0.7, 0.9]])
    >>> found = wilcoxon_signed_rank(table)
    >>> found.statistic, found.pvalue
    (np.float64(1.0), np.float64(0.0625))
    """
    one_of("alternative", alternative, Alternative)
    one_of("zeros", zeros, Zeros)
    whole, _ = pair_of_learners(_NAME, table).steps(against)
    sums, plain = rank_sums(whole.reshape(-1, whole.shape[-1]), zeros)
    reach, beyond = chances(sums, plain, _as_exact(exact))
    if alternative == "two-sided":
        pvalue = np.minimum(2 * reach, 1.0)
    else:
        lead = 2 * sums.plus - sums.total
        pvalue = np.where((lead >= 0) if alternative == "greater" else (lead <= 0), reach, 1 - beyond)
    return TestResult(statistic=(sums.lesser / 2).reshape(table.shape)[()], pvalue=pvalue.reshape(table.shape)[()])


def _as_exact(exact: Any) -> int:
    if isinstance(exact, bool) or not (isinstance(exact, int | np.integer) and 0 <= exact <= EXACT):
        raise InvalidOption(f"exact must be a whole number of data sets from 0 to {EXACT}, but is {exact!r}.")
    return int(exact)


@method(gives="interval", location=pseudomedian, **_FACTS | {"reference": "hodges1963"})
def wilcoxon_signed_rank_interval(table: ScoreTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the differences that Wilcoxon's signed ranks leave standing, around Hodges and Lehmann's pseudomedian.

    They reach from one mean of two differences to another, and hold what the test (zeros by Pratt) does not reject at
    alpha. With too few data sets for the level (five, for 95 %) the test rejects nothing, and they are everything.
    Where most differences are one and the same, a step of the scores is allowed for on either side.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"A": [0.0] * 8, "B": [0.01, 0.02, 0.03, 0.05, 0.08, 0.13, 0.21, -0.01]})
    >>> limits = wilcoxon_signed_rank_interval(table)
    >>> limits.low.round(4), limits.high.round(4)
    (np.float64(0.01), np.float64(0.13))
    """
    found = walsh_limits(pair_of_learners(_NAME, table), tail(alpha, side), table.range)
    return as_interval(_NAME, with_width(table, *found, side), alpha, side, "difference", table.range)
