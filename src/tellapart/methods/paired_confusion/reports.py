"""Notes of a comparison by a metric of labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...evidence import AnswerContext, LabelPatterns, Note, PairedConfusion, reports_on
from ..winners import metric_winner_optimism
from .delta import paired_delta


@reports_on(PairedConfusion)
def report_on_other_tests(pair: PairedConfusion, context: AnswerContext) -> Iterator[Note]:
    """Yield the delta-method test beside a score test of predictive values that was chosen by default.

    The interval beside such a test is that of the delta method, and the two may disagree.
    """
    chosen = not context.named and context.hypothesis == "different"
    if chosen and context.method == "weighted-generalized-score" and not np.isnan(context.result.pvalue):
        result = paired_delta(pair).test(0.0, context.alternative)
        yield Note(key="other_tests", label="test", text="", value={"paired-delta": result})


@reports_on(LabelPatterns)
def report_on_the_best(patterns: LabelPatterns, _: AnswerContext) -> Iterator[Note]:
    """Yield the selection bias (winner's curse) of the best of several models."""
    optimism = metric_winner_optimism(patterns)
    yield Note(key="optimism", label="selection bias", text=f"{optimism:.3g}", value=optimism)
