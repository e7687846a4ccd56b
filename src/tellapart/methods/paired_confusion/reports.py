"""What a comparison by a metric of labels reports besides."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...evidence import AnswerContext, LabelPatterns, Note, PairedConfusion, reports_on
from ..winners import metric_winner_optimism
from .delta import paired_delta


@reports_on(PairedConfusion)
def report_on_other_tests(pair: PairedConfusion, context: AnswerContext) -> Iterator[Note]:
    """Yield what the delta method says beside a score test of predictive values that was not asked for by name.

    The interval beside such a test is the delta method's, and the two need not agree.
    """
    chosen = not context.named and context.hypothesis == "different"
    if chosen and context.method == "weighted-generalized-score" and not np.isnan(context.result.pvalue):
        result = paired_delta(pair).test(0.0, context.alternative)
        yield Note(key="other_tests", label="beside", text="", value={"paired-delta": result})


@reports_on(LabelPatterns)
def report_on_the_best(patterns: LabelPatterns, _: AnswerContext) -> Iterator[Note]:
    """Yield by how much the best of several looks better than it is."""
    optimism = metric_winner_optimism(patterns)
    yield Note(key="optimism", label="optimism", text=f"{optimism:.3g}", value=optimism)
