"""From rows to outcomes: what every example gave, its repeats put together, and what was left out or filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import narwhals.stable.v2 as nw
import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import Outcomes
from ..evidence.base import plural
from ..evidence.outcomes import as_metric_of_outcomes
from ..typing_ import BoolArray
from .comparable import clashes, comparable
from .engine import arrays, fetched, flag, kind, part_name, select_columns
from .examples import Items, Rows, absences, fill, lacking, put_together, settle_absent, settle_errors
from .folding import sorted_out
from .tally import Reasoned, Tally
from .troubles import NOBODY, Trouble, any_of, refuse_all_missing, refused

if TYPE_CHECKING:
    from .record import Predictions

Errors = Literal["fail", "wrong", "drop"]
_PARTS = ("id", "epoch", "group", "cluster", "sampling_weight")  # that outcomes have a use for


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What the scores in the models' columns are.

    Parameters
    ----------
    metric
        What they are called.
    higher_is_better
        Whether larger ones are better.
    bounds
        Between what a score must lie; None where that is not known.

    Examples
    --------
    >>> from tellapart import Predictions
    >>> ter = Scored(metric="ter", higher_is_better=False)
    >>> Predictions.of({"old": [2.5, 1.0], "new": [0.5, 0.0]}, scores=ter).outcomes().difference
    np.float64(1.5)
    """

    metric: str = "score"
    higher_is_better: bool = True
    bounds: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.metric, str) or not self.metric:
            raise InvalidOption(f"metric must be what the scores are called, but is {self.metric!r}.")
        if self.bounds is None:
            return
        try:
            low, high = map(float, self.bounds)
        except (TypeError, ValueError):
            low = high = np.nan
        if not low < high:
            raise InvalidOption(
                f"bounds must be the least and the largest score there can be, such as (0, 1), but are {self.bounds!r}."
            )
        object.__setattr__(self, "bounds", (low, high))

    def worst(self, *, binary: bool) -> float:
        """Return the worst score there is, which an answer that failed is counted as."""
        bounds = (0.0, 1.0) if binary and self.bounds is None else self.bounds
        if bounds is None:
            raise InvalidOption(
                f"what is not there cannot be counted as wrong: the worst {self.metric} there can be is not known. Say"
                " bounds=(0, 1) (--bounds 0,1), or leave such examples out: errors='drop' (--errors drop), and"
                " missing='drop' (--missing drop) where a run lacks them."
            )
        return bounds[0] if self.higher_is_better else bounds[1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutcomeTally(Reasoned):
    """The outcomes, and what was left out of them or filled in."""

    outcomes: Outcomes
    excluded: Mapping[str, int]
    """Why examples were left out, and how many."""
    taken_as_wrong: Mapping[str, int]
    """Which answers were not there and were counted as the worst there is."""
    left_out: int = 0
    """How many examples were left out."""
    unmatched: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The ids of all examples that a model never met, by model: what could not be joined."""
    named: Callable[[], np.ndarray] | None = None
    """What asks the table for the ids of the examples; None where it has none."""
    notes: tuple[str, ...] = ()
    """What the logs want said of themselves."""
    unanswered: BoolArray | None = None
    """By model and example, where there was no answer and the worst was counted; None where all are there."""

    @property
    def ids(self) -> np.ndarray | None:
        """The ids of the examples, in the order of the outcomes, where the table has ids; it is asked for them anew."""
        return None if self.named is None else self.named()

    def counted(self) -> Tally:
        """Return who was wrong where, by group where there are groups; refused where counts cannot carry it all."""
        outcomes = self.outcomes
        if not outcomes.countable:
            raise InvalidEvidence(
                f"only right and wrong, one example a row, can be counted, but these are {outcomes.describe()}"
                f" ({outcomes.metric}). Compare the outcomes themselves: tellapart compare, with --margin if need be."
            )
        grouped = outcomes.groups is not None
        groups = outcomes.groups if outcomes.groups is not None else np.zeros(outcomes.examples, dtype=np.int64)
        codes, place = np.unique(outcomes.codes(), return_inverse=True)
        counts = np.zeros((len(outcomes.group_names) or 1, codes.size), dtype=np.int64)
        np.add.at(counts, (groups, place), 1)
        wrong = (codes[:, None] >> np.arange(len(outcomes.models))) & 1
        examples, errors = counts.sum(axis=-1), counts @ wrong
        unanswered, silent = np.zeros_like(examples), tuple[str, ...]()
        if self.unanswered is not None:
            np.add.at(unanswered, groups, self.unanswered.all(axis=0))
            silent = tuple(name for name, gone in zip(outcomes.models, self.unanswered, strict=True) if gone.all())
        return Tally(
            models=outcomes.models,
            groups=outcomes.group_names if grouped else None,
            excluded=self.excluded,
            taken_as_wrong=self.taken_as_wrong,
            left_out=self.left_out,
            unanswered=unanswered if grouped else unanswered[0],
            silent=silent,
            examples=examples if grouped else examples[0],
            errors=errors if grouped else errors[0],
            patterns={
                int(code): column if grouped else column[0] for code, column in zip(codes, counts.T, strict=True)
            },
        )


def outcome_tally(predictions: Predictions, models: tuple[str, ...]) -> OutcomeTally:
    """Return what every example gave; with epochs, one entry for all of an example's."""
    schema = predictions.frame.collect_schema()
    if "weight" in schema:
        raise InvalidOption(
            f"weight ({predictions.names['weight']}) says how many examples a row stands for, which outcomes of single"
            " examples have no use for. Weights of examples in a mean are sampling_weight= (--sampling-weight)."
        )
    scored = predictions.scored or Scored(metric="error", bounds=(0.0, 1.0))
    notes = list(predictions.notes)
    rows = _scored_rows(predictions, models) if predictions.scored else _judged_rows(predictions, models)
    items = put_together(rows, models, predictions.names, repeated="epoch" in schema)
    if predictions.scored is not None:
        settle_absent(items, predictions, models)
        settle_errors(items, predictions, models)
        items.wrong |= absences(items, models)  # those that are left count as answers that failed
        items.lost += items.absent
        notes += _failed_everywhere(items, models)
    # Right and wrong, unless the score could have been something else: of 1 to 5 points, say.
    binary = items.binary and scored.bounds in (None, (0.0, 1.0))
    if items.lost.any():
        fill(items, scored.worst(binary=binary))
    return OutcomeTally(
        outcomes=_outcomes(items, models, scored, predictions, binary=binary),
        excluded=items.excluded,
        taken_as_wrong=items.wrong,
        left_out=items.left_out,
        unmatched=items.unmatched,
        named=None if items.named is None else items.ids,
        notes=tuple(notes),
        unanswered=items.unanswered if items.unanswered.any() else None,
    )


def _failed_everywhere(items: Items, models: Sequence[str]) -> list[str]:
    """Return what is to be said of models of which every answer failed; refuse examples without any score."""
    if not items.met.any():
        raise _all_failed(items.met.shape[1], models)
    failed = [model for model, met in zip(models, items.met, strict=True) if not met.any()]
    return [
        f"all {plural(items.met.shape[1], 'sample')} of {model} failed and count as wrong: this tells how the run went,"
        " not how good the model's answers are."
        for model in failed
    ]


def _all_failed(examples: int, models: Sequence[str]) -> InvalidEvidence:
    of_all = models[0] if len(models) == 1 else f"all {len(models)} models"
    return InvalidEvidence(
        f"all {plural(examples, 'sample')} of {of_all} failed, and errors='wrong' would count every one as wrong"
        " without a single answer. Run the evaluation again; or leave what failed out: errors='drop' (--errors drop),"
        " or another task (--task)."
    )


# --- Rows, as the engine hands them over --------------------------------------------------------------


def _scored_rows(predictions: Predictions, models: Sequence[str]) -> Rows:
    """Return the numbers in the models' columns, null where there is none, and where there is a row at all."""
    schema = predictions.frame.collect_schema()
    columns: dict[str, Any] = {}
    troubles = clashes(schema, predictions.names)
    for place, model in enumerate(models):
        there = predictions.models.index(model)
        dtype = schema[f"m{there}"]
        if kind(dtype) not in ("numbers", ""):
            raise InvalidEvidence(
                f"{model} must hold scores, which are numbers, but holds {kind(dtype)}. If it is no model, name those"
                " that are: models=[...] (--models)."
            )
        if f"unread{there}" in schema:
            said = f"{model} must hold scores, which are numbers, but holds a text for {{}}"
            unread = f"unread{there}"
            troubles.append(Trouble(said=said, holds=~nw.col(unread).is_null(), shows=unread))
        columns[f"s{place}"] = nw.col(f"m{there}").cast(nw.Float64)
        columns[f"gone{place}"] = flag(nw.col(f"absent{there}")) if f"absent{there}" in schema else nw.lit(False)
        if f"again{there}" in schema:
            columns[f"again{place}"] = flag(nw.col(f"again{there}"))
    rows = _in_order(predictions.frame, columns, troubles, predictions)
    found = rows.columns
    met = [each for place, each in enumerate(troubles) if found[f"t{place}"].any()]
    if met:
        raise refused(predictions.frame, met, can_be_wrong=False)
    for place, model in enumerate(models):
        if f"again{place}" in found and found[f"again{place}"].any():
            often = int(found[f"again{place}"].sum())
            remedy = "" if "epoch" in schema else ", or say which column tells repeats apart: epoch='...' (--epoch)"
            raise InvalidEvidence(
                f"{model} has more than one score for {plural(often, 'example')}; keep one of each{remedy}."
            )
    return rows


def _judged_rows(predictions: Predictions, models: Sequence[str]) -> Rows:
    """Return right (1) and wrong (0) by what the models' columns say, as the policy for missing ones wants it."""
    table = comparable(predictions, models)
    forbidden, allowed = sorted_out(table.troubles, predictions.missing)
    columns = {
        f"s{place}": nw.when(each).then(nw.lit(1.0)).otherwise(nw.lit(0.0)) for place, each in enumerate(table.right)
    }
    columns |= {f"gone{place}": nw.lit(False) for place in range(len(models))}
    columns["broken"] = any_of(forbidden) if forbidden else nw.lit(False)
    rows = _in_order(table.frame, columns, allowed, predictions)
    found = rows.columns
    if found["broken"].any():
        raise refused(table.frame, forbidden, can_be_wrong=True)
    reasons = {each.reason: int(found[f"t{place}"].sum()) for place, each in enumerate(allowed)}
    reasons = {reason: count for reason, count in reasons.items() if count}
    if predictions.missing != "drop" or not reasons:
        return _with_lacking(replace(rows, wrong=reasons), allowed, models)
    left = np.flatnonzero(~np.any([found[f"t{place}"] for place in range(len(allowed))], axis=0))
    if not left.size:
        why = "; ".join(f"{reason}: {count}" for reason, count in reasons.items())
        raise InvalidEvidence(f"no example is left ({why}).")
    found = {name: column[left] for name, column in found.items()}
    return Rows(found, rows.named, left, left_out=rows.kept.size - left.size, excluded=reasons)


def _with_lacking(rows: Rows, allowed: Sequence[Trouble], models: Sequence[str]) -> Rows:
    """Return the rows with an account of the predictions that are not there; refuse a table of no others."""
    found = rows.columns
    own = [[f"t{at}" for at, each in enumerate(allowed) if each.model == f"m{place}"] for place in range(len(models))]
    none = np.zeros(rows.kept.size, dtype=bool)
    lacking = np.stack([np.any([none, *(found[name] for name in names)], axis=0) for names in own])
    nobody = int(lacking.all(axis=0).sum())
    refuse_all_missing(nobody, lacking.shape[1], models)
    wrong = rows.wrong | ({NOBODY: nobody} if nobody and len(models) > 1 else {})
    columns = found | {f"lacks{place}": each for place, each in enumerate(lacking)}
    return replace(rows, columns=columns, wrong=wrong)


def _in_order(frame: Any, columns: Mapping[str, Any], troubles: Sequence[Trouble], predictions: Predictions) -> Rows:
    """Collect the columns, the parts and the troubles by id and epoch: what is drawn later depends on the order."""
    names = frame.collect_schema().names()
    parts = {name: nw.col(name) for name in _PARTS if name in names}
    flags = {f"t{place}": each.holds for place, each in enumerate(troubles)}
    frame = select_columns(frame, {**columns, **parts, **flags})
    keys = [name for name in ("id", "epoch") if name in names]
    ordered = frame.sort(*keys) if keys else frame
    table = fetched(ordered)
    if keys:
        _refuse_repeated(table, keys, predictions)
    # Ids tell repeats apart; where there are none, they would only be carried along.
    found = arrays(table if "epoch" in names or not keys else table.drop("id"))
    named = (lambda: arrays(fetched(ordered.select("id")))["id"]) if keys else None
    return Rows(found, named, np.arange(found["s0"].size))


def _refuse_repeated(table: Any, keys: Sequence[str], predictions: Predictions) -> None:
    """Refuse an id (in one epoch) that occurs twice: rows in order need no pass of their own to find it."""
    if "epoch" in keys and table["epoch"].null_count():
        name = part_name(predictions.names, "epoch")
        raise InvalidEvidence(f"{name} is missing in {plural(table['epoch'].null_count(), 'row')}. Fill it in.")
    again = np.ones(max(len(table) - 1, 0), dtype=bool)
    for key in keys:
        here, there = table[key][1:], table[key][:-1]
        again &= arrays((here == there).alias(key).to_frame())[key] == 1
    if again.any() or table["id"].null_count():
        predictions.refuse_repeated_ids()  # which finds one to show


# --- Evidence -----------------------------------------------------------------------------------------


def _outcomes(
    items: Items, models: tuple[str, ...], scored: Scored, predictions: Predictions, *, binary: bool
) -> Outcomes:
    once = bool(items.met.max() == 1)
    means = items.means if scored.higher_is_better or not binary else 1 - items.means
    for part, values in items.parts.items():
        _check_part(part_name(predictions.names, part), values, weights=part == "sampling_weight")
    metric = "error score" if scored.metric == "error" else scored.metric  # "error" is of right and wrong
    return Outcomes(
        scores=means,
        models=models,
        metric=as_metric_of_outcomes(
            "error" if binary else metric, higher_is_better=scored.higher_is_better, bounds=scored.bounds
        ),
        clusters=items.parts.get("cluster"),
        weights=items.parts.get("sampling_weight"),
        groups=items.parts.get("group"),
        repeats=None if once else items.met,
        within=None if once else items.within,
        clustered_by=predictions.names.get("cluster", "cluster"),
    )


def _check_part(name: str, values: np.ndarray, *, weights: bool) -> None:
    """Refuse a part that some examples lack, and weights that are none."""
    often = int(lacking(values).sum())
    if often:
        raise InvalidEvidence(f"{name} is missing for {plural(often, 'example')}. Fill it in, or leave these out.")
    if not weights:
        return
    rule = f"{name} must hold positive numbers: how much each example counts"
    if values.dtype.kind not in "iuf":
        raise InvalidEvidence(f"{rule}; but it holds {str(values[0])[:60]!r}.")
    good = np.isfinite(values) & (values > 0)
    if not good.all():
        raise InvalidEvidence(f"{rule}; but it has {values[~good][0]:g}. Leave out examples that do not count.")
