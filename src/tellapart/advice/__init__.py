"""Which method answers which question from which evidence, and why."""

from __future__ import annotations

from .choose import Advice, advise_comparison, advise_interval, choose_interval, choose_pair, choose_test
from .questions import QUESTIONS, Question

__all__ = [
    "QUESTIONS",
    "Advice",
    "Question",
    "advise_comparison",
    "advise_interval",
    "choose_interval",
    "choose_pair",
    "choose_test",
]
