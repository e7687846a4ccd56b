"""Plain t and z tests over splits or samples: right where these are independent, and elsewhere kept to be measured."""

from __future__ import annotations

from math import inf

import numpy as np

from ...evidence import Resamples
from ...numerics.distributions import ratio
from ...numerics.rounding import without_rounding
from ...results import TestResult
from ...typing_ import Alternative, FloatArray
from ..loss_scale import scale
from ..pivots import Student
from ..registry import EVERY_SOURCE, Standing, procedure, test
from .assumptions import (
    AS_MANY_RUNS,
    DISJOINT_TEST_SETS,
    INDEPENDENT_SAMPLES,
    LARGE_TEST_SETS,
    NOT_CHOSEN,
    SEEDS_HAVE_SPREAD,
    SPREAD_OF_DIFFERENCES,
    TOP_AGREES_WITH_MEAN,
    TRAINED_ON_SPLITS,
    UNPAIRED_RUNS,
)
from .moments import fit_student, moments, moments_of_each, sign_of
from .required_plans import AS_TRAINED, OF_TWO, T_OF_TWO, as_position, require_pair, require_paired_folds

_OF_DIETTERICH = T_OF_TWO | {"reference": "dietterich1998"}
_OF_SPLITTINGS = OF_TWO | {
    "covers": (),  # only how one sample may be split
    "assumes": (SPREAD_OF_DIFFERENCES, NOT_CHOSEN),
    "standing": Standing.FORBIDDEN,
    "statistic": "z",
    "reference": "yang2006",
}
_OF_SEEDS = T_OF_TWO | {"covers": ("learner",), "standing": Standing.SOUND}


