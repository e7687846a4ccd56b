"""Predictions: the record between tables of predictions and evidence."""

from __future__ import annotations

from .disagreements import Disagreements
from .problems import Missing
from .record import Predictions
from .scoring import Errors, OutcomeTally, Scored
from .tally import CrossTally, Tally

__all__ = ["CrossTally", "Disagreements", "Errors", "Missing", "OutcomeTally", "Predictions", "Scored", "Tally"]
