"""Options of a plan: checked, and completed by defaults."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

from ..errors import InvalidOption
from ..evidence import ErrorCount, ErrorPatterns, Evidence, IndependentCounts, PairedConfusion, PairedTable, expect
from ..evidence.of_learners import OfLearners
from ..typing_ import COMPLEMENT, LARGEST_SIZE, LEAST_SIZE, Hypothesis, Side, as_real, one_of, open_unit, show_value
from ..verbs.request import Request
from .known_rates import Errors, as_rate
from .learner_options import Varying
from .plan_target import NO_CLUSTERS, Clusters, PlanTarget
from .solving import MOST

_DEFAULT_POWER = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifierOptions:
    """Options about classifiers; None if not set."""

    pilot: Any
    width: float | None
    disagreement: float | None
    error: tuple[float, float] | None
    error_a: float | None
    error_b: float | None
    against: float | None
    side: Side
    assurance: float | None
    independent: bool
    ratio: float

    @property
    def _model_count(self) -> int:
        """Number of models of the pilot."""
        return 0 if self.pilot is None else len(self.pilot.models)

    @property
    def of_two(self) -> bool:
        """Whether the plan is for two classifiers."""
        rates = self.disagreement, self.error_a, self.error_b
        return self.independent or self._model_count == 2 or any(rate is not None for rate in rates)

    def for_width(self, target: PlanTarget) -> bool:
        """Return whether the plan is for an interval: a width is set, or no option of a test."""
        if self.width is not None or self.assurance is not None or self.side != "two":
            return True
        of_tests = target.power, target.difference, target.margin or None
        return not self.of_two and target.size is not None and all(value is None for value in of_tests)

    @property
    def errors(self) -> Errors:
        """The error rates of two classifiers."""
        if self.error is None:
            return Errors(self.error_a, self.error_b)
        if self.error[0] < self.error[1]:
            raise InvalidOption("`error` must be one rate unless a width is planned, got a range. Use error=0.1.")
        if self.error_a is not None or self.error_b is not None:
            raise InvalidOption(
                "`error` is the mean of both rates. Leave it out, or leave `error_a` and `error_b` out."
            )
        return Errors(mean=self.error[0])

    def check_combination(self) -> None:
        """Raise InvalidOption for options that exclude each other."""
        if self.ratio != 1 and not self.independent:
            raise InvalidOption("`ratio` is for two test sets. Use independent=True, or leave it out.")
        if self.independent and self.disagreement is not None:
            raise InvalidOption("`disagreement` is for one test set. Leave it or `independent` out.")
        if self.independent and self._model_count == 2 and self.pilot.test_sets == 1:
            raise InvalidOption(
                "`independent` needs a pilot of two test sets, got one test set. Use error_a=0.10 and error_b=0.09"
                " instead."
            )
        if self.against is not None and (self.of_two or self.width is not None):
            raise InvalidOption("`against` is for one classifier without a width. Leave it out.")
        if self.against is not None and (self.side != "two" or self.assurance is not None):
            raise InvalidOption("`side` and `assurance` are for intervals. For a threshold use alternative='less'.")
        if self._model_count == 1 and self.of_two:
            raise InvalidOption(
                "the pilot of a comparison must have two models, got one. Use predictions or counts of both."
            )


def as_pilot(evidence: Any, target: PlanTarget) -> tuple[Any, PlanTarget]:
    """Return a pilot as evidence, and the target with its models' names."""
    if evidence is None:
        return None, target
    pilot = fold_pilot(evidence)
    if pilot.subject == "learner" or len(pilot.models) != 2:
        return pilot, target
    return pilot, replace(target, models=(pilot.models[0], pilot.models[1]))


@singledispatch
def fold_pilot(data: Any) -> Evidence:
    """Return a pilot as evidence: counts of one model or of two, or losses of learners."""
    from ..predictions import Predictions
    from ..running import Race

    if isinstance(data, Predictions):
        return data.tally().paired_table()
    if isinstance(data, Race):
        return data.resamples()
    return expect(PairedTable, data, IndependentCounts, ErrorCount)


@fold_pilot.register
def _fold_paired_confusion(confusion: PairedConfusion) -> Evidence:
    return confusion.paired_table()


@fold_pilot.register
def _fold_patterns(patterns: ErrorPatterns) -> Evidence:
    return expect(PairedTable, patterns.reduced(), IndependentCounts, ErrorCount)


@fold_pilot.register
def _keep_losses(losses: OfLearners) -> Evidence:
    return losses


def with_margin(
    target: PlanTarget, margin: float | None, hypothesis: Hypothesis | None, level: float | None
) -> PlanTarget:
    """Return the target with hypothesis and margin, as in `compare`."""
    if hypothesis is not None:
        one_of("hypothesis", hypothesis, Hypothesis)
    if margin is None:
        if hypothesis not in {None, "different"}:
            raise InvalidOption(f"`margin` is required for hypothesis={hypothesis!r}. For 1 pp use margin=0.01.")
        return target
    shown: Hypothesis = hypothesis or "non-inferior"
    request = Request(alpha=target.alpha, level=level, alternative=target.alternative, margin=margin, hypothesis=shown)
    return replace(target, hypothesis=shown, margin=request.as_margin(bounds=(-1.0, 1.0)))


