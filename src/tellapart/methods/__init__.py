"""Statistical methods as vectorised functions of evidence, and their registry."""

from __future__ import annotations

from .pivots import Score, Student, Tails
from .registry import (
    EVERY_SOURCE,
    ONE_TEST_SET,
    Gives,
    Method,
    Offer,
    Standing,
    check_options,
    estimator,
    find_method,
    find_methods,
    get_method,
    interval,
    known_methods,
    look_up,
    method,
    procedure,
    simultaneous,
    test,
)

__all__ = [
    "EVERY_SOURCE",
    "ONE_TEST_SET",
    "Gives",
    "Method",
    "Offer",
    "Score",
    "Standing",
    "Student",
    "Tails",
    "check_options",
    "estimator",
    "find_method",
    "find_methods",
    "get_method",
    "interval",
    "known_methods",
    "look_up",
    "method",
    "procedure",
    "simultaneous",
    "test",
]
