"""Views of a sample: the plan, the kind of evidence, and the number of learners of a method."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import UnknownMethod
from ..evidence import PairedTable, Plan, Resamples, TrainingSets
from ..methods import Offer


class PlanView(NamedTuple):
    """A plan, the kind of evidence made from it, and the number of learners."""

    plan: str
    kind: str  # "PairedTable", "Resamples" or "TrainingSets"
    learners: int


# The plan that a method was made for, where it is not ten folds.
_PLANS = {
    "resampled-t": "30x(2/3)",
    "corrected-resampled-t": "30x(2/3)",
    "bayesian-correlated-t": "10x10",
    "corrected-repeated-kfold-t": "10x10",
    "corrected-t-interval": "10x10",
    "repeated-kfold": "10x10",
    "5x2cv-t": "5x2",
    "5x2cv-f": "5x2",
    "calibrated-t": "2-fold*100",
    "iterated-cv-bounds": "2-fold*100",
    "iterated-kfold": "2-fold*100",
    "splitting-se": "half-and-half 200",
    "splitting-sd": "half-and-half 200",
    "mean-se-w": "half-and-half 200",
    "vote": "half-and-half 200",
    "mean-error-choice": "half-and-half 200",
    "holdout": "holdout",
    "holdout-choice": "holdout",
    "paired-t": "independent",
    "unpaired-t": "independent",
    "nested-cv": "nested 20x10",
    "conservative-z": "conservative-z",
    "apparent": "apparent",
    "loo": "loo",
    "loo-star": "loo-star",
    "oob": "632",
    "632": "632",
    "632plus": "632",
    "welch": "seeds",
    "probability-better-run": "seeds",
}


def natural_plan(method: Offer) -> str:
    """Return the natural plan of a method.

    Examples
    --------
    >>> from tellapart.methods import find_method
    >>> natural_plan(find_method("5x2cv-t", "test", Resamples))
    '5x2'
    """
    if method.evidence is PairedTable:
        return "holdout"
    if method.evidence is TrainingSets:
        return "delve 8x100"
    return _PLANS.get(method.name, "10-fold")


def view_of(method: Offer, plan: str | None, learners: int) -> PlanView:
    """Return the view of a method, with the plan of the design or else its natural plan."""
    if method.evidence not in (PairedTable, Resamples, TrainingSets):
        raise UnknownMethod(
            f"method {method.name!r} needs {method.evidence.__name__}, which designs of learners do not produce."
        )
    chosen = natural_plan(method) if plan is None else Plan.parse(plan).name
    if method.evidence is PairedTable:  # one split, whatever the others look at
        return PlanView(chosen if chosen.startswith("holdout(") else Plan.parse("holdout").name, "PairedTable", 2)
    crossed = method.evidence is TrainingSets
    if crossed != (Plan.parse(chosen).kind == "delve"):  # a plan for the other kind of methods
        chosen = natural_plan(method)
    return PlanView(Plan.parse(chosen).name, method.evidence.__name__, learners)
