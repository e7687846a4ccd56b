"""Learners and data in, evidence out: `race` fits each learner once a split and keeps every prediction."""

from .record import Race
from .runner import race, read_race

__all__ = ["Race", "race", "read_race"]
