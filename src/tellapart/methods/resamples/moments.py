"""Means and standard deviations of the losses: over test sets, inside them, and between halves; and Student's t.

The values are the losses of one learner or the differences of two; functions take either unless they state otherwise.
Values that are all the same have no variance: then the p-value is 1, the interval is the whole range, and a check of
the method fails. Scores that differ only by rounding are the same.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from ...errors import InvalidEvidence, InvalidOption
from ...evidence import Resamples, TrainingSets
from ...numerics.rounding import ROUNDING, unit, without_rounding
from ...typing_ import FloatArray, IntArray, Numbers, one_of
from ..loss_scale import scale
from ..pivots import Student, Undetermined
from .required_plans import require_folds, require_pair, require_two, wrong_plan

Variance = Literal["all-pairs", "within-fold"]


def fit_student(
    evidence: Resamples | TrainingSets,
    estimate: Numbers,
    error: Numbers,
    df: Numbers,
    *,
    location: FloatArray | None = None,
    chooses: IntArray | None = None,
) -> Student:
    """Return Student's t of losses, its interval within the range of the loss, and without variance the whole range."""
    return Student(
        estimate, error, df, Undetermined(evidence.range), evidence.range,
        quick=True, location=location, chooses=chooses, own_parameter=evidence.parameter,
    )  # fmt: skip


def sign_of(difference: FloatArray) -> IntArray:
    """Return which learner a difference favours: −1 for A, 1 for B, 0 for neither."""
    return np.sign(difference).astype(np.int64)[()]


# --- Over test sets ---------------------------------------------------------------------------------


class RunMoments(NamedTuple):
    """The mean of the values, their standard deviation (over one less than their number) and how many there are."""

    mean: FloatArray
    deviation: FloatArray
    runs: int


def moments(resamples: Resamples) -> RunMoments:
    """Return mean and standard deviation of the values over all test sets, weighted equally.

    Examples
    --------
    >>> folds = Resamples.from_scores([0.9, 0.8, 0.7], [0.8, 0.8, 0.8], plan="3-fold")
    >>> mean, deviation, runs = moments(folds)
    >>> abs(mean) < 1e-12, round(deviation, 4), runs
    (np.True_, np.float64(0.1), 3)
    """
    values, unit_size, size = values_in_units(resamples)
    runs = resamples.runs
    mean = values.mean(axis=(-2, -1))
    values = values - mean[..., None, None]
    deviation = np.sqrt(np.einsum("...ij,...ij->...", values, values) / max(runs - 1, 1))
    return RunMoments(without_rounding(mean * unit_size, size), without_rounding(deviation * unit_size, size), runs)


def values_in_units(resamples: Resamples) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the values in a unit whose squares neither overflow nor vanish, that unit, and the size of the losses."""
    size = scale(resamples)
    unit_size = unit(size)
    return resamples.values / unit_size[..., None, None], unit_size, size


def mean_of_splits(resamples: Resamples) -> FloatArray:
    """Return the mean of the values over all test sets; rounding is 0."""
    return without_rounding(resamples.values.mean(axis=(-2, -1)), scale(resamples))


def moments_by_learner(name: str, resamples: Resamples) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean, standard deviation and number of the runs of A and of B, along the last dimension."""
    require_two(name, resamples)
    size = scale(resamples)
    unit_size = unit(size)
    loss = resamples.loss.reshape(*resamples.loss.shape[:-2], -1) / unit_size[..., None, None]
    finite = np.isfinite(loss)
    runs = finite.sum(axis=-1)
    if runs.min() < 2:
        raise InvalidEvidence(
            f"method {name!r} needs 2 runs or more of each learner, got {runs.min()}. Run it with more seeds."
        )
    mean = np.where(finite, loss, 0).sum(axis=-1) / runs
    centred = np.where(finite, loss - mean[..., None], 0)
    deviation = np.sqrt((centred**2).sum(axis=-1) / (runs - 1))
    unit_size = unit_size[..., None]
    return mean * unit_size, without_rounding(deviation * unit_size, size[..., None]), runs.astype(float)


def preferences(resamples: Resamples) -> FloatArray:
    """Return by replicate and fold −1 if A has the lower loss, 1 if B has, and 0 for a tie, rounding apart."""
    return np.sign(without_rounding(resamples.values, scale(resamples)[..., None, None]))


# --- Inside test sets -------------------------------------------------------------------------------


