"""Pictures of results, drawn with matplotlib, and HTML reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from . import plots as plots
    from .provenance import Provenance as Provenance
    from .writing import page_of as page_of
    from .writing import report_file as report_file
    from .writing import write_report as write_report

_HOMES = {
    "plots": ("plots",),
    "provenance": ("Provenance",),
    "writing": (
        "page_of",
        "report_file",
        "write_report",
    ),
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOMES)
