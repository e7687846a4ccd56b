"""The bootstrap's estimates of one learner's error: what each sample left out, and how much of the rest to add.

A bootstrap sample holds 63.2 % of the examples on average; the others, out of the bag, test the classifier.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...evidence import Resamples
from ...numerics.rounding import without_rounding
from ...results import Interval
from ...typing_ import FloatArray, Side
from ..loss_scale import scale
from ..registry import EVERY_SOURCE, ONE_TEST_SET, Standing, method
from .assumptions import ENOUGH_BOOTSTRAP_SAMPLES, ENOUGH_TEST_EXAMPLES, LOSSES_DIFFER, NOT_MEMORISED, SAMPLES_DIFFER
from .common import other_plan
from .estimators import apparent, of_one, sums_of_squares
from .moments import moments, student_interval

_OOB: dict[str, Any] = {
    "name": "oob",
    "covers": EVERY_SOURCE,
    "question": 6,
    "evidence": Resamples,
    "assumes": (ENOUGH_BOOTSTRAP_SAMPLES, SAMPLES_DIFFER),
    "standing": Standing.HEURISTIC,
    "because": "about as pessimistic as training on two thirds of the examples; the width of its interval is borrowed"
    " from the corrected t",
    "reference": "efron1997",
}
_632: dict[str, Any] = {
    "name": "632",
    "covers": EVERY_SOURCE,
    "question": 6,
    "evidence": Resamples,
    "assumes": (ENOUGH_BOOTSTRAP_SAMPLES, NOT_MEMORISED, SAMPLES_DIFFER),
    "standing": Standing.HEURISTIC,
    "because": "its weights suit no learner in particular: for nearest neighbours it is biased, and not alike for one"
    " neighbour and three (Martin and Hirschberg); the width of its interval is borrowed from the corrected t",
    "reference": "efron1983",
}
_632_PLUS: dict[str, Any] = {
    "name": "632plus",
    "covers": EVERY_SOURCE,
    "question": 6,
    "evidence": Resamples,
    "assumes": (ENOUGH_BOOTSTRAP_SAMPLES, SAMPLES_DIFFER),
    "standing": Standing.HEURISTIC,
    "because": "made for point estimates, and good ones where a learner overfits; the width of its interval is borrowed"
    " from the corrected t",
    "reference": "efron1997",
}
_LOO_STAR: dict[str, Any] = {
    "name": "loo-star",
    "covers": ONE_TEST_SET,  # the spread is that of examples
    "question": 6,
    "evidence": Resamples,
    "assumes": (ENOUGH_TEST_EXAMPLES, LOSSES_DIFFER),
    "standing": Standing.HEURISTIC,
    "because": "Weiss' rule in an unverified reading; Martin and Hirschberg found it no better than leave-one-out, at"
    " a high cost",
    "reference": "weiss1991",
}


@method(gives="estimate", **_OOB)
def oob(resamples: Resamples) -> FloatArray:
    """Give the leave-one-out bootstrap: each example's mean loss over the samples without it, averaged.

    Where only a score for each sample is known, it is their mean, each by what it left out.

    Examples
    --------
    >>> oob(Resamples.from_scores([0.9, 0.8, 0.7], plan="632*3")).round(3)
    np.float64(0.2)
    """
    held = _bootstrap("oob", resamples)
    return held.parts.get("out-of-bag", held).pooled


@method(gives="interval", **_OOB)
def oob_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give `oob` ± the corrected t's reach for what the samples left out.

    Examples
    --------
    >>> limits = oob_interval(Resamples.from_scores([0.9, 0.85, 0.8, 0.85], plan="632*4"))
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(0.031), np.float64(0.269))
    """
    return _interval("oob", resamples, oob(resamples), alpha, side)


@method(gives="estimate", **_632)
def point632(resamples: Resamples) -> FloatArray:
    """Give 0.368 times the apparent error and 0.632 times that of examples left out (Efron).

    Examples
    --------
    >>> held = Resamples.from_scores([0.9, 0.8, 0.7], plan="632*3")
    >>> seen = Resamples.from_scores([0.95], plan="apparent")
    >>> from dataclasses import replace
    >>> point632(replace(held, parts={"apparent": seen})).round(4)
    np.float64(0.1448)
    """
    held = _bootstrap("632", resamples)
    return (0.368 * apparent(held) + 0.632 * oob(held))[()]


