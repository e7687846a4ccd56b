"""Several models on one test set: do they differ at all, which two do, and what the best of them is worth.

All is computed from the counts of patterns.
"""

from __future__ import annotations

from . import reports as reports
from .cochran import cochran_q
from .optimism import winner_optimism
from .step_down import max_t

__all__ = ["cochran_q", "max_t", "winner_optimism"]
