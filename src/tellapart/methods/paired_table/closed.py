"""Closed forms for the difference of paired error rates, from good to bad."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...evidence import PairedTable
from ...numerics.distributions import critical
from ...results import Interval
from ...typing_ import FloatArray, Side
from ..limits import as_interval
from ..registry import Standing, interval
from .assumptions import DIFFERENCE_HAS_WIDTH, ENOUGH_DISAGREEMENTS


@interval(
    name="newcombe-paired",
    evidence=PairedTable,
    reads="cells",
    parameter="difference",
    standing=Standing.RECOMMENDED,
    because="closed form; its floor is a little below that of Tango's interval, and it needs all four cells",
    holds="10 or more examples",
    where={"examples": (10, inf)},
    reference="newcombe1998c",
)
def newcombe_paired(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give limits by squaring and adding the two Wilson intervals, less what the pairing saves.

    With l and u Wilson's limits of the error rates p of A and B, and φ their correlation, the lower
    limit is d − √((p_A − l_A)² − 2φ(p_A − l_A)(u_B − p_B) + (u_B − p_B)²), and likewise the upper
    (Newcombe's method 10: φ's numerator is drawn n/2 towards 0 where it is positive).

    Examples
    --------
    >>> limits = newcombe_paired(PairedTable(20, 12, 2, 16))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0562), np.float64(0.3292))
    """
    from ..error_count.score import score_distances

    z = critical(alpha, side)
    a, b = table.count_a, table.count_b
    below_a, above_a = score_distances(a.errors, a.trials, z)
    below_b, above_b = score_distances(b.errors, b.trials, z)
    spare, difference = _lack_of_correlation(table), table.difference
    below = _added(below_a, above_b, spare)
    above = _added(above_a, below_b, spare)
    return _clipped("newcombe-paired", difference - np.sign(z) * below, difference + np.sign(z) * above, alpha, side)


@interval(
    name="bonett-price",
    evidence=PairedTable,
    parameter="difference",
    standing=Standing.RECOMMENDED,
    because="the simplest good one: shorter than Tango's at small sizes, with as high a floor",
    reference="bonett2012",
)
def bonett_price(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the normal limits after adding one lone error to each side.

    With p_b = (b + 1)/(n + 2) and p_c = (c + 1)/(n + 2): p_b − p_c ± z√((p_b + p_c − (p_b − p_c)²)/(n + 2)),
    cut off at −1 and 1.

    Examples
    --------
    >>> limits = bonett_price(PairedTable(59, 6, 16, 80))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(-0.1195), np.float64(-0.0032))
    """
    low, high = _normal_limits(table.only_a_wrong + 1.0, table.only_b_wrong + 1.0, table.examples + 2.0, alpha, side)
    return _clipped("bonett-price", low, high, alpha, side)


@interval(
    name="agresti-min",
    evidence=PairedTable,
    parameter="difference",
    assumes=(ENOUGH_DISAGREEMENTS,),
    monotone=False,
    standing=Standing.SOUND,
    because="explains itself; too short where disagreement is rare",
    holds="disagreement on 5 % of the examples or more, and at least 20 of them",
    where={"disagreement": (0.05, 1), "examples": (20, inf)},
    reference="agresti2005",
)
def agresti_min(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the normal limits after adding half an example to each of the four cells.

    Examples
    --------
    >>> limits = agresti_min(PairedTable(0, 16, 8, 62))
    >>> round(limits.low, 3), round(limits.high, 3)
    (np.float64(-0.019), np.float64(0.201))
    """
    low, high = _normal_limits(table.only_a_wrong + 0.5, table.only_b_wrong + 0.5, table.examples + 2.0, alpha, side)
    return _clipped("agresti-min", low, high, alpha, side)


