"""Which method answers which question from which evidence, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .choose import choose_estimator, choose_interval, choose_pair, choose_test

if TYPE_CHECKING:
    from .questions import QUESTIONS as QUESTIONS
    from .questions import Question as Question

__all__ = ["QUESTIONS", "Question", "choose_estimator", "choose_interval", "choose_pair", "choose_test"]


def __getattr__(name: str) -> Any:
    """Load the questions when they are first asked for: an answer needs none of them."""
    if name not in {"QUESTIONS", "Question"}:
        raise AttributeError(f"module 'tellapart.advice' has no attribute {name!r}")
    from . import questions

    return getattr(questions, name)
