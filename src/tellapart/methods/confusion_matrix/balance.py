"""Whether a classifier predicts a class as often as it occurs: Tango's interval of label against prediction."""

from __future__ import annotations

from ...evidence import ConfusionMatrix
from ..paired_table.tango_score import tango as tango_of_pairs
from ..registry import Standing, procedure
from .assumptions import BALANCE_IS_NOT_SIZE
from .metric_limits import INTERVAL, MetricLimits


@procedure(
    name="tango",
    title="Tango score interval",
    **INTERVAL,
    metrics=("label-balance",),
    assumes=(BALANCE_IS_NOT_SIZE,),
    standing=Standing.RECOMMENDED,
    rationale=(
        "label and prediction are two ratings of the same examples; the interval agrees with McNemar's test of them"
    ),
    validity="2 or more examples",
    where={"examples": (2, float("inf"))},
    reference="elazmeh2006",
)
def tango(matrix: ConfusionMatrix) -> MetricLimits:
    """Return Tango's limits of the label balance (FN − FP)/n: how much more often a class occurs than it is predicted.

    An interval that includes 0 means that both kinds of error may be equally frequent. It does not
    limit their number: any number of errors is compatible with balance.

    Parameters
    ----------
    matrix
        The counts, with the metric `label-balance`.

    Examples
    --------
    >>> limits = tango(ConfusionMatrix([[21, 26], [22, 129]]).by("label-balance")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(-0.0902), np.float64(0.0495))
    """
    here = matrix.metric.positive
    table = matrix.label_against_prediction(None if here is None else matrix.labels[here])
    return MetricLimits(matrix, tango_of_pairs(table).limits)
