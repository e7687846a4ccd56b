"""Examples, whatever rows they have: repeats put together, and what becomes of those that lack an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidEvidence
from ..evidence.base import plural
from ..typing_ import BoolArray, FloatArray, IntArray
from .engine import part_name
from .troubles import NO_SCORE

if TYPE_CHECKING:
    from .record import Predictions

_SHOWN = 5  # ids that an account names
_ERRORS_REMEDY = (
    " Decide: errors='wrong' counts them as failures of the model, errors='drop' leaves these examples out for all"
    " models (at the command line: --errors)."
)


@dataclass(slots=True)
class Items:
    """The examples, one entry each: of every model the answers that were scored, those that were not, their scores."""

    met: IntArray  # by model and example: scored answers
    lost: IntArray  # answers without a score
    absent: BoolArray  # no answer at all
    unanswered: BoolArray  # no answer that could be scored, by what the rows say
    means: FloatArray
    within: FloatArray
    parts: dict[str, np.ndarray]
    rows: IntArray  # where in the table each begins
    named: Callable[[], np.ndarray] | None  # what asks for the ids of all rows: they are seldom wanted, and long
    binary: bool
    excluded: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)
    unmatched: dict[str, tuple[str, ...]] = field(default_factory=dict)
    left_out: int = 0

    def ids(self) -> np.ndarray:
        """Return the ids of the examples that are left."""
        every = np.arange(int(self.rows.max()) + 1) + 1 if self.named is None else self.named()
        found: np.ndarray = every[self.rows]
        return found


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows by id and epoch, as the engine hands them over."""

    columns: dict[str, np.ndarray]
    named: Callable[[], np.ndarray] | None
    kept: IntArray  # which of the table's these are
    left_out: int = 0
    excluded: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)


def put_together(found: Rows, models: Sequence[str], names: Mapping[str, str], *, repeated: bool) -> Items:
    """Return one entry for each example: the mean of its answers that were scored, and how far these are apart."""
    rows = found.columns
    size = rows["s0"].size
    if not size:
        raise InvalidEvidence("the table holds no example. Is it the right one?")
    starts = np.arange(size)
    if repeated:
        ids = rows["id"]
        starts = np.flatnonzero(np.r_[True, ids[1:] != ids[:-1]])
    scores = np.stack([rows[f"s{place}"].astype(float) for place in range(len(models))])
    gone = np.stack([rows[f"gone{place}"].astype(bool) for place in range(len(models))])
    known = np.isfinite(scores)
    for model, own in zip(models, scores, strict=True):
        if np.isinf(own).any():
            where = f"in row {np.argmax(np.isinf(own)) + 1}"
            if found.named is not None:
                where = f"for {_shown(found.named()[found.kept[np.argmax(np.isinf(own))]])}"
            raise InvalidEvidence(
                f"scores must be finite, but {model} has an infinite one {where}. Leave that example out."
            )
    values = np.where(known, scores, 0.0)
    met = np.add.reduceat(known.astype(np.int64), starts, axis=1)
    means = np.add.reduceat(values, starts, axis=1) / np.maximum(met, 1)
    lengths = np.diff(np.r_[starts, size])
    apart = np.where(known, scores - np.repeat(means, lengths, axis=1), 0.0) ** 2
    return Items(
        met=met,
        lost=np.add.reduceat((~known & ~gone).astype(np.int64), starts, axis=1),
        absent=np.logical_and.reduceat(gone, starts, axis=1),
        unanswered=np.logical_and.reduceat(_lacking_rows(rows, known), starts, axis=1),
        means=means,
        within=np.add.reduceat(apart, starts, axis=1),
        parts={
            part: _of_each(part_name(names, part), rows[part], starts, rows.get("id"))
            for part in ("group", "cluster", "sampling_weight")
            if part in rows
        },
        rows=found.kept[starts],
        named=found.named,
        binary=bool(((values == 0) | (values == 1)).all()),
        excluded=dict(found.excluded),
        wrong=dict(found.wrong),
        left_out=found.left_out,
    )


def _of_each(name: str, values: np.ndarray, starts: IntArray, ids: np.ndarray | None) -> np.ndarray:
    """Return a part of each example: what its repeats say that say something, and they must agree."""
    if starts.size == values.size:
        return values
    known = ~lacking(values)
    first = np.minimum.reduceat(np.where(known, np.arange(values.size), values.size), starts)
    found: np.ndarray = values[np.where(first < values.size, first, starts)]
    lengths = np.diff(np.r_[starts, values.size])
    differs = known & (values != np.repeat(found, lengths))
    if differs.any():
        shown = "" if ids is None else f", such as {_one_line(_shown(ids[np.argmax(differs)]))}"
        often = int(np.logical_or.reduceat(differs, starts).sum())
        raise InvalidEvidence(f"{name} differs between repeats of {plural(often, 'example')}{shown}.")
    return found


