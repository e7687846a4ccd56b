"""From rows to scores by class: what every model gave to every example, and what was left out."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import ClassScores
from ..evidence.labelled import labels_in
from .comparable import of_table, of_values, present
from .engine import arrays, fetched, kind, part_name, select_columns, told
from .exactness import inexact_values
from .folding import sorted_out
from .layout import PARTS
from .troubles import Trouble, refused

if TYPE_CHECKING:
    from .record import Predictions

_BETWEEN = ":_./-"  # what may stand between a model and a class in the name of a column
_OF_OTHERS = {  # parts that the order of all examples has no place for
    "weight": "says how many examples a row stands for, but ranks are of single examples. Give each a row of its own",
    "group": "takes counts apart, but scores are of all examples at once. Give the rows of one group",
    "epoch": "tells repeats apart, but an example is ranked once. Keep one epoch, or take the mean of each example",
    "cluster": "says which examples belong together, which no method for ranks allows for. Leave it out, or compare"
    " outcomes",
    "sampling_weight": "says how much an example counts, which no method for ranks allows for. Leave it out",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreTally:
    """The scores by class, and what was left out of them."""

    scores: ClassScores
    excluded: Mapping[str, int]
    """Why examples were left out, and how many."""
    left_out: int = 0
    """How many examples were left out."""

    @property
    def reasons(self) -> dict[str, int]:
        """What was left out, by reason, as a result tells it."""
        return dict(self.excluded)


def score_tally(predictions: Predictions, models: tuple[str, ...], positive: Hashable) -> ScoreTally:
    """Return the scores of these models (all, if there are none), in the order of the ids where there are ids."""
    _refuse_parts(predictions)
    columns = _columns_of(predictions, models)
    found, excluded, left_out = _rows(predictions, columns)
    truth = _whole(found["label"])
    classes = labels_in([truth], predictions.labels)
    if len(classes) < 2:
        raise InvalidEvidence(
            f"{part_name(predictions.names, 'label')} must hold two classes or more, but is {classes[0]!r} everywhere."
            " Name all there are: labels=[...] (--labels)."
        )
    scores = {name: found[f"m{place}"] for place, name in enumerate(columns)}
    split = _by_model(columns, classes)
    if split is None:
        _refuse_single(columns, models, classes, positive)
    else:
        scores = {name: np.stack([scores[each] for each in by_class], axis=-1) for name, by_class in split.items()}
    held = ClassScores.from_scores(truth, scores, positive=positive, classes=classes)
    if models and split is not None:
        held = held.select(*dict.fromkeys(name if name in split else _base(name, split) for name in models))
    return ScoreTally(scores=held, excluded=excluded, left_out=left_out)


def _whole(labels: np.ndarray) -> np.ndarray:
    """Return 0 and 1 for 0.0 and 1.0: whole numbers become floats on the way, where one is missing."""
    return labels.astype(np.int64) if labels.dtype.kind == "f" and (labels % 1 == 0).all() else labels


def _refuse_parts(predictions: Predictions) -> None:
    """Refuse what ranks have no place for, and a table without labels."""
    schema = predictions.frame.collect_schema()
    for part, why in _OF_OTHERS.items():
        if part in schema:
            raise InvalidOption(f"{predictions.names.get(part, part)} ({part}) {why}.")
    if predictions.correct:
        raise InvalidOption("correct=True tells right from wrong, but this needs scores. Leave it out (--correct).")
    if "label" not in schema:
        raise InvalidEvidence("say which column holds the true labels: label='...' (--label).")


def _columns_of(predictions: Predictions, models: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns in which these models' scores are: their own, or those that begin with their names."""
    if not predictions.models:
        raise InvalidEvidence("the table has no column of scores. Say which ones are: models=[...] (--models).")
    wanted: list[str] = []
    for name in models:
        begun = [each for each in predictions.models if each.startswith(tuple(name + sign for sign in _BETWEEN))]
        if name not in predictions.models and not begun:
            raise InvalidOption(f"model must be one of {told(predictions.models)}, but is {name!r}.")
        wanted += [name] if name in predictions.models else begun
    return tuple(dict.fromkeys(wanted)) or predictions.models


