"""Readers: from files to what evidence is made of."""

from __future__ import annotations

from .tables import read_predictions

__all__ = ["read_predictions"]
