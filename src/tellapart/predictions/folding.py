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
from .comparable import Comparable, comparable
from .engine import sums
from .tally import CrossTally, Tally, different_in_order
from .troubles import NOBODY, Trouble, any_of, lacks_prediction, refuse_all_missing, refused

if TYPE_CHECKING:
    from .record import Predictions


@dataclass(slots=True)
class _Cell:
    """The counts of one group."""

    examples: int = 0
    errors: list[int] = field(default_factory=list)
    patterns: dict[int, int] = field(default_factory=dict)
    unanswered: int = 0


def tally(predictions: Predictions, models: tuple[str, ...], *, patterns: bool) -> Tally:
    """Count who was wrong where."""
    table = comparable(predictions, models)
    forbidden, allowed = sorted_out(table.troubles, predictions.missing)
    kept = ~any_of(allowed) if allowed and predictions.missing == "drop" else None
    frame, keys, right = table.frame, table.keys, table.right
    # Two models need three sums, which take a quarter of the time of counting by pattern; so does one model,
    # and so do many if nobody asks for their patterns.
    by_pattern = patterns and len(models) > 2
    counted = {}
    if by_pattern:
        frame, keys = frame.with_columns(_code(right, kept).alias("code")), [*keys, "code"]
    else:
        counted = {f"right{place}": _and(each, kept) for place, each in enumerate(right)}
        if patterns and len(models) == 2:
            counted["both"] = _and(right[0] & right[1], kept)
        if kept is not None:
            counted["kept"] = kept
    reasons = {f"t{place}": each.holds for place, each in enumerate(allowed)}
    if predictions.missing == "wrong":
        lacks = lacks_prediction(allowed, len(models))
        reasons |= {f"lacks{place}": holds for place, holds in lacks.items()}
        if len(lacks) == len(models):
            reasons["nobody"] = reduce(and_, lacks.values())
    # To count what a column holds is free, to look for nulls row by row is not; by pattern it is the other way.
    full = [] if by_pattern else [each.gap_in for each in forbidden if each.gap_in is not None]
    alarm = _alarm([each for each in forbidden if each.gap_in not in full])
    found = sums(frame, keys, {**counted, **reasons}, alarm, table.weight, full)
    if sum(found.get("broken", ())) or sum(found.get("gaps", ())):
        raise refused(table.frame, forbidden, can_be_wrong=True)
    because = _because(found, allowed)
    if predictions.missing == "wrong":
        total = sum(found["examples"])
        because = {f"{reason} (every one)" if count == total else reason: count for reason, count in because.items()}
    because |= _predicted_by_nobody(found, models)
    by_group = _from_codes(found, len(models)) if by_pattern else _from_sums(found, len(models), patterns)
    groups, by_group, because = _some_left(found, by_group, because)
    examples = _along(by_group, table, lambda cell: cell.examples)
    return Tally(
        models=models,
        groups=groups if table.keys else None,
        excluded=because if predictions.missing == "drop" else {},
        taken_as_wrong=because if predictions.missing == "wrong" else {},
        left_out=sum(found["examples"]) - int(np.sum(examples)),
        unanswered=_along(by_group, table, lambda cell: cell.unanswered),
        silent=tuple(name for place, name in enumerate(models) if _is_silent(found, place)),
        examples=examples,
        errors=_along(by_group, table, lambda cell: cell.errors),
        patterns=_by_code(by_group, table) if patterns else None,
    )


