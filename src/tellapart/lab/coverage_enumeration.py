"""Exact coverage of intervals for one rate, by enumeration."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidOption
from ..evidence import ErrorCount
from ..methods import Offer, check_options, find_method
from ..numerics.distributions import probability_at_most
from ..results import Coverage, Interval
from ..typing_ import FloatArray, IntArray, Side, as_alpha
from .models import binomial_probability

_CELLS = 4_000_000  # of a temporary table
_MOST = 1_000_000  # trials: beyond, enumeration takes minutes
_MOST_POINTS = 1_000_000


def exact_coverage(
    method: str | Offer,
    trials: float,
    *,
    within: tuple[float, float] = (0.0, 1.0),
    points: int = 4000,
    level: float | None = None,
    alpha: float | None = None,
    side: Side = "two",
    **options: Any,
) -> Coverage:
    """Return the coverage of an interval for the error rate, by enumeration of 0 to `trials` errors.

    Parameters
    ----------
    method
        The interval's name.
    trials
        Number of test examples.
    within
        Range of true error rates; those of good classifiers are below 0.1.
    points
        Number of true errors in that range for mean and width. The minimum hardly needs them: between
        two limits the coverage is the binomial probability of a run of counts, which is lowest at an
        end, so it is looked up outside of every limit. (Of several runs, which a method may have whose
        limits are not monotonic, the lowest may be in between; then the grid finds it.)
    level, alpha, side, options
        As for `estimate`.

    Examples
    --------
    >>> found = exact_coverage("wald", 30, within=(0, 0.1))
    >>> round(found.mean, 3)
    0.684
    >>> exact_coverage("clopper-pearson", 30).minimum > 0.95
    True

    References
    ----------
    Brown, Cai and DasGupta (2001).
    """
    low, high = _check_range(within)
    if isinstance(points, bool) or not isinstance(points, int | np.integer) or not 1 <= points <= _MOST_POINTS:
        raise InvalidOption(
            f"`points` must be a whole number from 1 to {_MOST_POINTS:,}, got {points!r}. A few thousand are enough."
        )
    if not isinstance(trials, int | float | np.number) or not 1 <= trials <= _MOST or trials != int(trials):
        raise InvalidOption(
            f"`trials` must be a whole number from 1 to {_MOST:,} (every outcome is enumerated), got {trials!r}."
            f"{' The method comes first: exact_coverage(method, trials).' if isinstance(trials, str) else ''}"
        )
    alpha = as_alpha(level, alpha)
    offer = method if isinstance(method, Offer) else find_method(method, "interval", ErrorCount)
    if offer.gives != "interval":
        raise InvalidOption(f"`method` must be an interval, got {offer.name!r}, a {offer.gives}.")
    check_options(options, offer)
    counts = ErrorCount(np.arange(int(trials) + 1), trials)
    interval: Interval = offer(counts, alpha=alpha, side=side, **options)
    error = low + (np.arange(points) + 0.5) * (high - low) / points
    candidates = _next_to_limits(interval, low, high)
    at_limits = _coverage_at(interval, candidates, counts)
    covered = _coverage_at(interval, error, counts)
    # Mirrored outcomes tie but for the last digit: say the smaller true error.
    candidates, coverages = np.concatenate([candidates, error]), np.concatenate([at_limits, covered])
    minimum = coverages.min()
    worst = candidates[coverages <= minimum + 1e-12].min()
    return Coverage(
        method=offer.name,
        trials=int(trials),
        alpha=alpha,
        side=side,
        within=(float(low), float(high)),
        error=error,
        coverage=covered,
        width=_expected_width(interval.width, error, int(trials)),
        minimum=float(minimum),
        worst=float(worst),
        title=offer.title,
    )


def _check_range(within: Any) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in within)
    except (TypeError, ValueError):
        low = high = np.nan
    if not 0 <= low < high <= 1:
        raise InvalidOption(f"`within` must be two error rates, 0 <= low < high <= 1, got {within!r}.")
    return low, high


def _next_to_limits(interval: Interval, low: float, high: float) -> FloatArray:
    """Return the true errors just outside every limit, and the ends of the range."""
    inner = np.concatenate([np.nextafter(interval.low, -1), np.nextafter(interval.high, 2)])
    first, last = max(low, 1e-300), min(high, 1 - 2**-53)  # the limits of the coverage towards 0 and 1
    return np.concatenate([inner[(inner > first) & (inner < last)], [first, last]])


def _coverage_at(interval: Interval, error: FloatArray, counts: ErrorCount) -> FloatArray:
    """Return the coverage of the interval at each true error rate."""
    index, first, last = _covering_runs(interval, error)
    trials = counts.trials[0]
    probability = probability_at_most(last, trials, error[index]) - probability_at_most(first - 1, trials, error[index])
    return np.bincount(index, probability, error.size).astype(float)


def _covering_runs(interval: Interval, error: FloatArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the ranges of counts whose interval contains each true error rate: index, first and last count."""
    low, high = interval.low, interval.high
    if np.all(np.diff(low) >= 0) and np.all(np.diff(high) >= 0):
        first, last = np.searchsorted(high, error, "left"), np.searchsorted(low, error, "right") - 1
        some = first <= last
        return np.flatnonzero(some), first[some], last[some]
    runs = []
    step = max(_CELLS // low.size, 1)
    for start in range(0, error.size, step):  # limits that go back and forth (Wald's) leave several runs
        p = error[start : start + step, None]
        contained = np.pad((low <= p) & (p <= high), ((0, 0), (1, 1)))
        index, edge = np.nonzero(contained[:, 1:] != contained[:, :-1])
        runs.append((start + index[::2], edge[::2], edge[1::2] - 1))
    indices, firsts, lasts = (np.concatenate(part) for part in zip(*runs, strict=True))
    return indices, firsts, lasts


def _expected_width(width: FloatArray, error: FloatArray, trials: int) -> FloatArray:
    """Return the expected width at each true error."""
    reach = min(trials, int(20 * np.sqrt(trials)) + 100)  # 40 standard deviations and more, both sides together
    offsets = np.arange(reach + 1)
    expected = np.empty(error.size)
    step = max(_CELLS // offsets.size, 1)
    for start in range(0, error.size, step):
        p = error[start : start + step, None]
        base = np.clip((trials * p).astype(np.int64) - reach // 2, 0, trials - reach)
        errors = base + offsets
        expected[start : start + step] = (binomial_probability(errors, trials, p) * width[errors]).sum(axis=1)
    return expected
