"""Examples that were met several times: their mean and spread, and the chance that a few tries do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence
from ..typing_ import FloatArray, IntArray
from .of_learners import as_floats

LARGEST = 1e300  # a score: beyond that sums and differences overflow


def as_repeated(scores: Mapping[str, ArrayLike]) -> tuple[FloatArray, IntArray, FloatArray, bool]:
    """Return mean, number and squared deviations of each example's repeats, by model; and whether all are 0 or 1.

    Examples
    --------
    >>> means, repeats, within, binary = as_repeated({"a": [[1, 0, np.nan], [1, 1, 1]]})
    >>> means.tolist(), repeats.tolist(), within.round(3).tolist(), binary
    ([[0.5, 1.0]], [[2, 3]], [[0.5, 0.0]], True)
    """
    grids = {name: _as_score_grid(name, row) for name, row in scores.items()}
    sizes = {grid.shape[0] for grid in grids.values()}
    if len(sizes) != 1:
        text = ", ".join(f"{name} {grid.shape[0]}" for name, grid in grids.items())
        raise InvalidEvidence(f"scores must be of the same examples in the same order, but there are {text}.")
    counts = [np.isfinite(grid).sum(axis=1) for grid in grids.values()]
    for name, count in zip(grids, counts, strict=True):
        if not count.all():
            raise InvalidEvidence(
                f"the scores of {name} have none for the example at position {np.argmin(count)}. Leave it out for all"
                " models, or decide what it counts."
            )
    means = [np.nansum(grid, axis=1) / count for grid, count in zip(grids.values(), counts, strict=True)]
    within = [
        _sum_of_squares(name, grid - mean[:, None]) for (name, grid), mean in zip(grids.items(), means, strict=True)
    ]
    binary = all(np.isin(grid[np.isfinite(grid)], (0, 1)).all() for grid in grids.values())
    return np.stack(means), np.stack(counts), np.stack(within), binary


def _sum_of_squares(name: str, deviations: FloatArray) -> FloatArray:
    """Return the sum of squares of each row, NaN left out, or say that they overflow."""
    with np.errstate(over="ignore"):
        squares: FloatArray = np.nansum(deviations**2, axis=1)
    if np.isinf(squares).any():
        raise InvalidEvidence(
            f"the repeats of {name} lie too far apart to be squared. Take the scores in a larger unit, or take their"
            " logarithms."
        )
    return squares


def _as_score_grid(name: str, scores: ArrayLike) -> FloatArray:
    """Return the scores of a model by example and repeat."""
    array = as_floats(f"the scores of {name}", scores)
    if array.ndim not in (1, 2) or not array.size:
        raise InvalidEvidence(
            f"the scores of {name} must be a number (or row of repeats) for each example, but have shape {array.shape}."
        )
    if (np.abs(array) > LARGEST).any():
        raise InvalidEvidence(
            f"the scores of {name} must be finite and at most {LARGEST:g} in size, but are not everywhere."
        )
    return array.reshape(array.shape[0], -1)


def as_labelled(name: str, labels: Any, examples: int) -> tuple[IntArray, np.ndarray]:
    """Return a code for each example's label, from 0 on, and the labels in the order of their codes."""
    array = np.asarray(labels)
    if array.shape != (examples,):
        raise InvalidEvidence(f"{name} must be a label for each of {examples} examples, but have shape {array.shape}.")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise InvalidEvidence(f"{name} must be known for every example, but are not. Leave out those without one.")
    try:
        names, codes = np.unique(array, return_inverse=True)
    except TypeError:  # labels of different kinds, or None among them
        raise InvalidEvidence(f"{name} must be labels of one kind, none of them missing.") from None
    return codes.astype(np.int64), names


def chance_of_any(right: FloatArray, met: IntArray, tries: int) -> FloatArray:
    """Return 1 − C(n − c, k)/C(n, k): the chance that k of n answers, c of them right, hold a right one."""
    return 1 - chance_of_all(met - right, met, tries)


def chance_of_all(right: FloatArray, met: IntArray, tries: int) -> FloatArray:
    """Return C(c, k)/C(n, k): the chance that k of n answers, c of them right, are all right.

    Examples
    --------
    >>> chance_of_all(np.array([3.0, 1.0]), np.array([5, 5]), 2)
    array([0.3, 0. ])
    """
    chance = np.ones(np.broadcast_shapes(np.shape(right), np.shape(met)))
    for step in range(tries):  # one factor each: no binomial coefficient to overflow
        chance *= np.maximum(right - step, 0) / (met - step)
    return chance
