"""A safeguarded Newton iteration for the equations of limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..typing_ import FloatArray, Numbers


def solve(step: Callable[[FloatArray], tuple[Any, Any]], start: Any, low: Any, high: Any) -> Numbers:
    """Return the root of the residual of `step` between `low` and `high`, for all entries at once.

    `step(x)` returns the residual, negative below the root and positive above it, and the next Newton iterate. An
    iterate outside the bracket (or NaN) is replaced by the middle of the bracket, so the iteration cannot diverge. A
    bracket with positive ends is halved on the linear or logarithmic scale, whichever is longer, so small roots are
    accurate.
    """
    x = np.clip(np.asarray(start, dtype=float), low, high)
    low, high = np.broadcast_to(low, x.shape).astype(float), np.broadcast_to(high, x.shape).astype(float)
    done = np.zeros(x.shape, dtype=bool)
    for _ in range(200):  # bisection alone needs about 60
        with np.errstate(all="ignore"):
            residual, guess = step(x)
            low, high = np.where(residual <= 0, x, low), np.where(residual >= 0, x, high)
            middle = np.where(high > 16 * low, np.sqrt(low * high), (low + high) / 2)
            middle = np.where((low == 0) & (high > 0), high / 16, middle)
            following = np.where((guess > low) & (guess < high), guess, middle)
        close = np.abs(following - x) <= 4 * np.finfo(float).eps * np.abs(x)
        following = np.where(done | (residual == 0), x, following)
        done |= close | (residual == 0)
        x = following
        if done.all():
            break
    return x[()]
