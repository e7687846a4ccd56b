"""What a p-value is worth that is a share of random draws: below one in so many it knows nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..rendering import pvalue_text
from ..shaped import Shaped
from ..typing_ import BoolArray, FloatArray, IntArray, Numbers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # eq=False: arrays have no single ==
class Simulated(Shaped):
    """How many draws a p-value is a share of, and the smallest that so many can give; both 0 where it is exact.

    A p-value at this floor says that no draw was as extreme as what was observed: it is a bound, not a figure.

    Examples
    --------
    >>> found = Simulated.of(np.array([0.0002, 0.0001]), draws=9_999, floor=0.0001)
    >>> found.bounds(np.array([0.0002, 0.0001]))
    array([False,  True])
    """

    draws: IntArray
    floor: FloatArray
    _leader = "floor"

    @classmethod
    def of(cls, pvalue: Numbers, *, draws: Any, floor: Any) -> Simulated:
        """Return the same for all p-values, or one for each."""
        shape = np.shape(pvalue)
        number = np.broadcast_to(np.asarray(draws, dtype=np.int64), shape)
        return cls(draws=number[()], floor=np.broadcast_to(np.asarray(floor, dtype=float), shape)[()])

    def bounds(self, pvalue: Numbers) -> BoolArray:
        """Whether a p-value is no more than a bound."""
        found: BoolArray = (self.floor > 0) & (np.asarray(pvalue) <= self.floor * (1 + 1e-12))
        return found


def shown_pvalue(pvalue: float, alpha: float, simulated: Simulated | None = None) -> str:
    """Write a p-value; one that is the least its draws can give as a bound, with their number.

    Examples
    --------
    >>> shown_pvalue(1 / 10_001, 0.05, Simulated.of(0.0, draws=10_000, floor=1 / 10_001))
    '< 0.0001 (10,000 draws)'
    >>> shown_pvalue(0.0304, 0.05, Simulated.of(0.0, draws=10_000, floor=1 / 10_001))
    '0.0304'
    """
    if simulated is None or not simulated.bounds(pvalue):
        return pvalue_text(pvalue, alpha)
    return f"< {_rounded_up(float(simulated.floor))} ({int(simulated.draws):,} draws)"


def _rounded_up(value: float) -> str:
    """Write a number with two digits, never as less than it is."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    above = math.ceil(value / unit - 1e-9) * unit
    decimals = max(1 - math.floor(math.log10(above) + 1e-9), 0)
    return f"{above:.{decimals}f}".rstrip("0").rstrip(".") if above >= 1e-6 else f"{above:.2g}"


def after_adjustment(simulated: Simulated | None, pvalue: FloatArray, adjusted: FloatArray | None) -> Simulated | None:
    """Return what draws can tell of adjusted p-values: what is made of a bound is one.

    Every rule of adjustment grows with the p-values, so that with smaller ones the adjusted would be no larger.

    Examples
    --------
    >>> pvalue = np.array([0.0001, 0.02])
    >>> after_adjustment(Simulated.of(pvalue, draws=9_999, floor=0.0001), pvalue, 2 * pvalue).floor
    array([0.0002, 0.    ])
    """
    if simulated is None or adjusted is None:
        return None
    bound = simulated.bounds(pvalue)
    return Simulated.of(adjusted, draws=simulated.draws, floor=np.where(bound, adjusted, 0.0))


def larger_of(first: Simulated | None, second: Simulated | None, second_is_larger: BoolArray) -> Simulated | None:
    """Return what draws can tell of the larger of two p-values of one method.

    Examples
    --------
    >>> ends = [Simulated.of(0.0, draws=number, floor=1 / (number + 1)) for number in (99, 999)]
    >>> larger_of(*ends, np.bool_(True)).draws
    np.int64(999)
    """
    if first is None or second is None:
        return None
    return Simulated(
        draws=np.where(second_is_larger, second.draws, first.draws)[()],
        floor=np.where(second_is_larger, second.floor, first.floor)[()],
    )


def bounds_in_dict(simulated: Simulated | None, pvalue: FloatArray, name: str = "pvalue") -> dict[str, Any]:
    """Return for JSON how many draws there were, and whether the p-value is a bound; nothing where it is exact.

    Examples
    --------
    >>> bounds_in_dict(Simulated.of(0.0, draws=999, floor=0.001), np.float64(0.02))
    {'draws': np.int64(999), 'pvalue_is_bound': np.False_}
    """
    if simulated is None or not np.any(simulated.draws):
        return {}
    return {"draws": simulated.draws, f"{name}_is_bound": simulated.bounds(pvalue)}
