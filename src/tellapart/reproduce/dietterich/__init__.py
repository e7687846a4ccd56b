"""Dietterich (1998): five tests for comparing learning algorithms, their Type I error and their power.

Imported in the order in which the paper tells them, its exhibits are registered in that order.
"""

from __future__ import annotations

from . import questions as questions  # isort: skip
from . import simulated as simulated  # isort: skip
from . import learners as learners  # isort: skip
from .paper import PAPER  # isort: skip

__all__ = ["PAPER"]
