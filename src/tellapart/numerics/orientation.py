"""Exact symmetry of comparisons in A and B: they are computed in one orientation, and mirrored if needed.

Swapping A and B must mirror an answer to the last digit, which fails if random draws belong to a model or sums depend
on the order. So each comparison is first oriented so that B leads; if A and B have equal data, the answer is made
symmetric.
"""

from __future__ import annotations

import numpy as np

from ..typing_ import FloatArray, IntArray, Numbers


def orientation(difference: Numbers, *details: Numbers) -> IntArray:
    """Return 1 if the order of A and B stays, −1 if they are swapped, and 0 if their data are equal, by entry.

    Parameters
    ----------
    difference
        By entry: a value that changes its sign when A and B are swapped. NaN counts as 0.
    details
        Further such values, with additional dimensions, for entries with a difference of 0; the first value that is not
        0 counts.

    Examples
    --------
    >>> orientation(np.array([0.2, -0.2, 0.0, 0.0]), np.array([[1, 2], [3, 4], [0, -1], [0, 0]]))
    array([ 1, -1, -1,  0])
    """
    direction = np.sign(np.nan_to_num(np.asarray(difference, dtype=float)))
    for detail in details:
        rows = np.nan_to_num(np.asarray(detail, dtype=float)).reshape(*direction.shape, -1)
        first = np.take_along_axis(rows, np.argmax(rows != 0, axis=-1)[..., None], axis=-1)[..., 0]
        direction = np.where(direction == 0, np.sign(first), direction)
    signs: IntArray = direction.astype(np.int64)[()]
    return signs


def mirrored_limits(low: FloatArray, high: FloatArray, turn: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the limits of a difference in the caller's order, from those of the oriented comparison.

    If A and B have equal data, both limits have the same distance from 0: half of the width.

    Examples
    --------
    >>> mirrored_limits(np.array([0.1, 0.1, -0.3]), np.array([0.4, 0.4, 0.2]), np.array([1, -1, 0]))
    (array([ 0.1 , -0.4 , -0.25]), array([ 0.4 , -0.1 ,  0.25]))
    """
    half = (high - low) / 2
    low, high = (
        np.where(turn == 0, way * half, np.where(turn > 0, limit, 0.0 - opposite))[()]  # 0 − x: no −0
        for way, limit, opposite in ((-1, low, high), (1, high, low))
    )
    return low, high
