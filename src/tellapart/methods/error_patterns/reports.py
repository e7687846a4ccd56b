"""Reports of a ranking by error rates: the overall test, and the selection bias of the best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ...evidence import AnswerContext, ErrorPatterns, Note, reports_on
from .cochran import cochran_q
from .drawing import one_table, resample_patterns, resamples_of


def winner_optimism(
    patterns: ErrorPatterns, *, resamples: int | None = None, rng: int | np.random.Generator = 0
) -> float:
    """Return the selection bias of the best of several models: how much too low its error rate is.

    The best was selected by its errors on these examples, so its error rate on them is too low. In each resample of the
    examples the best is selected again; the mean excess of its error rate on all examples over that in the resample
    (shared among ties) estimates the bias (after Tsamardinos, Greasidou and Borboudakis 2018, who use the examples left
    out). If all models are equally good the estimate is about 0.7 of the true bias; only a new test set removes it.

    Examples
    --------
    >>> patterns = ErrorPatterns.from_codes(["a", "b", "c"], {0: 60, 1: 9, 2: 8, 4: 9, 7: 20})
    >>> round(winner_optimism(patterns), 2)
    0.02
    """
    resamples = resamples_of(one_table(patterns, "winner_optimism"), resamples)
    wrong, draws = resample_patterns(patterns, resamples, rng)
    # Examples that all models got wrong are not drawn: they shift all error rates equally, by 0 on average.
    errors = patterns.error_counts.errors - patterns.counts @ patterns.wrong.all(axis=-1).astype(np.int64)
    gained = 0.0
    for drawn in draws:
        again = drawn @ wrong
        wins = again == again.min(axis=1, keepdims=True)
        gained += float(((errors - again).sum(axis=1, where=wins) / wins.sum(axis=1)).sum())
    return max(gained / resamples, 0.0) / float(patterns.examples)


@reports_on(ErrorPatterns)
def report_on_the_best(patterns: ErrorPatterns, context: AnswerContext) -> Iterator[Note]:
    """Yield Cochran's Q, and the selection bias of the best."""
    freedom = len(patterns.models) - 1
    result = replace(
        cochran_q(patterns),
        method="cochran-q",
        statistic_name="Cochran's Q",
        note=f"df = {freedom}",
        reference="cochran1950",
    )
    yield Note(key="cochran_q", label="Cochran's Q", text="", value=result)
    drawing = {name: context.options[name] for name in ("resamples", "rng") if name in context.options}
    optimism = winner_optimism(patterns, **drawing)
    yield Note(key="optimism", label="optimism", text=f"{optimism:.3g}", value=optimism)
