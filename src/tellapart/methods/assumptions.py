"""What methods assume, stated once: the figure, the threshold, and where to go otherwise.

A method lists its assumptions in `@method(assumes=...)`; the verbs examine them, so no
author can forget to, and the lab's million calls pay nothing. Codes TA0xx speak of one
error rate, TA1xx of two classifiers on one test set, TA2xx of two test sets, TA3xx of several
classifiers. A code once given keeps its meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..evidence import Evidence
from ..results import Check, Interval
from ..types import Alternative, FloatArray, Numbers

__all__ = [
    "ANDERSON_SCLOVE",
    "FITTED_RANGE",
    "HAS_WIDTH",
    "HODGES_LEHMANN",
    "INSIDE_RANGE",
    "INTERIOR",
    "MENDENHALL",
    "MITCHELL_PRODUCT",
    "MITCHELL_SIZE",
    "NORMAL_APPROXIMATION",
    "ROOM_AT_THRESHOLD",
    "TWO_SIDED",
    "Assumption",
    "Given",
    "examine",
    "trust",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What is known besides the evidence when an assumption is examined."""

    interval: Interval
    against: FloatArray | float = np.nan  # the threshold, if there is one
    alpha: float = 0.05
    alternative: Alternative = "two-sided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """An assumption with a figure that tells whether it holds: at least (or above) a threshold."""

    code: str
    needs: str
    broken: str
    otherwise: str
    figure: Callable[[Any, Given], Any]
    threshold: float
    strict: bool = False
    source: str | None = None  # the bibliography key of whoever set the threshold

    def check(self, evidence: Evidence, given: Given) -> Check:
        """Examine every entry of the evidence at once."""
        figure = np.broadcast_to(np.asarray(self.figure(evidence, given), dtype=float), evidence.shape)[()]
        return Check(
            code=self.code,
            needs=self.needs,
            broken=self.broken,
            otherwise=self.otherwise,
            figure=figure,
            threshold=self.threshold,
            strict=self.strict,
        )


def examine(assumptions: tuple[Assumption, ...], evidence: Evidence, given: Given) -> tuple[Check, ...]:
    """Examine each assumption once, in the order given."""
    return tuple(assumption.check(evidence, given) for assumption in dict.fromkeys(assumptions))


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
            otherwise="'jeffreys' is the default interval, 'clopper-pearson' the default test",
            figure=np.zeros(evidence.shape)[()],
            threshold=1,
        ),
    )


_USE_BETA = "method='jeffreys' needs no normal approximation"


def _mendenhall(count: Any, _: Given) -> Numbers:
    """Return how far ε ± 2s stays inside (0, 1)."""
    reach = 2 * count.standard_error
    return np.minimum(count.rate - reach, 1 - count.rate - reach)


HODGES_LEHMANN = Assumption(
    code="TA001",
    needs="M·e·(1−e) = {figure} ≥ 10 (Hodges and Lehmann)",
    broken="M·e·(1−e) = {figure} < 10: the normal approximation is poor here (Hodges and Lehmann)",
    otherwise=_USE_BETA,
    figure=lambda count, _: count.errors * (count.successes / count.trials),
    threshold=10,
    source="hodges1970",
)
ANDERSON_SCLOVE = Assumption(
    code="TA002",
    needs="the rarer of errors and successes = {figure} ≥ 5 (Anderson and Sclove)",
    broken="the rarer of errors and successes = {figure} < 5: the normal approximation is poor here"
    " (Anderson and Sclove)",
    otherwise=_USE_BETA,
    figure=lambda count, _: np.minimum(count.errors, count.successes),
    threshold=5,
    source="anderson1986",
)
MENDENHALL = Assumption(
    code="TA003",
    needs="e ± 2√(e(1−e)/M) stays {figure} inside (0, 1) (Mendenhall and others)",
    broken="e ± 2√(e(1−e)/M) does not stay inside (0, 1): the normal approximation is poor here"
    " (Mendenhall and others)",
    otherwise=_USE_BETA,
    figure=_mendenhall,
    threshold=0,
    strict=True,
    source="mendenhall1990",
)
MITCHELL_SIZE = Assumption(
    code="TA004",
    needs="{figure} trials ≥ 30 (Mitchell)",
    broken="{figure} trials < 30: too few for the normal approximation (Mitchell)",
    otherwise=_USE_BETA,
    figure=lambda count, _: count.trials,
    threshold=30,
    source="mitchell1997",
)
MITCHELL_PRODUCT = Assumption(
    code="TA005",
    needs="n·e·(1−e) = {figure} ≥ 5 (Mitchell)",
    broken="n·e·(1−e) = {figure} < 5: the normal approximation is poor here (Mitchell)",
    otherwise=_USE_BETA,
    figure=lambda count, _: count.errors * (count.successes / count.trials),
    threshold=5,
    source="mitchell1997",
)
INSIDE_RANGE = Assumption(
    code="TA006",
    needs="the limits lie in [0, 1]",
    broken="the limits leave [0, 1] by {size}: no error rate is there",
    otherwise="method='wilson' stays inside",
    figure=lambda _, given: np.minimum(given.interval.low, 1 - given.interval.high),
    threshold=0,
)
HAS_WIDTH = Assumption(
    code="TA007",
    needs="the limits differ, by {figure}",
    broken="the interval has no width, as if the error were known exactly",
    otherwise="method='jeffreys' stays honest at no errors and at nothing but errors",
    figure=lambda _, given: given.interval.width,
    threshold=0,
    strict=True,
)
# On every method that puts a normal quantile where the binomial has none.
NORMAL_APPROXIMATION = (
    HODGES_LEHMANN,
    ANDERSON_SCLOVE,
    MENDENHALL,
    MITCHELL_SIZE,
    MITCHELL_PRODUCT,
    HAS_WIDTH,
)

TWO_SIDED = Assumption(
    code="TA008",
    needs="both limits were asked for",
    broken="this construction has no one-sided form, so the bound is another method's",
    otherwise="it is that of clopper-pearson for 'blaker', the posterior quantile for 'hpd-…'",
    figure=lambda _, given: given.interval.side == "two",
    threshold=1,
)
INTERIOR = Assumption(
    code="TA009",
    needs="both errors and successes were seen",
    broken="the log odds of all or nothing are infinite, so these limits are Clopper and Pearson's",
    otherwise="method='clopper-pearson' gives the same, 'jeffreys' the default",
    figure=lambda count, _: np.minimum(count.errors, count.successes),
    threshold=1,
)
FITTED_RANGE = Assumption(
    code="TA011",
    needs="the number of trials lies in the range the formula was fitted for",
    broken="the formula for up to five errors (or successes) was fitted for 10 to 200 trials, and this is outside",
    otherwise="method='jeffreys' is what it approximates, at any size",
    figure=lambda count, _: (
        (np.minimum(count.errors, count.successes) > 5) | ((count.trials >= 10) & (count.trials <= 200))
    ),
    threshold=1,
    source="martin1996",
)
ROOM_AT_THRESHOLD = Assumption(
    code="TA012",
    needs="M·p·(1−p) = {figure} ≥ 10 at the threshold p",
    broken="M·p·(1−p) = {figure} < 10 at the threshold p: this test may reject far more often than alpha says",
    otherwise="method='clopper-pearson' (the default) keeps its level everywhere",
    figure=lambda count, given: count.trials * given.against * (1 - given.against),
    threshold=10,
)
