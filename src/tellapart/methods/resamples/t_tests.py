"""Plain t tests over splits or samples: right where these are independent, and elsewhere kept to be measured."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import Resamples
from ...numerics.distributions import ratio
from ...numerics.rounding import unit, without_rounding
from ...results import Interval, TestResult
from ...typing_ import Alternative, FloatArray, Numbers, Side
from ..loss_scale import scale
from ..registry import EVERY_SOURCE, Standing, method
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
from .common import as_place, folds_only, pair_of_learners, speaking_for, two_learners
from .moments import moments, student, student_interval

_COMMON: dict[str, Any] = {"question": 8, "evidence": Resamples, "parameter": "difference"}
_RESAMPLED: dict[str, Any] = _COMMON | {
    "name": "resampled-t",
    "covers": (),  # splits of one sample share test and training sets: more of them shrink it at will
    "assumes": (SPREAD_OF_DIFFERENCES, LARGE_TEST_SETS, NOT_CHOSEN),
    "standing": Standing.FORBIDDEN,
    "because": "random splits share their examples, so their differences are not independent: it finds differences"
    " where there are none, and the more splits the more often",
    "reference": "dietterich1998",
}
_KFOLD: dict[str, Any] = _COMMON | {
    "name": "kfold-t",
    # Training sets overlap, so how much they vary is not seen in full (Dietterich 1998, section 3).
    "covers": ("test data", "learner", "labels"),
    "assumes": (SPREAD_OF_DIFFERENCES, DISJOINT_TEST_SETS, *TRAINED_ON_SPLITS),
    "standing": Standing.HEURISTIC,
    "because": "training sets overlap, so it finds differences up to twice as often as alpha says; for when missing"
    " one is the worse error",
    "reference": "dietterich1998",
}
_PAIRED: dict[str, Any] = _COMMON | {
    "name": "paired-t",
    "covers": EVERY_SOURCE,
    "assumes": (SPREAD_OF_DIFFERENCES, INDEPENDENT_SAMPLES, LARGE_TEST_SETS, NOT_CHOSEN),
    "standing": Standing.RECOMMENDED,
    "because": "samples that share nothing have independent differences, as Student's t supposes",
    "holds": "independent samples, each with test data of its own",
    "reference": "martin1996",
}
_UNPAIRED: dict[str, Any] = _COMMON | {
    "name": "unpaired-t",
    "covers": ("learner",),
    "assumes": (SEEDS_HAVE_SPREAD, AS_MANY_RUNS, UNPAIRED_RUNS, NOT_CHOSEN),
    "standing": Standing.SOUND,
    "because": "right for runs of A and B that share nothing but the task; on paired data it misses differences",
    "holds": "as many runs of A as of B, whose variances do not differ much",
    "where": {"ratio": (1, 1), "spreads": (0.5, 2)},
    "reference": "martin1996",
}
_WELCH: dict[str, Any] = _COMMON | {
    "name": "welch",
    "covers": ("learner",),
    "assumes": (SEEDS_HAVE_SPREAD, UNPAIRED_RUNS, NOT_CHOSEN),
    "standing": Standing.SOUND,
    "because": "needs neither as many runs of one as of the other nor equal variances",
    "holds": "5 runs or more of each learner",
    "where": {"runs": (5, inf)},
    "reference": "welch1947",
}


def _plain(name: str, resamples: Resamples) -> tuple[FloatArray, FloatArray, int]:
    """Return the mean difference, s/√J and J − 1."""
    mean, deviation, runs = moments(pair_of_learners(name, resamples))
    return mean, deviation / np.sqrt(runs), runs - 1


@method(gives="test", statistic="t", **_RESAMPLED)
def resampled_t(resamples: Resamples, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test the mean difference over random splits as if they were independent: a common mistake.

    t = d̄√J/s with J − 1 degrees of freedom, thirty splits of two thirds and one third in the paper
    (Dietterich 1998, section 3.3).

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> resampled_t(held).statistic.round(4)
    np.float64(-2.6112)
    """
    mean, error, freedom = _plain("resampled-t", resamples)
    return student(mean - against, error, freedom, alternative)


