"""Groups of models that are not significantly different."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..typing_ import BoolArray, FloatArray


def tie_groups(models: Sequence[str], rates: FloatArray, significant: BoolArray) -> tuple[tuple[str, ...], ...]:
    """Return groups of models that are not significantly different: two share a group exactly if they are tied.

    Groups may overlap: B may be tied with A and with C although A and C differ significantly. Each group is as large as
    possible, and groups with the best models come first (a compact letter display, Piepho 2004). A model that differs
    significantly from all others is a group of its own.

    Parameters
    ----------
    models
        Their names.
    rates
        The error rate of each.
    significant
        A symmetric matrix: whether two models differ significantly, all pairs together at one alpha.

    Examples
    --------
    >>> apart = square(np.array([False, True, False]), 3)
    >>> tie_groups(["a", "b", "c"], np.array([0.10, 0.15, 0.20]), apart)
    (('a', 'b'), ('b', 'c'))
    """
    order = np.argsort(rates, kind="stable").tolist()
    tied = ~np.asarray(significant, dtype=bool)
    shared = np.eye(len(order), dtype=bool)
    groups: list[list[int]] = []
    for rank, first in enumerate(order):
        for second in order[rank + 1 :]:
            if tied[first, second] and not shared[first, second]:
                group = [first, second]
                for model in order:
                    if model not in group and tied[model, group].all():
                        group.append(model)
                shared[np.ix_(group, group)] = True
                groups.append(sorted(group, key=order.index))
        if not tied[first].sum() > 1:  # tied with itself only
            groups.append([first])
    groups.sort(key=lambda group: [order.index(member) for member in group])
    return tuple(tuple(models[member] for member in group) for group in groups)


def square(values: Any, models: int) -> Any:
    """Return values of every two models, in the order of `ErrorPatterns.pair_names()`, as a symmetric matrix.

    Examples
    --------
    >>> square(np.array([1, 2, 3]), 3)
    array([[0, 1, 2],
           [1, 0, 3],
           [2, 3, 0]])
    """
    matrix = np.zeros((models, models), dtype=np.asarray(values).dtype)
    matrix[np.triu_indices(models, 1)] = values
    return matrix + matrix.T
