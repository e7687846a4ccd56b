"""What the error of one learner is, from examples that were held out; and what it is not, from those trained on.

An estimate speaks for a target: `holdout` for the classifier at hand, the others for the learner when it is trained
on as many examples as every split leaves it. Every estimate is a function of `Resamples` of one learner.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidEvidence
from ...evidence import ErrorCount, Resamples
from ...numerics.rounding import without_rounding
from ...results import Interval
from ...typing_ import FloatArray, Side
from ..error_count.bayesian import jeffreys
from ..limits import as_interval
from ..loss_scale import scale
from ..registry import EVERY_SOURCE, ONE_TEST_SET, Standing, method
from .assumptions import HELD_OUT, MORE_THAN_TWO_FOLDS, NO_OPTIMISM, NOT_CHOSEN, SETS_DIFFER, SMOOTH_ERROR_CURVE
from .common import not_crossed, other_plan
from .moments import moments, student_interval

_LEARNER = (SMOOTH_ERROR_CURVE, NOT_CHOSEN)  # on all that speak for a learner by way of smaller training sets
_APPARENT: dict[str, Any] = {
    "name": "apparent",
    "covers": (),
    "question": 6,
    "evidence": Resamples,
    "assumes": (HELD_OUT, NO_OPTIMISM),
    "standing": Standing.HEURISTIC,
    "because": "it tests what was trained on: biased, and 0 whatever the truth for nearest neighbours",
    "reference": "mitchell1997",
}
_HOLDOUT: dict[str, Any] = {
    "name": "holdout",
    "covers": ONE_TEST_SET,
    "question": 6,
    "evidence": Resamples,
    "assumes": (NOT_CHOSEN,),
    "standing": Standing.RECOMMENDED,
    "because": "the errors on examples held out are binomial, for the classifier at hand; of other training sets they"
    " say nothing",
    "holds": "the classifier at hand, any number of test examples",
    "reference": "mitchell1997",
}


# --- Trained and tested on the same examples --------------------------------------------------------


@method(gives="estimate", **_APPARENT)
def apparent(resamples: Resamples) -> FloatArray:
    """Give the error on the examples that were trained on, also called that of resubstitution.

    Examples
    --------
    >>> seen = Resamples.from_scores([0.98], plan="apparent", examples=50, test=50, train=50)
    >>> apparent(seen).round(3)
    np.float64(0.02)
    """
    return _apparent(resamples).pooled


@method(gives="interval", **_APPARENT)
def apparent_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give Jeffreys' limits as if the examples trained on had been held out, which they were not.

    Examples
    --------
    >>> seen = Resamples.from_scores([0.98], plan="apparent", examples=50, test=50, train=50)
    >>> apparent_interval(seen).high.round(3)
    np.float64(0.09)
    """
    return _one_test_set("apparent", _apparent(resamples), alpha, side)


def _apparent(resamples: Resamples) -> Resamples:
    of_one("apparent", resamples)
    if resamples.plan.kind == "apparent":
        return resamples
    for held in (resamples, *resamples.parts.values()):
        if "apparent" in held.parts:
            return held.parts["apparent"]
    return resamples.part("apparent")  # which says that there is none


# --- Held out once ---------------------------------------------------------------------------------


@method(gives="estimate", **_HOLDOUT)
def holdout(resamples: Resamples) -> FloatArray:
    """Give the error on the one test set that was held out.

    Examples
    --------
    >>> held = Resamples.from_scores([0.9], plan="holdout", examples=300)
    >>> holdout(held).round(3)
    np.float64(0.1)
    """
    return _single(resamples).pooled


