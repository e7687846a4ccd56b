"""`tellapart compare --group`: an answer for every group and pair of models, whose p-values pay for their number."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from ..errors import InvalidOption
from ..evidence import ErrorPatterns
from ..rendering import folded, plain
from ..results import Comparison, shown_pvalue
from ..results.wording import excluded_text, looks_text
from ..verbs import compare

if TYPE_CHECKING:
    from ..evidence import LabelPatterns
    from ..predictions import Disagreements, Tally
    from .reports import Output


def show_groups(
    patterns: ErrorPatterns | LabelPatterns,
    groups: Sequence[Any],
    left_out: dict[str, int],
    method: str | None,
    adjust: str | None,
    asked: dict[str, Any],
    rows: Disagreements | None = None,
    *,
    how: Output,
) -> dict[str, Comparison]:
    """Print a line (or an object) for every group and pair of models; return them by name.

    The patterns have an entry for each of the groups; `left_out` is what was left out of them, and why.
    """
    if method == "all":
        raise InvalidOption("--method all is for one table. Leave --group out.")
    if adjust == "max-t":
        raise InvalidOption("--adjust max-t is for one table of several models. Leave --group out, or take holm.")
    rule: Any = adjust or "holm"
    tables = patterns.pairs()
    answers = compare(tables, method=method, adjust=rule, **asked)
    cells = [
        (group, _named(answers[place, other], pair))
        for place, group in enumerate(groups)
        for other, pair in enumerate(patterns.pair_names())
    ]
    by_name = {_name(*cell, several=len(patterns.models) > 2): cell[1] for cell in cells}
    if how.as_json:
        whole: dict[str, Any] = {"adjustment": rule, "groups": [_as_dict(*cell) for cell in cells]}
        whole |= {"excluded": left_out} if left_out else {}
        whole |= {} if rows is None else {"examples": rows.as_dict()}
        click.echo(json.dumps(plain(whole), indent=2, ensure_ascii=False))
        return by_name
    _show_table(cells, answers, rule)
    for said in (looks_text(answers.note("looks", 0), answers.alpha), excluded_text(left_out).strip()):
        if said:
            click.echo(folded("", said))
    how.show_rows(rows)
    return by_name


def _show_table(cells: list[tuple[Any, Comparison]], answers: Comparison, rule: str) -> None:
    """Print a line for every group and pair, below how they were compared."""
    from .tables import show_table

    for line in _heading(answers, rule):
        click.echo(folded("", line))
    seen, pvalues = ("A wrong, B right", "A right, B wrong"), ("p", "adjusted p")
    if not answers.evidence.metric.is_rate:
        seen = (f"{answers.evidence.metric.title} of A", "of B")
    counts = ("examples", *seen, "difference")
    parameter = answers.interval.parameter
    interval = "interval" if parameter == "difference" else f"interval of the {parameter}"
    last = "better" if answers.hypothesis.kind == "different" else answers.hypothesis.kind
    lines = [_row(*cell) for cell in cells]
    show_table(("group", "A", "B", *counts, interval, *pvalues, last), lines, numbers=(*counts, *pvalues))
    broken = sorted({check.code for check in answers.checks if not np.all(check.holds)})
    if broken:
        fail = "fails" if len(broken) == 1 else "fail"
        click.echo(f"caution: {', '.join(broken)} {fail} in some groups; --json tells where and why.")


def together(tally: Tally) -> Tally:
    """Return the counts of all groups as one."""
    if tally.groups is None:
        return tally
    patterns = tally.patterns and {code: count.sum(axis=0) for code, count in tally.patterns.items()}
    errors, examples = tally.errors.sum(axis=0), tally.examples.sum(axis=0)
    return replace(tally, groups=None, errors=errors, examples=examples, patterns=patterns)


def _name(group: Any, answer: Comparison, *, several: bool) -> str:
    """Return what a page calls a group; of several models, with the two that are compared."""
    models = answer.evidence.models
    return f"{group}: {models[0]} or {models[1]}" if several else str(group)


def _heading(answers: Comparison, rule: str) -> list[str]:
    asked = answers.alternative if answers.hypothesis.kind == "different" else f"margin {answers.margin:g}"
    paid = "p-values not adjusted" if rule == "none" else f"p-values adjusted by {rule}"
    first = f"{answers.method} ({asked}), {paid}; {answers.interval.kind_text()}"
    if answers.hypothesis.kind == "different" or rule == "none":
        return [first]
    return [first, "To claim it of every group at once no adjustment is needed: --adjust none, and all must be shown."]


def _named(answer: Comparison, pair: tuple[str, str]) -> Comparison:
    return replace(answer, evidence=replace(answer.evidence, models=pair))  # type: ignore[type-var]  # evidence is a dataclass


def _as_dict(group: Any, answer: Comparison) -> dict[str, Any]:
    told = answer.as_dict()
    a, b = told["evidence"]["models"]
    return {"group": group, "a": a, "b": b, "adjusted": answer.pvalue} | told


def _row(group: Any, answer: Comparison) -> tuple[str, ...]:
    table: Any = answer.evidence
    alone = (answer.pvalue, answer.simulated)
    pvalues = [alone, alone if answer.adjusted is None else (answer.adjusted, answer.adjusted_simulated)]
    if answer.hypothesis.kind != "different":
        verdict = "shown" if answer.rejected else "not shown"
    else:
        verdict = {"A": table.models[0], "B": table.models[1], None: "-"}[answer.better]
    if not table.metric.is_rate:
        from .metric_answers import value_text

        apart = float(answer.difference)
        seen = (*map(value_text, table.levels.tolist()), "-" if np.isnan(apart) else f"{apart:+.4f}")
    else:
        seen = str(table.only_a_wrong), str(table.only_b_wrong), f"{100 * float(answer.difference):+.2f}"
    return (
        str(group),
        *table.models,
        str(table.examples),
        *seen,
        answer.interval.limits_text(spread=answer.interval.spread(float(answer.difference))),
        *(shown_pvalue(float(value), answer.alpha, drawn) for value, drawn in pvalues),
        verdict,
    )
