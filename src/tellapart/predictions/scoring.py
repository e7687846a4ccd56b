"""From rows to outcomes: what every example gave, its repeats put together, and what was left out or filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import narwhals.stable.v2 as nw
import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import ErrorCount, ErrorPatterns, Outcomes, PairedTable
from ..rendering import AS_WRONG
from ..types import BoolArray, FloatArray, IntArray
from .comparable import clashes, comparable
from .engine import arrays, flag, kind, part_name, plural
from .folding import sorted_out
from .tally import Tally
from .troubles import any_of, refused

if TYPE_CHECKING:
    from .record import Predictions

__all__ = ["Errors", "OutcomeTally", "Scored", "outcome_tally"]

Errors = Literal["fail", "wrong", "drop"]
_SHOWN = 5  # ids that an account names
_ERRORS_REMEDY = (
    " Decide: errors='wrong' counts them as failures of the model, errors='drop' leaves these examples out for all"
    " models (at the command line: --errors)."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What the numbers in the models' columns are."""

    metric: str = "score"
    higher_is_better: bool = True
    bounds: tuple[float, float] | None = None

    def worst(self, *, binary: bool) -> float:
        """Return the worst score there is, which an answer that failed is counted as."""
        bounds = (0.0, 1.0) if binary and self.bounds is None else self.bounds
        if bounds is None:
            raise InvalidOption(
                f"errors='wrong' needs to know the worst score of {self.metric!r}, which has no bounds that are known."
                " Say bounds=(0, 1) (--bounds 0,1), or errors='drop'."
            )
        return bounds[0] if self.higher_is_better else bounds[1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutcomeTally:
    """The outcomes, and what was left out of them or filled in."""

    outcomes: Outcomes
    excluded: Mapping[str, int]
    """Why examples were left out, and how many."""
    taken_as_wrong: Mapping[str, int]
    """Which answers were not there and were counted as the worst there is."""
    named: Callable[[], np.ndarray] | None = None
    """What asks the table for the ids of the examples; None where it has none."""
    notes: tuple[str, ...] = ()
    """What the logs want said of themselves."""

    @property
    def ids(self) -> np.ndarray | None:
        """The ids of the examples, in the order of the outcomes, where the table has ids; it is asked for them anew."""
        return None if self.named is None else self.named()

    @property
    def evidence(self) -> PairedTable | ErrorPatterns | ErrorCount | Outcomes:
        """What to compare or estimate by: counts where these hold all there is, else the outcomes themselves."""
        if not self.outcomes.countable:
            return self.outcomes
        models = len(self.outcomes.models)
        if models == 1:
            return self.outcomes.error_counts()[0]
        return self.outcomes.paired_table() if models == 2 else self.outcomes.error_patterns()

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
        return Tally(
            models=outcomes.models,
            groups=outcomes.group_names if grouped else None,
            excluded=self.excluded,
            taken_as_wrong=self.taken_as_wrong,
            left_out=sum(self.excluded.values()),
            examples=examples if grouped else examples[0],
            errors=errors if grouped else errors[0],
            patterns={
                int(code): column if grouped else column[0] for code, column in zip(codes, counts.T, strict=True)
            },
        )

    @property
    def reasons(self) -> dict[str, int]:
        """What was left out or counted as wrong, by reason, as a result tells it."""
        return {**self.excluded, **{reason + AS_WRONG: count for reason, count in self.taken_as_wrong.items()}}


@dataclass(slots=True)
class _Items:
    """The examples, one entry each: of every model the answers that were scored, those that were not, their scores."""

    met: IntArray  # by model and example: scored answers
    lost: IntArray  # answers without a score
    absent: BoolArray  # no answer at all
    means: FloatArray
    within: FloatArray
    parts: dict[str, np.ndarray]
    rows: IntArray  # where in the table each begins
    named: Callable[[], np.ndarray] | None  # what asks for the ids of all rows: they are seldom wanted, and long
    binary: bool
    excluded: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)

    def ids(self) -> np.ndarray:
        """Return the ids of the examples that are left."""
        every = np.arange(int(self.rows.max()) + 1) + 1 if self.named is None else self.named()
        found: np.ndarray = every[self.rows]
        return found


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows by id and epoch, as the engine hands them over."""

    columns: dict[str, np.ndarray]
    named: Callable[[], np.ndarray] | None
    kept: IntArray  # which of the table's these are
    excluded: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)


def outcome_tally(predictions: Predictions, models: tuple[str, ...]) -> OutcomeTally:
    """Return what every example gave; with epochs, one entry for all of an example's."""
    schema = predictions.frame.collect_schema()
    if "weight" in schema:
        raise InvalidOption(
            f"weight ({predictions.names['weight']}) says how many examples a row stands for, which outcomes of single"
            " examples have no use for. Weights of examples in a mean are sampling_weight= (--sampling-weight)."
        )
    scored = predictions.scored or Scored(metric="error", bounds=(0.0, 1.0))
    rows = _scored_rows(predictions, models) if predictions.scored else _judged_rows(predictions, models)
    items = _put_together(rows, len(models), repeated="epoch" in schema)
    if predictions.scored is not None:
        _settle_absent(items, predictions, models)
        _settle_errors(items, predictions, models)
        items.lost += items.absent  # those that are left count as answers that failed
    # Right and wrong, unless the score could have been something else: of 1 to 5 points, say.
    binary = items.binary and scored.bounds in (None, (0.0, 1.0))
    if items.lost.any():
        _fill(items, scored.worst(binary=binary))
    return OutcomeTally(
        outcomes=_outcomes(items, models, scored, predictions, binary=binary),
        excluded=items.excluded,
        taken_as_wrong=items.wrong,
        named=None if items.named is None else items.ids,
        notes=predictions.notes,
    )


