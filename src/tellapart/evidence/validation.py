"""Bad input is stopped here, at the door, and told the way out."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence
from ..types import IntArray

__all__ = ["as_counts", "as_labels"]

LARGEST = 2**53  # above it a float no longer tells one count from the next


def as_counts(name: str, value: ArrayLike) -> IntArray:
    """Return `value` as int64 counts of our own, or say which entry is wrong and what to do.

    Examples
    --------
    >>> as_counts("errors", [3, 0])
    array([3, 0])
    >>> as_counts("errors", 0.03)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidEvidence: errors must hold counts, but has 0.03. If these are rates, ...
    """
    if type(value) is int and 0 <= value <= LARGEST:  # the common case, at a fraction of the cost
        return np.int64(value)
    try:
        array = np.asarray(value)
    except ValueError:
        raise InvalidEvidence(
            f"{name} must hold counts, but its entries differ in length. Make them one array."
        ) from None
    if array.dtype.kind not in "iuf":
        raise InvalidEvidence(
            f"{name} must hold counts (whole numbers, 0 or more), but is {_short(value)}. Convert it to int."
        )
    if array.size == 0:
        raise InvalidEvidence(f"{name} must hold at least one count, but is empty. Leave empty batches out.")
    if array.dtype.kind == "f" or array.min() < 0 or array.max() > LARGEST:
        _whole(name, array)
    counts = array.astype(np.int64)  # a copy, and read-only: nobody can change it behind our back
    counts.flags.writeable = False
    return counts[()]


def _whole(name: str, array: np.ndarray) -> None:
    good = (array >= 0) & (array <= LARGEST) & (array == np.floor(array))  # NaN fails every comparison
    if good.all():
        return
    found = array[~good].flat[0].item()
    if found != found:  # NaN
        remedy = "Find out why it is missing, or leave that entry out."
    elif found < 0:
        remedy = "A count is 0 or more."
    elif found > LARGEST:
        remedy = "Counts up to 2**53 are exact."
    else:
        remedy = "If these are rates, multiply them by the number of examples."
    raise InvalidEvidence(f"{name} must hold counts, but has {found}. {remedy}")


def as_labels(name: str, value: ArrayLike) -> np.ndarray:
    """Return `value` as a vector of labels (numbers, strings, booleans), none of them missing."""
    array = np.asarray(value)
    if array.ndim != 1:
        raise InvalidEvidence(f"{name} must be a vector of labels, but has shape {array.shape}. Flatten it.")
    if array.size == 0:
        raise InvalidEvidence(f"{name} must hold at least one label, but is empty.")
    missing = array != array if array.dtype.kind != "O" else np.array([_is_missing(label) for label in array])
    if np.any(missing):
        first = int(np.flatnonzero(missing)[0])
        raise InvalidEvidence(
            f"{name} has a missing label at position {first}. Drop the example or count it as an error, but decide."
        )
    return array


def _is_missing(label: object) -> bool:
    return label is None or bool(label != label)  # only NaN and its kin differ from themselves


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