@method(gives="interval", **_632)
def point632_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give `632` ± the corrected t's reach for what the samples left out.

    Examples
    --------
    >>> held = Resamples.from_scores([0.9, 0.85, 0.8, 0.85], plan="632*4")
    >>> seen = Resamples.from_scores([0.95], plan="apparent")
    >>> from dataclasses import replace
    >>> limits = point632_interval(replace(held, parts={"apparent": seen}))
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(0.0), np.float64(0.232))
    """
    return _interval("632", resamples, point632(resamples), alpha, side)


@method(gives="estimate", **_632_PLUS)
def point632plus(resamples: Resamples) -> FloatArray:
    """Give .632 with more weight for examples left out, the more a learner overfits (Efron and Tibshirani).

    Their eq. 31 and 32: overfitting R is how far the error goes from the apparent one to γ, that of a
    learner which labels and predictions tell nothing about each other, held in [0, 1].

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.6], plan="632*3")
    >>> seen, none = (Resamples.from_scores([score], plan="apparent") for score in (1.0, 0.5))
    >>> from dataclasses import replace
    >>> point632plus(replace(held, parts={"apparent": seen, "no-information": none})).round(4)
    np.float64(0.2433)
    """
    held = _bootstrap("632plus", resamples)
    seen, left, gamma = apparent(held), oob(held), held.part("no-information").pooled
    capped = np.minimum(left, gamma)
    sensible = capped > seen  # then γ is, too; else there is no overfitting to speak of
    overfit = np.where(sensible, (capped - seen) / np.where(sensible, gamma - seen, 1.0), 0.0)
    plain = 0.368 * seen + 0.632 * left
    return (plain + (capped - seen) * 0.368 * 0.632 * overfit / (1 - 0.368 * overfit))[()]


@method(gives="interval", **_632_PLUS)
def point632plus_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give `632plus` ± the corrected t's reach for what the samples left out.

    Examples
    --------
    >>> held = Resamples.from_scores([0.8, 0.7, 0.75, 0.7], plan="632*4")
    >>> seen, none = (Resamples.from_scores([score], plan="apparent") for score in (1.0, 0.5))
    >>> from dataclasses import replace
    >>> limits = point632plus_interval(replace(held, parts={"apparent": seen, "no-information": none}))
    >>> limits.low.round(3), limits.high.round(3)
    (np.float64(0.067), np.float64(0.345))
    """
    return _interval("632plus", resamples, point632plus(resamples), alpha, side)


@method(gives="estimate", **_LOO_STAR)
def loo_star(resamples: Resamples) -> FloatArray:
    """Give the median of leave-one-out, .632 and iterated 2-fold cross-validation.

    That is leave-one-out, kept between the two others.

    Examples
    --------
    >>> from dataclasses import replace
    >>> bag = Resamples.from_scores([0.8, 0.6], plan="632*2")
    >>> bag = replace(bag, parts={"apparent": Resamples.from_scores([1.0], plan="apparent")})
    >>> halves = Resamples.from_scores([[0.7, 0.6]], plan="2-fold*1")
    >>> one_out = Resamples.from_scores([1, 1, 0, 0], plan="loo-star", test=1, train=3)
    >>> loo_star(replace(one_out, parts={"632": bag, "2-fold*100": halves})).round(4)
    np.float64(0.35)
    """
    of_one("loo-star", resamples)
    if resamples.plan.kind != "loo-star":
        raise other_plan("loo-star", resamples, "leave-one-out, .632 and 2-fold*100", "Race by the plan 'loo-star'.")
    three = (resamples.pooled, point632(resamples), resamples.part("2-fold*100").pooled)
    return np.median(np.stack(three), axis=0)[()]


@method(gives="interval", **_LOO_STAR)
def loo_star_interval(resamples: Resamples, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give `loo-star` ± z standard errors of leave-one-out.

    Examples
    --------
    >>> from dataclasses import replace
    >>> bag = Resamples.from_scores([0.8, 0.6], plan="632*2")
    >>> bag = replace(bag, parts={"apparent": Resamples.from_scores([1.0], plan="apparent")})
    >>> halves = Resamples.from_scores([[0.7, 0.6]], plan="2-fold*1")
    >>> one_out = Resamples.from_scores([1, 1, 0, 0], plan="loo-star", examples=4, test=1, train=3)
    >>> loo_star_interval(replace(one_out, parts={"632": bag, "2-fold*100": halves})).high.round(3)
    np.float64(0.84)
    """
    centre = loo_star(resamples)
    size = resamples.test.sum()
    squares = sums_of_squares("loo-star", resamples).sum(axis=(-2, -1)) / size
    spread = without_rounding(np.maximum(squares - resamples.pooled**2, 0), scale(resamples) ** 2)
    return student_interval("loo-star", resamples, centre, np.sqrt(spread / size), np.inf, alpha, side)


def _bootstrap(name: str, resamples: Resamples) -> Resamples:
    of_one(name, resamples)
    for held in (resamples, *resamples.parts.values()):
        if held.plan.kind == "bootstrap":
            return held
    raise other_plan(name, resamples, "bootstrap samples", "Race by the plan '632'.")


def _interval(name: str, resamples: Resamples, centre: FloatArray, alpha: float, side: Side) -> Interval:
    """Return the centre ± t·s·√(1/R + out of the bag/in it), s over the R samples."""
    held = _bootstrap(name, resamples)
    if held.runs < 2:
        raise other_plan(name, resamples, "two or more bootstrap samples", "Race by the plan '632'.")
    _, deviation, runs = moments(held)
    return student_interval(name, held, centre, deviation * np.sqrt(1 / runs + held.ratio), runs - 1, alpha, side)