# --- Rows, as the engine hands them over --------------------------------------------------------------


def _scored_rows(predictions: Predictions, models: Sequence[str]) -> _Rows:
    """Return the numbers in the models' columns, null where there is none, and where there is a row at all."""
    schema = predictions.frame.collect_schema()
    columns: dict[str, Any] = {}
    for place, model in enumerate(models):
        there = predictions.models.index(model)
        dtype = schema[f"m{there}"]
        if kind(dtype) not in ("numbers", ""):
            raise InvalidEvidence(f"{model} must hold scores, which are numbers, but holds {kind(dtype)}.")
        columns[f"s{place}"] = nw.col(f"m{there}").cast(nw.Float64)
        columns[f"gone{place}"] = flag(nw.col(f"absent{there}")) if f"absent{there}" in schema else nw.lit(False)
        if f"again{there}" in schema:
            columns[f"again{place}"] = flag(nw.col(f"again{there}"))
    kept = [name for name in ("id", "epoch", "group", "cluster", "sampling_weight") if name in schema]
    troubles = clashes(schema, predictions.names)
    columns |= {name: nw.col(name) for name in (*kept, *(each.shows for each in troubles))}
    columns |= {f"t{place}": each.holds for place, each in enumerate(troubles)}
    frame = predictions.frame.select(*(column.alias(name) for name, column in columns.items()))
    rows = _in_order(frame)
    found = rows.columns
    met = [each for place, each in enumerate(troubles) if found[f"t{place}"].any()]
    if met:
        raise refused(predictions.frame, met, can_be_wrong=False)
    for place, model in enumerate(models):
        if f"again{place}" in found and found[f"again{place}"].any():
            often = int(found[f"again{place}"].sum())
            raise InvalidEvidence(f"{model} has more than one score for {plural(often, 'example')}; keep one of each.")
    return rows


