"""The five papers again: every table, figure and experiment of theirs, with ours beside it.

A paper is a package, an exhibit of it a function, which calls what users call and nothing else. `find_exhibits` finds
them, `run_exhibits` runs them; `tellapart reproduce` is the command.
"""

from __future__ import annotations

from .exhibit import Exhibit, Paper
from .lines import Line, Shown, claimed, compared, missing
from .papers import PAPERS, find_exhibits, load_paper
from .printed import printed
from .reproduction import Reproduced, Reproduction, run_exhibits
from .run import Run
from .store import Store

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
