"""From rows to scores by class: the scores of every model for every example, and what was left out."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import ClassScores
from ..evidence.labelled import labels_in
from .comparable import find_table_problems, find_value_problems, null_if_missing
from .counting import no_examples_left, split_by_policy
from .engine import as_arrays, describe_role, fetch_rows, kind, quote_names, select_columns, unknown_name
from .exactness import inexact_values
from .layout import EXAMPLE_ROLES
from .problems import Problem, describe_problems

if TYPE_CHECKING:
    from .record import Predictions

_BETWEEN = ":_./-"  # separators of model and class in the name of a column
_UNUSED_ROLES = {  # roles that methods for ranks do not support, and the fix
    "weight": "Write one row for each example",
    "group": "Give the rows of one group",
    "epoch": "Keep one epoch, or use the mean of each example",
    "cluster": "Leave it out, or compare outcomes",
    "sampling_weight": "Leave it out",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreTally:
    """The scores by class, and which examples were left out."""

    scores: ClassScores
    excluded: Mapping[str, int]
    """Why examples were left out, and how many."""
    left_out: int = 0
    """How many examples were left out."""

    @property
    def reasons(self) -> dict[str, int]:
        """Why examples were left out, and how many, as a result reports it."""
        return dict(self.excluded)


def score_tally(predictions: Predictions, models: tuple[str, ...], positive: Hashable) -> ScoreTally:
    """Return the scores of these models (all, if none is named), in the order of the ids if there are ids."""
    _refuse_parts(predictions)
    columns = _select_columns_of(predictions, models)
    scores_by_column, excluded, left_out = _read_scores(predictions, columns)
    truth = _as_whole_labels(scores_by_column["label"])
    classes = labels_in([truth], predictions.labels)
    if len(classes) < 2:
        raise InvalidEvidence(
            f"{describe_role(predictions.names, 'label')} must hold two classes or more, got only"
            f" {classes[0]!r}. Name all"
            " classes with `labels`."
        )
    scores = {name: scores_by_column[f"m{index}"] for index, name in enumerate(columns)}
    split = _split_by_model(columns, classes)
    if split is None:
        _refuse_single(columns, models, classes, positive)
    else:
        scores = {name: np.stack([scores[column] for column in by_class], axis=-1) for name, by_class in split.items()}
    evidence = ClassScores.from_scores(truth, scores, positive=positive, classes=classes)
    if models and split is not None:
        evidence = evidence.select(
            *dict.fromkeys(name if name in split else _model_of_column(name, split) for name in models)
        )
    return ScoreTally(scores=evidence, excluded=excluded, left_out=left_out)


def _as_whole_labels(labels: np.ndarray) -> np.ndarray:
    """Return 0 and 1 for 0.0 and 1.0: a column of whole numbers in which one is missing holds floats."""
    return labels.astype(np.int64) if labels.dtype.kind == "f" and (labels % 1 == 0).all() else labels


def _refuse_parts(predictions: Predictions) -> None:
    """Raise an error for roles that methods for ranks do not support, and for a table without labels."""
    schema = predictions.frame.collect_schema()
    for role, why in _UNUSED_ROLES.items():
        if role in schema:
            raise InvalidOption(
                f"`{role}` is not supported for scores, got {predictions.names.get(role, role)!r}. {why}."
            )
    if predictions.correct:
        raise InvalidOption("`correct` must be False for scores, got True. Leave it out.")
    if "label" not in schema:
        raise InvalidEvidence("`label` must name the column of true labels, got none.")


def _select_columns_of(predictions: Predictions, models: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of these models' scores: those with their names, or with their names as prefixes."""
    if not predictions.models:
        raise InvalidEvidence("the table must have a column of scores, got none. Name the columns with `models`.")
    columns: list[str] = []
    for name in models:
        begun = [column for column in predictions.models if column.startswith(tuple(name + sign for sign in _BETWEEN))]
        if name not in predictions.models and not begun:
            raise unknown_name("models", "models of the table", name, predictions.models, InvalidOption)
        columns += [name] if name in predictions.models else begun
    return tuple(dict.fromkeys(columns)) or predictions.models


