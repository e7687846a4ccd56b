"""What is shown: pictures of results, by matplotlib, each beside the numbers it shows, and reports made of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import plots as plots
    from .provenance import Provenance as Provenance
    from .writing import page_of as page_of
    from .writing import report_file as report_file
    from .writing import write_report as write_report

_HOMES = {
    "Provenance": "provenance",
    "page_of": "writing",
    "plots": "plots",
    "report_file": "writing",
    "write_report": "writing",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  # one list of names is enough


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tellapart.report' has no attribute {name!r}")
    module = import_module(f".{_HOMES[name]}", __name__)
    return module if name == _HOMES[name] else getattr(module, name)
