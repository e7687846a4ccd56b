"""Used by pages that are being rewritten."""

from __future__ import annotations

from .comparison import Comparison
from .comparison_text import margin_text, pair_figures
from .oriented import orient

__all__ = ["by_how_much", "limits_of", "margin_text", "seen"]


def by_how_much(answer: Comparison) -> str:
    """Return the figures."""
    return pair_figures(answer)


def limits_of(answer: Comparison) -> str:
    """Return the interval."""
    return orient(answer).limits_text(answer.interval)


def seen(answer: Comparison, joint: str = "") -> str:  # noqa: ARG001
    """Return the data row."""
    return answer.evidence.data_row()
