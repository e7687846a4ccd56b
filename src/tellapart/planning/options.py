"""What was given for a plan: checked at the door, and completed where the usual question is meant."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

from ..errors import InvalidOption
from ..evidence import ErrorCount, ErrorPatterns, Evidence, IndependentCounts, PairedConfusion, PairedTable, expect
from ..evidence.of_learners import OfLearners
from ..typing_ import COMPLEMENT, LARGEST_SIZE, LEAST_SIZE, Hypothesis, Side, as_real, one_of, open_unit
from ..verbs.request import Request
from .known_rates import Errors, as_rate
from .learner_options import Varying
from .solving import MOST
from .wanted import ALONE, Clusters, Wanted

_POWER = 0.8  # unless another is asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What is known of classifiers, each of it None where nobody said it."""

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
    def _models(self) -> int:
        """How many models the pilot is of."""
        return 0 if self.pilot is None else len(self.pilot.models)

    @property
    def of_two(self) -> bool:
        """Whether it is about two classifiers."""
        told = self.disagreement, self.error_a, self.error_b
        return self.independent or self._models == 2 or any(each is not None for each in told)

    def for_width(self, wanted: Wanted) -> bool:
        """Whether an interval is planned for: its width is told, or nothing of a test is."""
        if self.width is not None or self.assurance is not None or self.side != "two":
            return True
        tested = wanted.power, wanted.difference, wanted.margin or None
        return not self.of_two and wanted.size is not None and all(each is None for each in tested)

    @property
    def errors(self) -> Errors:
        """The error rates of two."""
        if self.error is None:
            return Errors(self.error_a, self.error_b)
        if self.error[0] < self.error[1]:
            raise InvalidOption("a range of error rates is for a width. Write error= as one rate, such as error=0.1.")
        if self.error_a is not None or self.error_b is not None:
            raise InvalidOption("error= is of both on average. Leave it out, or leave error_a= and error_b= out.")
        return Errors(mean=self.error[0])

    def refuse_strangers(self) -> None:
        """Refuse what does not go together: nothing that was told is passed over in silence."""
        if self.ratio != 1 and not self.independent:
            raise InvalidOption("ratio is for two test sets. Write independent=True, or leave it out.")
        if self.independent and self.disagreement is not None:
            raise InvalidOption("disagreement is of two classifiers on one test set. Leave it or independent= out.")
        if self.independent and self._models == 2 and self.pilot.test_sets == 1:
            raise InvalidOption("a PairedTable is of one test set. For two give IndependentCounts, or error rates.")
        if self.against is not None and (self.of_two or self.width is not None):
            raise InvalidOption("against is a threshold for one classifier. Leave it out for two, and for a width.")
        if self.against is not None and (self.side != "two" or self.assurance is not None):
            raise InvalidOption("side and assurance are of an interval. For a threshold write alternative='less'.")
        if self._models == 1 and self.of_two:
            raise InvalidOption("an ErrorCount is of one classifier. For two give a PairedTable or IndependentCounts.")


def as_pilot(evidence: Any, wanted: Wanted) -> tuple[Any, Wanted]:
    """Return a pilot as evidence that a plan knows; predictions fold themselves."""
    if evidence is None:
        return None, wanted
    pilot = fold_pilot(evidence)
    if pilot.subject == "learner" or len(pilot.models) != 2:
        return pilot, wanted
    return pilot, replace(wanted, models=(pilot.models[0], pilot.models[1]))


@singledispatch
def fold_pilot(data: Any) -> Evidence:
    """Return the evidence that a plan knows: the counts of one model or of two, or what learners lost."""
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


def with_margin(wanted: Wanted, margin: float | None, hypothesis: Hypothesis | None, level: float | None) -> Wanted:
    """Return what is to be shown of a margin, as `compare` understands it."""
    if hypothesis is not None:
        one_of("hypothesis", hypothesis, Hypothesis)
    if margin is None:
        if hypothesis not in {None, "different"}:
            raise InvalidOption(f"hypothesis={hypothesis!r} needs a margin, such as margin=0.01 for one point.")
        return wanted
    shown: Hypothesis = hypothesis or "non-inferior"
    request = Request(alpha=wanted.alpha, level=level, alternative=wanted.alternative, margin=margin, hypothesis=shown)
    return replace(wanted, hypothesis=shown, margin=request.as_margin(bounds=(-1.0, 1.0)))


def same_difference(wanted: Wanted, difference: float | None, told: str) -> Wanted:
    """Return what error rates say of the difference, which nothing else may contradict."""
    if difference is None:
        return wanted
    if wanted.difference is not None and abs(wanted.difference - difference) > 1e-9:
        raise InvalidOption(f"difference={wanted.difference:g} contradicts {told} = {difference:.6g}. Leave one out.")
    return replace(wanted, difference=difference)