def cross_tally(predictions: Predictions, models: tuple[str, ...]) -> CrossTally:
    """Count which label was taken for which."""
    table = comparable(predictions, models)
    # A prediction that is not there has no label to stand under, so it cannot be counted as wrong.
    forbidden, allowed = sorted_out(table.troubles, "drop" if predictions.missing == "drop" else "fail")
    places = [f"m{place}" for place in range(len(models))]
    frame = table.frame
    if allowed:
        frame = frame.with_columns(any_of(allowed).alias("dropped"))
    keys = [*table.keys, "label", *places, *(["dropped"] if allowed else [])]
    reasons = {f"t{place}": each.holds for place, each in enumerate(allowed)}
    found = sums(frame, keys, reasons, _alarm(forbidden), table.weight)
    if sum(found.get("broken", ())):
        raise refused(table.frame, forbidden, can_be_wrong=False)
    because = _because(found, allowed)
    by_group: dict[Any, _Cell] = {}
    cells: dict[tuple[Any, ...], int] = {}
    for row, count in enumerate(found["examples"]):
        group = found["group"][row] if table.keys else None
        cell = by_group.setdefault(group, _Cell())
        if not (allowed and found["dropped"][row]):
            cell.examples += count
            values = tuple(found[name][row] for name in ("label", *places))
            cells[group, *values] = cells.get((group, *values), 0) + count
    groups, by_group, because = _some_left(found, by_group, because)
    cells = {key: count for key, count in cells.items() if count}
    labels = table.labels or _whole(different_in_order([label for key in cells for label in key[1:]]))
    patterns, counts = _patterned(cells, groups, labels)
    return CrossTally(
        models=models,
        groups=groups if table.keys else None,
        excluded=because,
        taken_as_wrong={},
        left_out=sum(found["examples"]) - int(counts.sum()),
        labels=labels,
        patterns=patterns,
        counts=counts if table.keys else counts[0],
    )


def _patterned(
    cells: Mapping[tuple[Any, ...], int], groups: Sequence[Any], labels: Sequence[Any]
) -> tuple[IntArray, IntArray]:
    """Return the patterns of label and predictions that occur, in order, and the counts of each by group."""
    group_at = {group: place for place, group in enumerate(groups)}
    label_at = {label: place for place, label in enumerate(labels)}
    placed = {key: tuple(label_at[label] for label in key[1:]) for key in cells}
    patterns = sorted(set(placed.values()))
    pattern_at = {pattern: place for place, pattern in enumerate(patterns)}
    counts = np.zeros((len(groups), len(patterns)), dtype=np.int64)
    for key, count in cells.items():
        counts[group_at[key[0]], pattern_at[placed[key]]] = count
    return np.array(patterns, dtype=np.int64), counts


