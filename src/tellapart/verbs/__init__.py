"""The verbs `estimate`, `compare` and `breakdown`. Each is loaded when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .breaking_down import breakdown as breakdown
    from .comparing import compare as compare
    from .dispatch import converts as converts
    from .estimating import estimate as estimate
    from .request import Adjust as Adjust

_HOMES = {
    "breaking_down": ("breakdown",),
    "comparing": ("compare",),
    "dispatch": ("converts",),
    "estimating": ("estimate",),
    "request": ("Adjust",),
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOMES)
