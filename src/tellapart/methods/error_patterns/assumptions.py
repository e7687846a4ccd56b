"""What methods for several classifiers on one test set assume: TA301 and TA302."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from ..assumptions import Context, at_least


def _informative_outcomes(patterns: Any, _: Context) -> Numbers:
    """Return the examples where the models do not all agree, times the models."""
    errors = patterns.wrong.sum(axis=-1)
    models = len(patterns.models)
    return models * (patterns.counts @ ((errors > 0) & (errors < models)).astype(np.int64))


INFORMATIVE_EXAMPLES = at_least("TA301", 24, _informative_outcomes, reference="tate1970").state(
    "examples on which the models do not all agree, times models{figure: = #} ≥ 24 (Tate and Brown)",
    "examples on which the models do not all agree, times models = {figure} < 24: the chi-square approximation of"
    " Cochran's Q is poor here (Tate and Brown)",
    "look at the pairs: method='mcnemar-exact' with adjust='holm' holds its level at any size",
)
DISAGREEMENTS_OF_EVERY_PAIR = at_least(
    "TA302", 10, lambda patterns, _: patterns.pairs().disagreements.min(axis=-1)
).state(
    "any two models disagree on {figure} examples{figure: or more, which is at least 10}",
    "two of the models disagree on only {figure} examples: below 10, 'max-t' seldom tells such a pair apart, and with"
    " fewer than 50 examples it may claim a little too much (up to 1.6 times alpha with five)",
    "more examples would help; method='mcnemar-exact' with adjust='holm' guarantees its level at any size",
)