def completed(wanted: Wanted, pilot: Any = None) -> Wanted:
    """Return what is left open but for one; where that is not clear by itself, the usual question is meant.

    A power of 0.8, unless it is asked for. With a margin, both equally good. Of a pilot's own examples, what they show.
    """
    size, power, difference = wanted.size, wanted.power, wanted.difference
    if wanted.hypothesis in {"non-inferior", "equivalent"} and difference is None and (size is None or power is None):
        difference = 0.0
    if size is None and difference is None and pilot is not None:
        size = int(pilot.size) if not pilot.shape else None
    if power is None and (size is None) != (difference is None):
        power = _POWER
    return _above_alpha(replace(wanted, size=size, power=power, difference=difference))


def completed_for_learners(wanted: Wanted, varying: Varying) -> Wanted:
    """Return the same for learners, who have other names for sizes and differences."""
    sized = varying.repeated or any(
        each is not None for each in (wanted.size, varying.training_sets, varying.data_sets)
    )
    if (
        wanted.hypothesis in {"non-inferior", "equivalent"}
        and wanted.difference is None
        and not (sized and wanted.power)
    ):
        wanted = replace(wanted, difference=0.0)
    differs = wanted.difference is not None or varying.wins is not None
    return _above_alpha(replace(wanted, power=_POWER) if wanted.power is None and not (sized and differs) else wanted)


def _above_alpha(wanted: Wanted) -> Wanted:
    if wanted.power is not None and wanted.power <= wanted.alpha:
        raise InvalidOption(
            f"power must be above alpha ({wanted.alpha:g}), but is {wanted.power:g}: that often a test errs anyhow."
            " Write a larger power=, or a smaller alpha=."
        )
    return wanted


def as_examples(examples: Any) -> int | None:
    """Return a number of examples, or say what one is."""
    if examples is None:
        return None
    number = as_real(examples)
    if not (1 <= number <= MOST and number == math.floor(number)):
        raise InvalidOption(f"examples must be a whole number from 1 to {MOST:,}, such as 500, but is {examples!r}.")
    return int(number)


def as_difference(difference: Any) -> float | None:
    """Return a difference, or say what one is."""
    if difference is None:
        return None
    number = as_real(difference)
    if number and math.isfinite(number) and not LEAST_SIZE <= abs(number) <= LARGEST_SIZE:
        raise InvalidOption(f"difference must be of a size from 1e-50 to 1e50, or 0, but is {difference!r}.")
    if not math.isfinite(number):
        raise InvalidOption(f"difference must be a number, such as 0.01 for one point, but is {difference!r}.")
    return number


def as_power(power: Any, remedy: str = "For 80 % write 0.8.") -> float:
    """Return a power, or say how to write it; the search for one next to 1 has no end."""
    number = open_unit("power", power, remedy, least=COMPLEMENT)
    if number > 1 - 1e-12:
        raise InvalidOption(f"power must be at most 1 - 1e-12, but is {power!r}. {remedy}")
    return number


def as_assurance(assurance: Any) -> float | None:
    """Return how often an interval is to be no wider, or say how to write it."""
    if assurance is None or as_real(assurance) == 1:
        return assurance if assurance is None else 1.0
    return open_unit("assurance", assurance, "For 90 % write 0.9, for all that can come out 1.")


def as_ratio(ratio: Any) -> float:
    """Return how many examples B has for each of A's, or say how to write it."""
    if not 1e-3 <= as_real(ratio) <= 1e3:
        raise InvalidOption(
            f"ratio must be the number of B's examples for each of A's, 0.001 to 1000, but is {ratio!r}."
        )
    return float(ratio)


def as_clusters(size: Any, correlation: Any, effect: Any) -> Clusters:
    """Return what clusters do: 1 + (m − 1)·correlation examples are worth one (Kish 1965)."""
    for name, value, least in (("cluster_size", size, 1.0), ("design_effect", effect, 1e-3)):
        if value is not None and not least <= as_real(value) <= MOST:
            raise InvalidOption(f"{name} must be a number from {least:g} to {MOST:,}, but is {value!r}.")
    if effect is not None:
        if correlation is not None:
            raise InvalidOption("design_effect says what clusters do. Leave it out, or leave cluster_correlation= out.")
        return Clusters(float(effect), math.nan if size is None else float(size))
    if (size is None) != (correlation is None):
        raise InvalidOption("clusters need both cluster_size= and cluster_correlation=, or design_effect= instead.")
    if size is None:
        return ALONE
    return Clusters(1 + (float(size) - 1) * as_rate("cluster_correlation", correlation), float(size))
