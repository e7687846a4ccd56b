"""The probability that B is better, given what was seen."""

from __future__ import annotations

import numpy as np

from ...errors import InvalidOption
from ...evidence import PairedTable
from ...numerics.distributions import beta_above, pvalue_of_tails
from ...results import TestResult
from ...typing_ import Alternative
from ..registry import Standing, test


@test(
    name="dirichlet",
    evidence=PairedTable,
    standing=Standing.SOUND,
    because="an exact posterior probability, no sampling; as a test it is close to mid-p McNemar",
    holds="disagreement on up to 80 % of the examples, with kappa 0.5",
    where={"disagreement": (0, 0.8)},
    statistic="P(B better)",
    told=lambda kappa=0.5, **_: f"prior Dirichlet({kappa:g}, {kappa:g}) for lone errors",
    reference="bowyer2025",
)
def dirichlet(table: PairedTable, *, alternative: Alternative = "two-sided", kappa: float = 0.5) -> TestResult:
    """Give the posterior probability that B is the better one, under a Dirichlet prior for lone errors.

    P(θ_b > θ_c) = P(Beta(b + κ, c + κ) > ½): the rest of the examples, and the prior for them, do not
    matter. The statistic is that probability; the p-value is that of being wrong about who is
    better, doubled if two-sided.

    Parameters
    ----------
    table
        Who was wrong where.
    alternative
        "two-sided", "greater" (error(A) exceeds error(B): B is better) or "less".
    kappa
        The prior's weight on each kind of lone error, above 0: ½ is Jeffreys' prior, 1 the uniform.

    Examples
    --------
    >>> dirichlet(PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)).statistic.round(4)
    np.float64(0.9949)
    """
    if isinstance(kappa, bool) or not (isinstance(kappa, int | float | np.number) and 0 < kappa < np.inf):
        raise InvalidOption(f"kappa must be a number above 0, but is {kappa!r}. For Jeffreys' prior write 0.5.")
    a, b = table.only_a_wrong + kappa, table.only_b_wrong + kappa
    b_better, a_better = beta_above(a, b, 0.5), beta_above(b, a, 0.5)  # one function: A and B exchanged are mirrored
    pvalue = pvalue_of_tails(b_better, a_better, alternative)
    if alternative == "two-sided":
        pvalue = np.where(a == b, 1.0, pvalue)[()]  # to the last digit
    return TestResult(statistic=b_better, pvalue=pvalue)
