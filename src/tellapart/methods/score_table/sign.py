"""The sign test of two learners over data sets, and the interval for the median difference."""

from __future__ import annotations

from math import inf
from typing import Any, Literal

import numpy as np

from ...evidence import ScoreTable
from ...numerics.distributions import binomial_quantile, probability_at_most, pvalue_of_tails
from ...results import TestResult
from ...typing_ import Alternative, FloatArray, IntArray, one_of
from ..pivots import Limits
from ..registry import Standing, procedure
from .assumptions import LIMITS_AMONG_DIFFERENCES, SIGNS_OF_DIFFERENCES
from .differences import OrderedDifferences, count_wins, median_of, pair_of_learners, sorted_differences

Ties = Literal["drop", "split"]


def _describe_ties(ties: Ties = "drop", **_: Any) -> str:
    return "ties split between both" if ties == "split" else ""


def median_difference(table: ScoreTable) -> FloatArray:
    """Return the median difference over the data sets with scores of both learners; NaN if there are none."""
    return median_of(*sorted_differences(table))


@procedure(
    name="sign-test",
    title="sign test",
    evidence=ScoreTable,
    parameter="difference",
    assumes=(*SIGNS_OF_DIFFERENCES, *LIMITS_AMONG_DIFFERENCES),
    standing=Standing.SOUND,
    rationale="type I error rate at most alpha for any distribution of differences; ignores their size, so it needs"
    " more data sets than the signed-rank test",
    validity="any number of data sets",
    where={"datasets": (1, inf)},
    guarantees=True,
    reference="demsar2006",
    interval={
        "title": "sign-test interval for the median",
        "location": median_difference,
        "centre": "at the median",
        "unheeded": ("ties",),
    },
    test={"statistic": "wins of B", "note": _describe_ties},
)
def sign_test(table: ScoreTable, *, ties: Ties = "drop") -> OrderedDifferences:
    """Sign test of whether one of two learners wins on more data sets, and interval for the median difference.

    Parameters
    ----------
    table
        The scores of two learners.
    ties
        Data sets without a winner: "drop" leaves them out, "split" gives half of them to each (and leaves one out if
        their number is odd), which is at least as conservative.

    Notes
    -----
    If neither learner is better, the wins of B among the data sets with a winner are binomial with probability ½. The
    p-value is exact, the two-sided one twice the smaller tail.

    The limits are order statistics of the differences, with exact binomial ranks. With too few data sets for the level
    (five, for 95%) the interval is the whole range. It contains the values that the test does not reject with either
    treatment of ties; a limit at which data sets tie may be rejected or not.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.8, 0.9], [0.7, 0.8], [0.6, 0.7], [0.5, 0.7], [0.9, 0.9], [0.7, 0.9]])
    >>> result = sign_test(table).test(0.0, "two-sided")
    >>> result.statistic, result.pvalue
    (np.float64(5.0), np.float64(0.0625))
    >>> table = ScoreTable.from_scores({"A": [0.0] * 8, "B": [0.01, 0.02, 0.03, 0.05, 0.08, 0.13, 0.21, -0.01]})
    >>> limits = sign_test(table).interval(0.05, "two")
    >>> limits.low.round(4), limits.high.round(4)  # the first and the last of eight
    (np.float64(-0.01), np.float64(0.21))
    """
    one_of("ties", ties, Ties)
    ordered, count = sorted_differences(pair_of_learners("sign-test", table))

    def decide(null: Any, alternative: Alternative) -> TestResult:
        wins, decided = _count_wins_of_b(table, null, ties)
        less, greater = (probability_at_most(count, decided, 0.5) for count in (wins, decided - wins))
        pvalue = pvalue_of_tails(less, greater, alternative)
        return TestResult(statistic=wins.astype(float)[()], pvalue=pvalue, estimate=median_of(ordered, count))

    def invert(tail: float) -> Limits:
        # A difference is not rejected if at least this many data sets lie on either side of it.
        beyond = np.asarray(binomial_quantile(tail, count, 0.5))
        least, most = table.range
        low = _take_or_end(ordered, beyond - 1, beyond > 0, least)
        return low, _take_or_end(ordered, count - beyond, beyond > 0, most)

    return OrderedDifferences(table, decide, invert)


def _count_wins_of_b(table: ScoreTable, against: float, ties: Ties) -> tuple[IntArray, IntArray]:
    """Return on how many data sets B wins, and on how many there is a winner."""
    a, tied, b = count_wins(table.steps(against)[0])
    half = tied // 2 if ties == "split" else 0
    return b + half, a + b + 2 * half


def _take_or_end(ordered: FloatArray, index: IntArray, exists: Any, end: float) -> FloatArray:
    """Return the value at an index of each row if it exists, otherwise the end of the range."""
    values = np.take_along_axis(ordered, np.where(exists, index, 0)[..., None], axis=-1)[..., 0]
    return np.where(exists, values, end)[()]
