"""Plain t and z tests over splits or samples: right where these are independent, and elsewhere kept to be measured."""

from __future__ import annotations

import numpy as np

from ...evidence import Resamples
from ..pivots import Student
from ..registry import EVERY_SOURCE, Standing, procedure
from .assumptions import (
    DISJOINT_TEST_SETS,
    INDEPENDENT_SAMPLES,
    LARGE_TEST_SETS,
    NOT_CHOSEN,
    SPREAD_OF_DIFFERENCES,
    TRAINED_ON_SPLITS,
)
from .moments import fit_student, moments
from .required_plans import OF_TWO, T_OF_TWO, TRAINING_OVERLAPS, require_pair

_OF_DIETTERICH = T_OF_TWO | {"reference": "dietterich1998"}
_OF_SPLITTINGS = OF_TWO | {
    "sources_covered": (),  # only how one sample may be split
    "assumes": (SPREAD_OF_DIFFERENCES, NOT_CHOSEN),
    "standing": Standing.FORBIDDEN,
    "statistic": "z",
    "reference": "yang2006",
}


@procedure(
    name="resampled-t",
    **_OF_DIETTERICH,
    sources_covered=(),  # splits of one sample share test and training sets: more of them shrink it at will
    assumes=(SPREAD_OF_DIFFERENCES, LARGE_TEST_SETS, NOT_CHOSEN),
    standing=Standing.FORBIDDEN,
    rationale="random splits share their examples, so their differences are not independent: it finds differences"
    " where there are none, and the more splits the more often",
)
def resampled_t(resamples: Resamples) -> Student:
    """Student's t test and interval for the mean difference over random splits, as if independent: a common mistake.

    t = d̄√J/s with J − 1 degrees of freedom, thirty splits of two thirds and one third in the paper
    (Dietterich 1998, section 3.3). The interval is d̄ ± t·s/√J: more splits shrink it at will.

    Examples
    --------
    >>> splits = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> resampled_t(splits).test().statistic.round(4), resampled_t(splits).interval().low.round(4)
    (np.float64(-2.6112), np.float64(-0.2773))
    """
    return _fit_plain_t("resampled-t", resamples)


@procedure(
    name="kfold-t",
    **_OF_DIETTERICH | TRAINING_OVERLAPS,
    assumes=(SPREAD_OF_DIFFERENCES, DISJOINT_TEST_SETS, *TRAINED_ON_SPLITS),
    standing=Standing.HEURISTIC,
    rationale="training sets overlap, so it finds differences up to twice as often as alpha says; for when missing"
    " one is the worse error",
    interval={"reference": "mitchell1997"},
)
def kfold_t(resamples: Resamples) -> Student:
    """Student's t test and interval for the mean difference over the folds of one cross-validation.

    t = d̄√k/s with k − 1 degrees of freedom (Dietterich 1998, section 3.4). Test sets are disjoint, but any
    two training sets of a 10-fold cross-validation share eight ninths of their examples. The interval is
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
    **T_OF_TWO,
    sources_covered=EVERY_SOURCE,
    assumes=(SPREAD_OF_DIFFERENCES, INDEPENDENT_SAMPLES, LARGE_TEST_SETS, NOT_CHOSEN),
    needs_independent_samples=True,
    standing=Standing.RECOMMENDED,
    rationale="samples that share nothing have independent differences, as Student's t supposes",
    validity="independent samples, each with test data of its own",
    reference="martin1996",
)
def paired_t(resamples: Resamples) -> Student:
    """Student's t test and interval for the mean difference over samples that share nothing, not even test data.

    t = x̄/(s(x)/√η) with η − 1 degrees of freedom over η samples (Martin and Hirschberg 1996, section 3.3):
    the method to compare learners where data allow it.

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


# --- Splittings of one sample ---------------------------------------------------------------------


@procedure(
    name="splitting-se",
    **_OF_SPLITTINGS,
    rationale="it tells how far the mean over all splittings is known, not how far the difference is: with more"
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
    **_OF_SPLITTINGS,
    rationale="it measures how splittings of one sample differ, which has little to do with how samples do",
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
