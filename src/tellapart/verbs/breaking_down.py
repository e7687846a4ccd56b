"""The same question, group by group."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import Outcomes
from ..methods.multiplicity import OF_ALL_PAIRS, Adjustment
from ..methods.multiplicity import adjust as adjusted_pvalues
from ..results import Adjustment as Adjusted
from ..results import Breakdown, Comparison, Estimate
from ..typing_ import one_of
from .comparing import compare
from .estimating import estimate
from .pipeline import collect_references

_ASKED = ("level", "alpha", "alternative", "margin", "hypothesis", "looks")  # of the macro average as of every group


def breakdown(
    evidence: Any,
    *,
    method: str | None = None,
    interval: str | None = None,
    level: float | None = None,
    alpha: float | None = None,
    adjust: Adjustment = "holm",
    **options: Any,
) -> Breakdown:
    """Compare two models (or estimate one) in every group of the examples, and over all groups.

    Over all groups there are two answers. In the macro average every group counts the same; among all examples every
    example does. They differ where groups of different sizes say different things.

    Parameters
    ----------
    evidence
        `Outcomes` with groups, of one model or of two; or `Predictions` with a column of groups.
    method, interval
        The test and the interval for every group, and for all examples; advice picks them if left out. The macro
        average has its own.
    level, alpha
        As `compare` takes them.
    adjust
        How the p-values of the groups pay for their number: "holm", "hochberg", "hommel", "finner",
        "benjamini-hochberg", "benjamini-yekutieli", "bonferroni" or "none".
    options
        What test and interval take besides.

    Examples
    --------
    >>> old, new = [0.2, 0.4, 0.3, 0.5, 0.1, 0.2, 0.8, 0.9, 0.7], [0.4, 0.7, 0.4, 0.8, 0.2, 0.5, 0.8, 0.8, 0.9]
    >>> tasks = ["sums"] * 6 + ["prose"] * 3
    >>> found = breakdown(Outcomes.from_scores(old, new, metric="rouge", models=("old", "new"), groups=tasks))
    >>> found.told_apart, round(float(found.groups["sums"].adjusted), 4), round(float(found.macro.difference), 4)
    (('sums',), 0.0059, 0.125)
    """
    rule: Adjustment = one_of("adjust", adjust, Adjustment)
    if rule in OF_ALL_PAIRS:
        raise InvalidOption(f"adjust={rule!r} is for all pairs of several, but groups are no pairs. Take 'holm'.")
    outcomes, reasons = _grouped(evidence)
    asked = {"level": level, "alpha": alpha, **options}
    parts = dict(outcomes.by_group())
    sizes = tuple(part.examples for part in parts.values())
    whole = replace(outcomes, groups=None, group_names=())  # the breakdown itself says what is in it
    if len(outcomes.models) == 1:
        asked = {"method": method or interval, **asked}
        common = {name: value for name, value in asked.items() if name in ("level", "alpha", "side")}
        return Breakdown(
            groups={name: estimate(part, **asked) for name, part in parts.items()},
            macro=estimate(outcomes, method="macro-average", **common),
            overall=estimate(whole, **asked),
            sizes=sizes,
        )
    common = {name: value for name, value in asked.items() if name in _ASKED}
    asked = {"method": method, "interval": interval, **asked}
    return Breakdown(
        groups=_paid({name: _two(part, **asked) for name, part in parts.items()}, rule),
        macro=replace(_two(outcomes, method="macro-average", **common), excluded=reasons),
        overall=replace(_two(whole, **asked), excluded=reasons),
        sizes=sizes,
        adjustment="" if rule == "none" else rule,
    )


def _grouped(evidence: Any) -> tuple[Outcomes, dict[str, int]]:
    """Return the outcomes, in groups and of one or two models, and what was left out; or say what is missing."""
    reasons: dict[str, int] = {}
    if hasattr(evidence, "outcome_tally"):  # predictions fold themselves
        tally = evidence.outcome_tally()
        evidence, reasons = tally.outcomes, tally.reasons
    if not isinstance(evidence, Outcomes):
        raise InvalidEvidence(
            f"breakdown takes Outcomes or Predictions with groups, but was given {type(evidence).__name__}. Write"
            " Outcomes.from_scores(a, b, groups=...)."
        )
    if evidence.groups is None:
        raise InvalidEvidence("these outcomes have no groups. Say which group each example belongs to: groups=.")
    if len(evidence.models) > 2 or evidence.shape:
        raise InvalidEvidence(
            f"a breakdown is of one model or of two, but these are {', '.join(evidence.models)}"
            f"{f' in an array of shape {evidence.shape}' if evidence.shape else ''}. Take them out by select(a, b)."
        )
    return evidence, reasons


def _two(outcomes: Outcomes, **asked: Any) -> Comparison:
    return cast("Comparison", compare(outcomes, **asked))  # of two models


def _paid(groups: dict[str, Comparison], rule: Adjustment) -> dict[str, Comparison | Estimate]:
    """Let the p-values of the groups pay for their number."""
    if rule == "none":
        return dict(groups)
    adjusted = adjusted_pvalues(np.array([float(each.pvalue) for each in groups.values()]), rule)
    references = collect_references(adjustment=rule)
    family = f"{len(groups)} groups"
    return {
        name: replace(
            each,
            adjustment=Adjusted(method=rule, pvalue=value, family=family),
            references=(*each.references, *references),
        )
        for (name, each), value in zip(groups.items(), adjusted, strict=True)
    }
