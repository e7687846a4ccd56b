"""Many random splittings of one sample: Yang's interval that holds, and the two standard errors that do not."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...evidence import Resamples
from ..pivots import Student
from ..registry import ONE_TEST_SET, Standing, procedure
from .assumptions import (
    DISAGREEMENTS_PER_TEST_SET,
    NOT_CHOSEN,
    SPREAD_INSIDE_TEST_SETS,
    SPREAD_OF_DIFFERENCES,
    TRAINED_ON_SPLITS,
)
from .moments import fit_student, mean_of_splits, moments, variance_within
from .required_plans import OF_TWO, require_pair

_FACTS: dict[str, Any] = OF_TWO | {"statistic": "z", "reference": "yang2006"}
_FORBIDDEN: dict[str, Any] = _FACTS | {
    "covers": (),  # only how one sample may be split
    "assumes": (SPREAD_OF_DIFFERENCES, NOT_CHOSEN),
    "standing": Standing.FORBIDDEN,
}


@procedure(
    name="mean-se-w",
    **_FACTS,
    covers=ONE_TEST_SET,  # its standard error is that inside a test set
    assumes=(SPREAD_INSIDE_TEST_SETS, DISAGREEMENTS_PER_TEST_SET, *TRAINED_ON_SPLITS),
    standing=Standing.SOUND,
    because="valid, and conservative: the error of one splitting is taken for that of the mean of many",
    holds="test sets with 10 disagreements or more",
    where={"disagreements": (10, inf)},
)
def mean_se_w(resamples: Resamples) -> Student:
    """Wald test and interval for the mean difference over splittings, by the average standard error of a single one.

    z = W̿/s̄e_W, where W is loss(A) − loss(B) on an example and se_W = sd_W/√n_test in each splitting, with sd_W² the
    sum of squares over n_test − 1 (Yang 2006, sections 3.1 and 3.3). It needs predictions, for it looks into every test
    set; one splitting is enough.

    Examples
    --------
    >>> from tellapart.evidence.plan import Plan
    >>> together = [[[[8]], [[4]]], [[[4]], [[20]]]]  # errors of A 8, of B 20, 4 together, of 40
    >>> split = Resamples([[[0.2]], [[0.5]]], 40, 60, Plan.parse("holdout(3/5)"), together=together, examples=100)
    >>> mean_se_w(split).test().statistic.round(4), mean_se_w(split).interval().high.round(4)
    (np.float64(-2.9259), np.float64(-0.099))
    """
    require_pair("mean-se-w", resamples, least=1)
    # sd_W²/n with sd_W² = Σ(W − W̄)²/(n − 1), as Yang has it; a test set of one example has no spread inside.
    errors = np.sqrt(variance_within(resamples) / np.maximum(resamples.test - 1, 1))
    return fit_student(resamples, mean_of_splits(resamples), errors.mean(axis=(-2, -1)), np.inf)


@procedure(
    name="splitting-se",
    **_FORBIDDEN,
    because="it tells how far the mean over all splittings is known, not how far the difference is: with more"
    " splittings it goes to 0, and proves any difference",
)
def splitting_se(resamples: Resamples) -> Student:
    """Wald test and interval for the mean difference over splittings, by their standard error: a common mistake.

    z = W̿/(s/√N) over N splittings of one sample (Yang 2006, section 3.2). The interval is as narrow as there are
    splittings.

    Examples
    --------
    >>> splits = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> splitting_se(splits).test().pvalue.round(4), splitting_se(splits).interval().high.round(4)
    (np.float64(0.009), np.float64(-0.0312))
    """
    mean, deviation, runs = moments(require_pair("splitting-se", resamples))
    return fit_student(resamples, mean, deviation / np.sqrt(runs), np.inf)


@procedure(
    name="splitting-sd",
    **_FORBIDDEN,
    because="it measures how splittings of one sample differ, which has little to do with how samples do",
)
def splitting_sd(resamples: Resamples) -> Student:
    """Wald test and interval for the mean difference over splittings, by their standard deviation: a common mistake.

    z = W̿/s over splittings of one sample (Yang 2006, section 3.2). It does not shrink as the splitting standard
    error does, but measures the splitting alone.

    Examples
    --------
    >>> splits = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> splitting_sd(splits).test().statistic.round(4), splitting_sd(splits).interval().low.round(4)
    (np.float64(-1.3056), np.float64(-0.3127))
    """
    mean, deviation, _ = moments(require_pair("splitting-sd", resamples))
    return fit_student(resamples, mean, deviation, np.inf)
