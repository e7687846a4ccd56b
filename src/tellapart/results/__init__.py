"""What users get: frozen values that say what they mean."""

from __future__ import annotations

from .breakdown import Breakdown
from .check import Check
from .comparison import Comparison
from .coverage import Coverage
from .estimate import Estimate
from .interval import Interval
from .leaderboard import Leaderboard
from .pairs import Pairs
from .ranking import Ranking
from .significance import Significance

__all__ = [
    "Breakdown",
    "Check",
    "Comparison",
    "Coverage",
    "Estimate",
    "Interval",
    "Leaderboard",
    "Pairs",
    "Ranking",
    "Significance",
]
