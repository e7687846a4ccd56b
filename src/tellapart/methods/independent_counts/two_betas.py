"""Posterior of the difference of two error rates with independent Beta posteriors.

P(θ_A > θ_B + d) is the mean of P(θ_A > y + d) over θ_B = y: one integral, computed by a double-exponential rule on the
part of the range with non-negligible mass, without sampling.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...evidence import IndependentCounts
from ...numerics.distributions import (
    beta_above,
    beta_at_most,
    beta_front,
    beta_high,
    beta_low,
    pvalue_of_tails,
    tail,
)
from ...numerics.repetition import each_once, in_blocks
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Numbers, Side
from ..limits import as_interval
from ..pivots import Limits
from ..registry import Standing, interval, test
from .assumptions import COUNTS_OUTWEIGH_PRIOR
from .two_samples import columns_of

_PRIOR = 0.5  # Jeffreys' prior for each rate
_NEGLIGIBLE = 1e-17  # relative mass that may be left out
_FAINTEST = 1e-280  # smallest tail that is computed
_BLOCK = 4096
_GRID = np.linspace(-4, 4, 251)
# Shares of the range to the left and to the right of each node; either may be tiny, so both are stored.
_LEFT, _RIGHT = 1 / (1 + np.exp(-np.pi * np.sinh(_GRID))), 1 / (1 + np.exp(np.pi * np.sinh(_GRID)))
_WEIGHTS = _LEFT * _RIGHT * np.pi * np.cosh(_GRID) * (_GRID[1] - _GRID[0])
_TWO_BETAS: dict[str, Any] = {
    "name": "two-betas",
    "evidence": IndependentCounts,
    "standing": Standing.HEURISTIC,
    "assumes": (COUNTS_OUTWEIGH_PRIOR,),
    "note": "prior Beta(1/2, 1/2) for each error rate",
    "reference": "nurminen1987",
}


@interval(
    title="difference of two Beta posteriors",
    rationale="posterior interval of the difference; mean coverage near nominal, but as low as 0.79 if both error rates"
    " are small",
    parameter="difference",
    **_TWO_BETAS,
)
def two_betas(counts: IndependentCounts, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Posterior interval of the difference, under Jeffreys' prior for each error rate.

    Quantiles α/2 and 1 − α/2 of θ_A − θ_B, where θ is Beta(m + ½, M − m + ½) for m errors in M trials. They are
    extended to the observed difference, which the prior alone could exclude with very unequal test sets.

    Examples
    --------
    >>> limits = two_betas(IndependentCounts.from_counts(30, 100, 20, 100))
    >>> round(limits.low, 3), round(limits.high, 3)
    (np.float64(-0.02), np.float64(0.217))
    """
    share = tail(alpha, side)

    def limits(x: Any, n: Any, y: Any, m: Any) -> Limits:
        first, second = _posterior_parameters(x, n), _posterior_parameters(y, m)
        low, high = _difference_quantile(first, second, share), -_difference_quantile(second, first, share)
        # From successes if these are rarer, as in `rarer`: rates near 1 are less accurate.
        seen = np.where((2 * x > n) & (2 * y > m), (m - y) / m - (n - x) / n, x / n - y / m)
        if share <= 0.5:
            low, high = np.minimum(low, seen), np.maximum(high, seen)
        else:  # a bound below level ½ lies on the other side of the estimate
            low, high = np.maximum(low, seen), np.minimum(high, seen)
        # If the observed difference is the largest possible one, the limit is that end of the range.
        return np.where((x == 0) & (y == m), -1.0, low)[()], np.where((x == n) & (y == 0), 1.0, high)[()]

    return as_interval("two-betas", _each_table(limits, counts), alpha, side, "difference")


