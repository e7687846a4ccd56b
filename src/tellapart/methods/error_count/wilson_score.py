"""Wilson's score interval and related closed forms.

The example for a new method: the facts are in `@procedure`, the docstring gives the formulas, and the body returns a
pivot, from which interval and test follow for any number of counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...evidence import ErrorCount
from ...evidence.validation import as_threshold
from ...numerics.distributions import normal_pvalue, normal_quantile, ratio
from ...numerics.repetition import in_blocks
from ...typing_ import FloatArray, Numbers
from ..pivots import Limits, Score, Tails
from ..registry import Standing, procedure
from .assumptions import NORMAL_APPROXIMATION, NORMAL_WITH_ROOM
from .open_ends import with_open_ends


@procedure(
    name="wilson",
    title="Wilson score interval",
    evidence=ErrorCount,
    reference="wilson1927",
    assumes=NORMAL_APPROXIMATION,
    standing=Standing.RECOMMENDED,
    rationale="closed form, never of width 0, and inverts the score test; short near one expected error",
    test={
        "title": "Wilson score test",
        **NORMAL_WITH_ROOM,
        "standing": Standing.SOUND,
        "rationale": "closed form; agrees with Wilson's interval",
    },
)
def wilson(count: ErrorCount) -> Score:
    """Wilson's score interval and test for an error rate.

    Notes
    -----
    z(p) = (m − Mp) / √(Mp(1−p)): the standard error is that of the p in question, not that of the estimate.
    The limits are the p that z does not reject, between the roots of (e − p)² = z² p(1−p)/M:
    (m + z²/2 ± z√(m(1−e) + z²/4)) / (M + z²). Martin and Hirschberg's alternative limits (eq. 3) are the same.
    The coverage dips to 0.84 where one or two errors are expected, at every number of trials.

    Examples
    --------
    >>> count = ErrorCount(15, 148)
    >>> limits = wilson(count).interval(alpha=0.05)
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.0624), np.float64(0.1605))
    >>> round(wilson(count).test(0.05).statistic, 3)
    np.float64(2.866)
    """
    m, n = count.errors, count.trials

    def z(null: Any) -> FloatArray:
        p = as_threshold(null, count)
        return (m - n * p) / np.sqrt(n * p * (1 - p))

    def invert(z: float) -> Limits:
        return in_blocks(lambda m, n: score_limits(m, m, n, z), m, n)

    return Score(z, invert)


@procedure(
    name="agresti-coull",
    title="Agresti-Coull interval",
    evidence=ErrorCount,
    standing=Standing.SOUND,
    reference="agresti1998",
    assumes=NORMAL_APPROXIMATION,
    rationale="simple formula with a good minimum coverage; wide near 0 and 1, where it is truncated",
    test={"title": "Agresti-Coull test", **NORMAL_WITH_ROOM, "rationale": "agrees with the interval"},
)
def agresti_coull(count: ErrorCount) -> Score:
    """Agresti-Coull interval and test: Wald's after adding z²/2 errors and z²/2 successes.

    Notes
    -----
    "Add two errors and two successes" is another interval unless alpha is 0.05. The limits leave [0, 1] near its ends
    and are truncated there. The statistic of the test is the z at which a limit meets the threshold.

    Examples
    --------
    >>> agresti_coull(ErrorCount(0, 10)).interval().low
    np.float64(0.0)
    >>> round(agresti_coull(ErrorCount(15, 148)).test(0.05).statistic, 3)
    np.float64(2.676)
    """

    def limits(m: Any, n: Any, z: Any) -> Limits:
        total = n + z * z
        centre = (m + z * z / 2) / total
        reach = z * np.sqrt(centre * (1 - centre) / total)
        return np.clip(centre - reach, 0.0, 1.0), np.clip(centre + reach, 0.0, 1.0)

    def z(null: Any) -> FloatArray:
        p = as_threshold(null, count)
        below = count.rate > p  # it is the lower limit that has to reach the threshold
        reached, beyond = np.zeros(np.shape(below)), np.full(np.shape(below), 40.0)
        for _ in range(60):
            z = (reached + beyond) / 2
            low, high = limits(count.errors, count.trials, z)
            outside = np.where(below, low > p, high < p)
            reached, beyond = np.where(outside, z, reached), np.where(outside, beyond, z)
        return (np.where(below, 1.0, -1.0) * reached)[()]

    return Score(z, invert=lambda z: in_blocks(lambda m, n: limits(m, n, z), count.errors, count.trials))


@procedure(
    name="wilson-cc",
    title="Wilson score interval, continuity-corrected",
    evidence=ErrorCount,
    assumes=NORMAL_APPROXIMATION,
    standing=Standing.SOUND,
    reference="newcombe1998",
    interval={"rationale": "closed form with nearly the guaranteed coverage of clopper-pearson; as wide"},
    test={"title": "Wilson score test, continuity-corrected", "rationale": "agrees with the interval"},
)
def wilson_cc(count: ErrorCount) -> Tails:
    """Wilson's score interval and test with continuity correction.

    Notes
    -----
    The limits are Wilson's lower root at m − ½ errors and his upper root at m + ½ (Newcombe's method 4); 0 below no
    errors, 1 above no successes. The statistic is the score, half an error closer to 0.

    Examples
    --------
    >>> round(wilson_cc(ErrorCount(13, 16)).interval().low, 4)
    np.float64(0.5369)
    >>> round(wilson_cc(ErrorCount(15, 148)).test(0.05).statistic, 3)
    np.float64(2.678)
    """
    errors, trials = count.errors, count.trials

    def excess(null: Any) -> tuple[FloatArray, FloatArray]:
        p = as_threshold(null, count)
        return errors - trials * p, np.sqrt(trials * p * (1 - p))

    def limits(z: float) -> Limits:
        def roots(m: Any, n: Any) -> Limits:
            return score_limits(np.maximum(m - 0.5, 0), np.minimum(m + 0.5, n), n, z)

        return in_blocks(roots, errors, trials)

    return with_open_ends(half_an_error_closer(excess, 0.5, limits), count)


def half_an_error_closer(
    excess: Callable[[Any], tuple[FloatArray, FloatArray]], half: Any, limits: Callable[[float], Limits]
) -> Tails:
    """Return the tails of a normal excess with its spread, each with a continuity correction of `half`."""

    def tails(null: Any) -> tuple[FloatArray, FloatArray]:
        over, spread = excess(null)
        less = normal_pvalue(ratio(over + half, spread, empty=0.0), "less")
        return less, normal_pvalue(ratio(over - half, spread, empty=0.0), "greater")

    def statistic(null: Any) -> FloatArray:
        over, spread = excess(null)
        return np.sign(over) * ratio(np.maximum(np.abs(over) - half, 0), spread, empty=0.0)

    return Tails(tails, lambda tail: limits(normal_quantile(tail)), statistic)


def score_limits(below: Any, above: Any, trials: Any, z: float) -> tuple[FloatArray, FloatArray]:
    """Return Wilson's lower root at `below` errors and his upper root at `above` errors.

    The product of both roots is m²/(M(M + z²)), so the smaller one is m²/M over the larger numerator; as a difference
    it would be inaccurate if z² is large compared with m. A negative z (a bound below level ½) swaps the roots.
    """
    if z == 0:  # the bound at level ½ is the estimate itself
        return below / trials, above / trials
    total = trials + z * z
    low = _score_numerator(below, trials, abs(z))
    high = low if above is below else _score_numerator(above, trials, abs(z))
    if z < 0:
        return np.minimum(low / total, 1.0), above * (above / trials) / high
    # Without successes the upper root is 1; the quotient may differ in the last digit.
    return below * (below / trials) / low, np.where(above == trials, 1.0, np.minimum(high / total, 1.0))[()]


def score_distances(errors: Any, trials: Any, z: float) -> tuple[FloatArray, FloatArray]:
    """Return the distances of Wilson's lower and upper limit from the error rate.

    With p = m/M and S = √(m(1−p) + z²/4) they are z(S + z(p−½))/(M + z²) and z(S + z(½−p))/(M + z²). The smaller of the
    two, whose numerator cancels, is zp(1−p)/(S + z|p−½|). As p − low and high − p they would be inaccurate for large M
    and for rates near 1. Swapping errors and successes swaps the distances, to the last bit. A negative z (a bound
    below level ½) swaps the limits: the distances are negative.

    Examples
    --------
    >>> below, above = score_distances(15, 148, 1.96)
    >>> round(15 / 148 - below, 4), round(15 / 148 + above, 4)
    (np.float64(0.0624), np.float64(0.1605))
    """
    errors, trials, reach = np.asarray(errors, dtype=float), np.asarray(trials, dtype=float), abs(z)
    successes = trials - errors
    rarer, commoner = np.minimum(errors, successes), np.maximum(errors, successes)
    spread = np.sqrt(rarer * (commoner / trials) + reach * reach / 4)
    off_centre = reach * ((commoner - rarer) / (2 * trials))
    longer = reach * (spread + off_centre) / (trials + reach * reach)
    with np.errstate(invalid="ignore"):  # at z = 0 both distances are 0
        shorter = np.where(reach > 0, reach * (rarer / trials) * (commoner / trials) / (spread + off_centre), 0.0)
    below, above = np.where(errors < successes, shorter, longer), np.where(errors > successes, shorter, longer)
    return (-above[()], -below[()]) if z < 0 else (below[()], above[()])


def _score_numerator(errors: Any, trials: Any, z: float) -> Numbers:
    return errors + z * z / 2 + z * np.sqrt(errors * (1 - errors / trials) + z * z / 4)
