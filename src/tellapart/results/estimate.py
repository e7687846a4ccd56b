"""How large something is, and how sure we are."""

from __future__ import annotations

from dataclasses import dataclass

from ..shaped import Shaped
from ..typing_ import FloatArray
from .answer import Answer
from .interval import Interval


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Estimate(Answer, Shaped):
    """The value of a metric of one model, with its interval; the evidence it rests on, and the checks of its method."""

    method: str  # the estimator, or the interval where the evidence's own value is the estimate
    value: FloatArray
    interval: Interval
    method_title: str = ""  # what readers know the estimator by
    _leader = "value"

    @property
    def estimate(self) -> FloatArray:
        """The value, by another name."""
        return self.value

    @property
    def target(self) -> str:
        """Whose metric it is, where that needs saying: "lr, trained on 512 examples"."""
        return self.evidence.target(self.method)