@procedure(
    name="resampled-t",
    **_OF_DIETTERICH,
    covers=(),  # splits of one sample share test and training sets: more of them shrink it at will
    assumes=(SPREAD_OF_DIFFERENCES, LARGE_TEST_SETS, NOT_CHOSEN),
    standing=Standing.FORBIDDEN,
    because="random splits share their examples, so their differences are not independent: it finds differences"
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
    **_OF_DIETTERICH | AS_TRAINED,
    assumes=(SPREAD_OF_DIFFERENCES, DISJOINT_TEST_SETS, *TRAINED_ON_SPLITS),
    standing=Standing.HEURISTIC,
    because="training sets overlap, so it finds differences up to twice as often as alpha says; for when missing"
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
    covers=EVERY_SOURCE,
    assumes=(SPREAD_OF_DIFFERENCES, INDEPENDENT_SAMPLES, LARGE_TEST_SETS, NOT_CHOSEN),
    needs_independent_samples=True,
    standing=Standing.RECOMMENDED,
    because="samples that share nothing have independent differences, as Student's t supposes",
    holds="independent samples, each with test data of its own",
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
    **_OF_SPLITTINGS,
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


# --- Runs that are not paired ---------------------------------------------------------------------


@procedure(
    name="unpaired-t",
    **_OF_SEEDS,
    assumes=(SEEDS_HAVE_SPREAD, AS_MANY_RUNS, UNPAIRED_RUNS, NOT_CHOSEN),
    because="right for runs of A and B that share nothing but the task; on paired data it misses differences",
    holds="as many runs of A as of B, whose variances do not differ much",
    where={"ratio": (1, 1), "spreads": (0.5, 2)},
    reference="martin1996",
)
def unpaired_t(resamples: Resamples) -> Student:
    """Two-sample t test and interval for the difference of mean losses over runs that share nothing (plan "seeds").

    t = x̄/√((s_A² + s_B²)/η) for η runs of each (Martin and Hirschberg 1996, section 3.3), and Student's two-sample t,
    with one variance pooled from both, where their numbers differ. On samples that both learners met it
    overestimates the error, and seven of thirty-five decisions of the paper came out wrong. It has η_A + η_B − 2
    degrees of freedom, the paper's η − 1.

    Examples
    --------
    >>> seeds = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="seeds")
    >>> unpaired_t(seeds).test().pvalue.round(4), unpaired_t(seeds).interval().high.round(4)
    (np.float64(0.0401), np.float64(-0.0079))
    """
    mean, deviation, runs = moments_of_each("unpaired-t", resamples)
    degrees = runs.sum(axis=-1) - 2
    pooled = np.hypot(*np.moveaxis(deviation * np.sqrt(runs - 1), -1, 0)) / np.sqrt(degrees)
    return fit_student(resamples, _subtract(resamples, mean), pooled * np.sqrt((1 / runs).sum(axis=-1)), degrees)


@procedure(
    name="welch",
    **_OF_SEEDS,
    assumes=(SEEDS_HAVE_SPREAD, UNPAIRED_RUNS, NOT_CHOSEN),
    because="needs neither as many runs of one as of the other nor equal variances",
    holds="5 runs or more of each learner",
    where={"runs": (5, inf)},
    reference="welch1947",
)
def welch(resamples: Resamples) -> Student:
    """Welch's t test and interval for the difference of mean losses over seeds, as many of each as there are.

    t = (x̄_A − x̄_B)/√(s_A²/n_A + s_B²/n_B) with Welch's degrees of freedom. All runs share one test set (and one
    training set, if only the seed changed), and the answer is about these alone.

    Examples
    --------
    >>> seeds = Resamples.from_scores([0.80, 0.74, 0.90, 0.82, 0.79], [0.70, 0.71, 0.72], plan="seeds")
    >>> result = welch(seeds).test()
    >>> result.statistic.round(3), result.pvalue.round(4), welch(seeds).interval().high.round(4)
    (np.float64(-3.744), np.float64(0.017), np.float64(-0.0283))
    """
    mean, deviation, runs = moments_of_each("welch", resamples)
    errors = deviation / np.sqrt(runs)
    error = np.hypot(errors[..., 0], errors[..., 1])
    # Without any spread the degrees of freedom are 0/0 and do not matter.
    share = ratio(errors, error[..., None], empty=0.5) ** 2
    return fit_student(resamples, _subtract(resamples, mean), error, 1 / (share**2 / (runs - 1)).sum(axis=-1))


def _subtract(resamples: Resamples, mean: FloatArray) -> FloatArray:
    return without_rounding(mean[..., 0] - mean[..., 1], scale(resamples))


# --- Dietterich's first cure ----------------------------------------------------------------------


@test(
    name="single-fold-t",
    **_OF_DIETTERICH | AS_TRAINED,
    assumes=(SPREAD_OF_DIFFERENCES, LARGE_TEST_SETS, TOP_AGREES_WITH_MEAN, NOT_CHOSEN),
    standing=Standing.HEURISTIC,
    because="the difference of one fold alone is judged by the spread of all: well-behaved in the paper's experiments,"
    " but weak, and which fold is arbitrary",
)
def single_fold_t(resamples: Resamples, *, alternative: Alternative = "two-sided", fold: int = 1) -> TestResult:
    """Test by the difference of a single fold, over the standard deviation of all folds' differences.

    t = p_j/√(Σ(p_i − p̄)²/(k − 1)) with k − 1 degrees of freedom: the step that led to the 5x2cv test, for
    the mean over folds was found to be what makes the k-fold t too large (Dietterich 1998, section 3.5; the
    formula is read from the text, which prints none).

    Parameters
    ----------
    resamples
        The losses of two learners by one k-fold cross-validation.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    fold
        Which fold stands on top, counted from 1.

    Examples
    --------
    >>> folds = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4-fold")
    >>> single_fold_t(folds).statistic.round(4), single_fold_t(folds, fold=3).statistic.round(4)
    (np.float64(-1.0445), np.float64(-2.0889))
    """
    require_paired_folds("single-fold-t", resamples, once=True, instead="5x2cv-t")
    position = as_position("fold", fold, resamples.loss.shape[-1])
    _, deviation, runs = moments(resamples)
    top = without_rounding(resamples.values[..., 0, position], scale(resamples))
    return fit_student(resamples, top, deviation, runs - 1, chooses=sign_of(top)).test(0.0, alternative)
