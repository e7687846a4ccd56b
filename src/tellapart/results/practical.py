"""How probable it is that one is better, and that neither is in practice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..rendering import Rendered, significant
from ..shaped import Shaped
from ..typing_ import FloatArray
from .check import Check


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Practical(Shaped, Rendered):
    """How probable it is that A is better, that both are as good in practice, and that B is better.

    Examples
    --------
    >>> print(Practical(a_better=np.float64(0.05), equivalent=np.float64(0.2), b_better=np.float64(0.75), rope=0.01))
    P(A better)    0.05
    P(equivalent)  0.2 (within 0.01)
    P(B better)    0.75
    """

    a_better: FloatArray
    equivalent: FloatArray
    b_better: FloatArray
    rope: float
    checks: tuple[Check, ...] = ()  # that failed, where the probabilities stand by themselves
    _leader = "b_better"

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        if self.shape:
            shown = [("probabilities", f"of {self.b_better.size} comparisons, equivalent within {self.rope:g}")]
        else:
            shown = [
                ("P(A better)", significant(float(self.a_better))),
                ("P(equivalent)", f"{significant(float(self.equivalent))} (within {self.rope:g})"),
                ("P(B better)", significant(float(self.b_better))),
            ]
        return [
            *shown,
            *(("caution", f"{check.code}: {check.message}") for check in self.checks if not np.all(check.holds)),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, every digit kept."""
        found = {name: getattr(self, name) for name in ("a_better", "equivalent", "b_better", "rope")}
        return found | ({"checks": [check.as_dict() for check in self.checks]} if self.checks else {})

    def __repr__(self) -> str:
        return f"Practical({', '.join(f'{label}={value}' for label, value in self.rows())})"
