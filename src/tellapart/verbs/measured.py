"""Other metrics than the error rate: from what was given and the metric's name to evidence, and to an answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..advice import choose_interval
from ..errors import InvalidEvidence, InvalidOption
from ..evidence import ClassScores, ConfusionMatrix, Evidence, LabelPatterns, Outcomes, PairedConfusion
from ..methods import check_options, find_method
from ..methods.assumptions import Context, check_assumptions
from ..methods.sources import covered
from ..metrics import SCORED, canonical_name, is_counted, unknown_metric
from ..results import Comparison, Estimate, TestResult
from ..typing_ import Side
from .parts import Asked, cited, limits_of, told_of, trusted

_COUNTED = (ConfusionMatrix, PairedConfusion, LabelPatterns)
_BALANCE_SCOPE = (
    "This compares how often the class is predicted with how often it occurs, not how often predictions are right:"
    " errors of both kinds that balance go unseen, however many they are."
)


def asked_for(evidence: Any, metric: Any, positive: Any = None, costs: Any = None) -> tuple[Any, dict[str, int]]:
    """Return the evidence that answers for a metric, and what was left out of it.

    Parameters
    ----------
    evidence
        Counts by label, scores by class, scores of examples, or predictions, which are folded as the metric needs it.
    metric, positive, costs
        As `estimate` and `compare` take them.

    Examples
    --------
    >>> held, _ = asked_for(ConfusionMatrix([[50, 10], [5, 35]]), "f1")
    >>> held.metric.title, held.value.round(4)
    ('F1 (1)', np.float64(0.8235))
    """
    if metric is None and costs is not None:
        metric = "cost"
    if metric is None:
        return _without_metric(evidence, positive), {}
    name = canonical_name(metric)
    told = {"positive": positive} | ({} if costs is None else {"costs": costs})
    if hasattr(evidence, "cross_tally"):  # predictions fold themselves
        return _folded(evidence, name, told)
    if isinstance(evidence, _COUNTED):
        if name in SCORED:
            raise InvalidOption(
                f"{name} needs the scores of every example, and counts of labels have none. Give ClassScores, or"
                " predictions whose columns hold scores."
            )
        return _plain(evidence.by(metric, **told)), {}
    if isinstance(evidence, ClassScores):
        if is_counted(name):
            raise InvalidOption(
                f"{name} is of labels, and scores say none before a threshold is chosen. Choose it on other examples,"
                " and give a ConfusionMatrix, or a PairedConfusion of two models."
            )
        if costs is not None:
            raise InvalidOption("costs are for metric='cost', of labels. Leave them out.")
        return evidence.by(metric, positive=positive), {}
    return _of_one_metric(evidence, name, told), {}


def _without_metric(evidence: Any, positive: Any) -> Any:
    """Return evidence that was asked before, or whose metric goes without saying."""
    if positive is None:
        return _plain(evidence) if isinstance(evidence, _COUNTED) else evidence
    if isinstance(evidence, ClassScores):
        return evidence.by(evidence.metric.name, positive=positive)
    raise InvalidOption(f"positive={positive!r} is for a metric of one class. Say which: metric='recall', say.")


def _plain(evidence: Any) -> Any:
    """Return the errors of counts by label where these were asked for, as other counts of errors are."""
    if not evidence.metric.is_rate:
        return evidence
    if isinstance(evidence, ConfusionMatrix):
        return evidence.error_count
    return evidence.paired_table() if isinstance(evidence, PairedConfusion) else evidence.error_patterns()


def _folded(predictions: Any, name: str, told: dict[str, Any]) -> tuple[Any, dict[str, int]]:
    """Return what predictions hold for a metric: joint counts of labels, or the scores of classes."""
    if name in SCORED:
        if "costs" in told:
            raise InvalidOption("costs are for metric='cost', of labels. Leave them out.")
        tally = predictions.class_score_tally(positive=told["positive"])
        return tally.scores.by(name), tally.reasons
    if getattr(predictions, "scored", None) is not None and name == canonical_name(predictions.scored.metric):
        return predictions, {}
    if not is_counted(name):
        raise InvalidOption(unknown_metric(name))
    if name == "error":
        return predictions, {}
    tally = predictions.cross_tally()
    many = len(tally.models)
    held = tally.confusion_matrix() if many == 1 else tally.paired_confusion() if many == 2 else tally.label_patterns()
    return held.by(name, **told), tally.reasons


def _of_one_metric(evidence: Any, name: str, told: dict[str, Any]) -> Any:
    """Return evidence that has one metric, if that is the one asked for; else say what would have it."""
    if told.get("costs") is not None or told["positive"] is not None:
        raise InvalidOption(
            f"positive and costs are for labels, of which {type(evidence).__name__} knows nothing. Give a"
            " ConfusionMatrix, or a PairedConfusion."
        )
    if isinstance(evidence, Outcomes) and name == canonical_name(evidence.metric.name):
        return evidence
    if name == "error" and not (isinstance(evidence, Outcomes) and not evidence.metric.is_rate):
        return evidence
    if name not in SCORED and not is_counted(name):
        raise InvalidOption(unknown_metric(name))
    has = f"has {evidence.metric.name} alone" if isinstance(evidence, Outcomes) else "knows errors alone"
    if name == "accuracy":
        raise InvalidEvidence(
            f"{type(evidence).__name__} {has}. Where these are of right and wrong, the accuracy is 1 - error: ask for"
            " that."
        )
    need = "ClassScores" if name in SCORED else "a ConfusionMatrix, or a PairedConfusion of two models"
    raise InvalidEvidence(f"{name} cannot be told from {type(evidence).__name__}, which {has}. Give {need}.")


def estimate_measured(
    evidence: Any, *, method: str | None, alpha: float, level: float | None, side: Side, options: dict[str, Any]
) -> Estimate:
    """Tell how large one classifier's metric is."""
    if isinstance(evidence, ClassScores | PairedConfusion | LabelPatterns):
        models = evidence.models
        if len(models) > 1:
            one = "confusion_a" if isinstance(evidence, PairedConfusion) else "select(name)"
            raise InvalidEvidence(
                f"an estimate is of one model, but these are {', '.join(models)}. Take one by {one}, or compare them."
            )
    bounds = choose_interval(evidence, method, options)
    check_options(options, bounds)
    interval = limits_of(bounds, evidence, alpha, level, side, options)
    models = getattr(evidence, "models", ("A",))
    return Estimate(
        method=bounds.name,
        evidence=evidence,
        estimate=np.asarray(evidence.levels)[..., 0][()],
        interval=interval,
        checks=(
            *trusted(bounds, evidence),
            *check_assumptions(bounds.assumes, evidence, Context(interval=interval, alpha=alpha)),
        ),
        told=told_of(bounds, options),
        scope=scope_of_metric(evidence),
        covers=covered(evidence, bounds),
        cites=cited(bounds),
        target="" if models == ("A",) else models[0],
    )


def beside_of(evidence: Any, found: Comparison, asked: Asked) -> dict[str, TestResult]:
    """Return what the delta method says beside a score test of predictive values that nobody asked for by name.

    The interval beside such a test is the delta method's, and the two need not agree.
    """
    chosen = asked.method is None and found.hypothesis == "different" and not evidence.shape
    if not chosen or found.method != "weighted-generalized-score" or np.isnan(found.pvalue):
        return {}
    delta = find_method("paired-delta", "test", type(evidence))
    return {delta.name: delta(evidence, alternative=asked.alternative)}


def scope_of_metric(evidence: Evidence) -> str:
    """Say what no figure can show: of whom the answer speaks, and on which examples.

    Examples
    --------
    >>> scope_of_metric(ConfusionMatrix([[50, 10], [5, 35]]).by("label-balance")).partition(",")[0]
    'This compares how often the class is predicted with how often it occurs'
    """
    if evidence.metric.name == "label-balance":
        return _BALANCE_SCOPE
    many = len(getattr(evidence, "models", "A"))
    who = {1: "this classifier", 2: "these two classifiers"}.get(many, "these classifiers")
    return f"This speaks of {who} on examples drawn independently, like those tested."
