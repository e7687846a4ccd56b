"""What evidence has in common that counts how often each pattern of what several models did occurs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, ClassVar

import numpy as np

from ..errors import InvalidEvidence
from ..typing_ import BoolArray, IntArray, Numbers
from .base import Pooled


class Patterned(Pooled):
    """How often each pattern occurs: all that one test set says about several models."""

    __slots__ = ()
    models: tuple[str, ...]
    counts: IntArray  # by pattern, along the last dimension
    accepts: ClassVar = frozenset({"looks"})
    deep = ("counts",)
    _leader = "examples"

    @property
    def examples(self) -> Numbers:
        """How many examples all models met."""
        return self.counts.sum(axis=-1)

    def _find_model(self, model: str) -> int:
        if model not in self.models:
            raise InvalidEvidence(f"model must be one of {', '.join(map(repr, self.models))}, but is {model!r}.")
        return self.models.index(model)

    def _find_two_models(self, a: str, b: str) -> tuple[int, int]:
        if a == b:
            raise InvalidEvidence(f"a and b must be two different models, but both are {a!r}.")
        return self._find_model(a), self._find_model(b)


def check_pattern_counts(counts: IntArray, patterns: int) -> None:
    """Raise InvalidEvidence if there is not a count for each pattern, or no example."""
    if np.ndim(counts) < 1 or counts.shape[-1] != patterns:
        raise InvalidEvidence(
            f"counts must have an entry for each of {patterns} patterns, but has shape {counts.shape}."
        )
    if counts.sum(axis=-1).min() < 1:
        raise InvalidEvidence("counts must hold at least one example, but all are 0. Leave it out.")


def add_up(*parts: tuple[Iterable[Hashable], IntArray]) -> dict[Any, Any]:
    """Return the counts by pattern, those of the same pattern added up; each part has patterns and their counts.

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
    """Return each row of right and wrong as one integer, whose bit i says that model i was wrong.

    Examples
    --------
    >>> codes_of(np.array([[True, False, True], [False, True, False]]))
    array([5, 2])
    """
    return wrong.astype(np.int64) @ (np.int64(1) << np.arange(wrong.shape[1], dtype=np.int64))
