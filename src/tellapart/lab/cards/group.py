"""Groups of designs: each makes a row of the measured error rates of a method."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ...methods import Offer
from ...typing_ import Alternative
from ..design import Design

Case = tuple[Design, tuple[float, ...]]  # a design, or an array of them, and its differences


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Designs that make a row of measured error rates together; each with its differences other than 0.

    `facts` has what the designs do not know, such as the number of splits of the plan.
    """

    words: str
    cases: tuple[Case, ...]
    asks: Callable[[Offer], bool]
    alternatives: tuple[Alternative, ...] = ("two-sided",)
    trials: int | None = None  # of each design; None: every outcome is enumerated
    seed: int = 0
    facts: Mapping[str, float] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)  # of methods that know them


@dataclass(frozen=True, slots=True, eq=False)
class RateGroup:
    """True errors of one classifier in a range: intervals, whose smallest coverage can be looked up.

    None in place of the range: true errors drawn from the prior, over which coverage is averaged.
    """

    words: str
    examples: int
    within: tuple[float, float] | None
    asks: Callable[[Offer], bool]
    alternatives: ClassVar[tuple[Alternative, ...]] = ("two-sided",)


def hull(values: Sequence[float]) -> float | list[float]:
    """Return the least and the most of several facts, or the one number that they all are.

    Examples
    --------
    >>> hull([20, 20]), hull([0.02, 0.8, 0.1])
    (20.0, [0.02, 0.8])
    """
    low, high = float(min(values)), float(max(values))
    return low if low == high else [low, high]
