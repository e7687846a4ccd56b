"""Significance from a single sample, as Martin and Hirschberg tried it and warned of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...evidence import Resamples
from ...numerics.rounding import unit, without_rounding
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Side, one_of
from ..loss_scale import scale
from ..registry import EVERY_SOURCE, Standing, method
from .assumptions import BOUNDS_AGREE, CALIBRATED_FOR_HALVES, CALIBRATED_SIZE, NOT_CHOSEN, SPREAD_OF_DIFFERENCES
from .common import folds_only, pair_of_learners, weights
from .moments import moments, student, student_interval

Bound = Literal["upper", "lower"]
_APPARENTLY = "from one sample: at most apparently different, without a level"
_COMMON: dict[str, Any] = {
    "question": 8,
    "evidence": Resamples,
    "parameter": "difference",
    "standing": Standing.HEURISTIC,
    "reference": "martin1996",
}
_PAIRED: dict[str, Any] = _COMMON | {
    "name": "paired-cv-ss",
    "covers": ("test data", "learner", "labels"),  # training sets overlap
    "assumes": (SPREAD_OF_DIFFERENCES, NOT_CHOSEN),
    "because": "folds share their training examples, so the spread between them is too small and varies much",
    "told": _APPARENTLY,
}
_ITERATED: dict[str, Any] = _COMMON | {
    "name": "iterated-cv-bounds",
    "covers": ("test data", "learner", "labels"),  # training sets overlap
    "assumes": (SPREAD_OF_DIFFERENCES, BOUNDS_AGREE, NOT_CHOSEN),
    "because": "nobody knows where between its two bounds the standard error lies; the upper one misses differences,"
    " and by the lower one more replicates prove anything",
    "told": lambda bound="upper", **_: f"the {bound} bound taken for the standard error; {_APPARENTLY}",
}
_CALIBRATED: dict[str, Any] = _COMMON | {
    "name": "calibrated-t",
    "covers": EVERY_SOURCE,  # its factor was fitted to how the mean varied over samples
    "assumes": (SPREAD_OF_DIFFERENCES, CALIBRATED_FOR_HALVES, CALIBRATED_SIZE, NOT_CHOSEN),
    "because": "its factor was fitted to two nearest-neighbour rules on one kind of data and is not known for others",
    "told": lambda factor=2.293, **_: f"S(x) divided by {factor:g}; {_APPARENTLY}",
}


def variance_of_difference(s1: ArrayLike, s2: ArrayLike, *, correlation: ArrayLike) -> FloatArray:
    """Return the variance s₁² + s₂² − 2ρs₁s₂ of the difference of two estimates that go together.

    Martin and Hirschberg (1996, section 3.4) find that ρ = ½ makes this 0.76 of the true variance, and that
    s₁² + s₂² − 1.25 s₁s₂ were right, "or ρ = 0.375". These do not fit: 1.25 means ρ = 0.625, and less
    variance cures no variance that is too small. Either the coefficient is 0.75 (ρ = 0.375), or the
    ratio is the other way round and ρ = 0.625, which a repetition of their experiment supports. So the
    correlation is to be given, or estimated, and none is the default.

    Parameters
    ----------
    s1, s2
        The standard deviations of the two estimates.
    correlation
        Of the two, from −1 to 1.

    Examples
    --------
    >>> variance_of_difference(3, 4, correlation=0.375), variance_of_difference(3, 4, correlation=0.625)
    (np.float64(16.0), np.float64(10.0))
    """
    first, second, rho = (np.asarray(value, dtype=float) for value in (s1, s2, correlation))
    for name, value in (("s1", first), ("s2", second)):
        if not ((value >= 0) & np.isfinite(value)).all():
            raise InvalidOption(f"{name} must be a standard deviation, 0 or more, but is {value[()]!r}.")
    if not (np.abs(rho) <= 1).all():  # NaN fails this, too
        raise InvalidOption(f"correlation must lie from -1 to 1, but is {correlation!r}.")
    # (s₁ − s₂)² + 2s₁s₂(1 − ρ): the same, and never below 0 by rounding.
    found: FloatArray = ((first - second) ** 2 + 2 * first * second * (1 - rho))[()]
    return found


def _weighted(resamples: Resamples) -> tuple[FloatArray, FloatArray, int]:
    """Return x, SS and k − 1 of one paired cross-validation, folds weighted by their size."""
    name = "paired-cv-ss"
    folds_only(name, pair_of_learners(name, resamples), once=True, instead="iterated-cv-bounds")
    shares, values = weights(resamples)[0], resamples.values[..., 0, :]
    freedom = values.shape[-1] - 1
    size = scale(resamples)
    one = unit(size)
    values = values / one[..., None]
    mean = (shares * values).sum(axis=-1)
    error = np.sqrt((shares * (values - mean[..., None]) ** 2).sum(axis=-1) / freedom)
    return without_rounding(mean * one, size), without_rounding(error * one, size), freedom


@method(gives="test", statistic="t", **_PAIRED)
def paired_cv_ss(resamples: Resamples, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test the difference in one cross-validation by the weighted spread of its folds.

    t = x/SS with k − 1 degrees of freedom, where x = Σm_j d_j/N and SS² = Σm_j(d_j − x)²/((k − 1)N), m_j the size
    of fold j (Martin and Hirschberg 1996, section 3.4). Their rule calls learners apparently different
    beyond 2 SS. With folds of one size this is `kfold-t`.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9], [0.7, 0.7, 0.6], plan="3-fold", test=[[10, 10, 9]], train=19)
    >>> paired_cv_ss(held).statistic.round(4)
    np.float64(-1.4683)
    """
    mean, error, freedom = _weighted(resamples)
    return replace(student(mean - against, error, freedom, alternative), estimate=mean)


