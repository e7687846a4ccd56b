"""One difference over the spread of many: Dietterich's single fold and 5x2cv t, and Alpaydın's F of all differences."""

from __future__ import annotations

import numpy as np

from ...errors import InvalidOption
from ...evidence import Resamples
from ...numerics.distributions import ratio
from ...numerics.rounding import without_rounding
from ...results import TestResult
from ...typing_ import Alternative, one_of
from ..loss_scale import scale
from ..registry import EVERY_SOURCE, Standing, test
from .assumptions import (
    FIVE_REPLICATES,
    HALVES_HAVE_SPREAD,
    LARGE_TEST_SETS,
    NO_WILD_SWINGS,
    NOT_CHOSEN,
    SMOOTH_LEARNING_CURVE,
    SPREAD_OF_DIFFERENCES,
    TOP_AGREES_WITH_MEAN,
)
from .moments import fit_student, moments, moments_of_halves, sign_of
from .required_plans import OF_TWO, T_OF_TWO, TRAINING_OVERLAPS, as_position, require_paired_folds

_FACTS = OF_TWO | {
    "sources_covered": EVERY_SOURCE,
    "assumes": (
        HALVES_HAVE_SPREAD,
        FIVE_REPLICATES,
        LARGE_TEST_SETS,
        NO_WILD_SWINGS,
        SMOOTH_LEARNING_CURVE,
        NOT_CHOSEN,
    ),
    "standing": Standing.SOUND,
    "validity": "stable learners (no nearest neighbours), five replicates, with halves of 30 examples or more",
    "where": {"stable": (1, 1), "test": (30, np.inf)},
}


@test(
    name="single-fold-t",
    **T_OF_TWO | TRAINING_OVERLAPS,
    assumes=(SPREAD_OF_DIFFERENCES, LARGE_TEST_SETS, TOP_AGREES_WITH_MEAN, NOT_CHOSEN),
    standing=Standing.HEURISTIC,
    reference="dietterich1998",
    rationale="the difference of one fold alone is judged by the spread of all: well-behaved in the paper's experiments,"
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


@test(
    name="5x2cv-t",
    **_FACTS | {"assumes": (TOP_AGREES_WITH_MEAN, *_FACTS["assumes"])},
    rationale="ten fits of each learner, and false alarms are rarer than alpha (0.028 for 0.05), but with nearest"
    " neighbours, which err on both halves alike, more than twice as frequent; which of the ten differences stands on"
    " top is arbitrary, and the answer hangs on it",
    note=lambda numerator=(1, 1), **_: f"difference of replicate {numerator[0]}, half {numerator[1]}",
    statistic="t",
    reference="dietterich1998",
)
def five_by_two_t(
    resamples: Resamples, *, alternative: Alternative = "two-sided", numerator: tuple[int, int] = (1, 1)
) -> TestResult:
    """Test by the difference of one half, over the spread between the halves of all replicates.

    t = p₁⁽¹⁾/√(Σs²/r) with r degrees of freedom, r = 5 replicates in the paper (Dietterich 1998, section 3.5).
    The numerator is also part of s₁², so t does not follow Student's distribution even if the ten
    differences are independent and normal: the true two-sided size at 0.05 is 0.028. Other numbers of
    replicates are taken, but fewer or more than five raised the type I error in the paper's experiments.

    Parameters
    ----------
    resamples
        The losses of two learners by replicates of two folds.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    numerator
        Which difference stands on top: replicate and half, each counted from 1.

    Examples
    --------
    >>> a = [[0.75, 0.72], [0.78, 0.74], [0.73, 0.76], [0.77, 0.70], [0.74, 0.75]]
    >>> b = [[0.71, 0.71], [0.72, 0.73], [0.74, 0.72], [0.71, 0.70], [0.72, 0.70]]
    >>> result = five_by_two_t(Resamples.from_scores(a, b, plan="5x2"))
    >>> result.statistic.round(4), result.pvalue.round(4)
    (np.float64(-1.2403), np.float64(0.2699))
    """
    differences, variances = moments_of_halves("5x2cv-t", resamples)
    if not (isinstance(numerator, tuple | list) and len(numerator) == 2):
        raise InvalidOption(f"numerator must be a replicate and a half, such as (1, 1), but is {numerator!r}.")
    replicate = as_position("numerator's replicate", numerator[0], differences.shape[-2])
    half = as_position("numerator's half", numerator[1], 2)
    top, error = differences[..., replicate, half], np.sqrt(variances.mean(axis=-1))
    return fit_student(resamples, top, error, differences.shape[-2], chooses=sign_of(top)).test(0.0, alternative)


@test(
    name="5x2cv-f",
    **_FACTS,
    rationale="all ten differences count, so it is less of a lottery than the t; false alarms are far rarer than alpha"
    " (0.0175 for 0.05), but not with nearest neighbours, which err on both halves alike",
    note=lambda exact=False, **_: "by its exact distribution for normal differences" if exact else "",
    statistic="F",
    reference="alpaydin1999",
)
def five_by_two_f(resamples: Resamples, *, alternative: Alternative = "two-sided", exact: bool = False) -> TestResult:
    """Test by the squares of all differences, over the spread between the halves of all replicates.

    F = ΣΣp²/(2Σs²) against F with 2r and r degrees of freedom, F(10, 5) for five replicates. As p₁² + p₂² =
    s² + (p₁ + p₂)²/2, and the two terms are independent for normal differences, F is then
    exactly ½ + ½·F(r, r): the true size of Alpaydın's 5 % point 4.735 is 0.0175, and the exact point is 3.025.
    One-sided, half the p-value counts where the mean points that way.

    Parameters
    ----------
    resamples
        The losses of two learners by replicates of two folds.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    exact
        Take the p-value from ½ + ½·F(r, r) instead. That is exact for independent normal differences,
        which those of real learners are not.

    Examples
    --------
    >>> a = [[0.75, 0.72], [0.78, 0.74], [0.73, 0.76], [0.77, 0.70], [0.74, 0.75]]
    >>> b = [[0.71, 0.71], [0.72, 0.73], [0.74, 0.72], [0.71, 0.70], [0.72, 0.70]]
    >>> result = five_by_two_f(Resamples.from_scores(a, b, plan="5x2"))
    >>> result.statistic.round(4), result.pvalue.round(4)
    (np.float64(1.3077), np.float64(0.4045))
    """
    from scipy.special import fdtrc

    one_of("alternative", alternative, Alternative)
    differences, variances = moments_of_halves("5x2cv-f", resamples)
    replicates = differences.shape[-2]
    above, below = (differences**2).sum(axis=(-2, -1)), 2 * variances.sum(axis=-1)
    statistic = ratio(above, below, empty=0.0)
    if exact:
        pvalue = fdtrc(replicates, replicates, np.maximum(2 * statistic - 1, 0))
    else:
        pvalue = fdtrc(2 * replicates, replicates, statistic)
    if alternative != "two-sided":
        toward = np.sign(differences.mean(axis=(-2, -1))) * (1 if alternative == "greater" else -1)
        pvalue = np.select([toward > 0, toward < 0], [pvalue / 2, 1 - pvalue / 2], 0.5)
    return TestResult(statistic=statistic, pvalue=np.where(below == 0, 1.0, pvalue)[()])
