"""Examples from rows: repeats are averaged, and examples without an answer are left out or counted as wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidEvidence
from ..figures import count_text, join_names
from ..typing_ import BoolArray, FloatArray, IntArray
from .engine import describe_role
from .problems import NO_SCORE

if TYPE_CHECKING:
    from .record import Predictions

_SHOWN = 5  # ids that a reason names
_ERRORS_REMEDY = "Use errors='drop' to leave them out for all models, or errors='wrong' to count them as errors."


@dataclass(slots=True)
class Items:
    """The examples, one entry each: the scored and unscored answers of every model, and their scores."""

    met: IntArray  # by model and example: the number of scored answers
    lost: IntArray  # the number of answers without a score
    absent: BoolArray  # no answer at all
    unanswered: BoolArray  # no answer that could be scored, according to the rows
    means: FloatArray
    within: FloatArray
    parts: dict[str, np.ndarray]
    rows: IntArray  # the first row of each example
    named: Callable[[], np.ndarray] | None  # reads the ids of all rows, which are rarely needed and large
    binary: bool
    excluded: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)
    unmatched: dict[str, tuple[str, ...]] = field(default_factory=dict)
    left_out: int = 0

    def ids(self) -> np.ndarray:
        """Return the ids of the remaining examples."""
        all_ids = np.arange(int(self.rows.max()) + 1) + 1 if self.named is None else self.named()
        remaining: np.ndarray = all_ids[self.rows]
        return remaining


@dataclass(frozen=True, slots=True)
class OrderedRows:
    """Rows by id and epoch, as the engine returns them."""

    columns: dict[str, np.ndarray]
    named: Callable[[], np.ndarray] | None
    kept: IntArray  # their indices in the table
    left_out: int = 0
    excluded: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)


def average_repeats(ordered: OrderedRows, models: Sequence[str], names: Mapping[str, str], *, repeated: bool) -> Items:
    """Return one entry for each example: the mean of its scored answers, and their sum of squared deviations."""
    rows = ordered.columns
    size = rows["s0"].size
    if not size:
        raise InvalidEvidence("the table must hold at least one example, got none. Check the file.")
    starts = np.arange(size)
    if repeated:
        ids = rows["id"]
        starts = np.flatnonzero(np.r_[True, ids[1:] != ids[:-1]])
    scores = np.stack([rows[f"s{index}"].astype(float) for index in range(len(models))])
    gone = np.stack([rows[f"gone{index}"].astype(bool) for index in range(len(models))])
    scored = np.isfinite(scores)
    for model, own_scores in zip(models, scores, strict=True):
        if np.isinf(own_scores).any():
            where = f"in row {np.argmax(np.isinf(own_scores)) + 1}"
            if ordered.named is not None:
                where = f"for {_format_id(ordered.named()[ordered.kept[np.argmax(np.isinf(own_scores))]])}"
            raise InvalidEvidence(
                f"the scores of {model} must be finite, got infinity {where}. Leave that example out."
            )
    values = np.where(scored, scores, 0.0)
    met = np.add.reduceat(scored.astype(np.int64), starts, axis=1)
    means = np.add.reduceat(values, starts, axis=1) / np.maximum(met, 1)
    lengths = np.diff(np.r_[starts, size])
    deviations = np.where(scored, scores - np.repeat(means, lengths, axis=1), 0.0) ** 2
    return Items(
        met=met,
        lost=np.add.reduceat((~scored & ~gone).astype(np.int64), starts, axis=1),
        absent=np.logical_and.reduceat(gone, starts, axis=1),
        unanswered=np.logical_and.reduceat(_lacking_rows(rows, scored), starts, axis=1),
        means=means,
        within=np.add.reduceat(deviations, starts, axis=1),
        parts={
            role: _column_by_example(describe_role(names, role), rows[role], starts, rows.get("id"))
            for role in ("group", "cluster", "sampling_weight")
            if role in rows
        },
        rows=ordered.kept[starts],
        named=ordered.named,
        binary=bool(((values == 0) | (values == 1)).all()),
        excluded=dict(ordered.excluded),
        wrong=dict(ordered.wrong),
        left_out=ordered.left_out,
    )


def _column_by_example(name: str, values: np.ndarray, starts: IntArray, ids: np.ndarray | None) -> np.ndarray:
    """Return a column by example; raise InvalidEvidence if repeats of one example differ in it."""
    if starts.size == values.size:
        return values
    filled = ~is_missing(values)
    first = np.minimum.reduceat(np.where(filled, np.arange(values.size), values.size), starts)
    by_example: np.ndarray = values[np.where(first < values.size, first, starts)]
    lengths = np.diff(np.r_[starts, values.size])
    differs = filled & (values != np.repeat(by_example, lengths))
    if differs.any():
        shown = "" if ids is None else f" (first: {_one_line(_format_id(ids[np.argmax(differs)]))})"
        often = int(np.logical_or.reduceat(differs, starts).sum())
        raise InvalidEvidence(
            f"{name} must be the same in all repeats of an example, but differs for"
            f" {count_text(often, 'example')}{shown}."
        )
    return by_example


def is_missing(values: np.ndarray) -> BoolArray:
    """Return where a column has no value."""
    lacks: BoolArray = values != values  # only NaN does not equal itself
    return lacks | np.array([value is None for value in values]) if values.dtype == object else lacks


def count_absences(items: Items, models: Sequence[str]) -> dict[str, int]:
    """Return how many examples each model lacks, by reason; models that lack none are left out."""
    return _reasons_by_model(items, models, items.absent, "no row")


def _reasons_by_model(items: Items, models: Sequence[str], lacks: BoolArray, what: str) -> dict[str, int]:
    """Return a reason for each model that lacks something, which names some of the examples, and their number."""
    by_model = zip(models, lacks, strict=True)
    return {
        f"{what} of {model} ({_join_some_names(items, here)})": int(here.sum())
        for model, here in by_model
        if here.any()
    }


def settle_absent(items: Items, predictions: Predictions, models: Sequence[str]) -> None:
    """Leave out examples that a model lacks, or raise InvalidEvidence, according to `missing`."""
    if not items.absent.any():
        return
    shared: BoolArray = ~np.any(items.absent, axis=0)
    only = count_absences(items, models)
    if not shared.any():
        raise InvalidEvidence(
            f"{_one_line(join_names(models))} share no example. Check that they are runs of one task."
        )
    if predictions.missing == "fail":
        lacking = "; ".join(
            f"{predictions.sources.get(model, model)} lacks {int(absent.sum()):,} of"
            f" {count_text(absent.size, 'example')} (first: {_format_id(items.ids()[absent][0])})"
            for model, absent in zip(models, items.absent, strict=True)
            if absent.any()
        )
        raise InvalidEvidence(
            f"{_one_line(lacking)}. Use missing='drop' to compare the other {int(shared.sum()):,}, or"
            f" missing='wrong' to"
            " count them as errors."
        )
    if items.named is not None:
        ids = items.ids()
        items.unmatched = {
            model: tuple(map(_format_id, ids[gone]))
            for model, gone in zip(models, items.absent, strict=True)
            if gone.any()
        }
    if predictions.missing == "drop":
        items.excluded |= only
        _keep_examples(items, shared)


def _lacking_rows(rows: Mapping[str, np.ndarray], scored: BoolArray) -> BoolArray:
    """Return where a row has no answer: as flagged if missing answers count as 0, else by its scores."""
    if "lacks0" not in rows:
        return ~scored
    lacking: BoolArray = np.stack([rows[f"lacks{index}"] for index in range(len(scored))])
    return lacking


def settle_errors(items: Items, predictions: Predictions, models: Sequence[str]) -> None:
    """Settle unscored answers by the policy `errors`; without a policy leave them out if all models share them."""
    lost = items.lost > 0
    if not lost.any():
        return
    policy = predictions.errors
    reasons = _reasons_by_model(items, models, lost, "unscored answers")
    differ = bool((lost != lost[0]).any())
    if policy == "fail" or (policy is None and differ):
        counts = _one_line("; ".join(f"{reason}: {count_text(count, 'example')}" for reason, count in reasons.items()))
        raise InvalidEvidence(f"every answer must have a score, got {counts}. {_ERRORS_REMEDY}")
    if policy == "wrong":
        items.wrong |= reasons
        shared = int(np.all(lost & (items.met == 0), axis=0).sum())
        if shared and len(models) > 1:
            items.wrong[NO_SCORE] = shared
        return
    items.lost[:] = 0  # the other repeats of an example replace it
    kept: BoolArray = np.all((items.met > 0) | items.absent, axis=0)
    if not kept.any():
        raise InvalidEvidence("at least one example must have a score of every model, got none.")
    items.excluded |= reasons
    _keep_examples(items, kept)


def _join_some_names(items: Items, where: BoolArray) -> str:
    """Return the names of some of these examples."""
    names = [_one_line(_format_id(name)) for name in items.ids()[where][:_SHOWN]]
    if items.named is None:
        return f"such as row {names[0]}"
    return ", ".join(names) + (", …" if where.sum() > _SHOWN else "")


def _format_id(name: Any) -> str:
    return str(
        int(name) if isinstance(name, float) and name.is_integer() else name
    )  # pandas joins whole numbers to floats


def _one_line(text: str) -> str:
    """Return a text in one line: an id may be a question of several lines."""
    return " ".join(text.split())


def _keep_examples(items: Items, kept: BoolArray) -> None:
    items.left_out += int(kept.size - kept.sum())
    for name in ("met", "lost", "absent", "unanswered", "means", "within"):
        setattr(items, name, getattr(items, name)[:, kept])
    items.parts = {name: role[kept] for name, role in items.parts.items()}
    items.rows = items.rows[kept]


def fill_failed(items: Items, worst: float) -> None:
    """Count failed answers as the worst score, and average them with the other repeats of the same example."""
    all_of = items.met + items.lost
    means = (items.means * items.met + worst * items.lost) / np.maximum(all_of, 1)
    items.within += items.met * (items.means - means) ** 2 + items.lost * (worst - means) ** 2
    items.met, items.means, items.lost = all_of, means, np.zeros_like(items.lost)
