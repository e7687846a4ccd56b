"""The two verbs: how large is the error, and is B really better than A? Each is loaded when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .breaking_down import breakdown as breakdown
    from .comparing import compare as compare
    from .dispatch import converts as converts
    from .estimating import estimate as estimate
    from .request import Adjust as Adjust

_HOMES = {
    "Adjust": "request",
    "breakdown": "breaking_down",
    "compare": "comparing",
    "converts": "dispatch",
    "estimate": "estimating",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  # one list of names is enough


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tellapart.verbs' has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
