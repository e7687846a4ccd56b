"""How methods behave: designs of which the truth is known, and what methods make of them.

`calibrate` measures size, power and coverage at a design; `exact_coverage` that of an interval for one rate over a
range of true errors. The names are loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .calibrating import calibrate as calibrate
    from .calibration import Calibration as Calibration
    from .calibration import Calibrations as Calibrations
    from .coverage import exact_coverage as exact_coverage
    from .design import Design as Design
    from .models import BinomialModel as BinomialModel
    from .models import Moments as Moments
    from .models import NormalModel as NormalModel
    from .models import moments as moments
    from .outcomes import OneRate as OneRate
    from .outcomes import PairedOutcomes as PairedOutcomes
    from .outcomes import TwoRates as TwoRates
    from .share import Share as Share

_HOMES = {
    "BinomialModel": "models",
    "Calibration": "calibration",
    "Calibrations": "calibration",
    "Design": "design",
    "Moments": "models",
    "NormalModel": "models",
    "OneRate": "outcomes",
    "PairedOutcomes": "outcomes",
    "Share": "share",
    "TwoRates": "outcomes",
    "calibrate": "calibrating",
    "exact_coverage": "coverage",
    "moments": "models",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  # a test compares it with what is imported above


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
