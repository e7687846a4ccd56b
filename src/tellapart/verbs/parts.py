"""What every answer is put together from: what was asked, the limits, the checks, and what must be said."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..bibliography import Reference
from ..evidence import Evidence, StratifiedCount
from ..methods import Offer
from ..methods.assumptions import Context, check_assumptions, standing_check
from ..methods.multiplicity import SOURCES as ADJUSTMENTS
from ..results import Check, Interval
from ..typing_ import Alternative, Side

# Of whom and of what an answer speaks: the first half of its second sentence.
SCOPE = "This speaks of this classifier on examples drawn independently, like those tested."
POOL_SCOPE = "This speaks of this classifier on the examples of the pool, of which those tested were drawn at random."
STRATA_SCOPE = (
    "This speaks of this classifier on a population with these shares, each stratum's examples drawn independently from"
    " it."
)
PAIR_SCOPE = "This speaks of these two classifiers on examples drawn independently, like those tested."
BALANCE_SCOPE = (
    "This compares how often the two say the same thing, not how often they are right: errors of both kinds that"
    " balance go unseen, however many they are."
)
SEVERAL_SCOPE = PAIR_SCOPE.replace("these two", "these")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the caller of `compare` wants, whatever the evidence is."""

    alpha: float
    level: float | None
    alternative: Alternative
    method: str | None
    interval: str | None
    options: dict[str, Any]

    @property
    def side(self) -> Side:
        """The side of the interval that goes with the alternative."""
        return {"two-sided": "two", "less": "upper", "greater": "lower"}[self.alternative]  # type: ignore[return-value]


def checks_of(test: Offer, bounds: Offer, evidence: Evidence, context: Context) -> tuple[Check, ...]:
    """Examine what test and interval assume, each assumption once."""
    both = (test,) if test.name == bounds.name else (test, bounds)
    assumed = tuple(assumption for each in both for assumption in each.assumes)
    return (
        *(check for each in both for check in trusted(each, evidence)),
        *check_assumptions(assumed, evidence, context),
    )


def cited(*methods: Offer, adjustment: str = "") -> tuple[str | Reference, ...]:
    """Return who described the methods and the adjustment, each once.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> from tellapart.methods import find_method
    >>> cited(find_method("mcnemar", "test", PairedTable), adjustment="holm")
    ('mcnemar1947', 'holm1979')
    """
    adjusted = (ADJUSTMENTS[adjustment],) if adjustment in ADJUSTMENTS else ()
    return tuple(dict.fromkeys((*(method.reference for method in methods), *adjusted)))


def limits_of(
    bounds: Offer, evidence: Evidence, alpha: float, level: float | None, side: Side, options: dict[str, Any]
) -> Interval:
    """Return the limits, with the level as it was given."""
    interval: Interval = in_metric(bounds(evidence, alpha=alpha, side=side, **taken_by(bounds, options)), evidence)
    # A level below one half is not 1 − (1 − level) to the last digit: keep the one that was given.
    return interval if level is None else replace(interval, level=float(level))


def in_metric(interval: Interval, evidence: Evidence) -> Interval:
    """Return the limits as those of what was measured: error rates, or another loss or score."""
    metric = evidence.metric.name
    return interval if metric == interval.metric else replace(interval, metric=metric)


def taken_by(method: Offer, options: dict[str, Any]) -> dict[str, Any]:
    """Return those of the options that the method takes."""
    return {name: value for name, value in options.items() if name in method.options}


def told_of(method: Offer, options: dict[str, Any]) -> str:
    """Return what a result has to say of its method: the prior, and that a heuristic is one."""
    told = method.told if isinstance(method.told, str) else method.told(**options)
    heuristic = f"heuristic ({method.because})" if method.standing == "heuristic" else ""
    return "; ".join(part for part in (told, heuristic) if part)


def scope_of(method: Offer, evidence: Evidence) -> str:
    """Say of one error rate what no figure can show."""
    if isinstance(evidence, StratifiedCount):
        return STRATA_SCOPE
    return POOL_SCOPE if "pool" in method.options else SCOPE


def trusted(method: Offer, evidence: Evidence) -> tuple[Check, ...]:
    """Return the failed check that a forbidden method carries."""
    return standing_check(method, evidence, _DEFAULTS.get(type(evidence).__name__, "leave method= out for the default"))


# Where to go instead of a forbidden method.
_DEFAULTS = {
    "ErrorCount": "'jeffreys' is the default interval, 'clopper-pearson' the default test",
    "StratifiedCount": "'stratified-wilson' is the default interval",
    "PairedTable": "'mcnemar-mid-p' is the default test, 'tango' the default interval",
    "Resamples": "'corrected-resampled-t' compares learners by any splits, 'corrected-t-interval' estimates one",
    "TrainingSets": "'quasi-f' compares learners, 'crossed-interval' estimates one",
    "IndependentCounts": "'fisher-mid-p' is the default test, 'miettinen-nurminen' the default interval",
}
