"""McNemar's test in its four classic forms, and a posterior probability: tests of the discordant pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import PairedTable
from ...numerics.distributions import beta_above, normal_pvalue, pvalue_of_tails, ratio
from ...numerics.fair_coin import at_most, half_at_most
from ...numerics.repetition import each_once, in_blocks
from ...results import TestResult
from ...typing_ import Alternative, FloatArray, Numbers, one_of
from ..registry import Standing, test
from .assumptions import CAN_REJECT_EXACT, CAN_REJECT_MID_P, ENOUGH_DISAGREEMENTS, SOME_AGREEMENT, UNLESS_THEY_DISAGREE

_CHI_SQUARE: dict[str, Any] = {"evidence": PairedTable, "assumes": (ENOUGH_DISAGREEMENTS,), "statistic": "chi-square"}


@test(
    name="mcnemar",
    title="McNemar chi-square",
    partner="tango",  # the interval that agrees with this test
    standing=Standing.SOUND,
    rationale="closed form; mid-p is valid with fewer discordant pairs",
    reference="mcnemar1947",
    **UNLESS_THEY_DISAGREE,
    **_CHI_SQUARE,
)
def mcnemar(table: PairedTable, *, alternative: Alternative = "two-sided") -> TestResult:
    """McNemar's test of two paired error rates, without continuity correction.

    (b − c)²/(b + c) is chi-square with one degree of freedom; b and c are the discordant counts, only A wrong and only
    B wrong. The test agrees with Tango's interval.

    Parameters
    ----------
    table
        The counts of one table, or of an array of them.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".

    Examples
    --------
    >>> mcnemar(PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)).pvalue.round(3)
    np.float64(0.011)
    """

    def test(b: Any, c: Any) -> tuple[FloatArray, FloatArray]:
        # Without discordant pairs z is 0 and the two-sided p-value 1.
        z = ratio(b - c, np.sqrt(b + c), empty=0.0)
        return ratio((b - c) ** 2.0, b + c, empty=0.0), normal_pvalue(z, alternative)

    statistic, pvalue = each_once(test, table.only_a_wrong, table.only_b_wrong, sort=False)
    return TestResult(statistic=statistic, pvalue=pvalue)


@test(
    name="mcnemar-corrected",
    title="McNemar chi-square, continuity-corrected",
    standing=Standing.HEURISTIC,
    rationale="as conservative as the exact test, which needs no correction",
    reference="dietterich1998",
    **_CHI_SQUARE,
)
def mcnemar_corrected(table: PairedTable, *, alternative: Alternative = "two-sided") -> TestResult:
    """McNemar's test of two paired error rates, with continuity correction.

    max(|b − c| − 1, 0)²/(b + c): Dietterich's form (1998, section 3.1) except for b = c, where he prints 1/(b + c).

    Examples
    --------
    >>> mcnemar_corrected(PairedTable(both_wrong=0, only_a_wrong=40, only_b_wrong=60, both_right=0)).statistic
    np.float64(3.61)
    """

    def test(b: Any, c: Any) -> tuple[FloatArray, FloatArray]:
        size = np.maximum(np.abs(b - c) - 1.0, 0.0)
        z = ratio(np.where(b < c, -size, size), np.sqrt(b + c), empty=0.0)
        return ratio(size**2, b + c, empty=0.0), normal_pvalue(z, alternative)

    statistic, pvalue = each_once(test, table.only_a_wrong, table.only_b_wrong, sort=False)
    return TestResult(statistic=statistic, pvalue=pvalue)


@test(
    name="mcnemar-exact",
    title="McNemar exact",
    evidence=PairedTable,
    assumes=(CAN_REJECT_EXACT,),
    partner="odds-exact",
    guarantees=True,
    standing=Standing.SOUND,
    rationale="guaranteed type I error rate; the most conservative",
    statistic="examples only A got wrong",
    reference="dietterich1998",
)
def mcnemar_exact(table: PairedTable, *, alternative: Alternative = "two-sided") -> TestResult:
    """McNemar's exact test of two paired error rates.

    Under equal error rates b ~ Binomial(b + c, 1/2); two-sided, twice the smaller tail, at most 1.

    Examples
    --------
    >>> mcnemar_exact(PairedTable(40, 0, 20, 40)).pvalue
    np.float64(1.9073486328125e-06)
    """
    return _by_coin(table, alternative, at_most)


@test(
    name="mcnemar-mid-p",
    title="McNemar mid-p",
    evidence=PairedTable,
    assumes=(CAN_REJECT_MID_P, SOME_AGREEMENT),
    partner="odds-mid-p",
    standing=Standing.RECOMMENDED,
    rationale="nearly the power of the uncorrected test; valid up to a discordant rate of 80%",
    statistic="examples only A got wrong",
    reference="fagerland2013",
    **UNLESS_THEY_DISAGREE,
)
def mcnemar_mid_p(table: PairedTable, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether two classifiers have equal error rates on one test set.

    p = 2 P(X < m) + P(X = m), m = min(b, c), X ~ Binomial(b + c, 1/2); p = 1 if b = c. b and c are the
    discordant counts.

    Examples
    --------
    >>> mcnemar_mid_p(PairedTable(59, 6, 16, 80)).pvalue.round(6)
    np.float64(0.03469)
    """
    return _by_coin(table, alternative, half_at_most)


