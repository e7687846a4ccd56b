"""Many random splittings of one sample: Yang's interval that holds, and the two standard errors that do not."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import Resamples
from ...numerics.rounding import ROUNDING, without_rounding
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Side
from ..loss_scale import scale
from ..registry import ONE_TEST_SET, Standing, method
from .assumptions import (
    DISAGREEMENTS_PER_TEST_SET,
    NOT_CHOSEN,
    SPREAD_INSIDE_TEST_SETS,
    SPREAD_OF_DIFFERENCES,
    TRAINED_ON_SPLITS,
)
from .common import pair_of_learners
from .moments import moments, student, student_interval

_COMMON: dict[str, Any] = {"question": 8, "evidence": Resamples, "parameter": "difference", "reference": "yang2006"}
_MEAN: dict[str, Any] = _COMMON | {
    "name": "mean-se-w",
    "covers": ONE_TEST_SET,  # its standard error is that inside a test set
    "assumes": (SPREAD_INSIDE_TEST_SETS, DISAGREEMENTS_PER_TEST_SET, *TRAINED_ON_SPLITS),
    "standing": Standing.SOUND,
    "because": "valid, and conservative: the error of one splitting is taken for that of the mean of many",
    "holds": "test sets with 10 disagreements or more",
    "where": {"disagreements": (10, inf)},
}
_FORBIDDEN: dict[str, Any] = _COMMON | {
    "assumes": (SPREAD_OF_DIFFERENCES, NOT_CHOSEN),
    "standing": Standing.FORBIDDEN,
}
_SE: dict[str, Any] = _FORBIDDEN | {
    "name": "splitting-se",
    "covers": (),  # only how one sample may be split
    "because": "it tells how far the mean over all splittings is known, not how far the difference is: with more"
    " splittings it goes to 0, and proves any difference",
}
_SD: dict[str, Any] = _FORBIDDEN | {
    "name": "splitting-sd",
    "covers": (),  # the same, of one splitting
    "because": "it measures how splittings of one sample differ, which has little to do with how samples do",
}


def within_test_sets(resamples: Resamples) -> FloatArray:
    """Return by replicate and fold the variance of the values inside the test set (over its size); needs predictions.

    Of right and wrong it is p + q − (p − q)², p and q the shares of lone errors of A and of B.
    """
    squares = resamples.squares
    if not (resamples.test >= 1).all():  # shares of an unknown number, or NaN
        raise InvalidEvidence(
            "the sizes of the test sets are not known. Give them as numbers of examples: test=, train=."
        )
    variance = squares / resamples.test - resamples.values**2
    sums = np.trace(resamples.joint, axis1=-4, axis2=-3)  # what the squares are differences of
    return np.where(variance <= ROUNDING * sums / resamples.test, 0.0, variance)


def _averaged(resamples: Resamples) -> tuple[FloatArray, FloatArray, float]:
    """Return the mean difference, the mean over test sets of its standard error in one, and infinite freedom."""
    pair_of_learners("mean-se-w", resamples, least=1)
    # sd_W²/n with sd_W² = Σ(W − W̄)²/(n − 1), as Yang has it; a test set of one example has no spread inside.
    errors = np.sqrt(within_test_sets(resamples) / np.maximum(resamples.test - 1, 1))
    mean = without_rounding(resamples.values.mean(axis=(-2, -1)), scale(resamples))
    return mean, errors.mean(axis=(-2, -1)), np.inf


@method(gives="test", statistic="z", **_MEAN)
def mean_se_w(resamples: Resamples, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test the mean difference over splittings by the average standard error of a single one.

    z = W̿/s̄e_W, where W is loss(A) − loss(B) on an example and se_W = sd_W/√n_test in each splitting, with sd_W² the
    sum of squares over n_test − 1 (Yang 2006, sections 3.1 and 3.3). It needs predictions, for it looks into every test
    set; one splitting is enough.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> together = [[[[8]], [[4]]], [[[4]], [[20]]]]  # errors of A 8, of B 20, 4 together, of 40
    >>> held = Resamples([[[0.2]], [[0.5]]], 40, 60, Plan.parse("holdout(3/5)"), together=together, examples=100)
    >>> mean_se_w(held).statistic.round(4)
    np.float64(-2.9259)
    """
    mean, error, freedom = _averaged(resamples)
    return student(mean - against, error, freedom, alternative)


@method(gives="interval", **_MEAN)
def mean_se_w_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give W̿ ± z·s̄e_W, the mean difference over splittings and the average standard error of a single one.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> together = [[[[8]], [[4]]], [[[4]], [[20]]]]  # errors of A 8, of B 20, 4 together, of 40
    >>> held = Resamples([[[0.2]], [[0.5]]], 40, 60, Plan.parse("holdout(3/5)"), together=together, examples=100)
    >>> mean_se_w_interval(held).high.round(4)
    np.float64(-0.099)
    """
    mean, error, freedom = _averaged(resamples)
    return student_interval("mean-se-w", resamples, mean, error, freedom, alpha, side)


def _between(name: str, resamples: Resamples, *, of_mean: bool) -> tuple[FloatArray, FloatArray, float]:
    mean, deviation, runs = moments(pair_of_learners(name, resamples))
    return mean, deviation / np.sqrt(runs if of_mean else 1), np.inf


@method(gives="test", statistic="z", **_SE)
def splitting_se(resamples: Resamples, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test the mean difference over splittings by their standard error: a common mistake.

    z = W̿/(s/√N) over N splittings of one sample (Yang 2006, section 3.2).

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> splitting_se(held).pvalue.round(4)
    np.float64(0.009)
    """
    mean, error, freedom = _between("splitting-se", resamples, of_mean=True)
    return student(mean - against, error, freedom, alternative)


@method(gives="interval", **_SE)
def splitting_se_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give W̿ ± z·s/√N, as narrow as there are splittings.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> splitting_se_interval(held).high.round(4)
    np.float64(-0.0312)
    """
    mean, error, freedom = _between("splitting-se", resamples, of_mean=True)
    return student_interval("splitting-se", resamples, mean, error, freedom, alpha, side)


@method(gives="test", statistic="z", **_SD)
def splitting_sd(resamples: Resamples, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test the mean difference over splittings by their standard deviation: a common mistake.

    z = W̿/s over splittings of one sample (Yang 2006, section 3.2). It does not shrink as the splitting standard
    error does, but measures the splitting alone.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> splitting_sd(held).statistic.round(4)
    np.float64(-1.3056)
    """
    mean, error, freedom = _between("splitting-sd", resamples, of_mean=False)
    return student(mean - against, error, freedom, alternative)


@method(gives="interval", **_SD)
def splitting_sd_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give W̿ ± z·s, s the standard deviation over splittings.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> splitting_sd_interval(held).low.round(4)
    np.float64(-0.3127)
    """
    mean, error, freedom = _between("splitting-sd", resamples, of_mean=False)
    return student_interval("splitting-sd", resamples, mean, error, freedom, alpha, side)
