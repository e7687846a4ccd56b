"""Intervals of a metric of counts: where it is undefined, on the log-odds scale, and from smoothed counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...evidence import ConfusionMatrix
from ...metrics import COUNTED, get_metric
from ...typing_ import FloatArray, Numbers
from ..pivots import Limits, Pivot

Ends = tuple[float, float]
INTERVAL: dict[str, Any] = {"evidence": ConfusionMatrix, "offers": ("interval",)}  # facts of all methods
# The metrics that are a share of examples of one kind.
PROPORTIONS = tuple(name for name in COUNTED if get_metric(name).is_share)


def fill_undefined_limits(limits: tuple[Any, Any], value: Numbers, ends: Ends) -> Limits:
    """Return the limits, and the whole range if the metric is undefined.

    Examples
    --------
    >>> low, high = fill_undefined_limits((0.2, 0.4), np.array([0.3, np.nan]), (0.0, 1.0))
    >>> low, high
    (array([0.2, 0. ]), array([0.4, 1. ]))
    """
    low, high = (
        np.where(np.isnan(value), end, limit)[()].astype(float) for end, limit in zip(ends, limits, strict=True)
    )
    return low, high


@dataclass(eq=False)
class MetricLimits(Pivot):
    """The limits of a metric within its range; the whole range if the metric is undefined.

    Examples
    --------
    >>> undefined = ConfusionMatrix([[4, 0], [2, 0]]).by("precision")
    >>> MetricLimits(undefined, lambda tail: (0.2, 0.4)).interval().high
    np.float64(1.0)
    """

    matrix: ConfusionMatrix
    invert: Callable[[float], tuple[Any, Any]]  # the limits for a tail probability
    value: Any = None  # NaN if the metric is undefined; computed from the counts if left out

    @property
    def ends(self) -> Ends:  # type: ignore[override]
        """The range of the metric."""
        return self.matrix.metric.bounds

    def limits(self, tail: float) -> Limits:
        """Return the limits, cut off at the ends of the range."""
        value = self.matrix.value if self.value is None else self.value
        low, high = fill_undefined_limits(self.invert(tail), value, self.ends)
        return np.clip(low, *self.ends), np.clip(high, *self.ends)


def limits_on_log_odds(value: Any, reach: Any, ends: Ends) -> Limits:
    """Return limits on the scale of the log odds of the position in the range; they never leave the range.

    On this scale errors are nearly normal. From 0 to 1 it is the logit, from −1 to 1 twice the inverse hyperbolic
    tangent (Fisher's z). At an end of the range the scale is infinite.

    Examples
    --------
    >>> low, high = limits_on_log_odds(0.5, 0.5, (0.0, 1.0))
    >>> low.round(4), high.round(4)
    (np.float64(0.1192), np.float64(0.8808))
    """
    least, most = ends
    below, above = np.asarray(value) - least, most - np.asarray(value)
    with np.errstate(divide="ignore"):
        middle, step = np.log(below) - np.log(above), reach * ((most - least) / (below * above))
    with np.errstate(over="ignore"):  # overflow gives an end of the range
        low, high = (least + (most - least) / (1 + np.exp(-position)) for position in (middle - step, middle + step))
    return np.clip(low, least, most), np.clip(high, least, most)


def add_examples(counts: Any, added: float, positive: int | None = None) -> FloatArray:
    """Return the counts with `added` examples in total, half of them correct and half of them wrong.

    Correct and wrong ones are spread evenly over their cells, so that with two labels all four get the same. For a
    metric of one class (with index `positive`) the four cells are true positive, false negative, false positive and
    true negative, for any number of labels.

    Examples
    --------
    >>> add_examples([[9, 0], [0, 9]], 2.0)
    array([[9.5, 0.5],
           [0.5, 9.5]])
    >>> add_examples(np.zeros((3, 3)), 4.0, positive=0).round(2)
    array([[1.  , 0.5 , 0.5 ],
           [0.5 , 0.25, 0.25],
           [0.5 , 0.25, 0.25]])
    """
    cells = np.asarray(counts, dtype=float)
    size = cells.shape[-1]
    same = np.eye(size, dtype=bool)
    if positive is None:
        kinds = np.where(same, 0, 1)
    else:
        is_positive = np.arange(size) == positive
        kinds = np.where(is_positive[:, None], 2, 0) + np.where(is_positive[None, :], 1, 0)
    members = np.bincount(kinds.ravel())
    share = added / np.count_nonzero(members)
    return cells + (share / np.maximum(members, 1))[kinds]
