"""Pure, vectorised functions from evidence to one thing each, and the registry that knows them."""

from __future__ import annotations

from .registry import (
    ONE_TEST_SET,
    Gives,
    Method,
    Standing,
    check_options,
    find_method,
    find_methods,
    known_methods,
    look_up,
    method,
)

__all__ = [
    "ONE_TEST_SET",
    "Gives",
    "Method",
    "Standing",
    "check_options",
    "find_method",
    "find_methods",
    "known_methods",
    "look_up",
    "method",
]
