"""Plain t and z tests over splits or samples: valid if these are independent, and otherwise for comparison only."""

from __future__ import annotations

import numpy as np

from ...evidence import Resamples
from ..pivots import Student
from ..registry import EVERY_SOURCE, Standing, procedure
from .assumptions import (
    DISJOINT_TEST_SETS,
    INDEPENDENT_SAMPLES,
    LARGE_TEST_SETS,
    NOT_SELECTED,
    SPREAD_OF_DIFFERENCES,
    TRAINED_ON_SPLITS,
)
from .moments import fit_student, moments
from .required_plans import OF_TWO, T_OF_TWO, TRAINING_OVERLAPS, require_pair

_OF_DIETTERICH = T_OF_TWO | {"reference": "dietterich1998"}
_OF_SPLITTINGS = OF_TWO | {
    "sources_covered": (),  # only how one sample may be split
    "assumes": (SPREAD_OF_DIFFERENCES, NOT_SELECTED),
    "standing": Standing.FORBIDDEN,
    "statistic": "z",
    "reference": "yang2006",
}


@procedure(
    name="resampled-t",
    title="uncorrected resampled t",
    **_OF_DIETTERICH,
    sources_covered=(),  # splits of one sample share their examples: its error goes to 0 with their number
    assumes=(SPREAD_OF_DIFFERENCES, LARGE_TEST_SETS, NOT_SELECTED),
    standing=Standing.FORBIDDEN,
    rationale="ignores that random splits share their examples; the type I error rate is too high, and grows with the"
    " number of splits",
)
def resampled_t(resamples: Resamples) -> Student:
    """Student's t test and interval for the mean difference over random splits, as if independent: a common mistake.

    Notes
    -----
    t = d̄√J/s with J − 1 degrees of freedom, thirty splits of two thirds and one third in the paper
    (Dietterich 1998, section 3.3). The interval d̄ ± t·s/√J goes to 0 with the number of splits.

    Examples
    --------
    >>> splits = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> resampled_t(splits).test().statistic.round(4), resampled_t(splits).interval().low.round(4)
    (np.float64(-2.6112), np.float64(-0.2773))
    """
    return _fit_plain_t("resampled-t", resamples)


@procedure(
    name="kfold-t",
    title="k-fold t",
    **_OF_DIETTERICH | TRAINING_OVERLAPS,
    assumes=(SPREAD_OF_DIFFERENCES, DISJOINT_TEST_SETS, *TRAINED_ON_SPLITS),
    standing=Standing.HEURISTIC,
    rationale="training sets overlap, so the type I error rate is up to twice alpha; for when a missed difference is"
    " the worse error",
    interval={"reference": "mitchell1997"},
)
def kfold_t(resamples: Resamples) -> Student:
    """Student's t test and interval for the mean difference over the folds of one cross-validation.

    Notes
    -----
    t = d̄√k/s with k − 1 degrees of freedom (Dietterich 1998, section 3.4). Test sets are disjoint, but any two
    training sets of a 10-fold cross-validation share eight ninths of their examples. The interval is
    δ̄ ± t·√(Σ(δ − δ̄)²/(k(k − 1))) (Mitchell 1997, equations 5.17, 5.18).

    Examples
    --------
    >>> folds = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4-fold")
    >>> kfold_t(folds).test().pvalue.round(4), kfold_t(folds).interval(alpha=0.1).high.round(4)
    (np.float64(0.0796), np.float64(-0.0123))
    """
    return _fit_plain_t("kfold-t", resamples)


@procedure(
    name="paired-t",
    title="paired t",
    **T_OF_TWO,
    sources_covered=EVERY_SOURCE,
    assumes=(SPREAD_OF_DIFFERENCES, INDEPENDENT_SAMPLES, LARGE_TEST_SETS, NOT_SELECTED),
    needs_independent_samples=True,
    standing=Standing.RECOMMENDED,
    rationale="differences from independent samples are independent, as Student's t assumes",
    validity="independent samples, each with test data of its own",
    reference="martin1996",
)
def paired_t(resamples: Resamples) -> Student:
    """Student's t test and interval for the mean difference over independent samples, each with its own test data.

    It is the method of choice if there are enough data.

    Notes
    -----
    t = x̄/(s(x)/√η) with η − 1 degrees of freedom over η samples (Martin and Hirschberg 1996, section 3.3).

    Examples
    --------
    >>> samples = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="independent")
    >>> paired_t(samples).test(alternative="less").pvalue.round(4), paired_t(samples).interval().high.round(4)
    (np.float64(0.0398), np.float64(0.0273))
    """
    return _fit_plain_t("paired-t", resamples)


def _fit_plain_t(name: str, resamples: Resamples) -> Student:
    """Return Student's t of the mean difference, with the error s/√J and J − 1 degrees of freedom."""
    mean, deviation, runs = moments(require_pair(name, resamples))
    return fit_student(resamples, mean, deviation / np.sqrt(runs), runs - 1)


# --- Splits of one sample --------------------------------------------------------------------------


@procedure(
    name="splitting-se",
    title="standard error over splits",
    **_OF_SPLITTINGS,
    rationale="uses the standard error of the mean over splits of one sample, which goes to 0 with the number of"
    " splits, so that any difference becomes significant",
)
def splitting_se(resamples: Resamples) -> Student:
    """Wald test and interval for the mean difference over splits, by their standard error: a common mistake.

    Notes
    -----
    z = m/(s/√N), with the mean m and the standard deviation s of the differences over N splits of one sample (Yang
    2006, section 3.2). The width of the interval goes to 0 with N.

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
    title="standard deviation over splits",
    **_OF_SPLITTINGS,
    rationale="measures the variation between splits of one sample, not between samples",
)
def splitting_sd(resamples: Resamples) -> Student:
    """Wald test and interval for the mean difference over splits, by their standard deviation: a common mistake.

    Notes
    -----
    z = m/s, with the mean m and the standard deviation s of the differences over splits of one sample (Yang 2006,
    section 3.2). s does not go to 0 as the standard error does, but measures the split-to-split variability alone.

    Examples
    --------
    >>> splits = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> splitting_sd(splits).test().statistic.round(4), splitting_sd(splits).interval().low.round(4)
    (np.float64(-1.3056), np.float64(-0.3127))
    """
    mean, deviation, _ = moments(require_pair("splitting-sd", resamples))
    return fit_student(resamples, mean, deviation, np.inf)
