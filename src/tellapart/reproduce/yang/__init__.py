"""Yang (2006): when cross-validation chooses the better of two classifiers, and an interval for their difference.

Imported in the order in which the paper tells them, its exhibits are registered in that order.
"""

from __future__ import annotations

from . import examples as examples  # isort: skip
from . import paradox as paradox  # isort: skip
from . import theorem_2 as theorem_2  # isort: skip
from . import theorem_3 as theorem_3  # isort: skip
from . import splittings as splittings  # isort: skip
from .paper import PAPER  # isort: skip

__all__ = ["PAPER"]
