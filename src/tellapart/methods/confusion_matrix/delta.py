"""Any metric of a confusion matrix by the delta method: its standard error follows from its slopes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...evidence import ConfusionMatrix
from ...metrics import LabelMetric
from ...numerics.distributions import normal_quantile
from ...typing_ import FloatArray
from ..pivots import Limits
from ..registry import Standing, procedure
from .assumptions import DEFINED, EVERY_CLASS_COUNTS
from .common import INTERVAL, MetricLimits, limits_on_log_odds, smoothed

_ADDED = 4.0  # examples, half of them right
_ADDED_ON_SCALE = 1.0


@procedure(
    name="delta",
    **INTERVAL,
    assumes=(DEFINED, EVERY_CLASS_COUNTS),
    standing=Standing.RECOMMENDED,
    rationale="serves every metric in closed form; with two right and two wrong examples added it covers F1, MCC and"
    " kappa with 0.92 of 0.95 or more from 20 examples on",
    reference="takahashi2022",
)
def delta(matrix: ConfusionMatrix) -> MetricLimits:
    """Give value ∓ z·error after two right and two wrong examples were added to the counts.

    The error is √(Σ p·s²/n), s being how the metric changes with the share p of a cell: for kappa the variance of
    Fleiss, Cohen and Everitt, for Matthews' correlation that of Bishop, Fienberg and Holland, for macro F1 that of
    Takahashi and others. Adding four examples does for every metric what Agresti and Coull's do for a rate: a perfect
    classifier gets an interval with width. The limits are cut off at the range, and take in the value itself.

    Of what was compared by exact enumeration (F1, MCC, kappa, macro F1, balanced accuracy and precision of 20 to 100
    examples, a share of positives of 0.1 to 0.5, recall and specificity of 0.5 to 0.99) this kept the level best: the
    scale of `delta-logit` loses more at the ends of the range, and one example for every cell, instead of four in all,
    drowns small counts where there are many labels.

    Parameters
    ----------
    matrix
        The counts, asked for any metric.

    Examples
    --------
    >>> matrix = ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])
    >>> limits = delta(matrix.by("mcc")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.5278), np.float64(0.8125))
    >>> delta(ConfusionMatrix([[60, 0], [0, 40]]).by("mcc")).interval().low.round(3)
    np.float64(0.905)
    """
    return MetricLimits(matrix, lambda tail: delta_limits(matrix, tail))


@procedure(
    name="delta-logit",
    **INTERVAL,
    assumes=(DEFINED, EVERY_CLASS_COUNTS),
    standing=Standing.SOUND,
    rationale="for MCC and kappa it is Fisher's z, as papers give it; near the ends of the range it covers less than"
    " 'delta' and is no shorter",
    validity="50 examples or more",
    where={"examples": (50, float("inf"))},
    reference="bishop1975",
)
def delta_logit(matrix: ConfusionMatrix) -> MetricLimits:
    """Give the limits z standard errors away on the log odds of the place in the range, brought back.

    For what lies between −1 and 1 (MCC, kappa) the scale is twice the inverse hyperbolic tangent, so that this is the
    interval by Fisher's z. Half a right and half a wrong example are added first, lest a perfect classifier lie at
    infinity.

    Parameters
    ----------
    matrix
        The counts, asked for any metric.

    Examples
    --------
    >>> limits = delta_logit(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("mcc")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.5228), np.float64(0.8067))
    """
    return MetricLimits(matrix, lambda tail: delta_limits(matrix, tail, on_log_odds=True))


def delta_limits(matrix: ConfusionMatrix, tail: float, *, on_log_odds: bool = False) -> Limits:
    """Return the limits that spend so much at either end; all the range where nothing could make the metric vary.

    Examples
    --------
    >>> low, high = delta_limits(ConfusionMatrix([[50, 10], [5, 35]]).by("kappa"), 0.025)
    >>> low.round(3), high.round(3)
    (np.float64(0.523), np.float64(0.811))
    """
    measure, ends, value = matrix.metric, matrix.metric.bounds, matrix.value
    cells = smoothed(matrix.counts, _ADDED_ON_SCALE if on_log_odds else _ADDED, measure.positive)
    centre = measure.of(cells)
    error = standard_error(measure, cells)
    reach = normal_quantile(tail) * error
    low, high = limits_on_log_odds(centre, reach, ends) if on_log_odds else (centre - reach, centre + reach)
    fixed = ~(error > 0)  # one label alone: the metric says nothing
    low, high = np.where(fixed, ends[0], np.fmin(low, value)), np.where(fixed, ends[1], np.fmax(high, value))
    return low[()], high[()]


def standard_error(measure: LabelMetric, cells: Any) -> FloatArray:
    """Return the standard error of a measure by the delta method, at these counts.

    Examples
    --------
    >>> standard_error(ConfusionMatrix([[50, 10], [5, 35]]).by("kappa").metric, [[50, 10], [5, 35]]).round(4)
    np.float64(0.0724)
    """
    cells = np.asarray(cells, dtype=float)
    total = cells.sum(axis=(-2, -1))
    spread = np.einsum("...ij,...ij->...", cells, measure.slopes(cells) ** 2)
    error: FloatArray = np.sqrt(spread) / total
    return error[()]
