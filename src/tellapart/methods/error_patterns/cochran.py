"""Cochran's Q test of several models on one test set."""

from __future__ import annotations

from math import inf

import numpy as np

from ...evidence import ErrorPatterns
from ...results import TestResult
from ..registry import Standing, test
from .assumptions import INFORMATIVE_EXAMPLES


@test(
    name="cochran-q",
    title="Cochran's Q",
    of_several=True,
    reported=True,
    evidence=ErrorPatterns,
    assumes=(INFORMATIVE_EXAMPLES,),
    standing=Standing.SOUND,
    rationale=(
        "overall test of whether any models differ; it does not say which, and pairwise tests do not require it"
    ),
    validity="discordant examples times models of at least 24",
    where={"outcomes": (24, inf)},
    statistic="chi-square",
    reference="cochran1950",
)
def cochran_q(patterns: ErrorPatterns) -> TestResult:
    """Cochran's Q test of equal error rates of several models on one test set.

    Q = (K − 1)(K ΣG² − T²) / (K T − ΣL²), with the errors G of each of K models, the errors L on each
    example and T in all; chi-square with K − 1 degrees of freedom. Examples that all models get
    right, or all wrong, cancel out. Two models: the uncorrected McNemar test. Without discordant examples Q is 0 and p
    is 1.

    Examples
    --------
    >>> found = cochran_q(ErrorPatterns.from_codes(["a", "b", "c"], {0: 60, 1: 9, 2: 4, 3: 5, 4: 2, 7: 20}))
    >>> found.statistic.round(3), found.pvalue.round(4)
    (np.float64(10.9), np.float64(0.0043))
    """
    from scipy.special import chdtrc

    models = len(patterns.models)
    errors = patterns.error_counts.errors
    # Σ (G − mean)² of the excess over the best, which is accurate with many shared errors;
    # KT − ΣL² = Σ L(K − L), 0 if all models agree.
    more = errors - errors.min(axis=-1, keepdims=True)
    deviation = more - more.mean(axis=-1, keepdims=True)
    models_wrong = patterns.wrong.sum(axis=-1)
    informative = patterns.counts @ (models_wrong * (models - models_wrong))
    between = models * (models - 1) * (deviation**2).sum(axis=-1)
    q = np.where(informative == 0, 0.0, between / np.maximum(informative, 1))[()]
    return TestResult(statistic=q, pvalue=chdtrc(models - 1, q))
