"""Nadeau and Bengio's t test, which allows for the overlap of training sets."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...evidence import Resamples
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Side
from ..registry import EVERY_SOURCE, Standing, method
from .assumptions import SPREAD_OF_DIFFERENCES, TRAINED_ON_SPLITS
from .common import as_ratio, folds_only, pair_of_learners
from .moments import moments, student, student_interval

_RESAMPLED: dict[str, Any] = {
    "name": "corrected-resampled-t",
    "covers": EVERY_SOURCE,
    "question": 8,
    "evidence": Resamples,
    "parameter": "difference",
    "assumes": (SPREAD_OF_DIFFERENCES, *TRAINED_ON_SPLITS),
    "standing": Standing.RECOMMENDED,
    "because": "the overlap of training sets is allowed for: its level stays near alpha however many splits there are,"
    " but with nearest neighbours it is about twice that",
    "holds": "stable learners (no nearest neighbours), 10 splits or more with test sets of 30 examples or more",
    "where": {"stable": (1, 1), "runs": (10, inf), "test": (30, inf)},
    "reference": "nadeau2003",
}
_KFOLD: dict[str, Any] = _RESAMPLED | {
    "name": "corrected-repeated-kfold-t",
    "because": "the overlap of training sets is allowed for, and by ten times 10-fold the answer hardly depends on"
    " how the examples were cut; with nearest neighbours its level is more than twice alpha",
    "holds": "stable learners (no nearest neighbours), 10 folds, 10 replicates or more",
    "where": {"stable": (1, 1), "folds": (10, 10), "replicates": (10, inf)},
    "reference": "bouckaert2004",
}


def corrected_error(name: str, resamples: Resamples, ratio: float | None) -> tuple[FloatArray, FloatArray, int]:
    """Return the mean difference, its standard error √(s²(1/J + n_test/n_train)) and the degrees of freedom J − 1."""
    mean, deviation, runs = moments(pair_of_learners(name, resamples))
    return mean, deviation * np.sqrt(1 / runs + as_ratio(name, resamples, ratio)), runs - 1


@method(gives="test", statistic="t", **_RESAMPLED)
def corrected_resampled_t(
    resamples: Resamples,
    *,
    against: float = 0.0,
    alternative: Alternative = "two-sided",
    ratio: float | None = None,
) -> TestResult:
    """Test the mean difference of two learners over splits whose training sets overlap.

    t = d̄/√(s²(1/J + n_test/n_train)) with J − 1 degrees of freedom, J the number of splits. The
    second term stands for the covariance of differences that share training examples;
    without it (`resampled-t`) enough splits would prove any difference.

    Parameters
    ----------
    resamples
        The losses of two learners on the same splits.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    ratio
        The size of a test set over that of a training set, where the evidence does not know it: 0.5
        for splits of two thirds and one third.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> found = corrected_resampled_t(held)
    >>> found.statistic.round(4), found.pvalue.round(4)
    (np.float64(-1.5076), np.float64(0.2288))
    """
    mean, error, freedom = corrected_error("corrected-resampled-t", resamples, ratio)
    return student(mean - against, error, freedom, alternative)


@method(gives="interval", **_RESAMPLED)
def corrected_resampled_interval(
    resamples: Resamples, *, alpha: float = 0.05, side: Side = "two", ratio: float | None = None
) -> Interval:
    """Give d̄ ± t·√(s²(1/J + n_test/n_train)), the differences that the corrected resampled t test leaves standing.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> limits = corrected_resampled_interval(held)
    >>> limits.low.round(4), limits.high.round(4)
    (np.float64(-0.3889), np.float64(0.1389))
    """
    name = "corrected-resampled-t"
    mean, error, freedom = corrected_error(name, resamples, ratio)
    return student_interval(name, resamples, mean, error, freedom, alpha, side)


@method(gives="test", statistic="t", **_KFOLD)
def corrected_repeated_kfold_t(
    resamples: Resamples,
    *,
    against: float = 0.0,
    alternative: Alternative = "two-sided",
    ratio: float | None = None,
) -> TestResult:
    """Test the mean difference of two learners over r times k-fold cross-validation.

    The corrected resampled t with J = r·k and n_test/n_train = 1/(k − 1): one formula, which Bouckaert and
    Frank recommend with ten replicates of ten folds.

    Parameters
    ----------
    resamples
        The losses of two learners by a k-fold plan.
    against
        The difference that is tested: 0, or a margin.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    ratio
        The size of a test set over that of a training set, if it is not 1/(k − 1).

    Examples
    --------
    >>> a, b = [[0.8, 0.7], [0.9, 0.8]], [[0.7, 0.7], [0.7, 0.6]]
    >>> corrected_repeated_kfold_t(Resamples.from_scores(a, b, plan="2x2")).pvalue.round(4)
    np.float64(0.3273)
    """
    mean, error, freedom = _repeated(resamples, ratio)
    return student(mean - against, error, freedom, alternative)


@method(gives="interval", **_KFOLD)
def corrected_repeated_kfold_interval(
    resamples: Resamples, *, alpha: float = 0.05, side: Side = "two", ratio: float | None = None
) -> Interval:
    """Give the differences that the corrected repeated k-fold t test leaves standing.

    Examples
    --------
    >>> a, b = [[0.8, 0.7], [0.9, 0.8]], [[0.7, 0.7], [0.7, 0.6]]
    >>> corrected_repeated_kfold_interval(Resamples.from_scores(a, b, plan="2x2")).high.round(4)
    np.float64(0.2157)
    """
    mean, error, freedom = _repeated(resamples, ratio)
    return student_interval(_KFOLD["name"], resamples, mean, error, freedom, alpha, side)


def _repeated(resamples: Resamples, ratio: float | None) -> tuple[FloatArray, FloatArray, int]:
    name = _KFOLD["name"]
    folds_only(name, pair_of_learners(name, resamples), instead="corrected-resampled-t")
    return corrected_error(name, resamples, 1 / (resamples.loss.shape[-1] - 1) if ratio is None else ratio)
