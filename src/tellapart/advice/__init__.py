"""Which method answers which question from which evidence, and why."""

from __future__ import annotations

from .questions import QUESTIONS as QUESTIONS
from .questions import Question as Question

__all__ = ["QUESTIONS", "Question"]
