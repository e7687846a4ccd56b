"""Structures of arrays: values with one entry or many."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, Self

import numpy as np


class Shaped:
    """A frozen dataclass whose fields share one shape; `[i]` picks the same entry of each.

    `_leader` names the field that determines the shape. A field without that shape (a name, a level)
    belongs to every entry.
    """

    __slots__ = ()
    _leader: str

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the entries; () for a single one."""
        return np.shape(getattr(self, self._leader))

    def __getitem__(self, index: Any) -> Self:
        shape = self.shape
        if shape == ():
            raise IndexError(f"this {type(self).__name__} is a single entry and cannot be indexed.")
        parts = {field.name: _pick_entries(getattr(self, field.name), index, shape) for field in fields(self)}  # type: ignore[arg-type]  # every subclass is a dataclass
        return replace(self, **parts)  # type: ignore[type-var]

    def __iter__(self) -> Iterator[Self]:
        if self.shape == ():
            raise TypeError(f"this {type(self).__name__} is a single entry and cannot be iterated over.")
        return (self[index] for index in range(self.shape[0]))


def entries(array: Any, index: Any, shape: tuple[int, ...]) -> Any:
    """Return the entries at `index` of an array with further dimensions after those of `shape`."""
    positions = np.arange(math.prod(shape)).reshape(shape)[index]
    return array.reshape(-1, *array.shape[len(shape) :])[positions]


def _pick_entries(value: Any, index: Any, shape: tuple[int, ...]) -> Any:
    if isinstance(value, tuple):
        return tuple(_pick_entries(part, index, shape) for part in value)
    return value[index] if getattr(value, "shape", ()) == shape else value
