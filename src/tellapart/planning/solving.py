"""Solvers for the sample size and for the smallest detectable difference, for any setting that computes power."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..typing_ import FloatArray, IntArray
from .settings.setting import Setting, few_at_many

MOST = 10**9  # largest size that is considered
_HOPELESS = 10**6
_AT_ONCE = 512  # most sizes in one call
_TINY = 1e-15  # powers nearer to 0 or 1 are rounded to this distance
_AROUND = np.array([0.8, 0.95, 1.05, 1.25])  # first differences, relative to the formula's
_CLOSE = np.array([-1 / 32, -1 / 1024, 0.0, 1 / 1024, 1 / 32])  # later ones, around the linear interpolation
_PASSES, _NEAR = 16, 1e-10  # three or four passes suffice, unless the formula is inaccurate


def size_for(setting: Setting, power: float, difference: float) -> float:
    """Return the smallest size from which on the power is reached; infinity if a thousand million do not suffice.

    The power of a test of counts is not monotone in the size. A size that has the power while the next has not would be
    misleading, so the solver finds the last size without the power.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> from tellapart.methods import find_method
    >>> from tellapart.planning.settings.pairs import PairedSetting
    >>> from tellapart.planning.settings.regions import Claim
    >>> claim = Claim(method=find_method("mcnemar", "test", PairedTable))
    >>> size_for(PairedSetting(claim=claim, disagreement=0.25), 0.8, 0.15)
    79.0
    """
    beyond = _beyond(power)
    guess = setting.approximate(power, difference)
    if guess > _HOPELESS * MOST:  # formulas may be inaccurate, but not by this factor
        return math.inf
    return first_size(lambda size: beyond(setting.power(size, difference)), guess, teeth=setting.teeth)


def _beyond(power: float) -> Callable[[FloatArray], FloatArray]:
    """Return a function of power: its excess over this power, negative if it is too low.

    On the scale of normal quantiles power is nearly linear in the difference and in the root of the size, so that few
    steps are enough.
    """
    from scipy.special import ndtri

    def beyond(result: FloatArray) -> FloatArray:
        gap = ndtri(np.clip(result, _TINY, 1 - _TINY)) - ndtri(power)
        return np.where(result >= power, np.maximum(gap, 0.0), np.minimum(gap, -_TINY))

    return beyond


def first_size(
    beyond: Callable[[IntArray], FloatArray], guess: float = math.nan, *, teeth: Callable[[int], int] = few_at_many
) -> float:
    """Return the size from which on the excess is not negative; infinity if a thousand million is not enough.

    Parameters
    ----------
    beyond
        The excess at each size, negative if the size is not enough.
    guess
        The first size to try.
    teeth
        The number of further sizes to check, as the excess need not be monotone.

    Examples
    --------
    >>> first_size(lambda size: np.where(size == 120, -1, size - 100))
    121.0
    """
    low, high = _bracket(lambda size: float(beyond(np.array([size]))[0]), guess, teeth)
    while high <= MOST:
        last = _last_short(beyond, low + 1, min(high + teeth(high), MOST))
        if last < high:
            return float(last + 1)
        low, high = last, last + 1  # a later size is not enough: continue from there
    return math.inf


def _bracket(beyond: Callable[[int], float], guess: float, teeth: Callable[[int], int]) -> tuple[int, int]:
    """Return a size that is not enough (or 0) and one that is (or MOST + 1), close to each other."""
    at = int(min(max(guess, 2), MOST)) if math.isfinite(guess) else 64
    low, below, high, above = 0, -math.inf, MOST + 1, math.inf
    step, last, width = max(at // 512, 1), (math.nan, math.nan), MOST
    while low < MOST and high - low > _close(teeth, high):
        value = beyond(at)
        if value < 0:
            low, below = at, value
        else:
            high, above = at, value
        if math.isfinite(below) and math.isfinite(above):
            # The root by linear interpolation, shifted a little to the more distant side; bisection if that is slow.
            line = low + (high - low) * below / (below - above)
            side = _close(teeth, high) / 3
            at = round(line + side if value < 0 else line - side)
            at = (low + high) // 2 if high - low > width / 2 else min(max(at, low + 1), high - 1)
            width = high - low
        else:
            # Extrapolate linearly from the last two sizes; at first there is only one.
            ahead = abs((at - last[0]) * value / (last[1] - value)) if last[1] != value else 0.0
            step = step if math.isnan(ahead) else int(min(max(2 * step, 1.02 * ahead), 64 * step))
            last = at, value
            at = min(low + step, MOST) if value < 0 else max(high - step, 1)
    return low, high


def _close(teeth: Callable[[int], int], size: int) -> int:
    return min(max(teeth(min(size, MOST)), 1), _AT_ONCE // 2)


def _last_short(beyond: Callable[[IntArray], FloatArray], first: int, last: int) -> int:
    """Return the last of these sizes that is not enough; one before the first if all are."""
    result = first - 1
    while first <= last:
        # If there are many, every k-th size is checked, and then those after the last one that is not enough.
        sizes = np.unique(np.rint(np.linspace(first, last, min(last - first + 1, _AT_ONCE))).astype(np.int64))
        short = np.flatnonzero(beyond(sizes) < 0)
        if not short.size:
            break
        result = int(sizes[short[-1]])
        first, last = result + 1, int(sizes[short[-1] + 1]) - 1 if short[-1] + 1 < sizes.size else result
    return result


def difference_for(
    setting: Setting, size: float, power: float, *, least: float | None = None, most: float | None = None
) -> float:
    """Return the smallest difference that is detected with this power; NaN if there is none.

    Parameters
    ----------
    setting
        Computes the power.
    size, power
        The sample size, and the power.
    least, most
        The range of differences. Default: that of the setting.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> from tellapart.methods import find_method
    >>> from tellapart.planning.settings.pairs import PairedSetting
    >>> from tellapart.planning.settings.regions import Claim
    >>> claim = Claim(method=find_method("mcnemar", "test", PairedTable))
    >>> round(difference_for(PairedSetting(claim=claim, disagreement=0.25), 79, 0.8), 3)
    0.149
    """
    beyond = _beyond(power)
    low, high = setting.least if least is None else least, setting.most if most is None else most
    steps = _between(low, low + (_by_formula(setting, size, power, low, high) - low) * _AROUND, high)
    gaps = beyond(setting.power(size, steps))
    if gaps[0] >= 0:
        return low
    if not np.any(gaps >= 0):
        return math.nan
    for _ in range(_PASSES):
        first = int(np.argmax(gaps >= 0))
        if first == 0:  # with thinned outcomes the last digits of the power depend on the other differences in the call
            break
        low, high = float(steps[first - 1]), float(steps[first])
        if abs(high - low) <= _NEAR * abs(high):
            break
        line = low + (high - low) * gaps[first - 1] / (gaps[first - 1] - gaps[first])
        steps = _between(low, line + (high - low) * _CLOSE, high)
        gaps = beyond(setting.power(size, steps))
    return high


def _between(low: float, steps: FloatArray, high: float) -> FloatArray:
    """Return both ends, and the steps clipped to the range between them."""
    return np.concatenate([[low], np.clip(steps, min(low, high), max(low, high)), [high]])


def _by_formula(setting: Setting, size: float, power: float, low: float, high: float) -> float:
    """Return the difference at which a textbook's formula gives this size, or the nearer end."""
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if setting.approximate(power, middle) <= size else (middle, high)
    return high


def power_by_formula(setting: Setting, size: float, difference: float) -> float:
    """Return the power at which a textbook's formula gives this size; NaN without a formula."""
    low, high = 1e-9, 1 - 1e-12
    if not setting.approximate(0.8, difference) > 0 or setting.approximate(low, difference) > size:
        return math.nan
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if setting.approximate(middle, difference) <= size else (low, middle)
    return low
