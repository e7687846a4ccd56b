"""The power at a specified difference, and the number of data sets for a target power."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..figures import count_text
from ..rendering import Rendered


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PowerProjection(Rendered):
    """The power of a test at a specified difference, with these data sets and with more like them.

    Examples
    --------
    >>> facts = {"difference": 0.01, "datasets": 14, "power": 0.42, "target": 0.8, "needed": 33}
    >>> print(PowerProjection(**facts, method="wilcoxon-signed-rank", alpha=0.05, resamples=2000))
      power     42% at a typical difference of 0.01 with 14 data sets; 80% needs about
                33, 19 more than these
    """

    difference: float
    datasets: int
    power: float  # with the present number of data sets
    target: float  # the power that `needed` is for
    needed: int | None  # None: more than `most`
    method: str
    alpha: float  # of one comparison
    resamples: int
    comparisons: int = 1  # number of comparisons that share alpha
    pair: tuple[str, str] | None = None  # the pair with the differences that were resampled, if there are several
    most: int = 2000  # the largest number of data sets that was tried
    curve: tuple[tuple[int, float], ...] = ()  # the power at other numbers of data sets

    @property
    def words(self) -> str:
        """The power, and the number of data sets for the target."""
        spread = f" (spread as between {self.pair[0]} and {self.pair[1]})" if self.pair else ""
        shared = f", alpha shared by {self.comparisons} comparisons" if self.comparisons > 1 else ""
        many = count_text(self.datasets, "data set")
        now = f"{100 * self.power:.0f}% at a typical difference of {self.difference:g}{spread} with {many}{shared}"
        return f"{now}; {self._state_needed()}"

    def _state_needed(self) -> str:
        target = f"{100 * self.target:g}%"
        if self.needed is None:
            return f"{target} needs more than {self.most:,} data sets"
        if self.needed <= self.datasets:
            return f"about {self.needed:,} suffice for {target}"
        return f"{target} needs about {self.needed:,}, {self.needed - self.datasets:,} more than these"

    def rows(self) -> list[tuple[str, str]]:
        """Return label and text of each row."""
        return [("power", self.words)]

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, with all digits; `wanted` is the old name of `target`."""
        names = ("difference", "datasets", "power", "target", "needed", "method", "alpha", "comparisons", "resamples")
        values = {name: getattr(self, name) for name in names} | {"wanted": self.target}
        pair = {} if self.pair is None else {"pair": list(self.pair)}
        return values | pair | {"curve": [list(point) for point in self.curve], "words": self.words}

    def __repr__(self) -> str:
        return str(self)
