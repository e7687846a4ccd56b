"""Balanced accuracy and informedness: a mean of recalls, each of a class of its own and independent of the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...evidence import ConfusionMatrix
from ...metric_rules import Average
from ...numerics.distributions import normal_quantile
from ...numerics.repetition import each_once
from ...typing_ import FloatArray, IntArray
from ..error_count.score import score_distances
from ..pivots import Limits
from ..registry import Standing, procedure
from .assumptions import DEFINED, ENOUGH_THAT_COUNT, EVERY_CLASS_COUNTS
from .beta_sums import sum_quantiles
from .common import INTERVAL, MetricLimits
from .f1 import as_added

_OF_RECALLS: dict[str, Any] = {**INTERVAL, "metrics": ("balanced-accuracy", "informedness")}


@procedure(
    name="mover-wilson",
    **_OF_RECALLS,
    assumes=(DEFINED, EVERY_CLASS_COUNTS, ENOUGH_THAT_COUNT),
    standing=Standing.RECOMMENDED,
    rationale="the default for a mean of recalls: closed form, and each class keeps the limits that fit its own size",
    validity="two labels; with six it covers 0.91 of 0.95 where classes have five examples each, and 'delta' 0.95",
    where={"labels": (2, 2)},
    reference="zou2008",
)
def mover_wilson(matrix: ConfusionMatrix) -> MetricLimits:
    """Give the mean of the recalls, minus and plus the root of the squared distances to Wilson's limits of each.

    With recalls rᵢ of k classes and their limits lᵢ and uᵢ: r̄ − √Σ(rᵢ − lᵢ)²/k and r̄ + √Σ(uᵢ − rᵢ)²/k ("square and
    add", as Newcombe has it for a difference and Zou and Donner for any sum). The recall of a class without an example
    may be anything: the lower limit takes it for 0 and the upper one for 1.

    Parameters
    ----------
    matrix
        The counts, asked for balanced accuracy or informedness.

    Examples
    --------
    >>> limits = mover_wilson(ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("balanced-accuracy")).interval()
    >>> round(limits.low, 4), round(limits.high, 4)
    (np.float64(0.7655), np.float64(0.9051))
    """
    right, sizes = _recalls(matrix)
    there, trials = sizes > 0, np.maximum(sizes, 1)
    total, open_ended = np.where(there, right / trials, 0.0).sum(axis=-1), (~there).sum(axis=-1)

    def limits_of_sum(tail: float) -> Limits:
        z = normal_quantile(tail)
        below, above = (
            squared_and_added(np.where(there, distance, 0.0), z) for distance in score_distances(right, trials, z)
        )
        return total - below, total + open_ended + above

    return _scaled(matrix, limits_of_sum)


def squared_and_added(distances: FloatArray, z: float = 1.0) -> FloatArray:
    """Return how far a sum of independent values may lie from its limit, by how far each of them may (last dimension).

    With a negative z (a bound below level ½) it is on the other side.

    Examples
    --------
    >>> squared_and_added(np.array([0.3, 0.4]))
    np.float64(0.5)
    """
    root: FloatArray = np.copysign(np.sqrt((distances**2).sum(axis=-1)), z)
    return root


@procedure(
    name="balanced-bayes",
    **_OF_RECALLS,
    assumes=(DEFINED, EVERY_CLASS_COUNTS),
    standing=Standing.SOUND,
    rationale="the posterior of the mean itself, at any size of the classes; its floor, 0.82 of 0.95 at 20 examples, is"
    " lower than that of 'mover-wilson', and it is slower",
    validity="two or three labels; with six the prior outweighs classes of five examples each",
    where={"labels": (2, 3)},
    reference="brodersen2010",
    note=lambda added=0.5, **_: f"prior Beta({added:g}, {added:g}) for every recall",
)
def balanced_bayes(matrix: ConfusionMatrix, *, added: float = 0.5) -> MetricLimits:
    """Give posterior quantiles of a mean of recalls: each is Beta(right + λ, wrong + λ), and all are independent.

    Brodersen and others have it for two classes with a uniform prior (λ = 1). The distribution of the mean comes from
    convolution, for any number of classes; nothing is drawn. Where all is right the upper limit is the end of the
    range, where all is wrong the lower one. The recall of a class without an example may be anything.

    Parameters
    ----------
    matrix
        The counts, asked for balanced accuracy or informedness.
    added
        λ, what the prior adds to right and wrong of every class: ½ after Jeffreys, 1 after Laplace.

    Examples
    --------
    >>> matrix = ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("balanced-accuracy")
    >>> limits = balanced_bayes(matrix).interval()
    >>> limits.low.round(4), limits.high.round(4)
    (np.float64(0.7707), np.float64(0.9095))
    """
    weight, (right, sizes) = as_added(added), _recalls(matrix)
    classes = right.shape[-1]
    columns = [np.atleast_1d(part[..., place]).ravel() for part in (right, sizes) for place in range(classes)]

    def limits_of_sum(tail: float) -> Limits:
        def of_each(*columns: IntArray) -> Limits:
            hits, trials = np.stack(columns[:classes], axis=-1), np.stack(columns[classes:], axis=-1)
            low, high = sum_quantiles(hits + weight, trials - hits + weight, trials > 0, tail)
            none, every = (hits == 0).all(axis=-1), (hits == trials).all(axis=-1)
            return np.where(none, 0.0, low), np.where(every, classes, high + (trials == 0).sum(axis=-1))

        low, high = (end.reshape(matrix.shape)[()] for end in each_once(of_each, *columns))
        return low, high

    return _scaled(matrix, limits_of_sum)


def _recalls(matrix: ConfusionMatrix) -> tuple[IntArray, IntArray]:
    """Return for every class the right ones and the examples."""
    return np.diagonal(matrix.counts, axis1=-2, axis2=-1), matrix.counts.sum(axis=-1)


def _scaled(matrix: ConfusionMatrix, limits_of_sum: Callable[[float], Limits]) -> MetricLimits:
    """Return the limits of a sum of recalls as those of the metric; they take in its value."""
    rule = matrix.metric.bound_rule
    times, plus = (rule.times, rule.plus) if isinstance(rule, Average) else (1.0, 0.0)

    def invert(tail: float) -> Limits:
        low, high = (times * limit / len(matrix.labels) + plus for limit in limits_of_sum(tail))
        return np.fmin(low, matrix.value), np.fmax(high, matrix.value)

    return MetricLimits(matrix, invert)
