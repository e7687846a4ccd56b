"""Comparisons by a metric: margins in its units, the table of one class, and counts with added discordant pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...evidence import PairedConfusion, PairedTable
from ...metric_rules import Average, CellRatio
from ...numerics.orientation import orientation
from ...results import TestResult
from ...typing_ import Alternative, FloatArray, IntArray
from ..confusion_matrix.metric_limits import fill_undefined_limits
from ..pivots import Limits, Pivot

# Metrics whose denominator depends on the label only: they are error rates on a part of the test set.
OF_A_CLASS = (
    "error",
    "accuracy",
    "recall",
    "specificity",
    "false-positive-rate",
    "precision-micro",
    "recall-micro",
    "f1-micro",
)
DIFFERENCE: dict[str, Any] = {"evidence": PairedConfusion, "parameter": "difference"}  # facts of most methods
_FEWEST = 2.0  # discordant pairs that Bonett and Price (2012) add to a table
_SHARE = 0.1  # of the examples: the most that are added


def as_margin(against: ArrayLike, pair: PairedConfusion) -> FloatArray:
    """Return a difference as floats strictly within its range: one for all entries, or one for each.

    Examples
    --------
    >>> as_margin(0.01, PairedConfusion.from_predictions([0, 1], [0, 1], [0, 0]).by("f1"))
    np.float64(0.01)
    """
    low, high = pair.metric.difference_bounds
    what = f"a difference of {pair.metric.title}, loss(A) - loss(B)"
    try:
        value = np.asarray(against)
        if value.dtype.kind not in "iuf":
            raise ValueError
        if value.ndim:
            value = np.broadcast_to(value, pair.shape)
    except ValueError:
        raise InvalidOption(
            f"`against` must be {what}, or one per entry, got {against!r}. For 1 pp use 0.01."
        ) from None
    if not np.all((value > low) & (value < high)):
        raise InvalidOption(
            f"`against` must be {what} between {low:g} and {high:g}, got {against!r}. For 1 pp use 0.01."
        )
    return value.astype(float)[()]


def mask_undefined_result(pair: PairedConfusion, result: TestResult) -> TestResult:
    """Return a test result; statistic and p-value are NaN if the metric of a model is undefined.

    Examples
    --------
    >>> never = PairedConfusion.from_predictions([0, 1], [0, 1], [0, 0]).by("precision")  # B predicts no 1
    >>> mask_undefined_result(never, TestResult(statistic=np.float64(0.0), pvalue=np.float64(1.0))).pvalue
    np.float64(nan)
    """
    lost = np.isnan(pair.levels).any(axis=-1)
    statistic, pvalue = (np.where(lost, np.nan, value)[()] for value in (result.statistic, result.pvalue))
    return replace(result, statistic=statistic, pvalue=pvalue)


@dataclass(eq=False)
class PossiblyUndefined(Pivot):
    """A pivot of a metric that may be undefined: then the limits are the whole range and the p-value is NaN.

    Examples
    --------
    >>> from tellapart.methods.pivots import Score
    >>> never = PairedConfusion.from_predictions([0, 1], [0, 1], [0, 0]).by("precision")  # B predicts no 1
    >>> fitted = PossiblyUndefined(never, Score(lambda null: 0.1 - null, lambda z: (0.1 - z, 0.1 + z)))
    >>> fitted.parameter = "difference"
    >>> fitted.interval().low, fitted.test().pvalue
    (np.float64(-1.0), np.float64(nan))
    """

    pair: PairedConfusion
    pivot: Pivot

    @property
    def ends(self) -> tuple[float, float]:  # type: ignore[override]
        """The range of the difference."""
        return self.pair.metric.difference_bounds

    def limits(self, tail: float) -> Limits:
        """Return the limits of the pivot, or the whole range if the difference is undefined."""
        return fill_undefined_limits(self.pivot.limits(tail), self.pair.difference, self.ends)

    def test(self, null: Any = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Return the result of the pivot's test, or NaN if the difference is undefined."""
        return mask_undefined_result(self.pair, self.pivot.test(null, alternative))


def orient_pair(pair: PairedConfusion) -> tuple[PairedConfusion, IntArray]:
    """Return the counts with A and B swapped if A is better, and −1 for swapped entries; 0 if both are equal.

    Examples
    --------
    >>> pair = PairedConfusion.from_predictions([0, 1], [0, 1], [0, 0])
    >>> orient_pair(pair)[0].difference, orient_pair(pair)[1]
    (np.float64(0.5), np.int64(-1))
    """
    # Copies with one memory layout: the last digit of a sum may depend on it.
    counts, swapped = (np.ascontiguousarray(array) for array in (pair.counts, np.swapaxes(pair.counts, -1, -2)))
    copied = PairedConfusion(counts, pair.labels, measure=pair.measure)
    turn = orientation(copied.difference, counts - swapped)
    chosen = np.ascontiguousarray(np.where(np.asarray(turn < 0)[..., None, None, None], swapped, counts))
    return PairedConfusion(chosen, pair.labels, measure=pair.measure), turn


