"""The sign test: on how many data sets each of two learners wins, and the median difference that goes with it."""

from __future__ import annotations

from math import inf
from typing import Any, Literal

import numpy as np

from ...evidence import ScoreTable
from ...numerics.distributions import binomial_quantile, probability_at_most, pvalue_of_tails, tail
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, IntArray, Side, one_of
from ..limits import as_interval
from ..registry import Standing, method
from .assumptions import EVERY_DATA_SET_KNOWN, LIMITS_HAVE_WIDTH, SIGNS_OF_DIFFERENCES
from .common import OVER_DATA_SETS, median_of, pair_of_learners, sorted_differences, with_width

Ties = Literal["drop", "split"]

_FACTS: dict[str, Any] = OVER_DATA_SETS | {
    "name": "sign-test",
    "assumes": (*SIGNS_OF_DIFFERENCES, LIMITS_HAVE_WIDTH, EVERY_DATA_SET_KNOWN),
    "standing": Standing.SOUND,
    "because": "its level holds whatever the differences look like; it looks at who wins and not by how much, so that"
    " it needs more data sets than ranks do",
    "holds": "every number of data sets",
    "where": {"datasets": (1, inf)},
    "guarantees": True,
    "reference": "demsar2006",
}


def _told(ties: Ties = "drop", **_: Any) -> str:
    return "ties split between both" if ties == "split" else ""


@method(gives="test", statistic="wins of B", told=_told, **_FACTS)
def sign_test(
    table: ScoreTable, *, against: float = 0.0, alternative: Alternative = "two-sided", ties: Ties = "drop"
) -> TestResult:
    """Test whether one of two learners wins on more data sets than chance would give it.

    The wins of B among the data sets that one of both wins are binomial with chance ½ if neither is better. The p-value
    is exact, the two-sided one twice the smaller tail.

    Parameters
    ----------
    table
        The scores of two learners.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    ties
        Data sets without a winner: "drop" leaves them out, "split" gives half of them to each (and leaves one out if
        their number is odd), which is never less careful.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.8, 0.9], [0.7, 0.8], [0.6, 0.7], [0.5, 0.7], [0.9, 0.9], [0.7, 0.9]])
    >>> found = sign_test(table)
    >>> found.statistic, found.pvalue
    (np.float64(5.0), np.float64(0.0625))
    """
    wins, tosses = _wins(pair_of_learners("sign-test", table), against, one_of("ties", ties, Ties))
    less, greater = (probability_at_most(each, tosses, 0.5) for each in (wins, tosses - wins))  # a coin has no sides
    return TestResult(
        statistic=wins.astype(float)[()],
        pvalue=pvalue_of_tails(less, greater, alternative),
        estimate=median_of(*sorted_differences(table)),
    )


def _wins(table: ScoreTable, against: float, ties: Ties) -> tuple[IntArray, IntArray]:
    """Return on how many data sets B wins, and on how many somebody does."""
    whole, _ = table.steps(against)
    a, tied, b = (np.asarray(np.count_nonzero(which, axis=-1)) for which in (whole < 0, whole == 0, whole > 0))
    half = tied // 2 if ties == "split" else 0
    return b + half, a + b + 2 * half


def median_difference(table: ScoreTable) -> FloatArray:
    """Return the median difference over the data sets that both learners have a score on; NaN where none has."""
    differences = table.differences
    known = ~np.isnan(differences)
    filled = np.where(known.any(axis=-1, keepdims=True), differences, 0.0)
    medians: FloatArray = np.where(known.any(axis=-1), np.nanmedian(filled, axis=-1), np.nan)[()]
    return medians


@method(gives="interval", location=median_difference, **_FACTS)
def sign_test_interval(table: ScoreTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the median differences that the sign test leaves standing: from one difference in order to another.

    Which places these are is binomial and exact. With too few data sets for the level (five, for 95 %) no order of
    theirs is odd enough, and the interval is everything. It holds what the test leaves standing whichever way ties are
    counted; a limit at which data sets tie may be left standing or not.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"A": [0.0] * 8, "B": [0.01, 0.02, 0.03, 0.05, 0.08, 0.13, 0.21, -0.01]})
    >>> limits = sign_test_interval(table)
    >>> limits.low.round(4), limits.high.round(4)  # the first and the last of eight
    (np.float64(-0.01), np.float64(0.21))
    """
    ordered, count = sorted_differences(pair_of_learners("sign-test", table))
    # A difference is left standing from which this many data sets, or more, lie on either side.
    beyond = np.asarray(binomial_quantile(tail(alpha, side), count, 0.5))
    least, most = table.range
    low = _at(ordered, beyond - 1, beyond > 0, least)
    high = _at(ordered, count - beyond, beyond > 0, most)
    return as_interval("sign-test", with_width(table, low, high, side), alpha, side, "difference", table.range)


def _at(ordered: FloatArray, place: IntArray, there: Any, end: float) -> FloatArray:
    """Return the value at a place of each row, or the end of the range."""
    found = np.take_along_axis(ordered, np.where(there, place, 0)[..., None], axis=-1)[..., 0]
    return np.where(there, found, end)[()]
