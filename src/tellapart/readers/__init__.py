"""Readers: from files to predictions, logs and scores."""

from __future__ import annotations

from .logs import read_logs, write_every_eval_ever
from .scores import read_scores
from .tables import read_predictions

__all__ = ["read_logs", "read_predictions", "read_scores", "write_every_eval_ever"]
