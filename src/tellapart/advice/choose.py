"""From evidence to method: the default, and what to consider instead.

Defaults depend on the type of the evidence, never on its numbers; advice may look at both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InvalidOption, UnknownMethod
from ..evidence import (
    ClassScores,
    ErrorCount,
    Evidence,
    IndependentCounts,
    Outcomes,
    PairedConfusion,
    PairedTable,
    StratifiedCount,
    expect,
)
from ..methods import Offer, find_method, find_methods, look_up
from ..typing_ import Side
from .measures import default_for, is_asked

# An interval is to be near its level on average; a test is to keep it. By exact size only the exact
# test does that at every threshold: the others reject up to three times too often at some.
_INTERVALS: dict[type[Evidence], str] = {
    ErrorCount: "jeffreys",
    StratifiedCount: "stratified-wilson",
    PairedTable: "tango",
    IndependentCounts: "miettinen-nurminen",
}
_TESTS: dict[type[Evidence], str] = {
    ErrorCount: "clopper-pearson",
    PairedTable: "mcnemar-mid-p",
    IndependentCounts: "fisher-mid-p",
}
# With a margin the score test decides, with the estimate constrained to the margin, and so does its interval.
_MARGINS: dict[type[Evidence], str] = {PairedTable: "tango", IndependentCounts: "miettinen-nurminen"}
_ALWAYS_WIDE = (ClassScores, Outcomes, PairedConfusion)  # whose resampled limits have a width whatever was drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A method worth considering, and when."""

    method: str
    when: str
    side: Side = "two"
    interval: str | None = None  # the interval to take with it
    plan: str | None = None  # the plan to race by for it


def choose_interval(evidence: Evidence, name: str | None, options: dict[str, Any]) -> Offer:
    """Return the interval of that name, or the default for such evidence."""
    return find_method(_default(_INTERVALS, evidence, options) if name is None else name, "interval", type(evidence))


def choose_test(evidence: Evidence, name: str | None, options: dict[str, Any]) -> Offer:
    """Return the test of that name, or the default for such evidence."""
    return find_method(_default(_TESTS, evidence, options) if name is None else name, "test", type(evidence))


def choose_pair(
    evidence: Evidence, method: str | None, interval: str | None, *, margin: bool = False
) -> tuple[Offer, Offer]:
    """Return test and interval for two classifiers: what was named, its partner, then the default.

    The name of an interval does for a method, too: then the test is its partner, or the default.

    Examples
    --------
    >>> table = PairedTable(20, 25, 10, 45)
    >>> [chosen.name for chosen in choose_pair(table, None, None)]
    ['mcnemar-mid-p', 'tango']
    >>> [chosen.name for chosen in choose_pair(table, "bonett-price", None)]
    ['mcnemar-mid-p', 'bonett-price']
    """
    kind = type(evidence)
    default = _default(_MARGINS if margin else _TESTS, evidence, {})
    test = look_up(method, "test", kind)
    if test is None:
        limits = look_up(method, "interval", kind)
        if method is not None and limits is None:
            find_method(method, "test", kind)  # says what there is
        if method is not None and interval not in {None, method}:
            raise InvalidOption(f"method={method!r} and interval={interval!r} are two intervals. Give one of them.")
        interval = method if interval is None else interval
        test = look_up(limits.partner if limits else None, "test", kind) or find_method(default, "test", kind)
    if margin and "against" not in test.options:
        known = (found for found in find_methods(gives="test", evidence=kind) if "against" in found.options)
        able = (found.name for found in known if not is_asked(evidence) or found.serves(evidence.metric.name))
        raise InvalidOption(f"method {test.name!r} takes no margin. Choose one of: {', '.join(able)}.")
    if interval is None:
        named = (look_up(name, "interval", kind, elsewhere=False) for name in (test.name, test.partner))
        partner = next((found for found in named if found), None)
        # An interval of the odds never stands as that of the difference.
        fits = partner is not None and partner.parameter == "difference"
        interval = partner.name if partner and fits else _default(_INTERVALS, evidence, {})
    bounds = find_method(interval, "interval", kind)
    if margin and "resamples" in bounds.options and kind not in _ALWAYS_WIDE:
        raise InvalidOption(f"interval {bounds.name!r} may have no width, which no margin is decided by. Leave it out.")
    if margin and bounds.parameter != "difference":
        raise UnknownMethod(f"interval {bounds.name!r} is of the {bounds.parameter}; a margin is of the difference.")
    return test, bounds


