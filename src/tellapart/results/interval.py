"""Two limits and what they are limits of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..rendering import Rendered, level_text, percent, plain_number, points, significant
from ..shaped import Shaped
from ..typing_ import FloatArray, Side

if TYPE_CHECKING:
    from .mixing import Mixing

SIDES = {"two": "two-sided", "upper": "upper bound", "lower": "lower bound"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Interval(Shaped, Rendered):
    """The values of a parameter that the evidence leaves standing.

    A one-sided interval ends at the end of the parameter's range. `level` and
    `alpha` are one number told two ways; alpha keeps the digits of a level close to 1.

    Examples
    --------
    >>> Interval(low=np.float64(0.0072), high=np.float64(0.0653), alpha=0.05, method="jeffreys")
    Interval(low=0.0072, high=0.0653, level=0.95, side='two', parameter='error', method='jeffreys')
    """

    low: FloatArray
    high: FloatArray
    alpha: float
    method: str
    level: float = np.nan
    side: Side = "two"
    parameter: str = "error"
    metric: str = "error"  # what it is of: the share of wrong answers, or another metric
    mixing: Mixing | None = None  # what the draws are worth, where it is read off chains
    centre: str = "on average"  # of what centre of all differences it is: "at the median"
    note: str = ""  # what a reader must know of it: the prior
    title: str = ""  # what readers know its method by
    reference: Any = ""  # who described it
    _leader = "low"

    def __post_init__(self) -> None:
        if self.level != self.level:  # not given
            object.__setattr__(self, "level", 1 - self.alpha)

    @property
    def width(self) -> FloatArray:
        """How far apart the limits are."""
        return self.high - self.low

    def spread(self, around: float) -> float:
        """Return the width of one entry by which digits are chosen.

        A bound on one side of a difference ends at the end of the range, which says nothing: there it is twice the
        distance from the estimate, `around`. Where nothing is finite it is the estimate itself.
        """
        bound = {"upper": self.high, "lower": self.low}.get(self.side) if self.parameter == "difference" else None
        width = float(self.width) if bound is None or math.isnan(around) else 2 * abs(around - float(bound))
        return width if math.isfinite(width) else abs(around)

    def contains(self, value: FloatArray | float) -> np.bool_ | np.ndarray:
        """Whether `value` lies between the limits, limits included."""
        return (self.low <= value) & (value <= self.high)

    def between_text(self) -> str:
        """Write where the parameter lies: "between 1 and 2", "at most 2", "anything"."""
        bounded = self.side == "two" and math.isfinite(self.low) and math.isfinite(self.high)
        return f"between {self.limits_text(joint='and')}" if bounded else self.limits_text()

    def limits_text(
        self, apart_from: float | None = None, spread: float | None = None, *, unit: bool = True, joint: str = "to"
    ) -> str:
        """Write the limits of one entry, with the digits its width earns; more to tell them from a threshold.

        A bound on one side has no width to go by: `spread` says how wide the interval would be with both.
        """
        width = float(self.width) if spread is None else spread
        low, high = (self._limit_text(float(limit), width, apart_from, unit=unit) for limit in (self.low, self.high))
        if self.side == "two" and math.isinf(self.high):
            return "anything" if math.isinf(self.low) or self.low == 0 else f"{low} or more"
        if self.side == "two" and math.isinf(self.low):
            return "anything" if self.high == 1 else f"{high} or less"
        if self.side == "two":
            first = self._limit_text(float(self.low), width, apart_from, unit=unit and not self._in_points)
            return f"{first} {joint} {high}"
        if math.isinf(self.high if self.side == "upper" else self.low):
            return "anything"
        return f"at most {high}" if self.side == "upper" else f"at least {low}"

    @property
    def _in_points(self) -> bool:
        """Whether the limits are differences of rates."""
        return self.parameter == "difference" or self.metric == "label-balance"

    def _limit_text(self, limit: float, width: float, apart_from: float | None, *, unit: bool) -> str:
        if math.isinf(limit):
            return "without bound"
        if self.parameter in {"odds", "ratio"}:
            texts = (significant(limit, digits) for digits in range(3, 17))
            return next((text for text in texts if limit == apart_from or float(text) != apart_from), f"{limit}")
        spread = width if math.isfinite(width) else limit
        if self.metric not in {"error", "label-balance"}:
            return plain_number(limit, spread, apart_from)
        return (points if self._in_points else percent)(limit, spread, apart_from, unit=unit)

    def kind_text(self) -> str:
        """Name level, side and method."""
        return f"{level_text(self.alpha)}, {SIDES[self.side]}, {self.method}"

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        if self.shape:
            return [("intervals", f"{self.low.size} ({self.kind_text()})")]
        return [("interval", f"{self.limits_text()} ({self.kind_text()})")]

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, every digit kept."""
        names = ("low", "high", "level", "alpha", "side", "parameter", "method")
        metric = {} if self.metric == "error" else {"metric": self.metric}
        return {name: getattr(self, name) for name in names} | metric

    def __repr__(self) -> str:
        low, high = (
            (self.low.tolist(), self.high.tolist()) if not self.shape else (f"<{self.shape}>", f"<{self.shape}>")
        )
        return (
            f"Interval(low={low}, high={high}, level={self.level}, side={self.side!r},"
            f" parameter={self.parameter!r}, method={self.method!r})"
        )
