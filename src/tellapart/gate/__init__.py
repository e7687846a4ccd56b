"""May this model ship? A verdict in words, in files and in an exit status; a rule in a test suite."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .asserting import assert_not_worse as assert_not_worse
    from .judging import Judgement as Judgement
    from .judging import judge as judge

_HOMES = {"Judgement": "judging", "assert_not_worse": "asserting", "judge": "judging"}

__all__ = sorted(_HOMES)  # noqa: PLE0605  # one list of names is enough


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tellapart.gate' has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
