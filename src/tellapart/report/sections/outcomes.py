"""Scores by example: their distribution, the effect of clusters, and groups."""

from __future__ import annotations

from dataclasses import replace

from ...evidence import Outcomes
from ...results import Comparison, Estimate, Ranking
from ..blocks import Block, Facts, Figure, Section
from .page_context import PageContext


def outcomes_section(outcomes: Outcomes) -> Section:
    """Return the distribution of scores or differences, and the design effect of clusters."""
    from ..plots import spread_picture

    blocks: list[Block] = [Figure(picture=spread_picture(outcomes))]
    if outcomes.clusters is not None:
        from ...methods.outcomes.design_effect import design_effect

        blocks.append(Facts(rows=tuple(design_effect(outcomes).rows()), title="Design effect of clusters"))
    return Section(id="examples-spread", title="Scores by example", blocks=tuple(blocks))


def with_groups(answer: Comparison | Estimate | Ranking, context: PageContext) -> PageContext:
    """Return the context with the results by group, if the examples have groups and the context has no results."""
    evidence = answer.evidence
    if context.groups is not None or len(evidence.group_names) < 2 or len(evidence.models) > 2:
        return context
    from ...verbs import breakdown

    alpha = answer.interval.alpha if isinstance(answer, Estimate) else answer.alpha
    return replace(context, groups=breakdown(evidence, alpha=alpha))
