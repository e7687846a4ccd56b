"""Intervals of the conditional odds: of the examples on which one alone errs, how many are A's for one of B's?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...evidence import ErrorCount, PairedTable
from ...numerics.distributions import tail
from ...results import Interval
from ...typing_ import Side
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
    name: str, fit_share: Callable[[ErrorCount], Pivot], table: PairedTable, alpha: float, side: Side
) -> Interval:
    tosses, spent = np.maximum(table.disagreements, 1), tail(alpha, side)
    share_a = fit_share(ErrorCount(table.only_a_wrong, tosses)).limits(spent)
    share_b = fit_share(ErrorCount(tosses - table.only_a_wrong, tosses)).limits(spent)
    # p/(1 − p) with 1 − p from the other's limits, which has not lost its digits; a limit of −0 is one of 0.
    with np.errstate(divide="ignore", over="ignore"):
        low, high = (np.abs(p) / np.abs(rest) for p, rest in zip(share_a, share_b[::-1], strict=True))
    never = table.disagreements == 0  # nothing was seen, so nothing is ruled out
    return as_interval(name, (np.where(never, 0.0, low)[()], np.where(never, np.inf, high)[()]), alpha, side, "odds")
