"""Confidence and credible intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..figures import Scale, level_text, scale_of
from ..rendering import Rendered
from ..shaped import Shaped
from ..typing_ import FloatArray, Side

if TYPE_CHECKING:
    from .mixing import Mixing

KINDS = {"two": "CI", "upper": "upper bound", "lower": "lower bound"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Interval(Shaped, Rendered):
    """A confidence or credible interval of a parameter.

    A one-sided interval ends at the end of the range of the parameter. `level` is 1 − `alpha`; for levels close to 1
    alpha is more accurate.

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
    metric: str = "error"  # the metric: the error rate, or another one
    mixing: Mixing | None = None  # the convergence of the draws, if it comes from chains
    centre: str = "on average"  # the phrase for a difference: "at the median"
    note: str = ""  # a remark for readers, such as the prior
    title: str = ""  # the title of its method in output
    reference: Any = ""  # the source of its method
    _leader = "low"

    def __post_init__(self) -> None:
        if self.level != self.level:  # NaN: not set
            object.__setattr__(self, "level", 1 - self.alpha)

    @property
    def width(self) -> FloatArray:
        """The difference of the limits."""
        return self.high - self.low

    def spread(self, around: float) -> float:
        """Return the width of one entry that determines the number of digits.

        A one-sided bound of a difference ends at the end of the range, so its width is twice the distance from the
        estimate, `around`. If that is not finite either, it is the estimate itself.
        """
        bound = {"upper": self.high, "lower": self.low}.get(self.side) if self.parameter == "difference" else None
        width = float(self.width) if bound is None or math.isnan(around) else 2 * abs(around - float(bound))
        return width if math.isfinite(width) else abs(around)

    def contains(self, value: FloatArray | float) -> np.bool_ | np.ndarray:
        """Return whether `value` lies between the limits, limits included."""
        return (self.low <= value) & (value <= self.high)

    def limits_text(
        self, apart_from: float | None = None, spread: float | None = None, *, unit: bool = True, joint: str = "to"
    ) -> str:
        """Return the limits of one entry with the digits that suit its width, or more to differ from a threshold.

        A one-sided bound has no width; `spread` is that of the two-sided interval.

        Examples
        --------
        >>> limits = {"low": np.float64(0.0072), "high": np.float64(0.0653), "alpha": 0.05, "method": "jeffreys"}
        >>> Interval(**limits).limits_text(), Interval(**limits, parameter="difference").limits_text()
        ('0.7% to 6.5%', '0.7 to 6.5 pp')
        >>> Interval(**limits, side="upper").limits_text()
        'at most 6.5%'
        """
        low, high = float(self.low), float(self.high)
        scale = self._limit_scale(apart_from, spread)
        write = scale.value if unit else scale.number
        if self.parameter in {"odds", "ratio"}:
            write = "{:.3g}".format
        if math.isnan(low) or math.isnan(high):
            return "undefined"
        if self.side != "two":
            end, word = (high, "at most") if self.side == "upper" else (low, "at least")
            return "unbounded" if math.isinf(end) else f"{word} {write(end)}"
        if math.isinf(high):
            return (
                "unbounded"
                if math.isinf(low) or (low == 0 and self.parameter != "difference")
                else f"above {write(low)}"
            )
        if math.isinf(low):
            return "unbounded" if high == 1 else f"below {write(high)}"
        first = scale.number(low) if scale.kind == "points" and self.parameter not in {"odds", "ratio"} else write(low)
        return f"{first} {joint} {write(high)}"

    def _limit_scale(self, apart_from: float | None, spread: float | None) -> Scale:
        """Return the scale of the limits."""
        width = float(self.width) if spread is None else spread
        kind: Literal["percent", "points", "plain"] = "percent"
        if self.metric not in {"error", "label-balance"}:
            kind = "plain"
        elif self.parameter == "difference" or self.metric == "label-balance":
            kind = "points"
        ends = [end for end in (float(self.low), float(self.high)) if math.isfinite(end)]
        borders = [0.0, *([1.0] if kind == "percent" else []), *([] if apart_from is None else [apart_from])]
        return scale_of(kind, width / 2, ends=ends, apart_from=borders)

    def kind_text(self) -> str:
        """Return level, side and method: "95% CI, Jeffreys"."""
        return f"{level_text(self.alpha)} {KINDS[self.side]}, {self.title or self.method}"

    def rows(self) -> list[tuple[str, str]]:
        """Return label and text of each row."""
        if self.shape:
            return [("interval", f"{self.low.size:,} intervals ({self.kind_text()})")]
        return [("interval", f"{self.limits_text()} ({self.kind_text()})")]

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, with all digits."""
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
