"""The layout of examples: their clusters, weights, groups and repeats."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...evidence import Outcomes
from ...typing_ import FloatArray, IntArray

_GOLDEN = (np.sqrt(5) - 1) / 2


class ExampleLayout(NamedTuple):
    """The examples of a design, shared by all trials: everything but the scores."""

    examples: int
    clusters: IntArray | None = None
    weights: FloatArray | None = None
    groups: IntArray | None = None
    group_names: tuple[str, ...] = ()
    repeats: IntArray | None = None  # by model and example
    clustered_by: str = "cluster"

    @property
    def shares(self) -> FloatArray:
        """Weight of each example in the mean."""
        weights = np.ones(self.examples) if self.weights is None else self.weights
        return np.asarray(weights / weights.sum())

    @property
    def sizes(self) -> IntArray:
        """Number of examples in each cluster."""
        return np.ones(self.examples, dtype=np.int64) if self.clusters is None else np.bincount(self.clusters)


def parts(total: int, number: int, uneven: float) -> IntArray:
    """Return a total divided into parts of 1 or more with lognormal sizes.

    Examples
    --------
    >>> parts(20, 4, 0.0), parts(20, 4, 1.0)
    (array([5, 5, 5, 5]), array([ 2,  3,  5, 10]))
    """
    from scipy.special import ndtri

    targets = np.exp(uneven * ndtri((np.arange(number) + 0.5) / number))
    ends = np.rint(np.cumsum(targets) / targets.sum() * (total - number)).astype(np.int64)
    return np.asarray(1 + np.diff(ends, prepend=0))


def laid_out(
    examples: int, *, clusters: int, uneven: float, weighted: float, groups: int, repeats: int, models: int
) -> ExampleLayout:
    """Return a layout with consecutive clusters, each in one group, and weights that vary within clusters.

    Examples
    --------
    >>> laid_out(6, clusters=3, uneven=0, weighted=0, groups=2, repeats=1, models=2).groups
    array([0, 0, 1, 1, 1, 1])
    """
    codes = np.repeat(np.arange(clusters), parts(examples, clusters, uneven)) if clusters else None
    weights = None
    if weighted:
        from scipy.special import ndtri

        spread = (np.arange(examples) + 0.5) * _GOLDEN % 1  # even in every stretch of examples
        weights = np.exp(weighted * ndtri(spread))
    tasks = None
    if groups:
        units = np.arange(examples) if codes is None else codes
        tasks = np.repeat(np.arange(groups), parts(clusters or examples, groups, uneven))[units]
    met = np.full((models, examples), repeats) if repeats > 1 else None
    names = tuple(f"task {index + 1}" for index in range(groups))
    return ExampleLayout(examples, codes, weights, tasks, names, met)


def layout_of(outcomes: Outcomes) -> ExampleLayout:
    """Return the layout of observed evidence."""
    return ExampleLayout(
        outcomes.examples,
        outcomes.clusters,
        outcomes.weights,
        outcomes.groups,
        outcomes.group_names,
        outcomes.repeats,
        outcomes.clustered_by,
    )
