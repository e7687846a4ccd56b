"""Splits that were handed in, by a splitter or as indices: looked through, and their plan recognised."""

from __future__ import annotations

import copy
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidOption
from ..evidence.plan import Plan, recognise
from ..typing_ import IntArray

if TYPE_CHECKING:
    from .plans import Examples

Grid = list[tuple[int, int, IntArray, IntArray]]  # replicate, fold, training set, test set


def given_splits(plan: Any, examples: Examples, stream: np.random.Generator) -> tuple[Plan, Grid]:
    """Take the splits of a splitter, or indices, and recognise their plan."""
    if hasattr(plan, "split"):
        pairs = _of_splitter(plan, examples, stream)
        title = type(plan).__name__
    else:
        pairs, title = plan, "plan"
    trains, tests = [], []
    for place, pair in enumerate(pairs):
        train, test = _pair(pair, f"split {place} of {title}", examples.count, alone=len(pairs) == 1)
        if examples.groups is not None and np.isin(examples.groups[train], examples.groups[test]).any():
            raise InvalidOption(f"split {place} of {title} has a group both in its training and in its test set.")
        trains.append(train)
        tests.append(test)
    if not trains:
        raise InvalidOption(f"{title} yields no split.")
    if len(trains) == 1 and np.array_equal(np.unique(trains[0]), np.unique(tests[0])):
        return Plan.parse("apparent"), [(0, 0, trains[0], tests[0])]
    found = recognise(trains, tests)
    if found.kind == "k-fold" and found.replicates == 1 and all(test.size == 1 for test in tests):
        found = replace(found, name="loo")
    grid = [(*divmod(place, found.folds), *each) for place, each in enumerate(zip(trains, tests, strict=True))]
    return found, grid


def _of_splitter(splitter: Any, examples: Examples, stream: np.random.Generator) -> list[Any]:
    """Return the splits of a splitter; one that would draw from nowhere draws from our stream."""
    own = copy.deepcopy(splitter)  # one that holds a generator of its own does not move it on
    if getattr(own, "random_state", 0) is None and getattr(own, "shuffle", True):
        own.random_state = int(stream.integers(2**31))
    nothing = np.zeros((examples.count, 1))
    X = nothing if examples.X is None else examples.X  # noqa: N806
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class", category=UserWarning)
        warnings.filterwarnings("error", message="The groups parameter is ignored", category=UserWarning)
        try:
            return list(own.split(X, examples.y, examples.named_groups))
        except UserWarning:
            raise InvalidOption(
                f"{type(splitter).__name__} takes no account of groups. Leave groups out, or take GroupKFold."
            ) from None
        except (TypeError, ValueError) as error:
            raise InvalidOption(f"{type(splitter).__name__} cannot divide these examples: {error}") from error


def _pair(pair: Any, where: str, examples: int, *, alone: bool) -> tuple[IntArray, IntArray]:
    """Return training and test indices, or say what is wrong with them."""
    try:
        train, test = (_indices(part, examples) for part in pair)
    except (TypeError, ValueError) as error:
        detail = f": {error}" if isinstance(error, InvalidOption) else "."
        raise InvalidOption(
            f"{where} must be a pair of training and test indices from 0 to {examples - 1}, or of masks{detail}"
        ) from None
    if not (train.size and test.size):
        raise InvalidOption(f"{where} has an empty {'test' if train.size else 'training'} set.")
    same = alone and np.array_equal(np.unique(train), np.unique(test))
    shared = np.intersect1d(train, test)
    if shared.size and not same:
        raise InvalidOption(
            f"{where} has example {shared[0]} both in its training and in its test set. Leave it out of one."
        )
    return train, test


def _indices(part: Any, examples: int) -> IntArray:
    array = np.asarray(part)
    if array.ndim != 1:
        raise InvalidOption(f"one has shape {array.shape}.")
    if array.dtype == bool:
        if array.size != examples:
            raise InvalidOption(f"a mask has {array.size} entries for {examples} examples.")
        return np.flatnonzero(array)
    if array.size and array.dtype.kind not in "iu":
        raise InvalidOption(f"one holds {array.dtype}.")
    outside = array[(array < 0) | (array >= examples)]
    if outside.size:
        raise InvalidOption(f"there is no example {outside[0]}.")
    return array.astype(np.int64)
