"""Checks of counts, labels and thresholds: invalid values raise an error that names the fix."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence, InvalidOption
from ..shaped import Shaped
from ..typing_ import FloatArray, IntArray, quote_name

LARGEST = 2**53  # above it, neighbouring counts are the same float
_CHUNK = 65_536  # entries that stay in the processor's cache


def as_counts(name: str, value: ArrayLike) -> IntArray:
    """Return `value` as a read-only int64 array; raise InvalidEvidence if an entry is not a count.

    Examples
    --------
    >>> as_counts("errors", [3, 0])
    array([3, 0])
    >>> as_counts("errors", 0.03)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    tellapart.errors.InvalidEvidence: `errors` must be whole numbers of 0 or more, got 0.03. If these are rates, ...
    """
    if type(value) is int and 0 <= value <= LARGEST:  # the common case, at a fraction of the cost
        return np.int64(value)
    array = _as_array(name, value)
    if array.dtype.kind == "O":
        array = _numbers_among_objects(name, array)
    if array.dtype.kind not in "iuf":
        raise InvalidEvidence(
            f"{quote_name(name)} must be whole numbers of 0 or more, got {_shorten_value(value)}. Convert to int."
        )
    if array.size == 0:
        raise InvalidEvidence(f"{quote_name(name)} must hold at least one count, got none. Leave empty batches out.")
    if array.dtype.kind == "f" or array.min() < 0 or array.max() > LARGEST:
        _only_whole(name, array.astype(float) if array.dtype.kind == "f" else array)
    counts = array.astype(np.int64)  # a read-only copy: later changes of the argument have no effect
    counts.flags.writeable = False
    return counts[()]


def _numbers_among_objects(name: str, array: np.ndarray) -> np.ndarray:
    """Return objects that are all whole numbers as integers, all numbers as floats, and anything else unchanged."""
    entries = [_as_python(entry) for entry in array.flat]
    if not entries or any(isinstance(entry, bool) or not isinstance(entry, int | float) for entry in entries):
        return array
    large = [entry for entry in entries if isinstance(entry, int) and abs(entry) > LARGEST]
    if large:  # which a float would round, and int64 may not hold
        _refuse_count(name, large[0])
    whole = all(isinstance(entry, int) for entry in entries)
    return np.array(entries, dtype=np.int64 if whole else float).reshape(array.shape)


def _only_whole(name: str, array: np.ndarray) -> None:
    good = (array >= 0) & (array <= LARGEST) & (array == np.floor(array))  # NaN fails every comparison
    if good.all():
        return
    number = array[~good].flat[0].item()
    _refuse_count(name, number)


def _refuse_count(name: str, number: float) -> NoReturn:
    """Raise InvalidEvidence for a number that is not a count, with the likely fix."""
    rule = "at most 2**53" if number > LARGEST else "whole numbers of 0 or more"
    if number != number:  # NaN
        fix = "Leave that entry out, or find out why it is missing."
    elif number < 0:
        fix = "Check its sign."
    elif number > LARGEST:
        fix = "Larger counts are not exact."
    else:
        fix = "If these are rates, multiply by the number of examples."
    raise InvalidEvidence(f"{quote_name(name)} must be {rule}, got {number}. {fix}")


def as_labels(name: str, value: ArrayLike) -> np.ndarray:
    """Return `value` as a vector of labels (numbers, strings, booleans), none of them missing."""
    array = _as_array(name, value)
    if array.dtype.kind in "TO" or (array.dtype.kind in "US" and not isinstance(value, np.ndarray)):
        # NumPy turns a NaN among strings into the string 'nan', so the labels are read as objects.
        array = np.asarray(value, dtype=object)
        if any(isinstance(label, np.generic) for label in array.flat):  # Python compares exactly, these do not
            array = array.copy()
            for index, label in np.ndenumerate(array):
                array[index] = _as_python(label)
    if array.ndim != 1:
        raise InvalidEvidence(
            f"{quote_name(name)} must be a vector of labels, got an array of shape {array.shape}. Flatten it."
        )
    if array.size == 0:
        raise InvalidEvidence(f"{quote_name(name)} must hold at least one label, got none.")
    first = _first_missing(array)
    if first is not None:
        raise InvalidEvidence(
            f"{quote_name(name)} must have no missing labels, got one at position {first}. Drop the example, or count"
            " it as"
            " an error."
        )
    return array


def _as_python(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def _first_missing(array: np.ndarray) -> int | None:
    if array.dtype.kind in "biuUS":  # these types have no missing value
        return None
    for start, part in in_chunks(array):
        missing = [_is_missing(label) for label in part] if array.dtype.kind == "O" else part != part
        if np.any(missing):
            return start + int(np.flatnonzero(missing)[0])
    return None


def matching_labels(vectors: dict[str, ArrayLike]) -> list[np.ndarray]:
    """Return vectors of labels of the same examples, converted so that equal labels compare as equal."""
    labels = {name: as_labels(name, value) for name, value in vectors.items()}
    against, true = next(iter(labels.items()))
    here = families(true)
    for name, vector in labels.items():
        if vector.shape != true.shape:
            raise InvalidEvidence(
                f"{quote_name(against)} and {quote_name(name)} must hold labels of the same examples, got {true.size}"
                " and"
                f" {vector.size}. Leave out examples that one of them lacks."
            )
        there = families(vector)
        if here.isdisjoint(there):
            raise InvalidEvidence(
                f"{quote_name(against)} and {quote_name(name)} must hold labels of one kind, got"
                f" {' and '.join(sorted(here))} against {' and '.join(sorted(there))}. Convert one to the other."
            )
    return _of_one_float(_compared_exactly(labels), list(labels))


def _compared_exactly(labels: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Return vectors that are compared without rounding, or refuse whole numbers that a float has rounded."""
    numbers = {name: vector for name, vector in labels.items() if vector.dtype.kind in "iuf"}
    kinds = {vector.dtype for vector in numbers.values()}
    floats = [dtype for dtype in kinds if dtype.kind == "f"]
    if floats:
        narrow = min(floats, key=lambda dtype: np.finfo(dtype).nmant)
        digits = np.finfo(narrow).nmant if len(kinds) > 1 else 52
        for name, vector in numbers.items():
            others = [other for other in numbers if other != name and numbers[other].dtype.kind == "f"]
            pairing = f" to be compared with {' and '.join(map(quote_name, others))}" if others else ""
            _refuse_rounded(name, vector, 2 ** min(digits + 1, 53), f"{pairing} as {narrow}")
    elif (
        np.dtype(np.uint64) in kinds
        and len(kinds) > 1
        and any(_reaches_limit(vector, 2**53) for vector in numbers.values())
    ):
        return [vector.astype(object) if name in numbers else vector for name, vector in labels.items()]
    return list(labels.values())