# --- One class -------------------------------------------------------------------------


def class_table(pair: PairedConfusion) -> PairedTable:
    """Return the paired table of the examples in the denominator of the metric.

    Recall uses the examples of its class, specificity and the false positive rate all others, accuracy all examples.
    Without such examples the table has one that both classifiers got right.

    Examples
    --------
    >>> pair = PairedConfusion.from_predictions([0, 0, 1, 1, 1], [0, 1, 1, 1, 0], [0, 0, 1, 0, 0])
    >>> class_table(pair.by("recall"))
    PairedTable(both_wrong=1, only_a_wrong=0, only_b_wrong=1, both_right=1)
    """
    rule = pair.metric.bound_rule
    if not isinstance(rule, CellRatio):
        raise InvalidOption(
            f"`metric` must be a share of the examples of a class, got {pair.metric.name!r}. Use metric='recall'."
        )
    there = (rule.trials > 0).astype(np.int64)
    hits = (rule.hits > 0).astype(np.int64)
    wrong = there - hits if pair.metric.higher_is_better else hits
    right = there - wrong
    both, only_a, only_b, neither = (
        np.einsum("...lab,la,lb->...", pair.counts, a, b) for a in (wrong, right) for b in (wrong, right)
    )
    empty = np.asarray(both + only_a + only_b + neither == 0)[()]
    return PairedTable(both, only_a, only_b, neither + empty, models=pair.models)


# --- Counts with added discordant pairs ---------------------------------------------------------


def add_discordant_pairs(pair: PairedConfusion) -> FloatArray:
    """Return the counts with one discordant pair added for every label, spread evenly over all possible kinds.

    If two classifiers rarely differ, or are rarely wrong, the cells that determine the variance of the difference are
    empty. Bonett and Price (2012) add two discordant pairs to a paired table; with two labels these are the same two,
    half of one for each kind of discordant pair of each label. More labels get one each, but at most a tenth of the
    examples in total. Labels that occur neither as a label nor as a prediction are left out, so that an average over
    classes gains none; a label that only one model predicts counts for both, so that the addition favours neither.

    Examples
    --------
    >>> pair = PairedConfusion.from_predictions([0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1])
    >>> add_discordant_pairs(pair)[1]
    array([[0. , 0.5],
           [0.5, 2. ]])
    """
    counts = pair.counts.astype(float)
    size = counts.shape[-1]
    labels, predicted_by_a, predicted_by_b = (counts.sum(axis=axes) > 0 for axes in ((-2, -1), (-3, -1), (-3, -2)))
    occurring = labels | predicted_by_a | predicted_by_b
    occurring = occurring | (occurring.sum(axis=-1, keepdims=True) == 1)  # a single label: any other is possible
    rule = pair.metric.bound_rule
    rows = labels if isinstance(rule, Average) and rule.weighing == "labelled" else occurring
    ways = occurring[..., :, None] & occurring[..., None, :] & ~np.eye(size, dtype=bool)
    positions = rows[..., :, None, None] & ways[..., None, :, :]
    total = positions.sum(axis=(-3, -2, -1))
    most = np.maximum(_SHARE * np.asarray(pair.examples), _FEWEST)
    added = np.clip(rows.sum(axis=-1), _FEWEST, most)
    smooth: FloatArray = counts + positions * (added / np.maximum(total, 1))[..., None, None, None]
    return smooth


def difference_of(pair: PairedConfusion, counts: Any) -> FloatArray:
    """Return loss(A) − loss(B) for counts, or shares, of label, A and B.

    Examples
    --------
    >>> pair = PairedConfusion.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1]).by("recall")
    >>> difference_of(pair, pair.counts)
    np.float64(-0.5)
    """
    a, b = (pair.metric.of(counts.sum(axis=axis)) for axis in (-1, -2))
    difference: FloatArray = b - a if pair.metric.higher_is_better else a - b
    return difference


def influence_of(pair: PairedConfusion, counts: Any) -> FloatArray:
    """Return the derivative of the difference with respect to the share of every cell: [..., label, A, B].

    Examples
    --------
    >>> pair = PairedConfusion.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1]).by("accuracy")
    >>> influence_of(pair, pair.counts)[1] + 0.0
    array([[ 0.,  1.],
           [-1.,  0.]])
    """
    a, b = (pair.metric.slopes(counts.sum(axis=axis)) for axis in (-1, -2))
    change: FloatArray = a[..., :, :, None] - b[..., :, None, :]
    return -change if pair.metric.higher_is_better else change
