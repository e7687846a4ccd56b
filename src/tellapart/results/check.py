"""An assumption that was tested, and how it came out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..rendering import html_rows, significant
from ..shaped import Shaped
from ..typing_ import BoolArray, FloatArray, IntArray

_NAMED = 5  # entries that are named where a check fails


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Check(Shaped):
    """Whether an assumption holds, by which figure, and what to do where it does not.

    `requirement` states the assumption, `violation` what it means that it fails; both may show the figure as
    {figure} or its size as {size}. It holds where the figure reaches the threshold (exceeds it, if
    `strict`). `remedy` names a way out. Where the figure is infinite, `moot` says why the question does not arise.
    Where the entries are pairs of models, `names` are theirs.
    """

    code: str
    requirement: str
    violation: str
    remedy: str
    figure: FloatArray
    threshold: float
    strict: bool = False
    moot: str = ""
    adjusts: bool = False  # whether it is of a p-value that is adjusted for the number of comparisons
    names: tuple[str, ...] = ()
    _leader = "figure"

    @property
    def holds(self) -> BoolArray:
        """Whether the assumption holds, entry by entry."""
        return self.figure > self.threshold if self.strict else self.figure >= self.threshold

    @property
    def message(self) -> str:
        """The figure, the verdict and, where it fails, the way out; of several entries the worst speaks for all."""
        return self.statement if np.all(self.holds) else f"{self.statement}; {self.remedy}"

    @property
    def statement(self) -> str:
        """The figure and the verdict, without the way out."""
        if self.shape:
            return self._state_several()
        if self.moot and np.isinf(self.figure) and self.holds:
            return self.moot
        figure = self._figure_text()
        sentence = self.requirement if self.holds else self.violation
        return sentence.format(figure=figure, size=figure.removeprefix("-"))

    def _state_several(self) -> str:
        """Say in how many entries it fails and in which, and what the worst of them shows."""
        holds, figures = np.ravel(self.holds), np.ravel(self.figure)
        if not holds.size:
            return f"{self.remedy} (nothing to check)"
        failed = np.flatnonzero(~holds)
        shown = failed if failed.size else np.arange(holds.size)
        lowest = np.nan_to_num(figures[shown], nan=-np.inf)
        worst = replace(self, figure=figures[shown[np.argmin(lowest)]], names=())
        noun = "pairs" if self._named else "entries"
        all_alike = failed.size in {0, holds.size}
        many = f"all {holds.size} {noun}" if all_alike else f"{failed.size} of {holds.size} {noun}"
        where = "" if all_alike else f" ({self._which(failed)})"
        least = ", at worst" if lowest.min() < lowest.max() else ""
        return f"in {many}{where}{least}: {worst.statement}"

    @property
    def _named(self) -> bool:
        return len(self.names) == self.holds.size

    def _which(self, failed: IntArray) -> str:
        """Name the entries in which it fails: some, and how many more there are."""
        names = self.names if self._named else [str(list(place)) for place in np.ndindex(self.shape)]
        more = f" and {failed.size - _NAMED} more" if failed.size > _NAMED else ""
        return ", ".join(names[place] for place in failed[:_NAMED]) + more

    def _figure_text(self) -> str:
        """Write the figure so that it does not look as if it were on the threshold's other side."""
        if np.isinf(self.figure):
            return "∞" if self.figure > 0 else "-∞"
        for digits in range(3, 18):
            text = significant(float(self.figure), digits)
            shown = float(text) > self.threshold if self.strict else float(text) >= self.threshold
            if shown == self.holds:
                break
        return text

    def _repr_html_(self) -> str:
        return html_rows("Check", [(self.code, self.message), ("holds", "yes" if np.all(self.holds) else "no")])

    def as_dict(self) -> dict[str, Any]:
        """Return code, verdict and message, for JSON."""
        return {"code": self.code, "holds": self.holds, "message": self.message}
