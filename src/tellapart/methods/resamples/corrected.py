"""The corrected t of Nadeau and Bengio, for overlapping training sets, and its Bayesian reading."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...errors import InvalidOption
from ...evidence import Resamples
from ...numerics.distributions import pvalue_of_tails, ratio
from ...numerics.rounding import without_rounding
from ...results import Practical, TestResult
from ...typing_ import Alternative, BoolArray, FloatArray, as_real
from ..loss_scale import scale
from ..pivots import Student
from ..registry import EVERY_SOURCE, Standing, procedure, test
from .assumptions import SPREAD_OF_DIFFERENCES, TRAINED_ON_SPLITS
from .moments import fit_student, moments
from .required_plans import T_OF_TWO, as_ratio, require_pair, require_paired_folds

_CORRECTED = T_OF_TWO | {
    "sources_covered": EVERY_SOURCE,
    "assumes": (SPREAD_OF_DIFFERENCES, *TRAINED_ON_SPLITS),
    "standing": Standing.RECOMMENDED,
}


def _fit_corrected_t(resamples: Resamples, inflation: float) -> Student:
    """Return Student's t of the mean difference, with the error √(s²(1/J + inflation)) and J − 1 degrees of freedom."""
    mean, deviation, runs = moments(resamples)
    return fit_student(resamples, mean, deviation * np.sqrt(1 / runs + inflation), runs - 1)


@procedure(
    name="corrected-resampled-t",
    title="corrected t",
    **_CORRECTED,
    rationale="accounts for overlapping training sets: type I error rate near alpha for any number of splits, but about"
    " twice alpha with nearest neighbours",
    validity="stable learners (no nearest neighbours), 10 splits or more with test sets of 30 examples or more",
    where={"stable": (1, 1), "runs": (10, np.inf), "test": (30, np.inf)},
    reference="nadeau2003",
)
def corrected_resampled_t(resamples: Resamples, *, ratio: float | None = None) -> Student:
    """Corrected t test and interval for the mean difference of two learners over splits with overlapping training sets.

    Parameters
    ----------
    resamples
        The losses of two learners on the same splits.
    ratio
        The size of a test set over that of a training set, if it does not follow from the evidence: 0.5
        for splits of two thirds and one third.

    Notes
    -----
    t = d̄/√(s²(1/J + n_test/n_train)) with J − 1 degrees of freedom, J the number of splits (Nadeau and Bengio 2003).
    The second term accounts for the covariance of differences that share training examples; without it
    (`resampled-t`) any difference becomes significant with enough splits.

    Examples
    --------
    >>> splits = Resamples.from_scores([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.7, 0.6], plan="4x(2/3)")
    >>> result, limits = corrected_resampled_t(splits).test(), corrected_resampled_t(splits).interval()
    >>> result.statistic.round(4), result.pvalue.round(4), limits.low.round(4), limits.high.round(4)
    (np.float64(-1.5076), np.float64(0.2288), np.float64(-0.3889), np.float64(0.1389))
    """
    name = "corrected-resampled-t"
    return _fit_corrected_t(resamples, as_ratio(name, require_pair(name, resamples), ratio))


@procedure(
    name="corrected-repeated-kfold-t",
    title="corrected t",
    **_CORRECTED,
    rationale="accounts for overlapping training sets; with 10 repeats of 10-fold cross-validation the result hardly"
    " depends on the split; with nearest neighbours the type I error rate is more than twice alpha",
    validity="stable learners (no nearest neighbours), 10 or more repeats of 10-fold cross-validation",
    where={"stable": (1, 1), "folds": (10, 10), "replicates": (10, np.inf)},
    reference="bouckaert2004",
)
def corrected_repeated_kfold_t(resamples: Resamples, *, ratio: float | None = None) -> Student:
    """Corrected t test and interval for the mean difference of two learners over repeated k-fold cross-validation.

    Parameters
    ----------
    resamples
        The losses of two learners by a k-fold plan.
    ratio
        The size of a test set over that of a training set, if it is not 1/(k − 1).

    Notes
    -----
    t = d̄/√(s²(1/J + 1/(k − 1))) with J − 1 degrees of freedom for r repeats and J = r·k folds: the corrected resampled
    t with n_test/n_train = 1/(k − 1). Bouckaert and Frank (2004) recommend 10 repeats of 10-fold cross-validation.

    Examples
    --------
    >>> a, b = [[0.8, 0.7], [0.9, 0.8]], [[0.7, 0.7], [0.7, 0.6]]
    >>> folds = Resamples.from_scores(a, b, plan="2x2")
    >>> corrected_repeated_kfold_t(folds).test().pvalue.round(4)
    np.float64(0.3273)
    >>> corrected_repeated_kfold_t(folds).interval().high.round(4)
    np.float64(0.2157)
    """
    name = "corrected-repeated-kfold-t"
    require_paired_folds(name, resamples, instead="corrected-resampled-t")
    usual = 1 / (resamples.loss.shape[-1] - 1) if ratio is None else ratio
    return _fit_corrected_t(resamples, as_ratio(name, resamples, usual))


# --- As probabilities -------------------------------------------------------------------------------


def _state_options(rope: float = 0.0, rho: float | None = None, **_: Any) -> str:
    correlation = "" if rho is None else f"correlation of the differences {rho:g}"
    region = f"region of practical equivalence ±{rope:g}" if rope else ""
    return "; ".join(filter(None, ("flat prior", region, correlation)))


