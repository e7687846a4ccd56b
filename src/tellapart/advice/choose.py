"""From evidence to method: what was named, its partner, then the default, which the evidence itself says."""

from __future__ import annotations

from typing import Any

from ..errors import InvalidOption, UnknownMethod
from ..evidence import Evidence
from ..methods import Gives, Method, find_method, find_methods, look_up

_ESTIMATING: tuple[Gives, ...] = ("estimate", "interval")


def choose_interval(evidence: Evidence, name: str | None, options: dict[str, Any]) -> Method:
    """Return the interval of that name, or the default for such evidence."""
    return find_method(evidence.default("interval", options) if name is None else name, "interval", type(evidence))


def choose_test(evidence: Evidence, name: str | None, options: dict[str, Any]) -> Method:
    """Return the test of that name, or the default for such evidence."""
    return find_method(evidence.default("test", options) if name is None else name, "test", type(evidence))


def choose_pair(
    evidence: Evidence, method: str | None, interval: str | None, *, margin: bool = False
) -> tuple[Method, Method]:
    """Return test and interval for two models: what was named, its partner, then the default.

    The name of an interval does for a method, too: then the test is its partner, or the default.

    Examples
    --------
    >>> from tellapart.evidence import PairedTable
    >>> table = PairedTable(20, 25, 10, 45)
    >>> [chosen.name for chosen in choose_pair(table, None, None)]
    ['mcnemar-mid-p', 'tango']
    >>> [chosen.name for chosen in choose_pair(table, "bonett-price", None)]
    ['mcnemar-mid-p', 'bonett-price']
    """
    kind = type(evidence)
    test, bounds = look_up(method, "test", kind), None
    if test is None:
        bounds = look_up(method, "interval", kind)
        if method is not None and bounds is None:
            find_method(method, "test", kind)  # raises, and says what there is
        if method is not None and interval not in {None, method}:
            raise InvalidOption(f"method={method!r} and interval={interval!r} are two intervals. Give one of them.")
        interval = method if interval is None else interval
        partner = look_up(bounds.partner, "test", kind) if bounds is not None else None
        test = partner or find_method(evidence.default("margin" if margin else "test"), "test", kind)
    if margin and "against" not in test.options:
        serving = (found for found in find_methods(gives="test", evidence=kind) if found.serves(evidence.metric.name))
        able = (found.name for found in serving if "against" in found.options)
        raise InvalidOption(f"method {test.name!r} takes no margin. Choose one of: {', '.join(able)}.")
    bounds = find_method(_partner_of(test, evidence) if interval is None else interval, "interval", kind)
    if margin and evidence.subject != "learner":
        _refuse_interval_without_margin(bounds, evidence)
    return test, bounds


def _partner_of(test: Method, evidence: Evidence) -> str:
    """Return the interval that goes with a test: the one of its name, its partner, or the default."""
    named = (look_up(name, "interval", type(evidence), elsewhere=False) for name in (test.name, test.partner))
    partner = next((bounds for bounds in named if bounds is not None), None)
    # An interval of the odds never stands as that of the difference.
    if partner is not None and (partner.parameter == "difference" or evidence.subject == "learner"):
        return partner.name
    return evidence.default("interval")


def _refuse_interval_without_margin(bounds: Method, evidence: Evidence) -> None:
    """Raise InvalidOption or UnknownMethod if no margin is decided by such an interval."""
    counts_alone = evidence.subject == "classifier" and evidence.metric.is_rate
    if counts_alone and "resamples" in bounds.options:  # of scores they have a width whatever was drawn
        raise InvalidOption(f"interval {bounds.name!r} may have no width, which no margin is decided by. Leave it out.")
    if bounds.parameter != "difference":
        raise UnknownMethod(f"interval {bounds.name!r} is of the {bounds.parameter}; a margin is of the difference.")


def choose_estimator(evidence: Evidence, method: str | None) -> tuple[Method | None, Method]:
    """Return estimator and interval for one learner; without an estimator of that name the mean loss is it."""
    kind = type(evidence)
    name = evidence.default("estimate") if method is None else method
    point, bounds = look_up(name, "estimate", kind), look_up(name, "interval", kind)
    if point is None and bounds is None:
        able = {found.name for gives in _ESTIMATING for found in find_methods(gives=gives, evidence=kind)}
        raise InvalidOption(f"method {name!r} estimates no learner's error. Choose one of: {', '.join(sorted(able))}.")
    if bounds is None:
        partner = point.partner if point is not None and point.partner else evidence.default("interval")
        bounds = find_method(partner, "interval", kind)
    return point, bounds