def _refuse_rounded(name: str, vector: np.ndarray, limit: int, purpose: str) -> None:
    for _, part in in_chunks(vector):
        large = (
            part[np.isfinite(part) & ((part >= limit) | (part <= -limit))] if _reaches_limit(part, limit) else part[:0]
        )
        if large.size:
            raise InvalidEvidence(
                f"{quote_name(name)} must be below 2**{limit.bit_length() - 1}{purpose}, got {large[0]}. Give all"
                " labels as integers or strings."
            )


def _reaches_limit(vector: np.ndarray, limit: int) -> bool:
    if vector.dtype.kind == "f":
        return bool(np.any(np.abs(vector) >= limit))
    return bool(vector.max() >= limit or vector.min() <= -limit)


def _of_one_float(vectors: list[np.ndarray], names: list[str]) -> list[np.ndarray]:
    """Return floats of different sizes in the smallest (0.1 differs in 32 and 64 bits); raise if scores are given."""
    for name, vector in zip(names[1:], vectors[1:], strict=True):
        if vectors[0].dtype.kind in "biu" and vector.dtype.kind == "f":
            for _, part in in_chunks(vector):
                if np.any(part != np.floor(part)):
                    number = part[part != np.floor(part)][0]
                    raise InvalidEvidence(
                        f"{quote_name(name)} must hold whole numbers as {quote_name(names[0])} does, got {number:g}."
                        " If these"
                        " are scores, turn them into labels."
                    )
    sizes = {vector.dtype for vector in vectors if vector.dtype.kind == "f"}
    if len(sizes) < 2:
        return vectors
    smallest = min(sizes, key=lambda dtype: dtype.itemsize)
    return [vector.astype(smallest) if vector.dtype.kind == "f" else vector for vector in vectors]


def as_outcomes(
    name: str, value: ArrayLike, *, remedy: str = "For labels and predictions use from_predictions."
) -> np.ndarray:
    """Return a vector of right (True) and wrong (False), from booleans or from 1 and 0."""
    array = as_labels(name, value)
    if array.dtype.kind == "O" and all(isinstance(entry, bool | int | float) and entry in (0, 1) for entry in array):
        array = array.astype(bool)
    if array.dtype.kind == "b":
        return array
    if array.dtype.kind not in "iuf" or not all(np.all((part == 0) | (part == 1)) for _, part in in_chunks(array)):
        raise InvalidEvidence(
            f"{quote_name(name)} must be right (True or 1) or wrong (False or 0) for each example, got"
            f" {_shorten_value(array[:5].tolist())}. {remedy}"
        )
    return array.astype(bool)


