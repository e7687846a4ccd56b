"""An assumption of a method, how it is checked, and the factories that make all of them.

The assumptions themselves stand in `methods/<kind>/assumptions.py`, beside the methods that make them; a method lists
its own in `@method(assumes=...)`, and the verbs check them, so no author can forget to, and the lab's million calls pay
nothing. Codes TA0xx speak of one error rate, TA1xx of two classifiers on one test set, TA2xx of two test sets, TA3xx of
several classifiers, TA4xx of learners, TA5xx of per-example scores, TA6xx of other metrics than the error rate, TA7xx
of learners over many data sets. A code once used keeps its meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..evidence import Evidence
from ..results import Check, Interval, TestResult
from ..typing_ import Alternative, FloatArray, IntArray, Numbers

if TYPE_CHECKING:
    from .registry import Offer


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What is known besides the evidence when an assumption is checked."""

    interval: Interval
    null: FloatArray | float = np.nan  # the threshold, if there is one
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    test: TestResult | None = None  # what the test gave, if there is one
    test_method: str = ""  # the name of the test
    options: Mapping[str, Any] = field(default_factory=dict)  # of the methods
    chooses: IntArray | None = None  # whom the test speaks for, where that need not be who does better on average


Figure = Callable[[Any, Context], Any]
Remedy = str | Callable[[Any, Context], str]  # what to do about it; a function, where that depends on the data
Threshold = float | Callable[[Context], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A code with a figure and what this must reach: all of an assumption but its words."""

    code: str
    figure: Figure
    threshold: Threshold
    bound: str  # the threshold in words
    strict: bool = False
    reference: str | None = None  # the bibliography key of whoever set the threshold

    def state(
        self,
        requirement: str,
        violation: str,
        remedy: Remedy,
        *,
        title: str = "",
        so: str = "",
        rule: str = "",
        moot: str = "",
    ) -> Assumption:
        """Return the assumption in these words.

        A caution reads "{violation}: {so}. {remedy}": the figure with its limit, the consequence, and what helps with
        these data, as a sentence. `title` names the violation in two or three words.

        In the requirement {figure} (or {size}) is the figure, and "at least …" in the rule; {figure:…} is a text with
        the figure in place of #, which the rule leaves out.

        Examples
        --------
        >>> size = at_least("XX001", 30, lambda count, _: count.trials)
        >>> assumption = size.state("{figure} trials{figure: ≥ 30}", "{figure} trials are too few", "test more")
        >>> assumption.requirement, assumption.rule
        ('{figure} trials ≥ 30', 'at least 30 trials')
        >>> above("XX002", 0, interval_width).state("the limits differ{figure:, by #}", "they are equal", "").rule
        'the limits differ'
        """
        whole = requirement.format(figure=_Placeholder("{figure}", "{figure}"), size=_Placeholder("{size}", "{size}"))
        bare = requirement.format(figure=_Placeholder(self.bound), size=_Placeholder(self.bound))
        return Assumption(
            **{fact: getattr(self, fact) for fact in Criterion.__slots__},
            requirement=whole,
            rule=rule or bare,
            violation=violation,
            remedy=remedy,
            title=title,
            so=so,
            moot=moot,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption(Criterion):
    """A figure that tells whether a method's assumption holds: at least (or above, if `strict`) a threshold.

    `requirement` states it and `violation` what it means that it fails; both may show the figure as {figure} or its
    size as {size}. `rule` is the requirement without the figure of any evidence.
    """

    requirement: str
    rule: str
    violation: str
    remedy: Remedy
    title: str = ""  # the violation in two or three words: "few clusters"
    so: str = ""  # what follows from the violation: "the test may reject 2-3 times too often"
    moot: str = ""  # what to say where the figure is infinite: the question does not arise
    adjusts: bool = False  # whether its figure is a p-value that is adjusted for the number of comparisons

    def check(self, evidence: Evidence, context: Context) -> Check:
        """Return the check of every entry of the evidence at once."""
        figure = np.broadcast_to(np.asarray(self.figure(evidence, context), dtype=float), evidence.shape)[()]
        return Check(
            code=self.code,
            requirement=self.requirement,
            violation=self.violation,
            title=self.title,
            so=self.so,
            remedy=self.remedy(evidence, context) if callable(self.remedy) else self.remedy,
            figure=figure,
            threshold=self.threshold(context) if callable(self.threshold) else self.threshold,
            strict=self.strict,
            moot=self.moot,
            adjusts=self.adjusts,
        )


def check_assumptions(assumptions: tuple[Assumption, ...], evidence: Evidence, context: Context) -> tuple[Check, ...]:
    """Return the check of each assumption, once and in this order."""
    return tuple(assumption.check(evidence, context) for assumption in dict.fromkeys(assumptions))


def standing_check(method: Offer, evidence: Evidence, remedy: str) -> tuple[Check, ...]:
    """Return a failed check with the reason why a method is forbidden; nothing for the others."""
    if method.standing != "forbidden":
        return ()
    reason = method.rationale.replace("{", "{{").replace("}", "}}")
    return (
        Check(
            code="TA010",
            requirement="the method is fit for use",
            violation=f"'{method.name}' is forbidden: {reason}",
            remedy=remedy,
            figure=np.zeros(evidence.shape)[()],
            threshold=1,
        ),
    )


@dataclass(frozen=True, slots=True)
class _Placeholder:
    """What stands for the figure: some text by itself, and the text of `{figure:…}` with another in place of #."""

    alone: str
    inserted: str = ""

    def __format__(self, text: str) -> str:
        if not text:
            return self.alone
        return text.replace("#", self.inserted) if self.inserted else ""


def at_least(code: str, minimum: float, figure: Figure, *, reference: str | None = None) -> Criterion:
    """Return the criterion that a figure is no smaller than this."""
    return Criterion(code=code, figure=figure, threshold=minimum, bound=f"at least {minimum:g}", reference=reference)


def above(code: str, minimum: float, figure: Figure, *, reference: str | None = None) -> Criterion:
    """Return the criterion that a figure is larger than this."""
    bound = f"more than {minimum:g}"
    return Criterion(code=code, figure=figure, threshold=minimum, bound=bound, strict=True, reference=reference)


def at_most(code: str, maximum: float, figure: Figure, *, reference: str | None = None) -> Criterion:
    """Return the criterion that a figure, shown as {size}, is no larger than this."""
    bound = f"at most {maximum:g}"
    # -0.0 for 0, so that the sign of the threshold still says that the figure is negated
    return Criterion(code=code, figure=_negate(figure), threshold=-float(maximum), bound=bound, reference=reference)


def is_true(code: str, condition: Figure, *, reference: str | None = None) -> Criterion:
    """Return the criterion that a condition is met."""
    return at_least(code, 1, condition, reference=reference)


def varies(code: str, spread: Figure) -> Criterion:
    """Return the criterion that there is a spread by which to judge."""
    return above(code, 0, spread)


def has_width(code: str, parameter: str, remedy: Remedy) -> Assumption:
    """Return the assumption that the interval has a width."""
    return above(code, 0, interval_width).state(
        "the limits differ{figure:, by #}",
        "the interval has width 0",
        remedy,
        title="interval of width 0",
        so=f"it treats {parameter} as known exactly",
    )


def can_reject(code: str, smallest: Figure, units: str, remedy: Remedy) -> Assumption:
    """Return the assumption that the smallest p-value attainable with so many units ("clusters") is below alpha."""
    return reaches_alpha(code, smallest, strict=True).state(
        f"the smallest p-value attainable with these {units}{{size:, #,}} is below alpha",
        f"the smallest p-value attainable with these {units} is {{size}}, not below alpha",
        remedy,
        title=f"few {units}",
        so="the test cannot reject",
    )


def reaches_alpha(code: str, smallest: Figure, *, strict: bool = False) -> Criterion:
    """Return the criterion that the smallest attainable p-value, shown as {size}, is at most (or below) alpha."""
    return Criterion(
        code=code, figure=_negate(smallest), threshold=lambda context: -context.alpha, bound="alpha", strict=strict
    )


def all_one_way(count: Figure, *, observed: float = 1.0) -> Figure:
    """Return the figure of the smallest p-value: all of so many things that differ lie on one side."""
    return lambda evidence, context: smallest_pvalue(count(evidence, context), context.alternative, observed)


def smallest_pvalue(count: Any, alternative: Alternative, observed: float = 1.0) -> Numbers:
    """Return the p-value of a fair coin that shows one face `count` times in a row, that outcome counting `observed`.

    Examples
    --------
    >>> smallest_pvalue(5, "two-sided"), smallest_pvalue(5, "greater", observed=0.5)
    (np.float64(0.0625), np.float64(0.015625))
    """
    sides = 2 if alternative == "two-sided" else 1
    return np.minimum(sides * observed * np.exp2(-np.minimum(count, 1000.0)), 1)


def interval_width(_: Any, context: Context) -> Any:
    """Return the width of the interval."""
    return context.interval.width


def _negate(figure: Figure) -> Figure:
    return lambda evidence, context: -np.asarray(figure(evidence, context), dtype=float)
