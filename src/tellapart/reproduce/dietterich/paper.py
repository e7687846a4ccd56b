"""Dietterich (1998): five tests for comparing learning algorithms, their Type I error and their power."""

from __future__ import annotations

from ..exhibit import Paper

__all__ = ["PAPER"]

PAPER = Paper(
    name="dietterich",
    cites="dietterich1998",
    about="Five tests for comparing learning algorithms: their Type I error and their power.",
)