def advise_interval(count: ErrorCount) -> tuple[Advice, ...]:
    """Return what to consider besides the default for one error count.

    Martin and Hirschberg (1996, section 6) ask for Beta limits below ten errors; by exact coverage
    mid-p has the better floor there, and Clopper and Pearson's limits the only guarantee.

    Examples
    --------
    >>> [advice.method for advice in advise_interval(ErrorCount(3, 120))]
    ['mid-p', 'clopper-pearson']
    >>> advise_interval(ErrorCount(0, 120))[0].side
    'upper'
    """
    expect(ErrorCount, count)
    rarer = int(np.min(np.minimum(count.errors, count.successes)))
    floor = Advice(method="mid-p", when="fewer than ten errors, and the lowest coverage matters more than the mean")
    promise = Advice(method="clopper-pearson", when="a guarantee is asked for: its coverage is never below the level")
    if rarer >= 10:
        return (promise,)
    if np.any(count.errors == 0):
        bound = "no errors were seen: an upper bound says all there is, about 3/M at 95 % (the rule of three)"
        return Advice(method="clopper-pearson", side="upper", when=bound), floor, promise
    return floor, promise


def advise_comparison(evidence: Evidence) -> tuple[Advice, ...]:
    """Return what to consider besides the default for two classifiers, or two learners.

    Examples
    --------
    >>> [advice.method for advice in advise_comparison(PairedTable(20, 25, 10, 45))]
    ['mcnemar-unconditional']
    >>> [advice.method for advice in advise_comparison(PairedTable(0, 3, 1, 10**6))]
    ['mcnemar-exact']
    """
    if hasattr(evidence, "learners"):
        from .learners import advise_learners  # what learners need is loaded with the first of them

        return advise_learners(evidence)  # type: ignore[arg-type]  # learners have no other evidence
    if isinstance(evidence, Outcomes):
        resampled = "wild-cluster" if evidence.clusters is not None else "sign-flip"
        limits = "cluster-bootstrap" if evidence.clusters is not None else "bca-bootstrap"
        return (Advice(method=resampled, interval=limits, when="scores are far from normal, or there are few of them"),)
    if isinstance(evidence, PairedConfusion | ClassScores):
        return ()  # by a metric there is the default alone
    evidence = expect(PairedTable, evidence, IndependentCounts)
    promise = "a guarantee is asked for: it never rejects more often than alpha says"
    if isinstance(evidence, PairedTable):
        most = int(np.max(evidence.examples))
        test = "mcnemar-unconditional" if most <= 5000 else "mcnemar-exact"
        return (Advice(method=test, interval="unconditional" if most <= 200 else None, when=promise),)
    trials = evidence.a.trials, evidence.b.trials
    quick = np.max((trials[0] + 1.0) * (trials[1] + 1.0)) <= 1_000_000 and np.max(trials) <= 10_000
    return (Advice(method="boschloo" if quick else "fisher", when=promise),)


def _of_outcomes(outcomes: Outcomes, *, limits: bool) -> str:
    """Return the test and interval that their design asks for: examples of one cluster are not independent."""
    if limits and outcomes.metric.is_rate and len(outcomes.models) == 1:
        return "rao-scott-wilson"
    return "mean-t" if outcomes.clusters is None else "cluster-robust"


def _default(defaults: dict[type[Evidence], str], evidence: Evidence, options: dict[str, Any]) -> str:
    if "prior" in options and isinstance(evidence, ErrorCount):  # a prior without a method means the posterior under it
        return "posterior" if callable(options["prior"]) else "beta"
    if isinstance(evidence, Outcomes):
        return _of_outcomes(evidence, limits=defaults is _INTERVALS)
    if is_asked(evidence):
        return default_for(evidence, limits=defaults is _INTERVALS, margin=defaults is _MARGINS)
    if "pool" in options and isinstance(evidence, ErrorCount):  # and a pool without one the limits that know it
        return "hypergeometric"
    return defaults[type(evidence)]
