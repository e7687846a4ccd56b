"""Intervals of balanced accuracy and informedness: means of recalls, which are independent binomial shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...evidence import ConfusionMatrix
from ...metric_rules import Average
from ...numerics.distributions import normal_quantile
from ...numerics.repetition import each_once
from ...typing_ import FloatArray, IntArray
from ..error_count.wilson_score import score_distances
from ..pivots import Limits
from ..registry import Standing, procedure
from .assumptions import DEFINED, DEFINED_IN_EVERY_CLASS, ENOUGH_IN_DENOMINATOR
from .beta_sums import sum_quantiles
from .f1 import as_prior_count
from .metric_limits import INTERVAL, MetricLimits

_OF_RECALLS: dict[str, Any] = {**INTERVAL, "metrics": ("balanced-accuracy", "informedness")}


@procedure(
    name="mover-wilson",
    title="MOVER-Wilson",
    **_OF_RECALLS,
    assumes=(DEFINED, DEFINED_IN_EVERY_CLASS, ENOUGH_IN_DENOMINATOR),
    standing=Standing.RECOMMENDED,
    rationale="the default for a mean of recalls: closed form, with limits that fit the size of each class",
    validity=(
        "two labels; with six labels and five examples each coverage is 91% at nominal 95%, and that of 'delta' 95%"
    ),
    where={"labels": (2, 2)},
    reference="zou2008",
)
def mover_wilson(matrix: ConfusionMatrix) -> MetricLimits:
    """Return limits of a mean of recalls by adding the squared distances to Wilson's limits of each (MOVER).

    With recalls rᵢ of k classes and their limits lᵢ and uᵢ: r̄ − √Σ(rᵢ − lᵢ)²/k and r̄ + √Σ(uᵢ − rᵢ)²/k ("square and
    add", Newcombe for a difference, Zou and Donner for any sum). The recall of a class without examples is unknown: the
    lower limit uses 0 and the upper limit 1.

    Parameters
    ----------
    matrix
        The counts, with the metric `balanced-accuracy` or `informedness`.

    Examples
    --------
    >>> limits = mover_wilson(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("balanced-accuracy")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.7655), np.float64(0.9051))
    """
    right, sizes = _count_recalls(matrix)
    there, trials = sizes > 0, np.maximum(sizes, 1)
    total, open_ended = np.where(there, right / trials, 0.0).sum(axis=-1), (~there).sum(axis=-1)

    def limits_of_sum(tail: float) -> Limits:
        z = normal_quantile(tail)
        below, above = (
            add_squares(np.where(there, distance, 0.0), z) for distance in score_distances(right, trials, z)
        )
        return total - below, total + open_ended + above

    return _scale_limits(matrix, limits_of_sum)


def add_squares(distances: FloatArray, z: float = 1.0) -> FloatArray:
    """Return the distance of the limit of a sum of independent values, from the distances of each (last dimension).

    It is negative for a negative z (a bound of level below ½).

    Examples
    --------
    >>> add_squares(np.array([0.3, 0.4]))
    np.float64(0.5)
    """
    root: FloatArray = np.copysign(np.sqrt((distances**2).sum(axis=-1)), z)
    return root


@procedure(
    name="balanced-bayes",
    title="Bayesian balanced accuracy",
    **_OF_RECALLS,
    assumes=(DEFINED, DEFINED_IN_EVERY_CLASS),
    standing=Standing.SOUND,
    rationale=(
        "the posterior of the mean itself, for any class sizes; its minimum coverage, 82% at nominal 95% with 20 "
        "examples, is below that of 'mover-wilson', and it is slower"
    ),
    validity="two or three labels; with six labels and five examples each the prior dominates",
    where={"labels": (2, 3)},
    reference="brodersen2010",
    note=lambda added=0.5, **_: f"prior Beta({added:g}, {added:g}) for every recall",
)
def balanced_bayes(matrix: ConfusionMatrix, *, added: float = 0.5) -> MetricLimits:
    """Return posterior quantiles of a mean of independent recalls, each with the posterior Beta(right + λ, wrong + λ).

    Brodersen et al. give it for two classes with a uniform prior (λ = 1). The distribution of the mean is computed by
    convolution, for any number of classes, without simulation. If all answers are correct the upper limit is the end of
    the range, if all are wrong the lower one. The recall of a class without examples is unknown.

    Parameters
    ----------
    matrix
        The counts, with the metric `balanced-accuracy` or `informedness`.
    added
        λ, the prior count of correct and of wrong answers of every class: ½ (Jeffreys) or 1 (Laplace).

    Examples
    --------
    >>> matrix = ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("balanced-accuracy")
    >>> limits = balanced_bayes(matrix).interval()
    >>> limits.low.round(4), limits.high.round(4)
    (np.float64(0.7707), np.float64(0.9095))
    """
    weight, (right, sizes) = as_prior_count(added), _count_recalls(matrix)
    classes = right.shape[-1]
    columns = [np.atleast_1d(counts[..., index]).ravel() for counts in (right, sizes) for index in range(classes)]

    def limits_of_sum(tail: float) -> Limits:
        def of_each(*columns: IntArray) -> Limits:
            hits, trials = np.stack(columns[:classes], axis=-1), np.stack(columns[classes:], axis=-1)
            low, high = sum_quantiles(hits + weight, trials - hits + weight, trials > 0, tail)
            none, every = (hits == 0).all(axis=-1), (hits == trials).all(axis=-1)
            return np.where(none, 0.0, low), np.where(every, classes, high + (trials == 0).sum(axis=-1))

        low, high = (end.reshape(matrix.shape)[()] for end in each_once(of_each, *columns))
        return low, high

    return _scale_limits(matrix, limits_of_sum)


def _count_recalls(matrix: ConfusionMatrix) -> tuple[IntArray, IntArray]:
    """Return the number of correct predictions and of examples of every class."""
    return np.diagonal(matrix.counts, axis1=-2, axis2=-1), matrix.counts.sum(axis=-1)


def _scale_limits(matrix: ConfusionMatrix, limits_of_sum: Callable[[float], Limits]) -> MetricLimits:
    """Return the limits of the metric from those of a sum of recalls; they include its value."""
    rule = matrix.metric.bound_rule
    times, plus = (rule.times, rule.plus) if isinstance(rule, Average) else (1.0, 0.0)

    def invert(tail: float) -> Limits:
        low, high = (times * limit / len(matrix.labels) + plus for limit in limits_of_sum(tail))
        return np.fmin(low, matrix.value), np.fmax(high, matrix.value)

    return MetricLimits(matrix, invert)
