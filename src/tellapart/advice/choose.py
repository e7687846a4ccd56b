"""From evidence to method: the default, and what to consider instead.

Defaults depend on the type of the evidence, never on its numbers; advice may look at both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..evidence import ErrorCount, Evidence, expect
from ..methods import Method, find_method
from ..types import Side

__all__ = ["Advice", "advise_interval", "choose_interval", "choose_test"]

# An interval is to be near its level on average; a test is to keep it. By exact size only the exact
# test does that at every threshold: the others reject up to three times too often at some.
_INTERVALS = {ErrorCount: "jeffreys"}
_TESTS = {ErrorCount: "clopper-pearson"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """A method worth considering, and when."""

    method: str
    when: str
    side: Side = "two"


def choose_interval(evidence: Evidence, name: str | None, options: dict[str, Any]) -> Method:
    """Return the interval of that name, or the default for such evidence."""
    return find_method(_default(_INTERVALS, evidence, options) if name is None else name, "interval", type(evidence))


def choose_test(evidence: Evidence, name: str | None, options: dict[str, Any]) -> Method:
    """Return the test of that name, or the default for such evidence."""
    return find_method(_default(_TESTS, evidence, options) if name is None else name, "test", type(evidence))


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


def _default(defaults: dict[type[ErrorCount], str], evidence: Evidence, options: dict[str, Any]) -> str:
    if "prior" in options:  # a prior without a method means the posterior under it
        return "posterior" if callable(options["prior"]) else "beta"
    return defaults[type(evidence)]  # type: ignore[index]  # verbs let no other evidence through
