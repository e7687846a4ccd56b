"""How outcomes are told: as error rates where they are right or wrong, else as mean scores.

A method sees losses alone, which are better when they are smaller; a reader sees the scores as they were given.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..evidence import Outcomes
from ..rendering import percent, plain_number
from ..types import FloatArray

__all__ = ["claim", "difference_name", "evenly", "level_of", "levels", "mean_name", "seen", "written"]


def mean_name(evidence: Any, metric: str = "") -> str:
    """Say what one number about a model is: its error rate, its mean score, or another loss.

    Examples
    --------
    >>> mean_name(Outcomes.from_scores([0.2, 0.7], metric="rouge")), mean_name(Outcomes.from_scores([1, 0]))
    ('mean rouge', 'error rate')
    """
    metric = metric or str(getattr(evidence, "metric", "error"))
    if metric == "error":
        return "error rate"
    averaged = isinstance(evidence, Outcomes) and not metric.startswith("pass")  # pass@5 is an average by its name
    return f"mean {metric}" if averaged else metric


def levels(evidence: Any) -> FloatArray:
    """Return the figure of each model as it is told: error rates, mean scores, or other losses."""
    scored = isinstance(evidence, Outcomes) and not evidence.right_or_wrong
    found: FloatArray = evidence.means if scored else evidence.rates
    return found


def level_of(evidence: Any) -> str:
    """Say which of several is the best: the lowest or the highest."""
    scored = isinstance(evidence, Outcomes) and not evidence.right_or_wrong
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
    metric = str(getattr(evidence, "metric", "error"))
    if metric == "error":
        return f"error({a}) − error({b})"
    if not isinstance(evidence, Outcomes):
        return f"loss({a}) − loss({b})"
    more, less = (b, a) if evidence.higher_is_better else (a, b)
    return f"{metric}({more}) − {metric}({less})"


def seen(outcomes: Outcomes, worth: float = math.nan) -> str:
    """Say on how many examples an answer rests, and how many independent ones would say as much."""
    told = outcomes.describe()
    if not math.isfinite(worth):
        return told
    if worth >= outcomes.examples:  # examples that balance each other, by chance more often than by nature
        return f"{told}, worth no fewer independent ones"
    many = "1 independent example" if round(worth) == 1 else f"{worth:.0f} independent examples"
    return f"{told}, worth {many}"


def written(value: float, spread: float, metric: str) -> str:
    """Write an error rate in percent, and any other figure as it is."""
    return (percent if metric == "error" else plain_number)(value, spread)


def claim(outcomes: Outcomes, spread: float) -> str:
    """Say whose mean score is above whose, and which way is better where that is not up."""
    means = dict(zip(outcomes.models, outcomes.means.tolist(), strict=True))
    what, down = mean_name(outcomes), "" if outcomes.higher_is_better else "; lower is better"
    more, less = sorted(means, key=means.__getitem__, reverse=True)
    apart = means[more] - means[less]
    if apart <= 1e-13 * np.abs(outcomes.scores).max():  # which is rounding
        return f"{' and '.join(means)} have the same {what} ({plain_number(means[more], spread)}{down})"
    values = " against ".join(plain_number(means[name], spread) for name in (more, less))
    return f"the {what} of {more} is {plain_number(apart, spread)} above that of {less} ({values}{down})"
