"""Score intervals and score tests of a difference: the variance is that of the difference tested.

Miettinen and Nurminen find the two rates that are likeliest among those with a given difference
by the roots of a cubic. Here they are found by their Lagrange multiplier λ: it pulls each rate away
from what was observed by n(e − p) = λp(1−p), one quadratic for each, and the score statistic
is λ√V with V = p₁(1−p₁)/n₁ + p₂(1−p₂)/n₂. So a limit is the root of one increasing function of λ,
and no digit is lost to the cubic, whose roots nearly coincide where errors are rare.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...evidence import IndependentCounts
from ...results import Interval, Significance
from ...types import Alternative, FloatArray, Numbers, Side
from ..assumptions import SIZES_ALIKE
from ..distributions import critical, normal_pvalue, ratio
from ..limits import as_interval
from ..registry import Standing, method
from ..repetition import each_once
from ..roots import solve

__all__ = ["mee", "mee_score", "miettinen_nurminen", "miettinen_nurminen_score", "n_1_z", "pooled_z"]


@method(
    name="miettinen-nurminen",
    gives="interval",
    question=3,
    evidence=IndependentCounts,
    standing=Standing.RECOMMENDED,
    because="the default: near its level for few examples and rare errors alike, and never degenerate",
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


@method(
    name="mee",
    gives="interval",
    question=3,
    evidence=IndependentCounts,
    standing=Standing.SOUND,
    because="it decides as the pooled z test does; a little shorter than miettinen-nurminen",
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


@method(
    name="miettinen-nurminen",
    gives="test",
    question=3,
    evidence=IndependentCounts,
    assumes=(SIZES_ALIKE,),
    standing=Standing.SOUND,
    because="it decides as the interval does, at any margin; liberal where one test set is far larger",
    holds="test sets of at least 10 examples, none more than twice the other",
    statistic="z",
    reference="miettinen1985",
)
def miettinen_nurminen_score(
    counts: IndependentCounts, *, against: ArrayLike = 0.0, alternative: Alternative = "two-sided"
) -> Significance:
    """Test the difference by its score: whether it is `against`, with the variance at the likeliest such rates.

    z = (d − δ)/√(V(δ) N/(N−1)). For non-inferiority put `against` at minus the margin.

    Examples
    --------
    >>> round(miettinen_nurminen_score(IndependentCounts.from_counts(56, 70, 48, 80)).statistic, 4)
    np.float64(2.6413)
    """
    return _significance(_score(counts, against) * _shrink(counts), alternative)


@method(
    name="mee",
    gives="test",
    question=3,
    evidence=IndependentCounts,
    assumes=(SIZES_ALIKE,),
    standing=Standing.SOUND,
    because="it decides as Mee's interval does, at any margin (Farrington and Manning); liberal where one test set is"
    " far larger",
    holds="test sets of at least 10 examples, none more than twice the other",
    statistic="z",
    reference="farrington1990",
)
def mee_score(
    counts: IndependentCounts, *, against: ArrayLike = 0.0, alternative: Alternative = "two-sided"
) -> Significance:
    """Test the difference by its score, without the factor N/(N−1): Farrington and Manning's test.

    Examples
    --------
    >>> round(mee_score(IndependentCounts.from_counts(56, 70, 48, 80), against=0.1).statistic, 4)
    np.float64(1.3329)
    """
    return _significance(_score(counts, against), alternative)


@method(
    name="pooled-z",
    gives="test",
    question=3,
    evidence=IndependentCounts,
    assumes=(SIZES_ALIKE,),
    partner="mee",
    standing=Standing.SOUND,
    because="the textbook test, accurate enough for independent test sets of like size",
    holds="test sets of at least 10 examples, none more than twice the other",
    statistic="z",
    reference="martin1996",
)
def pooled_z(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> Significance:
    """Test whether two errors are equal by the textbook's two-sample z.

    z = (e₁ − e₂)/√(t(1−t)(1/M₁ + 1/M₂)) with the pooled error t = (m₁+m₂)/(M₁+M₂) (Martin and
    Hirschberg 1996, section 3.1). Mee's interval decides alike.

    Examples
    --------
    >>> round(pooled_z(IndependentCounts.from_counts(30, 100, 20, 100)).pvalue, 4)
    np.float64(0.1025)
    """
    return _significance(pooled_statistic(counts), alternative)


@method(
    name="n-1-z",
    gives="test",
    question=3,
    evidence=IndependentCounts,
    assumes=(SIZES_ALIKE,),
    partner="miettinen-nurminen",
    standing=Standing.SOUND,
    because="the pooled z with the variance that the fixed margins give; liberal where one test set is far larger",
    holds="test sets of at least 10 examples, none more than twice the other",
    statistic="z",
    reference="campbell2007",
)
def n_1_z(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> Significance:
    """Test whether two errors are equal by the pooled z times √((N−1)/N).

    Miettinen and Nurminen's test of no difference, so their interval decides alike.

    Examples
    --------
    >>> round(n_1_z(IndependentCounts.from_counts(30, 100, 20, 100)).pvalue, 4)
    np.float64(0.1033)
    """
    return _significance(pooled_statistic(counts) * _shrink(counts), alternative)


def _significance(z: Any, alternative: Alternative) -> Significance:
    return Significance(statistic=z, pvalue=normal_pvalue(z, alternative))


def _shrink(counts: IndependentCounts) -> Numbers:
    """Return √((N−1)/N): Miettinen and Nurminen's z in units of Mee's."""
    total = counts.a.trials + counts.b.trials
    return np.sqrt((total - 1) / total)


def pooled_statistic(counts: IndependentCounts) -> FloatArray:
    a, b = counts.a, counts.b
    total = a.trials + b.trials
    pooled = (a.errors + b.errors) / total
    spread = np.sqrt(pooled * ((a.successes + b.successes) / total) * (1 / a.trials + 1 / b.trials))
    # Two classifiers that are always right, or always wrong, show no difference.
    return ratio(counts.difference, spread, empty=0.0)


def _score(counts: IndependentCounts, against: ArrayLike) -> FloatArray:
    """Return the score statistic of the difference `against`."""
    delta = _as_difference(against, counts)
    z = pooled_statistic(counts)
    if np.any(delta != 0):
        a, b = counts.a, counts.b
        x, m, y, n, apart = (
            np.asarray(part, dtype=float) for part in (a.errors, a.trials, b.errors, b.trials, counts.difference)
        )
        above = apart >= delta  # else A and B change places, so that the multiplier is positive
        placed = (*(np.where(above, here, there) for here, there in ((x, y), (m, n), (y, x), (n, m))),)
        size = _score_above(*placed, np.abs(apart - delta))
        z = np.where(delta != 0, np.where(above, size, -size), z)[()]
    return z


def _score_above(x: Any, m: Any, y: Any, n: Any, gap: Any) -> Numbers:
    """Return the score where the observed difference exceeds the one tested by `gap`."""
    wanted = np.where(gap > 0, gap, 0.5)  # where there is no gap the score is 0, whatever is solved

    def step(multiplier: FloatArray) -> tuple[FloatArray, FloatArray]:
        variance, _, pull = _pulled(x, m, y, n, multiplier)
        excess = multiplier * variance - wanted
        return excess, multiplier - excess / pull

    reachable = (gap > 0) & (x / m + 1 - y / n > wanted)  # true but for rounding
    wanted = np.where(reachable, wanted, (x / m + 1 - y / n) / 2)
    low = 4 * wanted / (1 / m + 1 / n)  # no variance exceeds that at one half
    multiplier = solve(step, low, low, _beyond(lambda k: k * _pulled(x, m, y, n, k)[0] - wanted, low))
    return np.where(gap > 0, multiplier * np.sqrt(_pulled(x, m, y, n, multiplier)[0]), 0.0)


def _limits(counts: IndependentCounts, alpha: float, side: Side, *, corrected: bool) -> tuple[FloatArray, FloatArray]:
    z = critical(alpha, side)

    def limits(x: Any, m: Any, y: Any, n: Any) -> tuple[FloatArray, FloatArray]:
        x, m, y, n = (np.asarray(part, dtype=float) for part in (x, m, y, n))
        # A bound below level ½ lies on the other side of the estimate.
        reach = abs(z) * np.sqrt((m + n) / (m + n - 1)) if corrected else np.full(x.shape, abs(z))
        low, high = _lowest(x, m, y, n, reach), -_lowest(y, n, x, m, reach)
        return (low[()], high[()]) if z >= 0 else (high[()], low[()])

    found: tuple[FloatArray, FloatArray] = each_once(
        limits, counts.a.errors, counts.a.trials, counts.b.errors, counts.b.trials
    )
    return found


def _lowest(x: Any, m: Any, y: Any, n: Any, z: Any) -> Numbers:
    """Return the difference, below the one observed, whose score is z."""
    apart = x / m - y / n
    below = (apart > -1) & (z > 0)  # nothing lies below −1, and at z = 0 the limit is the estimate
    # Without room below, any solvable equation will do in its place.
    x, y, z = np.where(below, x, m / 2), np.where(below, y, n / 2), np.where(below, z, 1.0)

    def step(multiplier: FloatArray) -> tuple[FloatArray, FloatArray]:
        variance, change, _ = _pulled(x, m, y, n, multiplier)
        root = np.sqrt(variance)
        excess = multiplier * root - z
        return excess, multiplier - excess / (root + multiplier * change / (2 * root))

    low = 2 * z / np.sqrt(1 / m + 1 / n)  # no variance exceeds that at one half
    high = _beyond(lambda k: k * np.sqrt(_pulled(x, m, y, n, k)[0]) - z, low)
    multiplier = solve(step, low, low, high)
    limit = x / m - y / n - multiplier * _pulled(x, m, y, n, multiplier)[0]
    return np.where(below, np.maximum(limit, -1.0), apart)


def _beyond(excess: Any, low: Any) -> FloatArray:
    """Return multipliers above the root."""
    high = 2 * low
    for _ in range(100):
        short = excess(high) < 0
        if not np.any(short):
            break
        high = np.where(short, 4 * high, high)
    return np.asarray(high)


def _pulled(x: Any, m: Any, y: Any, n: Any, multiplier: Any) -> tuple[Any, Any, Any]:
    """Return V, its slope and that of the difference (negative), for a multiplier that lowers p₁ and raises p₂."""
    p, q, first = _lowered(x, m, multiplier)
    s, r, second = _lowered(n - y, n, multiplier)  # raising the errors is lowering the successes
    with np.errstate(divide="ignore", invalid="ignore"):  # no slope at a kink: the solver halves there
        one, two = p * q / first, s * r / second
        change = (p - q) * one / m + (s - r) * two / n
    return p * q / m + s * r / n, change, one + two


def _lowered(x: Any, n: Any, multiplier: Any) -> tuple[Any, Any, Any]:
    """Return the rate p with x − np = λp(1−p), 1 − p, and the square root in both."""
    root = np.sqrt((n - multiplier) ** 2 + 4 * multiplier * (n - x))
    back = n - multiplier
    with np.errstate(divide="ignore", invalid="ignore"):
        other = np.where(back > 0, 2 * (n - x) / (back + root), (root - back) / (2 * multiplier))
    return 2 * x / (n + multiplier + root), other, root


def _as_difference(against: ArrayLike, counts: IndependentCounts) -> FloatArray:
    """Return the difference to test as floats strictly between −1 and 1, one for all entries or one for each."""
    try:
        delta = np.asarray(against)
        if delta.dtype.kind not in "iuf":
            raise ValueError
        if delta.ndim:
            delta = np.broadcast_to(delta, counts.shape)
    except ValueError:
        raise InvalidOption(
            f"against must be a difference of errors, or one for each of the counts, but is {against!r}."
        ) from None
    if not np.all((delta > -1) & (delta < 1)):
        raise InvalidOption(
            f"against must lie strictly between -1 and 1, but is {against!r}. For one percentage point write 0.01."
        )
    return delta.astype(float)[()]
