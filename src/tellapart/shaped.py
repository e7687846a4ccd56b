"""Structures of arrays: one value that holds one entry or ten million."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, Self

import numpy as np


class Shaped:
    """A frozen dataclass whose fields share one shape; `[i]` picks the same entry of each.

    A subclass says which field the others follow (`_leader`). A field without a
    shape of its own (a name, a level) belongs to every entry and is kept.
    """

    __slots__ = ()
    _leader: str

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape all entries share; () for one entry."""
        return np.shape(getattr(self, self._leader))

    def __getitem__(self, index: Any) -> Self:
        shape = self.shape
        if shape == ():
            raise IndexError(f"this {type(self).__name__} holds one entry and has nothing to index")
        parts = {field.name: _pick_entries(getattr(self, field.name), index, shape) for field in fields(self)}  # type: ignore[arg-type]  # every subclass is a dataclass
        return replace(self, **parts)  # type: ignore[type-var]

    def __iter__(self) -> Iterator[Self]:
        if self.shape == ():
            raise TypeError(f"this {type(self).__name__} holds one entry and has nothing to go through")
        return (self[index] for index in range(self.shape[0]))


def entries(array: Any, index: Any, shape: tuple[int, ...]) -> Any:
    """Return what belongs to the entries at `index`, of an array that has dimensions of its own behind `shape`."""
    positions = np.arange(math.prod(shape)).reshape(shape)[index]
    return array.reshape(-1, *array.shape[len(shape) :])[positions]


def _pick_entries(value: Any, index: Any, shape: tuple[int, ...]) -> Any:
    if isinstance(value, tuple):
        return tuple(_pick_entries(part, index, shape) for part in value)
    return value[index] if getattr(value, "shape", ()) == shape else value
