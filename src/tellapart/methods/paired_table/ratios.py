"""Intervals of two ratios: the conditional odds ratio, and the relative reduction of the error rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...evidence import ErrorCount, PairedTable
from ...numerics.distributions import critical, tail
from ...numerics.repetition import each_row_once
from ...numerics.roots import solve
from ...results import Interval
from ...typing_ import FloatArray, Numbers, Side
from ..limits import as_interval
from ..pivots import Limits, Pivot
from ..registry import Standing, interval
from .assumptions import BOTH_ERR, SOME_DISAGREEMENT

_FAR = 1e30  # a ratio of error rates larger than any number of examples allows


@interval(
    name="odds-exact",
    title="exact conditional odds ratio",
    evidence=PairedTable,
    parameter="odds",
    assumes=(SOME_DISAGREEMENT,),
    partner="mcnemar-exact",
    guarantees=True,
    standing=Standing.SOUND,
    rationale="inverts the exact McNemar test; for the odds ratio, not the difference",
    reference="fagerland2014",
)
def odds_exact(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Exact interval of the conditional odds ratio: Clopper and Pearson's limits of b/(b + c), as odds.

    Examples
    --------
    >>> limits = odds_exact(PairedTable(59, 6, 16, 80))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.1202), np.float64(1.0089))
    """
    from ..error_count.exact import clopper_pearson

    return _as_odds("odds-exact", clopper_pearson, table, alpha, side)


@interval(
    name="odds-mid-p",
    title="mid-p conditional odds ratio",
    evidence=PairedTable,
    parameter="odds",
    assumes=(SOME_DISAGREEMENT,),
    partner="mcnemar-mid-p",
    standing=Standing.SOUND,
    rationale="inverts McNemar's mid-p test; for the odds ratio, not the difference",
    reference="fagerland2014",
)
def odds_mid_p(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Mid-p interval of the conditional odds ratio: the mid-p limits of b/(b + c), as odds.

    Examples
    --------
    >>> limits = odds_mid_p(PairedTable(59, 6, 16, 80))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.1347), np.float64(0.9354))
    """
    from ..error_count.exact import mid_p

    return _as_odds("odds-mid-p", mid_p, table, alpha, side)


def _as_odds(
    name: str, fit_share: Callable[[ErrorCount], Pivot], table: PairedTable, alpha: float, side: Side
) -> Interval:
    tosses, spent = np.maximum(table.disagreements, 1), tail(alpha, side)
    share_a = fit_share(ErrorCount(table.only_a_wrong, tosses)).limits(spent)
    share_b = fit_share(ErrorCount(tosses - table.only_a_wrong, tosses)).limits(spent)
    # p/(1 − p), with 1 − p from the limits of the other share, which are accurate near 0; −0 becomes 0.
    with np.errstate(divide="ignore", over="ignore"):
        low, high = (np.abs(p) / np.abs(rest) for p, rest in zip(share_a, share_b[::-1], strict=True))
    never = table.disagreements == 0  # without discordant pairs no odds are excluded
    return as_interval(name, (np.where(never, 0.0, low)[()], np.where(never, np.inf, high)[()]), alpha, side, "odds")


@interval(
    name="reduction-score",
    title="relative reduction score interval",
    evidence=PairedTable,
    reads="cells",
    parameter="reduction",
    assumes=(BOTH_ERR,),
    partner="mcnemar",
    standing=Standing.SOUND,
    rationale="score interval of a ratio of paired error rates; inverts the uncorrected McNemar test",
    reference="nam2002",
)
def reduction_score(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Score interval of the relative reduction 1 − error(B)/error(A); negative if B has the higher error rate.

    The ratios φ that the score test does not reject: (x_B − φ x_A)/√(nφ(p_b + p_c)) = ±z, with x the
    errors, and p_b and p_c, the discordant probabilities, estimated under the constraint
    error(B) = φ error(A). The number of examples that both classify correctly has no effect.

    Examples
    --------
    >>> limits = reduction_score(PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45))
    >>> round(limits.low, 3), round(limits.high, 3)
    (np.float64(0.09), np.float64(0.521))
    """
    z = critical(alpha, side)

    def limits(both: Any, a: Any, b: Any) -> Limits:
        # Swapping A and B inverts the ratio, so one function gives both ends.
        most, turned = _largest_excess(both, a, b, z), _largest_excess(both, b, a, z)
        return -most, np.where(np.isinf(turned), 1.0, turned / (1 + np.where(np.isinf(turned), 0.0, turned)))

    with np.errstate(divide="ignore"):
        results = each_row_once(limits, table.both_wrong, table.only_a_wrong, table.only_b_wrong)
    return as_interval("reduction-score", results, alpha, side, "reduction")


def _largest_excess(both: Any, only_a: Any, only_b: Any, z: float) -> FloatArray:
    """Return φ − 1 of the largest φ = error(B)/error(A) that is not rejected; infinite if A made no errors.

    The unknown is the excess φ − 1 above 1 and the ratio φ below 1, so that both are accurate however small.
    """
    both, only_a, only_b = (cell.astype(float) for cell in (both, only_a, only_b))
    errors_a, errors_b = both + only_a, both + only_b

    def residual(excess: FloatArray) -> Any:
        return (
            excess * errors_a
            + (only_a - only_b)
            - z * np.sqrt(_constrained_variance(both, only_a, only_b, 1 + excess, excess))
        )

    def residual_below(phi: FloatArray) -> Any:
        return phi * errors_a - errors_b - z * np.sqrt(_constrained_variance(both, only_a, only_b, phi, phi - 1))

    def step(x: FloatArray) -> tuple[FloatArray, FloatArray]:
        return np.where(above, residual(x), residual_below(x)), np.full(x.shape, np.nan)

    at_one = residual(np.zeros(both.shape))  # 0 without discordant pairs: there the sign of z decides the side
    above = (at_one < 0) | ((at_one == 0) & (z > 0))
    ratio = (errors_b + 1) / np.maximum(errors_a, 1)
    start = np.where(above, np.maximum(ratio - 1, 1 / _FAR), ratio)
    root = solve(step, start, 1 / _FAR, np.where(above, _FAR, 1.0))
    excess = np.where(above, root, np.where(root < 2 / _FAR, 0.0, root) - 1)
    return np.where((errors_a == 0) | (excess > _FAR / 2), np.inf, excess)


def _constrained_variance(
    both: FloatArray, only_a: FloatArray, only_b: FloatArray, phi: FloatArray, excess: FloatArray
) -> Numbers:
    """Return the variance of x_B − φ x_A under the constraint that its mean is 0; `excess` is φ − 1.

    Swapping A and B changes φ to 1/φ and divides the variance by φ², so φ ≥ 1 is sufficient, and there no terms cancel.
    u, the share of "only A wrong" among the m examples with errors, is the root of a quadratic, and the variance is
    m((1 + φ)u + φ − 1).
    """
    turned = excess < 0
    beyond = np.where(turned, -excess / phi, excess)  # 1/φ − 1 if φ is below 1
    only_first, only_second = np.where(turned, only_b, only_a), np.where(turned, only_a, only_b)
    total = both + only_first + only_second
    linear = only_first + only_second - beyond * (2 + beyond) * (both + only_first)
    square, rest = (2 + beyond) * total, only_first * beyond
    root = np.sqrt(linear**2 + 4 * square * rest)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = np.where(linear >= 0, (linear + root) / (2 * square), 2 * rest / (root - linear))
    u = np.clip(np.where(np.isnan(u), 0.0, u), 0, 1 / (2 + beyond))
    return total * ((2 + beyond) * u + beyond) * np.where(turned, phi**2, 1.0)
