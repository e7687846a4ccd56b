"""What a method gives that compares every two of several at once."""

from __future__ import annotations

from dataclasses import dataclass

from ..rendering import html_fields
from ..shaped import Shaped
from ..typing_ import FloatArray
from .interval import Interval
from .simulated import Simulated


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs(Shaped):
    """All pairs at once: statistics, p-values that allow for their number, and limits that all hold together.

    `critical` is what a pair's statistic has to exceed when all pairs are looked at together; the
    limits reach that many standard errors. The p-values go step by step and may tell a pair apart
    whose limits still hold 0, never the reverse.
    """

    statistic: FloatArray
    pvalue: FloatArray
    critical: float
    interval: Interval
    simulated: Simulated | None = None  # how small a p-value the draws can give
    _leader = "pvalue"

    def _repr_html_(self) -> str:
        return html_fields(self)
