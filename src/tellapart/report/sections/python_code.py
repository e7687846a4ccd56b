"""Lines of Python that give an answer again."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from ...errors import TellapartError
from ...evidence import ConfusionMatrix, ErrorCount, Evidence, IndependentCounts, PairedConfusion, PairedTable
from ...evidence.labelled import Labelled
from ...results import Comparison, Estimate
from ...verbs import compare, estimate

_DEFAULTS = {"alpha": 0.05, "side": "two", "alternative": "two-sided"}
_FEW = 64  # counts by label that lines have room for
_PLAIN = (str, int, float, bool)  # labels that are written as they are


def write_python_code(answer: Any) -> str:
    """Return lines that give this very answer, where its evidence is a few counts; else nothing.

    What options its methods were given is not kept with an answer, so the lines are tried: what would give another
    answer is not shown.

    Examples
    --------
    >>> print(write_python_code(estimate(ErrorCount(3, 120), method="wilson")))
    import tellapart as ta
    <BLANKLINE>
    evidence = ta.ErrorCount(errors=3, trials=120)
    print(ta.estimate(evidence, method='wilson'))
    """
    if not isinstance(answer, Comparison | Estimate):
        return ""
    evidence, verb = answer.evidence, compare if isinstance(answer, Comparison) else estimate
    written = code_of(evidence)
    if not written:
        return ""
    request = _collect_options(answer)
    try:
        again = verb(evidence, **request)
    except TellapartError:  # options that are not stored with the answer
        return ""
    if not _has_same_figures(answer, again):
        return ""
    shown = {name: value for name, value in request.items() if _DEFAULTS.get(name) != value}
    options = "".join(f", {name}={value!r}" for name, value in shown.items())
    return f"import tellapart as ta\n\nevidence = {written}\nprint(ta.{verb.__name__}(evidence{options}))"


def _collect_options(answer: Comparison | Estimate) -> dict[str, Any]:
    """Return what the verb was asked, as far as the answer tells."""
    metric = metric_options(answer.evidence)
    if isinstance(answer, Estimate):
        return metric | {"method": answer.method, "alpha": answer.interval.alpha, "side": answer.interval.side}
    options: dict[str, Any] = metric | {"method": answer.method, "alpha": answer.alpha}
    if len(answer.evidence.models) == 1:
        options["against"] = float(answer.against)
    else:
        options["interval"] = answer.interval.method
    if answer.hypothesis.kind == "different":
        options["alternative"] = answer.alternative
    else:
        options |= {"margin": answer.margin, "hypothesis": answer.hypothesis.kind}
    return options | ({"looks": answer.note("looks")} if answer.note("looks", 0) else {})


@singledispatch
def metric_options(_: Any) -> dict[str, Any]:
    """Return the keywords of the verbs that ask this evidence for its metric; none where it has but one."""
    return {}


@metric_options.register
def _metric_of_labels(evidence: Labelled) -> dict[str, Any]:
    metric = evidence.metric
    options = {"metric": metric.name} | (
        {} if metric.positive is None else {"positive": metric.labels[metric.positive]}
    )
    return options if metric.costs is None else options | {"costs": [list(row) for row in metric.costs]}


def _has_same_figures(answer: Any, again: Any) -> bool:
    """Whether two answers of one kind have the same figures; p-values that were adjusted belong to several answers."""
    here, there = (
        [each.interval.low, each.interval.high, each.pvalue if isinstance(each, Comparison) else each.estimate]
        for each in (answer, again)
    )
    return getattr(answer, "adjusted", None) is None and np.array_equal(here, there, equal_nan=True)


@singledispatch
def code_of(_: Any) -> str:
    """Return how evidence of a few counts is written in Python; empty for any other."""
    return ""


@code_of.register
def _code_of_counts(evidence: ErrorCount | PairedTable) -> str:
    return f"ta.{evidence!r}"


@code_of.register
def _code_of_independent(evidence: IndependentCounts) -> str:
    return f"ta.IndependentCounts(ta.{evidence.a!r}, ta.{evidence.b!r}{_models_option(evidence)})"


@code_of.register
def _code_of_confusion(evidence: ConfusionMatrix | PairedConfusion) -> str:
    if evidence.counts.size > _FEW or not all(type(label) in _PLAIN for label in evidence.labels):
        return ""
    name = type(evidence).__name__
    return f"ta.{name}({evidence.counts.tolist()}, {list(evidence.labels)!r}{_models_option(evidence)})"


def _models_option(evidence: Evidence) -> str:
    return "" if evidence.models in {("A",), ("A", "B")} else f", models={evidence.models!r}"
