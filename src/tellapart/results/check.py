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
    `strict`). `otherwise` names a way out.
    """

    code: str
    needs: str
    broken: str
    otherwise: str
    figure: FloatArray
    threshold: float
    strict: bool = False
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
            ranges = {"figure": self._range_text(), "size": self._range_text(size=True)}
            if failed == holds.size:  # what is needed would be no true statement about any of them
                return f"{self.broken.format(**ranges)} (in {failed} of {failed} entries); {self.otherwise}"
            verdict = f"fails in {failed} of {holds.size} entries; {self.otherwise}"
            return f"{self.needs.format(**ranges)}: {verdict if failed else f'holds in all {holds.size} entries'}"
        figure = self._figure_text(float(self.figure))
        shown = {"figure": figure, "size": figure.removeprefix("-")}
        return self.needs.format(**shown) if holds else f"{self.broken.format(**shown)}; {self.otherwise}"

    def _figure_text(self, figure: float) -> str:
        """Write a figure so that it does not look as if it were on the threshold's other side."""
        for digits in range(3, 18):
            text = significant(figure, digits)
            if self._reached(float(text)) == self._reached(figure):
                break
        return text

    def _reached(self, figure: float) -> bool:
        return figure > self.threshold if self.strict else figure >= self.threshold

    def _range_text(self, *, size: bool = False) -> str:
        """Write from which figure (or size of it) to which the entries go; what is undefined has no place there."""
        known = self.figure[np.isfinite(self.figure)]
        if not known.size:
            return "unknown"
        ends = (known.max(), known.min()) if size else (known.min(), known.max())
        told = [self._figure_text(float(end)) for end in ends]
        told = [text.removeprefix("-") for text in told] if size else told
        return told[0] if told[0] == told[1] else " to ".join(told)

    def _repr_html_(self) -> str:
        return html_rows("Check", [(self.code, self.message), ("holds", "yes" if np.all(self.holds) else "no")])

    def as_dict(self) -> dict[str, Any]:
        """Return code, verdict and message, for JSON."""
        return {"code": self.code, "holds": self.holds, "message": self.message}