def lacking(values: np.ndarray) -> BoolArray:
    """Return where a column holds nothing."""
    lacks: BoolArray = values != values  # only NaN differs from itself
    return lacks | np.array([value is None for value in values]) if values.dtype == object else lacks


def absences(items: Items, models: Sequence[str]) -> dict[str, int]:
    """Return how many examples each model never met, those that lack any."""
    return _by_model(items, models, items.absent, "no row")


def _by_model(items: Items, models: Sequence[str], lacks: BoolArray, what: str) -> dict[str, int]:
    """Return what each model lacks, some of the examples named, and on how many examples."""
    by_model = zip(models, lacks, strict=True)
    return {f"{what} of {model} ({_some(items, here)})": int(here.sum()) for model, here in by_model if here.any()}


def settle_absent(items: Items, predictions: Predictions, models: Sequence[str]) -> None:
    """Decide about examples that some model never met: two runs on different items are no pair."""
    if not items.absent.any():
        return
    shared: BoolArray = ~np.any(items.absent, axis=0)
    only = absences(items, models)
    told = _one_line("; ".join(f"{reason}: {plural(count, 'example')}" for reason, count in only.items()))
    who = _one_line(models[0] if len(models) == 1 else f"{', '.join(models[:-1])} and {models[-1]}")
    if not shared.any():
        raise InvalidEvidence(f"{who} share no example: {told}. Are these runs of the same task?")
    if predictions.missing == "fail":
        raise InvalidEvidence(
            f"{who} are not on the same examples: {told}. They share {int(shared.sum())};"
            " missing='drop' compares them by these (at the command line: --missing drop)."
        )
    if items.named is not None:
        ids = items.ids()
        items.unmatched = {
            model: tuple(map(_shown, ids[gone])) for model, gone in zip(models, items.absent, strict=True) if gone.any()
        }
    if predictions.missing == "drop":
        items.excluded |= only
        _keep(items, shared)


def _lacking_rows(rows: Mapping[str, np.ndarray], known: BoolArray) -> BoolArray:
    """Return where a row has no answer: by its own account, where missing ones count as 0, else by its scores."""
    if "lacks0" not in rows:
        return ~known
    lacking: BoolArray = np.stack([rows[f"lacks{place}"] for place in range(len(known))])
    return lacking


def settle_errors(items: Items, predictions: Predictions, models: Sequence[str]) -> None:
    """Decide about answers without a score: by the policy, or, if none is given, where the models share them."""
    lost = items.lost > 0
    if not lost.any():
        return
    policy = predictions.errors
    reasons = _by_model(items, models, lost, "unscored answers")
    differ = bool((lost != lost[0]).any())
    if policy == "fail" or (policy is None and differ):
        told = _one_line("; ".join(f"{reason}: {plural(count, 'example')}" for reason, count in reasons.items()))
        how = "the models differ in which answers have no score" if differ else "answers have no score"
        raise InvalidEvidence(f"{how}: {told}.{_ERRORS_REMEDY}")
    if policy == "wrong":
        items.wrong |= reasons
        shared = int(np.all(lost & (items.met == 0), axis=0).sum())
        if shared and len(models) > 1:
            items.wrong[NO_SCORE] = shared
        return
    items.lost[:] = 0  # other repeats of the same example stand for it
    kept: BoolArray = np.all((items.met > 0) | items.absent, axis=0)
    if not kept.any():
        raise InvalidEvidence("no example is left: none has a score of every model.")
    items.excluded |= reasons
    _keep(items, kept)


def _some(items: Items, where: BoolArray) -> str:
    """Name some of the examples for which something holds."""
    names = [_one_line(_shown(each)) for each in items.ids()[where][:_SHOWN]]
    if items.named is None:
        return f"such as row {names[0]}"
    return ", ".join(names) + (", …" if where.sum() > _SHOWN else "")


def _shown(name: Any) -> str:
    return str(int(name) if isinstance(name, float) and name.is_integer() else name)  # pandas joins to floats


def _one_line(text: str) -> str:
    """Return a text that an error can hold: an id may be a question, of several lines."""
    return " ".join(text.split())


def _keep(items: Items, kept: BoolArray) -> None:
    items.left_out += int(kept.size - kept.sum())
    for name in ("met", "lost", "absent", "unanswered", "means", "within"):
        setattr(items, name, getattr(items, name)[:, kept])
    items.parts = {name: part[kept] for name, part in items.parts.items()}
    items.rows = items.rows[kept]


def fill(items: Items, worst: float) -> None:
    """Count answers that failed as the worst there is, beside those of the same example that did not."""
    all_of = items.met + items.lost
    means = (items.means * items.met + worst * items.lost) / np.maximum(all_of, 1)
    items.within += items.met * (items.means - means) ** 2 + items.lost * (worst - means) ** 2
    items.met, items.means, items.lost = all_of, means, np.zeros_like(items.lost)
