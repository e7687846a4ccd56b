"""Counts by label: their metric, and how vectors of labels are counted."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..metrics import ERROR_AS_ACCURACY, LabelMetric, canonical_name, get_metric, is_scored
from ..rendering import plain
from ..typing_ import IntArray, Numbers
from .base import SAME_SOURCE, Evidence, Pooled, Scope, same
from .validation import in_chunks


class Labelled(Pooled):
    """Counts by label, with the metric that is computed from them."""

    __slots__ = ()
    summed = deep = ("counts",)
    dimensions: ClassVar[int]  # the number of dimensions of one entry's counts
    _leader = "examples"
    counts: IntArray
    labels: tuple[Any, ...]
    measure: LabelMetric | None  # None for the error rate

    @property
    def metric(self) -> LabelMetric:
        """The metric of the counts. Default: the error rate."""
        return ERROR_AS_ACCURACY.of_labels(self.labels) if self.measure is None else self.measure.named()

    def by(self, metric: Any, *, positive: Hashable = None, costs: Any = None) -> Self:
        """Return the counts with another metric, named as for `estimate` and `compare`.

        Examples
        --------
        >>> from tellapart import ConfusionMatrix, LabelPatterns, PairedConfusion
        >>> matrix = ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"]).by("f1")
        >>> matrix.metric.title, matrix.value.round(4)
        ('F1 (spam)', np.float64(0.8235))
        >>> both = PairedConfusion.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1]).by("recall")
        >>> both.levels, both.difference  # loss(A) − loss(B): positive where B is better
        (array([1. , 0.5]), np.float64(-0.5))
        >>> patterns = LabelPatterns.from_predictions([0, 1, 1], {"a": [0, 1, 1], "b": [0, 0, 1]}).by("recall")
        >>> patterns.metric.title, patterns.levels
        ('recall (1)', array([1. , 0.5]))
        """
        if metric is None:
            return Evidence.by(self, metric, positive=positive, costs=costs)  # type: ignore[return-value]
        if is_scored(metric):
            raise InvalidOption(
                f"`metric` must be for labels, got {canonical_name(metric)!r}, which needs scores. Use ClassScores, or"
                " predictions with columns of scores."
            )
        measure = get_metric(metric).of_labels(self.labels, positive=positive, costs=costs)
        return replace(self, measure=measure)  # type: ignore[type-var]  # every kind is a dataclass

    def _refuse_unlike(self, other: Self) -> None:
        same("labels", self.labels, other.labels)
        here, there = self.measure, other.measure
        if repr(here) != repr(there):
            raise InvalidEvidence(f"`metric` must be the same in counts that are added, got {here!r} and {there!r}.")
        if here is not None and there is not None and here.costs != there.costs:
            raise InvalidEvidence("`costs` must be the same in counts that are added, got different ones.")

    @property
    def size(self) -> Numbers:
        """The number of examples."""
        return self.examples

    @property
    def caveat(self) -> str:
        """The caution that labels may depend on a threshold that was chosen on the same examples."""
        if self.metric.name in {"error", "label-balance"}:
            return ""
        return "If a decision threshold was chosen on these examples, the metric is biased upwards."

    @property
    def value_kind(self) -> Literal["percent", "points", "plain"]:
        """The kind of scale for values of the metric: a label balance is a difference of proportions."""
        return "points" if self.metric.name == "label-balance" else Evidence.value_kind.fget(self)  # type: ignore[attr-defined]

    def scope(self, method: str = "") -> Scope:
        """Return the scope of the answer."""
        if self.metric.name != "label-balance":
            return Evidence.scope(self, method)
        return Scope("how often the class is predicted", SAME_SOURCE, "how often predictions are right")

    @property
    def examples(self) -> Numbers:
        """The number of examples."""
        return self.counts.sum(axis=tuple(range(-self.dimensions, 0)))

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, for JSON, with the metric's name, class and costs."""
        values = Evidence.as_dict(self)
        measure = values.pop("measure", None) and self.measure
        if measure is None:
            return values
        values |= {"metric": measure.name, "means": plain(self.levels)}
        if measure.positive is not None:
            values["positive"] = plain(self.labels[measure.positive])
        return values if measure.costs is None else values | {"costs": [list(row) for row in measure.costs]}


