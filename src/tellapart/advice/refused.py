"""What not to use, and what the lab found of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..evidence import Evidence
from ..methods import Offer, find_methods
from ..methods.cards import Card, CardRow, card

Wanted = Literal["test", "interval"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """A method that is kept because papers report it, why it is not to be used, and what the lab measured."""

    method: Offer
    reason: str
    figure: str  # in words; empty where nobody has measured it

    @property
    def told(self) -> str:
        """All of it in a line."""
        return f"{self.method.name}: {self.reason}{f'. {self.figure}' if self.figure else ''}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        return {"method": self.method.name, "gives": self.method.gives, "reason": self.reason, "figure": self.figure}


def forbidden_for(kind: type[Evidence], wanted: Wanted, examples: int | None = None) -> tuple[Forbidden, ...]:
    """Return the forbidden tests, or intervals, of such evidence, each with its worst figure (at about that size).

    Examples
    --------
    >>> from tellapart.evidence import ErrorCount
    >>> [each.method.name for each in forbidden_for(ErrorCount, "interval")]
    ['bca-bootstrap', 'percentile', 'wald']
    >>> print(forbidden_for(ErrorCount, "interval", examples=30)[-1].figure)
    In the lab its 95 % interval held the truth in as few as 0.0 % of cases (exact; 30 examples, all true errors).
    """
    found = find_methods(evidence=kind, standing="forbidden", gives=wanted)
    return tuple(Forbidden(method=method, reason=method.because, figure=_figure(method, examples)) for method in found)


def _figure(method: Offer, examples: int | None) -> str:
    """Return the worst that the lab found: how often it errs, or where that is seldom, what it misses."""
    found = card(method)
    if found is None:
        return ""
    rows = _near(found, examples)
    if method.gives == "interval":
        row = min(rows, key=lambda each: _extreme(each, "coverage", 1.0))
        held, level = _share(_extreme(row, "coverage", 1.0)), f"{100 * (1 - found.alpha):g} %"
        return f"In the lab its {level} interval held the truth in as few as {held} of cases ({_where(row)})."
    row = max(rows, key=lambda each: _extreme(each, "size", 0.0))
    size = _extreme(row, "size", 0.0)
    alarms = f"In the lab it found a difference in up to {_share(size)} of cases without one ({_where(row)})"
    if size <= found.alpha and row.power is not None:
        return f"{alarms}; to see {row.power_at} it had a power of {_share(row.power)}."
    return f"{alarms}; {100 * found.alpha:g} % were meant."


def _near(found: Card, examples: int | None) -> tuple[CardRow, ...]:
    """Return the rows at the number of examples that is nearest; all where none is asked for, or told."""
    told = [(row, size) for row in found.entries if (size := _size(row)) is not None]
    if examples is None or not told:
        return found.entries
    gap = min(abs(np.log(size / examples)) for _, size in told)
    return tuple(row for row, size in told if abs(np.log(size / examples)) <= gap + 1e-9)


def _size(row: CardRow) -> float | None:
    held = row.facts.get("examples")
    if isinstance(held, list | tuple):
        held = held[0]
    return float(held) if isinstance(held, int | float) and held > 0 else None


def _extreme(row: CardRow, name: str, otherwise: float) -> float:
    """Return the worst size or coverage of a row; `otherwise` where only a mean was looked at, or nothing."""
    found = getattr(row, name)
    return otherwise if found is None or found.extreme is None else float(found.extreme)


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _where(row: CardRow) -> str:
    return f"{row.how}; {row.design}"
