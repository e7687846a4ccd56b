"""What users get: frozen values that say what they mean."""

from __future__ import annotations

from .check import Check
from .comparison import Comparison
from .coverage import Coverage
from .estimate import Estimate
from .interval import Interval
from .ranking import Pairs, Ranking
from .significance import Significance

__all__ = ["Check", "Comparison", "Coverage", "Estimate", "Interval", "Pairs", "Ranking", "Significance"]
