"""Group by group: a picture and a table of many answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ...results import Breakdown, Comparison, Estimate
from ...results.wording import difference_name, written
from ..blocks import Block, Cell, Figure, Section, Table, Text
from ..picture import Picture
from .cells import difference_cell, difference_heads, limit_cells, number_cell, pvalue_cell, spread_of
from .headline import facts_of
from .page_context import PageContext


def group_sections(context: PageContext) -> Iterator[Section]:
    """Return the error, or the difference, of every group: a picture and a table."""
    if not context.groups:
        return
    from ..plots import groups_picture

    broken = context.groups if isinstance(context.groups, Breakdown) else None
    groups: Mapping[str, Any] = context.groups if broken is None else broken.answers  # type: ignore[assignment]
    of_two = {name: each for name, each in groups.items() if isinstance(each, Comparison)}
    table = _comparisons_table(of_two) if of_two else estimates_table(groups, "group")
    figures = figure_of_many(groups, groups_picture, "differ most" if of_two else "are largest")
    message: tuple[Block, ...] = () if broken is None else (Text(paragraphs=(_TWO_WAYS,)), *facts_of(broken.rows()))
    yield Section(id="groups", title="Group by group", blocks=(*message, *figures, table))


_TWO_WAYS = (
    "In the macro average every group counts the same; among all examples every example does, so that large groups"
    " count more. The two differ where groups of different sizes say different things."
)


def figure_of_many(
    answers: Mapping[str, Any], draw: Callable[[Mapping[str, Any]], Picture], which: str
) -> tuple[Block, ...]:
    """Return a picture of several answers; of very many, of the largest, in their order."""
    if len(answers) <= _DRAWN:
        return (Figure(picture=draw(answers)),)
    sizes = {
        name: abs(float(getattr(each, "difference", getattr(each, "estimate", 0)))) for name, each in answers.items()
    }
    largest = set(sorted(sizes, key=sizes.__getitem__, reverse=True)[:_DRAWN])
    text = f"Of {len(answers)}, the picture shows the {_DRAWN} that {which}; the table has the others, too."
    shown = {name: each for name, each in answers.items() if name in largest}
    return Text(paragraphs=(text,)), Figure(picture=draw(shown))


_DRAWN = 60  # rows that a picture has room for


def _comparisons_table(groups: Mapping[str, Comparison]) -> Table:
    first = next(iter(groups.values()))
    named = len({each.evidence.models for each in groups.values()}) > 1
    adjusted = any(each.adjusted is not None for each in groups.values())
    shown = first.hypothesis.kind if first.hypothesis.kind != "different" else "better"
    head = [
        "group",
        *(["A", "B"] if named else []),
        shown,
        *difference_heads("difference", first.interval),
        "p",
        *(["adjusted p"] if adjusted else []),
    ]
    rows, spread = [], spread_of(*(each.interval for each in groups.values()))
    for name, each in groups.items():
        models = each.evidence.models
        adjusted_pvalue, drawn = each.pvalue, each.simulated
        if each.adjusted is not None:
            adjusted_pvalue, drawn = each.adjusted, each.adjusted_simulated
        verdict = {"A": models[0], "B": models[1], None: ""}[each.better]
        if each.hypothesis.kind != "different":
            verdict = "shown" if each.rejected else "not shown"
        rows.append(
            [
                str(name),
                *(models if named else []),
                verdict,
                difference_cell(each.difference, each.interval, spread),
                *limit_cells(each.interval, spread),
                pvalue_cell(each.pvalue, each.alpha, each.simulated),
                *([pvalue_cell(adjusted_pvalue, each.alpha, drawn)] if adjusted else []),
            ]
        )
    a, b = first.evidence.models
    text = "" if named or first.evidence.event != "wrong" else f": {difference_name(first.evidence, a, b)}"
    rule = f"p-values adjusted by {first.adjustment}" if first.adjustment else "every group by itself"
    kind = first.interval.kind_text()
    return Table.of(f"The difference by group{text}", head, rows, note=f"{first.method}; {rule}; limits: {kind}.")


def _error_cell(answer: Estimate, spread: float) -> Cell:
    """Return an error rate, or another loss, with the digits that an interval of such a width earns."""
    value = float(answer.estimate)
    return number_cell(value, written(value, spread if np.isfinite(spread) else value, answer.interval.metric))


def estimates_table(estimates: Mapping[str, Estimate], head: str = "model") -> Table:
    """Return a line for each of several estimates."""
    first = next(iter(estimates.values()))
    what = first.evidence.metric.title
    spread = spread_of(*(each.interval for each in estimates.values()))
    failed = [
        " ".join(dict.fromkeys(check.code for check in each.checks if not check.holds)) for each in estimates.values()
    ]
    rows = [
        (
            str(name),
            _error_cell(each, spread),
            *limit_cells(each.interval, spread),
            each.evidence.describe(),
            *([codes] if any(failed) else []),
        )
        for (name, each), codes in zip(estimates.items(), failed, strict=True)
    ]
    note = f"Limits: {first.interval.kind_text()}."
    if len(estimates) > 1:
        note = f"{note} Each stands by itself: that two intervals overlap does not say that the two are alike."
    heads = (head, what, "from", "to", "seen", *(["failed checks"] if any(failed) else []))
    return Table.of(f"The {what} in figures", heads, rows, note=note)
