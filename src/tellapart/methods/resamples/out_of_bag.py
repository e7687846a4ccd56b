"""Bootstrap estimates of the error of one learner: out-of-bag, .632, .632+ and leave-one-out*.

A bootstrap sample has 63.2% of the examples on average; the others, out of the bag, test the classifier.
"""

from __future__ import annotations

import numpy as np

from ...evidence import Resamples
from ...numerics.rounding import without_rounding
from ...typing_ import FloatArray
from ..loss_scale import scale
from ..pivots import Centred, Student
from ..registry import EVERY_SOURCE, ONE_TEST_SET, Standing, procedure
from .assumptions import ENOUGH_BOOTSTRAP_SAMPLES, ENOUGH_TEST_EXAMPLES, LOSSES_DIFFER, NOT_MEMORISED, SAMPLES_DIFFER
from .estimators import require_apparent
from .moments import fit_student, moments, sums_of_squares
from .required_plans import WITH_LIMITS, find_bootstrap, require_one, wrong_plan

_BOOTSTRAP = WITH_LIMITS | {"sources_covered": EVERY_SOURCE, "standing": Standing.HEURISTIC}


@procedure(
    name="oob",
    title="out-of-bag bootstrap",
    **_BOOTSTRAP,
    assumes=(ENOUGH_BOOTSTRAP_SAMPLES, SAMPLES_DIFFER),
    rationale="biased upward, as if trained on two thirds of the examples; the width of the interval is that of the"
    " corrected t",
    reference="efron1997",
)
def oob(resamples: Resamples) -> Centred:
    """Estimate and interval by the leave-one-out bootstrap: the mean loss of each example over the samples without it.

    If only the score of each sample is known, it is their mean. The half-width of the interval is that of the
    corrected t for the out-of-bag losses, as for `632` and `632plus`.

    Examples
    --------
    >>> out = oob(Resamples.from_scores([0.9, 0.85, 0.8, 0.85], plan="632*4"))
    >>> out.location.round(3), out.interval().low.round(3), out.interval().high.round(3)
    (np.float64(0.15), np.float64(0.031), np.float64(0.269))
    """
    samples = _require_bootstrap("oob", resamples)
    return _fit_corrected("oob", samples, _loss_left_out(samples))


@procedure(
    name="632",
    title=".632 bootstrap",
    **_BOOTSTRAP,
    assumes=(ENOUGH_BOOTSTRAP_SAMPLES, NOT_MEMORISED, SAMPLES_DIFFER),
    rationale="its weights are the same for all learners: biased for nearest neighbours, differently for one neighbour"
    " and three (Martin and Hirschberg); the width of the interval is that of the corrected t",
    reference="efron1983",
)
def point632(resamples: Resamples) -> Centred:
    """Estimate and interval by 0.368 times the apparent error plus 0.632 times the out-of-bag error (Efron 1983).

    Examples
    --------
    >>> from dataclasses import replace
    >>> samples = Resamples.from_scores([0.9, 0.85, 0.8, 0.85], plan="632*4")
    >>> trained = Resamples.from_scores([0.95], plan="apparent")
    >>> weighted = point632(replace(samples, parts={"apparent": trained}))
    >>> weighted.location.round(4), weighted.interval().low.round(3), weighted.interval().high.round(3)
    (np.float64(0.1132), np.float64(0.0), np.float64(0.232))
    """
    samples = _require_bootstrap("632", resamples)
    return _fit_corrected("632", samples, _weigh_632(require_apparent(samples).pooled, _loss_left_out(samples))[()])