def set_difference(target: PlanTarget, difference: float | None, source: str) -> PlanTarget:
    """Return the target with the difference of error rates; raise InvalidOption if another one is set."""
    if difference is None:
        return target
    if target.difference is not None and abs(target.difference - difference) > 1e-9:
        raise InvalidOption(
            f"`difference` must be {source} = {difference:.6g}, got {target.difference:g}. Leave it out."
        )
    return replace(target, difference=difference)


def complete_target(target: PlanTarget, pilot: Any = None) -> PlanTarget:
    """Return the target with defaults, so that one of size, power and difference is left open.

    The default power is 0.8, the default difference with a margin 0, and the default size that of the pilot.
    """
    size, power, difference = target.size, target.power, target.difference
    if target.hypothesis in {"non-inferior", "equivalent"} and difference is None and (size is None or power is None):
        difference = 0.0
    if size is None and difference is None and pilot is not None:
        size = int(pilot.size) if not pilot.shape else None
    if power is None and (size is None) != (difference is None):
        power = _DEFAULT_POWER
    return _check_power(replace(target, size=size, power=power, difference=difference))


def complete_learner_target(target: PlanTarget, varying: Varying) -> PlanTarget:
    """Return the target with defaults for learners."""
    sizes = (target.size, varying.training_sets, varying.data_sets)
    sized = varying.repeated or any(size is not None for size in sizes)
    if (
        target.hypothesis in {"non-inferior", "equivalent"}
        and target.difference is None
        and not (sized and target.power)
    ):
        target = replace(target, difference=0.0)
    differs = target.difference is not None or varying.wins is not None
    return _check_power(
        replace(target, power=_DEFAULT_POWER) if target.power is None and not (sized and differs) else target
    )


def _check_power(target: PlanTarget) -> PlanTarget:
    if target.power is not None and target.power <= target.alpha:
        raise InvalidOption(f"`power` must be above alpha = {target.alpha:g}, got {target.power:g}. Use power=0.8.")
    return target


def as_examples(examples: Any) -> int | None:
    """Return a number of examples; raise InvalidOption if it is not a whole number from 1."""
    if examples is None:
        return None
    number = as_real(examples)
    if not (1 <= number <= MOST and number == math.floor(number)):
        raise InvalidOption(f"`examples` must be a whole number from 1 to {MOST:,}, got {show_value(examples)}.")
    return int(number)


def as_difference(difference: Any) -> float | None:
    """Return a difference; raise InvalidOption if it is not a finite number."""
    if difference is None:
        return None
    number = as_real(difference)
    if number and math.isfinite(number) and not LEAST_SIZE <= abs(number) <= LARGEST_SIZE:
        raise InvalidOption(f"`difference` must have a size from 1e-50 to 1e50, or be 0, got {show_value(difference)}.")
    if not math.isfinite(number):
        raise InvalidOption(f"`difference` must be a number, got {show_value(difference)}. For 1 pp use 0.01.")
    return number


def as_power(power: Any, remedy: str = "For 80% use 0.8.") -> float:
    """Return a power; raise InvalidOption if it is not between 0 and 1."""
    number = open_unit("power", power, remedy, least=COMPLEMENT)
    if number > 1 - 1e-12:
        raise InvalidOption(f"`power` must be at most 1 - 1e-12, got {power!r}. {remedy}")
    return number


def as_assurance(assurance: Any) -> float | None:
    """Return an assurance; raise InvalidOption if it is not a probability."""
    if assurance is None or as_real(assurance) == 1:
        return assurance if assurance is None else 1.0
    return open_unit("assurance", assurance, "For 90% use 0.9.")


def as_ratio(ratio: Any) -> float:
    """Return the number of examples of B for each of A; raise InvalidOption if it is not from 0.001 to 1000."""
    if not 1e-3 <= as_real(ratio) <= 1e3:
        raise InvalidOption(
            f"`ratio`, the examples of B for each of A, must be from 0.001 to 1000, got {show_value(ratio)}."
        )
    return float(ratio)


def as_clusters(size: Any, correlation: Any, effect: Any) -> Clusters:
    """Return the clusters, with the design effect 1 + (m − 1)·correlation (Kish 1965)."""
    for name, value, least in (("cluster_size", size, 1.0), ("design_effect", effect, 1e-3)):
        if value is not None and not least <= as_real(value) <= MOST:
            raise InvalidOption(f"`{name}` must be a number from {least:g} to {MOST:,}, got {show_value(value)}.")
    if effect is not None:
        if correlation is not None:
            raise InvalidOption("`design_effect` replaces cluster_correlation. Leave one of them out.")
        return Clusters(float(effect), math.nan if size is None else float(size))
    if (size is None) != (correlation is None):
        raise InvalidOption("`cluster_size` and `cluster_correlation` must be set together. Or use design_effect=1.5.")
    if size is None:
        return NO_CLUSTERS
    return Clusters(1 + (float(size) - 1) * as_rate("cluster_correlation", correlation), float(size))
