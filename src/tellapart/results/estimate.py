"""The estimate of a metric of one model, with its interval."""

from __future__ import annotations

from dataclasses import dataclass

from ..shaped import Shaped
from ..typing_ import FloatArray
from .answer import Answer
from .interval import Interval


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Estimate(Answer, Shaped):
    """The value of a metric of one model with its interval, the evidence, and the checks of its method."""

    method: str  # the estimator, or the interval if the value of the evidence is the estimate
    value: FloatArray
    interval: Interval
    method_title: str = ""  # the title of the estimator in output
    _leader = "value"

    @property
    def estimate(self) -> FloatArray:
        """The value; an alias of `value`."""
        return self.value

    @property
    def target(self) -> str:
        """The subject of the estimate, if it has a name: "lr, trained on 512 examples"."""
        return self.evidence.target(self.method)
