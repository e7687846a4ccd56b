"""An assumption that was tested, and how it came out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..rendering import html_rows, significant
from ..shaped import Shaped
from ..types import BoolArray, FloatArray

__all__ = ["Check"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Check(Shaped):
    """Whether an assumption holds, by which figure, and what to do where it does not.

    `needs` states the assumption, `broken` what it means that it fails; both may show the figure as
    {figure} or its size as {size}. It holds where the figure reaches the threshold (exceeds it, if
    `strict`). `otherwise` names a way out. Where the figure has no end, `moot` says why there is nothing to ask.
    """

    code: str
    needs: str
    broken: str
    otherwise: str
    figure: FloatArray
    threshold: float
    strict: bool = False
    moot: str = ""
    _leader = "figure"

    @property
    def holds(self) -> BoolArray:
        """Whether the assumption holds, entry by entry."""
        return self.figure > self.threshold if self.strict else self.figure >= self.threshold

    @property
    def message(self) -> str:
        """The figure, the verdict and, where it fails, the way out."""
        holds = self.holds
        if self.shape:
            failed = int(np.count_nonzero(~holds))
            needs = self.needs.format(figure="…", size="…")
            verdict = f"fails in {failed} of {holds.size} entries; {self.otherwise}"
            return f"{needs}: {verdict if failed else f'holds in all {holds.size} entries'}"
        if self.moot and np.isinf(self.figure) and holds:
            return self.moot
        figure = self._figure_text()
        shown = {"figure": figure, "size": figure.removeprefix("-")}
        return self.needs.format(**shown) if holds else f"{self.broken.format(**shown)}; {self.otherwise}"

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
