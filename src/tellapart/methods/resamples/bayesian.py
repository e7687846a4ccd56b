"""The probability that B is better, or as good in practice, given differences that go together."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np

from ...errors import InvalidOption
from ...evidence import Resamples
from ...numerics.distributions import pvalue_of_tails, ratio
from ...numerics.rounding import without_rounding
from ...results import Interval, Practical, TestResult
from ...typing_ import Alternative, BoolArray, FloatArray, Side
from ..loss_scale import scale
from ..registry import EVERY_SOURCE, Standing, method
from .assumptions import SPREAD_OF_DIFFERENCES, TRAINED_ON_SPLITS
from .common import as_ratio, pair_of_learners
from .moments import moments, student_interval


def _told(rope: float = 0.0, rho: float | None = None, **_: Any) -> str:
    told = "" if rho is None else f"correlation of the differences taken for {rho:g}"
    region = f"differences within {rope:g} count as none" if rope else ""
    return "; ".join(part for part in ("flat prior", region, told) if part)


_FACTS: dict[str, Any] = {
    "name": "bayesian-correlated-t",
    "covers": EVERY_SOURCE,
    "question": 8,
    "evidence": Resamples,
    "parameter": "difference",
    "assumes": (SPREAD_OF_DIFFERENCES, *TRAINED_ON_SPLITS),
    "standing": Standing.RECOMMENDED,
    "because": "the numbers of the corrected t, read as probabilities; with a region of practical equivalence it can"
    " also say that nothing speaks for either",
    "holds": "stable learners (no nearest neighbours), 10 splits or more with test sets of 30 examples or more, without"
    " a rope",
    "where": {"stable": (1, 1), "runs": (10, inf), "test": (30, inf)},
    "told": _told,
    "reference": "corani2015",
}


@method(gives="test", statistic="P(B better)", **_FACTS)
def bayesian_correlated_t(
    resamples: Resamples,
    *,
    alternative: Alternative = "two-sided",
    rope: float = 0.0,
    rho: float | None = None,
) -> TestResult:
    """Give the posterior probability that B is the better learner, by more than the rope if there is one.

    The difference is Student(d̄, s²(1/J + ρ/(1 − ρ)), J − 1) under a flat prior. The statistic is P(B better);
    the p-value is the probability of being wrong to call one of them better, doubled if two-sided. Without a
    rope it is that of the corrected t test. Differences without any spread give a posterior that sits on their mean, so
    that the statistic is 0 or 1; but nothing shows how far they can be trusted, and the p-value is 1.

    Parameters
    ----------
    resamples
        The losses of two learners on the same splits.
    alternative
        "two-sided", "greater" (loss(A) exceeds loss(B): B is better) or "less".
    rope
        The region of practical equivalence: differences up to this size, either way, count as none.
    rho
        The correlation of differences on two splits; the share of the examples that are tested, if left out: 1/k
        for k folds.

    Examples
    --------
    >>> held = Resamples.from_scores([0.7, 0.7, 0.7, 0.6], [0.8, 0.7, 0.9, 0.8], plan="4-fold")
    >>> bayesian_correlated_t(held).statistic.round(4), bayesian_correlated_t(held, rope=0.05).statistic.round(4)
    (np.float64(0.907), np.float64(0.8097))
    """
    tails = _tails("bayesian-correlated-t", resamples, rope, rho)
    pvalue = pvalue_of_tails(tails.not_below, tails.not_above, alternative)
    return TestResult(
        statistic=tails.above,
        pvalue=np.where(tails.unlike, pvalue, 1.0)[()],
        practical=_probabilities(tails, rope) if rope else None,
    )


@method(gives="interval", **_FACTS)
def bayesian_correlated_interval(
    resamples: Resamples, *, alpha: float = 0.05, side: Side = "two", rho: float | None = None
) -> Interval:
    """Give limits between which the difference lies with the posterior probability of the level.

    Examples
    --------
    >>> held = Resamples.from_scores([0.7, 0.7, 0.7, 0.6], [0.8, 0.7, 0.9, 0.8], plan="4-fold")
    >>> bayesian_correlated_interval(held, alpha=0.2).low.round(4)
    np.float64(0.0052)
    """
    name = "bayesian-correlated-t"
    mean, error, freedom = _posterior(name, resamples, rho)
    return student_interval(name, resamples, mean, error, freedom, alpha, side)


def correlated_probabilities(resamples: Resamples, *, rope: float, rho: float | None = None) -> Practical:
    """Return the three probabilities of the Bayesian correlated t test; `practical_probabilities` tells more of them.

    Examples
    --------
    >>> held = Resamples.from_scores([0.7, 0.7, 0.7, 0.6], [0.8, 0.7, 0.9, 0.8], plan="4-fold")
    >>> correlated_probabilities(held, rope=0.02).b_better.round(3)
    np.float64(0.877)
    """
    return _probabilities(_tails("practical_probabilities", resamples, rope, rho), rope)


def _probabilities(tails: _Tails, rope: float) -> Practical:
    # From the side on which the mean lies, whichever learner is called A.
    inside = np.where(tails.above >= tails.below, tails.not_above - tails.below, tails.not_below - tails.above)
    return Practical(
        a_better=tails.below[()],
        equivalent=np.maximum(inside, 0.0)[()],
        b_better=tails.above[()],
        rope=float(rope),
    )


def _posterior(name: str, resamples: Resamples, rho: float | None) -> tuple[FloatArray, FloatArray, int]:
    mean, deviation, runs = moments(pair_of_learners(name, resamples))
    if rho is None:
        inflation = as_ratio(name, resamples, None, "Give the correlation of the differences: rho=0.1 for 10-fold.")
    elif isinstance(rho, bool) or not (isinstance(rho, int | float | np.number) and 0 <= rho < 1):
        raise InvalidOption(f"rho must be a correlation from 0 to below 1, but is {rho!r}. For 10-fold write 0.1.")
    else:
        inflation = rho / (1 - rho)
    return mean, deviation * np.sqrt(1 / runs + inflation), runs - 1


class _Tails(NamedTuple):
    """The posterior's probabilities on either side of −rope and of rope, each with its own digits.

    Without any spread it sits on the mean, and each of them is 0 or 1. The ends of the rope belong to it: a difference
    of −rope is not below, one of rope not above.
    """

    below: FloatArray
    not_below: FloatArray
    above: FloatArray
    not_above: FloatArray
    unlike: BoolArray  # whether the differences have any spread


def _tails(name: str, resamples: Resamples, rope: float, rho: float | None) -> _Tails:
    from scipy.special import stdtr

    if isinstance(rope, bool) or not (isinstance(rope, int | float | np.number) and 0 <= rope < np.inf):
        raise InvalidOption(f"rope must be a difference, 0 or more, but is {rope!r}. For one point write 0.01.")
    mean, error, freedom = _posterior(name, resamples, rho)
    unlike, size = np.asarray(error > 0), scale(resamples)
    below, above = (-rope - mean, mean - rope)
    sits = [without_rounding(beyond, size) > 0 for beyond in (below, above)]  # a mean at the end, but for rounding
    sits = [sits[0], ~sits[0], sits[1], ~sits[1]]
    found = [
        np.where(unlike, stdtr(freedom, ratio(np.where(unlike, far, 0.0), error, empty=0.0)), there)
        for far, there in zip((below, -below, above, -above), sits, strict=True)
    ]
    return _Tails(found[0][()], found[1][()], found[2][()], found[3][()], unlike)