@test(
    title="two Beta posteriors",
    rationale="exact posterior probability that B is better; as a test its type I error rate is up to 1.8 times alpha",
    statistic="P(B better)",
    **_TWO_BETAS,
)
def two_betas_probability(counts: IndependentCounts, *, alternative: Alternative = "two-sided") -> TestResult:
    """Posterior probability that B is better, P(θ_A > θ_B), under Jeffreys' prior for each error rate.

    The two-sided p-value is twice the posterior probability of the direction opposite to the observed one, at most 1,
    and 1 at equal rates. The probability has the direction of the observed difference, too: it is at most ½ if A does
    not have the higher error rate, and ½ at equal rates.

    Examples
    --------
    >>> round(two_betas_probability(IndependentCounts.from_counts(30, 100, 20, 100)).statistic, 3)
    np.float64(0.949)
    """
    seen = np.sign(counts.difference)
    better, worse = direction_probabilities(counts)
    # The posterior probability of the opposite direction, below ½ only for the observed direction.
    greater = np.where(seen > 0, np.minimum(worse, 0.5), np.maximum(worse, 0.5))[()]
    less = np.where(seen < 0, np.minimum(better, 0.5), np.maximum(better, 0.5))[()]
    statistic = np.where(seen == 0, 0.5, less)[()]
    return TestResult(statistic=statistic, pvalue=pvalue_of_tails(less, greater, alternative))


def direction_probabilities(counts: IndependentCounts) -> tuple[FloatArray, FloatArray]:
    """Return P(θ_A > θ_B) and P(θ_A < θ_B) under Jeffreys' prior for each error rate.

    Examples
    --------
    >>> better, worse = direction_probabilities(IndependentCounts.from_counts(0, 5, 1, 10**6))
    >>> better.round(3), worse.round(3)  # although A made no error
    (np.float64(0.997), np.float64(0.003))
    """

    def tails(x: Any, n: Any, y: Any, m: Any) -> tuple[FloatArray, FloatArray]:
        first, second = _posterior_parameters(x, n), _posterior_parameters(y, m)
        return _probability_of_excess(first, second, np.zeros(np.shape(x))), _probability_of_excess(
            second, first, np.zeros(np.shape(x))
        )

    return _each_table(tails, counts)


def _each_table(compute: Any, counts: IndependentCounts) -> tuple[FloatArray, FloatArray]:
    """Return the results for all tables, each distinct one computed once, in blocks that limit the memory."""
    first, second = each_once(lambda *table: in_blocks(compute, *table, size=_BLOCK), *columns_of(counts))
    return first, second


def _posterior_parameters(errors: Any, trials: Any) -> tuple[Any, Any]:
    return errors + _PRIOR, trials - errors + _PRIOR


def _probability_of_excess(first: Any, second: Any, by: Any) -> Numbers:
    """Return P(θ₁ > θ₂ + by) for two independent Beta variables, accurate for small probabilities."""
    (a, b), (c, e) = first, second
    # The integral is over the narrower of the two; 1 − θ swaps them.
    narrow = c + e >= a + b
    a, b, c, e = (np.where(narrow, x, y) for x, y in ((a, e), (b, c), (c, b), (e, a)))
    middle = c / (c + e)
    # To the left of this quantile lies a negligible share of the integral.
    share = _NEGLIGIBLE * np.maximum(_beta_tail(a, b, middle + by, 1 - middle - by), _FAINTEST)
    # SciPy returns NaN for quantiles that are nearly 0.
    left, right = np.nan_to_num(np.asarray(beta_low(c, e, share))), np.asarray(beta_high(c, e, _NEGLIGIBLE))
    least, most = np.maximum(-by, 0.0), np.minimum(1 - by, 1.0)
    left, right = np.clip(left, least, most), np.clip(right, least, most)
    # If an end of the range, a singular point, is near, the rule ends there.
    width = right - left
    left = np.where(left - least < 0.05 * width, least, left)
    at_most = most - right < 0.05 * width
    right, rest = np.where(at_most, most, right), np.where(at_most, np.maximum(by, 0.0), 1 - right)
    width = (right - left)[..., None]
    y, complement = left[..., None] + width * _LEFT, rest[..., None] + width * _RIGHT
    a, b, c, e = (column[..., None] for column in (a, b, c, e))
    # y + by and 1 − y − by, computed from the nearer end, where one of them may be 0.
    over = np.where(left == least, np.maximum(by, 0.0), left + by)[..., None] + width * _LEFT
    under = np.where(at_most, np.maximum(-by, 0.0), 1 - right - by)[..., None] + width * _RIGHT
    with np.errstate(divide="ignore", invalid="ignore"):  # ranges of width 0 have no interior
        density = np.where(y < 0.5, _beta_density_factor(c, e, y), _beta_density_factor(e, c, complement)) / (
            y * complement
        )
        inner = np.sum(_WEIGHTS * density * _beta_tail(a, b, over, under), axis=-1) * width[..., 0]
    below = beta_at_most(c[..., 0], e[..., 0], np.clip(-by, 0.0, 1.0))  # there θ₂ + by is negative
    return np.minimum(np.where(right - left > _FAINTEST, inner, 0.0) + below, 1.0)[()]


