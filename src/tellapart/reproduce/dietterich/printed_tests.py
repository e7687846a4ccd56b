"""Dietterich (1998), sections 3.1 and 3.2: the tests of two proportions in every form that the paper prints.

`mcnemar-corrected` and `difference-of-proportions` are the forms to use; the others are here for figures that may have
been made with them.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ...evidence import PairedTable
from ...methods.paired_table.proportions import mean_variance
from ...numerics.distributions import normal_pvalue, ratio
from ...results import TestResult
from ...typing_ import Alternative, one_of

Variance = Literal["independent", "paired"]


def mcnemar_as_printed(table: PairedTable, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test by the corrected statistic (|b − c| − 1)²/(b + c) as printed: 1/(b + c), too, where b = c.

    Examples
    --------
    >>> mcnemar_as_printed(PairedTable(0, 5, 5, 0)).statistic
    np.float64(0.1)
    """
    b, c = table.only_a_wrong, table.only_b_wrong
    size = np.where(b + c == 0, 0.0, np.abs(np.abs(b - c) - 1.0))
    z = ratio(np.where(b < c, -size, size), np.sqrt(b + c), empty=0.0)
    return TestResult(statistic=ratio(size**2, b + c, empty=0.0), pvalue=normal_pvalue(z, alternative))


def proportions_as_printed(
    table: PairedTable,
    *,
    variance: Variance = "paired",
    continuity: bool = True,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """Test the difference of two proportions: by default z' = ±(|b − c| − 1)/√(b + c), the corrected one.

    Parameters
    ----------
    table
        Who was wrong where.
    variance
        "paired" for the standard error √(b + c)/n that knows the pairing, with which z without correction is the root
        of McNemar's statistic; "independent" for that of two test sets, as `difference-of-proportions` has it.
    continuity
        Whether |b − c| is drawn one towards 0. The paper's z' has this correction built in.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".

    Examples
    --------
    >>> left = PairedTable(both_wrong=0, only_a_wrong=40, only_b_wrong=60, both_right=0)
    >>> proportions_as_printed(left).statistic, proportions_as_printed(left, continuity=False).statistic
    (np.float64(-1.9), np.float64(-2.0))
    """
    apart = table.only_a_wrong - table.only_b_wrong
    if continuity:
        apart = np.sign(apart) * (np.abs(apart) - 1)
    paired = one_of("variance", variance, Variance) == "paired"
    spread = table.disagreements if paired else 2 * mean_variance(table) * table.examples
    z = ratio(apart, np.sqrt(spread), empty=0.0)
    return TestResult(statistic=z, pvalue=normal_pvalue(z, alternative))