@method(gives="interval", **_HOLDOUT)
def holdout_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give Jeffreys' limits for the errors on the one test set.

    For another loss, or a mean over seeds, they are Student's: mean ± t·s/√n over the test examples.

    Examples
    --------
    >>> held = Resamples.from_scores([0.9], plan="holdout", examples=300)
    >>> limits = holdout_interval(held)
    >>> limits.low.round(4), limits.high.round(4)
    (np.float64(0.0526), np.float64(0.1701))
    """
    return _one_test_set("holdout", _single(resamples), alpha, side)


def _single(resamples: Resamples) -> Resamples:
    of_one("holdout", resamples)
    if resamples.runs != 1 or resamples.plan.kind not in {"random", "splits"}:
        raise other_plan("holdout", resamples, "one split", "Race by the plan 'holdout'.")
    return resamples


def _one_test_set(name: str, resamples: Resamples, alpha: float, side: Side) -> Interval:
    size = float(resamples.test[0, 0])
    errors = resamples.values[..., 0, 0] * size
    counts = np.rint(errors)
    whole = size >= 1 and abs(size - round(size)) < 1e-6 and bool(np.all(np.abs(errors - counts) < 1e-6 * size))
    if resamples.metric.name == "error" and whole:
        limits = jeffreys(ErrorCount(counts.astype(np.int64)[()], round(size))).interval(alpha, side)
        return as_interval(name, (limits.low, limits.high), alpha, side)
    if resamples.metric.name == "error" and resamples.together is None:
        raise InvalidEvidence(
            f"method {name!r} counts errors, but {float(np.max(errors)):.6g} of {size:.6g} is no count. Give"
            " from_scores the number of test examples (test=, train=), and scores with all their digits."
        )
    squares = sums_of_squares(name, resamples)[..., 0, 0]
    mean = resamples.values[..., 0, 0]
    variance = (squares - size * mean**2) / max(size - 1, 1)
    spread = without_rounding(np.maximum(variance, 0), scale(resamples) ** 2)
    return student_interval(name, resamples, mean, np.sqrt(spread / size), max(size - 1, 1), alpha, side)


# --- Cross-validation ------------------------------------------------------------------------------


@method(
    name="kfold",
    covers=(),  # a point estimate; its limits are another method's
    gives="estimate",
    question=6,
    evidence=Resamples,
    told="every example counts alike",
    assumes=(MORE_THAN_TWO_FOLDS, *_LEARNER),
    partner="corrected-t-interval",
    standing=Standing.SOUND,
    because="every example is tested once, by a classifier that never saw it; it speaks for a training set one fold"
    " smaller (Martin and Hirschberg recommend ten folds)",
    holds="5 folds or more, and a learning curve that is flat from there to all examples",
    reference="stone1974",
)
def kfold(resamples: Resamples) -> FloatArray:
    """Give the share of errors among all examples, each tested in its fold.

    Folds of unequal size count by their size: k-fold cross-validation is the number of errors over that of examples.

    Examples
    --------
    >>> kfold(Resamples.from_scores([0.9, 0.8, 0.7], plan="3-fold")).round(3)
    np.float64(0.2)
    >>> kfold(Resamples.from_scores([0.5, 1.0], plan="2-fold", test=[[2, 1]], train=[[1, 2]])).round(3)
    np.float64(0.333)
    """
    return _folds("kfold", resamples).pooled


@method(
    name="repeated-kfold",
    covers=(),  # a point estimate
    gives="estimate",
    question=6,
    evidence=Resamples,
    told="every example counts alike",
    assumes=(MORE_THAN_TWO_FOLDS, *_LEARNER),
    partner="corrected-t-interval",
    standing=Standing.SOUND,
    because="as kfold, and less a matter of how the examples fell into folds; of the same bias",
    holds="5 folds or more, and a learning curve that is flat from there to all examples",
    reference="stone1974",
)
def repeated_kfold(resamples: Resamples) -> FloatArray:
    """Give the mean of several cross-validations of the same examples.

    Examples
    --------
    >>> repeated_kfold(Resamples.from_scores([[0.9, 0.8], [0.7, 0.8]], plan="2x2")).round(3)
    np.float64(0.2)
    """
    return _folds("repeated-kfold", resamples, least=2).pooled


@method(
    name="iterated-kfold",
    covers=(),  # a point estimate
    gives="estimate",
    question=6,
    evidence=Resamples,
    told="every example counts alike",
    assumes=(MORE_THAN_TWO_FOLDS, *_LEARNER),
    partner="corrected-t-interval",
    standing=Standing.HEURISTIC,
    because="repeating takes away the chance of the folds and none of the bias, which at two folds is large and not"
    " alike for all learners (Martin and Hirschberg)",
    reference="martin1996",
)
def iterated_kfold(resamples: Resamples) -> FloatArray:
    """Give k-CV*: the mean of a hundred or so cross-validations of the same examples.

    Examples
    --------
    >>> iterated_kfold(Resamples.from_scores([[0.9, 0.8], [0.7, 0.8]], plan="2-fold*2")).round(3)
    np.float64(0.2)
    """
    held = resamples.parts.get("2-fold*100", resamples) if resamples.plan.kind == "loo-star" else resamples
    return _folds("iterated-kfold", held, least=2).pooled


@method(
    name="loo",
    covers=(),  # a point estimate
    gives="estimate",
    question=6,
    evidence=Resamples,
    assumes=_LEARNER,
    partner="cv-wald",
    standing=Standing.SOUND,
    because="unbiased but for one example; varies more from sample to sample than the true error does (Martin and"
    " Hirschberg)",
    holds="learners that one example more or less does not upset",
    reference="stone1974",
)
def loo(resamples: Resamples) -> FloatArray:
    """Give the share of examples that a classifier trained on all the others gets wrong.

    Examples
    --------
    >>> loo(Resamples.from_scores([1, 1, 0, 1], plan="loo", examples=4)).round(3)
    np.float64(0.25)
    """
    of_one("loo", resamples)
    once = resamples.plan.kind == "k-fold" and resamples.loss.shape[-2] == 1
    alone = resamples.plan.name == "loo" or np.allclose(resamples.test, 1)
    if not (resamples.plan.kind == "loo-star" or (once and alone)):
        raise other_plan("loo", resamples, "every example held out alone", "Race by the plan 'loo'.")
    return resamples.pooled


@method(
    name="corrected-t-interval",
    covers=EVERY_SOURCE,
    gives="estimate",
    question=6,
    evidence=Resamples,
    assumes=(SETS_DIFFER, *_LEARNER),
    standing=Standing.RECOMMENDED,
    because="the mean that its interval is centred at",
    holds="k-fold, repeated k-fold and random splits",
    reference="nadeau2003",
)
def mean_over_test_sets(resamples: Resamples) -> FloatArray:
    """Give the mean loss over test sets, each counting alike.

    Examples
    --------
    >>> mean_over_test_sets(Resamples.from_scores([0.9, 0.8, 0.7], plan="3x(2/3)")).round(3)
    np.float64(0.2)
    """
    return moments(not_crossed("corrected-t-interval", resamples)).mean


@method(
    name="corrected-t-interval",
    covers=EVERY_SOURCE,
    gives="interval",
    question=6,
    evidence=Resamples,
    assumes=(SETS_DIFFER, *_LEARNER),
    standing=Standing.RECOMMENDED,
    because="it allows for training sets that overlap; the cheapest of the three robust ones among thirteen"
    " (Schulz-Kümpel and others), a little too short at times",
    holds="stable learners (no nearest neighbours), by k-fold, repeated k-fold and random splits",
    where={"stable": (1, 1)},
    reference="nadeau2003",
)
def corrected_t_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give the mean over test sets ± t·s·√(1/J + n₂/n₁), with J − 1 degrees of freedom.

    Losses of test sets whose training sets overlap are correlated; n₂/n₁, test over training size, makes up
    for that (Nadeau and Bengio). The limits are cut off where the loss ends.

    Parameters
    ----------
    resamples
        The losses of one learner on J test sets; the differences of two do as well.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" (an upper bound) or "lower".

    Examples
    --------
    >>> limits = corrected_t_interval(Resamples.from_scores([0.9, 0.8, 0.85, 0.88, 0.83], plan="5-fold"))
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(0.074), np.float64(0.222))
    """
    name = "corrected-t-interval"
    mean, deviation, runs = moments(not_crossed(name, resamples))
    ratio = resamples.ratio
    if runs < 2 or not np.isfinite(ratio):
        raise other_plan(
            name,
            resamples,
            "two or more test sets whose sizes are known",
            "Use method 'holdout' for one, and give from_scores test= and train= where the plan does not tell them.",
        )
    return student_interval(name, resamples, mean, deviation * np.sqrt(1 / runs + ratio), runs - 1, alpha, side)


