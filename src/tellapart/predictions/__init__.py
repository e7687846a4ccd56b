"""Predictions: the one record between tables of predictions and evidence."""

from __future__ import annotations

from .disagreements import Disagreements
from .record import Predictions
from .tally import CrossTally, Tally
from .troubles import Missing

__all__ = ["CrossTally", "Disagreements", "Missing", "Predictions", "Tally"]
