"""Predictions: the one record between tables of predictions and evidence."""

from __future__ import annotations

from .disagreements import Disagreements
from .record import Predictions
from .scoring import Errors, OutcomeTally, Scored
from .tally import CrossTally, Tally
from .troubles import Missing

__all__ = ["CrossTally", "Disagreements", "Errors", "Missing", "OutcomeTally", "Predictions", "Scored", "Tally"]
