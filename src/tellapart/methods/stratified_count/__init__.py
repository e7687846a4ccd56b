"""Intervals for the error in a population whose strata were tested apart and whose shares are known.

Every interval is a function of a `StratifiedCount`, with `alpha` and `side` by keyword.
"""

from __future__ import annotations

from .wilson_and_normal import stratified_normal, stratified_wilson

__all__ = ["stratified_normal", "stratified_wilson"]
