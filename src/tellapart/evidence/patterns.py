"""The base of evidence that counts patterns of several models' answers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, ClassVar

import numpy as np

from ..errors import InvalidEvidence
from ..typing_ import BoolArray, IntArray, Numbers, describe_choice
from .base import Pooled


class Patterned(Pooled):
    """Counts of the patterns of several models on one test set."""

    __slots__ = ()
    models: tuple[str, ...]
    counts: IntArray  # by pattern, along the last dimension
    accepts: ClassVar = frozenset({"looks"})
    deep = ("counts",)
    _leader = "examples"

    @property
    def examples(self) -> Numbers:
        """The number of examples."""
        return self.counts.sum(axis=-1)

    def _find_model(self, model: str) -> int:
        if model not in self.models:
            raise InvalidEvidence(describe_choice("model", model, self.models))
        return self.models.index(model)

    def _find_two_models(self, a: str, b: str) -> tuple[int, int]:
        if a == b:
            raise InvalidEvidence(f"`a` and `b` must be two different models, got {a!r} twice.")
        return self._find_model(a), self._find_model(b)


def check_pattern_counts(counts: IntArray, patterns: int) -> None:
    """Raise InvalidEvidence if there is not a count for each pattern, or no example."""
    if np.ndim(counts) < 1 or counts.shape[-1] != patterns:
        raise InvalidEvidence(f"`counts` must have an entry for each of {patterns} patterns, got shape {counts.shape}.")
    if counts.sum(axis=-1).min() < 1:
        raise InvalidEvidence("`counts` must hold at least one example, got zeros only. Leave it out.")


def add_up(*parts: tuple[Iterable[Hashable], IntArray]) -> dict[Any, Any]:
    """Return the sums of the counts by pattern; each argument has patterns and their counts.

    Examples
    --------
    >>> add_up(([0, 3, 0], np.array([90, 4, 1])), ([3], np.array([2])))
    {0: np.int64(91), 3: np.int64(6)}
    """
    totals: dict[Any, Any] = {}
    for patterns, counts in parts:
        for index, pattern in enumerate(patterns):
            totals[pattern] = totals.get(pattern, 0) + counts[..., index]
    return totals


def codes_of(wrong: BoolArray) -> IntArray:
    """Return each row of right and wrong as one integer, whose bit i is set if model i was wrong.

    Examples
    --------
    >>> codes_of(np.array([[True, False, True], [False, True, False]]))
    array([5, 2])
    """
    return wrong.astype(np.int64) @ (np.int64(1) << np.arange(wrong.shape[1], dtype=np.int64))
