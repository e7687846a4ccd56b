"""Dietterich (1998), sections 3.1 and 3.2: the tests of two proportions in all printed forms.

For data, use `mcnemar-corrected` and `difference-of-proportions`. The other forms explain figures that may have been
made with them.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

import tellapart as ta

from ...typing_ import Alternative, one_of

Variance = Literal["independent", "paired"]


class PrintedTest(NamedTuple):
    """The result of a test: numbers for one table, arrays for several."""

    statistic: Any
    pvalue: Any


def mcnemar_as_printed(table: ta.PairedTable, *, alternative: Alternative = "two-sided") -> PrintedTest:
    """Return the test by the corrected statistic (|b − c| − 1)²/(b + c) as printed: 1/(b + c) also if b = c.

    Examples
    --------
    >>> mcnemar_as_printed(ta.PairedTable(0, 5, 5, 0)).statistic
    np.float64(0.1)
    """
    b, c = table.only_a_wrong, table.only_b_wrong
    size = np.where(b + c == 0, 0.0, np.abs(np.abs(b - c) - 1.0))
    z = _over_root(np.where(b < c, -size, size), b + c)
    return PrintedTest(size**2 / np.maximum(b + c, 1), _normal_pvalue(z, alternative))


def proportions_as_printed(
    table: ta.PairedTable,
    *,
    variance: Variance = "paired",
    continuity: bool = True,
    alternative: Alternative = "two-sided",
) -> PrintedTest:
    """Return the test of the difference of two proportions, by default z' = ±(|b − c| − 1)/√(b + c), with correction.

    Parameters
    ----------
    table
        The four counts.
    variance
        "paired" for the standard error √(b + c)/n, which accounts for the pairing (z without correction is then the
        square root of McNemar's statistic); "independent" for that of two test sets, as in `difference-of-proportions`.
    continuity
        Whether |b − c| is reduced by 1. The paper's z' includes this correction.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".

    Examples
    --------
    >>> left = ta.PairedTable(both_wrong=0, only_a_wrong=40, only_b_wrong=60, both_right=0)
    >>> proportions_as_printed(left).statistic, proportions_as_printed(left, continuity=False).statistic
    (np.float64(-1.9), np.float64(-2.0))
    """
    difference = table.only_a_wrong - table.only_b_wrong
    if continuity:
        difference = np.sign(difference) * (np.abs(difference) - 1)
    spread: Any = table.disagreements
    if one_of("variance", variance, Variance) == "independent":
        a, b, twice = table.count_a, table.count_b, 2 * table.examples
        p, q = (a.errors + b.errors) / twice, (a.successes + b.successes) / twice
        spread = 2 * (p * q) * table.examples
    z = _over_root(difference, spread)
    return PrintedTest(z, _normal_pvalue(z, alternative))


def _over_root(difference: Any, spread: Any) -> Any:
    """Return a difference divided by the root of its variance; 0 if the variance is 0."""
    return difference / np.sqrt(np.where(spread == 0, 1, spread))


def _normal_pvalue(z: Any, alternative: Alternative) -> Any:
    from scipy.special import erfc, ndtr

    one_of("alternative", alternative, Alternative)
    tails = {"two-sided": erfc(np.abs(z) * np.sqrt(0.5)), "greater": ndtr(-z), "less": ndtr(z)}
    return np.maximum(tails[alternative], np.finfo(float).tiny)
