"""The nouns: what was observed, as sufficient statistics."""

from __future__ import annotations

from .base import Evidence, expect
from .confusion import ConfusionMatrix, PairedConfusion
from .error_count import ErrorCount
from .error_patterns import ErrorPatterns
from .independent_counts import IndependentCounts
from .paired_table import PairedTable
from .stratified_count import StratifiedCount

__all__ = [
    "ConfusionMatrix",
    "ErrorCount",
    "ErrorPatterns",
    "Evidence",
    "IndependentCounts",
    "PairedConfusion",
    "PairedTable",
    "StratifiedCount",
    "expect",
]
