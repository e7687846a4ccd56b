"""One pass over the rows: conditions become columns, columns become sums, sums become a tally."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add, and_
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np

from ..errors import InvalidEvidence
from ..typing_ import IntArray
from .comparable import Comparable, make_comparable
from .engine import sum_conditions
from .problems import (
    NO_PREDICTION,
    Problem,
    collect_missing_conditions,
    combine_conditions,
    describe_problems,
    refuse_all_missing,
)
from .tally import CrossTally, Tally, sort_distinct

if TYPE_CHECKING:
    from .record import Predictions


@dataclass(slots=True)
class _GroupCounts:
    """The counts of one group."""

    examples: int = 0
    errors: list[int] = field(default_factory=list)
    patterns: dict[int, int] = field(default_factory=dict)
    unanswered: int = 0


def tally(predictions: Predictions, models: tuple[str, ...], *, patterns: bool) -> Tally:
    """Return the numbers of errors of these models, and with `patterns` their combinations."""
    table = make_comparable(predictions, models)
    forbidden, allowed = split_by_policy(table.problems, predictions.missing)
    kept = ~combine_conditions(allowed) if allowed and predictions.missing == "drop" else None
    frame, keys, right = table.frame, table.keys, table.right
    # One or two models, or many without patterns, need only sums, which take a quarter of the time of counting by
    # pattern.
    by_pattern = patterns and len(models) > 2
    counted = {}
    if by_pattern:
        frame, keys = frame.with_columns(_pattern_code(right, kept).alias("code")), [*keys, "code"]
    else:
        counted = {f"right{index}": _restrict_to(problem, kept) for index, problem in enumerate(right)}
        if patterns and len(models) == 2:
            counted["both"] = _restrict_to(right[0] & right[1], kept)
        if kept is not None:
            counted["kept"] = kept
    reasons = {f"t{index}": problem.condition for index, problem in enumerate(allowed)}
    if predictions.missing == "wrong":
        lacks = collect_missing_conditions(allowed, len(models))
        reasons |= {f"lacks{index}": holds for index, holds in lacks.items()}
        if len(lacks) == len(models):
            reasons["unpredicted"] = reduce(and_, lacks.values())
    # Counting the values of a column is free, and looking for nulls row by row is not; by pattern it is the reverse.
    full = [] if by_pattern else [problem.nulls_of for problem in forbidden if problem.nulls_of is not None]
    alarm = _forbidden_condition([problem for problem in forbidden if problem.nulls_of not in full])
    totals = sum_conditions(frame, keys, {**counted, **reasons}, alarm, table.weight, full)
    if sum(totals.get("broken", ())) or sum(totals.get("gaps", ())):
        raise describe_problems(table.frame, forbidden, can_be_wrong=True)
    because = _count_reasons(totals, allowed)
    if predictions.missing == "wrong":
        total = sum(totals["examples"])
        because = {f"{reason} (every one)" if count == total else reason: count for reason, count in because.items()}
    because |= _count_unpredicted(totals, models)
    by_group = (
        _groups_from_patterns(totals, len(models)) if by_pattern else _groups_from_sums(totals, len(models), patterns)
    )
    groups, by_group, because = _keep_filled_groups(totals, by_group, because)
    examples = _counts_by_group(by_group, table, lambda cell: cell.examples)
    return Tally(
        models=models,
        groups=groups if table.keys else None,
        excluded=because if predictions.missing == "drop" else {},
        taken_as_wrong=because if predictions.missing == "wrong" else {},
        left_out=sum(totals["examples"]) - int(np.sum(examples)),
        unanswered=_counts_by_group(by_group, table, lambda cell: cell.unanswered),
        silent=tuple(name for index, name in enumerate(models) if _is_silent(totals, index)),
        examples=examples,
        errors=_counts_by_group(by_group, table, lambda cell: cell.errors),
        patterns=_counts_by_pattern(by_group, table) if patterns else None,
    )


def cross_tally(predictions: Predictions, models: tuple[str, ...]) -> CrossTally:
    """Return the predicted labels of these models by true label."""
    table = make_comparable(predictions, models)
    # A missing prediction has no label, so it cannot be counted as wrong.
    forbidden, allowed = split_by_policy(table.problems, "drop" if predictions.missing == "drop" else "fail")
    places = [f"m{index}" for index in range(len(models))]
    frame = table.frame
    if allowed:
        frame = frame.with_columns(combine_conditions(allowed).alias("dropped"))
    keys = [*table.keys, "label", *places, *(["dropped"] if allowed else [])]
    reasons = {f"t{index}": problem.condition for index, problem in enumerate(allowed)}
    totals = sum_conditions(frame, keys, reasons, _forbidden_condition(forbidden), table.weight)
    if sum(totals.get("broken", ())):
        raise describe_problems(table.frame, forbidden, can_be_wrong=False)
    because = _count_reasons(totals, allowed)
    by_group: dict[Any, _GroupCounts] = {}
    cells: dict[tuple[Any, ...], int] = {}
    for row, count in enumerate(totals["examples"]):
        group = totals["group"][row] if table.keys else None
        cell = by_group.setdefault(group, _GroupCounts())
        if not (allowed and totals["dropped"][row]):
            cell.examples += count
            values = tuple(totals[name][row] for name in ("label", *places))
            cells[group, *values] = cells.get((group, *values), 0) + count
    groups, by_group, because = _keep_filled_groups(totals, by_group, because)
    cells = {key: count for key, count in cells.items() if count}
    labels = table.labels or _as_whole_labels(sort_distinct([label for key in cells for label in key[1:]]))
    patterns, counts = _count_patterns(cells, groups, labels)
    return CrossTally(
        models=models,
        groups=groups if table.keys else None,
        excluded=because,
        taken_as_wrong={},
        left_out=sum(totals["examples"]) - int(counts.sum()),
        labels=labels,
        patterns=patterns,
        counts=counts if table.keys else counts[0],
    )


def _count_patterns(
    cells: Mapping[tuple[Any, ...], int], groups: Sequence[Any], labels: Sequence[Any]
) -> tuple[IntArray, IntArray]:
    """Return the patterns of label and predictions that occur, in order, and their counts by group."""
    group_at = {group: index for index, group in enumerate(groups)}
    label_at = {label: index for index, label in enumerate(labels)}
    placed = {key: tuple(label_at[label] for label in key[1:]) for key in cells}
    patterns = sorted(set(placed.values()))
    pattern_at = {pattern: index for index, pattern in enumerate(patterns)}
    counts = np.zeros((len(groups), len(patterns)), dtype=np.int64)
    for key, count in cells.items():
        counts[group_at[key[0]], pattern_at[placed[key]]] = count
    return np.array(patterns, dtype=np.int64), counts


def _as_whole_labels(labels: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return 0 and 1 for 0.0 and 1.0: a column of whole numbers in which one is missing holds floats."""
    floats = all(isinstance(label, float) and label.is_integer() for label in labels)
    return tuple(int(label) for label in labels) if floats else labels


