"""What a ranking by error rates reports besides: whether any two differ, and how lucky the best may be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...evidence import AnswerContext, ErrorPatterns, Note, reports_on
from .cochran import cochran_q
from .optimism import winner_optimism


@reports_on(ErrorPatterns)
def report_on_the_best(patterns: ErrorPatterns, context: AnswerContext) -> Iterator[Note]:
    """Yield Cochran's Q, and by how much the best looks better than it is."""
    freedom = len(patterns.models) - 1
    result = replace(
        cochran_q(patterns),
        method="cochran-q",
        statistic_name="Cochran's Q",
        note=f"on {freedom} degree{'s' * (freedom > 1)} of freedom",
        reference="cochran1950",
    )
    yield Note(key="cochran_q", label="Cochran's Q", text="", value=result)
    drawing = {name: context.options[name] for name in ("resamples", "rng") if name in context.options}
    optimism = winner_optimism(patterns, **drawing)
    yield Note(key="optimism", label="optimism", text=f"{optimism:.3g}", value=optimism)
