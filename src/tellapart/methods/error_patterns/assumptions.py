"""Assumptions of methods for several classifiers on one test set: TA301 and TA302."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, at_least, smallest_pvalue


def _informative_outcomes(patterns: Any, _: Context) -> Numbers:
    """Return the number of examples on which the models do not all agree, times the number of models."""
    errors = patterns.wrong.sum(axis=-1)
    models = len(patterns.models)
    return models * (patterns.counts @ ((errors > 0) & (errors < models)).astype(np.int64))


def _compare_pairs_exactly(patterns: Any, context: Context) -> str:
    """Return the remedy for few discordant pairs: exact tests of the pairs if one can reject, or more examples."""
    most, pairs = np.max(patterns.pairs().disagreements), len(patterns.models) * (len(patterns.models) - 1) // 2
    if smallest_pvalue(most, "two-sided") < context.alpha / pairs:
        return "Use method='mcnemar-exact' and adjust='holm', or test more examples."
    return "Test more examples."


INFORMATIVE_EXAMPLES = at_least("TA301", 24, _informative_outcomes, reference="tate1970").state(
    "discordant examples times models{figure: = #, which is} at least 24 (Tate & Brown 1970)",
    "discordant examples times models = {figure}, below 24 (Tate & Brown 1970)",
    _compare_pairs_exactly,
    title="few discordant examples",
    so="the chi-square approximation of Cochran's Q is poor",
)
DISAGREEMENTS_OF_EVERY_PAIR = at_least(
    "TA302", 10, lambda patterns, _: patterns.pairs().disagreements.min(axis=-1)
).state(
    "fewest discordant examples of any two models:{figure: #, which is} at least 10",
    "two models have {figure} discordant pairs, fewer than 10",
    _compare_pairs_exactly,
    title="few discordant pairs",
    so="'max-t' has little power for them, and below 50 examples may reject up to 1.6 times too often",
)
