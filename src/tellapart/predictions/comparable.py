"""Comparable columns of models: which predictions are right, and possible problems of an example."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from ..errors import InvalidEvidence
from ..evidence.validation import LARGEST
from ..figures import join_names
from .engine import Frame, can_wrap, describe_role, flag, kind, quote_names, select_columns
from .exactness import inexact_parts, inexact_values, refuse_inexact_values
from .layout import EXAMPLE_ROLES, UNREAD
from .problems import COUNT, VALUE, Problem

if TYPE_CHECKING:
    from .record import Predictions

_OTHER_WEIGHTS = "For weights of examples in a mean use `sampling_weight`."
_RIGHT, _WRONG = ("true", "1", "1.0"), ("false", "0", "0.0")  # texts that say whether a model was right


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparable:
    """A table with the columns `label`, `m0`, `m1`, …, `group` and `weight`, if present."""

    frame: Frame
    right: tuple[Any, ...]  # a condition for each model
    problems: tuple[Problem, ...]
    labels: tuple[Any, ...] | None
    keys: list[str]
    weight: str | None


def make_comparable(predictions: Predictions, models: Sequence[str]) -> Comparable:
    """Return the columns of these models, in which missing values are null."""
    schema = predictions.frame.collect_schema()
    theirs = {f"m{index}": predictions.models.index(name) for index, name in enumerate(models)}
    truth = {} if predictions.correct else {"label": "label"}
    if truth and "label" not in schema:
        taken = {name for role, name in predictions.names.items() if role != "label"}
        free = [name for name in predictions.columns if name not in taken and not name.startswith(UNREAD)]
        there = join_names(list(free or predictions.columns or predictions.models))
        raise InvalidEvidence(
            f"`label` must name the column of true labels{_describe_label_role(predictions)}. Columns:"
            f" {there}. If they hold 1 (right)"
            " or 0 (wrong), use `correct`."
        )
    source = {**truth, **{ours: f"m{index}" for ours, index in theirs.items()}}
    titles = {"label": predictions.names.get("label", "label"), **dict(zip(theirs, models, strict=True))}
    kinds = _check_one_kind({titles[ours]: schema[name] for ours, name in source.items()}) if truth else ""
    narrow = {nw.Float32, nw.Float64} <= {schema[name] for name in source.values()}
    columns = {
        ours: null_if_missing(
            name, schema[name], booleans=bool(truth) and _mixes_booleans(schema, source), narrow=narrow
        )
        for ours, name in source.items()
    }
    for ours, index in theirs.items():
        for what in ("absent", "again", "unread"):
            if f"{what}{index}" in schema:
                columns[f"{what}_{ours}"] = nw.col(f"{what}{index}")
    if truth and "unread_label" in schema:
        columns["unread_label"] = nw.col("unread_label")
    names = ("id", "epoch", "group", "weight", "cluster", "sampling_weight")
    rest = [name for name in (*names, *(f"clash_{role}" for role in EXAMPLE_ROLES)) if name in schema]
    columns |= {name: _without_nan(_cast_categories(nw.col(name), schema[name]), schema[name]) for name in rest}
    labels = _labels_of_kind(predictions.labels, kinds) if predictions.labels else None
    right: tuple[Any, ...]
    problems = [*find_table_problems(columns, schema, predictions.names, titles)]
    if truth:
        rounded = [*inexact_values({ours: schema[name] for ours, name in source.items()}, titles)]
        if predictions.frame.implementation.is_pyarrow():
            refuse_inexact_values(predictions.frame, rounded, source)
        problems += rounded
        right = tuple(nw.col(ours) == nw.col("label") for ours in theirs)
        problems += find_value_problems(
            "label", describe_role(predictions.names, "label"), "label", labels, columns, "drop"
        )
    else:
        outcomes = {ours: _outcome_conditions(ours, schema[source[ours]]) for ours in theirs}
        right = tuple(condition for condition, _ in outcomes.values())
        rule = f"must hold 1 (right) or 0 (wrong), got {VALUE} in {COUNT}"
        problems += [
            Problem(message=f"`{titles[ours]}` {rule}", condition=bad, shown_column=ours)
            for ours, (_, bad) in outcomes.items()
            if bad is not None
        ]
    for ours in theirs:
        what = f"{'prediction' if truth else 'outcome'} of {titles[ours]}"
        source_file = predictions.sources.get(titles[ours], "")
        problems += find_value_problems(ours, titles[ours], what, labels, columns, "wrong", source_file)
    return Comparable(
        frame=select_columns(predictions.frame, columns),
        right=right,
        problems=tuple(problems),
        labels=labels,
        keys=["group"] if "group" in schema else [],
        weight="weight" if "weight" in schema else None,
    )


def _describe_label_role(predictions: Predictions) -> str:
    """Return which other role the column "label" has, if any."""
    roles = {name: f"the {role}" for role, name in predictions.names.items()}
    roles |= dict.fromkeys(predictions.models, "a model")
    return f" (the column 'label' is {roles['label']})" if "label" in roles else ""


def _check_one_kind(dtypes: Mapping[str, Any]) -> str:
    """Return the kind of values in the columns; raise InvalidEvidence if values of two kinds would never agree."""
    kinds = {name: kind(dtype) for name, dtype in dtypes.items()}
    known_kinds = [(name, held_kind) for name, held_kind in kinds.items() if held_kind]
    for name, held_kind in known_kinds:
        if held_kind != known_kinds[0][1]:
            raise InvalidEvidence(
                f"`{name}` must hold {known_kinds[0][1]} as `{known_kinds[0][0]}` does, got {held_kind}."
                f" Convert one of the columns."
            )
    return known_kinds[0][1] if known_kinds else ""


def _mixes_booleans(schema: Mapping[str, Any], source: Mapping[str, str]) -> bool:
    """Whether booleans are compared with other numbers, and so have to become 0 and 1."""
    are = {schema[name] == nw.Boolean for name in source.values()}
    return len(are) == 2


def _cast_categories(column: Any, dtype: Any) -> Any:
    return column.cast(nw.String) if dtype in (nw.Categorical, nw.Enum) else column


def null_if_missing(name: str, dtype: Any, *, booleans: bool, narrow: bool) -> Any:
    """Return the column with null instead of NaN and empty texts."""
    column = _cast_categories(nw.col(name), dtype)
    if narrow and dtype == nw.Float64:  # 0.1 in 64 bits is not 0.1 in 32 bits
        column = column.cast(nw.Float32)
    if kind(dtype) == "texts":
        return nw.when(column != "").then(column)
    return column.cast(nw.Int8) if booleans and dtype == nw.Boolean else _without_nan(column, dtype)


def _without_nan(column: Any, dtype: Any) -> Any:
    return nw.when(~column.is_nan()).then(column) if dtype.is_float() else column


def _outcome_conditions(ours: str, dtype: Any) -> tuple[Any, Any]:
    """Return the condition that the model was right, and the condition that a value means neither right nor wrong."""
    column = nw.col(ours)
    if dtype == nw.Boolean:
        return column == nw.lit(True), None
    if kind(dtype) == "texts":
        small = column.str.to_lowercase()
        return small.is_in(_RIGHT), ~flag(small.is_in((*_RIGHT, *_WRONG)) | column.is_null())
    return column == 1, ~flag((column == 0) | (column == 1) | column.is_null())


def find_table_problems(
    columns: Mapping[str, Any], schema: Mapping[str, Any], names: Mapping[str, str], titles: Mapping[str, str]
) -> Iterator[Problem]:
    """Yield the problems that no policy settles."""
    identity = describe_role(names, "id")
    if any(name.startswith("again") for name in columns):
        yield _table_problem(f"{identity} must be present in every row, got none in {COUNT}", nw.col("id").is_null())
    for ours, name in titles.items():
        if f"again_{ours}" in columns:
            yield _table_problem(
                f"{name} must have one prediction for each example, got several for {COUNT}", nw.col(f"again_{ours}")
            )
    yield from find_clashes(columns, names)
    if "weight" in schema:
        yield _check_weight(describe_role(names, "weight"), schema["weight"])
    yield from inexact_parts(schema, names)


def find_clashes(columns: Collection[str], names: Mapping[str, str]) -> list[Problem]:
    """Return the problems of rows with the same id but different labels, groups or weights."""
    problems = []
    for role in EXAMPLE_ROLES:
        if f"clash_{role}" in columns:
            message = f"{describe_role(names, role)} must be the same in all rows of an id, but differs for {COUNT}"
            if role == "proof":
                message = (
                    f"the runs must be on the same items, but the {names.get(role, role)} of one id differs for {COUNT}"
                )
            problems.append(_table_problem(message, nw.col(f"clash_{role}")))
    return problems


def _table_problem(message: str, condition: Any) -> Problem:
    return Problem(message=message, condition=flag(condition), shown_column="id")


def _check_weight(name: str, dtype: Any) -> Problem:
    rule = f"{name} must hold whole numbers from 0 to 2**53"
    if not dtype.is_numeric():
        found_kind = "booleans" if dtype == nw.Boolean else kind(dtype) or dtype
        raise InvalidEvidence(f"{rule}, got {found_kind}. {_OTHER_WEIGHTS}")
    heavy = nw.col("weight")
    good = heavy >= 0
    if can_wrap(dtype):
        good &= heavy <= LARGEST
    if dtype.is_float() or dtype.is_decimal():
        good &= heavy % 1 == 0  # NaN and infinity leave no remainder of 0
    return Problem(
        message=f"{rule}, got {VALUE} in {COUNT}",
        condition=~flag(good & ~heavy.is_null()),
        shown_column="weight",
        remedy=_OTHER_WEIGHTS,
    )


def find_value_problems(
    ours: str,
    name: str,
    what: str,
    labels: tuple[Any, ...] | None,
    columns: Mapping[str, Any],
    settled_by: Any,
    source: str = "",
) -> Iterator[Problem]:
    """Yield the problems that values of a column can have: missing, or unknown; a row that lacks is one of `source`."""
    shown_column = "id" if "id" in columns else ours
    problem = partial(Problem, settled_by=settled_by, model=ours if settled_by == "wrong" else "")
    column = nw.col(ours)
    empty = column.is_null()
    has_absent = f"absent_{ours}" in columns
    if has_absent:
        absent = flag(nw.col(f"absent_{ours}"))
        yield problem(
            reason=f"id without {what}",
            message=f"{source or name} lacks {COUNT}",
            condition=absent,
            shown_column=shown_column,
        )
        empty &= ~absent
    unread = nw.col(f"unread_{ours}") if f"unread_{ours}" in columns else None
    if unread is not None:
        empty &= unread.is_null()
        yield problem(
            reason=f"unknown {what}",
            message=f"`{name}` must hold numbers, got {VALUE} in {COUNT}",
            condition=~unread.is_null(),
            shown_column=f"unread_{ours}",
            remedy="`text` to compare texts",
        )
    verb = "is missing in" if settled_by == "drop" else f"has no {what.partition(' ')[0]} for"
    yield problem(
        reason=f"missing {what}",
        message=f"{name} {verb} {COUNT}",
        condition=empty,
        shown_column=shown_column,
        nulls_of=None if has_absent or unread is not None else ours,
    )
    if labels is not None:
        yield problem(
            reason=f"unknown {what}",
            message=f"{name} must be one of {quote_names(labels)}, got {VALUE} in {COUNT}",
            condition=~flag(_is_among(column, labels) | column.is_null()),
            shown_column=ours,
        )


def _is_among(column: Any, labels: tuple[Any, ...]) -> Any:
    """Return the condition that a value is one of the labels; engines look for numbers of the column's type only."""
    if not all(isinstance(label, int | float) for label in labels):
        return column.is_in(labels)
    small = column.cast(nw.Float64).is_in([float(label) for label in labels if abs(label) < LARGEST])
    large = [column == label for label in labels if not abs(label) < LARGEST]  # a float would round them
    return reduce(or_, large, small)


def _labels_of_kind(labels: tuple[Any, ...], what: str) -> tuple[Any, ...]:
    """Return the labels as the kind that the columns hold: a command line passes numbers as texts."""
    texts = [isinstance(label, str) for label in labels]
    if what == "numbers" and all(texts):
        return tuple(_parse_number(label) for label in labels)
    if (what == "numbers" and any(texts)) or (what == "texts" and not all(texts)):
        raise InvalidEvidence(f"`labels` must hold {what} as the columns do, got {labels!r}.")
    return labels


def _parse_number(label: str) -> Hashable:
    if label.lower() in {"true", "false"}:  # booleans are compared as 1 and 0
        return int(label.lower() == "true")
    readers: tuple[Callable[[str], Hashable], ...] = (int, float)
    for read in readers:
        try:
            return read(label)
        except ValueError:
            continue
    raise InvalidEvidence(f"`labels` must hold numbers as the columns do, got {label!r}.")
