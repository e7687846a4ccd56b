"""Closed-form intervals of the difference of paired error rates."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...evidence import PairedTable
from ...numerics.distributions import critical
from ...results import Interval
from ...typing_ import FloatArray, Side
from ..limits import as_interval
from ..pivots import Limits
from ..registry import Standing, interval
from .assumptions import DIFFERENCE_HAS_WIDTH, ENOUGH_DISAGREEMENTS

_DIFFERENCE: dict[str, Any] = {"evidence": PairedTable, "parameter": "difference"}
_VARIANCE_AS_SEEN = _DIFFERENCE | {
    "assumes": (ENOUGH_DISAGREEMENTS, DIFFERENCE_HAS_WIDTH),
    "monotone": False,
    "standing": Standing.FORBIDDEN,
}


@interval(
    name="newcombe-paired",
    title="Newcombe paired interval",
    reads="cells",
    standing=Standing.RECOMMENDED,
    rationale="closed form; minimum coverage slightly below that of Tango's interval; needs all four cells",
    validity="10 or more examples",
    where={"examples": (10, inf)},
    reference="newcombe1998c",
    **_DIFFERENCE,
)
def newcombe_paired(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Newcombe's hybrid score interval of the difference of paired error rates.

    With l and u Wilson's limits of the error rates p of A and B, and φ their correlation, the lower
    limit is d − √((p_A − l_A)² − 2φ(p_A − l_A)(u_B − p_B) + (u_B − p_B)²), and likewise the upper
    (Newcombe's method 10: the numerator of φ is moved n/2 towards 0 if it is positive).

    Examples
    --------
    >>> limits = newcombe_paired(PairedTable(20, 12, 2, 16))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0562), np.float64(0.3292))
    """
    from ..error_count.wilson_score import score_distances

    z, spare = critical(alpha, side), _lack_of_correlation(table)
    a, b = (score_distances(count.errors, count.trials, z) for count in (table.count_a, table.count_b))
    below, above = np.sign(z) * _add_correlated(a[0], b[1], spare), np.sign(z) * _add_correlated(a[1], b[0], spare)
    return _as_difference("newcombe-paired", (table.difference - below, table.difference + above), alpha, side)


@interval(
    name="bonett-price",
    title="Bonett-Price interval",
    standing=Standing.RECOMMENDED,
    rationale=(
        "simplest accurate formula: shorter than Tango's interval for few examples, with as high a minimum coverage"
    ),
    reference="bonett2012",
    **_DIFFERENCE,
)
def bonett_price(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Bonett-Price interval: the normal limits after adding one to each discordant count.

    With p_b = (b + 1)/(n + 2) and p_c = (c + 1)/(n + 2): p_b − p_c ± z√((p_b + p_c − (p_b − p_c)²)/(n + 2)), truncated
    at −1 and 1.

    Examples
    --------
    >>> limits = bonett_price(PairedTable(59, 6, 16, 80))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(-0.1195), np.float64(-0.0032))
    """
    return _as_difference("bonett-price", _normal_limits(table, alpha, side, added=1.0, examples=2.0), alpha, side)


@interval(
    name="agresti-min",
    title="Agresti-Min interval",
    assumes=(ENOUGH_DISAGREEMENTS,),
    monotone=False,
    standing=Standing.SOUND,
    rationale="simple formula; too short at low discordant rates",
    validity="discordant rate of at least 5%, at least 20 examples",
    where={"disagreement": (0.05, 1), "examples": (20, inf)},
    reference="agresti2005",
    **_DIFFERENCE,
)
def agresti_min(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Agresti-Min interval: the normal limits after adding half an example to each of the four cells.

    Examples
    --------
    >>> limits = agresti_min(PairedTable(0, 16, 8, 62))
    >>> round(limits.low, 3), round(limits.high, 3)
    (np.float64(-0.019), np.float64(0.201))
    """
    return _as_difference("agresti-min", _normal_limits(table, alpha, side, added=0.5, examples=2.0), alpha, side)