@method(gives="interval", **_RESAMPLED)
def resampled_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give d̄ ± t·s/√J over random splits as if they were independent: more splits shrink it at will.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> resampled_interval(held).low.round(4)
    np.float64(-0.2773)
    """
    mean, error, freedom = _plain("resampled-t", resamples)
    return student_interval("resampled-t", resamples, mean, error, freedom, alpha, side)


@method(gives="test", statistic="t", **_KFOLD)
def kfold_t(resamples: Resamples, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test the mean difference over the folds of one cross-validation.

    t = d̄√k/s with k − 1 degrees of freedom (Dietterich 1998, section 3.4). Test sets are disjoint, but any
    two training sets of a 10-fold cross-validation share eight ninths of their examples.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4-fold")
    >>> kfold_t(held).pvalue.round(4)
    np.float64(0.0796)
    """
    mean, error, freedom = _plain("kfold-t", resamples)
    return student(mean - against, error, freedom, alternative)


@method(gives="interval", **_KFOLD | {"reference": "mitchell1997"})
def kfold_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give δ̄ ± t·√(Σ(δ − δ̄)²/(k(k − 1))) over the folds of one cross-validation (Mitchell 1997, equations 5.17, 5.18).

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4-fold")
    >>> kfold_interval(held, alpha=0.1).high.round(4)
    np.float64(-0.0123)
    """
    mean, error, freedom = _plain("kfold-t", resamples)
    return student_interval("kfold-t", resamples, mean, error, freedom, alpha, side)


@method(gives="test", statistic="t", **_PAIRED)
def paired_t(resamples: Resamples, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test the mean difference over samples that share nothing, each with test data of its own.

    t = x̄/(s(x)/√η) with η − 1 degrees of freedom over η samples (Martin and Hirschberg 1996, section 3.3):
    the method to compare learners where data allow it.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="independent")
    >>> paired_t(held, alternative="less").pvalue.round(4)
    np.float64(0.0398)
    """
    mean, error, freedom = _plain("paired-t", resamples)
    return student(mean - against, error, freedom, alternative)


@method(gives="interval", **_PAIRED)
def paired_t_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the differences that the paired t test over independent samples leaves standing.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="independent")
    >>> paired_t_interval(held).high.round(4)
    np.float64(0.0273)
    """
    mean, error, freedom = _plain("paired-t", resamples)
    return student_interval("paired-t", resamples, mean, error, freedom, alpha, side)


# --- Runs that are not paired ---------------------------------------------------------------------


def of_each(name: str, resamples: Resamples) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean, standard deviation and number of the runs of A and of B, along the last dimension."""
    two_learners(name, resamples)
    size = scale(resamples)
    one = unit(size)
    loss = resamples.loss.reshape(*resamples.loss.shape[:-2], -1) / one[..., None, None]
    runs = np.isfinite(loss).sum(axis=-1)
    if runs.min() < 2:
        raise InvalidEvidence(
            f"method {name!r} needs two runs or more of each learner, but one has {runs.min()}: a single run tells"
            " nothing of the spread. Run it with more seeds."
        )
    known = np.isfinite(loss)
    mean = np.where(known, loss, 0).sum(axis=-1) / runs
    apart = np.where(known, loss - mean[..., None], 0)
    deviation = np.sqrt((apart**2).sum(axis=-1) / (runs - 1))
    own = one[..., None]
    return mean * own, without_rounding(deviation * own, size[..., None]), runs.astype(float)


def _apart(resamples: Resamples, mean: FloatArray) -> FloatArray:
    return without_rounding(mean[..., 0] - mean[..., 1], scale(resamples))


