"""Wilson's and the textbook's limits with a correction for continuity: half an error closer to every threshold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ...evidence import ErrorCount
from ...evidence.validation import as_threshold
from ...numerics.distributions import normal_pvalue, normal_quantile, ratio
from ...numerics.repetition import in_blocks
from ...typing_ import FloatArray
from ..pivots import Limits, Tails
from ..registry import Standing, procedure
from .assumptions import NORMAL_APPROXIMATION, WALD
from .normal import limits_around
from .open_ends import open_ends, open_tails
from .score import score_limits


@procedure(
    name="wilson-cc",
    evidence=ErrorCount,
    assumes=NORMAL_APPROXIMATION,
    standing=Standing.SOUND,
    reference="newcombe1998",
    interval={"because": "a closed form that all but keeps the guarantee of clopper-pearson; as wide"},
    test={"because": "it decides as the corrected score interval does"},
)
def wilson_cc(count: ErrorCount) -> Tails:
    """Score interval and test for an error rate, with a correction for continuity.

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

        return open_ends(in_blocks(roots, errors, trials), errors, trials)

    corrected = _half_an_error_closer(excess, 0.5, limits)
    return replace(corrected, tails=lambda null: open_tails(corrected.tails(null), count))


@procedure(
    name="wald-cc",
    evidence=ErrorCount,
    assumes=WALD,
    standing=Standing.HEURISTIC,
    reference="martin1996",
    interval={
        "because": "the correction saves it from having no width, not from covering too little",
        "monotone": False,
        "within": False,
    },
    test={"because": "it decides as the corrected textbook interval does"},
)
def wald_cc(count: ErrorCount) -> Tails:
    """Textbook interval and test for an error rate, with a correction for continuity.

    Notes
    -----
    The limits are e ± (1/(2M) + z√(e(1−e)/M)), not cut off (Martin and Hirschberg's eq. 2): the correction is half an
    error. The statistic is the distance in plug-in standard errors, half an error closer to 0.

    Examples
    --------
    >>> round(wald_cc(ErrorCount(1, 10)).interval().low, 6)
    np.float64(-0.135939)
    >>> round(wald_cc(ErrorCount(15, 148)).test(0.05).statistic, 3)
    np.float64(1.934)
    """

    def excess(null: Any) -> tuple[FloatArray, FloatArray]:
        return count.rate - as_threshold(null, count), count.standard_error

    return _half_an_error_closer(excess, 0.5 / count.trials, lambda z: limits_around(count, z, errors_added=0.5))


def _half_an_error_closer(
    excess: Callable[[Any], tuple[FloatArray, FloatArray]], half: Any, limits: Callable[[float], Limits]
) -> Tails:
    """Return the tails of a normal excess with its spread, each after half an error was taken from it."""

    def tails(null: Any) -> tuple[FloatArray, FloatArray]:
        over, spread = excess(null)
        less = normal_pvalue(ratio(over + half, spread, empty=0.0), "less")
        return less, normal_pvalue(ratio(over - half, spread, empty=0.0), "greater")

    def statistic(null: Any) -> FloatArray:
        over, spread = excess(null)
        return np.sign(over) * ratio(np.maximum(np.abs(over) - half, 0), spread, empty=0.0)

    return Tails(tails, lambda tail: limits(normal_quantile(tail)), statistic)
