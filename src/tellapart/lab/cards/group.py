"""Groups of designs, each of which gives one row of a method's measured error rates."""

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
    """Designs of one row of measured error rates, each with its nonzero differences.

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
    """Range of true errors of one classifier, for the minimum coverage of intervals.

    None in place of the range: true errors drawn from the prior, over which coverage is averaged.
    """

    words: str
    examples: int
    within: tuple[float, float] | None
    asks: Callable[[Offer], bool]
    alternatives: ClassVar[tuple[Alternative, ...]] = ("two-sided",)


def hull(values: Sequence[float]) -> float | list[float]:
    """Return the smallest and largest of several numbers, or the one number if all are equal.

    Examples
    --------
    >>> hull([20, 20]), hull([0.02, 0.8, 0.1])
    (20.0, [0.02, 0.8])
    """
    low, high = float(min(values)), float(max(values))
    return low if low == high else [low, high]
