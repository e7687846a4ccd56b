"""Bad input is stopped here, at the door, and told the way out."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence, InvalidOption
from ..shaped import Shaped
from ..types import FloatArray, IntArray

__all__ = ["as_counts", "as_labels", "as_threshold", "families"]

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
    array = _as_array(name, value)
    if array.dtype.kind == "O" and all(type(entry) is int for entry in array.flat):  # too large for int64
        raise InvalidEvidence(f"{name} must hold counts, but has {max(array.flat)}. Counts up to 2**53 are exact.")
    if array.dtype.kind not in "iuf":
        raise InvalidEvidence(
            f"{name} must hold counts (whole numbers, 0 or more), but is {_short(value)}. Convert it to int."
        )
    if array.size == 0:
        raise InvalidEvidence(f"{name} must hold at least one count, but is empty. Leave empty batches out.")
    if array.dtype.kind == "f" or array.min() < 0 or array.max() > LARGEST:
        _only_whole(name, array.astype(float) if array.dtype.kind == "f" else array)
    counts = array.astype(np.int64)  # a copy, and read-only: nobody can change it behind our back
    counts.flags.writeable = False
    return counts[()]


def _only_whole(name: str, array: np.ndarray) -> None:
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
    array = _as_array(name, value)
    if array.dtype.kind in "TO" or (array.dtype.kind in "US" and not isinstance(value, np.ndarray)):
        # NumPy writes a NaN among texts as the text 'nan': look at the labels as they came.
        array = np.asarray(value, dtype=object)
    if array.ndim != 1:
        raise InvalidEvidence(f"{name} must be a vector of labels, but has shape {array.shape}. Flatten it.")
    if array.size == 0:
        raise InvalidEvidence(f"{name} must hold at least one label, but is empty.")
    missing = [_is_missing(label) for label in array] if array.dtype.kind == "O" else array != array
    if np.any(missing):
        first = int(np.flatnonzero(missing)[0])
        raise InvalidEvidence(
            f"{name} has a missing label at position {first}. Drop the example or count it as an error, but decide."
        )
    return array


def families(labels: np.ndarray) -> set[str]:
    """Return which kinds of labels there are; labels of different kinds never agree.

    Examples
    --------
    >>> families(np.array([1, 0])), sorted(families(np.array(["cat", 1], dtype=object)))
    ({'numbers'}, ['numbers', 'texts'])
    """
    named = {"U": "texts", "S": "bytes", "O": ""}.get(labels.dtype.kind, "numbers")
    return {named} if named else {_family(kind) for kind in {type(label) for label in labels.flat}}


def _family(kind: type) -> str:
    for name, bases in (("texts", str), ("bytes", bytes), ("numbers", int | float | complex | np.number | np.bool_)):
        if issubclass(kind, bases):
            return name
    return kind.__name__


def as_threshold(against: ArrayLike, count: Shaped) -> FloatArray:
    """Return the threshold as floats strictly between 0 and 1, one for all entries or one for each."""
    try:
        threshold = np.asarray(against)
        if threshold.dtype.kind not in "iuf":
            raise ValueError
        if threshold.ndim:
            threshold = np.broadcast_to(threshold, count.shape)
    except ValueError:
        raise InvalidOption(
            f"against must be an error rate, or one for each of the counts, but is {against!r}."
        ) from None
    if not np.all((threshold > 0) & (threshold < 1)):
        raise InvalidOption(
            f"against must lie strictly between 0 and 1, but is {against!r}. For five percent write 0.05."
        )
    return threshold.astype(float)[()]


def _as_array(name: str, value: ArrayLike) -> np.ndarray:
    if np.any(getattr(value, "mask", False)):
        raise InvalidEvidence(f"{name} has masked entries. Leave them out (value.compressed()) or fill them.")
    try:
        return np.asarray(value)
    except ValueError:
        raise InvalidEvidence(
            f"{name} must hold one array, but its entries differ in length. Make it one array."
        ) from None


def _is_missing(label: object) -> bool:
    try:
        return label is None or bool(label != label)  # only NaN and its kin differ from themselves
    except TypeError:  # pandas' NA does not even say so
        return True


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
