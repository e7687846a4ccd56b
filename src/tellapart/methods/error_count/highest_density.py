"""Highest posterior density intervals of an error rate, and their tests."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from ...evidence import ErrorCount
from ...evidence.validation import as_threshold
from ...numerics.distributions import beta_above, beta_at_most, beta_front, beta_high, beta_low
from ...numerics.large_beta import deviance
from ...numerics.repetition import once
from ...numerics.roots import solve
from ...typing_ import FloatArray, Numbers
from ..pivots import Limits, Tails
from ..registry import Standing, procedure
from .assumptions import ROOM_AT_THRESHOLD, TWO_SIDED, WITH_ROOM
from .posterior_intervals import JEFFREYS, UNIFORM, fit_beta

_SHORTEST: dict[str, Any] = {
    "evidence": ErrorCount,
    "standing": Standing.SOUND,
    "reference": "box1973",
    "assumes": (TWO_SIDED,),
    "test": {**WITH_ROOM, "assumes": (TWO_SIDED, ROOM_AT_THRESHOLD), "rationale": "agrees with the interval"},
}


@procedure(
    name="hpd-jeffreys",
    title="highest posterior density, Jeffreys prior",
    note="prior Beta(1/2, 1/2), shortest interval",
    rationale="shortest interval of its posterior probability; depends on the scale of the error rate",
    validity="8 or more examples",
    where={"examples": (8, inf)},
    **_SHORTEST,
)
def hpd_jeffreys(count: ErrorCount) -> Tails:
    """Highest posterior density interval and test for an error rate under Jeffreys' prior.

    Notes
    -----
    The p-value is the posterior probability of the error rates less dense than the threshold. At no errors (or no
    successes) all of α is spent on the other side. A one-sided request gets the posterior quantile or tail, and the
    result says so.

    Examples
    --------
    >>> from tellapart.methods.error_count.posterior_intervals import jeffreys
    >>> count = ErrorCount(3, 120)
    >>> bool(hpd_jeffreys(count).interval().width < jeffreys(count).interval().width)
    True
    >>> round(hpd_jeffreys(count).test(0.08).pvalue, 4)
    np.float64(0.0063)
    """
    return _fit_shortest(count, JEFFREYS)


@procedure(
    name="hpd-uniform",
    title="highest posterior density, uniform prior",
    note="prior Beta(1, 1), shortest interval",
    rationale="shortest interval of its posterior probability, which is proportional to the likelihood",
    **_SHORTEST,
)
def hpd_uniform(count: ErrorCount) -> Tails:
    """Highest posterior density interval and test for an error rate under the uniform prior.

    Examples
    --------
    >>> round(hpd_uniform(ErrorCount(0, 20)).interval().high, 4)
    np.float64(0.1329)
    >>> round(hpd_uniform(ErrorCount(3, 120)).test(0.08).pvalue, 4)
    np.float64(0.0116)
    """
    return _fit_shortest(count, UNIFORM)


def _fit_shortest(count: ErrorCount, prior: tuple[float, float]) -> Tails:
    """Return the posterior; its two-sided intervals contain the error rates of highest density."""
    u, v = prior
    return replace(
        fit_beta(count, prior),
        set_of=lambda alpha: once(lambda m, n: _shortest_limits(m + u, n - m + v, alpha), count),
        outside=lambda null: _mass_less_dense(count.errors + u, count.successes + v, as_threshold(null, count)),
    )


def _shortest_limits(a: Any, b: Any, alpha: float) -> Limits:
    """Return the two values of equal density between which Beta(a, b) has probability 1 − α."""
    mirrored = a > b  # the equations keep their digits near 0
    falling, bell_a, bell_b = _as_bell(np.where(mirrored, b, a), np.where(mirrored, a, b))
    below = np.where(falling, 0.0, _lower_share(bell_a, bell_b, alpha))  # without a peak all of alpha is on one side
    below = np.where(mirrored, 1 - below, below)
    low, high = beta_low(a, b, alpha * below), beta_high(a, b, alpha * (1 - below))
    # Even the shortest set contains the mode; rounding must not exclude it.
    mode = np.where(mirrored, 1 - _mode(bell_a, bell_b), _mode(bell_a, bell_b))
    low, high = np.where(falling, low, np.minimum(low, mode)), np.where(falling, high, np.maximum(high, mode))
    return np.where(below == 0, 0.0, low)[()], np.where(below == 1, 1.0, high)[()]


def _mass_less_dense(a: Any, b: Any, p: Any) -> Numbers:
    """Return the probability of Beta(a, b) where its density is below that at p."""
    mirrored = a > b  # the equations keep their digits near 0
    a, b, p = np.where(mirrored, b, a), np.where(mirrored, a, b), np.where(mirrored, 1 - p, p)
    falling, bell_a, bell_b = _as_bell(a, b)
    mode, fall = _mode(bell_a, bell_b), deviance(bell_a - 1, bell_b - 1, p)
    left = p < mode  # the point of equal density lies on the other side of the mode

    def step(x: FloatArray) -> tuple[Numbers, Numbers]:
        residual = fall - deviance(bell_a - 1, bell_b - 1, x)
        guess = x - residual / ((bell_a - 1) / x - (bell_b - 1) / (1 - x))
        return np.where(left, -residual, residual), guess

    start = np.where(left, (1 + mode) / 2, mode / 2)
    twin = solve(step, start, np.where(left, mode, 0.0), np.where(left, 1.0, mode))
    below, above = np.where(left, p, twin), np.where(left, twin, p)
    bell = beta_at_most(bell_a, bell_b, below) + beta_above(bell_a, bell_b, above)
    return np.minimum(np.where(falling, beta_above(a, b, p), bell), 1.0)[()]


def _as_bell(a: Any, b: Any) -> tuple[Any, Any, Any]:
    """Return where the density of Beta(a, b), with a ≤ b, decreases from 0 on, and (a, b) with Beta(2, 2) there."""
    falling = a <= 1
    return falling, np.where(falling, 2.0, a), np.where(falling, 2.0, b)


def _mode(a: Any, b: Any) -> Numbers:
    """Return the densest point of Beta(a, b), both above 1."""
    return (a - 1) / (a + b - 2)


def _lower_share(a: Any, b: Any, alpha: float) -> Numbers:
    """Return the share of alpha below the shortest interval."""
    mode, total = _mode(a, b), a + b
    # The rounding error of a limit in standard deviations, which limits the accuracy of the share.
    resolution = np.spacing(mode) * total * np.sqrt(total / a) / np.sqrt(b)

    def step(share: FloatArray) -> tuple[FloatArray, FloatArray]:
        low, high = beta_low(a, b, alpha * share), beta_high(a, b, alpha * (1 - share))
        rest = beta_low(b, a, alpha * (1 - share))  # 1 − high, to full accuracy
        # The decrease of the log density from the mode to either limit, computed without cancellation.
        fall_low = deviance(a - 1, b - 1, low)
        fall_high = np.where(high < 0.5, deviance(a - 1, b - 1, high), deviance(b - 1, a - 1, rest))
        slope_low = ((a - 1) * (1 - low) - (b - 1) * low) / beta_front(a, b, low)
        front_high = np.where(high < 0.5, beta_front(a, b, high), beta_front(b, a, rest))
        slope_high = ((a - 1) * rest - (b - 1) * high) / front_high
        residual = fall_high - fall_low
        change = residual / ((slope_low - slope_high) * alpha * share * (1 - share))  # in the log odds of the share
        odds = np.exp(-np.clip(change, -30, 30))
        settled = np.abs(change) <= resolution
        return np.where(settled, 0.0, residual), share * odds / (1 - share + share * odds)

    return solve(step, np.full(np.shape(a), 0.5), 0.0, 1.0)