def _beta_tail(a: Any, b: Any, x: Any, complement: Any) -> FloatArray:
    """Return P(Beta(a, b) > x), given 1 − x, too."""
    a, b, x, complement = np.broadcast_arrays(a, b, np.clip(x, 0.0, 1.0), np.clip(complement, 0.0, 1.0))
    low, result = x < 0.5, np.empty(x.shape)
    result[low] = beta_above(a[low], b[low], x[low])
    result[~low] = beta_at_most(b[~low], a[~low], complement[~low])
    return result


def _beta_density_factor(a: Any, b: Any, x: Any) -> Numbers:
    with np.errstate(divide="ignore"):  # for tiny rates the logarithm of the quotient is used
        return beta_front(a, b, np.clip(x, np.finfo(float).tiny, 0.5))


def _difference_quantile(first: Any, second: Any, probability: float) -> FloatArray:
    """Return the difference below which θ₁ − θ₂ lies with this probability."""
    from scipy.special import ndtri

    (a, b), (c, e) = ([np.ravel(column) for column in parameters] for parameters in (first, second))
    target = ndtri(probability)

    def excess(x: FloatArray, who: Any) -> FloatArray:
        # On the scale of normal quantiles the distribution function is nearly linear.
        probability_below = _probability_of_excess((c[who], e[who]), (a[who], b[who]), -x)
        return np.asarray(ndtri(np.clip(probability_below, 1e-300, 1 - 1e-16)) - target)

    p, r = a / (a + b), c / (c + e)
    spread = np.sqrt(p * (1 - p) / (a + b + 1) + r * (1 - r) / (c + e + 1))
    return _solve_rising(excess, p - r + target * spread, spread).reshape(np.shape(first[0]))[()]


def _solve_rising(excess: Callable[[FloatArray, Any], FloatArray], start: FloatArray, spread: FloatArray) -> FloatArray:
    """Return the root of an increasing function of a difference, by secants within a bracket for each entry."""
    who, x = np.arange(start.size), np.clip(start, -1.0, 1.0)
    value = excess(x, who)
    low, high = np.where(value < 0, x, -1.0), np.where(value < 0, 1.0, x)
    before, after = x, np.clip(x - value * spread, (low + x) / 2, (high + x) / 2)
    last = value
    root = after.copy()
    width = high - low
    for turn in range(200):
        value = excess(after, who)
        up = value >= 0
        low, high = np.where(up, low, after), np.where(up, after, high)
        root[who] = after
        with np.errstate(divide="ignore", invalid="ignore"):
            secant = after - value * (after - before) / (value - last)
        # Secants may converge slowly from one side: every third step the bracket must have halved.
        slow = (turn % 3 == 2) & (high - low > width / 2)
        width = np.where(turn % 3 == 2, high - low, width)
        inside = (secant > low) & (secant < high) & ~slow
        following = np.where(inside, secant, (low + high) / 2)
        going = (np.abs(value) > 1e-11) & (np.abs(following - after) > 4 * np.finfo(float).eps * np.abs(after))
        if not going.any():
            break
        who, before, last, after = who[going], after[going], value[going], following[going]
        low, high, width = low[going], high[going], width[going]
    return root
