"""The sign test: on how many data sets each of two learners wins, and the median difference that goes with it."""

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
    """Return the median difference over the data sets that both learners have a score on; NaN where none has."""
    return median_of(*sorted_differences(table))


@procedure(
    name="sign-test",
    evidence=ScoreTable,
    parameter="difference",
    assumes=(*SIGNS_OF_DIFFERENCES, *LIMITS_AMONG_DIFFERENCES),
    standing=Standing.SOUND,
    rationale="its level holds whatever the differences look like; it looks at who wins and not by how much, so that"
    " it needs more data sets than ranks do",
    validity="every number of data sets",
    where={"datasets": (1, inf)},
    guarantees=True,
    reference="demsar2006",
    interval={"location": median_difference, "centre": "at the median", "unheeded": ("ties",)},
    test={"statistic": "wins of B", "note": _describe_ties},
)
def sign_test(table: ScoreTable, *, ties: Ties = "drop") -> OrderedDifferences:
    """Sign test of whether one of two learners wins on more data sets than by chance, with limits of the median.

    The wins of B among the data sets that one of both wins are binomial with chance ½ if neither is better. The p-value
    is exact, the two-sided one twice the smaller tail.

    The limits reach from one difference in order to another; which places these are is binomial and exact. With too few
    data sets for the level (five, for 95 %) no order of theirs is odd enough, and the interval is everything. It holds
    what the test does not reject whichever way ties are counted; a limit at which data sets tie may be rejected or not.

    Parameters
    ----------
    table
        The scores of two learners.
    ties
        Data sets without a winner: "drop" leaves them out, "split" gives half of them to each (and leaves one out if
        their number is odd), which is never less careful.

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
        wins, tosses = _wins(table, null, ties)
        less, greater = (probability_at_most(each, tosses, 0.5) for each in (wins, tosses - wins))
        pvalue = pvalue_of_tails(less, greater, alternative)  # a coin has no sides
        return TestResult(statistic=wins.astype(float)[()], pvalue=pvalue, estimate=median_of(ordered, count))

    def invert(tail: float) -> Limits:
        # A difference is not rejected from which this many data sets, or more, lie on either side.
        beyond = np.asarray(binomial_quantile(tail, count, 0.5))
        least, most = table.range
        return _at(ordered, beyond - 1, beyond > 0, least), _at(ordered, count - beyond, beyond > 0, most)

    return OrderedDifferences(table, decide, invert)


def _wins(table: ScoreTable, against: float, ties: Ties) -> tuple[IntArray, IntArray]:
    """Return on how many data sets B wins, and on how many somebody does."""
    a, tied, b = count_wins(table.steps(against)[0])
    half = tied // 2 if ties == "split" else 0
    return b + half, a + b + 2 * half


def _at(ordered: FloatArray, place: IntArray, there: Any, end: float) -> FloatArray:
    """Return the value at a place of each row, or the end of the range."""
    found = np.take_along_axis(ordered, np.where(there, place, 0)[..., None], axis=-1)[..., 0]
    return np.where(there, found, end)[()]
