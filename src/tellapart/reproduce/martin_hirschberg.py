"""Martin and Hirschberg (1996): intervals and tests for error rates of small samples."""

from __future__ import annotations

from .exhibit import Paper

__all__ = ["PAPER"]

PAPER = Paper(
    name="martin-hirschberg",
    cites="martin1996",
    about="Intervals and tests for error rates of small samples, and how far resampling can be trusted.",
)
