"""The nouns: what was observed, as sufficient statistics."""

from __future__ import annotations

from .base import Evidence, expect
from .error_count import ErrorCount

__all__ = ["ErrorCount", "Evidence", "expect"]