@procedure(
    name="632plus",
    title=".632+ bootstrap",
    **_BOOTSTRAP,
    assumes=(ENOUGH_BOOTSTRAP_SAMPLES, SAMPLES_DIFFER),
    rationale="a good point estimate if the learner overfits; the width of the interval is that of the corrected t",
    reference="efron1997",
)
def point632plus(resamples: Resamples) -> Centred:
    """Estimate and interval by .632 with more weight for the out-of-bag error, the more a learner overfits.

    Notes
    -----
    Efron and Tibshirani (1997), eq. 31 and 32: the overfitting rate R, from 0 to 1, is the position of the out-of-bag
    error between the apparent error and γ, the error if labels and predictions were independent.

    Examples
    --------
    >>> from dataclasses import replace
    >>> samples = Resamples.from_scores([0.8, 0.7, 0.75, 0.7], plan="632*4")
    >>> parts = {"apparent": 1.0, "no-information": 0.5}
    >>> parts = {name: Resamples.from_scores([score], plan="apparent") for name, score in parts.items()}
    >>> weighted = point632plus(replace(samples, parts=parts))
    >>> weighted.location.round(4), weighted.interval().low.round(3), weighted.interval().high.round(3)
    (np.float64(0.2056), np.float64(0.067), np.float64(0.345))
    """
    samples = _require_bootstrap("632plus", resamples)
    trained, left_out = require_apparent(samples).pooled, _loss_left_out(samples)
    gamma = samples.part("no-information").pooled
    capped = np.minimum(left_out, gamma)
    sensible = capped > trained  # then γ is, too; otherwise the learner does not overfit
    overfit = np.where(sensible, (capped - trained) / np.where(sensible, gamma - trained, 1.0), 0.0)
    added = (capped - trained) * 0.368 * 0.632 * overfit / (1 - 0.368 * overfit)
    return _fit_corrected("632plus", samples, (_weigh_632(trained, left_out) + added)[()])


@procedure(
    name="loo-star",
    title="leave-one-out*",
    **WITH_LIMITS,
    sources_covered=ONE_TEST_SET,  # the spread is that of examples
    assumes=(ENOUGH_TEST_EXAMPLES, LOSSES_DIFFER),
    standing=Standing.HEURISTIC,
    rationale="an unverified reading of Weiss (1991); no better than leave-one-out (Martin and Hirschberg), at a high"
    " cost",
    reference="weiss1991",
)
def loo_star(resamples: Resamples) -> Centred:
    """Estimate and interval by the median of leave-one-out, .632 and iterated 2-fold cross-validation.

    That is leave-one-out, bounded by the two others; the half-width of the interval is z standard errors of
    leave-one-out.

    Examples
    --------
    >>> from dataclasses import replace
    >>> bag = Resamples.from_scores([0.8, 0.6], plan="632*2")
    >>> bag = replace(bag, parts={"apparent": Resamples.from_scores([1.0], plan="apparent")})
    >>> halves = Resamples.from_scores([[0.7, 0.6]], plan="2-fold*1")
    >>> one_out = Resamples.from_scores([1, 1, 0, 0], plan="loo-star", examples=4, test=1, train=3)
    >>> median = loo_star(replace(one_out, parts={"632": bag, "2-fold*100": halves}))
    >>> median.location.round(4), median.interval().high.round(3)
    (np.float64(0.35), np.float64(0.84))
    """
    require_one("loo-star", resamples)
    if resamples.plan.kind != "loo-star":
        raise wrong_plan("loo-star", resamples, "leave-one-out, .632 and 2-fold*100", "Use plan='loo-star'.")
    three = (resamples.pooled, point632(resamples).location, resamples.part("2-fold*100").pooled)
    median = np.median(np.stack(three), axis=0)[()]

    def fit() -> Student:
        size = resamples.test.sum()
        squares = sums_of_squares("loo-star", resamples).sum(axis=(-2, -1)) / size
        spread = without_rounding(np.maximum(squares - resamples.pooled**2, 0), scale(resamples) ** 2)
        return fit_student(resamples, median, np.sqrt(spread / size), np.inf)

    return Centred(fit, location=median)


def _require_bootstrap(name: str, resamples: Resamples) -> Resamples:
    samples = find_bootstrap(require_one(name, resamples))
    if samples is None:
        raise wrong_plan(name, resamples, "bootstrap samples", "Use plan='632'.")
    return samples


def _loss_left_out(samples: Resamples) -> FloatArray:
    """Return the mean loss of the out-of-bag examples."""
    return samples.parts.get("out-of-bag", samples).pooled


def _weigh_632(trained: FloatArray, left_out: FloatArray) -> FloatArray:
    return 0.368 * trained + 0.632 * left_out


def _fit_corrected(name: str, samples: Resamples, centre: FloatArray) -> Centred:
    """Return the estimate with the interval ± t·s·√(1/R + out-of-bag share/in-bag share), s over the R samples."""

    def fit() -> Student:
        if samples.runs < 2:
            raise wrong_plan(name, samples, "two or more bootstrap samples", "Use plan='632'.")
        _, deviation, runs = moments(samples)
        return fit_student(samples, centre, deviation * np.sqrt(1 / runs + samples.ratio), runs - 1)

    return Centred(fit, location=centre)
