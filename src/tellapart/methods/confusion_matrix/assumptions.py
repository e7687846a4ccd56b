"""Assumptions of methods for precision, recall, F1 and other metrics of counts: TA601 to TA607."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...metric_rules import Average, CellRatio
from ...typing_ import BoolArray, FloatArray, Numbers
from ..assumptions import Context, at_least, at_most, is_true


def _examples_in_smallest_denominator(matrix: Any, _: Context) -> Numbers:
    """Return the number of examples in the denominator of the metric; of several denominators the smallest."""
    cells = np.asarray(matrix.counts, dtype=float)
    rule = matrix.metric.bound_rule
    if isinstance(rule, CellRatio):
        return _examples_in_denominator(cells, rule)
    labels = cells.sum(axis=-1)
    sizes = labels
    if isinstance(rule, Average):
        sizes = np.stack([_examples_in_denominator(cells, share) for share in rule.shares], -1)
    return np.where(labels > 0, sizes, np.inf).min(axis=-1)


def _examples_in_denominator(cells: FloatArray, share: CellRatio) -> FloatArray:
    """Return the number of examples in the denominator of a share, unweighted."""
    examples: FloatArray = np.einsum("...ij,ij->...", cells, (share.trials > 0).astype(float))
    return examples


def find_undefined_classes(rule: Any, counts: Any) -> BoolArray:
    """Return for each class whether it counts although the share that the metric averages is undefined for it."""
    cells = np.asarray(counts, dtype=float)
    if not isinstance(rule, Average):
        return np.zeros(cells.shape[:-1], dtype=bool)
    undefined = np.isnan(np.stack([share.value(cells) for share in rule.shares], axis=-1))
    occurs: BoolArray = (cells.sum(axis=-1) + cells.sum(axis=-2) > 0) | (rule.weighing == "labelled")
    return undefined & occurs


def _balanced_errors(matrix: Any, context: Context) -> Numbers:
    """Return the number of errors for the class if the interval of their balance includes 0."""
    cells, here = matrix.counts, matrix.metric.positive
    errors = cells[..., here, :].sum(axis=-1) + cells[..., :, here].sum(axis=-1) - 2 * cells[..., here, here]
    balanced = (context.interval.low <= 0) & (context.interval.high >= 0)
    return np.where(balanced, errors, 0)


def _suggest_without_normal(matrix: Any, _: Context) -> str:
    """Return the intervals of this metric that need no normal approximation."""
    if matrix.metric.is_share:
        return "Use method='jeffreys', or method='clopper-pearson' for guaranteed coverage."
    if isinstance(matrix.metric.bound_rule, Average):
        return "Use method='balanced-bayes', or test more examples."
    return "Use method='f1-bayes', or method='f1-exact' for guaranteed coverage."


DEFINED = is_true("TA601", lambda evidence, _: np.isfinite(evidence.levels).all(axis=-1)).state(
    "the metric is defined for these counts",
    "the metric is undefined for these counts",
    "Test more examples, or use the error rate.",
    title="undefined metric",
    so="the interval is its whole range",
)
ENOUGH_IN_DENOMINATOR = at_least("TA602", 10, _examples_in_smallest_denominator).state(
    "{figure} examples in the denominator{figure: ≥ 10}",
    "{figure} examples in the denominator, fewer than 10",
    _suggest_without_normal,
    title="small denominator",
    so="the normal approximation is unreliable",
)
DEFINED_IN_EVERY_CLASS = at_most(
    "TA603", 0, lambda matrix, _: find_undefined_classes(matrix.metric.bound_rule, matrix.counts).sum(axis=-1)
).state(
    "the metric is defined for every class that it averages",
    "the metric is undefined for {size} of the classes",
    "Test more examples, or use `positive` with method='jeffreys'.",
    title="undefined classes",
    so="averages omit them or count them as 0",
)
CORRECTION_IS_SMALL = at_least("TA604", 10, lambda matrix, _: matrix.examples / len(matrix.labels) ** 2).state(
    "{figure} examples per cell of the matrix{figure: ≥ 10}",
    "{figure} examples per cell of the matrix, fewer than 10",
    "Use method='delta' or method='count-bootstrap'.",
    title="sparse matrix",
    so="the correction added to every cell biases the cost",
)
BALANCE_IS_NOT_SIZE = at_most("TA607", 0, _balanced_errors, reference="elazmeh2006").state(
    "no errors cancel in the balance",
    "{size} errors cancel in the label balance",
    "Report recall and precision too (method='jeffreys').",
    title="balanced errors",
    so="balance does not mean few errors",
)
