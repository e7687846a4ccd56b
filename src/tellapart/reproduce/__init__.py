"""Reproductions of five papers: every table, figure and experiment, compared with our numbers.

A paper is a package; each of its exhibits is a function that uses only the public interface. `find_exhibits` finds
them, `run_exhibits` runs them; `tellapart reproduce` is the command.
"""

from __future__ import annotations

from .exhibit import Exhibit, Paper
from .papers import PAPERS, find_exhibits, load_paper
from .printed import printed
from .reproduction import Reproduced, Reproduction, run_exhibits
from .run import Run
from .store import Store
from .verdicts import Line, Shown, claimed, compared, missing

__all__ = [
    "PAPERS",
    "Exhibit",
    "Line",
    "Paper",
    "Reproduced",
    "Reproduction",
    "Run",
    "Shown",
    "Store",
    "claimed",
    "compared",
    "find_exhibits",
    "load_paper",
    "missing",
    "printed",
    "run_exhibits",
]
