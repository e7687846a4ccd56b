"""Posterior probabilities of superiority and of practical equivalence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..figures import equation
from ..rendering import Rendered
from ..shaped import Shaped
from ..typing_ import FloatArray
from .check import Check
from .wording import caution_rows, probability_text


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Practical(Shaped, Rendered):
    """The posterior probabilities that A is better, that both are practically equivalent, and that B is better.

    Examples
    --------
    >>> import numpy as np
    >>> print(Practical(a_better=np.float64(0.05), equivalent=np.float64(0.2), b_better=np.float64(0.75), rope=0.01))
      rope      P(A better) = 0.050, P(equivalent within 0.01) = 0.200,
                P(B better) = 0.750
    """

    a_better: FloatArray
    equivalent: FloatArray
    b_better: FloatArray
    rope: float
    checks: tuple[Check, ...] = ()  # failed checks, if the probabilities are a result of their own
    _leader = "b_better"

    def sentence(self, a: str, b: str) -> str:
        """Return the probabilities with the names of the models."""
        equivalent = f"{equation(f'P(equivalent within {self.rope:g})', probability_text(self.equivalent))}, "
        return (
            f"{equation(f'P({a} better)', probability_text(self.a_better))}, {equivalent if self.rope else ''}"
            f"{equation(f'P({b} better)', probability_text(self.b_better))}"
        )

    def rows(self) -> list[tuple[str, str]]:
        """Return label and text of each row."""
        several = f"of {self.b_better.size:,} comparisons, equivalent within {self.rope:g}"
        text = several if self.shape else self.sentence("A", "B")
        return [("rope", text), *caution_rows(self.checks)]

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, with all digits."""
        values = {name: getattr(self, name) for name in ("a_better", "equivalent", "b_better", "rope")}
        return values | ({"checks": [check.as_dict() for check in self.checks]} if self.checks else {})

    def __repr__(self) -> str:
        return f"Practical({', '.join(f'{label}={value}' for label, value in self.rows())})"
