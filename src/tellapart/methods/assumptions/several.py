"""What methods for several classifiers on one test set assume: TA301 and TA302."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...typing_ import Numbers
from .base import Assumption, Given


def _informative(patterns: Any, _: Given) -> Numbers:
    """Return the examples where the models do not all agree, times the models."""
    each = patterns.wrong.sum(axis=-1)
    models = len(patterns.models)
    return models * (patterns.counts @ ((each > 0) & (each < models)).astype(np.int64))


INFORMATIVE_EXAMPLES = Assumption(
    code="TA301",
    needs="examples on which the models do not all agree, times models = {figure} ≥ 24 (Tate and Brown)",
    rule="examples on which the models do not all agree, times models ≥ 24 (Tate and Brown)",
    broken="examples on which the models do not all agree, times models = {figure} < 24: the chi-square"
    " approximation of Cochran's Q is poor here (Tate and Brown)",
    otherwise="look at the pairs: method='mcnemar-exact' with adjust='holm' holds its level at any size",
    figure=_informative,
    threshold=24,
    source="tate1970",
)
DISAGREEMENTS_OF_EVERY_PAIR = Assumption(
    code="TA302",
    needs="any two models disagree on {figure} examples or more, which is at least 10",
    rule="any two models disagree on at least 10 examples",
    broken="two of the models disagree on only {figure} examples: below 10, 'max-t' seldom tells such a pair apart, and"
    " with fewer than 50 examples it may claim a little too much (up to 1.6 times alpha with five)",
    otherwise="more examples would help; method='mcnemar-exact' with adjust='holm' guarantees its level at any size",
    figure=lambda patterns, _: patterns.pairs().disagreements.min(axis=-1),
    threshold=10,
)
