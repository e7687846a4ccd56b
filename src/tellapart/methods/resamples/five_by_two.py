"""Tests by 5 repeats of 2-fold cross-validation (Dietterich's t, Alpaydın's F), and the t of a single fold."""

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
    FLAT_LEARNING_CURVE,
    HALVES_HAVE_SPREAD,
    LARGE_TEST_SETS,
    NOT_SELECTED,
    NUMERATOR_AGREES_WITH_MEAN,
    SPREAD_OF_DIFFERENCES,
    STABLE_LOSSES,
)
from .moments import fit_student, moments, moments_of_halves, sign_of
from .required_plans import OF_TWO, T_OF_TWO, TRAINING_OVERLAPS, as_position, require_paired_folds

_FACTS = OF_TWO | {
    "sources_covered": EVERY_SOURCE,
    "assumes": (
        HALVES_HAVE_SPREAD,
        FIVE_REPLICATES,
        LARGE_TEST_SETS,
        STABLE_LOSSES,
        FLAT_LEARNING_CURVE,
        NOT_SELECTED,
    ),
    "standing": Standing.SOUND,
    "validity": "stable learners (no nearest neighbours), 5 repeats of 2-fold cross-validation, halves of 30"
    " examples or more",
    "where": {"stable": (1, 1), "test": (30, np.inf)},
}


@test(
    name="single-fold-t",
    title="single-fold t",
    **T_OF_TWO | TRAINING_OVERLAPS,
    assumes=(SPREAD_OF_DIFFERENCES, LARGE_TEST_SETS, NUMERATOR_AGREES_WITH_MEAN, NOT_SELECTED),
    standing=Standing.HEURISTIC,
    reference="dietterich1998",
    rationale="type I error rate near alpha in the paper's simulations, but low power, and the choice of the fold is"
    " arbitrary",
)
def single_fold_t(resamples: Resamples, *, alternative: Alternative = "two-sided", fold: int = 1) -> TestResult:
    """Test the difference of a single fold against the standard deviation of the differences of all folds.

    Parameters
    ----------
    resamples
        The losses of two learners by one k-fold cross-validation.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    fold
        The fold in the numerator, counted from 1.

    Notes
    -----
    t = p_j/√(Σ(p_i − p̄)²/(k − 1)) with k − 1 degrees of freedom, from which the 5x2cv t was developed: the mean over
    folds makes the k-fold t too large (Dietterich 1998, section 3.5; the formula follows the text, which prints none).

    Examples
    --------
    >>> folds = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4-fold")
    >>> single_fold_t(folds).statistic.round(4), single_fold_t(folds, fold=3).statistic.round(4)
    (np.float64(-1.0445), np.float64(-2.0889))
    """
    require_paired_folds("single-fold-t", resamples, once=True, instead="5x2cv-t")
    position = as_position("`fold`", fold, resamples.loss.shape[-1])
    _, deviation, runs = moments(resamples)
    top = without_rounding(resamples.values[..., 0, position], scale(resamples))
    return fit_student(resamples, top, deviation, runs - 1, chooses=sign_of(top)).test(0.0, alternative)


@test(
    name="5x2cv-t",
    title="5x2cv t",
    **_FACTS | {"assumes": (NUMERATOR_AGREES_WITH_MEAN, *_FACTS["assumes"])},
    rationale="needs ten fits of each learner; conservative (type I error rate 0.028 at alpha 0.05), but more than"
    " twice alpha with nearest neighbours; the result depends on which of the ten differences is in the numerator",
    note=lambda numerator=(1, 1), **_: f"numerator: replicate {numerator[0]}, half {numerator[1]}",
    statistic="t",
    reference="dietterich1998",
)
def five_by_two_t(
    resamples: Resamples, *, alternative: Alternative = "two-sided", numerator: tuple[int, int] = (1, 1)
) -> TestResult:
    """Test the difference of one half against the spread between the halves of all replicates.

    Parameters
    ----------
    resamples
        The losses of two learners by replicates of two folds.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    numerator
        The difference in the numerator: replicate and half, each counted from 1.

    Notes
    -----
    t = p₁⁽¹⁾/√(Σs²/r) with r degrees of freedom, r = 5 replicates in the paper (Dietterich 1998, section 3.5).
    The numerator is also part of s₁², so t does not follow Student's distribution even if the ten differences are
    independent and normal: the two-sided type I error rate at 0.05 is 0.028. Other numbers of replicates are accepted;
    fewer or more than five raised the type I error rate in the paper's simulations.

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
        raise InvalidOption(f"`numerator` must be a replicate and a half, got {numerator!r}. Use (1, 1).")
    replicate = as_position("the replicate of `numerator`", numerator[0], differences.shape[-2])
    half = as_position("the half of `numerator`", numerator[1], 2)
    top, error = differences[..., replicate, half], np.sqrt(variances.mean(axis=-1))
    return fit_student(resamples, top, error, differences.shape[-2], chooses=sign_of(top)).test(0.0, alternative)


@test(
    name="5x2cv-f",
    title="5x2cv F",
    **_FACTS,
    rationale="uses all ten differences, so it depends less on the split than the t; conservative (type I error rate"
    " 0.0175 at alpha 0.05), but not with nearest neighbours",
    note=lambda exact=False, **_: "exact distribution for normal differences" if exact else "",
    statistic="F",
    reference="alpaydin1999",
)
def five_by_two_f(resamples: Resamples, *, alternative: Alternative = "two-sided", exact: bool = False) -> TestResult:
    """Test the squares of all differences against the spread between the halves of all replicates.

    Parameters
    ----------
    resamples
        The losses of two learners by replicates of two folds.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    exact
        Use the p-value of ½ + ½·F(r, r) instead, exact for independent normal differences. The differences of real
        learners are not independent.

    Notes
    -----
    F = ΣΣp²/(2Σs²) against F with 2r and r degrees of freedom, F(10, 5) for five replicates (Alpaydın 1999). As
    p₁² + p₂² = s² + (p₁ + p₂)²/2, and the two terms are independent for normal differences, F is then exactly
    ½ + ½·F(r, r): the type I error rate at the critical value 4.735 is 0.0175, and the exact 5% point is 3.025. The
    one-sided p-value is half the two-sided one if the mean difference has that direction.

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
