"""How a metric is told: as error rates where it is right or wrong, else as it is: mean scores, F1, areas.

A method sees losses alone, which are better when they are smaller; a reader sees the figures as they were given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..evidence import Evidence, Outcomes
from ..rendering import percent, plain_number, points


def level_of(evidence: Evidence) -> str:
    """Return which of several is the best: the lowest or the highest."""
    return "highest" if evidence.metric.higher_is_better else "lowest"


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


def difference_name(evidence: Evidence, a: str, b: str) -> str:
    """Return which difference is positive where B is better.

    Examples
    --------
    >>> difference_name(Outcomes.from_scores([0.2, 0.7], [0.3, 0.9], metric="rouge"), "old", "new")
    'rouge(new) − rouge(old)'
    """
    metric = evidence.metric
    more, less = (b, a) if metric.higher_is_better else (a, b)
    return f"{metric.name}({more}) − {metric.name}({less})"


def seen(evidence: Evidence, worth: float = math.nan) -> str:
    """Return on how many examples an answer rests, and how many independent ones would say as much."""
    summary = evidence.summarize()
    if not math.isfinite(worth):
        return summary
    if worth >= evidence.size:  # examples that balance each other, by chance more often than by nature
        return f"{summary}, worth no fewer independent ones"
    many = "1 independent example" if round(worth) == 1 else f"{worth:.0f} independent examples"
    return f"{summary}, worth {many}"


def difference_text(value: float, spread: float, metric: str, *, unit: bool = True) -> str:
    """Return a difference in words: in points of error rates, else as it is.

    Examples
    --------
    >>> difference_text(0.0167, 0.051, "error"), difference_text(0.0167, 0.051, "error", unit=False)
    ('1.7 points', '1.7')
    """
    return points(value, spread, unit=unit) if metric == "error" else plain_number(value, spread)


def written(value: float, spread: float, metric: str) -> str:
    """Write an error rate in percent, a difference of rates in points, and any other figure as it is."""
    return {"error": percent, "label-balance": points}.get(metric, plain_number)(value, spread)


def claim(evidence: Any, spread: float, figures: Sequence[float] | None = None) -> str:
    """Say whose figure is above whose, and which way is better where that is not up; `figures` may be other means.

    Examples
    --------
    >>> from tellapart import PairedConfusion
    >>> both = PairedConfusion.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1], models=("old", "new"))
    >>> claim(both.by("false-positive-rate"), 0.5)
    'the false positive rate (1) of old is 0.50 above that of new (0.50 against 0.00; lower is better)'
    """
    missing = evidence.reasons_undefined
    if missing:
        whose = "" if len(missing) == 2 else f" of {next(iter(missing))}"
        reasons = " and ".join(dict.fromkeys(missing.values()))
        return f"the {evidence.metric.title}{whose} is not defined: {reasons}"
    levels = dict(zip(evidence.models, evidence.levels.tolist() if figures is None else figures, strict=True))
    what, down = evidence.metric.title, "" if evidence.metric.higher_is_better else "; lower is better"
    more, less = sorted(levels, key=levels.__getitem__, reverse=True)
    apart = levels[more] - levels[less]
    if apart <= 1e-13 * max(map(abs, levels.values())):  # which is rounding
        return f"{' and '.join(levels)} have the same {what} ({plain_number(levels[more], spread)}{down})"
    values = " against ".join(plain_number(levels[name], spread) for name in (more, less))
    return f"the {what} of {more} is {plain_number(apart, spread)} above that of {less} ({values}{down})"


def balance(evidence: Evidence, value: float, spread: float) -> tuple[str, str] | None:
    """Return how much more or less often a class is predicted than it occurs, and what that is; None otherwise.

    Examples
    --------
    >>> from tellapart import ConfusionMatrix
    >>> matrix = ConfusionMatrix([[21, 26], [22, 129]], ["no", "yes"]).by("label-balance")
    >>> balance(matrix, matrix.value, 0.1)[0]
    'predicts yes 2.0 points more often than it occurs'
    """
    if evidence.metric.name != "label-balance":
        return None
    name = evidence.metric.of_class  # type: ignore[attr-defined]  # which speaks of one class
    more = f"{points(abs(value), spread)} {'less' if value > 0 else 'more'} often than" if value else "as often as"
    return f"predicts {name} {more} it occurs", f"how much more often {name} occurs than it is predicted"
