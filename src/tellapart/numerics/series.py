"""The incomplete Beta function as Martin and Hirschberg (1996, appendix A.3) computed it.

Their series (eq. 7), its symmetry and recurrence, their log-Gamma (a table, then Stirling's formula)
and their inverse by bisection, in plain Python. It shows that their "precise" limits are those of `jeffreys` to their
tolerance of 10⁻⁸; the series is slow for large counts and not used elsewhere.
"""

from __future__ import annotations

import math
from functools import cache

_TABLE_ENDS = 500.5


def log_gamma(x: float) -> float:
    """Return log Γ(x) for x = ½, 1, 1½, …: by Γ(z) = (z−1)Γ(z−1) up to 500.5, by Stirling's formula above.

    Examples
    --------
    >>> abs(log_gamma(0.5) - math.log(math.sqrt(math.pi))) < 1e-15
    True
    """
    if 2 * x != int(2 * x):
        raise ValueError(f"`x` must be a multiple of one half, got {x!r}")
    if x <= _TABLE_ENDS:
        return _tabulate_logs()[round(2 * x)]
    square = x * x
    return (
        (x - 0.5) * math.log(x)
        - x
        + math.log(2 * math.pi) / 2
        + (1 - (1 / 30 - 1 / (105 * square)) / square) / (12 * x)
    )


@cache
def _tabulate_logs() -> tuple[float, ...]:
    logs = [math.nan, math.log(math.pi) / 2, 0.0]
    for twice in range(3, round(2 * _TABLE_ENDS) + 1):
        logs.append(logs[twice - 2] + math.log(twice / 2 - 1))
    return tuple(logs)


def incomplete_beta(x: float, u: float, v: float) -> float:
    """Return I(x, u, v) by the series of eq. 7; by symmetry, I(x, u, v) = 1 − I(1−x, v, u), past the mean.

    Examples
    --------
    >>> round(incomplete_beta(0.3, 1.5, 2.5), 10)
    0.4156878523
    """
    if not 0 < x < 1:
        return float(x >= 1)
    if x > u / (u + v):
        return 1 - incomplete_beta(1 - x, v, u)
    log_beta = log_gamma(u) + log_gamma(v) - log_gamma(u + v)
    front = math.exp(u * math.log(x) + v * math.log1p(-x) - log_beta) / u
    # B(u+1, i+1)/B(u+v, i+1) x^(i+1): each term is the last one times (u+v+i)/(u+1+i) x.
    total, term, i = 1.0, 1.0, 0
    while term > 1e-17 * total:
        term *= (u + v + i) / (u + 1 + i) * x
        total += term
        i += 1
    return front * total


def incomplete_beta_by_recurrence(x: float, u: float, v: float) -> float:
    """Return I(x, u, v) as x I(x, u−1, v) + (1−x) I(x, u, v−1), for u and v above 1.

    Examples
    --------
    >>> abs(incomplete_beta_by_recurrence(0.3, 2.5, 3.5) - incomplete_beta(0.3, 2.5, 3.5)) < 1e-14
    True
    """
    return x * incomplete_beta(x, u - 1, v) + (1 - x) * incomplete_beta(x, u, v - 1)


def inverse_incomplete_beta(probability: float, u: float, v: float, within: float = 1e-8) -> float:
    """Return x with I(x, u, v) = probability, by bisection until that holds to `within`.

    Examples
    --------
    >>> round(inverse_incomplete_beta(0.975, 3.5, 117.5), 5)
    0.06521
    """
    low, high = 0.0, 1.0
    while True:
        x = (low + high) / 2
        excess = incomplete_beta(x, u, v) - probability
        if abs(excess) <= within or high - low <= 1e-16:
            return x
        low, high = (low, x) if excess > 0 else (x, high)
