"""What looking early does: how often rules decide wrongly, what they see, when they stop, and whether limits held."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InvalidOption
from ..evidence import ErrorCount
from ..rendering import Tabled, significant
from ..typing_ import FloatArray, IntArray
from .design import Design
from .estimated_share import Share


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Stopping:
    """What one rule does that stops as soon as it has decided, at the latest at the last look.

    `stopped` and `missed` are the probabilities that it happens at a look for the first time, by true difference and
    look; the first difference is the null hypothesis. Two sides of `stopped` come last: for A, and for B (of one error:
    below the threshold, and above it).
    """

    rule: str
    method: str  # the test that is asked
    naive: bool  # a test that promises something for one look, asked at all of them
    alpha: float
    looks: IntArray
    differences: FloatArray
    simulated: int  # trials; 0 where the figures are exact
    stopped: FloatArray
    missed: FloatArray | None = None  # that the limits do not hold the truth; NaN where they cannot be asked
    references: tuple[str, ...] = ()

    @property
    def by_look(self) -> Share:
        """How often it has decided by each look, at each true difference."""
        return self._share(np.cumsum(self.stopped.sum(axis=-1), axis=-1))

    @property
    def false_alarms(self) -> Share:
        """How often it ever decides where there is nothing to find."""
        return self.by_look[0, -1]

    @property
    def power(self) -> Share:
        """How often it ever decides at each true difference but the null hypothesis."""
        return self.by_look[1:, -1]

    @property
    def wrong(self) -> Share:
        """How often it decides for the wrong side, at each true difference but the null hypothesis."""
        for_a, for_b = np.moveaxis(self.stopped[1:].sum(axis=1), -1, 0)
        return self._share(np.where(self.differences[1:] > 0, for_a, for_b))

    @property
    def examples(self) -> FloatArray:
        """How many examples there are on average when it stops, at each true difference."""
        at_look = self.stopped.sum(axis=-1)
        return np.asarray(at_look @ self.looks + np.maximum(1 - at_look.sum(axis=-1), 0.0) * self.looks[-1])

    @property
    def held(self) -> Share | None:
        """How often the limits that go with the rule hold the truth at all looks, at each true difference."""
        return None if self.missed is None else self._share(1 - self.missed.sum(axis=-1))

    def _share(self, value: FloatArray) -> Share:
        return Share(np.clip(value, 0.0, 1.0), self.simulated)

    def as_dict(self) -> dict[str, Any]:
        """Return every figure by name, every digit kept."""
        figures: dict[str, Any] = {"rule": self.rule, "method": self.method, "naive": self.naive}
        for name in ("false_alarms", "power", "wrong", "held", "by_look"):
            share = getattr(self, name)
            if share is not None:
                figures[name] = share.as_dict()
        return figures | {"examples": self.examples}

    def __repr__(self) -> str:
        return f"<{self.rule}: false alarms {self.false_alarms}>"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Peeking(Tabled):
    """Several rules for when to stop, side by side at one design; `found[rule]` is one of them.

    Examples
    --------
    >>> import tellapart as ta
    >>> from tellapart.lab import peeking
    >>> found = peeking(ta.PairedTable(10, 15, 15, 260), looks=10, rules=["mcnemar-mid-p", "one look"])
    >>> [float(each.false_alarms.value.round(3)) for each in found]
    [0.149, 0.045]
    """

    design: Design
    alpha: float
    each: tuple[Stopping, ...]

    def __getitem__(self, rule: str | int) -> Stopping:
        if isinstance(rule, int):
            return self.each[rule]
        for found in self.each:
            if found.rule == rule:
                return found
        raise InvalidOption(f"rule must be one of {', '.join(self.rules)}, but is {rule!r}.")

    def __iter__(self) -> Iterator[Stopping]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the rules."""
        return tuple(found.rule for found in self.each)

    @property
    def looks(self) -> IntArray:
        """How many examples there are at each look."""
        return self.each[0].looks

    @property
    def differences(self) -> FloatArray:
        """The true differences; the first is the null hypothesis."""
        return self.each[0].differences

    @property
    def effects(self) -> FloatArray:
        """The differences at which power is told: all but the null hypothesis."""
        return self.differences[1:]

    @property
    def simulated(self) -> int:
        """How many trials were simulated; 0 where the figures are exact."""
        return self.each[0].simulated

    @property
    def trials(self) -> int | str:
        """How many trials were simulated, or "exact"."""
        return self.simulated or "exact"

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of who described the rules, and of who first told what looking again does."""
        return tuple(dict.fromkeys(["armitage1969", *(key for found in self.each for key in found.references)]))

    # --- What it says -----------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """What the figures mean, in two sentences."""
        return " ".join(part for part in (_alarms_in_words(self), _power_in_words(self)) if part)

    def rows(self) -> list[tuple[str, str]]:
        """Return what all rules have in common; `table` has a line for each of them."""
        how = f"{self.simulated:,} trials simulated" if self.simulated else "exact: every course of the counts added up"
        rows = [("design", self.design.describe()), ("looks", _looks_in_words(self.looks)), ("how", how)]
        return [*rows, ("in words", self.words)]

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the head of the table, and the figures of each rule."""
        head = ["rule", "false alarms", *(f"power at {step:g}" for step in self.effects), "held throughout"]
        lines = []
        for found in self.each:
            power = [
                f"{value:.4f} after {examples:.0f}"
                for value, examples in zip(found.power.value, found.examples[1:], strict=True)
            ]
            lines.append([found.rule, _digits(found.false_alarms), *power, _held(found)])
        if all(found.held is None for found in self.each):
            head, lines = head[:-1], [line[:-1] for line in lines]
        return head, lines

    def as_dict(self) -> dict[str, Any]:
        """Return everything by name, every digit kept."""
        return {
            "design": self.design.as_dict(),
            "alpha": self.alpha,
            "trials": self.trials,
            "looks": self.looks,
            "differences": self.differences,
            "rules": [found.as_dict() for found in self.each],
            "words": self.words,
        }

    def __repr__(self) -> str:
        return str(self)