_BAYESIAN = _CORRECTED | {
    "name": "bayesian-correlated-t",
    "title": "Bayesian correlated t",
    "rationale": "posterior probabilities from the corrected t; with a region of practical equivalence also that of"
    " practical equivalence",
    "validity": "stable learners (no nearest neighbours), 10 splits or more with test sets of 30 examples or more,"
    " no region of practical equivalence",
    "where": {"stable": (1, 1), "runs": (10, np.inf), "test": (30, np.inf)},
    "note": _state_options,
    "reference": "corani2015",
}


@test(**_BAYESIAN | {"statistic": "P(B better)"})
def bayesian_correlated_t(
    resamples: Resamples,
    *,
    alternative: Alternative = "two-sided",
    rope: float = 0.0,
    rho: float | None = None,
) -> TestResult:
    """Posterior probability that B is the better learner, by more than the region of practical equivalence (rope).

    The statistic is P(B better); the p-value is the posterior probability that the leading learner is not better,
    doubled if two-sided. Without a rope it is that of the corrected t test. If the differences do not vary, the
    posterior is a point, so that the statistic is 0 or 1, and the p-value is 1.

    Parameters
    ----------
    resamples
        The losses of two learners on the same splits.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    rope
        The region of practical equivalence: differences up to this size, in either direction.
    rho
        The correlation of differences on two splits. Default: the share of the examples that are tested, 1/k
        for k folds.

    Notes
    -----
    Under a flat prior the difference is Student(d̄, s²(1/J + ρ/(1 − ρ)), J − 1) (Corani and Benavoli 2015).

    Examples
    --------
    >>> folds = Resamples.from_scores([0.7, 0.7, 0.7, 0.6], [0.8, 0.7, 0.9, 0.8], plan="4-fold")
    >>> bayesian_correlated_t(folds).statistic.round(4), bayesian_correlated_t(folds, rope=0.05).statistic.round(4)
    (np.float64(0.907), np.float64(0.8097))
    """
    tails = _integrate_tails("bayesian-correlated-t", resamples, rope, rho)
    pvalue = pvalue_of_tails(tails.not_below, tails.not_above, alternative)
    return TestResult(
        statistic=tails.above,
        pvalue=np.where(tails.varied, pvalue, 1.0)[()],
        practical=_as_practical(tails, rope) if rope else None,
    )


@procedure(offers=("interval",), **_BAYESIAN)
def bayesian_correlated_interval(resamples: Resamples, *, rho: float | None = None) -> Student:
    """Credible interval for the mean difference of two learners, by the Bayesian correlated t.

    Examples
    --------
    >>> folds = Resamples.from_scores([0.7, 0.7, 0.7, 0.6], [0.8, 0.7, 0.9, 0.8], plan="4-fold")
    >>> bayesian_correlated_interval(folds).interval(alpha=0.2).low.round(4)
    np.float64(0.0052)
    """
    return _fit_posterior("bayesian-correlated-t", resamples, rho)


def correlated_probabilities(resamples: Resamples, *, rope: float, rho: float | None = None) -> Practical:
    """Return the three probabilities of the Bayesian correlated t test, as `practical_probabilities` does.

    Examples
    --------
    >>> folds = Resamples.from_scores([0.7, 0.7, 0.7, 0.6], [0.8, 0.7, 0.9, 0.8], plan="4-fold")
    >>> correlated_probabilities(folds, rope=0.02).b_better.round(3)
    np.float64(0.877)
    """
    return _as_practical(_integrate_tails("practical_probabilities", resamples, rope, rho), rope)


class _Tails(NamedTuple):
    """The posterior's probabilities on either side of −rope and of rope, each at full precision.

    Without any spread the posterior is a point, and each of them is 0 or 1. The ends belong to the rope: a difference
    of −rope is not below, one of rope not above.
    """

    below: FloatArray
    not_below: FloatArray
    above: FloatArray
    not_above: FloatArray
    varied: BoolArray  # whether the differences have any spread


def _as_practical(tails: _Tails, rope: float) -> Practical:
    # From the side on which the mean lies, whichever learner is called A.
    inside = np.where(tails.above >= tails.below, tails.not_above - tails.below, tails.not_below - tails.above)
    equivalent = np.maximum(inside, 0.0)[()]
    return Practical(a_better=tails.below[()], equivalent=equivalent, b_better=tails.above[()], rope=float(rope))


def _fit_posterior(name: str, resamples: Resamples, rho: float | None) -> Student:
    require_pair(name, resamples)
    if rho is None:
        inflation = as_ratio(name, resamples, None, "Use rho=0.1 for 10-fold cross-validation.")
    elif not 0 <= as_real(rho) < 1:  # NaN fails this, too
        raise InvalidOption(
            f"`rho` must be a correlation from 0 to below 1, got {rho!r}. For 10-fold cross-validation use 0.1."
        )
    else:
        inflation = rho / (1 - rho)
    return _fit_corrected_t(resamples, inflation)


def _integrate_tails(name: str, resamples: Resamples, rope: float, rho: float | None) -> _Tails:
    from scipy.special import stdtr

    if not 0 <= as_real(rope) < np.inf:
        raise InvalidOption(f"`rope` must be a difference of 0 or more, got {rope!r}. For 1 pp use 0.01.")
    posterior = _fit_posterior(name, resamples, rho)
    mean, error = posterior.estimate, posterior.error
    varied, size, tails = np.asarray(error > 0), scale(resamples), []
    for beyond in (-rope - mean, mean - rope):
        # Without a spread the mean is on either side, or at an end of the rope but for rounding.
        certain = without_rounding(beyond, size) > 0
        for distance, whole in ((beyond, certain), (-beyond, ~certain)):
            quantile = ratio(np.where(varied, distance, 0.0), error, empty=0.0)
            tails.append(np.where(varied, stdtr(posterior.df, quantile), whole)[()])
    below, not_below, above, not_above = tails
    return _Tails(below, not_below, above, not_above, varied)
