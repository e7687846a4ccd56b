"""Exact unconditional test and interval: valid at every discordant rate.

Every table of the same size is enumerated, and the unknown discordant rate is set to its least favourable value.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import PairedTable
from ...numerics.distributions import probability_at_least, ratio, tail
from ...numerics.repetition import each_row_once
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, IntArray, Numbers, Side, one_of
from ..limits import as_interval
from ..registry import Standing, interval, test
from .assumptions import MOST_ENUMERATED_TABLES, MOST_ENUMERATED_TESTS
from .tango_score import tango

_GUARANTEED: dict[str, Any] = {"evidence": PairedTable, "guarantees": True, "standing": Standing.SOUND}


@test(
    name="mcnemar-unconditional",
    title="unconditional McNemar",
    rationale="guaranteed type I error rate, with more power than the exact test",
    validity="up to 5,000 examples",
    where={"examples": (5, 5000)},
    statistic="z",
    reference="suissa1991",
    **_GUARANTEED,
)
def mcnemar_unconditional(table: PairedTable, *, alternative: Alternative = "two-sided") -> TestResult:
    """Exact unconditional McNemar test, at the least favourable discordant rate.

    p = max over θ of Σ_t P(t) · P(a statistic as large | t), with t ~ Binomial(n, θ) discordant pairs, each equally
    likely either way (Suissa and Shuster 1991). Up to 5,000 examples.

    Examples
    --------
    >>> mcnemar_unconditional(PairedTable(1, 1, 7, 12)).pvalue.round(4)
    np.float64(0.0353)
    """
    one_of("alternative", alternative, Alternative)
    if np.any(table.examples > MOST_ENUMERATED_TESTS):
        raise InvalidOption(
            f"method 'mcnemar-unconditional' takes up to {MOST_ENUMERATED_TESTS:,} examples,"
            f" got {np.max(table.examples):,}. Use method='mcnemar-exact'."
        )

    def pvalues(b: IntArray, c: IntArray, n: IntArray) -> FloatArray:
        return np.array([_worst_pvalue(int(i), int(j), int(k), alternative) for i, j, k in zip(b, c, n, strict=True)])

    z = ratio(table.only_a_wrong - table.only_b_wrong, np.sqrt(table.disagreements), empty=0.0)
    pvalue = each_row_once(pvalues, table.only_a_wrong, table.only_b_wrong, table.examples)
    return TestResult(statistic=z, pvalue=pvalue)


@interval(
    name="unconditional",
    title="exact unconditional interval",
    parameter="difference",
    rationale="guaranteed coverage of the difference, by enumeration",
    validity="up to 200 examples",
    where={"examples": (5, 200)},
    reference="lloyd2007",
    **_GUARANTEED,
)
def unconditional(table: PairedTable, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Exact unconditional interval of the difference, with the tables in Tango's order.

    The lower limit is the smallest δ at which a table with as large a lower limit of Tango's (at 95%) has a probability
    above alpha/2 (alpha for a bound) at some discordant rate. Up to 200 examples;
    a few seconds for the largest.

    Examples
    --------
    >>> limits = unconditional(PairedTable(1, 1, 7, 12))
    >>> round(limits.low, 3), round(limits.high, 3)
    (np.float64(-0.564), np.float64(-0.013))
    """
    if np.any(table.examples > MOST_ENUMERATED_TABLES):
        raise InvalidOption(
            f"interval 'unconditional' takes up to {MOST_ENUMERATED_TABLES} examples, got {np.max(table.examples):,}."
            " Use interval='tango'."
        )
    spent = tail(alpha, side)

    def limits(b: IntArray, c: IntArray, n: IntArray) -> tuple[FloatArray, FloatArray]:
        cells = [(int(i), int(j), int(k)) for i, j, k in zip(b, c, n, strict=True)]
        low = np.array([_exact_lower_limit(i, j, k, spent) for i, j, k in cells])
        return low, -np.array([_exact_lower_limit(j, i, k, spent) for i, j, k in cells])

    results = each_row_once(limits, table.only_a_wrong, table.only_b_wrong, table.examples)
    return as_interval("unconditional", results, alpha, side, "difference")


def _worst_pvalue(b: int, c: int, n: int, alternative: Alternative) -> float:
    """Return the largest probability, over the discordant rate, of a statistic as large as this one."""
    both_ways = alternative == "two-sided"
    if both_ways and b == c:
        return 1.0
    gap, tosses = {"two-sided": abs(b - c), "greater": b - c, "less": c - b}[alternative], np.arange(n + 1)
    extreme = probability_at_least(_fewest_heads(tosses, gap, b + c), tosses, 0.5)
    return _maximize_over_rates(2 * extreme if both_ways else extreme, n)