def names_of_labels(labels: Sequence[Hashable]) -> tuple[Any, ...]:
    """Return different labels as plain Python values; raise InvalidEvidence if they are not."""
    names = tuple(label.item() if isinstance(label, np.generic) else label for label in labels)
    try:
        if len(set(names)) == len(names):
            return names
    except TypeError:  # a list among them, say
        pass
    raise InvalidEvidence(f"`labels` must be different names or numbers, got {labels!r}.")


def tabulated(vectors: list[np.ndarray], labels: Sequence[Hashable] | None) -> tuple[IntArray, tuple[Any, ...]]:
    """Return the joint counts of several vectors of labels, and the labels in order."""
    names = labels_in(vectors, labels)
    size, position = len(names), {label: index for index, label in enumerate(names)}
    counts = np.zeros(size ** len(vectors), dtype=np.int64)
    for parts in zip(*map(in_chunks, vectors), strict=True):
        code: Any = 0
        for _, part in parts:
            code = code * size + index_labels(part, position)
        counts += np.bincount(code, minlength=counts.size)
    return counts.reshape((size,) * len(vectors)), names


def patterned(
    vectors: list[np.ndarray], labels: Sequence[Hashable] | None
) -> tuple[IntArray, IntArray, tuple[Any, ...]]:
    """Return the rows of label indices that occur across the vectors, their counts, and the labels.

    The rows are renumbered after every vector, so that their number never exceeds that of the examples.
    """
    names = labels_in(vectors, labels)
    position = {label: index for index, label in enumerate(names)}
    rows, code = np.zeros((1, 0), dtype=np.int64), np.zeros(vectors[0].size, dtype=np.int64)
    for vector in vectors:
        unique, code = np.unique(code * len(names) + index_labels(vector, position), return_inverse=True)
        rows = np.column_stack([rows[unique // len(names)], unique % len(names)])
    return rows, np.bincount(code), names


def labels_in(vectors: list[np.ndarray], labels: Sequence[Hashable] | None) -> tuple[Any, ...]:
    """Return the labels that occur, sorted, or the named ones if they include all that occur."""
    present = {label for vector in vectors for _, part in in_chunks(vector) for label in _unique_labels(part)[0]}
    return in_order(present) if labels is None else complete_names(labels, present)


def complete_names(labels: Sequence[Hashable], present: set[Any]) -> tuple[Any, ...]:
    """Return the named labels; raise InvalidEvidence if one that occurs is not among them."""
    names = names_of_labels(labels)
    unknown = present - set(names)
    if unknown:
        raise InvalidEvidence(
            f"`labels` must include every label that occurs, got none for {sorted(unknown, key=str)[0]!r}. Add it."
        )
    return names


def in_order(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return sorted values; values of types that do not compare are sorted by type first.

    Examples
    --------
    >>> in_order([2, 1]), in_order(["b", 1, "a"])
    ((1, 2), (1, 'a', 'b'))
    """
    unsorted = tuple(values)
    try:
        return tuple(sorted(unsorted))
    except TypeError:
        return tuple(sorted(unsorted, key=lambda value: (type(value).__name__, str(value))))


def index_labels(labels: np.ndarray, position: dict[Any, int]) -> IntArray:
    """Return the index of each label."""
    seen, where = _unique_labels(labels)
    return np.array([position[label] for label in seen])[where]


def _unique_labels(labels: np.ndarray) -> tuple[list[Any], IntArray]:
    """Return the labels that occur, as plain Python values, and the index of each entry among them."""
    if labels.dtype.kind != "O":
        seen, where = np.unique(labels, return_inverse=True)
        return seen.tolist(), where
    places = {label: index for index, label in enumerate(dict.fromkeys(labels.tolist()))}  # types may not compare
    return list(places), np.array([places[label] for label in labels.tolist()])
