"""What a page may show beside the answer itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...evidence import ClassScores
from ...results import Breakdown, Comparison, Estimate
from ..provenance import Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContext:
    """The experiment, groups, examples, calibration, scores and provenance that belong to an answer."""

    race: Any = None
    groups: Mapping[str, Comparison | Estimate] | Breakdown | None = None
    examples: Any = None
    calibration: Any = None
    scores: ClassScores | None = None
    provenance: Provenance = field(default_factory=Provenance)
