"""From rows to outcomes by example: repeats are averaged; missing answers are left out or filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import narwhals.stable.v2 as nw
import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import Outcomes
from ..evidence.outcomes import as_metric_of_outcomes
from ..figures import count_text
from ..typing_ import BoolArray
from .averaging import (
    Items,
    OrderedRows,
    average_repeats,
    count_absences,
    fill_failed,
    is_missing,
    settle_absent,
    settle_errors,
)
from .comparable import find_clashes, make_comparable
from .counting import no_examples_left, split_by_policy
from .engine import as_arrays, describe_role, fetch_rows, flag, kind, select_columns
from .problems import (
    COUNT,
    NO_PREDICTION,
    VALUE,
    Problem,
    combine_conditions,
    describe_problems,
    refuse_all_missing,
)
from .tally import Reasoned, Tally

if TYPE_CHECKING:
    from .record import Predictions

Errors = Literal["fail", "wrong", "drop"]
_OUTCOME_ROLES = ("id", "epoch", "group", "cluster", "sampling_weight")  # roles that outcomes use


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """The metric of the scores in the models' columns.

    Parameters
    ----------
    metric
        The name of the score.
    higher_is_better
        Whether higher scores are better.
    bounds
        The smallest and largest possible score; None if unknown.

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
            raise InvalidOption(f"`metric` must be the name of the scores, got {self.metric!r}.")
        if self.bounds is None:
            return
        try:
            low, high = map(float, self.bounds)
        except (TypeError, ValueError):
            low = high = np.nan
        if not low < high:
            raise InvalidOption(
                f"`bounds` must be the smallest and largest possible score, such as (0, 1), got {self.bounds!r}."
            )
        object.__setattr__(self, "bounds", (low, high))

    def worst(self, *, binary: bool) -> float:
        """Return the worst possible score, which a failed answer counts as."""
        bounds = (0.0, 1.0) if binary and self.bounds is None else self.bounds
        if bounds is None:
            raise InvalidOption(
                f"`bounds` must be known to count missing answers as wrong, got none for {self.metric}. Give"
                f" them, or use"
                " errors='drop' and missing='drop'."
            )
        return bounds[0] if self.higher_is_better else bounds[1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutcomeTally(Reasoned):
    """The outcomes, and which examples were left out or filled in."""

    outcomes: Outcomes
    excluded: Mapping[str, int]
    """Why examples were left out, and how many."""
    taken_as_wrong: Mapping[str, int]
    """Which answers were missing and counted as the worst score, and how many."""
    left_out: int = 0
    """The number of examples left out."""
    unmatched: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The ids of the examples that a model lacks, by model."""
    named: Callable[[], np.ndarray] | None = None
    """Reads the ids of the examples from the table; None if it has none."""
    notes: tuple[str, ...] = ()
    """Notes about the logs, for readers of the answer."""
    unanswered: BoolArray | None = None
    """By model and example, whether the worst score replaces a missing answer; None if there are none."""

    @property
    def ids(self) -> np.ndarray | None:
        """The ids of the examples, in the order of the outcomes, if the table has ids; each access reads them again."""
        return None if self.named is None else self.named()

    def counted(self) -> Tally:
        """Return the errors as counts, by group if any; raise InvalidEvidence if counts lose information."""
        outcomes = self.outcomes
        if not outcomes.countable:
            raise InvalidEvidence(
                f"outcomes must be right or wrong, one row for each example, to be counted, got {outcomes.describe()}"
                f" ({outcomes.metric}). Use compare() for these outcomes."
            )
        grouped = outcomes.groups is not None
        groups = outcomes.groups if outcomes.groups is not None else np.zeros(outcomes.examples, dtype=np.int64)
        codes, code_index = np.unique(outcomes.codes(), return_inverse=True)
        counts = np.zeros((len(outcomes.group_names) or 1, codes.size), dtype=np.int64)
        np.add.at(counts, (groups, code_index), 1)
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
    """Return the outcomes by example; with epochs, one entry for all repeats of an example."""
    schema = predictions.frame.collect_schema()
    if "weight" in schema:
        raise InvalidOption(
            f"`weight` is not supported for outcomes, got {predictions.names['weight']!r}. For weights of examples in a"
            " mean use `sampling_weight`."
        )
    scored = predictions.scored or Scored(metric="error", bounds=(0.0, 1.0))
    notes = list(predictions.notes)
    rows = _scored_rows(predictions, models) if predictions.scored else _judged_rows(predictions, models)
    items = average_repeats(rows, models, predictions.names, repeated="epoch" in schema)
    if predictions.scored is not None:
        settle_absent(items, predictions, models)
        settle_errors(items, predictions, models)
        items.wrong |= count_absences(items, models)  # those that remain count as failed answers
        items.lost += items.absent
        notes += _failed_everywhere(items, models)
    # Right and wrong, unless the score could have other values, such as 1 to 5.
    binary = items.binary and scored.bounds in (None, (0.0, 1.0))
    if items.lost.any():
        fill_failed(items, scored.worst(binary=binary))
    return OutcomeTally(
        outcomes=_build_outcomes(items, models, scored, predictions, binary=binary),
        excluded=items.excluded,
        taken_as_wrong=items.wrong,
        left_out=items.left_out,
        unmatched=items.unmatched,
        named=None if items.named is None else items.ids,
        notes=tuple(notes),
        unanswered=items.unanswered if items.unanswered.any() else None,
    )


def _failed_everywhere(items: Items, models: Sequence[str]) -> list[str]:
    """Return notes on models of which every answer failed; raise InvalidEvidence if there is no score at all."""
    if not items.met.any():
        raise _no_scores_error(items.met.shape[1], models)
    failed = [model for model, met in zip(models, items.met, strict=True) if not met.any()]
    return [
        f"all {count_text(items.met.shape[1], 'sample')} of {model} failed and count as wrong: this measures"
        f" the run, not"
        " the model's answers."
        for model in failed
    ]


def _no_scores_error(examples: int, models: Sequence[str]) -> InvalidEvidence:
    of_all = models[0] if len(models) == 1 else f"all {len(models)} models"
    return InvalidEvidence(
        f"at least one of {count_text(examples, 'sample')} must have a score, got none of {of_all}. Run the evaluation"
        " again, or choose another task."
    )


# --- Rows, as the engine returns them -----------------------------------------------------------------


def _scored_rows(predictions: Predictions, models: Sequence[str]) -> OrderedRows:
    """Return the scores in the models' columns, null if missing, and which models have a row at all."""
    schema = predictions.frame.collect_schema()
    columns: dict[str, Any] = {}
    problems = find_clashes(schema, predictions.names)
    for index, model in enumerate(models):
        there = predictions.models.index(model)
        dtype = schema[f"m{there}"]
        if kind(dtype) not in ("numbers", ""):
            raise InvalidEvidence(
                f"`{model}` must hold scores, got {kind(dtype)}. If it is not a model, name the models with `models`;"
                " if it holds labels, use a metric of labels, such as accuracy."
            )
        if f"unread{there}" in schema:
            message = f"`{model}` must hold scores, got {VALUE} in {COUNT}"
            unread = f"unread{there}"
            problems.append(Problem(message=message, condition=~nw.col(unread).is_null(), shown_column=unread))
        columns[f"s{index}"] = nw.col(f"m{there}").cast(nw.Float64)
        columns[f"gone{index}"] = flag(nw.col(f"absent{there}")) if f"absent{there}" in schema else nw.lit(False)
        if f"again{there}" in schema:
            columns[f"again{index}"] = flag(nw.col(f"again{there}"))
    rows = _read_in_order(predictions.frame, columns, problems, predictions)
    values = rows.columns
    met = [problem for index, problem in enumerate(problems) if values[f"t{index}"].any()]
    if met:
        raise describe_problems(predictions.frame, met, can_be_wrong=False)
    for index, model in enumerate(models):
        if f"again{index}" in values and values[f"again{index}"].any():
            often = int(values[f"again{index}"].sum())
            remedy = "" if "epoch" in schema else ", or name the column of repeats with `epoch`"
            raise InvalidEvidence(
                f"{model} must have one score for each example, got several for"
                f" {count_text(often, 'example')}. Keep one"
                f" of each{remedy}."
            )
    return rows


def _judged_rows(predictions: Predictions, models: Sequence[str]) -> OrderedRows:
    """Return right (1) and wrong (0) from the models' columns, with missing ones settled by the policy."""
    table = make_comparable(predictions, models)
    forbidden, allowed = split_by_policy(table.problems, predictions.missing)
    columns = {
        f"s{index}": nw.when(problem).then(nw.lit(1.0)).otherwise(nw.lit(0.0))
        for index, problem in enumerate(table.right)
    }
    columns |= {f"gone{index}": nw.lit(False) for index in range(len(models))}
    columns["broken"] = combine_conditions(forbidden) if forbidden else nw.lit(False)
    rows = _read_in_order(table.frame, columns, allowed, predictions)
    values = rows.columns
    if values["broken"].any():
        raise describe_problems(table.frame, forbidden, can_be_wrong=True)
    reasons = {problem.reason: int(values[f"t{index}"].sum()) for index, problem in enumerate(allowed)}
    reasons = {reason: count for reason, count in reasons.items() if count}
    if predictions.missing != "drop" or not reasons:
        return _flag_missing(replace(rows, wrong=reasons), allowed, models)
    left = np.flatnonzero(~np.any([values[f"t{index}"] for index in range(len(allowed))], axis=0))
    if not left.size:
        raise no_examples_left(rows.kept.size, reasons)
    values = {name: column[left] for name, column in values.items()}
    return OrderedRows(values, rows.named, left, left_out=rows.kept.size - left.size, excluded=reasons)


def _flag_missing(rows: OrderedRows, allowed: Sequence[Problem], models: Sequence[str]) -> OrderedRows:
    """Return the rows with flags of missing predictions; raise InvalidEvidence if all are missing."""
    values = rows.columns
    flag_names = [
        [f"t{at}" for at, flags in enumerate(allowed) if flags.model == f"m{index}"] for index in range(len(models))
    ]
    none = np.zeros(rows.kept.size, dtype=bool)
    lacking = np.stack([np.any([none, *(values[name] for name in names)], axis=0) for names in flag_names])
    unpredicted = int(lacking.all(axis=0).sum())
    refuse_all_missing(unpredicted, lacking.shape[1], models)
    wrong = rows.wrong | ({NO_PREDICTION: unpredicted} if unpredicted and len(models) > 1 else {})
    columns = values | {f"lacks{index}": flags for index, flags in enumerate(lacking)}
    return replace(rows, columns=columns, wrong=wrong)


def _read_in_order(
    frame: Any, columns: Mapping[str, Any], problems: Sequence[Problem], predictions: Predictions
) -> OrderedRows:
    """Return columns, roles and flags of problems by id and epoch: resampling depends on the order."""
    names = frame.collect_schema().names()
    roles = {name: nw.col(name) for name in _OUTCOME_ROLES if name in names}
    flags = {f"t{index}": problem.condition for index, problem in enumerate(problems)}
    frame = select_columns(frame, {**columns, **roles, **flags})
    keys = [name for name in ("id", "epoch") if name in names]
    ordered = frame.sort(*keys) if keys else frame
    table = fetch_rows(ordered)
    if keys:
        _refuse_repeated(table, keys, predictions)
    # Ids are needed only to find repeats.
    values = as_arrays(table if "epoch" in names or not keys else table.drop("id"))
    named = (lambda: as_arrays(fetch_rows(ordered.select("id")))["id"]) if keys else None
    return OrderedRows(values, named, np.arange(values["s0"].size))


def _refuse_repeated(table: Any, keys: Sequence[str], predictions: Predictions) -> None:
    """Raise InvalidEvidence if an id occurs twice (in one epoch); sorted rows need no second pass to find it."""
    if "epoch" in keys and table["epoch"].null_count():
        name = describe_role(predictions.names, "epoch")
        raise InvalidEvidence(f"{name} is missing in {count_text(table['epoch'].null_count(), 'row')}. Fill it in.")
    again = np.ones(max(len(table) - 1, 0), dtype=bool)
    for key in keys:
        here, there = table[key][1:], table[key][:-1]
        again &= as_arrays((here == there).alias(key).to_frame())[key] == 1
    if again.any() or table["id"].null_count():
        predictions.refuse_repeated_ids()  # which names one in its error


# --- Evidence -----------------------------------------------------------------------------------------


def _build_outcomes(
    items: Items, models: tuple[str, ...], scored: Scored, predictions: Predictions, *, binary: bool
) -> Outcomes:
    once = bool(items.met.max() == 1)
    means = items.means if scored.higher_is_better or not binary else 1 - items.means
    for role, values in items.parts.items():
        _check_role(describe_role(predictions.names, role), values, weights=role == "sampling_weight")
    metric = "error score" if scored.metric == "error" else scored.metric  # "error" is for right and wrong
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


def _check_role(name: str, values: np.ndarray, *, weights: bool) -> None:
    """Raise InvalidEvidence if a column has missing values, or weights are not positive numbers."""
    often = int(is_missing(values).sum())
    if often:
        raise InvalidEvidence(f"{name} is missing for {count_text(often, 'example')}. Fill it in, or leave these out.")
    if not weights:
        return
    rule = f"{name} must hold positive numbers, got"
    if values.dtype.kind not in "iuf":
        raise InvalidEvidence(f"{rule} {str(values[0])[:60]!r}.")
    good = np.isfinite(values) & (values > 0)
    if not good.all():
        raise InvalidEvidence(f"{rule} {values[~good][0]:g}. Leave out examples without weight.")