def split_by_policy(problems: Sequence[Problem], missing: Any) -> tuple[list[Problem], list[Problem]]:
    """Return the problems that prevent any count, and those that the policy settles."""
    forbidden = [problem for problem in problems if problem.is_forbidden(missing)]
    return forbidden, [problem for problem in problems if not problem.is_forbidden(missing)]


def _forbidden_condition(forbidden: Sequence[Problem]) -> dict[str, Any]:
    return {"broken": combine_conditions(forbidden)} if forbidden else {}


def _restrict_to(condition: Any, kept: Any) -> Any:
    return condition if kept is None else condition & kept


def _pattern_code(right: Sequence[Any], kept: Any) -> Any:
    """Return an integer for each example, with bit i set if model i was right; -1 for a left-out example."""
    kind = nw.Int16 if len(right) < 15 else nw.Int64  # the smaller, the faster
    zero = nw.lit(0, dtype=kind)
    bits = (
        nw.when(condition).then(nw.lit(1 << index, dtype=kind)).otherwise(zero) for index, condition in enumerate(right)
    )
    code = reduce(add, bits)
    return code if kept is None else nw.when(kept).then(code).otherwise(nw.lit(-1, dtype=kind))


def _count_reasons(totals: Mapping[str, list[Any]], allowed: Sequence[Problem]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for index, problem in enumerate(allowed):
        counts[problem.reason] = counts.get(problem.reason, 0) + sum(totals[f"t{index}"])
    return {reason: count for reason, count in counts.items() if count}


def _count_unpredicted(totals: Mapping[str, list[Any]], models: tuple[str, ...]) -> dict[str, int]:
    """Return the number of examples without any prediction, if any; raise InvalidEvidence if all are."""
    lacking = sum(totals.get("unpredicted", ()))
    refuse_all_missing(lacking, sum(totals["examples"]), models)
    return {NO_PREDICTION: lacking} if lacking and len(models) > 1 else {}


def _is_silent(totals: Mapping[str, list[Any]], index: int) -> bool:
    """Whether a model has no prediction for any example."""
    return f"lacks{index}" in totals and sum(totals[f"lacks{index}"]) == sum(totals["examples"])


def _groups_from_patterns(totals: Mapping[str, list[Any]], models: int) -> dict[Any, _GroupCounts]:
    """Return the counts by group, from a row for each pattern."""
    by_group: dict[Any, _GroupCounts] = {}
    every = (1 << models) - 1
    for row, (code, count) in enumerate(zip(totals["code"], totals["examples"], strict=True)):
        cell = by_group.setdefault(
            totals["group"][row] if "group" in totals else None, _GroupCounts(errors=[0] * models)
        )
        if code < 0 or not count:
            continue
        wrong = every & ~int(code)
        cell.examples += count
        cell.unanswered += totals["unpredicted"][row] if "unpredicted" in totals else 0
        cell.patterns[wrong] = count
        for index in range(models):
            cell.errors[index] += count * (wrong >> index & 1)
    return by_group


def _groups_from_sums(totals: Mapping[str, list[Any]], models: int, patterns: bool) -> dict[Any, _GroupCounts]:
    """Return the counts by group, from sums of right answers by subtraction."""
    by_group = {}
    for row, count in enumerate(totals.get("kept", totals["examples"])):
        right = [totals[f"right{index}"][row] for index in range(models)]
        cell = _GroupCounts(count, [count - right_count for right_count in right])
        cell.unanswered = totals["unpredicted"][row] if "unpredicted" in totals else 0
        if patterns and models == 1:
            cell.patterns = {0: right[0], 1: count - right[0]}
        elif patterns:
            both = totals["both"][row]
            cell.patterns = {0: both, 1: right[1] - both, 2: right[0] - both, 3: count - right[0] - right[1] + both}
        by_group[totals["group"][row] if "group" in totals else None] = cell
    return by_group


def _keep_filled_groups(
    totals: Mapping[str, list[Any]], by_group: dict[Any, _GroupCounts], because: dict[str, int]
) -> tuple[tuple[Any, ...], dict[Any, _GroupCounts], dict[str, int]]:
    """Return the groups with examples, in order; groups without any are named among the reasons."""
    total = sum(totals["examples"])
    if not any(cell.examples for cell in by_group.values()):
        raise no_examples_left(total, because)
    groups = sort_distinct([group for group, cell in by_group.items() if cell.examples])
    lost = sort_distinct([group for group, cell in by_group.items() if not cell.examples])
    gone = {f"all examples of group {group!r}": _count_group(totals, group) for group in lost}
    return groups, {group: by_group[group] for group in groups}, {**because, **gone}


def no_examples_left(total: int, reasons: Mapping[str, int]) -> InvalidEvidence:
    """Return the error for a table of which no example can be counted."""
    why = "; ".join(f"{reason}: {count:,}" for reason, count in reasons.items())
    if not why:
        return InvalidEvidence("the table must hold at least one example, got none. Check the file.")
    return InvalidEvidence(f"no example is left of {total:,} ({why}). Fill in the missing values.")


def _count_group(totals: Mapping[str, list[Any]], group: Any) -> int:
    return sum(count for name, count in zip(totals["group"], totals["examples"], strict=True) if name == group)


def _counts_by_pattern(by_group: Mapping[Any, _GroupCounts], table: Comparable) -> dict[int, IntArray]:
    """Return the counts of every pattern that occurs."""
    codes = sorted({code for cell in by_group.values() for code in cell.patterns})
    return {
        code: _counts_by_group(by_group, table, lambda cell, code=code: cell.patterns.get(code, 0)) for code in codes
    }


def _counts_by_group(by_group: Mapping[Any, _GroupCounts], table: Comparable, pick: Any) -> IntArray:
    """Return a count of every group, or the only one."""
    counts = np.array([pick(cell) for cell in by_group.values()], dtype=np.int64)
    return counts if table.keys else counts[0]
