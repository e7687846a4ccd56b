"""Experiments with learners: `race` fits each learner once per split and keeps all predictions."""

from .record import Race
from .runner import race, read_race

__all__ = ["Race", "race", "read_race"]
