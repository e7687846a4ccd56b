"""From a table as it comes to one row an example, with columns of our own names.

The columns are `label`, `id` and the other parts where these are known, `m0`, `m1`, … for the models'
predictions, and what went wrong on the way. Where rows were put together by their ids: `absent0` (no
prediction of model 0 for this id), `again0` (more than one), `clash_label` (different labels). Where texts
were read as numbers: `unread0` and `unread_label`, the texts that are none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

import narwhals.stable.v2 as nw

from ..errors import InvalidEvidence
from ..evidence.base import plural
from .engine import Frame, collected, flag, missing, select_columns, with_ordered_texts
from .exactness import refuse_inexact_ids
from .roles import Roles

PARTS = ("label", "group", "weight", "cluster", "sampling_weight", "proof")  # what an example has once
_BY_MODEL = ("m", "absent", "again", "unread")  # with a number: the columns of one model
UNREAD = "\0unread "  # with the name of a column: the column of those of its texts that could not be read


def wide(frame: Frame, roles: Roles) -> tuple[Frame, tuple[str, ...]]:
    """Return a table with a row for each example and a column for each model, under our own names."""
    models = roles.models or ()
    kept = {part: getattr(roles, part) for part in ("id", "epoch", *PARTS) if getattr(roles, part) is not None}
    columns = {**kept, **{f"m{place}": name for place, name in enumerate(models)}}
    if not columns:
        raise InvalidEvidence("the table has no columns.")
    there = frame.collect_schema().names()
    for ours in ("label", *(f"m{place}" for place in range(len(models)))):
        if ours in columns and UNREAD + columns[ours] in there:
            columns[_unread(ours)] = UNREAD + columns[ours]
    return select_columns(frame, {ours: nw.col(name) for ours, name in columns.items()}), models


def spread(frame: Frame, roles: Roles) -> tuple[Frame, tuple[str, ...]]:
    """Return a table with a row for each prediction as one with a row for each example.

    Every engine can do it by one sum and one maximum for each id: of a single value the maximum is that value.
    """
    frame = with_ordered_texts(frame)
    schema, name_of_id, name_of_model = frame.collect_schema(), roles.id or "id", roles.model or "model"
    refuse_inexact_ids(frame.select(nw.col(name_of_id).alias("id")), {"id": name_of_id})
    by_name = _values_of_models(frame, name_of_model, roles.models)
    own = {part: getattr(roles, part) for part in PARTS if getattr(roles, part) is not None}
    said = roles.prediction or "prediction"
    which, value = nw.col(name_of_model), _ordered(said, schema)
    here = {f"m{place}": which == name for place, name in enumerate(by_name.values())}
    unread: dict[str, Any] = {}
    if UNREAD + said in schema:
        unread = {_unread(name): nw.when(mine).then(nw.col(UNREAD + said)) for name, mine in here.items()}
    if roles.label is not None and UNREAD + roles.label in schema:
        unread["unread_label"] = nw.col(UNREAD + roles.label)
    keys = {"id": name_of_id} | ({} if roles.epoch is None else {"epoch": roles.epoch})
    columns = {ours: nw.col(name) for ours, name in keys.items()}
    columns |= {part: _ordered(name, schema) for part, name in own.items()}
    columns |= {name: nw.when(mine).then(value) for name, mine in here.items()} | unread
    columns |= {f"times_{name}": nw.when(mine).then(nw.lit(1)).otherwise(nw.lit(0)) for name, mine in here.items()}
    rows = select_columns(frame.filter(which.is_in(list(by_name.values()))), columns)
    ids = rows.group_by(*keys).agg(
        *(nw.col(name).max() for name in (*own, *here, *unread)),
        *(nw.col(name).min().alias(f"least_{name}") for name in own),
        *(nw.col(f"times_{name}").sum() for name in here),
    )
    return ids.select(
        *keys,
        *own,
        *here,
        *unread,
        *(_differ(f"least_{name}", name).alias(f"clash_{name}") for name in own),
        *((nw.col(f"times_{name}") == 0).alias(f"absent{name[1:]}") for name in here),
        *((nw.col(f"times_{name}") > 1).alias(f"again{name[1:]}") for name in here),
    ), tuple(by_name)


def _values_of_models(frame: Frame, column: str, models: tuple[str, ...] | None) -> dict[str, Any]:
    """Return the models that were asked for, or all there are: name and value in the column."""
    found = collected(frame.select(nw.col(column).alias("model")).group_by("model").agg(nw.len().alias("rows")))
    by_name = {}
    for value, rows in zip(found["model"], found["rows"], strict=True):
        if value is None or value == "":
            raise InvalidEvidence(f"{column} names no model in {plural(rows, 'row')}. Name it, or leave them out.")
        by_name[str(value)] = value
    wanted = sorted(by_name) if models is None else models
    for name in wanted:
        if name not in by_name:
            raise missing(name, f"models names the model {name!r}", sorted(by_name))
    return {name: by_name[name] for name in wanted}


def _unread(ours: str) -> str:
    return "unread_label" if ours == "label" else f"unread{ours[1:]}"


def _ordered(name: str, schema: Mapping[str, Any]) -> Any:
    """Return the column as something that has a maximum on every engine."""
    dtype = schema[name]
    column = nw.col(name)
    if dtype in (nw.Categorical, nw.Enum):
        return column.cast(nw.String)
    return column.cast(nw.Int8) if dtype == nw.Boolean else column


def refuse_repeated_ids(frame: Frame, said: str) -> None:
    """Raise an error that shows an id (in one epoch) which occurs more than once, or says that one is missing."""
    keys = [name for name in ("id", "epoch") if name in frame.collect_schema()]
    counts = frame.select(*keys).group_by(*keys).agg(nw.len().alias("times"))
    odd = counts.filter((nw.col("times") > 1) | nw.col("id").is_null())
    found = collected(odd.select(nw.len().alias("ids"), nw.col("times").sum()))
    if not found["ids"][0]:
        return
    shown = collected(odd.sort("id").head(1))
    value, times = shown["id"][0], shown["times"][0]
    if value is None:
        raise InvalidEvidence(f"{said} is missing in {plural(times, 'row')}. Every example needs its own.")
    every = "every row" if len(keys) == 1 else "every row of an epoch"
    raise InvalidEvidence(
        f"{said} must be different in {every}, but {plural(found['ids'][0], 'id')}"
        f" occur{'s' * (found['ids'][0] == 1)} more than once, such as {value!r}, {times} times. Keep one row of each."
    )


def join_by_id(left: Frame, left_models: int, right: Frame, right_models: int) -> Frame:
    """Return two tables of the same examples as one, the models of the right one after those of the left.

    An id that one table lacks is `absent` for that table's models; labels, groups and weights that differ `clash`.
    Where ids are met in several epochs, a table without is the first of them.
    """
    left, right = _of_one_epoch(left, right), _of_one_epoch(right, left)
    here, there = left.collect_schema().names(), right.collect_schema().names()
    keys = [name for name in ("id", "epoch") if name in here]
    right = right.select(*(nw.col(name).alias(_shifted(name, left_models)) for name in there))
    both = left.join(right, left_on=keys, right_on=[f"right_{name}" for name in keys], how="full")
    columns = {name: _first_known(name, f"right_{name}") for name in keys}
    for part in PARTS:
        clash = [flag(nw.col(f"clash_{part}"))] if f"clash_{part}" in here else []
        clash += [flag(nw.col(f"right_clash_{part}"))] if f"clash_{part}" in there else []
        if part in here and part in there:
            columns[part] = _first_known(part, f"right_{part}")
            clash.append(_differ(part, f"right_{part}"))
        elif part in here or part in there:
            columns[part] = nw.col(part if part in here else f"right_{part}")
        if clash:
            columns[f"clash_{part}"] = reduce(or_, clash)
    if "unread_label" in here or "unread_label" in there:
        sides = {"unread_label": here, "right_unread_label": there}
        known = [name for name, side in sides.items() if "unread_label" in side]
        columns["unread_label"] = _first_known(known[0], known[-1])
    for place in range(left_models + right_models):
        known = here if place < left_models else [_shifted(name, left_models) for name in there]
        lost = nw.col("id" if place < left_models else "right_id").is_null()
        columns[f"m{place}"] = nw.col(f"m{place}")
        if f"unread{place}" in known:
            columns[f"unread{place}"] = nw.col(f"unread{place}")
        columns[f"absent{place}"] = lost | flag(nw.col(f"absent{place}")) if f"absent{place}" in known else lost
        if f"again{place}" in known:
            columns[f"again{place}"] = flag(nw.col(f"again{place}"))
    return select_columns(both, columns)


def _of_one_epoch(frame: Frame, other: Frame) -> Frame:
    lacks = "epoch" in other.collect_schema() and "epoch" not in frame.collect_schema()
    return frame.with_columns(nw.lit(1, dtype=nw.Int64).alias("epoch")) if lacks else frame


def of_one_type(frames: Sequence[Frame]) -> list[Frame]:
    """Return tables whose ids, labels and groups have one type each: 1 of 32 bits is 1 of 64, and 1.0."""
    schemas = [frame.collect_schema() for frame in frames]
    casts: dict[str, Any] = {}
    for part in ("id", "epoch", *PARTS):
        dtypes = [schema[part] for schema in schemas if part in schema]
        # Arrow has two types of text that do not join, and narwhals has one name for both.
        texts = dtypes and dtypes[0] == nw.String and frames[0].implementation.is_pyarrow()
        if len(set(dtypes)) > 1 or texts:
            casts[part] = _common(dtypes)
    known = {part: dtype for part, dtype in casts.items() if dtype is not None}
    return [
        _cast(frame, {part: dtype for part, dtype in known.items() if part in schema})
        for frame, schema in zip(frames, schemas, strict=True)
    ]


def _cast(frame: Frame, types: Mapping[str, Any]) -> Frame:
    return frame.with_columns(*(nw.col(part).cast(dtype) for part, dtype in types.items())) if types else frame


def _common(dtypes: Sequence[Any]) -> Any:
    """Return the type that holds what all of these hold; None where none does."""
    if all(dtype in (nw.String, nw.Categorical, nw.Enum) for dtype in dtypes):
        return nw.String
    if not all(dtype.is_numeric() or dtype == nw.Boolean for dtype in dtypes):
        return None
    if nw.Float32 in dtypes:
        return nw.Float32
    if all(dtype.is_integer() or dtype == nw.Boolean for dtype in dtypes):
        return nw.Int128 if nw.Int128 in dtypes else nw.Int64
    return nw.Float64


def _shifted(name: str, places: int) -> str:
    """Return the name that a column of the right table has beside a left one with so many models."""
    stem = name.rstrip("0123456789")
    return f"{stem}{int(name[len(stem) :]) + places}" if stem in _BY_MODEL else f"right_{name}"


def _differ(left: str, right: str) -> Any:
    """Return whether two known values differ; to pandas an unknown one differs from itself."""
    here, there = nw.col(left), nw.col(right)
    return flag((here != there) & ~here.is_null() & ~there.is_null())


def _first_known(left: str, right: str) -> Any:
    return nw.when(nw.col(left).is_null()).then(nw.col(right)).otherwise(nw.col(left))
