"""Tests conditional on the total number of errors: Fisher's exact test and its mid-p form."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...evidence import IndependentCounts
from ...numerics.hypergeometric import at_least, log_probability, two_tails
from ...numerics.repetition import each_once
from ...results import TestResult
from ...typing_ import Alternative, FloatArray, one_of
from ..registry import Standing, test
from .two_samples import columns_of


@test(
    name="fisher",
    title="Fisher exact test",
    evidence=IndependentCounts,
    standing=Standing.SOUND,
    rationale="guaranteed type I error rate for any number of examples; conservative",
    guarantees=True,
    statistic="errors of A",
    reference="fisher1935",
)
def fisher(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> TestResult:
    """Fisher's exact test of two independent error rates.

    Given the total number of errors, those of A are hypergeometric under equal error rates. Two-sided, the p-value is
    the probability of all outcomes at most as probable as the observed one.

    Examples
    --------
    >>> round(fisher(IndependentCounts.from_counts(0, 16, 15, 72)).pvalue, 5)
    np.float64(0.06287)
    >>> round(fisher(IndependentCounts.from_counts(3, 3, 0, 3)).pvalue, 5)
    np.float64(0.1)
    """
    return _conditional_pvalue(counts, alternative, share=0.0)


@test(
    name="fisher-mid-p",
    title="Fisher mid-p",
    evidence=IndependentCounts,
    standing=Standing.RECOMMENDED,
    rationale=(
        "default: type I error rate at most 1.2 times alpha from 10 examples per test set on, whatever their sizes"
    ),
    validity="at least 10 examples in each test set",
    where={"examples": (10, inf)},
    statistic="errors of A",
    reference="lancaster1961",
)
def fisher_mid_p(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> TestResult:
    """Fisher's mid-p test of two independent error rates.

    Outcomes as probable as the observed one count half. If no outcome is more probable, as at equal rates,
    the two-sided p-value is 1.

    Examples
    --------
    >>> round(fisher_mid_p(IndependentCounts.from_counts(0, 16, 15, 72)).pvalue, 5)
    np.float64(0.04466)
    """
    return _conditional_pvalue(counts, alternative, share=0.5)


def _conditional_pvalue(counts: IndependentCounts, alternative: Alternative, share: float) -> TestResult:
    """Return the p-value less this share of the probability of equally probable outcomes."""
    one_of("alternative", alternative, Alternative)

    def pvalue(x: Any, n: Any, y: Any, m: Any) -> FloatArray:
        total = x + y
        if alternative == "two-sided":
            unlikely, same = two_tails(x, n, m, total)
            less: FloatArray = np.where(unlikely < 1, unlikely - share * same, 1.0)
            return less
        if alternative == "less":
            x, n, m = y, m, n
        seen = np.exp(log_probability(x, n, m, total))
        # The tail is summed directly, so that small tails are accurate.
        upper_tail: FloatArray = at_least(x + 1, n, m, total) + (1 - share) * seen
        return upper_tail

    pvalue_of_table = each_once(pvalue, *columns_of(counts))
    return TestResult(
        statistic=np.asarray(counts.a.errors, dtype=float)[()], pvalue=np.minimum(pvalue_of_table, 1.0)[()]
    )
