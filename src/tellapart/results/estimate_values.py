"""The JSON of an estimate: all values by key, with all digits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .narrate import component_values, note_values, shared_values

if TYPE_CHECKING:
    from .estimate import Estimate


def list_values(answer: Estimate) -> Iterator[tuple[str, Any]]:
    """Yield all keys and values."""
    yield "method", answer.method
    yield "estimate", answer.value
    if not answer.shape and answer.target:
        yield "target", answer.target
    yield "interval", answer.interval.as_dict()
    if not answer.shape:
        yield from component_values(answer)
        yield from note_values(answer)
    yield from shared_values(answer)
