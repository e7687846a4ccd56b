"""What an answer about outcomes reports besides: effective sample size, what repeats do, how lucky the best may be."""

from __future__ import annotations

from collections.abc import Iterator

from ...evidence import AnswerContext, Note, Outcomes, reports_on
from .components import repeat_components
from .design_effect import design_effect
from .winner import mean_winner_optimism


@reports_on(Outcomes)
def report_on_examples(outcomes: Outcomes, context: AnswerContext) -> Iterator[Note]:
    """Yield what the examples are worth and what varies: of the mean over all examples, not of one over groups."""
    if len(outcomes.models) > 2 or context.own_estimate or context.method == "macro-average":
        return
    if outcomes.clusters is not None:
        size = float(design_effect(outcomes).effective_examples)
        yield Note(key="effective_size", label="effective size", text=f"{size:.0f} independent examples", value=size)
    if outcomes.repeats is not None and outcomes.examples > 1 and (outcomes.repeats > 1).any(axis=-1).all():
        components = repeat_components(outcomes)
        shares = {name: float(components.of(name)) for name in components.names}
        yield Note(key="variance_components", label="varies by", text="", value=shares)
        yield Note(key="repeat_variance_share", label="repeats", text="", value=float(components.removable))


@reports_on(Outcomes)
def report_on_the_best(outcomes: Outcomes, context: AnswerContext) -> Iterator[Note]:
    """Yield by how much the best of several looks better than it is."""
    if len(outcomes.models) > 2:
        drawing = {name: context.options[name] for name in ("resamples", "rng") if name in context.options}
        optimism = mean_winner_optimism(outcomes, **drawing)
        yield Note(key="optimism", label="optimism", text=f"{optimism:.3g}", value=optimism)
