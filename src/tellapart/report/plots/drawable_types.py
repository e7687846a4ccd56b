"""Which function draws which type, and the error for anything else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import InvalidOption

# By the name of a class, which functions of `tellapart.plots` draw it.
_DRAWN_BY = {
    "Breakdown": ("groups, by its .answers",),
    "Calibration": ("calibration", "pvalues", "power", "coverage"),
    "Calibrations": ("calibration", "pvalues", "power", "coverage"),
    "Card": ("card",),
    "ClassScores": ("roc", "precision_recall", "reliability"),
    "Comparison": ("difference", "posterior", "card"),
    "ConfusionMatrix": ("confusions",),
    "Coverage": ("coverage",),
    "ErrorCount": ("posterior",),
    "Estimate": ("estimate", "posterior", "card"),
    "IndependentCounts": ("posterior",),
    "Instability": ("instability",),
    "LabelPatterns": ("confusions",),
    "Offer": ("card",),
    "Outcomes": ("spread",),
    "PairedConfusion": ("confusions",),
    "PairedTable": ("paired_table", "posterior"),
    "Peeking": ("peeking",),
    "Planned": ("power_curve", "width_curve"),
    "Posterior": ("posterior",),
    "Race": ("splits",),
    "Ranking": ("forest", "tie_groups"),
    "Ranking over data sets": ("critical_difference", "comparison_matrix", "pairwise_probabilities", "forest"),
    "Resamples": ("splits", "posterior", "instability"),
    "ScoreTable": ("pairwise_probabilities", "dataset_differences", "posterior_triangle"),
    "TrainingSets": ("splits",),
    "Watch": ("watch",),
}


def undrawable(argument: str, value: Any, expected: str) -> InvalidOption:
    """Return the error that names the argument, what it must be, what it is, and the function that draws it.

    Examples
    --------
    >>> import tellapart as ta
    >>> print(undrawable("estimate", ta.ErrorCount(3, 120), "one Estimate"))
    `estimate` must be one Estimate, got ErrorCount. An ErrorCount is drawn by ta.plots.posterior.
    >>> print(undrawable("estimate", 3, "one Estimate"))
    `estimate` must be one Estimate, got int. For what each function draws see help(ta.plots).
    """
    shape = getattr(value, "shape", ())
    several = f" of shape {shape}" if isinstance(shape, tuple) and shape else ""
    remedy = _suggest_function(value, several=bool(several))
    return InvalidOption(f"`{argument}` must be {expected}, got {_describe_type(value)}{several}. {remedy}")


def _describe_type(value: Any) -> str:
    """Return the type of a value, and of its items: "list of Coverage"."""
    parts = list(value.values()) if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else []
    kinds = dict.fromkeys(type(part).__name__ for part in parts)
    return type(value).__name__ + (f" of {' and '.join(kinds)}" if kinds else "")


def _suggest_function(value: Any, *, several: bool) -> str:
    names = [kind.__name__ for kind in type(value).__mro__]
    known = next((name for name in names if name in _DRAWN_BY), "")
    if known == "Ranking" and value.evidence.unit.name == "data set":
        known = "Ranking over data sets"
    if not known:
        return "For what each function draws see help(ta.plots)."
    drawers = [f"ta.plots.{name}" for name in _DRAWN_BY[known]]
    text = drawers[0] if len(drawers) == 1 else f"{', '.join(drawers[:-1])} and {drawers[-1]}"
    if several:
        return f"Take one of them by its index, such as [0]; it is drawn by {text}."
    article = "An" if known[0] in "AEIOU" else "A"
    return f"{article} {known} is drawn by {text}."
