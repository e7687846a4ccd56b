"""Which method answers which question from which evidence, and why."""

from __future__ import annotations

from .choose import Advice, advise_interval, choose_interval, choose_test
from .questions import QUESTIONS, Question

__all__ = ["QUESTIONS", "Advice", "Question", "advise_interval", "choose_interval", "choose_test"]