def _rows(predictions: Predictions, columns: Sequence[str]) -> tuple[dict[str, np.ndarray], dict[str, int], int]:
    """Return labels and scores, one entry an example, and why others were left out."""
    schema = predictions.frame.collect_schema()
    there = {f"m{place}": predictions.models.index(name) for place, name in enumerate(columns)}
    taken: dict[str, Any] = {"label": present("label", schema["label"], booleans=False, narrow=False)}
    for (ours, place), name in zip(there.items(), columns, strict=True):
        dtype = schema[f"m{place}"]
        if kind(dtype) not in ("numbers", ""):
            raise InvalidEvidence(
                f"{name} must hold scores, which are numbers, but holds {kind(dtype)}. Labels have no AUC; if it is no"
                " model, name those that are: models=[...] (--models)."
            )
        taken[ours] = present(f"m{place}", dtype, booleans=False, narrow=False).cast(nw.Float64)
        taken |= {f"{what}_{ours}": nw.col(f"{what}{place}") for what in _WHAT if f"{what}{place}" in schema}
    kept = [name for name in ("id", "unread_label", *(f"clash_{part}" for part in PARTS)) if name in schema]
    taken |= {name: nw.col(name) for name in kept}
    frame = select_columns(predictions.frame, taken)
    said = dict(zip(there, columns, strict=True))
    troubles: list[Trouble] = [*of_table(taken, {}, predictions.names, said)]
    label = part_name(predictions.names, "label")
    troubles += inexact_values({"label": schema["label"]}, {"label": label})
    troubles += of_values("label", label, "label", predictions.labels, taken, "truth")
    for ours, name in said.items():
        troubles += of_values(ours, name, f"score of {name}", None, taken, "prediction")
    return _settled(frame, troubles, [*said], dropping=predictions.missing == "drop")


_WHAT = ("absent", "again", "unread")


def _settled(
    frame: Any, troubles: Sequence[Trouble], ours: Sequence[str], *, dropping: bool
) -> tuple[dict[str, np.ndarray], dict[str, int], int]:
    """Collect the rows in one pass, and leave out those that lack something if that is the policy."""
    forbidden, allowed = sorted_out(troubles, "drop" if dropping else "fail")
    names = ["label", *ours]
    flags = {f"t{place}": each.holds.alias(f"t{place}") for place, each in enumerate([*forbidden, *allowed])}
    ordered = frame.sort("id") if "id" in frame.collect_schema() else frame  # what is drawn later depends on the order
    table = fetched(ordered.select(*names, *flags.values()))
    found = arrays(table.select(*ours, *flags))
    if any(found[f"t{place}"].any() for place in range(len(forbidden))):
        raise refused(frame, forbidden, can_be_wrong=False)
    lost = [found[f"t{place}"].astype(bool) for place in range(len(forbidden), len(flags))]
    gone = np.any(lost, axis=0) if lost else np.zeros(len(table), dtype=bool)
    reasons = {each.reason: int(rows.sum()) for each, rows in zip(allowed, lost, strict=True) if rows.any()}
    if gone.all():
        why = "; ".join(f"{reason}: {count}" for reason, count in reasons.items())
        raise InvalidEvidence(f"no example is left of {gone.size} ({why})." if why else "the table holds no example.")
    # Whole numbers beside a null would become floats: labels leave the table when the nulls are out.
    labels = table.select("label").filter((~gone).tolist()) if gone.any() else table.select("label")
    return {**arrays(labels), **{name: found[name][~gone] for name in ours}}, reasons, int(gone.sum())


# --- Columns of one model for every class -------------------------------------------------------------


def _by_model(columns: Sequence[str], classes: Sequence[Any]) -> dict[str, list[str]] | None:
    """Return the columns of each model in the order of the classes, where all are called MODEL:CLASS; else None.

    With two classes only a colon says so: model_0 and model_1 may well be two models.
    """
    signs = _BETWEEN if len(classes) > 2 else ":"
    texts = sorted(((str(label), place) for place, label in enumerate(classes)), key=lambda each: -len(each[0]))
    split: dict[str, list[str]] = {}
    for name in columns:
        found = next(((text, at) for text, at in texts if name.endswith(tuple(sign + text for sign in signs))), None)
        if found is None or len(name) == len(found[0]) + 1:
            return None
        split.setdefault(name[: -len(found[0]) - 1], [""] * len(classes))[found[1]] = name
    if any("" in by_class for by_class in split.values()):
        return None
    return split


def _base(column: str, split: Mapping[str, list[str]]) -> str:
    return next(name for name, by_class in split.items() if column in by_class)


def _refuse_single(
    columns: Sequence[str], models: tuple[str, ...], classes: tuple[Any, ...], positive: Hashable
) -> None:
    """Refuse single scores of several classes, and models whose columns by class are not complete."""
    texts = {str(label) for label in classes}
    odd = [name for name in models if name not in columns]
    odd += [base for base, sign, text in (name.rpartition(":") for name in columns) if sign and text in texts]
    if odd:
        raise InvalidEvidence(
            f"{odd[0]} must have a column of scores for each of {told(classes)}, called {odd[0]}:{classes[0]} and so"
            " on, and none besides. If there are classes that no example is of, name all: labels=[...] (--labels)."
        )
    if len(classes) > 2 and positive is None:
        raise InvalidOption(
            f"the label has {len(classes)} classes ({told(classes)}), and {columns[0]} is one score: say of which class"
            f" it is, positive=... (--positive), or give a column for each, called {columns[0]}:{classes[0]} and so on."
        )
