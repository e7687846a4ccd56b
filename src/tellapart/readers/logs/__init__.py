"""Logs of evaluation tools: recognised by content, read in bounded memory, joined by ids that the tool guarantees."""

from __future__ import annotations

from .log_reading import FORMATS, read_logs, recognise
from .writing import write_every_eval_ever

__all__ = ["FORMATS", "read_logs", "recognise", "write_every_eval_ever"]