def count_pairs(true: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[int, int, int]:
    """Return how often A was right, how often B, and how often both: three counts give all four cells.

    The vectors are compared in chunks that fit the processor's cache, without a temporary array of full length.
    """
    right_a = right_b = both = 0
    for start, part in in_chunks(true):
        stop = start + part.size
        is_a, is_b = a[start:stop] == part, b[start:stop] == part
        right_a += int(np.count_nonzero(is_a))
        right_b += int(np.count_nonzero(is_b))
        is_a &= is_b
        both += int(np.count_nonzero(is_a))
    return right_a, right_b, both


def in_chunks(array: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the start and the entries of consecutive chunks."""
    for start in range(0, array.shape[0], _CHUNK):
        yield start, array[start : start + _CHUNK]


def of_one_shape(arrays: dict[str, Any]) -> tuple[Any, ...]:
    """Return the arrays broadcast to one shape (read-only); raise InvalidEvidence if the shapes do not fit."""
    first = next(iter(arrays.values())).shape
    if all(array.shape == first for array in arrays.values()):
        return tuple(arrays.values())
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        names, shapes = (
            " and ".join(map(quote_name, arrays)),
            " and ".join(str(array.shape) for array in arrays.values()),
        )
        raise InvalidEvidence(
            f"{names} must have one shape, got {shapes}. Give arrays of one shape, or counts."
        ) from None
    return tuple(np.broadcast_to(array, shape)[()] for array in arrays.values())


def families(labels: np.ndarray) -> set[str]:
    """Return the kinds of labels that occur; labels of different kinds are never equal.

    Examples
    --------
    >>> families(np.array([1, 0])), sorted(families(np.array(["cat", 1], dtype=object)))
    ({'numbers'}, ['numbers', 'texts'])
    """
    named = {"U": "texts", "S": "bytes", "O": ""}.get(labels.dtype.kind, "numbers")
    return {named} if named else {_family_of_type(kind) for kind in {type(label) for label in labels.flat}}


def _family_of_type(kind: type) -> str:
    for name, bases in (("texts", str), ("bytes", bytes), ("numbers", int | float | complex | np.number | np.bool_)):
        if issubclass(kind, bases):
            return name
    return kind.__name__


def as_threshold(against: ArrayLike, count: Shaped) -> FloatArray:
    """Return the threshold as floats strictly between 0 and 1, one for all entries or one per entry."""
    return _as_open_fraction(against, count, 0, "an error rate", "For 5% use 0.05.")


def as_difference(against: ArrayLike, evidence: Shaped) -> FloatArray:
    """Return a difference of error rates as floats strictly between −1 and 1, one for all entries or one for each."""
    return _as_open_fraction(against, evidence, -1, "a difference of error rates", "For 1 pp use 0.01.")


def _as_open_fraction(against: ArrayLike, evidence: Shaped, low: int, what: str, remedy: str) -> FloatArray:
    try:
        value = np.asarray(against)
        if value.dtype.kind not in "iuf":
            raise ValueError
        if value.ndim:
            value = np.broadcast_to(value, evidence.shape)
    except ValueError:
        raise InvalidOption(f"`against` must be {what}, or one for each entry, got {against!r}. {remedy}") from None
    if not np.all((value > low) & (value < 1)):
        raise InvalidOption(f"`against` must be between {low} and 1, got {against!r}. {remedy}")
    return value.astype(float)[()]


def _as_array(name: str, value: ArrayLike) -> np.ndarray:
    mask = getattr(value, "mask", None)  # a method of pandas, an array of NumPy's masked arrays
    if isinstance(mask, np.ndarray | np.bool_) and mask.any():
        raise InvalidEvidence(
            f"{quote_name(name)} must have no masked entries. Leave them out with .compressed(), or fill them."
        )
    try:
        return np.asarray(value)
    except ValueError:
        raise InvalidEvidence(
            f"{quote_name(name)} must be one array, got entries of different lengths. Make them equally long."
        ) from None


def _is_missing(label: object) -> bool:
    try:
        return label is None or bool(label != label)  # only NaN and similar values differ from themselves
    except TypeError:  # pandas' NA has no truth value
        return True


def _shorten_value(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
