"""An assumption that was tested, and how it came out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..rendering import significant
from ..shaped import Shaped
from ..types import BoolArray, FloatArray

__all__ = ["Check"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Check(Shaped):
    """Whether an assumption holds, by which figure, and what to do where it does not.

    `needs` states the assumption, `broken` what it means that it fails; both may show
    the figure as {figure}. `otherwise` names a way out.
    """

    code: str
    needs: str
    broken: str
    otherwise: str
    figure: FloatArray
    holds: BoolArray
    _leader = "holds"

    @property
    def message(self) -> str:
        """The figure, the verdict and, where it fails, the way out."""
        if self.shape:
            failed = int(np.count_nonzero(~self.holds))
            if failed:
                return (
                    f"{self.needs.format(figure='…')}: fails in {failed} of {self.holds.size} entries; {self.otherwise}"
                )
            return f"{self.needs.format(figure='…')}: holds in all {self.holds.size} entries"
        figure = significant(float(self.figure))
        if self.holds:
            return self.needs.format(figure=figure)
        return f"{self.broken.format(figure=figure)}; {self.otherwise}"

    def as_dict(self) -> dict[str, Any]:
        """Return code, verdict and message, for JSON."""
        return {"code": self.code, "holds": self.holds, "message": self.message}