# --- What they share -------------------------------------------------------------------------------


def of_one(name: str, resamples: Resamples) -> None:
    """Refuse the resamples of several learners."""
    if len(resamples.learners) != 1:
        raise InvalidEvidence(
            f"method {name!r} estimates the error of one learner, but these are {', '.join(resamples.learners)}. Take"
            f" one out by select({resamples.learners[0]!r})."
        )


def sums_of_squares(name: str, resamples: Resamples) -> FloatArray:
    """Return the sum of squared values of each test set; of one learner's errors these are counts.

    Examples
    --------
    >>> sums_of_squares("loo", Resamples.from_scores([1, 1, 0, 1], plan="loo", examples=4))
    array([[0., 0., 1., 0.]])
    """
    counted = resamples.metric.name == "error" and resamples.parameter == "error" and resamples.seeds == 1
    if resamples.together is None and counted and resamples.examples:
        return resamples.values * resamples.test
    if resamples.together is None and resamples.metric.is_mean:
        raise InvalidEvidence(
            f"method {name!r} needs the loss of every example, but only scores are known. race(...).resamples() keeps"
            " it; for one learner's errors from_scores(..., examples=) will do."
        )
    return resamples.squares


def _folds(name: str, resamples: Resamples, least: int = 1) -> Resamples:
    of_one(name, resamples)
    replicates = resamples.loss.shape[-2]
    if resamples.plan.kind not in {"k-fold", "nested"} or replicates < least:
        wanted = "a cross-validation" if least == 1 else "two or more cross-validations"
        raise other_plan(name, resamples, wanted, f"Race by the plan {'10-fold' if least == 1 else '10x10'!r}.")
    return resamples
