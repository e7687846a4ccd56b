"""What methods for precision, recall, F and the like assume: TA601 to TA607."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...metric_rules import Average, Share
from ...typing_ import BoolArray, FloatArray, Numbers
from ..assumptions import Context, at_least, at_most, is_true


def _examples_that_count(matrix: Any, _: Context) -> Numbers:
    """Return how many examples the metric rests on: those in its denominator, of several the smallest."""
    cells = np.asarray(matrix.counts, dtype=float)
    rule = matrix.metric.bound_rule
    if isinstance(rule, Share):
        return _examples_in_denominator(cells, rule)
    labels = cells.sum(axis=-1)
    sizes = labels
    if isinstance(rule, Average):
        sizes = np.stack([_examples_in_denominator(cells, share) for share in rule.shares], -1)
    return np.where(labels > 0, sizes, np.inf).min(axis=-1)


def _examples_in_denominator(cells: FloatArray, share: Share) -> FloatArray:
    """Return how many examples are in the lower sum of a share, however they are weighted there."""
    examples: FloatArray = np.einsum("...ij,ij->...", cells, (share.trials > 0).astype(float))
    return examples


def occurring_undefined(rule: Any, counts: Any) -> BoolArray:
    """Return for each class whether it counts, but the share that the metric averages is not defined there."""
    cells = np.asarray(counts, dtype=float)
    if not isinstance(rule, Average):
        return np.zeros(cells.shape[:-1], dtype=bool)
    undefined = np.isnan(np.stack([share.value(cells) for share in rule.shares], axis=-1))
    occurs: BoolArray = (cells.sum(axis=-1) + cells.sum(axis=-2) > 0) | (rule.weighing == "labelled")
    return undefined & occurs


def _balanced_errors(matrix: Any, context: Context) -> Numbers:
    """Return the errors about the class where the interval says that they balance."""
    cells, here = matrix.counts, matrix.metric.positive
    errors = cells[..., here, :].sum(axis=-1) + cells[..., :, here].sum(axis=-1) - 2 * cells[..., here, here]
    balanced = (context.interval.low <= 0) & (context.interval.high >= 0)
    return np.where(balanced, errors, 0)


DEFINED = is_true("TA601", lambda evidence, _: np.isfinite(evidence.levels).all(axis=-1)).state(
    "the metric is defined on these counts",
    "the metric is not defined on these counts: what it is a share of never occurred (nothing was predicted, or"
    " nothing is there), or what it compares never changed, so that nothing is known and the interval is all there is",
    "of recall, or of the error rate, method='clopper-pearson' says what these examples can tell",
)
ENOUGH_THAT_COUNT = at_least("TA602", 10, _examples_that_count).state(
    "{figure} examples are in the denominator (of several, in the smallest){figure:, which is at least 10}",
    "only {figure} examples are in the denominator (of several, in the smallest): the normal curve says little of so"
    " few, however many examples there are in all",
    "'clopper-pearson' for a share and 'f1-exact' for F1 guarantee their level; 'jeffreys', 'f1-bayes' and"
    " 'balanced-bayes' need no normal curve",
)
EVERY_CLASS_COUNTS = at_most(
    "TA603", 0, lambda matrix, _: occurring_undefined(matrix.metric.bound_rule, matrix.counts).sum(axis=-1)
).state(
    "the metric is defined in every class that it averages",
    "in {size} of the classes the metric is not defined, because they were never predicted or have no example:"
    " balanced accuracy and informedness leave them out, other averages take them for 0, as scikit-learn does",
    "ask for the classes one by one (positive=), with 'jeffreys' for a share; more examples bring them all",
)
CORRECTION_IS_SMALL = at_least("TA604", 10, lambda matrix, _: matrix.examples / len(matrix.labels) ** 2).state(
    "there are {figure} examples for each cell of the matrix{figure:, which is at least 10}",
    "there are only {figure} examples for each cell of the matrix, and every cell gets a part of an example that was"
    " never seen: mistakes that nobody made weigh more than 5 % of all (if it is a half), and the limits lean to the"
    " mean of all costs",
    "method='delta' and 'count-bootstrap' add the same however many labels there are",
)
BALANCE_IS_NOT_SIZE = at_most("TA607", 0, _balanced_errors, reference="elazmeh2006").state(
    "no errors hide behind a balance",
    "{size} errors are not seen here: an interval that holds 0 says that both kinds of error are about equally"
    " frequent, not that there are few of them",
    "the error rate tells how many there are, recall and precision of which kind: method='jeffreys'",
)
