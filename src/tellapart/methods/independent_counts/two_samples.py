"""Counts and standard errors of two independent test sets, and facts that methods for them share."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...evidence import IndependentCounts
from ...typing_ import FloatArray, IntArray

DIFFERENCE: dict[str, Any] = {"evidence": IndependentCounts, "parameter": "difference"}
DIFFERENCE_FROM_FIVE_ON = DIFFERENCE | {"validity": "at least 5 examples in each test set"}


def columns_of(counts: IndependentCounts) -> tuple[IntArray, ...]:
    """Return errors and trials of A, then of B."""
    return counts.a.errors, counts.a.trials, counts.b.errors, counts.b.trials


def standard_error(counts: IndependentCounts) -> FloatArray:
    """Return σ of the difference (Mitchell 1997, eq. 5.12)."""
    return np.hypot(counts.a.standard_error, counts.b.standard_error)


def rarer(counts: IndependentCounts) -> IndependentCounts:
    """Return counts with the same difference, of successes instead of errors if these are rarer in both test sets.

    error(A) − error(B) is also success(B) − success(A), and a rate near 1 has fewer digits than one near 0.

    Examples
    --------
    >>> rarer(IndependentCounts.from_counts(8, 10, 9, 10))
    IndependentCounts(a=ErrorCount(errors=1, trials=10), b=ErrorCount(errors=2, trials=10))
    """
    a, b = counts.a, counts.b
    often = (2 * a.errors > a.trials) & (2 * b.errors > b.trials)
    if not np.any(often):
        return counts
    successes = b.successes, b.trials, a.successes, a.trials
    chosen = (np.where(often, there, here) for here, there in zip(columns_of(counts), successes, strict=True))
    return IndependentCounts.from_counts(*chosen)