@method(gives="interval", **_PAIRED)
def paired_cv_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give x ± t·SS, the differences that the weighted spread of the folds leaves standing.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9], [0.7, 0.7, 0.6], plan="3-fold", test=[[10, 10, 9]], train=19)
    >>> paired_cv_interval(held, alpha=0.5).high.round(4)
    np.float64(-0.0566)
    """
    mean, error, freedom = _weighted(resamples)
    return student_interval("paired-cv-ss", resamples, mean, error, freedom, alpha, side)


def _bounded(resamples: Resamples, bound: Bound) -> tuple[FloatArray, FloatArray, int]:
    """Return x̄, a bound of its standard error and mk − 1."""
    name = "iterated-cv-bounds"
    one_of("bound", bound, Bound)
    folds_only(name, pair_of_learners(name, resamples), instead="corrected-resampled-t")
    mean, deviation, runs = moments(resamples)
    return mean, deviation / np.sqrt(resamples.loss.shape[-2] if bound == "lower" else 1), runs - 1


@method(gives="test", statistic="t", **_ITERATED)
def iterated_cv_bounds(
    resamples: Resamples,
    *,
    against: float = 0.0,
    alternative: Alternative = "two-sided",
    bound: Bound = "upper",
) -> TestResult:
    """Test the mean difference of a cross-validation repeated m times by a bound of its standard error.

    S(x)/√m ≤ S(x̄) ≤ S(x), S(x) being the standard deviation of all mk differences (Martin and Hirschberg
    1996, section 3.4 and B.3). Where between them the truth lies is not known: the test takes the upper bound, and
    a check says where the lower would decide otherwise. t has mk − 1 degrees of freedom here; the
    paper gives none.

    Parameters
    ----------
    resamples
        The losses of two learners by a repeated k-fold plan.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    bound
        "upper" understates the significance, "lower" grossly exaggerates it.

    Examples
    --------
    >>> a, b = [[0.8, 0.7], [0.9, 0.8]], [[0.7, 0.7], [0.7, 0.6]]
    >>> held = Resamples.from_scores(a, b, plan="2x2")
    >>> iterated_cv_bounds(held).statistic.round(4), iterated_cv_bounds(held, bound="lower").statistic.round(4)
    (np.float64(-1.3056), np.float64(-1.8464))
    """
    mean, error, freedom = _bounded(resamples, bound)
    return student(mean - against, error, freedom, alternative)


@method(gives="interval", **_ITERATED)
def iterated_cv_interval(
    resamples: Resamples, *, alpha: float = 0.05, side: Side = "two", bound: Bound = "upper"
) -> Interval:
    """Give x̄ ± t·S(x), by the upper bound of the standard error in an iterated cross-validation.

    Examples
    --------
    >>> a, b = [[0.8, 0.7], [0.9, 0.8]], [[0.7, 0.7], [0.7, 0.6]]
    >>> iterated_cv_interval(Resamples.from_scores(a, b, plan="2x2"), alpha=0.5).high.round(4)
    np.float64(-0.0518)
    """
    mean, error, freedom = _bounded(resamples, bound)
    return student_interval("iterated-cv-bounds", resamples, mean, error, freedom, alpha, side)


def _calibrated(resamples: Resamples, factor: float) -> tuple[FloatArray, FloatArray, int]:
    name = "calibrated-t"
    if isinstance(factor, bool) or not (isinstance(factor, int | float | np.number) and 0 < factor < np.inf):
        raise InvalidOption(f"factor must be a number above 0, but is {factor!r}. In the paper it is 2.293.")
    folds_only(name, pair_of_learners(name, resamples), instead="corrected-resampled-t")
    mean, deviation, runs = moments(resamples)
    return mean, deviation / factor, runs - 1


@method(gives="test", statistic="t", **_CALIBRATED)
def calibrated_t(
    resamples: Resamples,
    *,
    against: float = 0.0,
    alternative: Alternative = "two-sided",
    factor: float = 2.293,
) -> TestResult:
    """Test the mean difference of an iterated 2-fold cross-validation by S(x), scaled to fit one experiment.

    t = 2.293 x̄/S(x), for a hundred replicates and 30 examples or more (Martin and Hirschberg 1996, B.3). The
    authors found 88 % of the decisions right over many samples and 65 % from single ones, and know of no way
    to predict the factor. t has mk − 1 degrees of freedom here; the paper gives none.

    Parameters
    ----------
    resamples
        The losses of two learners by a repeated 2-fold plan.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    factor
        By how much S(x) exceeds the standard deviation of x̄.

    Examples
    --------
    >>> a, b = [[0.8, 0.7], [0.9, 0.8]], [[0.7, 0.7], [0.7, 0.6]]
    >>> calibrated_t(Resamples.from_scores(a, b, plan="2x2")).statistic.round(4)
    np.float64(-2.9937)
    """
    mean, error, freedom = _calibrated(resamples, factor)
    return student(mean - against, error, freedom, alternative)


@method(gives="interval", **_CALIBRATED)
def calibrated_t_interval(
    resamples: Resamples, *, alpha: float = 0.05, side: Side = "two", factor: float = 2.293
) -> Interval:
    """Give x̄ ± t·S(x)/2.293, the differences that the calibrated t leaves standing.

    Examples
    --------
    >>> a, b = [[0.8, 0.7], [0.9, 0.8]], [[0.7, 0.7], [0.7, 0.6]]
    >>> calibrated_t_interval(Resamples.from_scores(a, b, plan="2x2")).high.round(4)
    np.float64(0.0079)
    """
    mean, error, freedom = _calibrated(resamples, factor)
    return student_interval("calibrated-t", resamples, mean, error, freedom, alpha, side)
