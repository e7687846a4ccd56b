"""Estimates of the error of one learner: apparent error, one test set, cross-validation.

Each applies to a target: `holdout` to the classifier at hand, the others to the learner trained on as many examples as
each split leaves it. Every estimate is a function of `Resamples` of one learner.
"""

from __future__ import annotations

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import ErrorCount, Resamples
from ...numerics.rounding import without_rounding
from ...typing_ import FloatArray
from ..error_count.posterior_intervals import jeffreys
from ..loss_scale import scale
from ..pivots import Centred, Pivot, Student
from ..registry import EVERY_SOURCE, ONE_TEST_SET, Standing, estimator, procedure
from .assumptions import FLAT_ERROR_CURVE, HELD_OUT, MORE_THAN_TWO_FOLDS, NO_OPTIMISM, NOT_SELECTED, SETS_DIFFER
from .moments import fit_student, moments, sums_of_squares
from .required_plans import OF_ONE, WITH_LIMITS, find_apparent, refuse_crossed, require_one, wrong_plan

_LEARNER = (FLAT_ERROR_CURVE, NOT_SELECTED)  # of all that estimate a learner's error from smaller training sets


# --- One test set -----------------------------------------------------------------------------------


@procedure(
    name="apparent",
    title="apparent error",
    **WITH_LIMITS,
    sources_covered=(),
    assumes=(HELD_OUT, NO_OPTIMISM),
    standing=Standing.HEURISTIC,
    rationale="tested on the training data: biased, and 0 for nearest neighbours whatever their true error",
    reference="mitchell1997",
)
def apparent(resamples: Resamples) -> Centred:
    """Estimate and interval for the error on the training examples, also called resubstitution error.

    The interval is Jeffreys', as if the examples had not been trained on.

    Examples
    --------
    >>> fitted = Resamples.from_scores([0.98], plan="apparent", examples=50, test=50, train=50)
    >>> apparent(fitted).location.round(3), apparent(fitted).interval().high.round(3)
    (np.float64(0.02), np.float64(0.09))
    """
    trained = require_apparent(resamples)
    return Centred(lambda: _fit_one_test_set("apparent", trained), location=trained.pooled)


def require_apparent(resamples: Resamples) -> Resamples:
    """Return the resamples that were trained and tested on the same examples, or raise InvalidEvidence."""
    return find_apparent(require_one("apparent", resamples)) or resamples.part("apparent")


@procedure(
    name="holdout",
    title="single holdout",
    **WITH_LIMITS,
    sources_covered=ONE_TEST_SET,
    assumes=(NOT_SELECTED,),
    standing=Standing.RECOMMENDED,
    rationale="the number of errors on a separate test set is binomial; applies to the classifier at hand only",
    validity="the classifier at hand, any number of test examples",
    reference="mitchell1997",
)
def holdout(resamples: Resamples) -> Centred:
    """Estimate and interval for the error on a separate test set.

    The interval is Jeffreys'. For another loss, or a mean over seeds, it is Student's: mean ± t·s/√n over the test
    examples.

    Examples
    --------
    >>> split = Resamples.from_scores([0.9], plan="holdout", examples=300)
    >>> limits = holdout(split).interval()
    >>> holdout(split).location.round(3), limits.low.round(4), limits.high.round(4)
    (np.float64(0.1), np.float64(0.0526), np.float64(0.1701))
    """
    require_one("holdout", resamples)
    if resamples.runs != 1 or resamples.plan.kind not in {"random", "splits"}:
        raise wrong_plan("holdout", resamples, "one split", "Use plan='holdout'.")
    return Centred(lambda: _fit_one_test_set("holdout", resamples), location=resamples.pooled)


def _fit_one_test_set(name: str, resamples: Resamples) -> Pivot:
    """Return the pivot of a count of errors, or Student's for the losses of the examples."""
    size = float(resamples.test[0, 0])
    mean = resamples.values[..., 0, 0]
    errors = mean * size
    counts = np.rint(errors)
    whole = size >= 1 and abs(size - round(size)) < 1e-6 and bool(np.all(np.abs(errors - counts) < 1e-6 * size))
    if resamples.metric.name == "error" and whole:
        return jeffreys(ErrorCount(counts.astype(np.int64)[()], round(size)))
    if resamples.metric.name == "error" and resamples.together is None:
        raise InvalidEvidence(
            f"method {name!r} needs a whole number of errors, got {float(np.max(errors)):.6g} of {size:.6g} examples."
            " Pass from_scores the sizes (test=, train=), and scores with all digits."
        )
    squares = sums_of_squares(name, resamples)[..., 0, 0]
    variance = (squares - size * mean**2) / max(size - 1, 1)
    spread = without_rounding(np.maximum(variance, 0), scale(resamples) ** 2)
    return fit_student(resamples, mean, np.sqrt(spread / size), max(size - 1, 1))


# --- Cross-validation -------------------------------------------------------------------------------

_FOLDS = OF_ONE | {
    "sources_covered": (),  # a point estimate; its interval is another method's
    "note": "examples are weighted equally",
    "assumes": (MORE_THAN_TWO_FOLDS, *_LEARNER),
    "partner": "corrected-t-interval",
}
_SOUND_FOLDS = _FOLDS | {
    "standing": Standing.SOUND,
    "validity": "5 folds or more, and a learning curve that is flat beyond that training set size",
    "reference": "stone1974",
}


