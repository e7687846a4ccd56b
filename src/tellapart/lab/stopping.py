"""Stopping rules for repeated looks: type I error, power, examples at the stop, and coverage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..display import Display
from ..errors import InvalidOption
from ..rendering import Rendered
from ..typing_ import FloatArray, IntArray
from .design import Design
from .estimated_share import Share
from .peeking_display import describe_peeking, display_peeking, explain_peeking


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Stopping:
    """Results of one stopping rule, which stops at its decision or at the last look.

    `stopped` and `not_covered` are the probabilities of the first decision, and of the first interval without the true
    value, by true difference and look; the first difference is the null hypothesis. The last dimension of `stopped` is
    the side of the decision: for A or for B (for one error rate: below the threshold or above it).
    """

    rule: str
    method: str  # the test that is computed
    naive: bool  # a test that is valid for one look, computed at all of them
    alpha: float
    looks: IntArray
    differences: FloatArray
    simulated: int  # trials; 0 where the figures are exact
    stopped: FloatArray
    not_covered: FloatArray | None = None  # that the interval misses the true value; NaN if undefined
    references: tuple[str, ...] = ()

    @property
    def by_look(self) -> Share:
        """Probability of a decision by each look, at each true difference."""
        return self._share_of(np.cumsum(self.stopped.sum(axis=-1), axis=-1))

    @property
    def type_i_error(self) -> Share:
        """The type I error rate: probability of rejecting a true null hypothesis at any look."""
        return self.by_look[0, -1]

    @property
    def false_alarms(self) -> Share:
        """Deprecated alias of `type_i_error`."""
        return self.type_i_error

    @property
    def power(self) -> Share:
        """Power: probability of rejecting at any look, at each true difference except the null hypothesis."""
        return self.by_look[1:, -1]

    @property
    def wrong(self) -> Share:
        """Probability of rejecting with the wrong sign, at each true difference except the null hypothesis."""
        for_a, for_b = np.moveaxis(self.stopped[1:].sum(axis=1), -1, 0)
        return self._share_of(np.where(self.differences[1:] > 0, for_a, for_b))

    @property
    def examples(self) -> FloatArray:
        """Mean number of examples at the stop, at each true difference."""
        at_look = self.stopped.sum(axis=-1)
        return np.asarray(at_look @ self.looks + np.maximum(1 - at_look.sum(axis=-1), 0.0) * self.looks[-1])

    @property
    def coverage(self) -> Share | None:
        """The probability that the intervals of all looks contain the true value, at each true difference."""
        return None if self.not_covered is None else self._share_of(1 - self.not_covered.sum(axis=-1))

    @property
    def held(self) -> Share | None:
        """Deprecated alias of `coverage`."""
        return self.coverage

    @property
    def missed(self) -> FloatArray | None:
        """Deprecated alias of `not_covered`."""
        return self.not_covered

    def _share_of(self, value: FloatArray) -> Share:
        return Share(np.clip(value, 0.0, 1.0), self.simulated)

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name, at full precision; `false_alarms` and `held` are keys of earlier versions."""
        figures: dict[str, Any] = {"rule": self.rule, "method": self.method, "naive": self.naive}
        for name in ("type_i_error", "power", "wrong", "coverage", "by_look"):
            share = getattr(self, name)
            if share is not None:
                figures[name] = share.as_dict()
        figures["false_alarms"] = figures["type_i_error"]
        if self.coverage is not None:
            figures["held"] = figures["coverage"]
        return figures | {"examples": self.examples}

    def __repr__(self) -> str:
        return f"<{self.rule}: type I error rate {self.type_i_error}>"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Peeking(Rendered):
    """Several stopping rules at one design; `found[rule]` is one of them.

    Examples
    --------
    >>> import tellapart as ta
    >>> from tellapart.lab import peeking
    >>> found = peeking(ta.PairedTable(10, 15, 15, 260), looks=10, rules=["mcnemar-mid-p", "one look"])
    >>> [float(each.type_i_error.value.round(3)) for each in found]
    [0.149, 0.045]
    """

    design: Design
    alpha: float
    each: tuple[Stopping, ...]

    def __getitem__(self, rule: str | int) -> Stopping:
        if isinstance(rule, int):
            return self.each[rule]
        for stopping in self.each:
            if stopping.rule == rule:
                return stopping
        raise InvalidOption(f"`rule` must be one of {', '.join(self.rules)}, got {rule!r}.")

    def __iter__(self) -> Iterator[Stopping]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the rules."""
        return tuple(stopping.rule for stopping in self.each)

    @property
    def looks(self) -> IntArray:
        """Number of examples at each look."""
        return self.each[0].looks

    @property
    def differences(self) -> FloatArray:
        """The true differences; the first is the null hypothesis."""
        return self.each[0].differences

    @property
    def effects(self) -> FloatArray:
        """The differences at which power is measured: all but the null hypothesis."""
        return self.differences[1:]

    @property
    def simulated(self) -> int:
        """Number of simulated trials; 0 if the figures are exact."""
        return self.each[0].simulated

    @property
    def trials(self) -> int | str:
        """Number of simulated trials, or "exact"."""
        return self.simulated or "exact"

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of the references of the rules, and of the first study of repeated testing."""
        return tuple(dict.fromkeys(["armitage1969", *(key for stopping in self.each for key in stopping.references)]))

    # --- What it says -----------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """Summary in two sentences."""
        return describe_peeking(self)

    def display(self, *, verbose: bool = False) -> Display:
        """Return the verdict, a table of the rules, and the design; with `verbose` the figures at each difference."""
        return display_peeking(self, verbose=verbose)

    def explanations(self) -> list[tuple[str, str]]:
        """Return what each column means, and the figures in sentences."""
        return explain_peeking(self)

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name, at full precision."""
        return {
            "design": self.design.as_dict(),
            "alpha": self.alpha,
            "trials": self.trials,
            "looks": self.looks,
            "differences": self.differences,
            "rules": [stopping.as_dict() for stopping in self.each],
            "words": self.words,
        }

    def __repr__(self) -> str:
        return str(self)
