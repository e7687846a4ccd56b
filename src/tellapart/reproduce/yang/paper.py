"""Yang (2006): when cross-validation chooses the better of two classifiers, and an interval for their difference."""

from __future__ import annotations

from ..exhibit import Paper

__all__ = ["PAPER"]

PAPER = Paper(
    name="yang",
    cites="yang2006",
    about="When cross-validation chooses the better of two classifiers, and an interval for their difference.",
)