def _by_coin(table: PairedTable, alternative: Alternative, tail: Numbers) -> TestResult:
    one_of("alternative", alternative, Alternative)

    def test(b: Any, c: Any) -> tuple[FloatArray, FloatArray]:
        if alternative == "two-sided":
            fewer = np.minimum(b, c)
            pvalue = np.where(b == c, 1.0, np.minimum(2 * tail(fewer, b + c), 1))[()]  # 1 to the last digit
        else:  # P(X ≥ b) = P(X ≤ c), by symmetry
            pvalue = tail(c if alternative == "greater" else b, b + c)
        return b.astype(float), pvalue

    statistic, pvalue = in_blocks(test, table.only_a_wrong, table.only_b_wrong)
    return TestResult(statistic=statistic, pvalue=pvalue)


@test(
    name="dirichlet",
    title="Dirichlet posterior",
    evidence=PairedTable,
    standing=Standing.SOUND,
    rationale="exact posterior probability, no sampling; as a test close to McNemar's mid-p",
    validity="discordant rate up to 80%, with kappa = 0.5",
    where={"disagreement": (0, 0.8)},
    statistic="P(B better)",
    note=lambda kappa=0.5, **_: f"prior Dirichlet({kappa:g}, {kappa:g}) for the two discordant rates",
    reference="bowyer2025",
)
def dirichlet(table: PairedTable, *, alternative: Alternative = "two-sided", kappa: float = 0.5) -> TestResult:
    """Posterior probability that B is better, under a Dirichlet prior for the two discordant rates.

    P(θ_b > θ_c) = P(Beta(b + κ, c + κ) > ½): it does not depend on the concordant examples. The statistic is that
    probability; the p-value is the posterior probability of the opposite direction, doubled if two-sided.

    Parameters
    ----------
    table
        The counts of one table, or of an array of them.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".
    kappa
        The prior's weight on each discordant cell, above 0: 0.5 is Jeffreys' prior, 1 the uniform.

    Examples
    --------
    >>> dirichlet(PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)).statistic.round(4)
    np.float64(0.9949)
    """
    if isinstance(kappa, bool) or not (isinstance(kappa, int | float | np.number) and 0 < kappa < np.inf):
        raise InvalidOption(f"`kappa` must be a number above 0, got {kappa!r}. For Jeffreys' prior use kappa=0.5.")
    a, b = table.only_a_wrong + kappa, table.only_b_wrong + kappa
    b_better, a_better = beta_above(a, b, 0.5), beta_above(b, a, 0.5)  # mirrored if A and B are swapped
    pvalue = pvalue_of_tails(b_better, a_better, alternative)
    if alternative == "two-sided":
        pvalue = np.where(a == b, 1.0, pvalue)[()]  # to the last digit
    return TestResult(statistic=b_better, pvalue=pvalue)