def weights(resamples: Resamples) -> FloatArray:
    """Return the share of each test set in its replicate; equal shares if the sizes are unknown."""
    sizes = resamples.sizes
    shares: FloatArray = sizes / sizes.sum(axis=-1, keepdims=True)
    return shares


def sums_of_squares(name: str, resamples: Resamples) -> FloatArray:
    """Return the sum of squared values of each test set; for the errors of one learner these are counts.

    Examples
    --------
    >>> sums_of_squares("loo", Resamples.from_scores([1, 1, 0, 1], plan="loo", examples=4))
    array([[0., 0., 1., 0.]])
    """
    counted = resamples.metric.name == "error" and resamples.parameter == "error" and resamples.seeds == 1
    if resamples.together is None and counted and resamples.examples:
        return resamples.values * resamples.test
    if resamples.together is None and resamples.metric.is_mean:
        raise InvalidEvidence(
            f"method {name!r} needs the loss of every example, got only scores. Use race(...).resamples(), or for the"
            " errors of one learner from_scores(..., examples=)."
        )
    return resamples.squares


def variance_within(resamples: Resamples) -> FloatArray:
    """Return by replicate and fold the variance of the values inside the test set (over its size); needs predictions.

    For error rates it is p + q − (p − q)², p and q the shares of examples that only A and only B got wrong.
    """
    squares = resamples.squares
    if not (resamples.test >= 1).all():  # shares of an unknown number, or NaN
        raise InvalidEvidence(
            "the sizes of the test sets must be numbers of examples, got none. Pass test= and train= to from_scores."
        )
    variance = squares / resamples.test - resamples.values**2
    sums = np.trace(resamples.joint, axis1=-4, axis2=-3)  # what the squares are differences of
    return np.where(variance <= ROUNDING * sums / resamples.test, 0.0, variance)


def pooled_moments(resamples: Resamples, variance: Variance = "all-pairs") -> tuple[FloatArray, FloatArray]:
    """Return mean and standard error of the pooled losses (or differences), averaged over replicates."""
    one_of("variance", variance, Variance)
    require_folds("cv-wald", resamples, instead="mean-se-w")
    shares, values, inside = weights(resamples), resamples.values, variance_within(resamples)
    size = scale(resamples)
    means = (shares * values).sum(axis=-1)
    between = without_rounding(values - means[..., None], size[..., None, None]) ** 2
    spread = (shares * (inside + between)).sum(axis=-1)
    if variance == "within-fold":
        if resamples.test.min() < 2:
            raise InvalidOption(
                "`variance` 'within-fold' needs 2 examples or more in every fold. Use variance='all-pairs'."
            )
        within = (shares * inside * resamples.test / (resamples.test - 1)).sum(axis=-1)
        spread = np.where(within == 0, spread, within)  # without variance inside folds, that between them
    error = np.sqrt((spread / resamples.test.sum(axis=-1)).mean(axis=-1))
    return without_rounding(means.mean(axis=-1), size), error


# --- Between halves ---------------------------------------------------------------------------------


def moments_of_halves(name: str, resamples: Resamples) -> tuple[FloatArray, FloatArray]:
    """Return the differences by replicate and half, and the variance (p₁ − p₂)²/2 of each replicate, in units.

    5x2cv tests are quotients, for which the unit does not matter. The paper's s² = (p₁ − p̄)² + (p₂ − p̄)² is the
    unbiased variance of two values.
    """
    require_pair(name, resamples)
    if resamples.plan.kind != "k-fold" or resamples.loss.shape[-1] != 2:
        raise InvalidEvidence(
            f"method {name!r} needs repeated 2-fold cross-validation, got plan {resamples.plan.name!r}. Use plan='5x2',"
            " or method='corrected-resampled-t'."
        )
    values, unit_size, size = values_in_units(resamples)
    differences = without_rounding(values, (size / unit_size)[..., None, None])
    between_halves = without_rounding(differences[..., 0] - differences[..., 1], (size / unit_size)[..., None])
    return differences, between_halves**2 / 2


def error_of_halves(resamples: Resamples) -> FloatArray:
    """Return the standard error √(Σ(μ₁ − μ₂)²/2R) by R pairs of disjoint halves."""
    if resamples.plan.kind != "halves":
        raise wrong_plan("conservative-z", resamples, "splits of disjoint halves", "Use plan='conservative-z'.")
    values, unit_size, size = values_in_units(resamples.part("halves"))
    between_halves = values[..., 0] - values[..., 1]
    return without_rounding(np.sqrt((between_halves**2).mean(axis=-1) / 2) * unit_size, size)
