"""How large something is, and how sure we are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..bibliography import Reference
from ..evidence import Evidence, Note, Outcomes
from ..rendering import shares_text
from ..shaped import Shaped
from ..typing_ import FloatArray, Source
from .check import Check
from .in_print import estimate_in_print
from .interval import Interval
from .paper import Citable, Sentence
from .scored import balance, seen, written
from .telling import Answer, excluded_text


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Estimate(Answer, Shaped, Citable):
    """An estimate with its interval, the evidence it rests on, and the checks of its method."""

    method: str
    evidence: Evidence
    estimate: FloatArray
    interval: Interval
    checks: tuple[Check, ...] = ()
    told: str = ""  # what the method wants said of itself: its full name, the prior
    scope: str = ""  # what no figure can show
    unless: str = ""  # what would have to be so for the interval to be one: "were these examples fresh"
    notes: tuple[Note, ...] = ()  # what one kind of evidence reports besides
    target: str = ""  # whose error it is, where that needs saying: "lr, trained on 512 examples"
    excluded: Mapping[str, int] = field(default_factory=dict)  # examples left out, by reason
    covers: tuple[Source, ...] = ()  # what its error bars allow for
    cites: tuple[str | Reference, ...] = ()  # who described the estimator and the interval
    _leader = "estimate"

    @property
    def components(self) -> Mapping[str, float]:
        """What makes the loss vary, and how much."""
        found: Mapping[str, float] = self.note("variance_components", {})
        return found

    @property
    def worth(self) -> float:
        """How many independent examples would say as much, where these are not."""
        return float(self.note("effective_size", np.nan))

    @property
    def removable(self) -> float:
        """The share of the mean's variance that ever more repeats would remove."""
        return float(self.note("repeat_variance_share", np.nan))

    @property
    def answer(self) -> str:
        """How large it is, between which limits, how sure we are and on what, in one sentence."""
        if self.shape:
            return self._of_many()
        limits, spread = self.interval.limits_text(), float(self.interval.width)
        between = f"between {limits.replace(' to ', ' and ')}" if " to " in limits else limits
        told = f": {self.told}" if self.told else ""
        of = f" of {self.target}{',' * (', ' in self.target)}" if self.target else ""
        true = "true error" if self.interval.metric == "error" else "true value"
        if true == "true value" and isinstance(self.evidence, Outcomes):
            true = "true mean"
        claim = f"the {true} {'may be anything' if np.isnan(self.estimate) else 'is'} {between}"
        if self.unless:
            claim = f"{self.unless}, the {true} would be {between}"
        found = f"The {self._what()}{of} is {self._text(spread)}"
        tilted = balance(self.evidence, float(self.estimate), spread)
        if tilted is not None:
            found = f"{self.target or 'The classifier'} {tilted[0]}"
            claim = f"the true balance ({tilted[1]}) is {between}"
        return f"{found} ({self._seen()}), and {claim} ({self.interval.kind_text()}{told})."

    def _of_many(self) -> str:
        """Say between what many estimates lie, and how many there are."""
        failed = sum(not np.all(check.holds) for check in self.checks)
        caution = f" {failed} of {len(self.checks)} checks fail somewhere." if failed else ""
        known = self.estimate[~np.isnan(self.estimate)]
        lacking = f", {self.estimate.size - known.size} not defined" if known.size < self.estimate.size else ""
        ends = (float(known.min()), float(known.max())) if known.size else (np.nan, np.nan)
        if self.interval.metric != "error":
            low, high = (f"{value:.3g}" for value in ends)
            return f"{self.estimate.size} values of {self.interval.metric} from {low} to {high}{lacking}.{caution}"
        low, high = (f"{100 * value:.3g} %" for value in ends)
        many = f"{self.estimate.size} error rate{'s' * (self.estimate.size != 1)}"
        return f"{many} from {low} to {high}{lacking}.{caution}"

    def _asked_of_learners(self) -> int:
        return 6

    def _besides(self) -> str:
        return self.evidence.caveat

    def _also(self) -> tuple[str, ...]:
        return (excluded_text(self.excluded).strip(),)

    def _what(self) -> str:
        return self.evidence.metric.title

    def _seen(self) -> str:
        return seen(self.evidence, self.worth)

    def _text(self, spread: float) -> str:
        value = float(self.estimate)
        for reason in self.evidence.reasons_undefined.values():
            return f"not defined, as {reason}"
        return written(value, spread if np.isfinite(spread) else value, self.interval.metric)

    def rows(self) -> list[tuple[str, str]]:
        """Return label and value of each line a reader gets to see."""
        error = self.interval.metric == "error"
        if self.shape:
            first = [
                (f"{self._what()}s" if error else "estimates", f"{self.estimate.size} ({self.interval.kind_text()})"),
                ("in words", self.words),
            ]
        else:
            spread = float(self.interval.width)
            first = [
                (self._what(), f"{self._text(spread)}  ({self._seen()})"),
                ("interval", f"{self.interval.limits_text()}  ({self.interval.kind_text()})"),
                *components_row(self.components, removable=self.removable),
                ("in words", self.words),
            ]
        return [*first, *cautions(self.checks)]

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        return {
            "method": self.method,
            "estimate": self.estimate,
            **({"target": self.target} if self.target else {}),
            "interval": self.interval.as_dict(),
            **({"components": dict(self.components)} if self.components else {}),
            **({} if np.isnan(self.removable) else {"removable": self.removable}),
            **({} if np.isnan(self.worth) else {"worth": self.worth}),
            **({"excluded": dict(self.excluded)} if self.excluded else {}),
            **self._sources(),
            "evidence": self.evidence.as_dict(),
            "checks": [check.as_dict() for check in self.checks],
            "words": self.words,
        }

    def in_print(self) -> Iterator[Sentence]:
        """Return the sentences of the paragraph for a paper."""
        return estimate_in_print(self)

    def __repr__(self) -> str:
        return str(self)


def components_row(
    components: Mapping[str, float], of: str = "loss", removable: float = np.nan
) -> list[tuple[str, str]]:
    """Return a row that says what the variance comes from, and what repeats could do; none where that is not known."""
    if not components:
        return []
    told = f"{shares_text(components)} of the variance of one {of}"
    if np.isnan(removable):
        return [("varies by", told)]
    return [("varies by", f"{told}; more repeats could remove {100 * removable:.0f} % of that of the mean")]


def cautions(checks: tuple[Check, ...]) -> list[tuple[str, str]]:
    """Return a row for every check that fails: it is shown wherever the result is shown."""
    return [("caution", f"{check.code}: {check.message}") for check in checks if not np.all(check.holds)]
