"""Which method answers for which metric, where nothing else was asked."""

from __future__ import annotations

from typing import Any

from ..evidence import ClassScores, ConfusionMatrix, Evidence, PairedConfusion

# One classifier: proportions have the interval of one error rate, by their own denominators.
_ESTIMATES = {
    "f1": "f1-wilson",
    "balanced-accuracy": "mover-wilson",
    "informedness": "mover-wilson",
    "label-balance": "tango",
}
# Two classifiers on one test set: the test, and the interval beside it. A share of one class has that class's table.
_AS_ACCURACY = ("precision-micro", "recall-micro", "f1-micro")  # with one label an example
_OF_THE_CLASS = ("error", "accuracy", "recall", "specificity", "false-positive-rate", *_AS_ACCURACY)
_OF_PREDICTIONS = ("precision", "negative-predictive-value")
_OF_RECALLS = ("balanced-accuracy", "informedness")
# Scores by class: of one model, and of two.
_OF_SCORES = {"auc": ("delong", "delong-paired"), "average-precision": ("ap-logit", "stratified-bootstrap")}


def is_asked(evidence: Evidence) -> bool:
    """Whether it is evidence that was asked for a metric, so that the metric has a say in the method."""
    return isinstance(evidence, ConfusionMatrix | PairedConfusion | ClassScores)


def default_for(evidence: Any, *, limits: bool, margin: bool = False) -> str:
    """Return the test, or the interval, that the metric asks for.

    Examples
    --------
    >>> matrix = ConfusionMatrix([[50, 10], [5, 35]])
    >>> [default_for(matrix.by(metric), limits=True) for metric in ("recall", "f1", "mcc")]
    ['jeffreys', 'f1-wilson', 'delta']
    """
    if isinstance(evidence, ConfusionMatrix):
        return _of_one(evidence)
    if isinstance(evidence, ClassScores):
        return _OF_SCORES[evidence.metric.name][len(evidence.models) > 1]
    if evidence.metric.name in _OF_THE_CLASS:
        return "tango" if limits or margin else "mcnemar-mid-p"
    if evidence.metric.name in _OF_RECALLS:
        return "mover-tango"
    tested = evidence.metric.name in _OF_PREDICTIONS and not (limits or margin)
    return "weighted-generalized-score" if tested else "paired-delta"


def _of_one(matrix: ConfusionMatrix) -> str:
    """Return the interval for one classifier; of more than two recalls square-and-add would fall short."""
    if matrix.metric.is_share:
        return "jeffreys"
    several = matrix.metric.name in _OF_RECALLS and len(matrix.labels) > 2
    return "delta" if several else _ESTIMATES.get(matrix.metric.name, "delta")