@interval(
    name="wald-paired",
    title="paired Wald interval",
    rationale="width 0 without discordant pairs, and low coverage with few",
    reference="newcombe1998c",
    **_VARIANCE_AS_SEEN,
)
def wald_paired(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Paired Wald interval of the mean of W, which is 1 if only A is wrong and −1 if only B is wrong.

    (b − c)/n ± z√(b + c − (b − c)²/n)/n, truncated at −1 and 1 (Newcombe's method 1). Yang's interval divides the
    variance by n − 1 instead: `yang-paired`.

    Examples
    --------
    >>> limits = wald_paired(PairedTable(59, 6, 16, 80))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(-0.1184), np.float64(-0.0058))
    """
    return _as_difference("wald-paired", _normal_limits(table, alpha, side), alpha, side)


@interval(
    name="yang-paired",
    title="Yang paired normal interval",
    rationale="width 0 without discordant pairs; intended for many of them (Yang 2006)",
    reference="yang2006",
    **_VARIANCE_AS_SEEN,
)
def yang_paired(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Yang's normal interval from a single split: the mean of W plus and minus z standard errors.

    W is 1 if only A is wrong, −1 if only B is, else 0; the limits are W̄ ± z·sd_W/√n with
    sd_W² = Σ(W − W̄)²/(n − 1) (Yang 2006, section 3.1), truncated at −1 and 1. One example has no standard deviation:
    its limits are −1 and 1. `wald-paired` divides by n.

    Examples
    --------
    >>> limits = yang_paired(PairedTable(1, 4, 1, 4))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(-0.1183), np.float64(0.7183))
    """
    n, defined = table.examples, table.examples > 1
    low, high = _normal_limits(table, alpha, side, spread=np.sqrt(n / np.maximum(n - 1, 1)))
    return _as_difference(
        "yang-paired", (np.where(defined, low, -1.0)[()], np.where(defined, high, 1.0)[()]), alpha, side
    )


def _normal_limits(
    table: PairedTable, alpha: float, side: Side, *, added: float = 0.0, examples: float = 0.0, spread: Any = 1.0
) -> Limits:
    """Return the mean of W minus and plus z times its standard error.

    `added` discordant pairs of either kind, and `examples`, are added first; the standard error is `spread` times
    that with divisor n.
    """
    z = critical(alpha, side)
    b, c, n = table.only_a_wrong + added, table.only_b_wrong + added, table.examples + examples
    centre = (b - c) / n
    # b + c ≥ |b − c| ≥ (b − c)²/n, so a negative variance is rounding.
    reach = z * spread * np.sqrt(np.maximum((b + c) / n - centre * centre, 0) / n)
    return centre - reach, centre + reach


def _as_difference(name: str, limits: Limits, alpha: float, side: Side) -> Interval:
    low, high = (np.clip(limit, -1, 1) for limit in limits)
    return as_interval(name, (low, high), alpha, side, "difference")


def _lack_of_correlation(table: PairedTable) -> FloatArray:
    """Return 1 − φ of the two classifiers' errors, accurate also if the errors are almost the same.

    In floats: the product of the four margins overflows integers at n ≈ 10⁵.
    """
    a, b, c, d = (
        np.asarray(cell, dtype=float)
        for cell in (table.both_wrong, table.only_a_wrong, table.only_b_wrong, table.both_right)
    )
    n, together = a + b + c + d, a * d - b * c
    margins = np.sqrt((a + b) * (c + d)) * np.sqrt((a + c) * (b + d))
    # √∏ − (ad − bc), from ∏ − (ad − bc)² = n(abc + abd + acd + bcd); grouped so that mirrored tables have equal sums.
    short = n * (b * c * (a + d) + a * d * (b + c))
    with np.errstate(divide="ignore", invalid="ignore"):
        drawn = np.where(together > n / 2, (short / (margins + together) + n / 2) / margins, 1.0)
        lack = np.where(together < 0, 1 - together / margins, drawn)
    return np.where(margins == 0, 1.0, lack)[()]


def _add_correlated(here: FloatArray, there: FloatArray, spare: FloatArray) -> FloatArray:
    """Return √(x² − 2φxy + y²)."""
    return np.sqrt((here - there) ** 2 + 2 * spare * (here * there))
