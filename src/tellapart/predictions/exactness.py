"""Whole numbers that floats cannot represent: they are refused, not rounded, if columns of two types are compared.

Engines compare an integer with a float as floats, which represent every whole number up to 2**53 (in 32 bits up to
2**24): 9007199254740993 would equal 9007199254740992.0. Some engines compare int64 with uint64 in the same way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from ..errors import InvalidEvidence
from ..evidence.validation import LARGEST
from ..figures import count_text
from .engine import Frame, collect_columns, describe_role, flag
from .problems import COUNT, VALUE, Problem

_OF_32_BITS = 2**24
_IDENTIFYING = ("id", "epoch", "group", "cluster")  # roles whose values identify examples
_REMEDY = "Read them as text with `text`, or convert them to one type of integers."


def exact_below(dtypes: Iterable[Any]) -> int | None:
    """Return the size below which whole numbers of these types are compared exactly; None if all of them are.

    Examples
    --------
    >>> exact_below([nw.Int64(), nw.Int32()]), exact_below([nw.Int64(), nw.Float64()]) == 2**53
    (None, True)
    """
    kinds = set(dtypes)
    if any(dtype.is_float() for dtype in kinds):
        return _OF_32_BITS if nw.Float32 in kinds and len(kinds) > 1 else LARGEST
    large = any(dtype in (nw.UInt64, nw.UInt128) for dtype in kinds)
    signed = any(dtype.is_signed_integer() for dtype in kinds)
    return LARGEST if large and signed else None


def inexact_values(dtypes: Mapping[str, Any], titles: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the problems of columns of different types that are compared with each other."""
    limit = exact_below(dtypes.values())
    if limit is None:
        return
    for ours, dtype in dtypes.items():
        if _can_reach(dtype, limit):
            others = [titles[name] for name, other_dtype in dtypes.items() if name != ours and other_dtype != dtype]
            yield _size_problem(ours, titles[ours], dtype, limit, others)


def refuse_inexact_values(frame: Frame, problems: Iterable[Problem], source: Mapping[str, str]) -> None:
    """Raise InvalidEvidence if a value is inexact; Arrow would stop at the first such value with a poorer message."""
    for problem in problems:
        _refuse_rows(
            frame.select(nw.col(source[problem.shown_column]).alias(problem.shown_column)),
            problem,
            problem.shown_column,
        )


def inexact_parts(schema: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the problems of epochs, groups and clusters that are floats."""
    for role in _IDENTIFYING[1:]:
        if role in schema and schema[role].is_float():
            yield _size_problem(role, describe_role(names, role), schema[role], LARGEST, [])


def refuse_inexact_ids(frame: Frame, names: Mapping[str, str]) -> None:
    """Raise InvalidEvidence if ids are floats that may have been rounded."""
    dtype = frame.collect_schema()["id"]
    if dtype.is_float():
        _refuse_rows(frame, _size_problem("id", describe_role(names, "id"), dtype, LARGEST, []), "id")


def refuse_inexact_joins(frames: Mapping[str, Frame], parts: Sequence[str]) -> None:
    """Raise InvalidEvidence if ids or labels of tables with different types may have been rounded."""
    schemas = {name: frame.collect_schema() for name, frame in frames.items()}
    for role in parts:
        dtypes = {name: schema[role] for name, schema in schemas.items() if role in schema}
        limit = exact_below(dtypes.values()) if len(set(dtypes.values())) > 1 else None
        for name, dtype in dtypes.items():
            if limit is not None and _can_reach(dtype, limit):
                others = [repr(other_name) for other_name, theirs in dtypes.items() if theirs != dtype]
                title = f"the {role.replace('_', ' ')} in {name!r}"
                _refuse_rows(frames[name], _size_problem(role, title, dtype, limit, others), role)


def _can_reach(dtype: Any, limit: int) -> bool:
    small = (nw.Boolean, nw.Int8, nw.Int16, nw.UInt8, nw.UInt16)
    return dtype.is_numeric() and dtype not in (small if limit < LARGEST else (*small, nw.Int32, nw.UInt32))


def _size_problem(ours: str, name: str, dtype: Any, limit: int, others: Sequence[str]) -> Problem:
    size = f"2**{limit.bit_length() - 1}"
    beside = f" compared with another type ({', '.join(others)})" if others else ""
    return Problem(
        message=f"{name} must be below {size} as {dtype}{beside}, got {VALUE} in {COUNT}, which may be rounded",
        condition=flag(_at_least(nw.col(ours), dtype, limit)),
        shown_column=ours,
        remedy=_REMEDY,
    )


def _at_least(column: Any, dtype: Any, limit: int) -> Any:
    """Return the condition that a finite value is at least the limit, which may itself be a rounded number."""
    reaches = column >= limit
    if dtype.is_float():
        largest = sys.float_info.max
        return (reaches & (column <= largest)) | ((column <= -limit) & (column >= -largest))
    return reaches if dtype.is_unsigned_integer() else reaches | (column <= -limit)


def _refuse_rows(frame: Frame, problem: Problem, role: str) -> None:
    """Raise InvalidEvidence if a row has the problem."""
    rows = collect_columns(
        frame.filter(problem.condition).select(nw.len().alias("rows"), nw.col(role).min().alias("least"))
    )
    if rows["rows"][0]:
        sentence = problem.describe(count_text(rows["rows"][0], "row"), rows["least"][0])
        raise InvalidEvidence(f"{sentence}. {problem.remedy}")
