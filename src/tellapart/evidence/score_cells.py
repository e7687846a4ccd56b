"""Helpers of a table of scores: names, ranks, runs filled up with NaN, and correlations of runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidEvidence
from ..typing_ import FloatArray
from .of_learners import as_floats

if TYPE_CHECKING:
    from .resamples import Resamples

_PLANS = {
    "k-fold",
    "random",
    "bootstrap",
    "nested",
    "halves",
    "splits",
    "independent",
}  # with known training and test sizes


def ranked(whole: FloatArray) -> FloatArray:
    """Return the midranks of values along the last dimension, from 1; NaN stays NaN.

    Examples
    --------
    >>> ranked(np.array([0.3, 0.1, 0.3, np.nan]))
    array([2.5, 1. , 2.5, nan])
    """
    order = np.argsort(whole, axis=-1)
    ordered = np.take_along_axis(whole, order, axis=-1)
    if whole.shape[-1] > 1 and (ordered[..., 1:] > ordered[..., :-1]).all():  # faster if there are no ties and no NaN
        in_order = np.empty(whole.shape)
        np.put_along_axis(in_order, order, np.arange(1.0, whole.shape[-1] + 1), axis=-1)
        return in_order
    ahead, level = np.zeros(whole.shape), np.zeros(whole.shape)
    for rival in np.moveaxis(whole, -1, 0):  # few learners, but possibly many data sets or tables
        ahead += whole > rival[..., None]
        level += whole == rival[..., None]
    places = ahead + 0.5 * (level + 1.0)
    return np.where(np.isnan(whole), np.nan, places)


def by_data_set(scores: Mapping[str, Any]) -> list[list[Any]]:
    """Return the scores of learners by data set, cells with fewer runs filled up with NaN.

    Examples
    --------
    >>> by_data_set({"nb": [0.5, [0.6, 0.7]], "svm": [0.9, 0.8]})
    [[[0.5, nan], [0.9, nan]], [[0.6, 0.7], [0.8, nan]]]
    """
    lengths = {name: len(column) for name, column in scores.items()}
    if len(set(lengths.values())) != 1:
        text = ", ".join(f"{length} for {name}" for name, length in lengths.items())
        raise InvalidEvidence(f"every learner must have one score (or NaN) for each data set, got {text}.")
    columns = [[np.atleast_1d(as_floats("scores", cell)) for cell in column] for column in scores.values()]
    most = max((cell.size for column in columns for cell in column), default=0)
    filled = [[[*cell.tolist(), *[math.nan] * (most - cell.size)] for cell in column] for column in columns]
    return [list(row) for row in zip(*filled, strict=True)]


def letters(count: int) -> list[str]:
    """Return default names for learners.

    Examples
    --------
    >>> letters(3)
    ['A', 'B', 'C']
    """
    return [chr(ord("A") + index) if count <= 26 else f"learner {index + 1}" for index in range(count)]


def as_datasets(datasets: Any) -> tuple[str, ...]:
    """Return the names of data sets; raise InvalidEvidence if they are not different names.

    Examples
    --------
    >>> as_datasets(["iris", "wine"])
    ('iris', 'wine')
    """
    names = tuple(datasets) if isinstance(datasets, Sequence) and not isinstance(datasets, str) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise InvalidEvidence(f"`datasets` must be a list of names, got {datasets!r}. For example: ['iris', 'wine'].")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidEvidence(f"`datasets` must be different names, got {twice!r} twice.")
    return names


def as_rho(rho: Any, count: int) -> FloatArray | None:
    """Return the correlation of the runs of each data set; NaN if it is unknown.

    Examples
    --------
    >>> as_rho(0.1, 2)
    array([0.1, 0.1])
    """
    if rho is None:
        return None
    values = as_floats("rho", rho)
    if values.shape not in {(), (count,)} or np.any((values < 0) | (values >= 1)):
        raise InvalidEvidence(
            f"`rho` must be a correlation from 0 to below 1, or one for each of {count} data sets, got {rho!r}."
        )
    return np.broadcast_to(values, (count,)).copy()


def share_tested(resamples: Resamples) -> float:
    """Return the fraction of examples in a test set, the usual correlation of runs; NaN if it is unknown.

    Examples
    --------
    >>> from tellapart import Resamples
    >>> share_tested(Resamples.from_scores([0.9, 0.8], [0.7, 0.9], plan="2-fold", examples=100))
    0.5
    """
    if resamples.plan.kind == "independent":
        return 0.0
    sizes = resamples.test / (resamples.test + resamples.train)
    known = resamples.plan.kind in _PLANS and np.isfinite(sizes).all() and (sizes > 0).all()
    return float(sizes.mean()) if known else math.nan
