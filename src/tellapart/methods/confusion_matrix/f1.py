"""F1 of one class, as what it is: a function of one share.

With J = TP/(TP + FP + FN), the share of right ones among all that are of the class or were taken for it, F1 is
2J/(1 + J). Given how many those are, the true positives are binomial: every interval of one rate gives one of F1, by
mapping its limits. True negatives do not matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import ConfusionMatrix, ErrorCount
from ...numerics.distributions import tail
from ...numerics.repetition import each_once
from ...results import Interval
from ...typing_ import FloatArray, IntArray, Side
from ..error_count.exact import clopper_pearson
from ..error_count.open_ends import open_ends
from ..error_count.score import wilson
from ..registry import Standing, interval
from .assumptions import DEFINED, ENOUGH_THAT_COUNT
from .common import as_limits


@interval(
    name="f1-wilson",
    evidence=ConfusionMatrix,
    metrics=("f1",),
    assumes=(DEFINED, ENOUGH_THAT_COUNT),
    standing=Standing.RECOMMENDED,
    because="the default for F1: a closed form that stays inside [0, 1] and has width at both ends",
    reference="lam2024",
)
def f1_wilson(matrix: ConfusionMatrix, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give Wilson's limits of TP/(TP + FP + FN), mapped to F1 by 2x/(1 + x): Lam's "indirect" limits.

    Parameters
    ----------
    matrix
        The counts, asked for F1.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" or "lower".

    Examples
    --------
    >>> limits = f1_wilson(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("f1"))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.72), np.float64(0.8944))
    """
    hits, named = _found_of_named(matrix)
    found = wilson(ErrorCount(hits, np.maximum(named, 1))).interval(alpha, side)
    return _mapped("f1-wilson", matrix, (found.low, found.high), alpha, side)


@interval(
    name="f1-exact",
    evidence=ConfusionMatrix,
    metrics=("f1",),
    assumes=(DEFINED,),
    standing=Standing.RECOMMENDED,
    because="its level is guaranteed on each side, for F1 is one binomial share, mapped; wider than it need be on"
    " average",
    guarantees=True,
    reference="lam2024",
)
def f1_exact(matrix: ConfusionMatrix, *, alpha: float = 0.05, side: Side = "two") -> Interval:
    """Give Clopper and Pearson's limits of TP/(TP + FP + FN), mapped to F1 by 2x/(1 + x).

    The level holds given the number of examples that are of the class or were taken for it, whatever that
    number is, and so it holds altogether.

    Examples
    --------
    >>> limits = f1_exact(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("f1"))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.7129), np.float64(0.9019))
    """
    hits, named = _found_of_named(matrix)
    found = clopper_pearson(ErrorCount(hits, np.maximum(named, 1))).interval(alpha, side)
    return _mapped("f1-exact", matrix, (found.low, found.high), alpha, side)


@interval(
    name="f1-bayes",
    evidence=ConfusionMatrix,
    metrics=("f1",),
    assumes=(DEFINED,),
    standing=Standing.RECOMMENDED,
    because="the posterior of F1 in closed form, with nothing drawn; on average close to the level",
    reference="goutte2005",
    told=lambda added=0.5, **_: f"prior adds {added:g} to true positives and twice that to the errors",
)
def f1_bayes(matrix: ConfusionMatrix, *, alpha: float = 0.05, side: Side = "two", added: float = 0.5) -> Interval:
    """Give posterior quantiles of F1: those of Beta(TP + λ, FP + FN + 2λ), mapped by 2x/(1 + x).

    Goutte and Gaussier draw F1 from two Gamma variables; their ratio is this Beta, so its quantiles are known. As with
    one rate, the lower limit is 0 without a true positive and the upper one 1 without an error.

    Parameters
    ----------
    matrix
        The counts, asked for F1.
    alpha
        Error probability; the level is 1 − alpha.
    side
        "two", "upper" or "lower".
    added
        λ, what the prior adds to each count: ½ after Jeffreys, 1 after Laplace.

    Examples
    --------
    >>> limits = f1_bayes(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("f1"))
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.7162), np.float64(0.8931))
    """
    each, weight = tail(alpha, side), as_added(added)
    hits, named = _found_of_named(matrix)

    def limits(hits: Any, named: Any) -> tuple[FloatArray, FloatArray]:
        from ...numerics.distributions import beta_high, beta_low

        a, b = hits + weight, named - hits + 2 * weight
        return open_ends((beta_low(a, b, each), beta_high(a, b, each)), hits, named)

    return _mapped("f1-bayes", matrix, each_once(limits, hits, np.maximum(named, 1)), alpha, side)


def as_added(added: Any) -> float:
    """Return what is added to a count, or say that it must be a positive number.

    Examples
    --------
    >>> as_added(1)
    1.0
    """
    if isinstance(added, bool) or not isinstance(added, int | float | np.number) or not 0 < added < np.inf:
        raise InvalidOption(f"added must be a positive number, such as 0.5, but is {added!r}.")
    return float(added)


def _found_of_named(matrix: ConfusionMatrix) -> tuple[IntArray, IntArray]:
    """Return the true positives, and all that are of the class or were taken for it."""
    here = matrix.metric.positive
    hits = matrix.counts[..., here, here]
    return hits, matrix.counts[..., here, :].sum(axis=-1) + matrix.counts[..., :, here].sum(axis=-1) - hits


def _mapped(name: str, matrix: ConfusionMatrix, limits: tuple[Any, Any], alpha: float, side: Side) -> Interval:
    low, high = (2 * np.asarray(limit) / (1 + np.asarray(limit)) for limit in limits)
    return as_limits(name, matrix, (low, high), alpha, side)
