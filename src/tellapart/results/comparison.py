"""By how much two errors differ, and how odd that would be if they were equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..evidence import Evidence
from ..rendering import Rendered, level_text, percent, pvalue_text
from ..shaped import Shaped
from ..types import Alternative, FloatArray
from .check import Check
from .estimate import cautions
from .interval import Interval
from .significance import Significance

__all__ = ["Comparison"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison(Shaped, Rendered):
    """By how much error(A) exceeds error(B), and how odd that would be if they were equal.

    Against a threshold, A is the classifier and B the threshold; the interval is that of the
    classifier's error.
    """

    method: str
    evidence: Evidence
    difference: FloatArray
    interval: Interval
    significance: Significance
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    against: FloatArray | float = np.nan
    checks: tuple[Check, ...] = ()
    told: str = ""  # what the test wants said of itself: the prior
    scope: str = ""
    _leader = "difference"

    @property
    def statistic(self) -> FloatArray:
        """The test's statistic."""
        return self.significance.statistic

    @property
    def pvalue(self) -> FloatArray:
        """The test's p-value."""
        return self.significance.pvalue

    @property
    def better(self) -> Any:
        """Say "A" or "B" where the test rejects at alpha, else None; an array of them for many entries."""
        winner: Any = np.where(self.difference < 0, "A", "B").astype(object)
        winner[~(self.pvalue < self.alpha)] = None  # NaN decides nothing
        return winner.item() if not self.shape else winner

    @property
    def words(self) -> str:
        """The answer in two sentences: who is better and how sure we are, and what it does not say."""
        if self.shape:
            called = int(np.count_nonzero(self.pvalue < self.alpha))
            return f"{called} of {self.difference.size} differ ({self.method}, alpha = {self.alpha:.6g})."
        verdict = {None: "is not told apart from", "A": "is below", "B": "is above"}[self.better]
        limit = "interval is" if self.interval.side == "two" else "bound is"
        whose = "" if self.interval.method == self.method else f" ({self.interval.method})"
        told = f", {self.told}" if self.told else ""
        return (
            f"The error of {self._rate_text()} ({self.evidence.describe()})"
            f" {verdict} {_threshold(self.against)} at alpha = {self.alpha:.6g}"
            f" (p = {pvalue_text(float(self.pvalue), self.alpha)}, {self.method}, {self.alternative}{told});"
            f" the {level_text(self.interval.alpha)} {limit} {self._limits_text()}{whose}."
            f"{self._contradiction()} {self.scope}"
        ).rstrip()

    def _rate_text(self) -> str:
        return percent(float(self.difference + self.against), float(self.interval.width), float(self.against))

    def _limits_text(self) -> str:
        return self.interval.limits_text(apart_from=float(self.against))

    def _contradiction(self) -> str:
        """Say who decides where test and interval fall apart."""
        rejected, excluded = bool(self.pvalue < self.alpha), not self.interval.contains(self.against)
        if rejected == excluded:
            return ""
        return f" The interval ({self.interval.method}) would decide otherwise; the test decides."

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        if self.shape:
            first = [("comparisons", str(self.difference.size)), ("in words", self.words)]
        else:
            first = [
                ("error rate", f"{self._rate_text()}  ({self.evidence.describe()})"),
                ("against", _threshold(self.against)),
                ("interval", f"{self._limits_text()}  ({self.interval.kind_text()})"),
                ("p-value", f"{pvalue_text(float(self.pvalue), self.alpha)}  ({self.method}, {self.alternative})"),
                ("in words", self.words),
            ]
        return [*first, *cautions(self.checks)]

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        return {
            "method": self.method,
            "difference": self.difference,
            "interval": self.interval.as_dict(),
            "statistic": self.statistic,
            "pvalue": self.pvalue,
            "alternative": self.alternative,
            "alpha": self.alpha,
            "against": self.against,
            "better": self.better,
            "evidence": self.evidence.as_dict(),
            "checks": [check.as_dict() for check in self.checks],
            "words": self.words,
        }

    def __repr__(self) -> str:
        return str(self)


def _threshold(against: FloatArray | float) -> str:
    return f"{100 * float(against):.6g} %"
