"""What so many data sets can show of a difference that somebody names, and how many it would take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..rendering import Rendered, significant


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Outlook(Rendered):
    """How often a test would see a difference that is named, with these data sets and with more like them.

    Examples
    --------
    >>> held = {"difference": 0.01, "datasets": 14, "power": 0.42, "wanted": 0.8, "needed": 33}
    >>> found = Outlook(**held, method="wilcoxon-signed-rank", alpha=0.05, resamples=2000)
    >>> print(found)
    power   0.42 at a typical difference of 0.01, with 14 data sets (wilcoxon-signed-rank at alpha = 0.05)
    needed  about 33 data sets for power 0.8: 19 more than these
    """

    difference: float
    datasets: int
    power: float  # with as many data sets as there are
    wanted: float  # the power that `needed` is for
    needed: int | None  # None: more than were looked at
    method: str
    alpha: float  # of one comparison
    resamples: int
    comparisons: int = 1  # that alpha was shared by
    pair: tuple[str, str] | None = None  # whose differences were drawn from, where there are several pairs
    most: int = 2000  # the largest number of data sets that was looked at
    curve: tuple[tuple[int, float], ...] = ()  # the power at other numbers of data sets

    @property
    def words(self) -> str:
        """What it would take, in a sentence."""
        shared = f", shared by {self.comparisons} comparisons" if self.comparisons > 1 else ""
        whose = f" (as spread as those of {self.pair[0]} and {self.pair[1]})" if self.pair else ""
        now = (
            f"A typical difference of {self.difference:g}{whose} would be seen with {self._many(self.datasets)} in"
            f" {100 * self.power:.0f} % of cases ({self.method}, alpha = {self.alpha:.6g}{shared})"
        )
        return f"{now}; {self._needed()}."

    def _needed(self) -> str:
        if self.needed is None:
            return f"power {self.wanted:g} would take more than {self.most} data sets like these"
        if self.needed <= self.datasets:
            return f"about {self.needed} would do for power {self.wanted:g}"
        return f"power {self.wanted:g} would take about {self.needed}, {self.needed - self.datasets} more than these"

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        many = f"more than {self.most}" if self.needed is None else f"about {self.needed}"
        more = "" if self.needed is None or self.needed <= self.datasets else self.needed - self.datasets
        then = f": {more} more than these" if more else ""
        at = f"at a typical difference of {self.difference:g}, with {self._many(self.datasets)}"
        return [
            ("power", f"{significant(self.power, 2)} {at} ({self.method} at alpha = {self.alpha:.6g})"),
            ("needed", f"{many} data sets for power {self.wanted:g}{then}"),
        ]

    @staticmethod
    def _many(count: int) -> str:
        return f"{count} data set{'s' * (count != 1)}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        names = ("difference", "datasets", "power", "wanted", "needed", "method", "alpha", "comparisons", "resamples")
        told = {name: getattr(self, name) for name in names}
        whose = {} if self.pair is None else {"pair": list(self.pair)}
        return told | whose | {"curve": [list(point) for point in self.curve], "words": self.words}

    def __repr__(self) -> str:
        return str(self)
