"""Group by group: a picture and a table of many answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ...figures import scale_of
from ...results import Breakdown, Comparison, Estimate
from ...results.wording import difference_name, interval_limits
from ..blocks import Block, Cell, Figure, Section, Table, Text
from ..method_titles import interval_note, method_title
from ..picture import Picture
from .cells import difference_cell, difference_heads, limit_cells, median_width, number_cell, pvalue_cell
from .headline import facts_of
from .page_context import PageContext


def group_sections(context: PageContext) -> Iterator[Section]:
    """Yield the results by group as a picture and as a table; nothing if there are no groups."""
    if not context.groups:
        return
    from ..plots import groups_picture

    breakdown = context.groups if isinstance(context.groups, Breakdown) else None
    groups: Mapping[str, Any] = context.groups if breakdown is None else breakdown.answers  # type: ignore[assignment]
    comparisons = {name: answer for name, answer in groups.items() if isinstance(answer, Comparison)}
    table = _comparisons_table(comparisons) if comparisons else estimates_table(groups, "group")
    figures = figure_of_many(groups, groups_picture)
    averages: tuple[Block, ...] = ()
    if breakdown is not None:
        averages = (
            Text(paragraphs=(_TWO_AVERAGES,)),
            *facts_of((row.label, row.text) for row in breakdown.display().rows),
        )
    yield Section(id="groups", title="Results by group", blocks=(*averages, *figures, table))


_TWO_AVERAGES = (
    "The macro average weights all groups equally; the average over examples weights large groups more. They differ if"
    " groups of different sizes have different results."
)


def figure_of_many(answers: Mapping[str, Any], draw: Callable[[Mapping[str, Any]], Picture]) -> tuple[Block, ...]:
    """Return a picture of several answers; of very many, of those with the largest values, in their order."""
    if len(answers) <= _DRAWN:
        return (Figure(picture=draw(answers)),)
    sizes = {
        name: abs(float(getattr(answer, "difference", getattr(answer, "estimate", 0))))
        for name, answer in answers.items()
    }
    largest = set(sorted(sizes, key=sizes.__getitem__, reverse=True)[:_DRAWN])
    note = f"The figure shows the {_DRAWN} largest of {len(answers):,}; the table lists all."
    drawn = {name: answer for name, answer in answers.items() if name in largest}
    return Text(paragraphs=(note,)), Figure(picture=draw(drawn))


_DRAWN = 60  # rows that a picture has room for


def _comparisons_table(groups: Mapping[str, Comparison]) -> Table:
    first = next(iter(groups.values()))
    models_differ = len({answer.evidence.models for answer in groups.values()}) > 1
    adjusted = any(answer.adjusted is not None for answer in groups.values())
    kind = first.hypothesis.kind
    head = [
        "group",
        *(["A", "B"] if models_differ else []),
        kind if kind != "different" else "better",
        *difference_heads("difference", first.interval),
        "p",
        *(["adjusted p"] if adjusted else []),
    ]
    rows, width = [], median_width(*(answer.interval for answer in groups.values()))
    for name, answer in groups.items():
        models = answer.evidence.models
        deciding, simulated = answer.pvalue, answer.simulated
        if answer.adjusted is not None:
            deciding, simulated = answer.adjusted, answer.adjusted_simulated
        verdict = {"A": models[0], "B": models[1], None: ""}[answer.better]
        if answer.hypothesis.kind != "different":
            verdict = "demonstrated" if answer.rejected else "inconclusive"
        rows.append(
            [
                str(name),
                *(models if models_differ else []),
                verdict,
                difference_cell(answer.difference, answer.interval, width),
                *limit_cells(answer.interval, width),
                pvalue_cell(answer.pvalue, answer.alpha, answer.simulated),
                *([pvalue_cell(deciding, answer.alpha, simulated)] if adjusted else []),
            ]
        )
    a, b = first.evidence.models
    quantity = "" if models_differ or first.evidence.event != "wrong" else f": {difference_name(first.evidence, a, b)}"
    rule = f"p-values adjusted by {first.adjustment}" if first.adjustment else "individual (unadjusted) p-values"
    test = method_title(first.method, "test", first.evidence)
    note = f"{test}, {rule}. {interval_note(first.interval, first.evidence)}"
    return Table.of(f"Difference by group{quantity}", head, rows, note=note)


def estimates_table(estimates: Mapping[str, Estimate], head: str = "model") -> Table:
    """Return a line for each of several estimates."""
    first = next(iter(estimates.values()))
    title = first.evidence.metric.report_title
    width = median_width(*(answer.interval for answer in estimates.values()))
    failed = [
        " ".join(dict.fromkeys(check.code for check in answer.checks if not check.holds))
        for answer in estimates.values()
    ]
    rows = [
        (
            str(name),
            *_estimate_cells(answer, width),
            answer.evidence.data_row(),
            *([codes] if any(failed) else []),
        )
        for (name, answer), codes in zip(estimates.items(), failed, strict=True)
    ]
    note = interval_note(first.interval, first.evidence)
    if len(estimates) > 1:
        note = f"{note} Individual intervals: whether two overlap does not test their difference."
    heads = (head, title, "low", "high", "data", *(["failed checks"] if any(failed) else []))
    return Table.of(f"{title[:1].upper()}{title[1:]} in numbers", heads, rows, note=note)


def _estimate_cells(answer: Estimate, width: float) -> tuple[Cell, ...]:
    """Return the metric and its limits as readers see them; the open end of a one-sided interval is empty."""
    interval, metric = answer.interval, answer.evidence.metric
    kind = answer.evidence.value_kind
    scale = scale_of(kind, (width if np.isfinite(width) else float(interval.width)) / 2)
    low, high = interval_limits(answer.evidence, interval)
    if interval.side != "two":
        low, high = (low, np.nan) if (interval.side == "lower") != metric.as_accuracy else (np.nan, high)
    values = (float(metric.report_value(answer.estimate)), low, high)
    return tuple(number_cell(value, scale.value(value)) for value in values)
