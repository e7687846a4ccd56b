"""What an answer about learners crossed with test examples reports besides."""

from __future__ import annotations

from collections.abc import Iterator

from ...evidence import AnswerContext, Note, TrainingSets, reports_on
from .components import variance_components


@reports_on(TrainingSets)
def report_on_variance(sets: TrainingSets, _: AnswerContext) -> Iterator[Note]:
    """Yield how much training sets, test examples and seeds make the loss vary."""
    if len(sets.learners) <= 2:
        shares = {name: float(value) for name, value in variance_components(sets).as_dict().items()}
        yield Note(key="variance_components", label="varies by", text="", value=shares)
