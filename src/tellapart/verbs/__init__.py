"""The two verbs: how large is the error, and is B really better than A?"""

from __future__ import annotations

from .comparing import compare
from .estimating import estimate
from .pairs import Adjust

__all__ = ["Adjust", "compare", "estimate"]