def _judged_rows(predictions: Predictions, models: Sequence[str]) -> _Rows:
    """Return right (1) and wrong (0) by what the models' columns say, as the policy for missing ones wants it."""
    table = comparable(predictions, models)
    forbidden, allowed = sorted_out(table.troubles, predictions.missing)
    columns = {
        f"s{place}": nw.when(each).then(nw.lit(1.0)).otherwise(nw.lit(0.0)) for place, each in enumerate(table.right)
    }
    columns |= {f"gone{place}": nw.lit(False) for place in range(len(models))}
    names = table.frame.collect_schema().names()
    kept = [name for name in ("id", "epoch", "group", "cluster", "sampling_weight") if name in names]
    columns |= {name: nw.col(name) for name in kept}
    columns["broken"] = any_of(forbidden) if forbidden else nw.lit(False)
    columns |= {f"t{place}": each.holds for place, each in enumerate(allowed)}
    rows = _in_order(table.frame.select(*(column.alias(name) for name, column in columns.items())))
    found = rows.columns
    if found["broken"].any():
        raise refused(table.frame, forbidden, can_be_wrong=True)
    reasons = {each.reason: int(found[f"t{place}"].sum()) for place, each in enumerate(allowed)}
    reasons = {reason: count for reason, count in reasons.items() if count}
    if predictions.missing != "drop" or not reasons:
        return replace(rows, wrong=reasons)
    left = np.flatnonzero(~np.any([found[f"t{place}"] for place in range(len(allowed))], axis=0))
    if not left.size:
        why = "; ".join(f"{reason}: {count}" for reason, count in reasons.items())
        raise InvalidEvidence(f"no example is left ({why}).")
    return _Rows({name: column[left] for name, column in found.items()}, rows.named, left, excluded=reasons)


def _in_order(frame: Any) -> _Rows:
    """Collect the rows by id and epoch: what is drawn at random later depends on their order."""
    names = frame.collect_schema().names()
    keys = [name for name in ("id", "epoch") if name in names]
    ordered = frame.sort(*keys) if keys else frame
    # Ids tell repeats apart; where there are none, they would only be carried along.
    found = arrays(ordered if "epoch" in names or not keys else ordered.drop("id"))
    named = (lambda: arrays(ordered.select("id"))["id"]) if keys else None
    return _Rows(found, named, np.arange(found["s0"].size))


# --- Examples -----------------------------------------------------------------------------------------


def _put_together(found: _Rows, models: int, *, repeated: bool) -> _Items:
    """Return one entry for each example: the mean of its answers that were scored, and how far these are apart."""
    rows = found.columns
    size = rows["s0"].size
    if not size:
        raise InvalidEvidence("the table holds no example. Is it the right one?")
    starts = np.arange(size)
    if repeated:
        ids = rows["id"]
        starts = np.flatnonzero(np.r_[True, ids[1:] != ids[:-1]])
    scores = np.stack([rows[f"s{place}"].astype(float) for place in range(models)])
    gone = np.stack([rows[f"gone{place}"].astype(bool) for place in range(models)])
    known = np.isfinite(scores)
    if np.isinf(scores).any():
        raise InvalidEvidence("scores must be finite, but one is infinite. Leave that example out.")
    values = np.where(known, scores, 0.0)
    met = np.add.reduceat(known.astype(np.int64), starts, axis=1)
    means = np.add.reduceat(values, starts, axis=1) / np.maximum(met, 1)
    lengths = np.diff(np.r_[starts, size])
    apart = np.where(known, scores - np.repeat(means, lengths, axis=1), 0.0) ** 2
    return _Items(
        met=met,
        lost=np.add.reduceat((~known & ~gone).astype(np.int64), starts, axis=1),
        absent=np.logical_and.reduceat(gone, starts, axis=1),
        means=means,
        within=np.add.reduceat(apart, starts, axis=1),
        parts={name: rows[name][starts] for name in ("group", "cluster", "sampling_weight") if name in rows},
        rows=found.kept[starts],
        named=found.named,
        binary=bool(((values == 0) | (values == 1)).all()),
        excluded=dict(found.excluded),
        wrong=dict(found.wrong),
    )


