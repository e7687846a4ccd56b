"""Score intervals and score tests of a difference: the variance is that of the difference tested.

Miettinen and Nurminen find the two rates that are likeliest among those with a given difference
by the roots of a cubic. Here they are found by their Lagrange multiplier λ: it pulls each rate away
from what was observed by n(e − p) = λp(1−p), one quadratic for each, and the score statistic
is λ√V with V = p₁(1−p₁)/n₁ + p₂(1−p₂)/n₂. So a limit is the root of one increasing function of λ,
and no digit is lost to the cubic, whose roots nearly coincide where errors are rare.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...evidence import IndependentCounts
from ...evidence.validation import as_difference
from ...numerics.distributions import critical, normal_pvalue, ratio
from ...numerics.repetition import each_once
from ...numerics.roots import solve
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Numbers, Side
from ..limits import as_interval
from ..registry import Standing, interval, test
from .assumptions import SIZES_ALIKE
from .common import rarer


@interval(
    name="miettinen-nurminen",
    evidence=IndependentCounts,
    standing=Standing.RECOMMENDED,
    because="the default: near its level for few examples and rare errors alike, and never degenerate",
    holds="at least 5 examples in each test set",
    parameter="difference",
    reference="miettinen1985",
)
def miettinen_nurminen(counts: IndependentCounts, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the differences that the score test does not reject.

    The roots δ of (d − δ)² = z² V(δ) N/(N−1), where V(δ) = p₁(1−p₁)/n₁ + p₂(1−p₂)/n₂ is taken at
    the likeliest rates that differ by δ, and N = n₁ + n₂. Zero errors in both test sets
    give −z²/(n₂+z²) to z²/(n₁+z²), but for N/(N−1).

    Examples
    --------
    >>> limits = miettinen_nurminen(IndependentCounts.from_counts(56, 70, 48, 80))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0528), np.float64(0.3382))
    """
    return as_interval("miettinen-nurminen", _limits(counts, alpha, side, corrected=True), alpha, side, "difference")


@interval(
    name="mee",
    evidence=IndependentCounts,
    standing=Standing.SOUND,
    because="it decides as the pooled z test does; a little shorter than miettinen-nurminen",
    holds="at least 5 examples in each test set",
    parameter="difference",
    reference="mee1984",
)
def mee(counts: IndependentCounts, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give Miettinen and Nurminen's limits without their factor N/(N−1).

    Examples
    --------
    >>> limits = mee(IndependentCounts.from_counts(7, 34, 1, 34))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0284), np.float64(0.3439))
    """
    return as_interval("mee", _limits(counts, alpha, side, corrected=False), alpha, side, "difference")


@test(
    name="miettinen-nurminen",
    evidence=IndependentCounts,
    assumes=(SIZES_ALIKE,),
    standing=Standing.SOUND,
    because="it decides as the interval does, at any margin; liberal where one test set is far larger",
    holds="test sets of at least 5 examples, neither more than twice the other",
    where={"ratio": (1, 2)},
    statistic="z",
    reference="miettinen1985",
)
def miettinen_nurminen_score(
    counts: IndependentCounts, *, against: ArrayLike = 0.0, alternative: Alternative = "two-sided"
) -> TestResult:
    """Test the difference by its score: whether it is `against`, with the variance at the likeliest such rates.

    z = (d − δ)/√(V(δ) N/(N−1)). For non-inferiority put `against` at minus the margin.

    Examples
    --------
    >>> round(miettinen_nurminen_score(IndependentCounts.from_counts(56, 70, 48, 80)).statistic, 4)
    np.float64(2.6413)
    """
    return _significance(_score(counts, against) * _shrink(counts), alternative)


@test(
    name="mee",
    evidence=IndependentCounts,
    assumes=(SIZES_ALIKE,),
    standing=Standing.SOUND,
    because="it decides as Mee's interval does, at any margin (Farrington and Manning); liberal where one test set is"
    " far larger",
    holds="test sets of at least 5 examples, neither more than twice the other",
    where={"ratio": (1, 2)},
    statistic="z",
    reference="farrington1990",
)
def mee_score(
    counts: IndependentCounts, *, against: ArrayLike = 0.0, alternative: Alternative = "two-sided"
) -> TestResult:
    """Test the difference by its score, without the factor N/(N−1): Farrington and Manning's test.

    Examples
    --------
    >>> round(mee_score(IndependentCounts.from_counts(56, 70, 48, 80), against=0.1).statistic, 4)
    np.float64(1.3477)
    """
    return _significance(_score(counts, against), alternative)


@test(
    name="pooled-z",
    evidence=IndependentCounts,
    assumes=(SIZES_ALIKE,),
    partner="mee",
    standing=Standing.SOUND,
    because="the textbook test, accurate enough for independent test sets of like size",
    holds="test sets of at least 5 examples, neither more than twice the other",
    where={"ratio": (1, 2)},
    statistic="z",
    reference="martin1996",
)
def pooled_z(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether two errors are equal by the textbook's two-sample z.

    z = (e₁ − e₂)/√(t(1−t)(1/M₁ + 1/M₂)) with the pooled error t = (m₁+m₂)/(M₁+M₂) (Martin and
    Hirschberg 1996, section 3.1). Mee's interval decides alike.

    Examples
    --------
    >>> round(pooled_z(IndependentCounts.from_counts(30, 100, 20, 100)).pvalue, 4)
    np.float64(0.1025)
    """
    return _significance(pooled_statistic(counts), alternative)


