"""The result of a simultaneous comparison of all pairs."""

from __future__ import annotations

from dataclasses import dataclass

from ..rendering import html_fields
from ..shaped import Shaped
from ..typing_ import FloatArray
from .interval import Interval
from .simulated import Simulated


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs(Shaped):
    """All pairs at once: statistics, adjusted p-values and simultaneous intervals.

    `critical` is the critical value of the largest statistic of all pairs, and the half-width of the intervals in
    standard errors. The p-values are step-down, so a pair may be significant although its interval includes 0, but
    never the reverse.
    """

    statistic: FloatArray
    pvalue: FloatArray
    critical: float
    interval: Interval
    simulated: Simulated | None = None  # the draws behind the p-values
    _leader = "pvalue"

    def _repr_html_(self) -> str:
        return html_fields(self)
