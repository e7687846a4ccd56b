"""Intervals of the F1 of one class, as a function of a binomial share.

With J = TP/(TP + FP + FN), the Jaccard index, F1 is 2J/(1 + J). Given TP + FP + FN, the true positives are binomial:
every interval of a rate gives one of F1, by transforming its limits. True negatives do not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import InvalidOption
from ...evidence import ConfusionMatrix, ErrorCount
from ...numerics.repetition import each_once
from ..error_count.exact import clopper_pearson
from ..error_count.open_ends import open_ends
from ..error_count.wilson_score import wilson
from ..pivots import Limits
from ..registry import Standing, procedure
from .assumptions import DEFINED, ENOUGH_IN_DENOMINATOR
from .metric_limits import INTERVAL, MetricLimits

_OF_F1: dict[str, Any] = {**INTERVAL, "metrics": ("f1",), "standing": Standing.RECOMMENDED}


@procedure(
    name="f1-wilson",
    title="Wilson interval for F1",
    **_OF_F1,
    assumes=(DEFINED, ENOUGH_IN_DENOMINATOR),
    rationale="the default for F1: a closed form within 0 and 1, with positive width at both ends",
    reference="lam2024",
)
def f1_wilson(matrix: ConfusionMatrix) -> MetricLimits:
    """Return Wilson's limits of TP/(TP + FP + FN), transformed to F1 by 2x/(1 + x): Lam's "indirect" limits.

    Parameters
    ----------
    matrix
        The counts, with the metric `f1`.

    Examples
    --------
    >>> limits = f1_wilson(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("f1")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.72), np.float64(0.8944))
    """
    return _transform_limits(matrix, wilson(_jaccard_counts(matrix)).limits)


@procedure(
    name="f1-exact",
    title="Clopper-Pearson interval for F1",
    **_OF_F1,
    assumes=(DEFINED,),
    rationale=(
        "coverage guaranteed on each side, because F1 is a function of one binomial share; wider than necessary on "
        "average"
    ),
    guarantees=True,
    reference="lam2024",
)
def f1_exact(matrix: ConfusionMatrix) -> MetricLimits:
    """Return Clopper and Pearson's limits of TP/(TP + FP + FN), transformed to F1 by 2x/(1 + x).

    The coverage is guaranteed for every value of TP + FP + FN, and therefore overall.

    Examples
    --------
    >>> limits = f1_exact(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("f1")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.7129), np.float64(0.9019))
    """
    return _transform_limits(matrix, clopper_pearson(_jaccard_counts(matrix)).limits)


@procedure(
    name="f1-bayes",
    title="Bayesian interval for F1",
    **_OF_F1,
    assumes=(DEFINED,),
    rationale="the posterior of F1 in closed form, without simulation; coverage close to nominal on average",
    reference="goutte2005",
    note=lambda added=0.5, **_: f"prior adds {added:g} to true positives and twice that to the errors",
)
def f1_bayes(matrix: ConfusionMatrix, *, added: float = 0.5) -> MetricLimits:
    """Return posterior quantiles of F1: those of Beta(TP + λ, FP + FN + 2λ), transformed by 2x/(1 + x).

    Goutte and Gaussier simulate F1 from two Gamma variables; their ratio has this Beta distribution, whose quantiles
    are known. As for a rate, the lower limit is 0 without a true positive and the upper limit 1 without an error.

    Parameters
    ----------
    matrix
        The counts, with the metric `f1`.
    added
        λ, the prior count: ½ (Jeffreys) or 1 (Laplace).

    Examples
    --------
    >>> limits = f1_bayes(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("f1")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.7162), np.float64(0.8931))
    """
    from ...numerics.distributions import beta_high, beta_low

    weight, share = as_prior_count(added), _jaccard_counts(matrix)

    def limits(tail: float) -> Limits:
        def of_each(hits: Any, named: Any) -> Limits:
            a, b = hits + weight, named - hits + 2 * weight
            return open_ends((beta_low(a, b, tail), beta_high(a, b, tail)), hits, named)

        low, high = each_once(of_each, share.errors, share.trials)
        return low, high

    return _transform_limits(matrix, limits)


def as_prior_count(added: Any) -> float:
    """Return a prior count as a float; raise InvalidOption if it is not a positive number.

    Examples
    --------
    >>> as_prior_count(1)
    1.0
    """
    if isinstance(added, bool) or not isinstance(added, int | float | np.number) or not 0 < added < np.inf:
        raise InvalidOption(f"`added` must be a positive number, got {added!r}. Use 0.5 for Jeffreys' prior.")
    return float(added)


def _jaccard_counts(matrix: ConfusionMatrix) -> ErrorCount:
    """Return the counts of J: true positives, among true positives and errors of the class."""
    here = matrix.metric.positive
    hits = matrix.counts[..., here, here]
    named = matrix.counts[..., here, :].sum(axis=-1) + matrix.counts[..., :, here].sum(axis=-1) - hits
    return ErrorCount(hits, np.maximum(named, 1))


def _transform_limits(matrix: ConfusionMatrix, limits: Callable[[float], Limits]) -> MetricLimits:
    """Return the limits of F1 by those of J: 2J/(1 + J)."""

    def invert(tail: float) -> Limits:
        low, high = (2 * limit / (1 + limit) for limit in limits(tail))
        return low, high

    return MetricLimits(matrix, invert)