def _fewest_heads(tosses: IntArray, gap: int, total: int) -> Numbers:
    """Return the smallest x with (2x − t)/√t ≥ gap/√total for t tosses, in integers: floats would miss ties."""

    def holds(heads: IntArray) -> Any:
        here = 2 * heads - tosses
        bigger = here * here * max(total, 1) - gap * gap * tosses
        return np.where(gap > 0, (here > 0) & (bigger >= 0), (here >= 0) | (bigger <= 0))

    guess = np.ceil((tosses + gap * np.sqrt(tosses / max(total, 1))) / 2).astype(np.int64)
    heads = np.clip(guess - 1, 0, tosses + 1)
    for _ in range(3):  # the first value is wrong by rounding only
        heads = np.where((heads <= tosses) & ~holds(heads), heads + 1, heads)
    return heads


def _maximize_over_rates(extreme: FloatArray, n: int) -> float:
    """Return the largest Σ_t Binomial(t; n, θ)·extreme_t over θ, on a grid that is refined around its maxima."""
    angles, weights = _rate_grid(n)
    values = weights @ extreme
    best = float(values.max())
    step = angles[1] - angles[0]
    for centre in angles[np.argsort(values)[-3:]]:
        at, reach = centre, step
        for _ in range(8):
            near = np.clip(np.linspace(at - reach, at + reach, 17), 0, np.pi / 2)
            values_near = _binomial_weights(near, n) @ extreme
            at, reach = near[int(np.argmax(values_near))], reach / 6
            best = max(best, float(values_near.max()))
    return min(best, 1.0)


@lru_cache(maxsize=8)
def _rate_grid(n: int) -> tuple[FloatArray, FloatArray]:
    # On the scale of the angle φ, √θ = sin φ, the binomial has the same width everywhere, about 1/(2√n).
    angles = np.linspace(0, np.pi / 2, int(6 * np.sqrt(n)) + 60)
    return angles, _binomial_weights(angles, n)


def _binomial_weights(angles: FloatArray, n: int) -> Numbers:
    from scipy.special import gammaln, xlogy

    t = np.arange(n + 1)
    choices = gammaln(n + 1) - gammaln(t + 1) - gammaln(n - t + 1)
    hits, misses = np.sin(angles)[:, None] ** 2, np.cos(angles)[:, None] ** 2
    return np.exp(choices + xlogy(t, hits) + xlogy(n - t, misses))


def _exact_lower_limit(b: int, c: int, n: int, spent: float) -> float:
    """Return the smallest difference at which tables as high in Tango's order have a probability above `spent`."""
    if c == n:
        return -1.0
    all_b, all_c, order = _order_tables(n)
    mine = float(order[(all_b == b) & (all_c == c)][0])
    # Limits that differ by rounding only are ties, and ties belong to the region.
    inside = order >= mine - 1e-12
    region = all_b[inside], all_c[inside]
    low, high = -1.0, (b - c) / n
    while high - low > 1e-12:
        middle = (low + high) / 2
        if _most_probable(region, n, middle, spent):
            high = middle
        else:
            low = middle
    return low


@lru_cache(maxsize=8)
def _order_tables(n: int) -> tuple[IntArray, IntArray, FloatArray]:
    """Return all tables of n examples with their sort key, the same for all levels, so that intervals are nested."""
    b, c = (cell.ravel() for cell in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
    possible = b + c <= n
    b, c = b[possible], c[possible]
    return b, c, tango(PairedTable(0, b, c, n - b - c)).interval(0.025, "lower").low


def _most_probable(region: tuple[IntArray, IntArray], n: int, difference: float, spent: float) -> bool:
    """Return whether the region has a probability above `spent` at some discordant rate with this difference."""
    from scipy.special import gammaln, xlogy

    b, c = region
    rest = n - b - c
    choices = gammaln(n + 1) - gammaln(b + 1) - gammaln(c + 1) - gammaln(rest + 1)

    def probability(disagreement: FloatArray) -> Numbers:
        lone_a = np.maximum(disagreement + difference, 0)[:, None] / 2
        lone_b = np.maximum(disagreement - difference, 0)[:, None] / 2
        both = np.maximum(1 - disagreement, 0)[:, None]
        chance = xlogy(b, lone_a) + xlogy(c, lone_b) + xlogy(rest, both)
        return np.exp(choices + chance).sum(axis=1)

    at, reach = (1 + abs(difference)) / 2, (1 - abs(difference)) / 2
    for _ in range(5):
        grid = np.clip(np.linspace(at - reach, at + reach, 33), abs(difference), 1)
        probabilities = probability(grid)
        if probabilities.max() > spent:
            return True
        at, reach = float(grid[int(np.argmax(probabilities))]), reach / 12
    return False
