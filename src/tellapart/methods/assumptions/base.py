"""An assumption, what is known when it is examined, and what a forbidden method carries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...evidence import Evidence
from ...results import Check, Interval, TestResult
from ...typing_ import Alternative, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What is known besides the evidence when an assumption is examined."""

    interval: Interval
    against: FloatArray | float = np.nan  # the threshold, if there is one
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    significance: TestResult | None = None  # what the test found, if there is one
    options: Mapping[str, Any] = field(default_factory=dict)  # that the methods were given
    chooses: IntArray | None = None  # whom the test speaks for, where that need not be who does better on average


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """An assumption with a figure that tells whether it holds: at least (or above) a threshold.

    `needs` states it, `broken` what it means that it fails; both may show the figure as {figure} or its size as {size}.
    Where `needs` does, `rule` states the assumption without any figure.
    """

    code: str
    needs: str
    rule: str = ""
    broken: str
    otherwise: str
    figure: Callable[[Any, Given], Any]
    threshold: float | Callable[[Given], float]
    strict: bool = False
    moot: str = ""  # what to say where the figure is infinite: the question does not arise
    source: str | None = None  # the bibliography key of whoever set the threshold

    @property
    def stated(self) -> str:
        """What is needed, without the figure of any evidence."""
        return self.rule or self.needs.format(figure="enough", size="enough")

    def check(self, evidence: Evidence, given: Given) -> Check:
        """Examine every entry of the evidence at once."""
        figure = np.broadcast_to(np.asarray(self.figure(evidence, given), dtype=float), evidence.shape)[()]
        return Check(
            code=self.code,
            needs=self.needs,
            broken=self.broken,
            otherwise=self.otherwise,
            figure=figure,
            threshold=self.threshold(given) if callable(self.threshold) else self.threshold,
            strict=self.strict,
            moot=self.moot,
        )


def examine(assumptions: tuple[Assumption, ...], evidence: Evidence, given: Given) -> tuple[Check, ...]:
    """Examine each assumption once, in the order given."""
    return tuple(assumption.check(evidence, given) for assumption in dict.fromkeys(assumptions))


# Where to go instead of a forbidden method.
_DEFAULTS = {
    "ErrorCount": "'jeffreys' is the default interval, 'clopper-pearson' the default test",
    "StratifiedCount": "'stratified-wilson' is the default interval",
    "PairedTable": "'mcnemar-mid-p' is the default test, 'tango' the default interval",
    "Resamples": "'corrected-resampled-t' compares learners by any splits, 'corrected-t-interval' estimates one",
    "TrainingSets": "'quasi-f' compares learners, 'crossed-interval' estimates one",
    "IndependentCounts": "'fisher-mid-p' is the default test, 'miettinen-nurminen' the default interval",
}


def trust(name: str, standing: str, because: str, evidence: Evidence) -> tuple[Check, ...]:
    """Return a failed check that carries the reason of a forbidden method; nothing for the others."""
    if standing != "forbidden":
        return ()
    reason = because.replace("{", "{{").replace("}", "}}")
    return (
        Check(
            code="TA010",
            needs="the method is fit for use",
            broken=f"'{name}' is forbidden: {reason}",
            otherwise=_DEFAULTS.get(type(evidence).__name__, "leave method= out for the default"),
            figure=np.zeros(evidence.shape)[()],
            threshold=1,
        ),
    )
