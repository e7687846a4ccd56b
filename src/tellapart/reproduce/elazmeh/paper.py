"""Elazmeh, Japkowicz and Matwin (2006): Tango's interval for the balance of two kinds of error, on twelve data sets."""

from __future__ import annotations

from ..exhibit import Paper

__all__ = ["PAPER"]

PAPER = Paper(
    name="elazmeh",
    cites="elazmeh2006",
    about="Tango's interval for the balance of two kinds of error, on twelve data sets.",
)
