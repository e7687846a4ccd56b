"""How counts by label are told: which of them a metric follows from, and why it may not be defined."""

from __future__ import annotations

import math
from typing import Any

from ..evidence import ConfusionMatrix, PairedConfusion
from ..evidence.labelled import Labelled
from ..rendering import points

_BALANCE = "how much more often {name} occurs than it is predicted"  # false negatives less false positives


def counts_of_one(matrix: ConfusionMatrix) -> str:
    """Say from which counts the metric of one model follows.

    Examples
    --------
    >>> matrix = ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])
    >>> counts_of_one(matrix.by("f1"))
    '100 examples: 35 found of 40, 10 false alarms'
    >>> counts_of_one(matrix.by("precision")), counts_of_one(matrix.by("mcc"))
    ('100 examples: 35 right of 45 predicted spam', '100 examples of 2 labels, 15 errors')
    """
    if matrix.shape:
        return matrix.describe()
    examples = _many(matrix.examples, "example")
    if matrix.asked.positive is None:
        return f"{examples} of {_many(len(matrix.labels), 'label')}, {_many(matrix.error_count.errors, 'error')}"
    return f"{examples}: {_of_class(matrix)}"


def counts_of_both(both: PairedConfusion) -> str:
    """Say from which counts the metrics of two models follow.

    Examples
    --------
    >>> both = PairedConfusion.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1], models=("old", "new"))
    >>> counts_of_both(both.by("recall"))
    'old: 2 found of 2; new: 1 found of 2'
    """
    matrices = zip(both.models, (both.confusion_a, both.confusion_b), strict=True)
    if both.asked.positive is None:
        return "; ".join(f"{name}: {_many(matrix.error_count.errors, 'error')}" for name, matrix in matrices)
    return "; ".join(f"{name}: {_of_class(matrix)}" for name, matrix in matrices)


def met_by_both(both: PairedConfusion, also: str = " with ") -> str:
    """Say on how many examples, and of those of the class in question, a comparison rests, and how often two differ.

    Examples
    --------
    >>> both = PairedConfusion.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1])
    >>> met_by_both(both.by("recall")), met_by_both(both.by("mcc"))
    ('4 examples (2 of them 1) with 2 disagreements', '4 examples with 2 disagreements')
    """
    same = both.counts.trace(axis1=-2, axis2=-1).sum(axis=-1)  # predictions, right or wrong
    place = both.asked.positive
    among = "" if place is None else f" ({both.counts[place].sum()} of them {both.asked.of_class})"
    return f"{_many(both.examples, 'example')}{among}{also}{_many(both.examples - same, 'disagreement')}"


def _of_class(matrix: ConfusionMatrix) -> str:
    """Say what became of one class, as far as the metric looks at it."""
    name = matrix.asked.of_class
    hits, missed, false, rest = _cells(matrix)
    told = {
        "recall": f"{hits} found of {hits + missed}",
        "precision": f"{hits} right of {hits + false} predicted {name}",
        "specificity": f"{rest} right of {rest + false} that are not {name}",
        "false-positive-rate": f"{_many(false, 'false alarm')} among {rest + false} that are not {name}",
        "negative-predictive-value": f"{rest} right of {rest + missed} not predicted {name}",
        "label-balance": f"{hits + missed} labelled and {hits + false} predicted {name},"
        f" {_many(matrix.error_count.errors, 'error')}",
    }
    return told.get(matrix.metric, f"{hits} found of {hits + missed}, {_many(false, 'false alarm')}")


def _cells(matrix: ConfusionMatrix) -> tuple[int, int, int, int]:
    """Return true positives, false negatives, false positives and true negatives of the class in question."""
    table = matrix.label_against_prediction(matrix.labels[matrix.asked.positive or 0])
    return int(table.both_wrong), int(table.only_a_wrong), int(table.only_b_wrong), int(table.both_right)


# --- What is not defined ------------------------------------------------------------------------------


def why_undefined(matrix: ConfusionMatrix) -> str:
    """Say what is missing for the metric to be defined.

    Examples
    --------
    >>> why_undefined(ConfusionMatrix([[60, 0], [40, 0]], ["ham", "spam"]).by("precision"))
    'nothing was predicted spam'
    """
    name, metric = matrix.asked.of_class, matrix.metric
    if not name:
        labels, predictions = ((matrix.counts.sum(axis=axis) > 0).sum() == 1 for axis in (1, 0))
        alike = [what for what, one in (("labels", labels), ("predictions", predictions)) if one]
        return f"all {' and all '.join(alike)} are alike" if alike else "these counts do not determine it"
    every = f"every example is {name}"
    reasons = {
        "recall": f"no example is {name}",
        "precision": f"nothing was predicted {name}",
        "specificity": every,
        "false-positive-rate": every,
        "negative-predictive-value": f"everything was predicted {name}",
    }
    return reasons.get(metric, f"no example is {name}, and nothing was predicted so")


def undefined_for(evidence: Any) -> str:
    """Say for which of two models the metric is not defined, and why; nothing where it is for both.

    Examples
    --------
    >>> both = PairedConfusion.from_predictions([0, 1, 1], [0, 0, 0], [0, 1, 0], models=("old", "new"))
    >>> undefined_for(both.by("precision"))
    'the precision (1) of old is not defined: nothing was predicted 1'
    """
    missing = lacking(evidence)
    if not missing:
        return ""
    whose = "" if len(missing) == 2 else f" of {next(iter(missing))}"
    return f"the {evidence.title}{whose} is not defined: {' and '.join(dict.fromkeys(missing.values()))}"


def lacking(evidence: Any) -> dict[str, str]:
    """Return which of two models the metric is not defined for, and why."""
    if not isinstance(evidence, PairedConfusion) or evidence.shape:
        return {}
    matrices = zip(evidence.models, (evidence.confusion_a, evidence.confusion_b), strict=True)
    return {name: why_undefined(matrix) for name, matrix in matrices if math.isnan(matrix.value)}


def chosen_here(evidence: Any) -> str:
    """Say what no count can show: that labels may owe to a threshold that was chosen on these very examples.

    Examples
    --------
    >>> chosen_here(ConfusionMatrix([[50, 10], [5, 35]]).by("f1"))
    'a threshold chosen on these very examples would make it look better than it is'
    """
    if not isinstance(evidence, Labelled) or evidence.metric in {"error", "label-balance"}:
        return ""
    one = len(getattr(evidence, "models", ("A",))) == 1
    look = "it look better than it is" if one else "a model look better than it is"
    return f"a threshold chosen on these very examples would make {look}"


# --- Label against prediction -------------------------------------------------------------------------


def balance(evidence: Any, value: float, spread: float) -> tuple[str, str] | None:
    """Say how much more or less often a class is predicted than it occurs, and what that is; None for other metrics.

    Examples
    --------
    >>> matrix = ConfusionMatrix([[21, 26], [22, 129]], ["no", "yes"]).by("label-balance")
    >>> balance(matrix, matrix.value, 0.1)[0]
    'predicts yes 2.0 points more often than it occurs'
    """
    if not isinstance(evidence, Labelled) or evidence.metric != "label-balance":
        return None
    name = evidence.asked.of_class
    more = f"{points(abs(value), spread)} {'less' if value > 0 else 'more'} often than" if value else "as often as"
    return f"predicts {name} {more} it occurs", _BALANCE.format(name=name)


def _many(count: Any, what: str) -> str:
    return f"{count} {what}{'s' * bool(count != 1)}"
