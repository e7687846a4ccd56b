"""Elazmeh, Japkowicz and Matwin (2006): Tango's interval for the balance of two kinds of error, on twelve data sets.

Imported in the order in which the paper tells them, its exhibits are registered in that order.
"""

from __future__ import annotations

from . import interval as interval  # isort: skip
from . import classifiers as classifiers  # isort: skip
from . import retrained as retrained  # isort: skip
from .paper import PAPER  # isort: skip

__all__ = ["PAPER"]
