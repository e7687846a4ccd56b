"""Tails of the Beta distribution for very large counts, and the deviance used for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..typing_ import FloatArray, Numbers


def log1p_beyond_linear(u: Any) -> Numbers:
    """Return log(1 + u) − u to full accuracy, also for small u.

    Notes
    -----
    With s = u/(2 + u), log(1 + u) = 2 artanh(s) and 2s − u = −us, so the difference is
    −us + 2s³(1/3 + s²/5 + s⁴/7 + …).

    Examples
    --------
    >>> f"{log1p_beyond_linear(1e-10):.12g}"
    '-4.99999999967e-21'
    """
    u = np.asarray(u, dtype=float)
    s = np.clip(u, -0.1, 0.1)
    s = s / (2 + s)
    square = s * s
    series = 1 / 3 + square * (1 / 5 + square * (1 / 7 + square * (1 / 9 + square * (1 / 11 + square / 13))))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(u) < 0.1, -u * s + 2 * s * square * series, np.log1p(u) - u)[()]


def deviance(a: Any, b: Any, x: Any) -> Numbers:
    """Return the distance of log x^a (1−x)^b below its peak: a log(peak/x) + b log((1−peak)/(1−x)).

    The terms of first order in x − peak cancel exactly, so they are left out of both logarithms; their rounding error
    would be √(a + b) times that of the sum.

    Examples
    --------
    >>> deviance(2, 2, 0.25).round(12) == np.log(16 / 9).round(12)
    np.True_
    """
    peak, rest = a / (a + b), b / (a + b)
    excess = x - peak
    below, above = excess / peak, -excess / rest
    # Far from the peak x/peak is accurate for a small x, unlike 1 + below.
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(np.abs(below) < 0.5, log1p_beyond_linear(below), np.log(x / peak) - below)
        second = np.where(np.abs(above) < 0.5, log1p_beyond_linear(above), np.log((1 - x) / rest) - above)
    return -(a * first + b * second)


def large_beta_tail(a: Any, b: Any, x: Any, *, upper: bool) -> FloatArray:
    """Return P(Beta(a, b) ≤ x), or P(Beta(a, b) > x) if `upper`, for a and b of 10⁸ and more.

    Notes
    -----
    With r the signed root of twice the deviance and q = (x − a/(a+b)) √((a+b)³/(ab)), the lower tail is
    Φ(r) − φ(r) (1/q − 1/r), the first two terms of the expansion of Temme (1982); the next term is smaller by a factor
    of the order of 1/min(a, b).
    """
    from scipy.special import ndtr

    total = a + b
    excess = x - a / total
    r = np.sign(excess) * np.sqrt(2 * deviance(a, b, x))
    q = excess * np.sqrt(total / a) * np.sqrt(total / b) * np.sqrt(total)
    centre = (a - b) / (3 * np.sqrt(a) * np.sqrt(b) * np.sqrt(total))  # the limit of 1/q − 1/r at r = 0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        bend = np.where(np.abs(r) < 1e-3, centre, 1 / q - 1 / r)
        correction = np.exp(-r * r / 2) / np.sqrt(2 * np.pi) * bend
    tail: FloatArray = ndtr(-r) + correction if upper else ndtr(r) - correction
    return np.clip(tail, 0.0, 1.0)
