"""Unconditional exact tests of two independent error rates, by enumeration of all outcomes.

Boschloo's and Barnard's tests take the largest probability over all common error rates, which guarantees the type I
error rate; Martin and Hirschberg's takes the probability at the pooled error rate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import IndependentCounts
from ...numerics.blocks import blocks
from ...numerics.distributions import first_count, probability_at_least, probability_at_most
from ...numerics.hypergeometric import at_least
from ...numerics.repetition import distinct
from ...results import TestResult
from ...typing_ import Alternative, FloatArray, Numbers, one_of
from ..registry import Standing, test
from .constrained_score import pooled_statistic
from .two_samples import columns_of

_LARGEST = 4_000_000  # most outcomes that are enumerated
_LONGEST = 20_000  # most examples in the larger set: beyond, too many common error rates must be tried
_HELD = 4_000_000  # probabilities in memory at once
_SAME = 1e-9  # relative difference below which two statistics are tied; including ties is conservative
_HILLS, _STEPS = 3, 8  # local maxima that are climbed, and how often the neighbourhood is cut to an eighth


@test(
    name="boschloo",
    title="Boschloo exact test",
    evidence=IndependentCounts,
    standing=Standing.RECOMMENDED,
    rationale="guaranteed type I error rate; uniformly more powerful than Fisher's exact test",
    validity="up to 4 million outcomes, (n + 1)(m + 1), and 20,000 examples per test set",
    guarantees=True,
    statistic="Fisher's p-value",
    reference="boschloo1970",
)
def boschloo(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> TestResult:
    """Boschloo's exact test of two independent error rates.

    The largest probability, over all common error rates, of a one-sided p-value of Fisher's test
    that is no larger than the observed one. Two-sided it is twice the smaller of the two
    (as in SciPy; other programs order by Fisher's two-sided p-value), and 1 at equal rates.

    Examples
    --------
    >>> round(boschloo(IndependentCounts.from_counts(7, 12, 1, 12)).pvalue, 5)
    np.float64(0.01028)
    """

    def tail(x: int, n: int, y: int, m: int) -> tuple[float, float]:
        """Return Fisher's p-value, and Boschloo's, for error(A) > error(B)."""
        seen = float(at_least(x, n, m, x + y))
        others = np.arange(m + 1)
        first = first_count(
            lambda k: at_least(np.minimum(k, n), n, m, np.minimum(k, n) + others) <= seen * (1 + _SAME),
            np.full(m + 1, n),
        )
        return seen, _largest_probability(np.arange(n + 1)[:, None] >= first)

    def pvalue(x: int, n: int, y: int, m: int) -> tuple[float, float]:
        if alternative == "greater":
            return tail(x, n, y, m)
        if alternative == "less":
            return tail(y, m, x, n)
        greater, less = tail(x, n, y, m), tail(y, m, x, n)
        return min(greater[0], less[0]), 1.0 if x * m == y * n else 2 * min(greater[1], less[1])

    results = _each_table("boschloo", pvalue, counts, alternative)
    return TestResult(statistic=results[..., 0][()], pvalue=np.minimum(results[..., 1], 1.0))


@test(
    name="barnard",
    title="Barnard exact test",
    evidence=IndependentCounts,
    standing=Standing.SOUND,
    rationale=("guaranteed type I error rate, with outcomes ordered by the pooled z; up to 4 million outcomes"),
    validity="up to 4 million outcomes, (n + 1)(m + 1), and 20,000 examples per test set",
    guarantees=True,
    statistic="z",
    reference="barnard1947",
)
def barnard(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> TestResult:
    """Barnard's exact test of two independent error rates, ordered by the pooled z.

    The largest probability, over all common error rates, of a z at least as far from 0 as the observed one. Values of z
    that differ by rounding only are ties, and ties belong to the region.

    Examples
    --------
    >>> round(barnard(IndependentCounts.from_counts(3, 4, 1, 4)).pvalue, 5)
    np.float64(0.28906)
    """

    def pvalue(*table: int) -> float:
        (x, n, y, m), way = _orient_sets(table, alternative)
        k, others = np.arange(n + 1)[:, None], np.arange(m + 1)
        gap, errors = k * m - others * n, k + others  # n·m times the difference of each outcome, and its errors
        seen, total = x * m - y * n, x + y
        # z² is proportional to gap²/(errors·successes); both sides are multiplied out.
        here = gap.astype(float) ** 2 * (total * (n + m - total))
        there = float(seen) ** 2 * (errors * (n + m - errors)).astype(float)
        if way == "two-sided":
            return _largest_probability((here >= there * (1 - _SAME)) & ((gap != 0) | (seen == 0)))
        if way == "less":
            gap, seen = -gap, -seen
        if seen == 0:
            return _largest_probability(gap >= 0)
        if seen > 0:
            return _largest_probability((gap > 0) & (here >= there * (1 - _SAME)))
        return _largest_probability((gap >= 0) | (here <= there * (1 + _SAME)))

    results = _each_table("barnard", pvalue, counts, alternative)
    return TestResult(statistic=pooled_statistic(counts), pvalue=np.minimum(results, 1.0))


@test(
    name="martin-hirschberg-exact",
    title="exact test at the pooled rate",
    evidence=IndependentCounts,
    standing=Standing.SOUND,
    rationale=("exact if the common error rate is the pooled estimate; for very few examples, without a guarantee"),
    validity="at least 5 examples in each test set",
    statistic="difference",
    reference="martin1996",
)
def martin_hirschberg_exact(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> TestResult:
    """Exact test of two independent error rates, at the pooled error rate.

    P(|X₁/M₁ − X₂/M₂| ≥ |e₁ − e₂|), ties included, where both are binomial with the pooled error
    t = (m₁+m₂)/(M₁+M₂) (Martin and Hirschberg 1996, section 3.1).

    Examples
    --------
    >>> round(martin_hirschberg_exact(IndependentCounts.from_counts(3, 10, 0, 10)).pvalue, 4)
    np.float64(0.1113)
    """

    def pvalue(*table: int) -> float:
        (x, n, y, m), way = _orient_sets(table, alternative)
        seen, pooled, others = x * m - y * n, (x + y) / (n + m), np.arange(m + 1)
        if way == "two-sided":
            if seen == 0:
                return 1.0
            seen = abs(seen)
        # A's errors with k·m − others·n ≥ seen, or ≤ −seen: whole numbers, rounded towards the tails.
        above = np.clip(-((-seen - others * n) // m), 0, n + 1)
        below = np.clip((others * n - (seen if way == "two-sided" else -seen)) // m, -1, n)
        upper, lower = probability_at_least(above, n, pooled), probability_at_most(below, n, pooled)
        tail_of = {"two-sided": upper + lower, "greater": upper, "less": lower}[way]
        return float(_binomial_weights(m, np.array([pooled]))[0] @ tail_of)

    results = _each_table("martin-hirschberg-exact", pvalue, counts, alternative)
    return TestResult(statistic=counts.difference, pvalue=np.minimum(results, 1.0))


def _orient_sets(table: tuple[int, ...], alternative: Alternative) -> tuple[tuple[int, ...], Alternative]:
    """Return errors and examples of A and of B, and the alternative, with both sets swapped if A leads.

    Sums of probabilities depend on their order in the last digits, but the result must not change if A and B are
    swapped.
    """
    x, n, y, m = table
    if (x * m - y * n, n - m, alternative != "less") >= (0, 0, True):
        return table, alternative
    opposite: dict[Alternative, Alternative] = {"two-sided": "two-sided", "less": "greater", "greater": "less"}
    return (y, m, x, n), opposite[alternative]


def _each_table(
    name: str, compute: Callable[..., Any], counts: IndependentCounts, alternative: Alternative
) -> FloatArray:
    """Return the results for all tables of errors and trials of A and of B, each distinct one computed once."""
    one_of("alternative", alternative, Alternative)
    n, m = counts.test_sizes
    outcomes = (n + 1.0) * (m + 1.0)
    if np.max(outcomes) > _LARGEST or max(np.max(n), np.max(m)) > _LONGEST:
        raise InvalidOption(
            f"method {name!r} takes up to {_LARGEST:,} outcomes and {_LONGEST:,} examples per test set, got"
            f" {np.max(outcomes):.3g} outcomes. Use method='fisher'."
        )
    tables, where = distinct(*(np.atleast_1d(column) for column in columns_of(counts)))
    values = np.array([compute(*(int(count) for count in table)) for table in zip(*tables, strict=True)])
    return values[where].reshape(counts.shape + values.shape[1:])


def _largest_probability(region: Any) -> float:
    """Return the largest probability of a set of outcomes over all common error rates.

    On the scale of the angle arcsin √p no peak of a binomial probability is narrower than about 1/√n. So a finer grid
    finds every local maximum, and the highest ones are refined.
    """
    n, m = region.shape[0] - 1, region.shape[1] - 1
    if region.all():
        return 1.0
    weights = region.astype(float)

    def probability(angle: FloatArray) -> Numbers:
        rates = np.sin(angle) ** 2
        parts = (rates[here] for here in blocks(rates.size, _HELD // (n + m + 2)))
        return np.concatenate(
            [
                np.sum((_binomial_weights(n, rates_in_block) @ weights) * _binomial_weights(m, rates_in_block), axis=1)
                for rates_in_block in parts
            ]
        )

    points = max(64, int(6 * np.sqrt(n + m)))
    grid, step = np.linspace(0, np.pi / 2, points + 1, retstep=True)
    heights = probability(grid)
    before, after = np.r_[-1.0, heights[:-1]], np.r_[heights[1:], -1.0]
    hills = np.flatnonzero((heights >= before) & (heights >= after))
    tops = grid[hills[np.argsort(-heights[hills], kind="stable")[:_HILLS]]]
    best = heights.max()
    for _ in range(_STEPS):
        around = np.clip(tops[:, None] + step * np.linspace(-1, 1, 17), 0, np.pi / 2)
        values = probability(around.ravel()).reshape(around.shape)
        tops = np.take_along_axis(around, values.argmax(axis=1)[:, None], axis=1)[:, 0]
        best, step = max(best, values.max()), step / 8
    return float(best)


def _binomial_weights(n: int, rates: FloatArray) -> Numbers:
    """Return the binomial probabilities of 0 to n errors, by rate."""
    from scipy.special import gammaln, xlog1py, xlogy

    k = np.arange(n + 1)
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    rates = np.asarray(rates)[:, None]
    return np.exp(ways + xlogy(k, rates) + xlog1py(n - k, -rates))
