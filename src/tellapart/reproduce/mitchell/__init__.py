"""Mitchell (1997), chapter 5: one error rate, the difference of two, and what a normal curve has to do with them.

Imported in the order in which the paper tells them, its exhibits are registered in that order.
"""

from __future__ import annotations

from . import one_rate as one_rate  # isort: skip
from . import samples as samples  # isort: skip
from . import learners as learners  # isort: skip
from .paper import PAPER  # isort: skip

__all__ = ["PAPER"]
