"""Explicit splits, from a splitter or as indices: validated, and matched to a cross-validation design."""

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
    from .plans import StratifiedExamples

Grid = list[tuple[int, int, IntArray, IntArray]]  # replicate, fold, training set, test set


def read_explicit_splits(plan: Any, examples: StratifiedExamples, stream: np.random.Generator) -> tuple[Plan, Grid]:
    """Return the splits of a splitter, or of indices, and the design that they follow."""
    if hasattr(plan, "split"):
        pairs = _split_by_splitter(plan, examples, stream)
        title = type(plan).__name__
    else:
        pairs, title = plan, "plan"
    trains, tests = [], []
    for index, pair in enumerate(pairs):
        train, test = _as_index_pair(pair, f"split {index} of {title}", examples.count, alone=len(pairs) == 1)
        if examples.groups is not None and np.isin(examples.groups[train], examples.groups[test]).any():
            raise InvalidOption(
                f"split {index} of {title} must not divide a group, got one in both sets. Use GroupKFold, or leave"
                " groups out."
            )
        trains.append(train)
        tests.append(test)
    if not trains:
        raise InvalidOption(f"`plan` must have at least one split, got none from {title}. Use plan='10x10'.")
    if len(trains) == 1 and np.array_equal(np.unique(trains[0]), np.unique(tests[0])):
        return Plan.parse("apparent"), [(0, 0, trains[0], tests[0])]
    recognised = recognise(trains, tests)
    if recognised.kind == "k-fold" and recognised.replicates == 1 and all(test.size == 1 for test in tests):
        recognised = replace(recognised, name="loo")
    grid = [(*divmod(index, recognised.folds), *sets) for index, sets in enumerate(zip(trains, tests, strict=True))]
    return recognised, grid


def _split_by_splitter(splitter: Any, examples: StratifiedExamples, stream: np.random.Generator) -> list[Any]:
    """Return the splits of a splitter; one without a seed draws from our stream."""
    splitter_copy = copy.deepcopy(splitter)  # the state of its own generator stays as it is
    if getattr(splitter_copy, "random_state", 0) is None and getattr(splitter_copy, "shuffle", True):
        splitter_copy.random_state = int(stream.integers(2**31))
    nothing = np.zeros((examples.count, 1))
    X = nothing if examples.X is None else examples.X  # noqa: N806
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class", category=UserWarning)
        warnings.filterwarnings("error", message="The groups parameter is ignored", category=UserWarning)
        try:
            return list(splitter_copy.split(X, examples.y, examples.named_groups))
        except UserWarning:
            raise InvalidOption(
                f"`plan` must accept groups, got {type(splitter).__name__}. Use GroupKFold, or leave `groups` out."
            ) from None
        except (TypeError, ValueError) as error:
            raise InvalidOption(f"{type(splitter).__name__} cannot split these examples: {error}") from error


def _as_index_pair(pair: Any, where: str, examples: int, *, alone: bool) -> tuple[IntArray, IntArray]:
    """Return training and test indices, or raise InvalidOption if they are not disjoint and nonempty."""
    try:
        train, test = (_as_indices(indices, examples) for indices in pair)
    except (TypeError, ValueError) as error:
        detail = f": {error}" if isinstance(error, InvalidOption) else "."
        raise InvalidOption(
            f"{where} must be a pair of training and test indices from 0 to {examples - 1:,}, or of masks{detail}"
        ) from None
    if not (train.size and test.size):
        raise InvalidOption(
            f"{where} must have two nonempty sets, got no {'test' if train.size else 'training'} example."
        )
    same = alone and np.array_equal(np.unique(train), np.unique(test))
    shared = np.intersect1d(train, test)
    if shared.size and not same:
        raise InvalidOption(f"{where} must have disjoint sets, got example {shared[0]} in both. Remove it from one.")
    return train, test


def _as_indices(values: Any, examples: int) -> IntArray:
    array = np.asarray(values)
    if array.ndim != 1:
        raise InvalidOption(f"got shape {array.shape}.")
    if array.dtype == bool:
        if array.size != examples:
            raise InvalidOption(f"got a mask of {array.size:,} entries for {examples:,} examples.")
        return np.flatnonzero(array)
    if array.size and array.dtype.kind not in "iu":
        raise InvalidOption(f"got type {array.dtype}.")
    outside = array[(array < 0) | (array >= examples)]
    if outside.size:
        raise InvalidOption(f"got {outside[0]}.")
    return array.astype(np.int64)
