"""Which method answers for which metric, where nothing else was asked."""

from __future__ import annotations

from typing import Any

from ..evidence import ClassScores, ConfusionMatrix, Evidence, PairedConfusion

__all__ = ["default_for", "is_asked"]

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
        if evidence.metric in _OF_RECALLS and len(evidence.labels) > 2:  # whose square-and-add falls short there
            return "delta"
        proportion = "jeffreys" if evidence.asked.is_proportion else "delta"
        return _ESTIMATES.get(evidence.metric, proportion)
    if isinstance(evidence, ClassScores):
        one = len(evidence.models) == 1
        if evidence.metric == "auc":
            return "delong" if one else "delong-paired"
        return "ap-logit" if one else "stratified-bootstrap"
    if evidence.metric in _OF_THE_CLASS:
        return "tango" if limits or margin else "mcnemar-mid-p"
    if evidence.metric in _OF_RECALLS:
        return "mover-tango"
    return (
        "weighted-generalized-score"
        if evidence.metric in _OF_PREDICTIONS and not (limits or margin)
        else "paired-delta"
    )
