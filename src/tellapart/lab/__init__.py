"""How methods behave: exact coverage, and the models it rests on."""

from __future__ import annotations

from .coverage import exact_coverage
from .models import BinomialModel, Moments, NormalModel, moments

__all__ = ["BinomialModel", "Moments", "NormalModel", "exact_coverage", "moments"]