# --- In words -------------------------------------------------------------------------------------


def _alarms_in_words(found: Peeking) -> str:
    """Say what looking again does where there is nothing to find."""
    of_one = found.design.evidence == (ErrorCount,)
    null, claim = "the two are equally good", "'different'"
    if of_one:
        error = float(found.design.at(0.0).truth("error"))
        null, claim = f"the true error is {significant(100 * error)} %", "'otherwise'"
    naive = next((each for each in found if each.naive), None)
    rest = [f"{each.rule} in {_percent(each.false_alarms)}" for each in found if each is not naive]
    if naive is None:
        times = f"at one of {found.looks.size} looks" if found.looks.size > 1 else "at the only look"
        return f"Where {null}, rules say {claim} {times}: {_listed(rest)} of the cases."
    how = "Looking once" if found.looks.size == 1 else f"Looking {found.looks.size} times and stopping"
    first = (
        f"{how} at the first p below {found.alpha:g} ({naive.rule}) says {claim} in {_percent(naive.false_alarms)} of"
        f" the cases where {null}"
    )
    return f"{first}; {_listed(rest)}." if rest else f"{first}."


def _power_in_words(found: Peeking) -> str:
    """Say of the rules that keep their word how much they see, and how soon, where the best sees about four in five."""
    able = [each for each in found if float(each.false_alarms.low) <= 1.2 * found.alpha]
    if not (able and found.effects.size):
        return ""
    best = np.clip(np.max([each.power.value for each in able], axis=0), 1e-15, 1 - 1e-15)
    place = int(np.argmin(np.abs(np.log(best / (1 - best)) - np.log(4))))
    step = significant(100 * abs(float(found.effects[place])))
    seen = [
        f"by {each.rule} in {_in_percent(each.power.value[place])} ({each.examples[1 + place]:.0f})" for each in able
    ]
    seen[0] = seen[0].replace("(", "of the cases (after ").replace(")", " examples on average)")
    return f"A true difference of {step} point{'s' * (step != '1')} is seen {_listed(seen)}."


def _looks_in_words(looks: IntArray) -> str:
    """Say how many looks there are, and after how many examples."""
    if looks.size > 4:
        return f"{looks.size}, after {looks[0]}, {looks[1]}, …, {looks[-1]} examples"
    noun = "example" if looks[-1] == 1 else "examples"
    return f"{looks.size}, after {_listed([str(size) for size in looks])} {noun}"


def _percent(share: Share) -> str:
    told = _in_percent(share.value)
    return (
        f"{told} ({_in_percent(share.low).removesuffix(' %')} to {_in_percent(share.high)})" if share.trials else told
    )


def _in_percent(share: Any) -> str:
    value = float(share)
    if value in (0.0, 1.0):
        return f"{100 * value:.0f} %"
    return "just below 100 %" if value >= 0.9995 else f"{100 * value:#.{2 if value < 0.0995 else 3}g} %"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _held(found: Stopping) -> str:
    """Return how often the limits held throughout, at the difference where they did so least often."""
    if found.held is None or np.isnan(found.held.value).all():
        return ""
    return _digits(found.held[int(np.nanargmin(found.held.value))])


def _digits(share: Share) -> str:
    return str(share).removesuffix(" (exact)")
