"""What every example gave: where counts cannot tell, and what is said of clusters, weights and repeats."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..advice import choose_interval
from ..errors import InvalidEvidence
from ..evidence import ErrorCount, ErrorPatterns, Evidence, Outcomes, PairedTable
from ..methods import Gives, check_options, look_up
from ..methods.assumptions import Context, check_assumptions
from ..methods.outcomes.components import repeat_components
from ..methods.outcomes.design_effect import design_effect
from ..methods.sources import covered
from ..results import Estimate
from ..typing_ import Side
from .parts import cited, limits_of, taken_by, told_of, trusted

_GIVES: tuple[Gives, ...] = ("test", "interval", "pairs")
_COUNTS = (ErrorCount, PairedTable, ErrorPatterns)


def as_counted(outcomes: Outcomes, *named: str | None) -> Evidence:
    """Return the counts that say all there is, unless one of the methods named is for outcomes only.

    Examples
    --------
    >>> as_counted(Outcomes.from_scores([1, 0, 1], [1, 1, 1]))
    PairedTable(both_wrong=0, only_a_wrong=1, only_b_wrong=0, both_right=2)
    >>> type(as_counted(Outcomes.from_scores([1, 0, 1], [1, 1, 1]), "mean-t")).__name__
    'Outcomes'
    """
    own = any(name is not None and _only_of_outcomes(name) for name in named)
    return outcomes if own else outcomes.reduced()


def _only_of_outcomes(name: str) -> bool:
    counted = (look_up(name, gives, kind, elsewhere=False) for gives in _GIVES for kind in _COUNTS)
    if any(found is not None for found in counted):
        return False
    return any(look_up(name, gives, Outcomes) is not None for gives in _GIVES)


def estimate_outcomes(
    outcomes: Outcomes, *, method: str | None, alpha: float, level: float | None, side: Side, options: dict[str, Any]
) -> Estimate:
    """Tell how large one model's error rate or mean score is."""
    if len(outcomes.models) != 1:
        raise InvalidEvidence(
            f"an estimate is of one model, but these are {', '.join(outcomes.models)}. Take one by select(name), or"
            " compare them."
        )
    bounds = choose_interval(outcomes, method, options)
    check_options(options, bounds)
    interval = limits_of(bounds, outcomes, alpha, level, side, options)
    point = look_up(bounds.name, "estimate", Outcomes, elsewhere=False)  # of groups that count alike, say
    value = outcomes.mean_of(outcomes.values) if point is None else point(outcomes, **taken_by(point, options))
    return Estimate(
        method=bounds.name,
        evidence=outcomes,
        estimate=value,
        interval=interval,
        checks=(
            *trusted(bounds, outcomes),
            *check_assumptions(bounds.assumes, outcomes, Context(interval=interval, alpha=alpha)),
        ),
        told=told_of(bounds, options),
        covers=covered(outcomes, bounds),
        cites=cited(bounds),
        target="" if outcomes.models == ("A",) else outcomes.models[0],
        **told_besides(outcomes, over_groups=bounds.name == "macro-average"),
    )


def told_besides(outcomes: Outcomes, *, over_groups: bool = False) -> dict[str, Any]:
    """Return what an answer says besides: of whom it speaks, what varies, and what the examples are worth.

    The last two are of the mean over all examples, and not of one over groups.
    """
    told: dict[str, Any] = {"scope": scope_of_outcomes(outcomes)}
    if outcomes.shape or over_groups:
        return told
    if outcomes.clusters is not None:
        told["worth"] = float(design_effect(outcomes).effective_examples)
    if outcomes.repeats is not None and outcomes.examples > 1 and (outcomes.repeats > 1).any(axis=-1).all():
        found = repeat_components(outcomes)
        told["components"] = {name: float(found.of(name)) for name in found.names}
        told["removable"] = float(found.removable)
    return told


def scope_of_outcomes(outcomes: Outcomes) -> str:
    """Say what no figure can show: of which models, and of which examples, the answer speaks.

    Examples
    --------
    >>> scope_of_outcomes(Outcomes.from_scores([0.1, 0.2, 0.4], clusters=["a", "a", "b"], clustered_by="passage"))
    'This speaks of this model on clusters (passage) drawn independently, like those tested.'
    """
    who = {1: "this model", 2: "these two models"}.get(len(outcomes.models), "these models")
    drawn = "examples" if outcomes.clusters is None else f"clusters ({outcomes.clustered_by})"
    weighed = ", which count by their weights" if outcomes.weights is not None else ""
    return f"This speaks of {who} on {drawn} drawn independently, like those tested{weighed}."


def every_pair(outcomes: Outcomes) -> Outcomes:
    """Return every two of the models, in the order of `pairs`, along a dimension of their own.

    Where models met an example differently often, the fewest repeats of any are told of all; no test looks at them.

    Examples
    --------
    >>> every_pair(Outcomes.from_scores({"a": [0.1, 0.5], "b": [0.4, 0.3], "c": [0.2, 0.2]})).difference.round(2)
    array([ 0.05, -0.1 , -0.15])
    """
    places = np.stack(np.triu_indices(len(outcomes.models), 1), axis=-1)
    repeats = None if outcomes.repeats is None else np.tile(outcomes.repeats.min(axis=0), (2, 1))
    within = None if outcomes.within is None else outcomes.within[places]
    return replace(outcomes, scores=outcomes.scores[places], models=("A", "B"), repeats=repeats, within=within)
