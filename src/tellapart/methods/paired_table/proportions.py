"""Tests that ignore the pairing, or assume a correlation; included because papers report them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...evidence import PairedTable
from ...numerics.distributions import normal_pvalue, ratio
from ...results import TestResult
from ...typing_ import Alternative, FloatArray
from ..registry import Standing, test
from ..rules_of_thumb import INTERVAL_OVERLAP, K_SE, decide_by_k_se, decide_by_overlap
from .assumptions import ENOUGH_DISAGREEMENTS, SPREAD_IN_BOTH

_Z_OF_ALL_CELLS: dict[str, Any] = {"evidence": PairedTable, "reads": "cells", "statistic": "z"}


@test(
    name="difference-of-proportions",
    title="unpaired two-proportion z",
    standing=Standing.FORBIDDEN,
    rationale="ignores pairing: liberal or conservative, depending on the correlation of the models' errors",
    reference="dietterich1998",
    **_Z_OF_ALL_CELLS,
)
def difference_of_proportions(table: PairedTable, *, alternative: Alternative = "two-sided") -> TestResult:
    """Two-proportion z-test that ignores the pairing.

    z = (p_A − p_B)/√(2p(1 − p)/n) with p the mean of both (Dietterich 1998, section 3.2).

    Examples
    --------
    >>> left, right = PairedTable(0, 40, 60, 0), PairedTable(40, 0, 20, 40)
    >>> difference_of_proportions(left).statistic.round(3) == difference_of_proportions(right).statistic.round(3)
    np.True_
    """
    spread = 2 * _mean_variance(table) * table.examples
    z = ratio(table.only_a_wrong - table.only_b_wrong, np.sqrt(spread), empty=0.0)
    return TestResult(statistic=z, pvalue=normal_pvalue(z, alternative))


@test(
    name="two-se",
    title="two standard errors",
    standing=Standing.FORBIDDEN,
    rationale="assumes a correlation of 0.5 between the models' errors: liberal if it is lower",
    note="assumes a correlation of 0.5 between the models' errors",
    reference="martin1996",
    **_Z_OF_ALL_CELLS,
)
def two_se(table: PairedTable, *, alternative: Alternative = "two-sided") -> TestResult:
    """Rule that calls a difference of two standard errors significant.

    z = (e_A − e_B)/SE with SE² = e(1 − e)/n, e the mean of both: the standard deviation of the
    difference if their errors were correlated by ½ (Martin and Hirschberg 1996, section 3.4). The rule
    itself rejects beyond 2, at alpha = 0.0455.

    Examples
    --------
    >>> two_se(PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)).statistic.round(3)
    np.float64(3.098)
    """
    z = ratio(table.difference, np.sqrt(_mean_variance(table) / table.examples), empty=0.0)
    return TestResult(statistic=z, pvalue=normal_pvalue(z, alternative))


@test(
    name="two-intervals",
    title="two Bonferroni intervals",
    assumes=(ENOUGH_DISAGREEMENTS, SPREAD_IN_BOTH),
    standing=Standing.HEURISTIC,
    rationale="valid for many examples, with low power: one interval per model, each at half of alpha",
    reference="yang2006",
    **_Z_OF_ALL_CELLS,
)
def two_intervals(table: PairedTable, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test by the overlap of one interval per classifier, each at half of alpha.

    Different if |e_A − e_B| > z(√v_A + √v_B)/√n at alpha/4 (Yang 2006, section 3.1); the statistic is
    the difference over (√v_A + √v_B)/√n, and `interval_ratio` is the ratio of that length to the one interval of the
    difference.

    Examples
    --------
    >>> two_intervals(PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)).pvalue.round(3)
    np.float64(0.233)
    """
    spread = table.count_a.standard_error + table.count_b.standard_error
    z = ratio(table.difference, spread, empty=0.0)
    return TestResult(statistic=z, pvalue=np.minimum(2 * normal_pvalue(z, alternative), 1))


@test(evidence=PairedTable, reads="cells", **INTERVAL_OVERLAP)
def paired_interval_overlap(
    table: PairedTable, *, alpha: float = 0.05, alternative: Alternative = "two-sided"
) -> TestResult:
    """Rule that calls paired error rates different if their Wilson intervals do not overlap: a common mistake.

    Examples
    --------
    >>> bool(paired_interval_overlap(PairedTable(10, 20, 5, 65)).rejects)
    False
    """
    return decide_by_overlap(table.count_a, table.count_b, alpha, alternative)


@test(evidence=PairedTable, reads="cells", **K_SE)
def paired_k_se(table: PairedTable, *, k: float = 1.0, alternative: Alternative = "two-sided") -> TestResult:
    """Rule that calls paired error rates different if they differ by more than k standard errors: a common mistake.

    The rule ignores the pairing.

    Examples
    --------
    >>> bool(paired_k_se(PairedTable(10, 20, 5, 65), k=2).rejects)
    True
    """
    return decide_by_k_se(table.count_a, table.count_b, k, alternative)


def _mean_variance(table: PairedTable) -> FloatArray:
    """Return e(1 − e), e the mean of both error rates; 1 − e is computed from the successes, accurate near 1."""
    a, b, twice = table.count_a, table.count_b, 2 * table.examples
    return ((a.errors + b.errors) / twice) * ((a.successes + b.successes) / twice)


def interval_ratio(table: PairedTable) -> FloatArray:
    """Return (√v_A + √v_B)/√v: how much longer two intervals are than one of the difference; never below 1.

    Examples
    --------
    >>> interval_ratio(PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)).round(3)
    np.float64(1.67)
    """
    rate = table.difference
    paired = np.sqrt(np.maximum(table.disagreements / table.examples - rate**2, 0) / table.examples)
    return ratio(table.count_a.standard_error + table.count_b.standard_error, paired, empty=1.0)
