"""What methods for precision, recall, F and the like assume: TA601 to TA609."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...metric_rules import Average, Share
from ...typing_ import FloatArray, Numbers
from .base import Assumption, Given


def _defined(evidence: Any, _: Given) -> Numbers:
    return np.isfinite(evidence.levels).all(axis=-1)


DEFINED = Assumption(
    code="TA601",
    needs="the metric is defined on these counts",
    broken="the metric is not defined on these counts: what it is a share of never occurred (nothing was predicted, or"
    " nothing is there), or what it compares never changed, so that nothing is known and the interval is all there is",
    otherwise="of recall, or of the error rate, method='clopper-pearson' says what these examples can tell",
    figure=_defined,
    threshold=1,
)


def _that_count(matrix: Any, _: Given) -> Numbers:
    """Return how many examples the metric rests on: those in its denominator, of several the smallest."""
    cells = np.asarray(matrix.counts, dtype=float)
    rule = matrix.metric.bound_rule
    if isinstance(rule, Share):
        return _in_sum(cells, rule)
    labels = cells.sum(axis=-1)
    sizes = np.stack([_in_sum(cells, share) for share in rule.shares], -1) if isinstance(rule, Average) else labels
    return np.where(labels > 0, sizes, np.inf).min(axis=-1)


def _in_sum(cells: FloatArray, share: Share) -> FloatArray:
    """Return how many examples are in the lower sum of a share, however they are weighted there."""
    found: FloatArray = np.einsum("...ij,ij->...", cells, (share.trials > 0).astype(float))
    return found


ENOUGH_THAT_COUNT = Assumption(
    code="TA602",
    needs="{figure} examples are in the denominator (of several, in the smallest), which is at least 10",
    rule="at least 10 examples are in the denominator (of several, in the smallest)",
    broken="only {figure} examples are in the denominator (of several, in the smallest): the normal curve says little"
    " of so few, however many examples there are in all",
    otherwise="'clopper-pearson' for a share and 'f1-exact' for F1 guarantee their level; 'jeffreys', 'f1-bayes' and"
    " 'balanced-bayes' need no normal curve",
    figure=_that_count,
    threshold=10,
)


def _left_open(matrix: Any, _: Given) -> Numbers:
    """Return in how many classes the share is not defined that the metric averages, with a minus."""
    rule, cells = matrix.metric.bound_rule, np.asarray(matrix.counts, dtype=float)
    if not isinstance(rule, Average):
        return 0.0
    undefined = np.isnan(np.stack([share.value(cells) for share in rule.shares], axis=-1))
    occurs = (cells.sum(axis=-1) + cells.sum(axis=-2) > 0) | (rule.weighing == "labelled")
    return -(undefined & occurs).sum(axis=-1).astype(float)


EVERY_CLASS_COUNTS = Assumption(
    code="TA603",
    needs="the metric is defined in every class that it averages",
    broken="in {size} of the classes the metric is not defined, because they were never predicted or have no example:"
    " balanced accuracy and informedness leave them out, other averages take them for 0, as scikit-learn does",
    otherwise="ask for the classes one by one (positive=), with 'jeffreys' for a share; more examples bring them all",
    figure=_left_open,
    threshold=0,
)


def _correction(matrix: Any, _: Given) -> Numbers:
    """Return the examples there are for each cell that gets half an example for nothing."""
    return matrix.examples / len(matrix.labels) ** 2


CORRECTION_IS_SMALL = Assumption(
    code="TA604",
    needs="there are {figure} examples for each cell of the matrix, which is at least 10",
    rule="there are at least 10 examples for each cell of the matrix",
    broken="there are only {figure} examples for each cell of the matrix, and every cell gets a part of an example that"
    " was never seen: mistakes that nobody made weigh more than 5 % of all (if it is a half), and the limits lean to"
    " the mean of all costs",
    otherwise="method='delta' and 'count-bootstrap' add the same however many labels there are",
    figure=_correction,
    threshold=10,
)


def _hidden(matrix: Any, given: Given) -> Numbers:
    """Return the errors about the class, with a minus, where the interval says that they balance."""
    cells, here = matrix.counts, matrix.metric.positive
    errors = cells[..., here, :].sum(axis=-1) + cells[..., :, here].sum(axis=-1) - 2 * cells[..., here, here]
    balanced = (given.interval.low <= 0) & (given.interval.high >= 0)
    return np.where(balanced, -errors, 0)


BALANCE_IS_NOT_SIZE = Assumption(
    code="TA607",
    needs="no errors hide behind a balance",
    broken="{size} errors are not seen here: an interval that holds 0 says that both kinds of error are about equally"
    " frequent, not that there are few of them",
    otherwise="the error rate tells how many there are, recall and precision of which kind: method='jeffreys'",
    figure=_hidden,
    threshold=0,
    source="elazmeh2006",
)
