"""What users get: frozen values that say what they mean."""

from __future__ import annotations

from .breakdown import Breakdown
from .check import Check
from .comparison import Adjustment, Comparison, Hypothesis
from .coverage import Coverage
from .effects import Effects
from .estimate import Estimate
from .interval import Interval
from .leaderboard import Leaderboard
from .mean_ranks import MeanRanks
from .mixing import Mixing, worst_mixing
from .outlook import Outlook
from .pairs import Pairs
from .practical import Practical
from .ranking import Ranking
from .simulated import Simulated, larger_of, shown_pvalue
from .test_result import TestResult

__all__ = [
    "Adjustment",
    "Breakdown",
    "Check",
    "Comparison",
    "Coverage",
    "Effects",
    "Estimate",
    "Hypothesis",
    "Interval",
    "Leaderboard",
    "MeanRanks",
    "Mixing",
    "Outlook",
    "Pairs",
    "Practical",
    "Ranking",
    "Simulated",
    "TestResult",
    "larger_of",
    "shown_pvalue",
    "worst_mixing",
]
