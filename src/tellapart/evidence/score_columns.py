"""Scores by class: true labels of any kind beside columns of scores."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..metrics import find_label
from ..typing_ import FloatArray, IntArray
from .labelled import index_labels, labels_in

# --- Labels of any kind ---------------------------------------------------------------------------


def coded(truth: np.ndarray, classes: Sequence[Hashable] | None) -> tuple[IntArray, tuple[Any, ...]]:
    """Return each label's place among the classes, and the classes.

    Examples
    --------
    >>> coded(np.array(["yes", "no", "yes"]), None)
    (array([1, 0, 1]), ('no', 'yes'))
    """
    names = labels_in([truth], classes)
    if len(names) < 2:
        raise InvalidEvidence(
            f"truth must hold two classes or more, but every label is {names[0]!r}. Name all there are: classes=."
        )
    return index_labels(truth, {label: index for index, label in enumerate(names)}), names


def find_class(label: Hashable, classes: tuple[Any, ...]) -> int:
    """Return the place of a class, told by its value or its text."""
    index = find_label(label, classes)
    if index is None:
        raise InvalidOption(f"positive must be one of {', '.join(map(repr, classes))}, but is {label!r}.")
    return index


def against(codes: IntArray, classes: tuple[Any, ...], positive: Hashable) -> tuple[IntArray, tuple[Any, Any]]:
    """Return who is of the positive class (1), and what both classes are called, that one last."""
    if positive is None and len(classes) > 2:
        raise InvalidOption(
            f"a single score is of one class of {', '.join(map(repr, classes))}: say which, positive=... (--positive),"
            " or give a score for each class."
        )
    index = 1 if positive is None else find_class(positive, classes)
    rest = classes[1 - index] if len(classes) == 2 else f"not {classes[index]}"
    return (codes == index).astype(np.int64), (rest, classes[index])


def check_columns(name: str, grid: FloatArray, examples: int, classes: tuple[Any, ...]) -> None:
    """Refuse scores that are not one for each example, or one for each example and class."""
    if grid.ndim not in (1, 2) or grid.shape[0] != examples:
        raise InvalidEvidence(
            f"the scores of {name} must be one for each of {examples} examples (or a row for each), but have shape"
            f" {grid.shape}."
        )
    if grid.ndim == 2 and grid.shape[1] != len(classes):
        raise InvalidEvidence(
            f"the scores of {name} must have a column for each of {len(classes)} classes, but have {grid.shape[1]}."
            " Name all classes in the order of the columns: classes=[...]."
        )