@interval(
    name="wald-paired",
    evidence=PairedTable,
    parameter="difference",
    assumes=(ENOUGH_DISAGREEMENTS, DIFFERENCE_HAS_WIDTH),
    monotone=False,
    standing=Standing.FORBIDDEN,
    because="without discordant pairs it has no width, as if the difference were known exactly, and with few of them it"
    " covers far less than it says",
    reference="newcombe1998c",
)
def wald_paired(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the textbook limits of the mean of W, which is 1 where only A errs and −1 where only B does.

    (b − c)/n ± z√(b + c − (b − c)²/n)/n, cut off at −1 and 1 (Newcombe's method 1). Yang's interval divides the
    variance by n − 1 instead: `yang-paired`.

    Examples
    --------
    >>> limits = wald_paired(PairedTable(59, 6, 16, 80))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(-0.1184), np.float64(-0.0058))
    """
    low, high = _normal_limits(table.only_a_wrong, table.only_b_wrong, table.examples, alpha, side)
    return _clipped("wald-paired", low, high, alpha, side)


@interval(
    name="yang-paired",
    evidence=PairedTable,
    parameter="difference",
    assumes=(ENOUGH_DISAGREEMENTS, DIFFERENCE_HAS_WIDTH),
    monotone=False,
    standing=Standing.FORBIDDEN,
    because="without discordant pairs it has no width, as if the difference were known exactly; Yang asks for many of"
    " them",
    reference="yang2006",
)
def yang_paired(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give Yang's limits from a single split: the mean of W plus and minus z standard errors of it.

    W is 1 where only A errs, −1 where only B does, else 0; the limits are W̄ ± z·sd_W/√n with
    sd_W² = Σ(W − W̄)²/(n − 1) (Yang 2006, section 3.1), cut off at −1 and 1. One example has no standard deviation: its
    limits are −1 and 1. `wald-paired` divides by n.

    Examples
    --------
    >>> limits = yang_paired(PairedTable(1, 4, 1, 4))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(-0.1183), np.float64(0.7183))
    """
    n = np.asarray(table.examples, dtype=float)
    spread = np.sqrt(n / np.maximum(n - 1, 1))
    low, high = _normal_limits(table.only_a_wrong, table.only_b_wrong, n, alpha, side, spread)
    known = n > 1
    return _clipped("yang-paired", np.where(known, low, -1.0)[()], np.where(known, high, 1.0)[()], alpha, side)


def _normal_limits(
    b: Any, c: Any, n: Any, alpha: float, side: Side, spread: Any = 1.0
) -> tuple[FloatArray, FloatArray]:
    """Return the mean of W minus and plus z times its standard error, which is `spread` times that with divisor n."""
    z = critical(alpha, side)
    centre = (b - c) / n
    # b + c is at least |b − c|, which is at least (b − c)²/n: the rest is rounding.
    reach = z * spread * np.sqrt(np.maximum((b + c) / n - centre * centre, 0) / n)
    return centre - reach, centre + reach


def _clipped(name: str, low: FloatArray, high: FloatArray, alpha: float, side: Side) -> Interval:
    limits = np.clip(low, -1, 1), np.clip(high, -1, 1)
    return as_interval(name, limits, alpha, side, "difference")


def _lack_of_correlation(table: PairedTable) -> FloatArray:
    """Return 1 − φ of the two classifiers' errors, which keeps its digits where they err almost alike.

    In floats: the product of the four margins overflows integers at n ≈ 10⁵.
    """
    a, b, c, d = (
        np.asarray(cell, dtype=float)
        for cell in (table.both_wrong, table.only_a_wrong, table.only_b_wrong, table.both_right)
    )
    n, together = a + b + c + d, a * d - b * c
    margins = np.sqrt((a + b) * (c + d)) * np.sqrt((a + c) * (b + d))
    # √∏ − (ad − bc), by way of ∏ − (ad − bc)² = n(abc + abd + acd + bcd); grouped so that mirrored tables sum alike.
    short = n * (b * c * (a + d) + a * d * (b + c))
    with np.errstate(divide="ignore", invalid="ignore"):
        drawn = np.where(together > n / 2, (short / (margins + together) + n / 2) / margins, 1.0)
        lack = np.where(together < 0, 1 - together / margins, drawn)
    return np.where(margins == 0, 1.0, lack)[()]


def _added(here: FloatArray, there: FloatArray, spare: FloatArray) -> FloatArray:
    """Return √(x² − 2φxy + y²)."""
    return np.sqrt((here - there) ** 2 + 2 * spare * (here * there))
