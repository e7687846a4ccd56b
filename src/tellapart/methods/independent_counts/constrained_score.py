"""Score intervals and score tests of a difference: the variance is that of the difference tested.

Miettinen and Nurminen find the maximum likelihood rates with a given difference by the roots of a cubic. Here they are
found by their Lagrange multiplier λ: n(e − p) = λp(1−p), a quadratic equation for each rate p, and the score statistic
is λ√V with V = p₁(1−p₁)/n₁ + p₂(1−p₂)/n₂. So a limit is the root of one increasing function of λ. The cubic would lose
digits, because its roots nearly coincide if errors are rare.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...evidence import IndependentCounts
from ...evidence.validation import as_difference
from ...numerics.distributions import normal_pvalue, ratio
from ...numerics.repetition import each_once
from ...numerics.roots import solve
from ...results import TestResult
from ...typing_ import Alternative, FloatArray, Numbers
from ..pivots import Limits, Score
from ..registry import Standing, procedure, test
from .assumptions import SIZES_ALIKE
from .two_samples import DIFFERENCE_FROM_FIVE_ON, columns_of, rarer

_TESTED: dict[str, Any] = {
    "assumes": (SIZES_ALIKE,),
    "standing": Standing.SOUND,
    "validity": "test sets of at least 5 examples, neither more than twice the other",
    "where": {"ratio": (1, 2)},
    "statistic": "z",
}


@procedure(
    name="miettinen-nurminen",
    title="Miettinen-Nurminen score interval",
    reference="miettinen1985",
    standing=Standing.RECOMMENDED,
    rationale="default: coverage near nominal for few examples and for rare errors; never of width 0",
    test={
        "title": "Miettinen-Nurminen score test",
        **_TESTED,
        "rationale": "agrees with the interval, at any margin; liberal if one test set is far larger",
    },
    **DIFFERENCE_FROM_FIVE_ON,
)
def miettinen_nurminen(counts: IndependentCounts) -> Score:
    """Miettinen-Nurminen score interval and test for the difference of two independent error rates.

    Notes
    -----
    z(δ) = (d − δ)/√(V(δ) N/(N−1)), where V(δ) = p₁(1−p₁)/n₁ + p₂(1−p₂)/n₂ is taken at the likeliest rates that differ
    by δ, and N = n₁ + n₂ (Miettinen and Nurminen 1985). Zero errors in both test sets give the limits −z²/(n₂+z²) and
    z²/(n₁+z²), but for N/(N−1).

    Examples
    --------
    >>> fitted = miettinen_nurminen(IndependentCounts.from_counts(56, 70, 48, 80))
    >>> limits = fitted.interval(alpha=0.05)
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0528), np.float64(0.3382))
    >>> round(fitted.test().statistic, 4)
    np.float64(2.6413)
    """
    return Score(
        lambda null: _score_statistic(counts, null) * _variance_factor(counts),
        lambda z: _invert_score(counts, z, corrected=True),
    )


@procedure(
    name="mee",
    title="Mee score interval",
    standing=Standing.SOUND,
    rationale="inverts the pooled z test; slightly shorter than miettinen-nurminen",
    reference="mee1984",
    test={
        "title": "Farrington-Manning score test",
        **_TESTED,
        "rationale": "agrees with Mee's interval, at any margin; liberal if one test set is far larger",
        "reference": "farrington1990",
    },
    **DIFFERENCE_FROM_FIVE_ON,
)
def mee(counts: IndependentCounts) -> Score:
    """Mee's score interval and the Farrington-Manning test for the difference of two independent error rates.

    Examples
    --------
    >>> limits = mee(IndependentCounts.from_counts(7, 34, 1, 34)).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0284), np.float64(0.3439))
    >>> round(mee(IndependentCounts.from_counts(56, 70, 48, 80)).test(0.1).statistic, 4)
    np.float64(1.3477)
    """
    return Score(lambda null: _score_statistic(counts, null), lambda z: _invert_score(counts, z, corrected=False))


@test(
    name="pooled-z",
    title="pooled two-proportion z",
    evidence=IndependentCounts,
    partner="mee",
    rationale="standard test, accurate for independent test sets of similar size",
    reference="martin1996",
    **_TESTED,
)
def pooled_z(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> TestResult:
    """Pooled two-proportion z-test.

    z = (e₁ − e₂)/√(t(1−t)(1/M₁ + 1/M₂)) with the pooled error t = (m₁+m₂)/(M₁+M₂) (Martin and
    Hirschberg 1996, section 3.1). Mee's interval agrees with it.

    Examples
    --------
    >>> round(pooled_z(IndependentCounts.from_counts(30, 100, 20, 100)).pvalue, 4)
    np.float64(0.1025)
    """
    return _normal_test(pooled_statistic(counts), alternative)


@test(
    name="n-1-z",
    title="N-1 two-proportion z",
    evidence=IndependentCounts,
    partner="miettinen-nurminen",
    rationale="pooled z with the variance under fixed margins; liberal if one test set is far larger",
    reference="campbell2007",
    **_TESTED,
)
def n_1_z(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> TestResult:
    """N-1 two-proportion z-test: the pooled z times √((N−1)/N).

    This is Miettinen and Nurminen's test of no difference, so their interval agrees with it.

    Examples
    --------
    >>> round(n_1_z(IndependentCounts.from_counts(30, 100, 20, 100)).pvalue, 4)
    np.float64(0.1033)
    """
    return _normal_test(pooled_statistic(counts) * _variance_factor(counts), alternative)


def _normal_test(z: Any, alternative: Alternative) -> TestResult:
    return TestResult(statistic=z, pvalue=normal_pvalue(z, alternative))


def _variance_factor(counts: IndependentCounts) -> Numbers:
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


def _score_statistic(counts: IndependentCounts, against: Any) -> FloatArray:
    """Return the score statistic of the difference `against`."""
    delta = as_difference(against, counts)
    z = pooled_statistic(counts)
    if np.any(delta != 0):
        x, m, y, n = (np.asarray(column, dtype=float) for column in columns_of(rarer(counts)))
        gap = x / m - y / n - delta
        above = gap >= 0  # else A and B are swapped, so that the multiplier is positive
        places = (np.where(above, here, there) for here, there in ((x, y), (m, n), (y, x), (n, m)))
        z = np.where(delta != 0, np.where(above, 1, -1) * _score_above(_Pair(*places), np.abs(gap)), z)[()]
    return z


def _score_above(pair: _Pair, gap: Any) -> Numbers:
    """Return the score where the observed difference exceeds the one tested by `gap`."""
    room = pair.difference + 1  # the distance from −1, which a gap reaches by rounding only
    inside = (gap > 0) & (gap < room)
    guess = np.where(inside, gap, np.where(room > 0, room / 2, 1.0))
    pair = pair.where(inside | (room > 0))

    def step(variance: Any, _: Any, pull: Any, multiplier: Any) -> tuple[Any, Any]:
        excess = multiplier * variance - guess
        return excess, excess / pull

    multiplier, variance = pair.solve(step, 4 * guess / (1 / pair.m + 1 / pair.n))
    return np.where(gap > 0, multiplier * np.sqrt(variance), 0.0)


def _invert_score(counts: IndependentCounts, z: float, *, corrected: bool) -> Limits:
    """Return the differences whose score is ±z."""

    def limits(*columns: Any) -> Limits:
        x, m, y, n = (np.asarray(column, dtype=float) for column in columns)
        reach = np.full(x.shape, abs(z)) * (np.sqrt((m + n) / (m + n - 1)) if corrected else 1)
        low, high = _lower_limit(_Pair(x, m, y, n), reach), -_lower_limit(_Pair(y, n, x, m), reach)
        # A bound below level ½ lies on the other side of the estimate.
        return (low, high) if z >= 0 else (high, low)

    low, high = each_once(limits, *columns_of(rarer(counts)))
    return low, high


def _lower_limit(pair: _Pair, z: Any) -> FloatArray:
    """Return the difference, below the one observed, whose score is z."""
    distance = pair.difference
    below = (distance > -1) & (z > 0)  # the smallest difference is −1, and at z = 0 the limit is the estimate
    pair, z = pair.where(below), np.where(below, z, 1.0)

    def step(variance: Any, change: Any, _: Any, multiplier: Any) -> tuple[Any, Any]:
        root = np.sqrt(variance)
        excess = multiplier * root - z
        return excess, excess / (root + multiplier * change / (2 * root))

    multiplier, variance = pair.solve(step, 2 * z / np.sqrt(1 / pair.m + 1 / pair.n))
    return np.where(below, np.maximum(pair.difference - multiplier * variance, -1.0), distance)[()]


class _Pair(NamedTuple):
    """x errors in m examples and y in n, as floats; and the rates of a multiplier that lowers the first."""

    x: Any
    m: Any
    y: Any
    n: Any

    @property
    def difference(self) -> FloatArray:
        """The observed difference."""
        return np.asarray(self.x / self.m - self.y / self.n)

    def where(self, solvable: Any) -> _Pair:
        """Return the pair, with a solvable one in place of entries without a solution."""
        x, y = np.where(solvable, self.x, self.m / 2), np.where(solvable, self.y, self.n / 2)
        return _Pair(x, self.m, y, self.n)

    def solve(self, step: Any, low: Any) -> tuple[Any, Any]:
        """Return the multiplier at which the excess of `step` is 0, and V there; it is at least `low`.

        The variance of a classifier without errors (or without successes) is 0 up to λ = n. A root just above n is
        computed as λ − n, which determines the rate to full accuracy.
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
        """Return V, its slope, and the decrease of the difference, for the multiplier base + beyond."""
        p, q, first = _lowered_rate(self.x, self.m, beyond, base)
        s, r, second = _lowered_rate(self.n - self.y, self.n, beyond, base)  # raising errors is lowering successes
        with np.errstate(divide="ignore", invalid="ignore"):  # no slope at a kink: the solver halves there
            fall_a, fall_b = p * q / first, s * r / second
            change = (p - q) * fall_a / self.m + (s - r) * fall_b / self.n
        return p * q / self.m + s * r / self.n, change, fall_a + fall_b


def _lowered_rate(x: Any, n: Any, beyond: Any, base: Any) -> tuple[Any, Any, Any]:
    """Return the rate p with x − np = λp(1−p), 1 − p, and the square root in both."""
    multiplier, back = base + beyond, (n - base) - beyond
    root = np.sqrt(back**2 + 4 * multiplier * (n - x))
    with np.errstate(divide="ignore", invalid="ignore"):
        second_root = np.where(back > 0, 2 * (n - x) / (back + root), (root - back) / (2 * multiplier))
    return 2 * x / (n + multiplier + root), second_root, root
