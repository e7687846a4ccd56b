"""How a metric is told: as error rates where it is right or wrong, else as it is: mean scores, F1, areas.

A method sees losses alone, which are better when they are smaller; a reader sees the figures as they were given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..evidence import ConfusionMatrix, Measured, Outcomes, PairedConfusion
from ..rendering import percent, plain_number, points
from ..typing_ import FloatArray
from .counted import counts_of_one, met_by_both, undefined_for


def measured(evidence: Any) -> str:
    """Return what was measured: "error" for right and wrong, else the name of the metric.

    Examples
    --------
    >>> measured(Outcomes.from_scores([0.2, 0.7], metric="rouge")), measured(ConfusionMatrix([[5, 1], [2, 4]]))
    ('rouge', 'error')
    """
    return evidence.measured if isinstance(evidence, Measured) else "error"


def mean_name(evidence: Any, metric: str = "") -> str:
    """Say what one number about a model is: its error rate, its mean score, or another metric.

    Examples
    --------
    >>> mean_name(Outcomes.from_scores([0.2, 0.7], metric="rouge")), mean_name(Outcomes.from_scores([1, 0]))
    ('mean rouge', 'error rate')
    """
    if isinstance(evidence, Measured):
        return evidence.title
    return "error rate" if metric in {"", "error"} else metric


def levels(evidence: Any) -> FloatArray:
    """Return the figure of each model as it is told: error rates, mean scores, or another metric."""
    right = isinstance(evidence, Outcomes) and evidence.right_or_wrong  # whose means are shares of right answers
    found: FloatArray = evidence.means if isinstance(evidence, Measured) and not right else evidence.rates
    return found


def level_of(evidence: Any) -> str:
    """Say which of several is the best: the lowest or the highest."""
    scored = isinstance(evidence, Measured) and not evidence.right_or_wrong
    return "highest" if scored and evidence.higher_is_better else "lowest"


def evenly(outcomes: Outcomes) -> Outcomes:
    """Return the same with weights by which every group counts as much as any other.

    Examples
    --------
    >>> held = Outcomes.from_scores([0.0, 0.0, 0.0, 1.0], metric="rouge", groups=["a", "a", "a", "b"])
    >>> held.means.tolist(), evenly(held).means.tolist()
    ([0.25], [0.5])
    """
    if outcomes.groups is None:
        return outcomes
    shares = outcomes.shares
    return replace(outcomes, weights=shares / np.bincount(outcomes.groups, weights=shares)[outcomes.groups])


def difference_name(evidence: Any, a: str, b: str) -> str:
    """Say which difference is positive where B is better.

    Examples
    --------
    >>> difference_name(Outcomes.from_scores([0.2, 0.7], [0.3, 0.9], metric="rouge"), "old", "new")
    'rouge(new) − rouge(old)'
    """
    metric = measured(evidence)
    if metric == "error":
        return f"error({a}) − error({b})"
    more, less = (b, a) if evidence.higher_is_better else (a, b)
    return f"{metric}({more}) − {metric}({less})"


def seen(evidence: Any, worth: float = math.nan) -> str:
    """Say on how many examples an answer rests, and how many independent ones would say as much."""
    if isinstance(evidence, ConfusionMatrix):
        return counts_of_one(evidence)
    if isinstance(evidence, PairedConfusion) and not evidence.shape:
        return met_by_both(evidence)
    told: str = evidence.describe()
    if not math.isfinite(worth):
        return told
    if worth >= evidence.examples:  # examples that balance each other, by chance more often than by nature
        return f"{told}, worth no fewer independent ones"
    many = "1 independent example" if round(worth) == 1 else f"{worth:.0f} independent examples"
    return f"{told}, worth {many}"


def written(value: float, spread: float, metric: str) -> str:
    """Write an error rate in percent, a difference of rates in points, and any other figure as it is."""
    return {"error": percent, "label-balance": points}.get(metric, plain_number)(value, spread)


def claim(evidence: Any, spread: float, figures: Sequence[float] | None = None) -> str:
    """Say whose figure is above whose, and which way is better where that is not up; `figures` may be other means.

    Examples
    --------
    >>> both = PairedConfusion.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1], models=("old", "new"))
    >>> claim(both.by("false-positive-rate"), 0.5)
    'the false positive rate (1) of old is 0.50 above that of new (0.50 against 0.00; lower is better)'
    """
    missing = undefined_for(evidence)
    if missing:
        return missing
    means = dict(zip(evidence.models, evidence.means.tolist() if figures is None else figures, strict=True))
    what, down = mean_name(evidence), "" if evidence.higher_is_better else "; lower is better"
    more, less = sorted(means, key=means.__getitem__, reverse=True)
    apart = means[more] - means[less]
    size = np.abs(evidence.scores).max() if isinstance(evidence, Outcomes) else max(map(abs, means.values()))
    if apart <= 1e-13 * size:  # which is rounding
        return f"{' and '.join(means)} have the same {what} ({plain_number(means[more], spread)}{down})"
    values = " against ".join(plain_number(means[name], spread) for name in (more, less))
    return f"the {what} of {more} is {plain_number(apart, spread)} above that of {less} ({values}{down})"
