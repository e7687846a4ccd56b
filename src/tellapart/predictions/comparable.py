"""The columns of some models made comparable: what is right, and what may be wrong with an example."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from ..errors import InvalidEvidence
from ..evidence.validation import LARGEST
from .engine import Frame, can_wrap, flag, kind, part_name, select_columns, told
from .exactness import inexact_parts, inexact_values, refuse_inexact_values
from .layout import PARTS, UNREAD
from .troubles import Trouble

if TYPE_CHECKING:
    from .record import Predictions

_OTHER_WEIGHTS = " How much an example counts in a mean is sampling_weight= (--sampling-weight)."
_RIGHT, _WRONG = ("true", "1", "1.0"), ("false", "0", "0.0")  # how texts say whether a model was right


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparable:
    """A table with the columns `label`, `m0`, `m1`, …, `group`, `weight`, as far as there are any."""

    frame: Frame
    right: tuple[Any, ...]  # a condition for each model
    troubles: tuple[Trouble, ...]
    labels: tuple[Any, ...] | None
    keys: list[str]
    weight: str | None


def comparable(predictions: Predictions, models: Sequence[str]) -> Comparable:
    """Return the columns of these models, under which nothing is missing but what is null."""
    schema = predictions.frame.collect_schema()
    theirs = {f"m{place}": predictions.models.index(name) for place, name in enumerate(models)}
    truth = {} if predictions.correct else {"label": "label"}
    if truth and "label" not in schema:
        taken = {name for part, name in predictions.names.items() if part != "label"}
        free = [name for name in predictions.columns if name not in taken and not name.startswith(UNREAD)]
        there = told(free or predictions.columns or predictions.models)
        raise InvalidEvidence(
            f"{_taken(predictions)}say which column holds the true labels: label='...' (--label). The columns are"
            f" {there}. If they say whether each prediction was right, say correct=True (--correct)."
        )
    source = {**truth, **{ours: f"m{place}" for ours, place in theirs.items()}}
    said = {"label": predictions.names.get("label", "label"), **dict(zip(theirs, models, strict=True))}
    kinds = _one_kind({said[ours]: schema[name] for ours, name in source.items()}) if truth else ""
    narrow = {nw.Float32, nw.Float64} <= {schema[name] for name in source.values()}
    columns = {
        ours: present(name, schema[name], booleans=bool(truth) and _mixed(schema, source), narrow=narrow)
        for ours, name in source.items()
    }
    for ours, place in theirs.items():
        for what in ("absent", "again", "unread"):
            if f"{what}{place}" in schema:
                columns[f"{what}_{ours}"] = nw.col(f"{what}{place}")
    if truth and "unread_label" in schema:
        columns["unread_label"] = nw.col("unread_label")
    own = ("id", "epoch", "group", "weight", "cluster", "sampling_weight")
    rest = [name for name in (*own, *(f"clash_{part}" for part in PARTS)) if name in schema]
    columns |= {name: _without_nan(_text(nw.col(name), schema[name]), schema[name]) for name in rest}
    labels = _labels_of_kind(predictions.labels, kinds) if predictions.labels else None
    right: tuple[Any, ...]
    troubles = [*of_table(columns, schema, predictions.names, said)]
    if truth:
        rounded = [*inexact_values({ours: schema[name] for ours, name in source.items()}, said)]
        if predictions.frame.implementation.is_pyarrow():
            refuse_inexact_values(predictions.frame, rounded, source)
        troubles += rounded
        right = tuple(nw.col(ours) == nw.col("label") for ours in theirs)
        troubles += of_values("label", part_name(predictions.names, "label"), "label", labels, columns, "truth")
    else:
        told_right = {ours: _outcome(ours, schema[source[ours]]) for ours in theirs}
        right = tuple(each for each, _ in told_right.values())
        rule = "must say whether it was right (true or 1) or wrong (false or 0), but does not in {}"
        troubles += [
            Trouble(said=f"{said[ours]} {rule}", holds=bad, shows=ours)
            for ours, (_, bad) in told_right.items()
            if bad is not None
        ]
    for ours in theirs:
        what = f"{'prediction' if truth else 'outcome'} of {said[ours]}"
        troubles += of_values(ours, said[ours], what, labels, columns, "prediction")
    return Comparable(
        frame=select_columns(predictions.frame, columns),
        right=right,
        troubles=tuple(troubles),
        labels=labels,
        keys=["group"] if "group" in schema else [],
        weight="weight" if "weight" in schema else None,
    )


def _taken(predictions: Predictions) -> str:
    """Return what part the column has that would be the label if it had none."""
    parts = {name: f"the {part}" for part, name in predictions.names.items()}
    parts |= dict.fromkeys(predictions.models, "a model")
    return f"the column 'label' has another part ({parts['label']}); " if "label" in parts else ""


def _one_kind(dtypes: Mapping[str, Any]) -> str:
    """Return what the columns hold, or refuse those that could never agree with the label."""
    kinds = {name: kind(dtype) for name, dtype in dtypes.items()}
    known = [(name, each) for name, each in kinds.items() if each]
    for name, each in known:
        if each != known[0][1]:
            raise InvalidEvidence(
                f"{known[0][0]} holds {known[0][1]} and {name} {each}, which never agree. Convert one to the other."
            )
    return known[0][1] if known else ""


def _mixed(schema: Mapping[str, Any], source: Mapping[str, str]) -> bool:
    """Whether truth values stand beside other numbers, and have to be compared as 0 and 1."""
    are = {schema[name] == nw.Boolean for name in source.values()}
    return len(are) == 2


def _text(column: Any, dtype: Any) -> Any:
    return column.cast(nw.String) if dtype in (nw.Categorical, nw.Enum) else column


def present(name: str, dtype: Any, *, booleans: bool, narrow: bool) -> Any:
    """Return the column with null, and nothing else, where there is no value: not NaN, not the empty text."""
    column = _text(nw.col(name), dtype)
    if narrow and dtype == nw.Float64:  # 0.1 of 64 bits is not that of 32
        column = column.cast(nw.Float32)
    if kind(dtype) == "texts":
        return nw.when(column != "").then(column)
    return column.cast(nw.Int8) if booleans and dtype == nw.Boolean else _without_nan(column, dtype)


def _without_nan(column: Any, dtype: Any) -> Any:
    return nw.when(~column.is_nan()).then(column) if dtype.is_float() else column


def _outcome(ours: str, dtype: Any) -> tuple[Any, Any]:
    """Return the condition that the model was right, and the one that the column does not tell."""
    column = nw.col(ours)
    if dtype == nw.Boolean:
        return column == nw.lit(True), None
    if kind(dtype) == "texts":
        small = column.str.to_lowercase()
        return small.is_in(_RIGHT), ~flag(small.is_in((*_RIGHT, *_WRONG)) | column.is_null())
    return column == 1, ~flag((column == 0) | (column == 1) | column.is_null())


def of_table(
    columns: Mapping[str, Any], schema: Mapping[str, Any], names: Mapping[str, str], said: Mapping[str, str]
) -> Iterator[Trouble]:
    """Yield what makes a table useless whatever the policy."""
    identity = part_name(names, "id")
    if any(name.startswith("again") for name in columns):
        yield _broken(f"{identity} is missing in {{}}; every example needs its own", nw.col("id").is_null())
    for ours, name in said.items():
        if f"again_{ours}" in columns:
            yield _broken(f"{name} has more than one prediction for {{}}; keep one of each", nw.col(f"again_{ours}"))
    yield from clashes(columns, names)
    if "weight" in schema:
        yield _bad_weight(part_name(names, "weight"), schema["weight"])
    yield from inexact_parts(schema, names)


def clashes(columns: Collection[str], names: Mapping[str, str]) -> list[Trouble]:
    """Return what rows of one id may disagree in."""
    found = []
    for part in PARTS:
        if f"clash_{part}" in columns:
            said = f"{part_name(names, part)} differs between rows of the same id for {{}}"
            if part == "proof":
                said = (
                    f"the runs are not on the same items: {names.get(part, part)} says that what has the same id is not"
                    " the same item, for {}"
                )
            found.append(_broken(said, nw.col(f"clash_{part}")))
    return found


def _broken(said: str, holds: Any) -> Trouble:
    return Trouble(said=said, holds=flag(holds), shows="id")


def _bad_weight(name: str, dtype: Any) -> Trouble:
    rule = f"{name} must hold whole numbers that say how often an example counts"
    if not dtype.is_numeric():
        found = "booleans" if dtype == nw.Boolean else kind(dtype) or dtype
        raise InvalidEvidence(f"{rule}, but holds {found}.{_OTHER_WEIGHTS}")
    heavy = nw.col("weight")
    good = heavy >= 0
    if can_wrap(dtype):
        good &= heavy <= LARGEST
    if dtype.is_float() or dtype.is_decimal():
        good &= heavy % 1 == 0  # NaN and infinity leave no remainder of 0
    return Trouble(
        said=f"{rule}, but does not in {{}}",
        holds=~flag(good & ~heavy.is_null()),
        shows="weight",
        remedy=_OTHER_WEIGHTS,
    )


def of_values(
    ours: str, name: str, what: str, labels: tuple[Any, ...] | None, columns: Mapping[str, Any], of: Any
) -> Iterator[Trouble]:
    """Yield what may be wrong with the values of a column: nothing there, or nothing known."""
    shows = "id" if "id" in columns else ours
    trouble = partial(Trouble, of=of, model=ours if of == "prediction" else "")
    column = nw.col(ours)
    empty = column.is_null()
    told_apart = f"absent_{ours}" in columns
    if told_apart:
        absent = flag(nw.col(f"absent_{ours}"))
        yield trouble(reason=f"id without {what}", said=f"{name} has no row for {{}}", holds=absent, shows=shows)
        empty &= ~absent
    unread = nw.col(f"unread_{ours}") if f"unread_{ours}" in columns else None
    if unread is not None:
        empty &= unread.is_null()
        yield trouble(
            reason=f"unknown {what}",
            said=f"{name} holds numbers, but something else in {{}}",
            holds=~unread.is_null(),
            shows=f"unread_{ours}",
            remedy=" To compare values as they are written, say text=True (--text).",
        )
    verb = "is missing in" if of == "truth" else f"has no {what.partition(' ')[0]} for"
    yield trouble(
        reason=f"missing {what}",
        said=f"{name} {verb} {{}}",
        holds=empty,
        shows=shows,
        gap_in=None if told_apart or unread is not None else ours,
    )
    if labels is not None:
        yield trouble(
            reason=f"unknown {what}",
            said=f"{name} has a value that is none of the labels {told(labels)} in {{}}",
            holds=~flag(_among(column, labels) | column.is_null()),
            shows=ours,
        )


def _among(column: Any, labels: tuple[Any, ...]) -> Any:
    """Return whether a value is one of the labels; engines look only for numbers of the column's own type."""
    if not all(isinstance(label, int | float) for label in labels):
        return column.is_in(labels)
    small = column.cast(nw.Float64).is_in([float(label) for label in labels if abs(label) < LARGEST])
    large = [column == label for label in labels if not abs(label) < LARGEST]  # a float would round them
    return reduce(or_, large, small)


def _labels_of_kind(labels: tuple[Any, ...], what: str) -> tuple[Any, ...]:
    """Return the known labels as what the columns hold; a command line has nothing but texts to tell numbers by."""
    texts = [isinstance(label, str) for label in labels]
    if what == "numbers" and all(texts):
        return tuple(_number(label) for label in labels)
    if (what == "numbers" and any(texts)) or (what == "texts" and not all(texts)):
        raise InvalidEvidence(f"labels must hold {what} as the columns do, but is {labels!r}.")
    return labels


def _number(label: str) -> Hashable:
    if label.lower() in {"true", "false"}:  # truth values are compared as 1 and 0
        return int(label.lower() == "true")
    readers: tuple[Callable[[str], Hashable], ...] = (int, float)
    for read in readers:
        try:
            return read(label)
        except ValueError:
            continue
    raise InvalidEvidence(f"labels must hold numbers as the columns do, but has {label!r}.")
