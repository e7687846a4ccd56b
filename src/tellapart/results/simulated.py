"""P-values that are shares of random draws, and the smallest attainable ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..figures import precise_pvalue_text as pvalue_text
from ..shaped import Shaped
from ..typing_ import BoolArray, FloatArray, IntArray, Numbers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # eq=False: arrays have no single ==
class Simulated(Shaped):
    """The number of draws behind a p-value, and the smallest p-value that they can give; both 0 if it is exact.

    A p-value at this floor means that no draw was as extreme as the observation: it is an upper bound.

    Examples
    --------
    >>> simulated = Simulated.of(np.array([0.0002, 0.0001]), draws=9_999, floor=0.0001)
    >>> simulated.bounds(np.array([0.0002, 0.0001]))
    array([False,  True])
    """

    draws: IntArray
    floor: FloatArray
    _leader = "floor"

    @classmethod
    def of(cls, pvalue: Numbers, *, draws: Any, floor: Any) -> Simulated:
        """Return the facts for p-values of this shape, from one number of draws or one for each."""
        shape = np.shape(pvalue)
        number = np.broadcast_to(np.asarray(draws, dtype=np.int64), shape)
        return cls(draws=number[()], floor=np.broadcast_to(np.asarray(floor, dtype=float), shape)[()])

    def bounds(self, pvalue: Numbers) -> BoolArray:
        """Return whether a p-value is only an upper bound."""
        bounds: BoolArray = (self.floor > 0) & (np.asarray(pvalue) <= self.floor * (1 + 1e-12))
        return bounds

    def show(self, pvalue: float, alpha: float) -> str:
        """Return the text of a p-value; the smallest attainable one is a bound, with the number of draws.

        Examples
        --------
        >>> Simulated.of(0.0, draws=10_000, floor=1 / 10_001).show(1 / 10_001, 0.05)
        '< 0.0001 (10,000 draws)'
        >>> Simulated.of(0.0, draws=10_000, floor=1 / 10_001).show(0.0304, 0.05)
        '0.0304'
        """
        if not self.bounds(pvalue):
            return pvalue_text(pvalue, alpha)
        return f"{self.bound_text()} ({int(self.draws):,} draws)"

    def bound_text(self) -> str:
        """Return the floor as an upper bound."""
        return f"< {_round_up(float(self.floor))}"

    def values(self, pvalue: FloatArray, name: str = "pvalue") -> dict[str, Any]:
        """Return the JSON values: the number of draws, and whether the p-value is a bound; empty if it is exact.

        Examples
        --------
        >>> Simulated.of(0.0, draws=999, floor=0.001).values(np.float64(0.02))
        {'draws': np.int64(999), 'pvalue_is_bound': np.False_}
        """
        return {"draws": self.draws, f"{name}_is_bound": self.bounds(pvalue)} if np.any(self.draws) else {}

    def adjusted(self, pvalue: FloatArray, adjusted: FloatArray) -> Simulated:
        """Return the facts for adjusted p-values: a p-value that is adjusted from a bound is a bound.

        Every adjustment increases with the p-values, so smaller p-values would not be adjusted to larger ones.

        Examples
        --------
        >>> pvalue = np.array([0.0001, 0.02])
        >>> Simulated.of(pvalue, draws=9_999, floor=0.0001).adjusted(pvalue, 2 * pvalue).floor
        array([0.0002, 0.    ])
        """
        return Simulated.of(adjusted, draws=self.draws, floor=np.where(self.bounds(pvalue), adjusted, 0.0))


def _round_up(value: float) -> str:
    """Return a number with two digits, rounded up."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    above = math.ceil(value / unit - 1e-9) * unit
    decimals = max(1 - math.floor(math.log10(above) + 1e-9), 0)
    return f"{above:.{decimals}f}".rstrip("0").rstrip(".") if above >= 1e-6 else f"{above:.2g}"


def larger_of(first: Simulated | None, second: Simulated | None, second_is_larger: BoolArray) -> Simulated | None:
    """Return the facts for the larger of two p-values of one method.

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
