"""Comparisons and estimates by group."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import Evidence
from ..methods.multiplicity import OF_ALL_PAIRS
from ..methods.multiplicity import adjust as adjusted_pvalues
from ..results import Adjustment as Adjusted
from ..results import Breakdown, Comparison, Estimate
from ..typing_ import Adjustment, list_names, one_of
from .comparing import compare
from .dispatch import as_evidence
from .estimating import estimate
from .pipeline import collect_references
from .request import Request

_COMMON = ("level", "alpha", "alternative", "margin", "hypothesis", "looks")  # for the macro average and every group


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
    """Return the comparison of two models (or the estimate of one) in every group of the examples, and over all groups.

    There are two overall answers: the macro average gives all groups equal weight, the other gives all examples equal
    weight. They differ if groups of different sizes have different results.

    Parameters
    ----------
    evidence
        `Outcomes` with groups, of one model or of two; or `Predictions` with a column of groups.
    method, interval
        The test and the interval for every group, and for all examples. Default: chosen by design. The macro
        average has its own method.
    level, alpha
        As for `compare`.
    adjust
        How p-values are adjusted for multiple comparisons: "holm", "hochberg", "hommel", "finner",
        "benjamini-hochberg", "benjamini-yekutieli", "bonferroni" or "none".
    options
        Options of the test and the interval.

    Examples
    --------
    >>> from tellapart import Outcomes
    >>> old, new = [0.2, 0.4, 0.3, 0.5, 0.1, 0.2, 0.8, 0.9, 0.7], [0.4, 0.7, 0.4, 0.8, 0.2, 0.5, 0.8, 0.8, 0.9]
    >>> tasks = ["sums"] * 6 + ["prose"] * 3
    >>> answer = breakdown(Outcomes.from_scores(old, new, metric="rouge", models=("old", "new"), groups=tasks))
    >>> answer.told_apart, round(float(answer.groups["sums"].adjusted), 4), round(float(answer.macro.difference), 4)
    (('sums',), 0.0059, 0.125)
    """
    rule: Adjustment = one_of("adjust", adjust, Adjustment)
    if rule in OF_ALL_PAIRS:
        raise InvalidOption(
            f"`adjust` must work from p-values alone, got {rule!r}, which needs all pairs of some models. Use"
            " adjust='holm'."
        )
    observed, reasons = as_evidence(evidence, Request(by_example=True))
    parts = dict(observed.by_group())
    _refuse_many(observed)
    keywords = {"level": level, "alpha": alpha, **options}
    sizes = tuple(part.size for part in parts.values())
    whole, macro = observed.ungrouped(), observed.default("groups")  # the macro average has a method of its own
    if len(observed.models) == 1:
        keywords = {"method": method or interval, **keywords}
        common = {name: value for name, value in keywords.items() if name in ("level", "alpha", "side")}
        return Breakdown(
            groups={name: estimate(part, **keywords) for name, part in parts.items()},
            macro=estimate(observed, method=macro, **common),
            overall=estimate(whole, **keywords),
            sizes=sizes,
        )
    common = {name: value for name, value in keywords.items() if name in _COMMON}
    keywords = {"method": method, "interval": interval, **keywords}
    return Breakdown(
        groups=_adjust_groups({name: _compare_two(part, **keywords) for name, part in parts.items()}, rule),
        macro=replace(_compare_two(observed, method=macro, **common), excluded=dict(reasons)),
        overall=replace(_compare_two(whole, **keywords), excluded=dict(reasons)),
        sizes=sizes,
        adjustment="" if rule == "none" else rule,
    )


def _refuse_many(evidence: Evidence) -> None:
    if len(evidence.models) > 2 or evidence.shape:
        raise InvalidEvidence(
            f"a breakdown needs one model or two, got {list_names(evidence.models)}"
            f"{f' in an array of shape {evidence.shape}' if evidence.shape else ''}. Use select(a, b)."
        )


def _compare_two(evidence: Evidence, **keywords: Any) -> Comparison:
    return compare(evidence, **keywords)


def _adjust_groups(groups: dict[str, Comparison], rule: Adjustment) -> dict[str, Comparison | Estimate]:
    """Return the comparisons with p-values adjusted for the number of groups."""
    if rule == "none":
        return dict(groups)
    adjusted = adjusted_pvalues(np.array([float(answer.pvalue) for answer in groups.values()]), rule)
    references = collect_references(adjustment=rule)
    family = f"{len(groups)} groups"
    return {
        name: replace(
            answer,
            adjustment=Adjusted(method=rule, pvalue=value, family=family),
            references=(*answer.references, *references),
        )
        for (name, answer), value in zip(groups.items(), adjusted, strict=True)
    }