@method(gives="test", statistic="t", **_UNPAIRED)
def unpaired_t(resamples: Resamples, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test the difference of two learners' mean losses over runs that share nothing (plan "seeds").

    t = x̄/√((s_A² + s_B²)/η) for η runs of each (Martin and Hirschberg 1996, section 3.3), and Student's two-sample t,
    with one variance pooled from both, where their numbers differ. On samples that both learners met it
    overestimates the error, and seven of thirty-five decisions of the paper came out wrong. It has η_A + η_B − 2
    degrees of freedom, the paper's η − 1.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="seeds")
    >>> unpaired_t(held).pvalue.round(4)
    np.float64(0.0401)
    """
    mean, error, degrees = _unpaired(resamples)
    return student(mean - against, error, degrees, alternative)


@method(gives="interval", **_UNPAIRED)
def unpaired_t_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the differences that the unpaired t test leaves standing.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="seeds")
    >>> unpaired_t_interval(held).high.round(4)
    np.float64(-0.0079)
    """
    mean, error, degrees = _unpaired(resamples)
    return student_interval("unpaired-t", resamples, mean, error, degrees, alpha, side)


def _unpaired(resamples: Resamples) -> tuple[FloatArray, FloatArray, Numbers]:
    """Return the difference of the means, its error by one variance pooled from both, and its degrees of freedom."""
    mean, deviation, runs = of_each("unpaired-t", resamples)
    degrees = runs.sum(axis=-1) - 2
    pooled = np.hypot(*np.moveaxis(deviation * np.sqrt(runs - 1), -1, 0)) / np.sqrt(degrees)
    return _apart(resamples, mean), pooled * np.sqrt((1 / runs).sum(axis=-1)), degrees


@method(gives="test", statistic="t", **_WELCH)
def welch(resamples: Resamples, *, against: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
    """Test the difference of two learners' mean losses over seeds, as many of each as there are.

    t = (x̄_A − x̄_B)/√(s_A²/n_A + s_B²/n_B) with Welch's degrees of freedom. All runs share one test set (and one
    training set, if only the seed changed), and the answer is about these alone.

    Examples
    --------
    >>> held = Resamples.from_scores([0.80, 0.74, 0.90, 0.82, 0.79], [0.70, 0.71, 0.72], plan="seeds")
    >>> found = welch(held)
    >>> found.statistic.round(3), found.pvalue.round(4)
    (np.float64(-3.744), np.float64(0.017))
    """
    mean, error, degrees = _by_welch(resamples)
    return student(mean - against, error, degrees, alternative)


@method(gives="interval", **_WELCH)
def welch_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the differences that Welch's t test over seeds leaves standing.

    Examples
    --------
    >>> held = Resamples.from_scores([0.80, 0.74, 0.90, 0.82, 0.79], [0.70, 0.71, 0.72], plan="seeds")
    >>> welch_interval(held).high.round(4)
    np.float64(-0.0283)
    """
    mean, error, degrees = _by_welch(resamples)
    return student_interval("welch", resamples, mean, error, degrees, alpha, side)


def _by_welch(resamples: Resamples) -> tuple[FloatArray, FloatArray, FloatArray]:
    mean, deviation, runs = of_each("welch", resamples)
    each = deviation / np.sqrt(runs)
    error = np.hypot(each[..., 0], each[..., 1])
    # Without any spread the freedom is 0/0 and does not matter: student() says what follows.
    share = ratio(each, error[..., None], empty=0.5) ** 2
    degrees = 1 / (share**2 / (runs - 1)).sum(axis=-1)
    return _apart(resamples, mean), error, degrees


# --- Dietterich's first cure ----------------------------------------------------------------------


@method(
    name="single-fold-t",
    covers=("test data", "learner", "labels"),  # as kfold-t
    gives="test",
    **_COMMON,
    assumes=(SPREAD_OF_DIFFERENCES, LARGE_TEST_SETS, TOP_AGREES_WITH_MEAN, NOT_CHOSEN),
    standing=Standing.HEURISTIC,
    because="the difference of one fold alone is judged by the spread of all: well-behaved in the paper's experiments,"
    " but weak, and which fold is arbitrary",
    statistic="t",
    reference="dietterich1998",
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
    >>> held = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4-fold")
    >>> single_fold_t(held).statistic.round(4), single_fold_t(held, fold=3).statistic.round(4)
    (np.float64(-1.0445), np.float64(-2.0889))
    """
    name = "single-fold-t"
    folds_only(name, pair_of_learners(name, resamples), once=True, instead="5x2cv-t")
    place = as_place("fold", fold, resamples.loss.shape[-1])
    _, deviation, runs = moments(resamples)
    top = without_rounding(resamples.values[..., 0, place], scale(resamples))
    return speaking_for(top, student(top, deviation, runs - 1, alternative))
