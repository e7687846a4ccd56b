"""What all evidence has in common."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

from ..errors import InvalidEvidence
from ..rendering import plain
from ..shaped import Shaped

__all__ = ["Evidence", "expect"]


class Evidence(Shaped):
    """All that a method needs and nothing else: a small frozen value, checked once, when it is made."""

    __slots__ = ()

    def describe(self) -> str:
        """Say in words what was observed."""
        raise TypeError(f"{type(self).__name__} does not describe itself")

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, for JSON."""
        return {field.name: plain(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]  # every evidence is a dataclass

    def __repr__(self) -> str:
        if self.shape:
            return f"{type(self).__name__}(shape={self.shape})"
        inside = ", ".join(f"{name}={value!r}" for name, value in self.as_dict().items())
        return f"{type(self).__name__}({inside})"


Kind = TypeVar("Kind", bound=Evidence)


def expect(kind: type[Kind], value: object) -> Kind:
    """Return `value` if it is evidence of this kind, else say how to make it so."""
    if not isinstance(value, kind):
        wanted = f"{kind.__name__}({', '.join(field.name for field in fields(kind))})"  # type: ignore[arg-type]
        raise InvalidEvidence(f"evidence must be an {kind.__name__}, but is {type(value).__name__}. Write {wanted}.")
    return value
