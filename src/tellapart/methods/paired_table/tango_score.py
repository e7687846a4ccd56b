"""Tango's score interval for the difference of paired error rates, its relatives, and the tests with a margin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...evidence import PairedTable
from ...evidence.validation import as_difference
from ...numerics.repetition import each_row_once, in_blocks
from ...numerics.roots import solve
from ...typing_ import FloatArray, Numbers
from ..pivots import Limits, Score
from ..registry import Standing, procedure
from .assumptions import ENOUGH_DISAGREEMENTS, UNLESS_THEY_DISAGREE

_BLOCK = 4096  # tables whose temporary arrays fit the processor's cache
_SKEWEST = 1e100  # its square is still a float
_COMMON: dict[str, Any] = {"evidence": PairedTable, "parameter": "difference", "assumes": (ENOUGH_DISAGREEMENTS,)}
_TESTED = UNLESS_THEY_DISAGREE | {"standing": Standing.SOUND, "statistic": "z"}


@procedure(
    name="tango",
    title="Tango score interval",
    reference="tango1998",
    interval={"partner": "mcnemar"},
    standing=Standing.RECOMMENDED,
    rationale="inverts the uncorrected McNemar test; never of width 0",
    validity="2 or more examples",
    test={
        "title": "Tango score test",
        **_TESTED,
        "rationale": (
            "agrees with Tango's interval, at any margin; without a margin it is the uncorrected McNemar test"
        ),
    },
    **_COMMON,
)
def tango(table: PairedTable) -> Score:
    """Tango's score interval and test for the difference of two paired error rates.

    Notes
    -----
    z(δ) = (b − c − nδ) / √(n(2q + δ(1 − δ))), where q, the probability that only B is wrong, is estimated under the
    constraint that the difference is δ (Tango 1998). The limits are the roots of z(δ) = ±z. Without discordant pairs
    they are ±z²/(n + z²).

    Examples
    --------
    >>> fitted = tango(PairedTable(both_wrong=4, only_a_wrong=9, only_b_wrong=3, both_right=16))
    >>> limits = fitted.interval(alpha=0.05)
    >>> round(limits.low, 7), round(limits.high, 7)
    (np.float64(-0.0270905), np.float64(0.3896975))
    >>> tango(PairedTable(0, 0, 1, 43)).test(-0.1, "greater").statistic.round(3)
    np.float64(1.709)
    """

    def invert(z: float) -> Limits:
        return _invert_score(table, lambda n: np.full(n.shape, z))

    return Score(lambda null: _score_statistic(table, as_difference(null, table)), invert)


@procedure(
    name="tango-bcf",
    title="Tango score interval, unbiased variance",
    standing=Standing.SOUND,
    reference="laud2017",
    rationale=("Tango's interval with the unbiased variance: slightly wider, with slightly better balanced tails"),
    test={"title": "Tango score test, unbiased variance", **_TESTED, "rationale": "agrees with the interval"},
    **_COMMON,
)
def tango_bcf(table: PairedTable) -> Score:
    """Tango's score interval and test with the variance times n/(n − 1).

    Examples
    --------
    >>> round(tango_bcf(PairedTable(4, 9, 3, 16)).interval().low, 4)
    np.float64(-0.0309)
    >>> tango_bcf(PairedTable(0, 0, 1, 43)).test(-0.1, "greater").pvalue.round(3)
    np.float64(0.046)
    """

    def z(null: Any) -> FloatArray:
        return _score_statistic(table, as_difference(null, table)) * np.sqrt(1 - 1 / table.examples)

    def invert(z: float) -> Limits:
        def inflated(n: Any) -> Numbers:  # one example has no unbiased variance: it leaves everything open
            return np.where(n == 1, np.inf if z >= 0 else -np.inf, z * np.sqrt(n / np.maximum(n - 1, 1)))

        return _invert_score(table, inflated)

    return Score(z, invert)


@procedure(
    name="scas-paired",
    title="skewness-corrected score interval",
    standing=Standing.SOUND,
    reference="laud2017",
    interval={"rationale": "corrected for skewness: the best balanced tails, as a margin requires"},
    test={
        "title": "skewness-corrected score test",
        **_TESTED,
        "rationale": "agrees with the interval; type I error rate closest to alpha on one side",
    },
    **_COMMON,
)
def scas_paired(table: PairedTable) -> Score:
    """Score interval and test with corrections for variance bias and skewness (SCAS).

    Notes
    -----
    The corrected score x solves z(δ) = x + s(x² − 1), s being a sixth of the skewness under the constrained estimate
    (Gart and Nam's correction, as Laud 2017 applies it to pairs).

    Examples
    --------
    >>> round(scas_paired(PairedTable(4, 9, 3, 16)).interval().high, 3)
    np.float64(0.396)
    >>> scas_paired(PairedTable(59, 6, 16, 80)).test().pvalue.round(4)
    np.float64(0.0336)
    """

    def z(null: Any) -> FloatArray:
        b, c, n = (np.asarray(cell, dtype=float) for cell in (table.only_a_wrong, table.only_b_wrong, table.examples))
        score = _skewness_corrected_score(b, c, n, np.asarray(as_difference(null, table)))
        # Without discordant pairs and with a null difference of 0, score and skewness are 0/0.
        return np.where((table.disagreements == 0) & (np.asarray(null) == 0), 0.0, score)[()]

    def invert(z: float) -> Limits:
        return _each_table(lambda b, c, n: (-_skewed_upper(c, b, n, z), _skewed_upper(b, c, n, z)), table)

    return Score(z, invert)


def _score_statistic(table: PairedTable, delta: FloatArray) -> FloatArray:
    b, c, n = table.only_a_wrong, table.only_b_wrong, table.examples
    variance, _ = _constrained_variance(np.asarray(b, dtype=float), np.asarray(c, dtype=float), n, np.asarray(delta))
    excess = (b - c - n * delta) / np.sqrt(n)
    # No discordant pairs and a null difference of 0: no evidence against it.
    return np.where(variance == 0, 0.0, excess / np.sqrt(np.where(variance == 0, 1.0, variance)))[()]


def _constrained_variance(b: Any, c: Any, n: Any, delta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return 2q + δ(1 − δ), the variance of one paired difference under the constraint, and its slope in δ.

    Swapping A and B changes the sign of δ but not the variance, so δ ≥ 0 is sufficient, and there no terms cancel.
    """
    flipped = delta < 0
    with np.errstate(divide="ignore", invalid="ignore"):
        variance, slope = _variance_above(
            _precompute_sums(np.where(flipped, c, b), np.where(flipped, b, c), n), np.abs(delta)
        )
    return variance, np.where(flipped, -slope, slope)


def _precompute_sums(b: Any, c: Any, n: Any) -> tuple[Any, ...]:
    """Return the terms of the estimate that do not depend on δ, so that iterations compute them once."""
    return c, 2 * n - b + c, b + c, 4 * n


def _variance_above(sums: tuple[Any, ...], delta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return variance and slope at δ ≥ 0."""
    c, weight, discordant, fourfold = sums
    rest = delta * (1 - delta)
    middle = weight * delta - discordant
    product = 2 * c * rest
    root = np.sqrt(middle * middle + fourfold * product)
    q = np.where(middle > 0, product / (root + middle), (root - middle) / fourfold)
    turn = 1 - 2 * delta
    slope = (c * turn - weight * q) / root
    # If the root is 0, so is q, with slope 0.
    return 2 * q + rest, 2 * np.where(root > 0, slope, 0.0) + turn


def _invert_score(table: PairedTable, quantile: Callable[[Any], Numbers]) -> Limits:
    """Return the differences at which the score is ± the quantile, which may depend on the number of examples."""

    def limits(b: Any, c: Any, n: Any) -> Limits:
        z = quantile(n)
        return -score_upper(c, b, n, z), score_upper(b, c, n, z)

    return _each_table(lambda *cells: in_blocks(limits, *cells, size=_BLOCK), table)


def _each_table(limits: Any, table: PairedTable) -> Limits:
    """Return the limits of every table, each distinct one computed once."""
    low, high = each_row_once(limits, table.only_a_wrong, table.only_b_wrong, table.examples, sort=False)
    return low, high


def score_upper(b: Any, c: Any, n: Any, z: FloatArray) -> FloatArray:
    """Return the largest δ that is not rejected, at one quantile for each table: δ − d = z√(v(δ)/n).

    Newton's steps start at limits like Bonett and Price's; tables without convergence after eight steps are solved by a
    bracketed iteration.

    Examples
    --------
    >>> score_upper(np.array([9, 9]), np.array([3, 3]), np.array([32, 32]), np.array([0.0, 1.96])).round(4)
    array([0.1875, 0.3897])
    """
    b, c, n = (cell.astype(float) for cell in (b, c, n))
    endless, z = np.isinf(z), np.where(np.isinf(z), np.sign(z), z)
    estimate, reach = (b - c) / n, z / np.sqrt(n)
    added = z * z / 2
    wide, centre = n + added, (b - c) / (n + added)
    x = centre + z * np.sqrt(((b + c + added) / wide - centre * centre) / wide)
    x = np.clip(x, -1 + 1e-9, 1 - 1e-9)
    sums, arrived = _precompute_sums(b, c, n), np.zeros(x.shape, dtype=bool)
    with np.errstate(divide="ignore", invalid="ignore"):
        for _ in range(8):
            variance, slope = _variance_above(sums, x) if x.min() >= 0 else _constrained_variance(b, c, n, x)
            spread = np.sqrt(variance)
            step = (x - estimate - reach * spread) / (1 - reach * slope / (2 * spread))
            x = np.clip(x - step, -1, 1)
            arrived = np.abs(step) <= 1e-9 * np.abs(x - estimate)  # the next step would be its square
            if arrived.all():
                break
    if not arrived.all():
        late = ~arrived  # includes NaN
        x[late] = _solve_bracketed(b[late], c[late], n[late], reach[late])
    # Without discordant pairs the estimate is a second root of the equation.
    x = np.where(b + c == 0, np.sign(z) * z * z / (n + z * z), x)
    x = np.where((b == n) & (z >= 0), 1.0, x)
    return np.where(endless, np.sign(z), x)


def _solve_bracketed(b: FloatArray, c: FloatArray, n: FloatArray, reach: FloatArray) -> Numbers:
    """Return the same root by a bracketed iteration for the distance from the estimate."""
    estimate = (b - c) / n
    sign = np.where(reach < 0, -1.0, 1.0)

    def step(distance: FloatArray) -> tuple[FloatArray, FloatArray]:
        variance, slope = _constrained_variance(b, c, n, np.clip(estimate + sign * distance, -1, 1))
        spread = np.sqrt(np.maximum(variance, 0))
        residual = distance - np.abs(reach) * spread
        return residual, distance - residual / (1 - reach * slope / (2 * spread))

    far = np.where(sign > 0, 1 - estimate, 1 + estimate)
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = solve(step, np.minimum(np.abs(reach) * np.sqrt((b + c + 1) / n), far / 2), 0.0, far)
    return np.clip(estimate + sign * distance, -1, 1)


def _skewness_corrected_score(b: Any, c: Any, n: Any, delta: FloatArray) -> Numbers:
    """Return the score corrected for the bias of the variance and for skewness."""
    variance, _ = _constrained_variance(b, c, n, delta)
    lone_b = (variance - delta * (1 - delta)) / 2
    lone_a = lone_b + delta
    rest = 1 - lone_a - lone_b
    moment = lone_a * (1 - delta) ** 3 - lone_b * (1 + delta) ** 3 - rest * delta**3
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt(variance) / np.sqrt(n - 1)  # a quotient of a tiny variance would underflow
        z = ((b - c) / n - delta) / spread
        # Without discordant pairs the skewness is unbounded as δ goes to 0, and the corrected score goes to ±1.
        skew = np.clip(moment / (6 * n**2 * spread**3), -_SKEWEST, _SKEWEST)
        inner = np.maximum(1 + 4 * skew * (z + skew), 0)
        return np.where(n > 1, 2 * (z + skew) / (1 + np.sqrt(inner)), 0.0)


def _skewed_upper(b: Any, c: Any, n: Any, z: float) -> Numbers:
    if z < 0:  # a bound below level ½ lies on the other side of the estimate
        return -_skewed_upper(c, b, n, -z)
    b, c, n = (cell.astype(float) for cell in (b, c, n))
    estimate = (b - c) / n

    def excess(delta: FloatArray) -> FloatArray:
        score = -z - _skewness_corrected_score(b, c, n, np.clip(delta, -1, 1))
        return np.where(np.isfinite(score), score, -1.0)

    # The corrected score is not 0 at the estimate: near level ½ the limit may lie on the other side of it.
    sign = np.where(excess(estimate) > 0, -1.0, 1.0)

    def step(distance: FloatArray) -> tuple[FloatArray, FloatArray]:
        return sign * excess(estimate + sign * distance), np.full(distance.shape, np.nan)

    far = 1 - sign * estimate
    upper = np.clip(estimate + sign * solve(step, far / 2, 0.0, far), -1, 1)
    return np.where((n == 1) | (b == n), 1.0, upper)