@test(
    name="n-1-z",
    evidence=IndependentCounts,
    assumes=(SIZES_ALIKE,),
    partner="miettinen-nurminen",
    standing=Standing.SOUND,
    because="the pooled z with the variance that the fixed margins give; liberal where one test set is far larger",
    holds="test sets of at least 5 examples, neither more than twice the other",
    where={"ratio": (1, 2)},
    statistic="z",
    reference="campbell2007",
)
def n_1_z(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test whether two errors are equal by the pooled z times √((N−1)/N).

    Miettinen and Nurminen's test of no difference, so their interval decides alike.

    Examples
    --------
    >>> round(n_1_z(IndependentCounts.from_counts(30, 100, 20, 100)).pvalue, 4)
    np.float64(0.1033)
    """
    return _significance(pooled_statistic(counts) * _shrink(counts), alternative)


def _significance(z: Any, alternative: Alternative) -> TestResult:
    return TestResult(statistic=z, pvalue=normal_pvalue(z, alternative))


def _shrink(counts: IndependentCounts) -> Numbers:
    """Return √((N−1)/N): Miettinen and Nurminen's z in units of Mee's."""
    total = counts.a.trials + counts.b.trials
    return np.sqrt((total - 1) / total)


def pooled_statistic(counts: IndependentCounts) -> FloatArray:
    """Return the difference in units of its standard error at the pooled error rate."""
    counts = rarer(counts)
    a, b = counts.a, counts.b
    total = a.trials + b.trials
    pooled = (a.errors + b.errors) / total
    spread = np.sqrt(pooled * ((a.successes + b.successes) / total) * (1 / a.trials + 1 / b.trials))
    # Two classifiers that are always right, or always wrong, show no difference.
    return ratio(counts.difference, spread, empty=0.0)


def _score(counts: IndependentCounts, against: ArrayLike) -> FloatArray:
    """Return the score statistic of the difference `against`."""
    delta = as_difference(against, counts)
    z = pooled_statistic(counts)
    if np.any(delta != 0):
        x, m, y, n = _columns(rarer(counts))
        gap = x / m - y / n - delta
        above = gap >= 0  # else A and B change places, so that the multiplier is positive
        places = (np.where(above, here, there) for here, there in ((x, y), (m, n), (y, x), (n, m)))
        z = np.where(delta != 0, np.where(above, 1, -1) * _score_above(_Pair(*places), np.abs(gap)), z)[()]
    return z


def _score_above(pair: _Pair, gap: Any) -> Numbers:
    """Return the score where the observed difference exceeds the one tested by `gap`."""
    room = pair.difference + 1  # from −1, which no gap reaches but by rounding
    inside = (gap > 0) & (gap < room)
    wanted = np.where(inside, gap, np.where(room > 0, room / 2, 1.0))
    pair = pair.where(inside | (room > 0))

    def step(variance: Any, _: Any, pull: Any, multiplier: Any) -> tuple[Any, Any]:
        excess = multiplier * variance - wanted
        return excess, excess / pull

    multiplier, variance = pair.solve(step, 4 * wanted / (1 / pair.m + 1 / pair.n))
    return np.where(gap > 0, multiplier * np.sqrt(variance), 0.0)


def _limits(counts: IndependentCounts, alpha: float, side: Side, *, corrected: bool) -> tuple[FloatArray, FloatArray]:
    z = critical(alpha, side)

    def limits(*columns: Any) -> tuple[FloatArray, FloatArray]:
        x, m, y, n = (np.asarray(column, dtype=float) for column in columns)
        reach = np.full(x.shape, abs(z)) * (np.sqrt((m + n) / (m + n - 1)) if corrected else 1)
        low, high = _lowest(_Pair(x, m, y, n), reach), -_lowest(_Pair(y, n, x, m), reach)
        # A bound below level ½ lies on the other side of the estimate.
        return (low, high) if z >= 0 else (high, low)

    counts = rarer(counts)
    found: tuple[FloatArray, FloatArray] = each_once(
        limits, counts.a.errors, counts.a.trials, counts.b.errors, counts.b.trials
    )
    return found


def _lowest(pair: _Pair, z: Any) -> FloatArray:
    """Return the difference, below the one observed, whose score is z."""
    apart = pair.difference
    below = (apart > -1) & (z > 0)  # nothing lies below −1, and at z = 0 the limit is the estimate
    pair, z = pair.where(below), np.where(below, z, 1.0)

    def step(variance: Any, change: Any, _: Any, multiplier: Any) -> tuple[Any, Any]:
        root = np.sqrt(variance)
        excess = multiplier * root - z
        return excess, excess / (root + multiplier * change / (2 * root))

    multiplier, variance = pair.solve(step, 2 * z / np.sqrt(1 / pair.m + 1 / pair.n))
    return np.where(below, np.maximum(pair.difference - multiplier * variance, -1.0), apart)[()]


class _Pair(NamedTuple):
    """x errors in m examples and y in n, as floats; and the rates of a multiplier that lowers the first."""

    x: Any
    m: Any
    y: Any
    n: Any

    @property
    def difference(self) -> FloatArray:
        """What was observed."""
        return np.asarray(self.x / self.m - self.y / self.n)

    def where(self, solvable: Any) -> _Pair:
        """Return the pair with any that has a solution in place of those that have none."""
        x, y = np.where(solvable, self.x, self.m / 2), np.where(solvable, self.y, self.n / 2)
        return _Pair(x, self.m, y, self.n)

    def solve(self, step: Any, low: Any) -> tuple[Any, Any]:
        """Return the multiplier at which `step` finds no excess, and V there; none lies below `low`.

        A classifier that never erred (or always) has a variance only from λ = n on. A root just beyond
        is solved for as λ − n, the digits of which make up the rate.
        """
        kink = np.minimum(np.where(self.x == self.m, self.m, np.inf), np.where(self.y == 0, self.n, np.inf))
        kinked = np.isfinite(kink)
        kink = np.where(kinked, kink, 0.0)

        def excess(beyond: Any, base: Any) -> tuple[Any, Any]:
            with np.errstate(divide="ignore", invalid="ignore"):
                over, newton = step(*self.pulled(beyond, base), base + beyond)
                return over, beyond - newton

        base = np.where(kinked & (excess(np.zeros(kink.shape), kink)[0] < 0), kink, 0.0)
        least = np.where(base > 0, 0.0, low)
        high = np.where(base > 0, 1.0, 2 * low)
        for _ in range(200):
            short = excess(high, base)[0] < 0
            if not np.any(short):
                break
            high = np.where(short, 4 * high, high)
        beyond = solve(lambda value: excess(value, base), np.where(base > 0, high, low), least, high)
        return base + beyond, self.pulled(beyond, base)[0]

    def pulled(self, beyond: Any, base: Any) -> tuple[Any, Any, Any]:
        """Return V, its slope, and by how much the difference falls, for the multiplier base + beyond."""
        p, q, first = _lowered(self.x, self.m, beyond, base)
        s, r, second = _lowered(self.n - self.y, self.n, beyond, base)  # raising errors is lowering successes
        with np.errstate(divide="ignore", invalid="ignore"):  # no slope at a kink: the solver halves there
            one, two = p * q / first, s * r / second
            change = (p - q) * one / self.m + (s - r) * two / self.n
        return p * q / self.m + s * r / self.n, change, one + two


def _lowered(x: Any, n: Any, beyond: Any, base: Any) -> tuple[Any, Any, Any]:
    """Return the rate p with x − np = λp(1−p), 1 − p, and the square root in both."""
    multiplier, back = base + beyond, (n - base) - beyond
    root = np.sqrt(back**2 + 4 * multiplier * (n - x))
    with np.errstate(divide="ignore", invalid="ignore"):
        other = np.where(back > 0, 2 * (n - x) / (back + root), (root - back) / (2 * multiplier))
    return 2 * x / (n + multiplier + root), other, root


def _columns(counts: IndependentCounts) -> tuple[Any, ...]:
    columns = (counts.a.errors, counts.a.trials, counts.b.errors, counts.b.trials)
    return tuple(np.asarray(column, dtype=float) for column in columns)
