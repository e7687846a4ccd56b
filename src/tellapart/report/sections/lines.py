"""Lines of Python that give an answer again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import TellapartError
from ...evidence import ErrorCount, IndependentCounts, PairedTable
from ...results import Comparison, Estimate
from ...verbs import compare, estimate

__all__ = ["lines_of"]

_DEFAULTS = {"alpha": 0.05, "side": "two", "alternative": "two-sided"}


def lines_of(answer: Any) -> str:
    """Return lines that give this very answer, where its evidence is a few counts; else nothing.

    What options its methods were given is not kept with an answer, so the lines are tried: what would give another
    answer is not shown.

    Examples
    --------
    >>> print(lines_of(estimate(ErrorCount(3, 120), method="wilson")))
    import tellapart as ta
    <BLANKLINE>
    evidence = ta.ErrorCount(errors=3, trials=120)
    print(ta.estimate(evidence, method='wilson'))
    """
    if not isinstance(answer, Comparison | Estimate):
        return ""
    evidence, verb = answer.evidence, compare if isinstance(answer, Comparison) else estimate
    if not isinstance(evidence, ErrorCount | PairedTable | IndependentCounts):
        return ""
    asked = _asked(answer)
    try:
        again = verb(evidence, **asked)
    except TellapartError:  # it had options that nobody can guess
        return ""
    if not _same(answer, again):
        return ""
    shown = {name: value for name, value in asked.items() if _DEFAULTS.get(name) != value}
    options = "".join(f", {name}={value!r}" for name, value in shown.items())
    return f"import tellapart as ta\n\nevidence = {_written(evidence)}\nprint(ta.{verb.__name__}(evidence{options}))"


def _asked(answer: Comparison | Estimate) -> dict[str, Any]:
    """Return what the verb was asked, as far as the answer tells."""
    if isinstance(answer, Estimate):
        return {"method": answer.method, "alpha": answer.interval.alpha, "side": answer.interval.side}
    asked: dict[str, Any] = {"method": answer.method, "alpha": answer.alpha}
    if isinstance(answer.evidence, ErrorCount):
        asked["against"] = float(answer.against)
    else:
        asked["interval"] = answer.interval.method
    if answer.hypothesis == "different":
        asked["alternative"] = answer.alternative
    else:
        asked |= {"margin": answer.margin, "hypothesis": answer.hypothesis}
    return asked | ({"looks": answer.looks} if answer.looks else {})


def _same(answer: Any, again: Any) -> bool:
    """Whether two answers of one kind have the same figures; p-values that were adjusted belong to several answers."""
    here, there = (
        [each.interval.low, each.interval.high, each.pvalue if isinstance(each, Comparison) else each.estimate]
        for each in (answer, again)
    )
    return getattr(answer, "adjusted", None) is None and np.array_equal(here, there, equal_nan=True)


def _written(evidence: ErrorCount | PairedTable | IndependentCounts) -> str:
    if not isinstance(evidence, IndependentCounts):
        return f"ta.{evidence!r}"
    models = "" if evidence.models == ("A", "B") else f", models={evidence.models!r}"
    return f"ta.IndependentCounts(ta.{evidence.a!r}, ta.{evidence.b!r}{models})"
