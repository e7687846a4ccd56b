"""Normal approximations: of the estimate, of a transform, or of the root of the likelihood ratio."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...evidence import ErrorCount
from ...evidence.validation import as_threshold
from ...numerics.distributions import normal_pvalue, normal_quantile, ratio
from ...numerics.large_beta import deviance
from ...numerics.repetition import in_blocks, once
from ...numerics.roots import solve
from ...typing_ import FloatArray, IntArray, Numbers
from ..pivots import Limits, Score, Tails
from ..registry import Standing, procedure
from .assumptions import INTERIOR, NORMAL_APPROXIMATION, NORMAL_WITH_ROOM, ROOM_AT_THRESHOLD, WALD
from .exact import clopper_pearson, clopper_pearson_limits
from .open_ends import with_open_ends
from .wilson_score import half_an_error_closer, score_limits

_UNCUT: dict[str, Any] = {"evidence": ErrorCount, "assumes": WALD, "monotone": False, "within": False}


@procedure(
    name="wald",
    title="Wald interval",
    standing=Standing.FORBIDDEN,
    reference="mitchell1997",
    rationale="coverage falls to 0 as the error rate approaches 0",
    test={"title": "Wald test", "rationale": "estimates the variance from the observed error rate: 0 at 0 errors"},
    **_UNCUT,
)
def wald(count: ErrorCount) -> Score:
    """Wald interval and test for an error rate, neither corrected nor truncated.

    Notes
    -----
    The limits are e ± z√(e(1−e)/M), Mitchell's (5.1), and Martin and Hirschberg's eq. 2 without its correction. They
    have width 0 at 0 errors. The statistic is the distance in plug-in standard errors.

    Examples
    --------
    >>> limits = wald(ErrorCount(12, 40)).interval()
    >>> round(limits.low, 2), round(limits.high, 2)
    (np.float64(0.16), np.float64(0.44))
    >>> round(wald(ErrorCount(15, 148)).test(0.05).statistic, 3)
    np.float64(2.07)
    """

    def z(null: Any) -> FloatArray:
        return ratio(count.rate - as_threshold(null, count), count.standard_error, empty=0.0)

    return Score(z, invert=lambda z: limits_around(count, z))


@procedure(
    name="wald-cc",
    title="Wald interval, continuity-corrected",
    standing=Standing.HEURISTIC,
    reference="martin1996",
    rationale="the correction avoids an interval of width 0, but not its low coverage",
    test={"title": "Wald test, continuity-corrected", "rationale": "agrees with the interval"},
    **_UNCUT,
)
def wald_cc(count: ErrorCount) -> Tails:
    """Wald interval and test for an error rate with continuity correction.

    Notes
    -----
    The limits are e ± (1/(2M) + z√(e(1−e)/M)), not truncated (Martin and Hirschberg's eq. 2): the correction is half an
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

    return half_an_error_closer(excess, 0.5 / count.trials, lambda z: limits_around(count, z, errors_added=0.5))


def limits_around(count: ErrorCount, z: float, errors_added: float = 0.0) -> Limits:
    """Return the limits z plug-in standard errors, plus `errors_added` errors, on either side of the estimate."""

    def limits(errors: IntArray, trials: IntArray) -> Limits:
        rate = errors / trials
        reach = errors_added / trials + z * np.sqrt(rate * (1 - rate) / trials)
        return rate - reach, rate + reach

    return in_blocks(limits, count.errors, count.trials)


@procedure(
    name="arcsine",
    title="arcsine interval",
    evidence=ErrorCount,
    standing=Standing.SOUND,
    reference="anscombe1948",
    interval={"rationale": "closed form with a fair minimum coverage", "assumes": NORMAL_APPROXIMATION},
    test={"title": "arcsine test", **NORMAL_WITH_ROOM, "rationale": "agrees with the interval"},
)
def arcsine(count: ErrorCount) -> Tails:
    """Interval and test for an error rate on the variance-stabilizing arcsine scale.

    Notes
    -----
    sin²(arcsin √((m + 3/8)/(M + 3/4)) ± z/(2√M)), with the angle clipped to 0 to π/2. 0 below no errors, 1 above no
    successes.

    Examples
    --------
    >>> round(arcsine(ErrorCount(0, 20)).interval().high, 4)
    np.float64(0.1201)
    >>> round(arcsine(ErrorCount(15, 148)).test(0.05).statistic, 3)
    np.float64(2.477)
    """

    def z(null: Any) -> Numbers:
        p = as_threshold(null, count)
        angle = _arcsine_angle(count.errors, count.trials)
        return 2 * np.sqrt(count.trials) * (angle - np.arctan2(np.sqrt(p), np.sqrt(1 - p)))

    def invert(tail: float) -> Limits:
        quantile = normal_quantile(tail)

        def limits(errors: IntArray, trials: IntArray) -> Limits:
            mirrored = 2 * errors > trials  # the squared sine of an angle near π/2 has no digits of its distance from 1
            angle = _arcsine_angle(np.where(mirrored, trials - errors, errors), trials)
            reach = quantile / (2 * np.sqrt(trials))
            low, high = (np.sin(np.clip(end, 0, np.pi / 2)) ** 2 for end in (angle - reach, angle + reach))
            return np.where(mirrored, 1 - high, low)[()], np.where(mirrored, 1 - low, high)[()]

        return in_blocks(limits, count.errors, count.trials)

    return with_open_ends(Tails(lambda null: _normal_tails(z(null)), invert, statistic=z), count)


def _arcsine_angle(errors: IntArray, trials: IntArray) -> Numbers:
    return np.arctan2(np.sqrt(errors + 0.375), np.sqrt(trials - errors + 0.375))


@procedure(
    name="logit",
    title="logit interval",
    evidence=ErrorCount,
    standing=Standing.SOUND,
    reference="brown2001",
    assumes=(*NORMAL_APPROXIMATION, INTERIOR),
    rationale=("the interval of a logistic regression; undefined at 0 errors, where Clopper-Pearson limits replace it"),
    monotone=False,
    test={
        "title": "logit Wald test",
        **NORMAL_WITH_ROOM,
        "assumes": (*NORMAL_APPROXIMATION, INTERIOR, ROOM_AT_THRESHOLD),
        "rationale": "agrees with the interval",
    },
)
def logit(count: ErrorCount) -> Tails:
    """Interval and test for an error rate on the scale of its log odds.

    Notes
    -----
    The limits are those of log(m/(M−m)) ± z√(M/(m(M−m))). At no errors or no successes the log odds are infinite;
    there Clopper and Pearson's limits and test replace them, and the result says so. From a level of about 98% on the
    limits are not monotone in the number of errors.

    Examples
    --------
    >>> round(logit(ErrorCount(15, 148)).interval().low, 4)
    np.float64(0.062)
    >>> round(logit(ErrorCount(15, 148)).test(0.05).statistic, 3)
    np.float64(2.798)
    """
    exact = clopper_pearson(count)
    inner = (count.errors > 0) & (count.successes > 0)

    def z(null: Any) -> Numbers:
        p, m, rest = as_threshold(null, count), np.where(inner, count.errors, 1), np.where(inner, count.successes, 1)
        return (np.log(m / rest) - np.log(p / (1 - p))) / np.sqrt(1 / m + 1 / rest)

    def tails(null: Any) -> tuple[FloatArray, FloatArray]:
        less, greater = (
            np.where(inner, normal, at_ends)[()]
            for normal, at_ends in zip(_normal_tails(z(null)), exact.tails(null), strict=True)
        )
        return less, greater

    def invert(tail: float) -> Limits:
        quantile = normal_quantile(tail)

        def limits(errors: IntArray, trials: IntArray) -> Limits:
            inner = (errors > 0) & (errors < trials)
            m, rest = np.where(inner, errors, 1), np.where(inner, trials - errors, 1)
            odds, reach = rest / m, np.exp(quantile * np.sqrt(1 / m + 1 / rest))
            low, high = 1 / (1 + odds * reach), 1 / (1 + odds / reach)  # in order despite rounding
            if np.all(inner):
                return low, high
            ends = clopper_pearson_limits(np.where(inner, 0, errors), trials, tail)  # used for these counts only
            return np.where(inner, low, ends[0])[()], np.where(inner, high, ends[1])[()]

        return in_blocks(limits, count.errors, count.trials)

    return Tails(tails, invert, statistic=lambda null: np.where(inner, z(null), exact.statistic(null))[()])


def _normal_tails(z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the p-values of "less" and of "greater" of a standard normal statistic."""
    return normal_pvalue(z, "less"), normal_pvalue(z, "greater")


@procedure(
    name="likelihood-ratio",
    title="likelihood-ratio interval",
    evidence=ErrorCount,
    standing=Standing.SOUND,
    reference="wilks1938",
    assumes=NORMAL_APPROXIMATION,
    rationale="short, and available in many other models; too short at 0 errors",
    test={"title": "likelihood-ratio chi-square", **NORMAL_WITH_ROOM, "rationale": "agrees with the interval"},
)
def likelihood_ratio(count: ErrorCount) -> Score:
    """Likelihood ratio interval and test for an error rate.

    Notes
    -----
    The interval contains the error rates whose likelihood ratio is not too small: 2 log(L(e)/L(p)) ≤ z². At no
    errors the upper limit is 1 − exp(−z²/(2M)), about half of Clopper and Pearson's. The statistic is the
    signed root of the likelihood ratio.

    Examples
    --------
    >>> round(likelihood_ratio(ErrorCount(0, 20)).interval().high, 4)
    np.float64(0.0916)
    >>> round(likelihood_ratio(ErrorCount(15, 148)).test(0.05).statistic, 3)
    np.float64(2.533)
    """
    return Score(
        z=lambda null: -_signed_root(as_threshold(null, count), count.errors, count.trials),
        invert=lambda z: once(lambda m, n: _deviance_limits(m, n, z), count),
    )


def _signed_root(p: Any, errors: Any, trials: Any) -> Numbers:
    """Return ±√(2 log(L(e)/L(p))), positive where p exceeds e."""
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = deviance(errors, trials - errors, p)
        none, everything = -trials * np.log1p(-p), -trials * np.log(p)
    distance = np.where(errors == 0, none, np.where(errors == trials, everything, inner))
    return np.sign(p - errors / trials) * np.sqrt(np.maximum(2 * distance, 0.0))


def _deviance_limits(errors: Any, trials: Any, z: float) -> Limits:
    def limit(target: float, start: FloatArray) -> Numbers:
        def step(p: FloatArray) -> tuple[FloatArray, FloatArray]:
            root = _signed_root(p, errors, trials)
            # The root is nearly straight in the log odds; its slope there is (Mp − m)/root.
            change = np.exp(-(root - target) * root / (trials * p - errors))
            return root - target, p * change / (1 - p + p * change)

        return solve(step, start, 0.0, 1.0)

    low, high = score_limits(errors, errors, trials, z)
    tiny = np.finfo(float).tiny
    inner_low, inner_high = limit(-z, np.maximum(low, tiny)), limit(z, np.minimum(high, 1 - 2**-53))
    # Counts of one outcome only have closed forms; a bound below level ½ (negative z) lies on the other side of e.
    near, far = -np.expm1(-z * z / (2 * trials)), np.exp(-z * z / (2 * trials))
    none, everything = np.asarray(errors) == 0, np.equal(errors, trials)
    low = np.where(none, near if z < 0 else 0.0, np.where(everything, far if z > 0 else 1.0, inner_low))
    high = np.where(none, near if z > 0 else 0.0, np.where(everything, far if z < 0 else 1.0, inner_high))
    return low[()], high[()]
