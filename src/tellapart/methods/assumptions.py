"""An assumption of a method, how it is checked, and the factories that make assumptions.

The assumptions themselves are in `methods/<kind>/assumptions.py`, beside the methods that make them. A method lists its
assumptions in `@method(assumes=...)`; the verbs check them, so that direct calls of a method, as in simulations, cost
nothing extra. Codes TA0xx concern one error rate, TA1xx two classifiers on one test set, TA2xx two test sets, TA3xx
several classifiers, TA4xx learners, TA5xx per-example scores, TA6xx metrics other than the error rate, TA7xx learners
over many data sets. A code keeps its meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..evidence import Evidence
from ..figures import finish_sentence
from ..results import Check, Interval, TestResult
from ..typing_ import Alternative, FloatArray, IntArray, Numbers

if TYPE_CHECKING:
    from .registry import Offer


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The analysis in which an assumption is checked: everything but the evidence."""

    interval: Interval
    null: FloatArray | float = np.nan  # the value under the null hypothesis: a threshold, or a difference
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    test: TestResult | None = None  # the result of the test, if there is one
    options: Mapping[str, Any] = field(default_factory=dict)  # of the methods
    chooses: IntArray | None = None  # the model that the test favours, where the average may favour the other


Figure = Callable[[Any, Context], Any]
Remedy = str | Callable[[Any, Context], str]  # a sentence or two; a function if it depends on the data
Wording = str | Callable[[Any, Context], str]
Threshold = float | Callable[[Context], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A code, a figure and the threshold that the figure must reach: an assumption without its wording."""

    code: str
    figure: Figure
    threshold: Threshold
    bound: str  # the threshold in words
    strict: bool = False
    negated: bool = False  # whether the figure is minus a size that must not be too large
    reference: str | None = None  # the bibliography key of the source of the threshold

    def state(
        self,
        requirement: str,
        violation: Wording,
        remedy: Remedy,
        *,
        title: str = "",
        so: Wording = "",
        rule: str = "",
        moot: str = "",
    ) -> Assumption:
        """Return the assumption with its wording.

        A caution reads "{violation}: {so}. {remedy}": the figure with its limit, the consequence, and what helps with
        these data, as a sentence. `title` names the violation in two or three words. `violation`, `so` and `remedy` may
        be functions of evidence and context.

        In the requirement {figure} (or {size}) is the figure, and "at least …" in the rule; {figure:…} is a text with
        the figure in place of #, which the rule leaves out.

        Examples
        --------
        >>> size = at_least("XX001", 30, lambda count, _: count.trials)
        >>> assumption = size.state("{figure} trials{figure: ≥ 30}", "{figure} trials, fewer than 30", "Test more.")
        >>> assumption.requirement, assumption.rule
        ('{figure} trials ≥ 30', 'at least 30 trials')
        >>> above("XX002", 0, interval_width).state("the interval has a width{figure:, #}", "it has none", "").rule
        'the interval has a width'
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
    """A condition of a method: it holds if a figure is at least (or above, if `strict`) a threshold.

    `requirement` states the condition and `violation` its failure; both may show the figure as {figure} or its absolute
    value as {size}. `rule` is the requirement without the figure of any evidence.
    """

    requirement: str
    rule: str
    violation: Wording
    remedy: Remedy
    title: str = ""  # the violation in two or three words: "few clusters"
    so: Wording = ""  # the consequence of the violation: "the test may reject 2-3 times too often"
    moot: str = ""  # the statement if the figure is infinite: the question does not arise
    adjusts: bool = False  # whether its figure is a p-value that is adjusted for the number of comparisons

    def check(self, evidence: Evidence, context: Context) -> Check:
        """Return the check of every entry of the evidence at once."""
        figure = np.broadcast_to(np.asarray(self.figure(evidence, context), dtype=float), evidence.shape)[()]
        return Check(
            code=self.code,
            requirement=self.requirement,
            violation=_write_wording(self.violation, evidence, context),
            title=self.title,
            so=_write_wording(self.so, evidence, context),
            remedy=_write_wording(self.remedy, evidence, context),
            figure=figure,
            threshold=self.threshold(context) if callable(self.threshold) else self.threshold,
            strict=self.strict,
            negated=self.negated,
            moot=self.moot,
            adjusts=self.adjusts,
        )


def _write_wording(wording: Wording, evidence: Evidence, context: Context) -> str:
    """Return the wording for this evidence."""
    return wording(evidence, context) if callable(wording) else wording


def check_assumptions(assumptions: tuple[Assumption, ...], evidence: Evidence, context: Context) -> tuple[Check, ...]:
    """Return the checks of the assumptions in this order, each once."""
    return tuple(assumption.check(evidence, context) for assumption in dict.fromkeys(assumptions))


def standing_check(method: Offer, evidence: Evidence, remedy: str) -> tuple[Check, ...]:
    """Return a failed check with the reason why a method should not be used; no check for other methods."""
    if method.standing != "forbidden":
        return ()
    return (
        Check(
            code="TA010",
            requirement="the method has a status other than 'do not use'",
            violation=f"do not use '{method.name}'",
            title="unsuitable method",
            so=method.rationale,
            remedy=finish_sentence(remedy),
            figure=np.zeros(evidence.shape)[()],
            threshold=1,
        ),
    )


def use_instead(code: str, *, test: str, interval: str, method: str = "") -> Remedy:
    """Return the remedy that names a test, an interval or both in place of those that carry the check of this code.

    An estimate has no test and takes `method` (the interval, if left out) by its keyword `method`.

    Examples
    --------
    >>> from tellapart import ErrorCount, compare
    >>> answer = compare(ErrorCount(3, 120), against=0.05, interval="wald")
    >>> next(check.remedy for check in answer.checks if check.code == "TA001")
    "Use interval='jeffreys'."
    """

    def write(evidence: Any, context: Context) -> str:
        if len(evidence.models) == 1 and context.test is None:
            return f"Use method='{method or interval}'."
        of_test, of_interval = carriers(code, evidence, context)
        choices = [f"method='{test}'"] * (of_test or not of_interval) + [f"interval='{interval}'"] * of_interval
        return f"Use {' and '.join(choices)}."

    return write


def carriers(code: str, evidence: Any, context: Context) -> tuple[bool, bool]:
    """Return whether the test, and whether the interval, makes the assumption of this code."""
    from .registry import look_up  # the registry needs this module

    kind = type(evidence)
    test = None if context.test is None else look_up(context.test.method, "test", kind, elsewhere=False)
    interval = look_up(context.interval.method, "interval", kind, elsewhere=False)
    of_test, of_interval = (
        offer is not None and code in {assumption.code for assumption in offer.assumes} for offer in (test, interval)
    )
    return of_test, of_interval


@dataclass(frozen=True, slots=True)
class _Placeholder:
    """What stands for the figure: some text alone, and the text of `{figure:…}` with another in place of #."""

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
    return Criterion(
        code=code, figure=_negate_figure(figure), threshold=-maximum, bound=bound, negated=True, reference=reference
    )


def is_true(code: str, condition: Figure, *, reference: str | None = None) -> Criterion:
    """Return the criterion that a condition is met."""
    return at_least(code, 1, condition, reference=reference)


def varies(code: str, spread: Figure) -> Criterion:
    """Return the criterion that a spread is positive."""
    return above(code, 0, spread)


def has_width(code: str, parameter: str, remedy: Remedy) -> Assumption:
    """Return the assumption that the interval has a width."""
    return above(code, 0, interval_width).state(
        "the interval has a width{figure:, #}",
        "the interval has width 0",
        remedy,
        title="interval of width 0",
        so=f"it treats {parameter} as known exactly",
    )


def can_reject(code: str, smallest: Figure, units: str, remedy: Remedy) -> Assumption:
    """Return the assumption that the smallest p-value attainable with so many units ("clusters") is below alpha."""

    def describe_violation(evidence: Any, context: Context) -> str:
        if np.all(np.equal(smallest(evidence, context), 1)):
            return f"p is always 1 with so few {units}"
        return f"the smallest p-value attainable with these {units} is {{size}}, not below alpha"

    return reaches_alpha(code, smallest, strict=True).state(
        f"the smallest p-value attainable with these {units}{{size:, #,}} is below alpha",
        describe_violation,
        remedy,
        title=f"few {units}",
        so="the test cannot reject",
        rule=f"enough {units} for p to reach alpha",
    )


def reaches_alpha(code: str, smallest: Figure, *, strict: bool = False) -> Criterion:
    """Return the criterion that the smallest attainable p-value, shown as {size}, is at most (or below) alpha."""
    return Criterion(
        code=code,
        figure=_negate_figure(smallest),
        threshold=lambda context: -context.alpha,
        bound="alpha",
        strict=strict,
        negated=True,
    )


def all_one_way(count: Figure, *, observed: float = 1.0) -> Figure:
    """Return the smallest attainable p-value as a figure: the one of `count` differences of one sign."""
    return lambda evidence, context: smallest_pvalue(count(evidence, context), context.alternative, observed)


def smallest_pvalue(count: Any, alternative: Alternative, observed: float = 1.0) -> Numbers:
    """Return the p-value of `count` tosses of a fair coin that agree, with weight `observed` of that outcome itself.

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


def _negate_figure(figure: Figure) -> Figure:
    return lambda evidence, context: -np.asarray(figure(evidence, context), dtype=float)
