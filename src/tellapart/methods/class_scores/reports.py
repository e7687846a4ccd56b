"""Notes of a ranking by AUC or average precision."""

from __future__ import annotations

from collections.abc import Iterator

from ...evidence import AnswerContext, ClassScores, Note, reports_on
from ..winners import metric_winner_optimism


@reports_on(ClassScores)
def report_on_the_best(scores: ClassScores, _: AnswerContext) -> Iterator[Note]:
    """Yield the selection bias (winner's curse) of the best of several models."""
    if len(scores.models) > 2:
        optimism = metric_winner_optimism(scores)
        yield Note(key="optimism", label="selection bias", text=f"{optimism:.3g}", value=optimism)
