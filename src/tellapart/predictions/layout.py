"""From a user's table to one row for each example, with columns of internal names.

The columns are `label`, `id` and the other known roles, `m0`, `m1`, … for the models' predictions, and flags of
problems. If rows were joined by id: `absent0` (no prediction of model 0 for this id), `again0` (more than one),
`clash_label` (different labels). If texts were read as numbers: `unread0` and `unread_label`, the texts that are not
numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

import narwhals.stable.v2 as nw

from ..errors import InvalidEvidence
from ..figures import count_text
from .engine import Frame, collect_columns, flag, select_columns, unknown_name, with_ordered_texts
from .exactness import refuse_inexact_ids
from .roles import Roles

EXAMPLE_ROLES = (
    "label",
    "group",
    "weight",
    "cluster",
    "sampling_weight",
    "proof",
)  # roles with one value for each example
_BY_MODEL = ("m", "absent", "again", "unread")  # with a number: the columns of one model
UNREAD = "\0unread "  # prefix of the column with those texts of another that could not be read


def from_wide(frame: Frame, roles: Roles) -> tuple[Frame, tuple[str, ...]]:
    """Return a wide table, with a row for each example and a column for each model, under internal names."""
    models = roles.models or ()
    kept = {role: getattr(roles, role) for role in ("id", "epoch", *EXAMPLE_ROLES) if getattr(roles, role) is not None}
    columns = {**kept, **{f"m{index}": name for index, name in enumerate(models)}}
    if not columns:
        raise InvalidEvidence(
            "the table must have columns of labels or predictions, got none. Name them with `models`."
        )
    there = frame.collect_schema().names()
    for ours in ("label", *(f"m{index}" for index in range(len(models)))):
        if ours in columns and UNREAD + columns[ours] in there:
            columns[_name_unread(ours)] = UNREAD + columns[ours]
    return select_columns(frame, {ours: nw.col(name) for ours, name in columns.items()}), models


def from_long(frame: Frame, roles: Roles) -> tuple[Frame, tuple[str, ...]]:
    """Return a long table, with a row for each prediction, as one with a row for each example.

    Every engine can do this by a sum and a maximum for each id: the maximum of a single value is that value.
    """
    frame = with_ordered_texts(frame)
    schema, name_of_id, name_of_model = frame.collect_schema(), roles.id or "id", roles.model or "model"
    refuse_inexact_ids(frame.select(nw.col(name_of_id).alias("id")), {"id": name_of_id})
    by_name = _values_of_models(frame, name_of_model, roles.models)
    kept = {role: getattr(roles, role) for role in EXAMPLE_ROLES if getattr(roles, role) is not None}
    column = roles.prediction or "prediction"
    which, value = nw.col(name_of_model), _as_sortable(column, schema)
    here = {f"m{index}": which == name for index, name in enumerate(by_name.values())}
    unread: dict[str, Any] = {}
    if UNREAD + column in schema:
        unread = {_name_unread(name): nw.when(mine).then(nw.col(UNREAD + column)) for name, mine in here.items()}
    if roles.label is not None and UNREAD + roles.label in schema:
        unread["unread_label"] = nw.col(UNREAD + roles.label)
    keys = {"id": name_of_id} | ({} if roles.epoch is None else {"epoch": roles.epoch})
    columns = {ours: nw.col(name) for ours, name in keys.items()}
    columns |= {role: _as_sortable(name, schema) for role, name in kept.items()}
    columns |= {name: nw.when(mine).then(value) for name, mine in here.items()} | unread
    columns |= {f"times_{name}": nw.when(mine).then(nw.lit(1)).otherwise(nw.lit(0)) for name, mine in here.items()}
    rows = select_columns(frame.filter(which.is_in(list(by_name.values()))), columns)
    ids = rows.group_by(*keys).agg(
        *(nw.col(name).max() for name in (*kept, *here, *unread)),
        *(nw.col(name).min().alias(f"least_{name}") for name in kept),
        *(nw.col(f"times_{name}").sum() for name in here),
    )
    return ids.select(
        *keys,
        *kept,
        *here,
        *unread,
        *(_differ_condition(f"least_{name}", name).alias(f"clash_{name}") for name in kept),
        *((nw.col(f"times_{name}") == 0).alias(f"absent{name[1:]}") for name in here),
        *((nw.col(f"times_{name}") > 1).alias(f"again{name[1:]}") for name in here),
    ), tuple(by_name)


def _values_of_models(frame: Frame, column: str, models: tuple[str, ...] | None) -> dict[str, Any]:
    """Return the requested models, or else all: the value in the column by name."""
    counts = collect_columns(frame.select(nw.col(column).alias("model")).group_by("model").agg(nw.len().alias("rows")))
    by_name = {}
    for value, rows in zip(counts["model"], counts["rows"], strict=True):
        if value is None or value == "":
            raise InvalidEvidence(f"`{column}` must name a model in every row, got none in {count_text(rows, 'row')}.")
        by_name[str(value)] = value
    requested = sorted(by_name) if models is None else models
    for name in requested:
        if name not in by_name:
            raise unknown_name("models", f"names in the column {column!r}", name, sorted(by_name))
    return {name: by_name[name] for name in requested}


def _name_unread(ours: str) -> str:
    return "unread_label" if ours == "label" else f"unread{ours[1:]}"


def _as_sortable(name: str, schema: Mapping[str, Any]) -> Any:
    """Return the column as a type that has a maximum on every engine."""
    dtype = schema[name]
    column = nw.col(name)
    if dtype in (nw.Categorical, nw.Enum):
        return column.cast(nw.String)
    return column.cast(nw.Int8) if dtype == nw.Boolean else column


def refuse_repeated_ids(frame: Frame, title: str) -> None:
    """Raise InvalidEvidence if an id occurs more than once (in one epoch), or is missing."""
    keys = [name for name in ("id", "epoch") if name in frame.collect_schema()]
    counts = frame.select(*keys).group_by(*keys).agg(nw.len().alias("times"))
    odd = counts.filter((nw.col("times") > 1) | nw.col("id").is_null())
    repeated = collect_columns(odd.select(nw.len().alias("ids"), nw.col("times").sum()))
    if not repeated["ids"][0]:
        return
    shown = collect_columns(odd.sort("id").head(1))
    value, times = shown["id"][0], shown["times"][0]
    if value is None:
        raise InvalidEvidence(f"{title} must be present in every row, but is missing in {count_text(times, 'row')}.")
    every = "every row" if len(keys) == 1 else "every row of an epoch"
    raise InvalidEvidence(
        f"{title} must be different in {every}, but {count_text(repeated['ids'][0], 'id')}"
        f" occur{'s' * (repeated['ids'][0] == 1)} more than once (first: {value!r}, {times} times). Keep one"
        f" row of each."
    )


def join_by_id(left: Frame, left_models: int, right: Frame, right_models: int) -> Frame:
    """Return two tables of the same examples as one, the models of the right table after those of the left.

    An id that one table lacks is `absent` for that table's models; labels, groups and weights that differ `clash`.
    If one table has epochs, a table without is its first epoch.
    """
    left, right = _of_one_epoch(left, right), _of_one_epoch(right, left)
    here, there = left.collect_schema().names(), right.collect_schema().names()
    keys = [name for name in ("id", "epoch") if name in here]
    right = right.select(*(nw.col(name).alias(_shift_name(name, left_models)) for name in there))
    both = left.join(right, left_on=keys, right_on=[f"right_{name}" for name in keys], how="full")
    columns = {name: _first_known(name, f"right_{name}") for name in keys}
    for role in EXAMPLE_ROLES:
        clash = [flag(nw.col(f"clash_{role}"))] if f"clash_{role}" in here else []
        clash += [flag(nw.col(f"right_clash_{role}"))] if f"clash_{role}" in there else []
        if role in here and role in there:
            columns[role] = _first_known(role, f"right_{role}")
            clash.append(_differ_condition(role, f"right_{role}"))
        elif role in here or role in there:
            columns[role] = nw.col(role if role in here else f"right_{role}")
        if clash:
            columns[f"clash_{role}"] = reduce(or_, clash)
    if "unread_label" in here or "unread_label" in there:
        sides = {"unread_label": here, "right_unread_label": there}
        names = [name for name, side in sides.items() if "unread_label" in side]
        columns["unread_label"] = _first_known(names[0], names[-1])
    for index in range(left_models + right_models):
        names = here if index < left_models else [_shift_name(name, left_models) for name in there]
        lost = nw.col("id" if index < left_models else "right_id").is_null()
        columns[f"m{index}"] = nw.col(f"m{index}")
        if f"unread{index}" in names:
            columns[f"unread{index}"] = nw.col(f"unread{index}")
        columns[f"absent{index}"] = lost | flag(nw.col(f"absent{index}")) if f"absent{index}" in names else lost
        if f"again{index}" in names:
            columns[f"again{index}"] = flag(nw.col(f"again{index}"))
    return select_columns(both, columns)


def _of_one_epoch(frame: Frame, other_frame: Frame) -> Frame:
    lacks = "epoch" in other_frame.collect_schema() and "epoch" not in frame.collect_schema()
    return frame.with_columns(nw.lit(1, dtype=nw.Int64).alias("epoch")) if lacks else frame


def cast_to_common_types(frames: Sequence[Frame]) -> list[Frame]:
    """Return tables whose ids, labels and groups have common types: 1 in 32 bits equals 1 in 64, and 1.0."""
    schemas = [frame.collect_schema() for frame in frames]
    casts: dict[str, Any] = {}
    for role in ("id", "epoch", *EXAMPLE_ROLES):
        dtypes = [schema[role] for schema in schemas if role in schema]
        # Arrow has two types of text that cannot be joined; narwhals has one name for both.
        texts = dtypes and dtypes[0] == nw.String and frames[0].implementation.is_pyarrow()
        if len(set(dtypes)) > 1 or texts:
            casts[role] = _common_type(dtypes)
    types = {role: dtype for role, dtype in casts.items() if dtype is not None}
    return [
        _cast_columns(frame, {role: dtype for role, dtype in types.items() if role in schema})
        for frame, schema in zip(frames, schemas, strict=True)
    ]


def _cast_columns(frame: Frame, types: Mapping[str, Any]) -> Frame:
    return frame.with_columns(*(nw.col(role).cast(dtype) for role, dtype in types.items())) if types else frame


def _common_type(dtypes: Sequence[Any]) -> Any:
    """Return the type that can hold the values of all of these; None if there is none."""
    if all(dtype in (nw.String, nw.Categorical, nw.Enum) for dtype in dtypes):
        return nw.String
    if not all(dtype.is_numeric() or dtype == nw.Boolean for dtype in dtypes):
        return None
    if nw.Float32 in dtypes:
        return nw.Float32
    if all(dtype.is_integer() or dtype == nw.Boolean for dtype in dtypes):
        return nw.Int128 if nw.Int128 in dtypes else nw.Int64
    return nw.Float64


def _shift_name(name: str, places: int) -> str:
    """Return the name of a column of the right table after joining it to a left one with this many models."""
    stem = name.rstrip("0123456789")
    return f"{stem}{int(name[len(stem) :]) + places}" if stem in _BY_MODEL else f"right_{name}"


def _differ_condition(left: str, right: str) -> Any:
    """Return the condition that two known values differ; in pandas an unknown one differs from itself."""
    here, there = nw.col(left), nw.col(right)
    return flag((here != there) & ~here.is_null() & ~there.is_null())


def _first_known(left: str, right: str) -> Any:
    return nw.when(nw.col(left).is_null()).then(nw.col(right)).otherwise(nw.col(left))
