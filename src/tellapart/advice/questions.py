"""The nine questions of Dietterich's taxonomy, and what `advise` asks to find the right one.

A method registers the number of the question that it answers.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from .situation import CHOICES


@cache
def read_toml(name: str) -> dict[str, Any]:
    """Return the content of a TOML file of this folder, which is read once."""
    return tomllib.loads((files(__package__) / name).read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One of the nine questions."""

    number: int
    asks: str
    answered_by: str

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        return {"number": self.number, "asks": self.asks, "answered_by": self.answered_by}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """An open question: its text, the possible answers, and why it matters."""

    name: str
    text: str
    flag: str  # options of the command line
    why: str
    default: str = ""  # the assumed answer

    @property
    def choices(self) -> tuple[str, ...]:
        """The possible answers; empty for a number."""
        return CHOICES.get(self.name, ())

    @property
    def blocks(self) -> bool:
        """Whether an answer is required."""
        return not self.default

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        names = ("name", "text", "flag", "why", "choices", "default", "blocks")
        return {name: getattr(self, name) for name in names}


QUESTIONS = {entry["number"]: Question(**entry) for entry in read_toml("questions.toml")["question"]}
ASKS = {entry["name"]: Ask(**entry) for entry in read_toml("questions.toml")["ask"]}
FOLLOW_UPS: dict[str, list[str]] = read_toml("questions.toml")["follow_ups"]  # names of asks, by the question's number
