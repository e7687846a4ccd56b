"""The differences of two learners over data sets: sorted, their median, and intervals bounded by them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InvalidEvidence, InvalidOption
from ...evidence import ScoreTable
from ...figures import join_names
from ...numerics.distributions import tail
from ...results import Interval, TestResult
from ...typing_ import LARGEST_SIZE, LEAST_SIZE, Alternative, FloatArray, IntArray, Side, as_real
from ..pivots import Limits, Pivot


def pair_of_learners(name: str, table: ScoreTable) -> ScoreTable:
    """Return the table, or raise InvalidEvidence if it has not two learners.

    Examples
    --------
    >>> table = ScoreTable.from_scores([[0.9, 0.8, 0.7]], ["svm", "nb", "tree"])
    >>> pair_of_learners("sign-test", table.select("nb", "svm")).learners
    ('nb', 'svm')
    """
    if len(table.learners) != 2:
        raise InvalidEvidence(
            f"method {name!r} compares two learners, got {len(table.learners)} ({join_names(table.learners)}). Use"
            " select(a, b), or pairs() for all of them."
        )
    return table


def sorted_differences(table: ScoreTable) -> tuple[FloatArray, IntArray]:
    """Return loss(A) − loss(B) in rising order along the last dimension, NaN last, and how many are not NaN.

    Examples
    --------
    >>> sorted_differences(ScoreTable.from_scores([[0.5, 0.75], [None, 0.5], [0.5, 0.25]]))
    (array([-0.25,  0.25,   nan]), np.int64(2))
    """
    ordered = np.sort(table.differences, axis=-1)
    return ordered, np.asarray(np.count_nonzero(~np.isnan(ordered), axis=-1))[()]


def median_of(ordered: FloatArray, count: IntArray) -> FloatArray:
    """Return the median of the first `count` values of each sorted row; NaN if there is none.

    Examples
    --------
    >>> median_of(np.array([1.0, 3.0, 4.0, np.nan]), np.int64(3)), median_of(np.array([np.nan]), np.int64(0))
    (np.float64(3.0), np.float64(nan))
    """
    count = np.asarray(count)
    indices = np.stack([np.maximum(count - 1, 0) // 2, np.minimum(count // 2, ordered.shape[-1] - 1)], axis=-1)
    middle: FloatArray = np.take_along_axis(ordered, indices, axis=-1).sum(axis=-1) / 2
    return middle[()]


def count_wins(whole: FloatArray, limit: FloatArray | float = 0.0) -> tuple[IntArray, IntArray, IntArray]:
    """Return on how many data sets A is better, neither is by more than a limit, and B is; NaN counts for none.

    Examples
    --------
    >>> count_wins(np.array([-3.0, -1.0, 0.0, 2.0, np.nan]), np.array(1.0))
    (np.int64(1), np.int64(2), np.int64(1))
    """
    limit = np.expand_dims(limit, -1)
    wins = (whole < -limit, np.abs(whole) <= limit, whole > limit)
    a, tied, b = (np.asarray(np.count_nonzero(which, axis=-1))[()] for which in wins)
    return a, tied, b


def as_size(name: str, value: Any, *, zero: bool = True) -> float:
    """Return a size in units of the metric as a float, or raise InvalidOption if it is not one.

    Examples
    --------
    >>> as_size("rope", 0.01)
    0.01
    """
    number = as_real(value)
    if 0 < number < LEAST_SIZE or LARGEST_SIZE < number < np.inf:
        raise InvalidOption(f"`{name}` must be a size from 1e-50 to 1e50, got {value!r}. For 1 pp use 0.01.")
    if not 0 <= number <= LARGEST_SIZE or not (zero or number >= LEAST_SIZE):
        least = "0 or more" if zero else "above 0"
        raise InvalidOption(f"`{name}` must be {least}, in units of the metric, got {value!r}. For 1 pp use 0.01.")
    return number


def as_whole(name: str, value: Any, least: int, most: int, span: str = "") -> int:
    """Return a whole number in a range, or raise InvalidOption if it is not one; `span` describes the range.

    Examples
    --------
    >>> as_whole("most", 40, 1, 100)
    40
    """
    if isinstance(value, bool) or not (isinstance(value, int | np.integer) and least <= value <= most):
        raise InvalidOption(f"`{name}` must be a whole number {span or f'from {least} to {most:,}'}, got {value!r}.")
    return int(value)


# --- Intervals by a test ------------------------------------------------------------------------------------


@dataclass(eq=False)
class OrderedDifferences(Pivot):
    """A test by signs or ranks, and the differences that it does not reject.

    Both limits are differences of data sets, or means of two; the interval is at least a step of the scores wide.
    """

    table: ScoreTable
    decide: Callable[[Any, Alternative], TestResult]  # the test of a null value
    invert: Callable[[float], Limits]  # the least and the largest difference that a test with this tail does not reject

    def __post_init__(self) -> None:
        self.ends = self.table.range

    def interval(self, alpha: float = 0.05, side: Side = "two") -> Interval:
        """Return the differences that the test does not reject."""
        limits = with_width(self.table, *self.invert(tail(alpha, side)), side)
        return self._as_interval(limits, alpha, side)

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Return the result of the test of this null value."""
        return self.decide(null, alternative)


def with_width(table: ScoreTable, low: FloatArray, high: FloatArray, side: Side) -> tuple[FloatArray, FloatArray]:
    """Return the limits, widened by a step of the scores if equal differences make both of them one value.

    Scores are rounded to a step, and so are their differences. If all scores are equal the step is unknown, and the
    interval is the whole range. One-sided bounds are not widened.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"A": [0.5] * 7, "B": [0.52] * 7}, bounds=(0, 1))
    >>> with_width(table, np.float64(0.02), np.float64(0.02), "two")
    (np.float64(0.0), np.float64(0.04))
    """
    alike = np.asarray(low == high)
    if side != "two" or not alike.any():
        return low, high
    least, most = table.range
    step = np.where(table.resolution > 0, table.resolution, np.inf)
    below, above = np.maximum(low - step, least), np.minimum(high + step, most)
    return np.where(alike, below, low)[()], np.where(alike, above, high)[()]
