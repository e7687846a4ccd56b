"""Lines of Python that give an answer again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import TellapartError
from ...evidence import ConfusionMatrix, ErrorCount, IndependentCounts, PairedConfusion, PairedTable
from ...results import Comparison, Estimate
from ...verbs import compare, estimate

_DEFAULTS = {"alpha": 0.05, "side": "two", "alternative": "two-sided"}
_FEW = 64  # counts by label that lines have room for
_PLAIN = (str, int, float, bool)  # labels that are written as they are


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
    if not isinstance(evidence, ErrorCount | PairedTable | IndependentCounts) and not _few_labels(evidence):
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
    metric = _metric(answer.evidence)
    if isinstance(answer, Estimate):
        return metric | {"method": answer.method, "alpha": answer.interval.alpha, "side": answer.interval.side}
    asked: dict[str, Any] = metric | {"method": answer.method, "alpha": answer.alpha}
    if isinstance(answer.evidence, ErrorCount):
        asked["against"] = float(answer.against)
    else:
        asked["interval"] = answer.interval.method
    if answer.hypothesis.kind == "different":
        asked["alternative"] = answer.alternative
    else:
        asked |= {"margin": answer.margin, "hypothesis": answer.hypothesis.kind}
    return asked | ({"looks": answer.note("looks")} if answer.note("looks", 0) else {})


def _metric(evidence: Any) -> dict[str, Any]:
    """Return the metric that counts by label were asked for, with its class and its costs."""
    if not isinstance(evidence, ConfusionMatrix | PairedConfusion):
        return {}
    asked = evidence.metric
    told = {"metric": asked.name} | ({} if asked.positive is None else {"positive": asked.labels[asked.positive]})
    return told if asked.costs is None else told | {"costs": [list(row) for row in asked.costs]}


def _few_labels(evidence: Any) -> bool:
    counted = isinstance(evidence, ConfusionMatrix | PairedConfusion)
    return counted and evidence.counts.size <= _FEW and all(type(label) in _PLAIN for label in evidence.labels)


def _same(answer: Any, again: Any) -> bool:
    """Whether two answers of one kind have the same figures; p-values that were adjusted belong to several answers."""
    here, there = (
        [each.interval.low, each.interval.high, each.pvalue if isinstance(each, Comparison) else each.estimate]
        for each in (answer, again)
    )
    return getattr(answer, "adjusted", None) is None and np.array_equal(here, there, equal_nan=True)


def _written(evidence: Any) -> str:
    models = "" if getattr(evidence, "models", ("A", "B")) == ("A", "B") else f", models={evidence.models!r}"
    if isinstance(evidence, ConfusionMatrix | PairedConfusion):
        return f"ta.{type(evidence).__name__}({evidence.counts.tolist()}, {list(evidence.labels)!r}{models})"
    if not isinstance(evidence, IndependentCounts):
        return f"ta.{evidence!r}"
    return f"ta.IndependentCounts(ta.{evidence.a!r}, ta.{evidence.b!r}{models})"