def _settle_absent(items: _Items, predictions: Predictions, models: Sequence[str]) -> None:
    """Decide about examples that some model never met: two runs on different items are no pair."""
    if not items.absent.any():
        return
    shared = ~items.absent.any(axis=0)
    only = {
        f"no row of {model} ({_some(items, gone)})": int(gone.sum())
        for model, gone in zip(models, items.absent, strict=True)
        if gone.any()
    }
    told = "; ".join(f"{reason}: {plural(count, 'example')}" for reason, count in only.items())
    if not shared.any():
        raise InvalidEvidence(f"{' and '.join(models)} share no example: {told}. Are these runs of the same task?")
    if predictions.missing == "fail":
        raise InvalidEvidence(
            f"{' and '.join(models)} are not on the same examples: {told}. They share {int(shared.sum())};"
            " missing='drop' compares them by these (at the command line: --missing drop)."
        )
    if predictions.missing == "drop":
        items.excluded |= only
        _keep(items, shared)
        return
    items.wrong |= only


def _settle_errors(items: _Items, predictions: Predictions, models: Sequence[str]) -> None:
    """Decide about answers without a score: by the policy, or, if none is given, where the models share them."""
    lost = items.lost > 0
    if not lost.any():
        return
    policy = predictions.errors
    reasons = {
        f"unscored answers of {model} ({_some(items, here)})": int(here.sum())
        for model, here in zip(models, lost, strict=True)
        if here.any()
    }
    differ = bool((lost != lost[0]).any())
    if policy == "fail" or (policy is None and differ):
        told = "; ".join(f"{reason}: {plural(count, 'example')}" for reason, count in reasons.items())
        how = "the models differ in which answers have no score" if differ else "answers have no score"
        raise InvalidEvidence(f"{how}: {told}.{_ERRORS_REMEDY}")
    if policy == "wrong":
        items.wrong |= reasons
        return
    items.lost[:] = 0  # other repeats of the same example stand for it
    kept = ((items.met > 0) | items.absent).all(axis=0)
    if not kept.any():
        raise InvalidEvidence("no example is left: none has a score of every model.")
    items.excluded |= reasons
    _keep(items, kept)


def _some(items: _Items, where: BoolArray) -> str:
    """Name some of the examples for which something holds."""
    names = [str(each) for each in items.ids()[where][:_SHOWN]]
    if items.named is None:
        return f"such as row {names[0]}"
    return ", ".join(names) + (", …" if where.sum() > _SHOWN else "")


def _keep(items: _Items, kept: Any) -> None:
    for name in ("met", "lost", "absent", "means", "within"):
        setattr(items, name, getattr(items, name)[:, kept])
    items.parts = {name: part[kept] for name, part in items.parts.items()}
    items.rows = items.rows[kept]


def _fill(items: _Items, worst: float) -> None:
    """Count answers that failed as the worst there is, beside those of the same example that did not."""
    all_of = items.met + items.lost
    means = (items.means * items.met + worst * items.lost) / np.maximum(all_of, 1)
    items.within += items.met * (items.means - means) ** 2 + items.lost * (worst - means) ** 2
    items.met, items.means, items.lost = all_of, means, np.zeros_like(items.lost)


def _outcomes(
    items: _Items, models: tuple[str, ...], scored: Scored, predictions: Predictions, *, binary: bool
) -> Outcomes:
    once = bool(items.met.max() == 1)
    means = items.means if scored.higher_is_better or not binary else 1 - items.means
    for part, values in items.parts.items():
        if any(value is None or value != value for value in values.tolist()):  # only NaN differs from itself
            raise InvalidEvidence(
                f"{part_name(predictions.names, part)} is missing for some examples. Fill it in, or leave these out."
            )
    return Outcomes(
        scores=means,
        models=models,
        metric="error" if binary else scored.metric,
        higher_is_better=scored.higher_is_better,
        bounds=scored.bounds,
        clusters=items.parts.get("cluster"),
        weights=items.parts.get("sampling_weight"),
        groups=items.parts.get("group"),
        repeats=None if once else items.met,
        within=None if once else items.within,
        clustered_by=predictions.names.get("cluster", "cluster"),
    )
