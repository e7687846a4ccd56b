"""Results: frozen values with their text. Each kind is loaded when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .breakdown import Breakdown as Breakdown
    from .check import Check as Check
    from .comparison import Adjustment as Adjustment
    from .comparison import Comparison as Comparison
    from .comparison import Hypothesis as Hypothesis
    from .coverage import Coverage as Coverage
    from .effects import Effects as Effects
    from .estimate import Estimate as Estimate
    from .interval import Interval as Interval
    from .leaderboard import Leaderboard as Leaderboard
    from .mean_ranks import MeanRanks as MeanRanks
    from .mixing import Mixing as Mixing
    from .mixing import worst_mixing as worst_mixing
    from .pairs import Pairs as Pairs
    from .power_projection import PowerProjection as PowerProjection
    from .practical import Practical as Practical
    from .ranking import Ranking as Ranking
    from .simulated import Simulated as Simulated
    from .simulated import larger_of as larger_of
    from .test_result import TestResult as TestResult
    from .wording import shown_pvalue as shown_pvalue

_HOMES = {
    "breakdown": ("Breakdown",),
    "check": ("Check",),
    "comparison": ("Adjustment", "Comparison", "Hypothesis"),
    "coverage": ("Coverage",),
    "effects": ("Effects",),
    "estimate": ("Estimate",),
    "interval": ("Interval",),
    "leaderboard": ("Leaderboard",),
    "mean_ranks": ("MeanRanks",),
    "mixing": ("Mixing", "worst_mixing"),
    "power_projection": ("PowerProjection",),
    "pairs": ("Pairs",),
    "practical": ("Practical",),
    "ranking": ("Ranking",),
    "simulated": ("Simulated", "larger_of"),
    "test_result": ("TestResult",),
    "wording": ("shown_pvalue",),
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOMES)