@estimator(
    name="kfold",
    title="k-fold cross-validation",
    **_SOUND_FOLDS,
    rationale="every example is tested once, by a classifier not trained on it; applies to a training set one fold"
    " smaller (Martin and Hirschberg recommend 10 folds)",
)
def kfold(resamples: Resamples) -> FloatArray:
    """Return the share of errors among all examples, each tested in its fold.

    Folds are weighted by their size: the estimate is the number of errors over the number of examples.

    Examples
    --------
    >>> kfold(Resamples.from_scores([0.9, 0.8, 0.7], plan="3-fold")).round(3)
    np.float64(0.2)
    >>> kfold(Resamples.from_scores([0.5, 1.0], plan="2-fold", test=[[2, 1]], train=[[1, 2]])).round(3)
    np.float64(0.333)
    """
    return _pool_folds("kfold", resamples)


@estimator(
    name="repeated-kfold",
    title="repeated k-fold cross-validation",
    **_SOUND_FOLDS,
    rationale="as kfold, with less variation between splits and the same bias",
)
def repeated_kfold(resamples: Resamples) -> FloatArray:
    """Return the mean of several cross-validations of the same examples.

    Examples
    --------
    >>> repeated_kfold(Resamples.from_scores([[0.9, 0.8], [0.7, 0.8]], plan="2x2")).round(3)
    np.float64(0.2)
    """
    return _pool_folds("repeated-kfold", resamples, least=2)


@estimator(
    name="iterated-kfold",
    title="iterated k-fold cross-validation",
    **_FOLDS,
    standing=Standing.HEURISTIC,
    rationale="repeats remove the variation between splits but not the bias, which is large for 2 folds and differs"
    " between learners (Martin and Hirschberg)",
    reference="martin1996",
)
def iterated_kfold(resamples: Resamples) -> FloatArray:
    """Return k-CV*, the mean of about a hundred cross-validations of the same examples.

    Examples
    --------
    >>> iterated_kfold(Resamples.from_scores([[0.9, 0.8], [0.7, 0.8]], plan="2-fold*2")).round(3)
    np.float64(0.2)
    """
    iterated = resamples.parts.get("2-fold*100", resamples) if resamples.plan.kind == "loo-star" else resamples
    return _pool_folds("iterated-kfold", iterated, least=2)


def _pool_folds(name: str, resamples: Resamples, least: int = 1) -> FloatArray:
    """Return the loss of one learner over at least `least` cross-validations, with equal weights for the examples."""
    require_one(name, resamples)
    replicates = resamples.loss.shape[-2]
    if resamples.plan.kind not in {"k-fold", "nested"} or replicates < least:
        design, plan = ("a cross-validation", "10-fold") if least == 1 else ("two or more cross-validations", "10x10")
        raise wrong_plan(name, resamples, design, f"Use plan={plan!r}.")
    return resamples.pooled


@estimator(
    name="loo",
    title="leave-one-out cross-validation",
    **OF_ONE,
    sources_covered=(),  # as kfold
    assumes=_LEARNER,
    partner="cv-wald",
    standing=Standing.SOUND,
    rationale="almost unbiased; varies more from sample to sample than the true error (Martin and Hirschberg)",
    validity="stable learners, which one example hardly changes",
    reference="stone1974",
)
def loo(resamples: Resamples) -> FloatArray:
    """Return the share of examples that a classifier trained on all others gets wrong.

    Examples
    --------
    >>> loo(Resamples.from_scores([1, 1, 0, 1], plan="loo", examples=4)).round(3)
    np.float64(0.25)
    """
    require_one("loo", resamples)
    once = resamples.plan.kind == "k-fold" and resamples.loss.shape[-2] == 1
    alone = resamples.plan.name == "loo" or np.allclose(resamples.test, 1)
    if not (resamples.plan.kind == "loo-star" or (once and alone)):
        raise wrong_plan("loo", resamples, "leave-one-out cross-validation", "Use plan='loo'.")
    return resamples.pooled


@procedure(
    name="corrected-t-interval",
    title="corrected t",
    **WITH_LIMITS,
    sources_covered=EVERY_SOURCE,
    assumes=(SETS_DIFFER, *_LEARNER),
    standing=Standing.RECOMMENDED,
    reference="nadeau2003",
    estimate={
        "rationale": "the mean that the interval is centred at",
        "validity": "k-fold, repeated k-fold and random splits",
    },
    interval={
        "rationale": "accounts for overlapping training sets; the cheapest of the three robust intervals among thirteen"
        " (Schulz-Kümpel et al.), sometimes slightly too short",
        "validity": "stable learners (no nearest neighbours), by k-fold, repeated k-fold and random splits",
        "where": {"stable": (1, 1)},
    },
)
def corrected_t_interval(resamples: Resamples) -> Centred:
    """Estimate and interval for the mean loss over test sets, weighted equally, by the corrected t.

    It also takes the differences of two learners.

    Notes
    -----
    mean ± t·s·√(1/J + n₂/n₁), with J − 1 degrees of freedom for J test sets. Losses of test sets whose training sets
    overlap are correlated; n₂/n₁, test over training size, corrects for that (Nadeau and Bengio 2003). The interval is
    cut off at the range of the loss.

    Examples
    --------
    >>> folds = corrected_t_interval(Resamples.from_scores([0.9, 0.8, 0.85, 0.88, 0.83], plan="5-fold"))
    >>> folds.location.round(3), folds.interval().low.round(3), folds.interval().high.round(3)
    (np.float64(0.148), np.float64(0.074), np.float64(0.222))
    """
    name = "corrected-t-interval"
    mean, deviation, runs = moments(refuse_crossed(name, resamples))

    def fit() -> Student:
        ratio = resamples.ratio
        if runs < 2 or not np.isfinite(ratio):
            raise wrong_plan(
                name,
                resamples,
                "two or more test sets of known size",
                "Use method='holdout' for one, or pass from_scores the sizes (test=, train=).",
            )
        return fit_student(resamples, mean, deviation * np.sqrt(1 / runs + ratio), runs - 1)

    return Centred(fit, location=mean)
