"""Tails of Beta distributions on a logarithmic scale, also beyond the range of floats."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ..typing_ import FloatArray, Numbers
from .distributions import beta_above, beta_at_most, log_beta_front


def log_beta_tail(a: Any, b: Any, p: Any, *, upper: bool) -> Numbers:
    """Return the logarithm of a tail of Beta(a, b) in units of its height at p: above p, or below it.

    P(> p) B(a, b)/(p^(a−1) q^b), or P(< p) B(a, b)/(p^a q^(b−1)). The quotient of two such tails, of posterior and
    prior, is the e-value of bets on that side.

    Examples
    --------
    >>> np.exp(log_beta_tail(1, 1, 0.9, upper=True)).round(6)  # a uniform distribution has it all over (0.9, 1)
    np.float64(1.0)
    """
    tail = beta_above(a, b, p) if upper else beta_at_most(a, b, p)
    unit = p if upper else 1 - p
    tiny = tail < 1e-290
    log = np.log(np.where(tiny, 1.0, tail)) - log_beta_front(a, b, p) + np.log(unit)
    if not np.any(tiny):
        return log
    # Far out it is the integral of a nearly exponential function of x, (1 + rw)^power (1 − w)^(fall − 1) with
    # x = −log(1 − w).
    power, fall, odds = (a - 1, b, (1 - p) / p) if upper else (b - 1, a, p / (1 - p))
    power, fall, odds, tiny = (np.asarray(column)[..., None] for column in np.broadcast_arrays(power, fall, odds, tiny))
    rate = np.where(tiny, fall - power * odds, 1.0)
    nodes, weights = _laguerre_rule()
    x = nodes / rate
    exponent = np.where(tiny, power * np.log1p(-odds * np.expm1(-x)) - fall * x + nodes, 0.0)
    return np.where(tiny[..., 0], np.log((np.exp(exponent) * weights).sum(axis=-1) / rate[..., 0]), log)[()]


@cache
def _laguerre_rule() -> tuple[FloatArray, FloatArray]:
    return np.polynomial.laguerre.laggauss(24)
