"""Methods and intervals as tables and pictures name them."""

from __future__ import annotations

from typing import Any, Literal

from ..figures import level_text
from ..methods import look_up
from ..results import Interval

_SIDES = {"two": "CI", "upper": "upper limit", "lower": "lower limit"}


def method_title(name: str, gives: Literal["test", "interval", "estimate", "pairs"], evidence: Any) -> str:
    """Return the display title of a method; its name if the registry does not have it."""
    method = look_up(name, gives, type(evidence))
    return name if method is None else method.display_title


def interval_title(interval: Interval, evidence: Any) -> str:
    """Return level, side and method of an interval: "95% CI, Tango score interval"."""
    return f"{level_text(interval.alpha)} {_SIDES[interval.side]}, {_interval_method(interval, evidence)}"


def interval_note(interval: Interval, evidence: Any) -> str:
    """Return the same as a sentence below a table: "95% CI: Tango score interval."."""
    return f"{level_text(interval.alpha)} {_SIDES[interval.side]}: {_interval_method(interval, evidence)}."


def _interval_method(interval: Interval, evidence: Any) -> str:
    """Return the title of the interval; some methods give intervals of all pairs at once."""
    if interval.title:
        return interval.title
    for gives in ("interval", "pairs"):
        method = look_up(interval.method, gives, type(evidence))
        if method is not None:
            return method.display_title
    return interval.method
