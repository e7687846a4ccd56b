"""May this model ship? A verdict in words, in files and in an exit status; a rule in a test suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .asserting import assert_not_worse as assert_not_worse
    from .judging import Judgement as Judgement
    from .judging import judge as judge

_HOMES = {
    "asserting": ("assert_not_worse",),
    "judging": (
        "Judgement",
        "judge",
    ),
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOMES)
