"""Notes of an answer about learners on resampled data: sources of variation and alternative tests."""

from __future__ import annotations

from collections.abc import Iterator

from ...evidence import AnswerContext, Note, Resamples, reports_on
from .corrected import corrected_resampled_t


@reports_on(Resamples)
def report_on_variance(resamples: Resamples, _: AnswerContext) -> Iterator[Note]:
    """Yield the variance components of splits and seeds, if there are several of both."""
    if len(resamples.learners) <= 2 and resamples.seeds > 1 and resamples.runs > 1:
        from ..training_sets.components import variance_components

        shares = {name: float(value) for name, value in variance_components(resamples).as_dict().items()}
        yield Note(key="variance_components", label="variation", text="", value=shares)


@reports_on(Resamples)
def report_on_other_tests(resamples: Resamples, context: AnswerContext) -> Iterator[Note]:
    """Yield the corrected t beside the 5x2cv t, which depends on the choice of its numerator."""
    if context.method == "5x2cv-t" and context.hypothesis == "different" and len(resamples.learners) == 2:
        result = corrected_resampled_t(resamples).test(0.0, context.alternative)
        yield Note(key="other_tests", label="or", text="", value={"corrected-resampled-t": result})
