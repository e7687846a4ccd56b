"""Mitchell (1997), chapter 5: one error rate, the difference of two, and what a normal curve has to do with them."""

from __future__ import annotations

from ..exhibit import Paper

__all__ = ["PAPER"]

PAPER = Paper(
    name="mitchell",
    cites="mitchell1997",
    about="Chapter 5 of a textbook: intervals for one error rate, and for the difference of two.",
)
