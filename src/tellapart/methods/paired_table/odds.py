"""Intervals of the conditional odds: of the examples on which one alone errs, how many are A's for one of B's?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...evidence import ErrorCount, PairedTable
from ...results import Interval
from ...typing_ import FloatArray, Side
from ..limits import as_interval
from ..pivots import Pivot
from ..registry import Standing, interval
from .assumptions import SOME_DISAGREEMENT


@interval(
    name="odds-exact",
    evidence=PairedTable,
    parameter="odds",
    assumes=(SOME_DISAGREEMENT,),
    partner="mcnemar-exact",
    guarantees=True,
    standing=Standing.SOUND,
    because="it decides as the exact McNemar test does; it is of the odds, not of the difference",
    reference="fagerland2014",
)
def odds_exact(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give limits of the odds that a lone error is A's: Clopper and Pearson's, as odds.

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
    evidence=PairedTable,
    parameter="odds",
    assumes=(SOME_DISAGREEMENT,),
    partner="mcnemar-mid-p",
    standing=Standing.SOUND,
    because="it decides as the mid-p McNemar test does; it is of the odds, not of the difference",
    reference="fagerland2014",
)
def odds_mid_p(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give limits of the odds that a lone error is A's: the mid-p limits of the share, as odds.

    Examples
    --------
    >>> limits = odds_mid_p(PairedTable(59, 6, 16, 80))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.1347), np.float64(0.9354))
    """
    from ..error_count.exact import mid_p

    return _as_odds("odds-mid-p", mid_p, table, alpha, side)


def _as_odds(
    name: str, limit_share: Callable[[ErrorCount], Pivot], table: PairedTable, alpha: float, side: Side
) -> Interval:
    tosses = np.maximum(table.disagreements, 1)
    share_a = limit_share(ErrorCount(table.only_a_wrong, tosses)).interval(alpha, side)
    other: Side = {"two": "two", "upper": "lower", "lower": "upper"}[side]  # type: ignore[assignment]
    share_b = limit_share(ErrorCount(tosses - table.only_a_wrong, tosses)).interval(alpha, other)
    # p/(1 − p) with 1 − p from the other's limits, which has not lost its digits.
    odds = (_odds(share_a.low, share_b.high), _odds(share_a.high, share_b.low))
    never = table.disagreements == 0  # nothing was seen, so nothing is ruled out
    limits = np.where(never, 0.0, odds[0])[()], np.where(never, np.inf, odds[1])[()]
    return as_interval(name, limits, alpha, side, "odds")


def _odds(share: FloatArray, other: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", over="ignore"):
        return np.abs(share) / np.abs(other)  # a limit of −0 is one of 0
