"""How often an interval holds the truth, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..rendering import Rendered, level_text, significant
from ..typing_ import FloatArray, Side


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Coverage(Rendered):
    """The exact coverage of an interval method at one number of trials.

    `coverage` and `width` belong to the true errors in `error`, which fill the range `within`
    evenly; `minimum` is the infimum over the whole range, found at the limits themselves, and
    `worst` the true error next to which it lies.
    """

    method: str
    trials: int
    alpha: float
    side: Side
    within: tuple[float, float]
    error: FloatArray
    coverage: FloatArray
    width: FloatArray
    minimum: float
    worst: float

    @property
    def level(self) -> float:
        """What the method claims."""
        return 1 - self.alpha

    @property
    def mean(self) -> float:
        """The average coverage over the range."""
        return float(self.coverage.mean())

    @property
    def mean_width(self) -> float:
        """The average expected width over the range."""
        return float(self.width.mean())

    @property
    def fails(self) -> list[tuple[float, float]]:
        """The ranges of true errors that are missed more than twice as often as alpha allows."""
        bad = np.concatenate([[False], 1 - self.coverage > 2 * self.alpha, [False]])
        edges = np.flatnonzero(bad[1:] != bad[:-1])
        half = (self.within[1] - self.within[0]) / (2 * self.error.size)
        return [
            (max(float(self.error[first] - half), 0.0), float(self.error[last - 1] + half))
            for first, last in zip(edges[::2], edges[1::2], strict=True)
        ]

    @property
    def place(self) -> str:
        """Where the minimum lies, in words."""
        if self.worst < 1e-200:
            return "as the true error goes to 0"
        if self.worst > 1 - 1e-12:
            return "as the true error goes to 1"
        return f"next to a true error of {self.worst:.4g}"

    @property
    def words(self) -> str:
        """What the figures say, in one sentence."""
        low, high = self.within
        trials = f"{self.trials} trial{'s' * (self.trials != 1)}"
        floor = "is never below the level: at worst" if self.minimum >= self.level - 1e-9 else "is at worst"
        return (
            f"Over true errors from {low:g} to {high:g}, with {trials}, '{self.method}' at {level_text(self.alpha)}"
            f" covers {self.mean:.4f} on average and {floor} {self.minimum:.4f} ({self.place})."
        )

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        failing = sum(high - low for low, high in self.fails) / (self.within[1] - self.within[0])
        where = "nowhere misses more than twice alpha"
        if self.fails:
            spots = ", ".join(f"{low:.4g} to {high:.4g}" for low, high in self.fails[:5])
            more = f" and {len(self.fails) - 5} more" if len(self.fails) > 5 else ""
            where = f"misses more than twice alpha over {significant(100 * failing)} % of the range: {spots}{more}"
        return [
            ("method", f"{self.method} ({level_text(self.alpha)}, side {self.side}, {self.trials} trials)"),
            ("mean coverage", f"{self.mean:.4f}"),
            ("minimum coverage", f"{self.minimum:.4f}, {self.place}"),
            ("expected width", f"{self.mean_width:.4f}"),
            ("fails", where),
            ("in words", self.words),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        names = (
            "method",
            "trials",
            "level",
            "alpha",
            "side",
            "within",
            "mean",
            "minimum",
            "worst",
            "mean_width",
        )
        figures = {name: getattr(self, name) for name in names}
        return figures | {"fails": self.fails, "words": self.words}

    def __repr__(self) -> str:
        return str(self)
