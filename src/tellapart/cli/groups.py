"""`tellapart compare --group`: an answer for every group and pair of models, with adjusted p-values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ..errors import InvalidOption
from ..evidence import ErrorPatterns
from ..rendering import plain
from ..results import Comparison
from ..verbs import compare
from .answer_tables import GroupTable
from .printing import show_result

if TYPE_CHECKING:
    from ..evidence import LabelPatterns
    from ..predictions import Disagreements, Tally
    from .answer_output import Output


def show_groups(
    patterns: ErrorPatterns | LabelPatterns,
    groups: Sequence[Any],
    left_out: dict[str, int],
    method: str | None,
    adjust: str | None,
    request: dict[str, Any],
    rows: Disagreements | None = None,
    *,
    how: Output,
) -> dict[str, Comparison]:
    """Print a line (or JSON) for every group and pair of models; return the comparisons by name.

    The patterns have an entry for each group; `left_out` counts what was left out, by reason.
    """
    if method == "all":
        raise InvalidOption("`--method` must be one method with --group, got all.")
    if adjust == "max-t":
        raise InvalidOption("`--adjust` must be another method with --group, such as holm, got max-t.")
    rule: Any = adjust or "holm"
    tables = patterns.pairs()
    answers = compare(tables, method=method, adjust=rule, **request)
    cells = [
        (group, _name_models(answers[group_index, pair_index], pair))
        for group_index, group in enumerate(groups)
        for pair_index, pair in enumerate(patterns.pair_names())
    ]
    by_name = {_label_group(*cell, several=len(patterns.models) > 2): cell[1] for cell in cells}
    if how.as_json:
        whole: dict[str, Any] = {"adjustment": rule, "groups": [_as_dict(*cell) for cell in cells]}
        whole |= {"excluded": left_out} if left_out else {}
        whole |= {} if rows is None else {"examples": rows.as_dict()}
        click.echo(json.dumps(plain(whole), indent=2, ensure_ascii=False))
        return by_name
    show_result(GroupTable(answers, cells, left_out))
    how.show_rows(rows)
    return by_name


def merge_groups(tally: Tally) -> Tally:
    """Return the counts of all groups as one."""
    if tally.groups is None:
        return tally
    patterns = tally.patterns and {code: count.sum(axis=0) for code, count in tally.patterns.items()}
    errors, examples = tally.errors.sum(axis=0), tally.examples.sum(axis=0)
    return replace(tally, groups=None, errors=errors, examples=examples, patterns=patterns)


def _label_group(group: Any, answer: Comparison, *, several: bool) -> str:
    """Return the name of a group in a report; for several models with the two that are compared."""
    models = answer.evidence.models
    return f"{group}: {models[0]} or {models[1]}" if several else str(group)


def _name_models(answer: Comparison, pair: tuple[str, str]) -> Comparison:
    return replace(answer, evidence=replace(answer.evidence, models=pair))  # type: ignore[type-var]  # evidence is a dataclass


def _as_dict(group: Any, answer: Comparison) -> dict[str, Any]:
    document = answer.as_dict()
    a, b = document["evidence"]["models"]
    return {"group": group, "a": a, "b": b, "adjusted": answer.pvalue} | document
