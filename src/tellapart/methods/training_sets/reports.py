"""Notes of a result from learners crossed with test examples."""

from __future__ import annotations

from collections.abc import Iterator

from ...evidence import AnswerContext, Note, TrainingSets, reports_on
from .components import variance_components


@reports_on(TrainingSets)
def report_on_variance(sets: TrainingSets, _: AnswerContext) -> Iterator[Note]:
    """Yield the variance components of training sets, test examples and seeds."""
    if len(sets.learners) <= 2:
        shares = {name: float(value) for name, value in variance_components(sets).as_dict().items()}
        yield Note(key="variance_components", label="variance", text="", value=shares)
