"""Tests from a single sample that Martin and Hirschberg examined, and advised against."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...evidence import Resamples
from ...numerics.rounding import without_rounding
from ...typing_ import FloatArray, as_real, one_of
from ..pivots import Student
from ..registry import EVERY_SOURCE, Standing, procedure
from .assumptions import BOUNDS_AGREE, CALIBRATED_FOR_HALVES, CALIBRATED_SIZE, NOT_SELECTED, SPREAD_OF_DIFFERENCES
from .moments import fit_student, moments, values_in_units, weights
from .required_plans import T_OF_TWO, TRAINING_OVERLAPS, require_paired_folds

Bound = Literal["upper", "lower"]
_APPARENTLY = "from one sample, without a guaranteed type I error rate"
_FACTS = T_OF_TWO | {"standing": Standing.HEURISTIC, "reference": "martin1996"}


def variance_of_difference(s1: ArrayLike, s2: ArrayLike, *, correlation: ArrayLike) -> FloatArray:
    """Return the variance s₁² + s₂² − 2ρs₁s₂ of the difference of two correlated estimates.

    Martin and Hirschberg (1996, section 3.4) find that ρ = ½ makes this 0.76 of the true variance, and that
    s₁² + s₂² − 1.25 s₁s₂ would be right, "or ρ = 0.375". These contradict each other: 1.25 means ρ = 0.625, which makes
    the variance smaller still. Either the coefficient is 0.75 (ρ = 0.375), or the ratio is the inverse and ρ = 0.625,
    which a repetition of their experiment supports. So the correlation has no default.

    Parameters
    ----------
    s1, s2
        The standard deviations of the two estimates.
    correlation
        Their correlation, from −1 to 1.

    Examples
    --------
    >>> variance_of_difference(3, 4, correlation=0.375), variance_of_difference(3, 4, correlation=0.625)
    (np.float64(16.0), np.float64(10.0))
    """
    first, second, rho = (np.asarray(value, dtype=float) for value in (s1, s2, correlation))
    for name, value in (("s1", first), ("s2", second)):
        if not ((value >= 0) & np.isfinite(value)).all():
            raise InvalidOption(f"`{name}` must be a standard deviation of 0 or more, got {np.min(value):g}.")
    if not (np.abs(rho) <= 1).all():  # NaN fails this, too
        raise InvalidOption(f"`correlation` must be between -1 and 1, got {correlation!r}.")
    # (s₁ − s₂)² + 2s₁s₂(1 − ρ) is the same, and never below 0 by rounding.
    variance: FloatArray = ((first - second) ** 2 + 2 * first * second * (1 - rho))[()]
    return variance


@procedure(
    name="paired-cv-ss",
    title="weighted k-fold t",
    **_FACTS | TRAINING_OVERLAPS,
    assumes=(SPREAD_OF_DIFFERENCES, NOT_SELECTED),
    rationale="folds share their training examples, so the variance between them is too small and unstable",
    note=_APPARENTLY,
)
def paired_cv_ss(resamples: Resamples) -> Student:
    """Student's t test and interval for the difference in one cross-validation, by the weighted variance of its folds.

    With folds of equal size it is `kfold-t`.

    Notes
    -----
    t = x/SS with k − 1 degrees of freedom, where x = Σm_j d_j/N and SS² = Σm_j(d_j − x)²/((k − 1)N), m_j the size
    of fold j (Martin and Hirschberg 1996, section 3.4). Their rule calls learners "apparently different" beyond 2 SS.

    Examples
    --------
    >>> folds = Resamples.from_scores([0.8, 0.7, 0.9], [0.7, 0.7, 0.6], plan="3-fold", test=[[10, 10, 9]], train=19)
    >>> paired_cv_ss(folds).test().statistic.round(4), paired_cv_ss(folds).interval(alpha=0.5).high.round(4)
    (np.float64(-1.4683), np.float64(-0.0566))
    """
    require_paired_folds("paired-cv-ss", resamples, once=True, instead="iterated-cv-bounds")
    values, unit, size = values_in_units(resamples)
    shares, values, freedom = weights(resamples)[0], values[..., 0, :], resamples.runs - 1
    mean = (shares * values).sum(axis=-1)
    error = np.sqrt((shares * (values - mean[..., None]) ** 2).sum(axis=-1) / freedom)
    mean, error = without_rounding(mean * unit, size), without_rounding(error * unit, size)
    return fit_student(resamples, mean, error, freedom, location=mean)


@procedure(
    name="iterated-cv-bounds",
    title="iterated cross-validation bounds",
    **_FACTS | TRAINING_OVERLAPS,
    assumes=(SPREAD_OF_DIFFERENCES, BOUNDS_AGREE, NOT_SELECTED),
    rationale="the standard error lies somewhere between two bounds: the upper one has low power, and with the lower"
    " one any difference becomes significant with enough replicates",
    note=lambda bound="upper", **_: f"{bound} bound of the standard error; {_APPARENTLY}",
)
def iterated_cv_bounds(resamples: Resamples, *, bound: Bound = "upper") -> Student:
    """Student's t test and interval for the mean of a repeated cross-validation, by a bound of its standard error.

    A check fails if the two bounds lead to different decisions.

    Parameters
    ----------
    resamples
        The losses of two learners by a repeated k-fold plan.
    bound
        "upper" understates the significance, "lower" grossly overstates it.

    Notes
    -----
    S(x)/√m ≤ S(x̄) ≤ S(x), S(x) being the standard deviation of all mk differences of m replicates (Martin and
    Hirschberg 1996, section 3.4 and B.3). t has mk − 1 degrees of freedom here; the paper gives none.

    Examples
    --------
    >>> a, b = [[0.8, 0.7], [0.9, 0.8]], [[0.7, 0.7], [0.7, 0.6]]
    >>> folds = Resamples.from_scores(a, b, plan="2x2")
    >>> [iterated_cv_bounds(folds, bound=bound).test().statistic.round(4) for bound in ("upper", "lower")]
    [np.float64(-1.3056), np.float64(-1.8464)]
    >>> iterated_cv_bounds(folds).interval(alpha=0.5).high.round(4)
    np.float64(-0.0518)
    """
    one_of("bound", bound, Bound)
    folds = require_paired_folds("iterated-cv-bounds", resamples, instead="corrected-resampled-t")
    mean, deviation, runs = moments(folds)
    shrunk = deviation / np.sqrt(resamples.loss.shape[-2] if bound == "lower" else 1)
    return fit_student(resamples, mean, shrunk, runs - 1)


@procedure(
    name="calibrated-t",
    title="calibrated t",
    **_FACTS,
    sources_covered=EVERY_SOURCE,  # its factor was fitted to how the mean varied over samples
    assumes=(SPREAD_OF_DIFFERENCES, CALIBRATED_FOR_HALVES, CALIBRATED_SIZE, NOT_SELECTED),
    rationale="its factor was fitted to two nearest-neighbour rules on one kind of data and is unknown for others",
    note=lambda factor=2.293, **_: f"S(x) divided by {factor:g}; {_APPARENTLY}",
)
def calibrated_t(resamples: Resamples, *, factor: float = 2.293) -> Student:
    """Student's t test and interval for the mean of a repeated 2-fold cross-validation, scaled to fit one experiment.

    Parameters
    ----------
    resamples
        The losses of two learners by a repeated 2-fold plan.
    factor
        The quotient of S(x) and the standard deviation of x̄.

    Notes
    -----
    t = 2.293 x̄/S(x), for a hundred replicates and 30 examples or more (Martin and Hirschberg 1996, B.3). The authors
    found 88% of the decisions right over many samples and 65% from single ones, and know no way to predict the factor.
    t has mk − 1 degrees of freedom here; the paper gives none.

    Examples
    --------
    >>> a, b = [[0.8, 0.7], [0.9, 0.8]], [[0.7, 0.7], [0.7, 0.6]]
    >>> calibrated = calibrated_t(Resamples.from_scores(a, b, plan="2x2"))
    >>> calibrated.test().statistic.round(4), calibrated.interval().high.round(4)
    (np.float64(-2.9937), np.float64(0.0079))
    """
    if not 0 < as_real(factor) < np.inf:
        raise InvalidOption(f"`factor` must be above 0, got {factor!r}. In the paper it is 2.293.")
    mean, deviation, runs = moments(require_paired_folds("calibrated-t", resamples, instead="corrected-resampled-t"))
    return fit_student(resamples, mean, deviation / factor, runs - 1)
