"""Whole numbers that floats cannot tell apart: where columns of different types meet, they are refused, not rounded.

Engines compare an integer with a float as floats, which hold whole numbers one by one up to 2**53 (of 32 bits up to
2**24): 9007199254740993 beside 9007199254740992.0 would agree. The same goes for int64 beside uint64 on some engines.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from ..errors import InvalidEvidence
from ..evidence.base import plural
from ..evidence.validation import LARGEST
from .engine import Frame, collected, flag, part_name
from .troubles import Trouble

_OF_32_BITS = 2**24
_NAMED = ("id", "epoch", "group", "cluster")  # parts whose values tell examples apart
_REMEDY = (
    " Read both as text (text=True, --text), or convert both to the same type of integers, before a float has rounded"
    " them."
)


def exact_below(dtypes: Iterable[Any]) -> int | None:
    """Return below which size whole numbers of these types are compared exactly; None where all of them are.

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


def inexact_values(dtypes: Mapping[str, Any], said: Mapping[str, str]) -> Iterator[Trouble]:
    """Yield what is wrong with the columns that are compared with each other, by the types they came with."""
    limit = exact_below(dtypes.values())
    if limit is None:
        return
    for ours, dtype in dtypes.items():
        if _can_reach(dtype, limit):
            others = [said[name] for name, other in dtypes.items() if name != ours and other != dtype]
            yield _trouble(ours, said[ours], dtype, limit, others)


def refuse_inexact_values(frame: Frame, troubles: Iterable[Trouble], source: Mapping[str, str]) -> None:
    """Raise an error now if one of these is there; Arrow would stop at the first such value, and say less."""
    for each in troubles:
        _refuse(frame.select(nw.col(source[each.shows]).alias(each.shows)), each, each.shows)


def inexact_parts(schema: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[Trouble]:
    """Yield what is wrong with groups and the like that are floats."""
    for part in _NAMED[1:]:
        if part in schema and schema[part].is_float():
            yield _trouble(part, part_name(names, part), schema[part], LARGEST, [])


def refuse_inexact_ids(frame: Frame, names: Mapping[str, str]) -> None:
    """Raise an error if ids are floats that no longer tell whole numbers apart."""
    dtype = frame.collect_schema()["id"]
    if dtype.is_float():
        _refuse(frame, _trouble("id", part_name(names, "id"), dtype, LARGEST, []), "id")


def refuse_inexact_joins(frames: Mapping[str, Frame], parts: Sequence[str]) -> None:
    """Raise an error if tables are joined by ids, or agree on labels, that are rounded where their types differ."""
    schemas = {name: frame.collect_schema() for name, frame in frames.items()}
    for part in parts:
        dtypes = {name: schema[part] for name, schema in schemas.items() if part in schema}
        limit = exact_below(dtypes.values()) if len(set(dtypes.values())) > 1 else None
        for name, dtype in dtypes.items():
            if limit is not None and _can_reach(dtype, limit):
                others = [repr(other) for other, theirs in dtypes.items() if theirs != dtype]
                said = f"the {part.replace('_', ' ')} in {name!r}"
                _refuse(frames[name], _trouble(part, said, dtype, limit, others), part)


def _can_reach(dtype: Any, limit: int) -> bool:
    small = (nw.Boolean, nw.Int8, nw.Int16, nw.UInt8, nw.UInt16)
    return dtype.is_numeric() and dtype not in (small if limit < LARGEST else (*small, nw.Int32, nw.UInt32))


def _trouble(ours: str, name: str, dtype: Any, limit: int, others: Sequence[str]) -> Trouble:
    size = f"2**{limit.bit_length() - 1}"
    beside = f", and {' and '.join(others)} {'holds' if len(others) == 1 else 'hold'} another type" if others else ""
    return Trouble(
        said=f"{name} holds numbers of {size} or more as {dtype}{beside}: such whole numbers are rounded where they are"
        " compared, in {}",
        holds=flag(_at_least(nw.col(ours), dtype, limit)),
        shows=ours,
        remedy=_REMEDY,
    )


def _at_least(column: Any, dtype: Any, limit: int) -> Any:
    """Return whether a finite value is as large as the limit, which may itself stand for the next number."""
    reaches = column >= limit
    if dtype.is_float():
        largest = sys.float_info.max
        return (reaches & (column <= largest)) | ((column <= -limit) & (column >= -largest))
    return reaches if dtype.is_unsigned_integer() else reaches | (column <= -limit)


def _refuse(frame: Frame, trouble: Trouble, part: str) -> None:
    """Raise the error of a trouble that is there."""
    found = collected(frame.filter(trouble.holds).select(nw.len().alias("rows"), nw.col(part).min().alias("least")))
    if found["rows"][0]:
        count = f"{plural(found['rows'][0], 'row')} (such as {found['least'][0]!r})"
        raise InvalidEvidence(f"{count.join(trouble.said.rsplit('{}', 1))}.{trouble.remedy}")