def _whole(labels: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return 0 and 1 for 0.0 and 1.0: whole numbers become floats on the way, where one is missing."""
    floats = all(isinstance(label, float) and label.is_integer() for label in labels)
    return tuple(int(label) for label in labels) if floats else labels


def sorted_out(troubles: Sequence[Trouble], missing: Any) -> tuple[list[Trouble], list[Trouble]]:
    """Return the troubles under which no count can be given, and those that the policy settles."""
    forbidden = [each for each in troubles if each.forbids(missing)]
    return forbidden, [each for each in troubles if not each.forbids(missing)]


def _alarm(forbidden: Sequence[Trouble]) -> dict[str, Any]:
    return {"broken": any_of(forbidden)} if forbidden else {}


def _and(condition: Any, kept: Any) -> Any:
    return condition if kept is None else condition & kept


def _code(right: Sequence[Any], kept: Any) -> Any:
    """Return an integer for each example whose bit i says that model i was right; -1 for one left out."""
    kind = nw.Int16 if len(right) < 15 else nw.Int64  # the smaller, the faster
    zero = nw.lit(0, dtype=kind)
    bits = (nw.when(each).then(nw.lit(1 << place, dtype=kind)).otherwise(zero) for place, each in enumerate(right))
    code = reduce(add, bits)
    return code if kept is None else nw.when(kept).then(code).otherwise(nw.lit(-1, dtype=kind))


def _because(found: Mapping[str, list[Any]], allowed: Sequence[Trouble]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for place, each in enumerate(allowed):
        counts[each.reason] = counts.get(each.reason, 0) + sum(found[f"t{place}"])
    return {reason: count for reason, count in counts.items() if count}


def _predicted_by_nobody(found: Mapping[str, list[Any]], models: tuple[str, ...]) -> dict[str, int]:
    """Return on how many examples no model has a prediction, if there are any; refuse a table of no others."""
    lacking = sum(found.get("nobody", ()))
    refuse_all_missing(lacking, sum(found["examples"]), models)
    return {NOBODY: lacking} if lacking and len(models) > 1 else {}


def _is_silent(found: Mapping[str, list[Any]], place: int) -> bool:
    """Whether a model has no prediction for any example."""
    return f"lacks{place}" in found and sum(found[f"lacks{place}"]) == sum(found["examples"])


def _from_codes(found: Mapping[str, list[Any]], models: int) -> dict[Any, _Cell]:
    """Return the counts by group where there was a row for each pattern."""
    by_group: dict[Any, _Cell] = {}
    every = (1 << models) - 1
    for row, (code, count) in enumerate(zip(found["code"], found["examples"], strict=True)):
        cell = by_group.setdefault(found["group"][row] if "group" in found else None, _Cell(errors=[0] * models))
        if code < 0 or not count:
            continue
        wrong = every & ~int(code)
        cell.examples += count
        cell.unanswered += found["nobody"][row] if "nobody" in found else 0
        cell.patterns[wrong] = count
        for place in range(models):
            cell.errors[place] += count * (wrong >> place & 1)
    return by_group


def _from_sums(found: Mapping[str, list[Any]], models: int, patterns: bool) -> dict[Any, _Cell]:
    """Return the counts by group where right answers were added up; the rest is subtraction."""
    by_group = {}
    for row, count in enumerate(found.get("kept", found["examples"])):
        right = [found[f"right{place}"][row] for place in range(models)]
        cell = _Cell(count, [count - each for each in right])
        cell.unanswered = found["nobody"][row] if "nobody" in found else 0
        if patterns and models == 1:
            cell.patterns = {0: right[0], 1: count - right[0]}
        elif patterns:
            both = found["both"][row]
            cell.patterns = {0: both, 1: right[1] - both, 2: right[0] - both, 3: count - right[0] - right[1] + both}
        by_group[found["group"][row] if "group" in found else None] = cell
    return by_group


def _some_left(
    found: Mapping[str, list[Any]], by_group: dict[Any, _Cell], because: dict[str, int]
) -> tuple[tuple[Any, ...], dict[Any, _Cell], dict[str, int]]:
    """Return the groups that have an example, in order; a group that has none left is told, not forgotten."""
    total = sum(found["examples"])
    if not any(cell.examples for cell in by_group.values()):
        why = "; ".join(f"{reason}: {count}" for reason, count in because.items())
        raise InvalidEvidence(
            f"no example is left of {total} ({why})." if why else "the table holds no example. Is it the right one?"
        )
    groups = different_in_order([group for group, cell in by_group.items() if cell.examples])
    lost = different_in_order([group for group, cell in by_group.items() if not cell.examples])
    gone = {f"all examples of group {group!r}": _size(found, group) for group in lost}
    return groups, {group: by_group[group] for group in groups}, {**because, **gone}


def _size(found: Mapping[str, list[Any]], group: Any) -> int:
    return sum(count for name, count in zip(found["group"], found["examples"], strict=True) if name == group)


def _by_code(by_group: Mapping[Any, _Cell], table: Comparable) -> dict[int, IntArray]:
    """Return the counts of every pattern that occurs."""
    codes = sorted({code for cell in by_group.values() for code in cell.patterns})
    return {code: _along(by_group, table, lambda cell, code=code: cell.patterns.get(code, 0)) for code in codes}


def _along(by_group: Mapping[Any, _Cell], table: Comparable, pick: Any) -> IntArray:
    """Return a count of every group, or the only one."""
    counts = np.array([pick(cell) for cell in by_group.values()], dtype=np.int64)
    return counts if table.keys else counts[0]