def _read_scores(predictions: Predictions, columns: Sequence[str]) -> tuple[dict[str, np.ndarray], dict[str, int], int]:
    """Return labels and scores, one entry for each example, and why others were left out."""
    schema = predictions.frame.collect_schema()
    there = {f"m{index}": predictions.models.index(name) for index, name in enumerate(columns)}
    taken: dict[str, Any] = {"label": null_if_missing("label", schema["label"], booleans=False, narrow=False)}
    for (ours, index), name in zip(there.items(), columns, strict=True):
        dtype = schema[f"m{index}"]
        if kind(dtype) not in ("numbers", ""):
            raise InvalidEvidence(
                f"`{name}` must hold scores, got {kind(dtype)}. If it is not a model, name the models with `models`;"
                " if it holds labels, use a metric of labels, such as accuracy."
            )
        taken[ours] = null_if_missing(f"m{index}", dtype, booleans=False, narrow=False).cast(nw.Float64)
        taken |= {f"{what}_{ours}": nw.col(f"{what}{index}") for what in _FLAGS if f"{what}{index}" in schema}
    kept = [name for name in ("id", "unread_label", *(f"clash_{role}" for role in EXAMPLE_ROLES)) if name in schema]
    taken |= {name: nw.col(name) for name in kept}
    frame = select_columns(predictions.frame, taken)
    titles = dict(zip(there, columns, strict=True))
    problems: list[Problem] = [*find_table_problems(taken, {}, predictions.names, titles)]
    label = describe_role(predictions.names, "label")
    problems += inexact_values({"label": schema["label"]}, {"label": label})
    problems += find_value_problems("label", label, "label", predictions.labels, taken, "drop")
    for ours, name in titles.items():
        problems += find_value_problems(
            ours, name, f"score of {name}", None, taken, "wrong", predictions.sources.get(name, "")
        )
    return _drop_missing(frame, problems, [*titles], dropping=predictions.missing == "drop")


_FLAGS = ("absent", "again", "unread")


def _drop_missing(
    frame: Any, problems: Sequence[Problem], ours: Sequence[str], *, dropping: bool
) -> tuple[dict[str, np.ndarray], dict[str, int], int]:
    """Return the rows, read in one pass, without those that lack a value if the policy is "drop"."""
    forbidden, allowed = split_by_policy(problems, "drop" if dropping else "fail")
    names = ["label", *ours]
    flags = {f"t{index}": problem.condition.alias(f"t{index}") for index, problem in enumerate([*forbidden, *allowed])}
    ordered = frame.sort("id") if "id" in frame.collect_schema() else frame  # resampling depends on the order
    table = fetch_rows(ordered.select(*names, *flags.values()))
    values = as_arrays(table.select(*ours, *flags))
    if any(values[f"t{index}"].any() for index in range(len(forbidden))):
        raise describe_problems(frame, forbidden, can_be_wrong=False)
    lost = [values[f"t{index}"].astype(bool) for index in range(len(forbidden), len(flags))]
    gone = np.any(lost, axis=0) if lost else np.zeros(len(table), dtype=bool)
    reasons = {problem.reason: int(rows.sum()) for problem, rows in zip(allowed, lost, strict=True) if rows.any()}
    if gone.all():
        raise no_examples_left(gone.size, reasons)
    # Whole numbers with a null would become floats, so the nulls are removed first.
    labels = table.select("label").filter((~gone).tolist()) if gone.any() else table.select("label")
    return {**as_arrays(labels), **{name: values[name][~gone] for name in ours}}, reasons, int(gone.sum())


# --- Columns of one model for every class -------------------------------------------------------------


def _split_by_model(columns: Sequence[str], classes: Sequence[Any]) -> dict[str, list[str]] | None:
    """Return the columns of each model in the order of the classes if all are called MODEL:CLASS; else None.

    With two classes only a colon counts as separator: model_0 and model_1 may be two models.
    """
    signs = _BETWEEN if len(classes) > 2 else ":"
    texts = sorted(((str(label), index) for index, label in enumerate(classes)), key=lambda pair: -len(pair[0]))
    split: dict[str, list[str]] = {}
    for name in columns:
        match = next(((text, at) for text, at in texts if name.endswith(tuple(sign + text for sign in signs))), None)
        if match is None or len(name) == len(match[0]) + 1:
            return None
        split.setdefault(name[: -len(match[0]) - 1], [""] * len(classes))[match[1]] = name
    if any("" in by_class for by_class in split.values()):
        return None
    return split


def _model_of_column(column: str, split: Mapping[str, list[str]]) -> str:
    return next(name for name, by_class in split.items() if column in by_class)


def _refuse_single(
    columns: Sequence[str], models: tuple[str, ...], classes: tuple[Any, ...], positive: Hashable
) -> None:
    """Raise an error for one score of several classes, and for models without a column for every class."""
    texts = {str(label) for label in classes}
    odd = [name for name in models if name not in columns]
    odd += [base for base, sign, text in (name.rpartition(":") for name in columns) if sign and text in texts]
    if odd:
        raise InvalidEvidence(
            f"{odd[0]!r} must have one column of scores for each of {quote_names(classes)}, such as"
            f" {f'{odd[0]}:{classes[0]}'!r}. If classes have no examples, name all classes with `labels`."
        )
    if len(classes) > 2 and positive is None:
        raise InvalidOption(
            f"{columns[0]!r} must have a column for each of the classes {quote_names(classes)}, such as"
            f" {f'{columns[0]}:{classes[0]}'!r}, got one. Or name its class with `positive`."
        )
