"""The result of one pass over a table: counts by pattern or by label, and which examples were left out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InvalidEvidence
from ..evidence import ConfusionMatrix, ErrorCount, ErrorPatterns, LabelPatterns, PairedConfusion, PairedTable
from ..evidence.labelled import in_order
from ..figures import CountedAsWrong
from ..typing_ import IntArray
from .engine import quote_names, unknown_name

_MOST_CELLS = 10**8


class Reasoned:
    """Why examples were left out of a count or counted as wrong."""

    __slots__ = ()
    excluded: Mapping[str, int]
    taken_as_wrong: Mapping[str, int]

    @property
    def reasons(self) -> dict[str, int]:
        """The number of examples left out or counted as wrong, by reason."""
        wrong: dict[str, int] = {CountedAsWrong(reason): count for reason, count in self.taken_as_wrong.items()}
        return {**self.excluded, **wrong}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # eq=False: arrays have no single ==
class _TallyFacts(Reasoned):
    """The facts that all tallies share."""

    models: tuple[str, ...]
    groups: tuple[Any, ...] | None
    """The values of the group column, in order; None if no such column was named."""
    excluded: Mapping[str, int]
    """Why examples were left out, and how many; an example may have several reasons."""
    taken_as_wrong: Mapping[str, int]
    """Which predictions were missing and counted as errors, and how many."""
    left_out: int
    """The number of examples left out."""
    unanswered: IntArray | int = 0
    """The number of examples without any prediction, all counted as wrong; by group if there are groups."""
    silent: tuple[str, ...] = ()
    """The models without any prediction, for which every example is counted as wrong."""

    def _select_pair(self, a: str | None, b: str | None) -> tuple[str, str]:
        if a is None and b is None and len(self.models) == 2:
            return self.models[0], self.models[1]
        if a is None or b is None:
            raise InvalidEvidence(
                f"`a` and `b` must name two models, got {a!r} and {b!r}. Choose from {quote_names(self.models)}."
            )
        if a == b:
            raise InvalidEvidence(f"`a` and `b` must be different models, got {a!r} for both.")
        return a, b

    def _index_of(self, model: str) -> int:
        if model not in self.models:
            raise unknown_name("model", "a model of the table", model, self.models)
        return self.models.index(model)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tally(_TallyFacts):
    """Errors of models, counted in one pass; with a group column, for each of its values.

    The evidence has one entry, or one for each of `groups`, in their order.

    Examples
    --------
    >>> from tellapart.predictions import Predictions
    >>> table = {"label": [0, 1, 1, 0], "a": [0, 1, 0, None], "b": [0, 0, 1, 0], "language": ["de", "de", "en", "en"]}
    >>> tally = Predictions.of(table, group="language", missing="drop").tally("a", "b")
    >>> tally.groups, tally.paired_table().only_a_wrong
    (('de', 'en'), array([0, 1]))
    >>> tally.excluded
    {'missing prediction of a': 1}
    """

    examples: IntArray
    errors: IntArray  # of each model, along the last dimension
    patterns: Mapping[int, IntArray] | None  # bit i of the key: model i was wrong

    def error_counts(self) -> ErrorCount:
        """Return the errors of each model, along the last dimension."""
        trials = np.broadcast_to(self.examples[..., None], self.errors.shape)
        return ErrorCount(self.errors, trials, as_accuracy=True)

    def error_patterns(self) -> ErrorPatterns:
        """Return every pattern of right and wrong among the models."""
        return ErrorPatterns.from_codes(self.models, self._require_patterns, as_accuracy=True)

    def paired_table(self, a: str | None = None, b: str | None = None) -> PairedTable:
        """Return the paired table of two models; the only two by default."""
        a, b = self._select_pair(a, b)
        here, there = self._index_of(a), self._index_of(b)
        cells = np.zeros((4, *self.examples.shape), dtype=np.int64)
        for code, count in self._require_patterns.items():
            cells[(code >> here & 1) + 2 * (code >> there & 1)] += count
        return PairedTable(cells[3], cells[1], cells[2], cells[0], models=(a, b), as_accuracy=True)

    @property
    def _require_patterns(self) -> Mapping[int, IntArray]:
        if self.patterns is None:
            raise InvalidEvidence("the tally must be made with patterns=True, got patterns=False.")
        return self.patterns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CrossTally(_TallyFacts):
    """Predicted labels by true label, counted in one pass; with a group column, for each of its values."""

    labels: tuple[Any, ...]
    patterns: IntArray  # a row for each that occurs: the index of the label, then of each model's prediction
    counts: IntArray  # [group,] pattern

    def confusion_matrix(self, model: str | None = None) -> ConfusionMatrix:
        """Return the confusion matrix of one model; the only one by default."""
        if model is None and len(self.models) != 1:
            raise InvalidEvidence(f"`model` must name a model, got None. Choose from {quote_names(self.models)}.")
        return ConfusionMatrix(self._tabulate_labels(model or self.models[0]), self.labels)

    def paired_confusion(self, a: str | None = None, b: str | None = None) -> PairedConfusion:
        """Return the paired confusion matrix of two models; the only two by default."""
        a, b = self._select_pair(a, b)
        return PairedConfusion(self._tabulate_labels(a, b), self.labels, models=(a, b))

    def label_patterns(self) -> LabelPatterns:
        """Return every pattern of label and predictions among the models."""
        return LabelPatterns(self.models, self.patterns, self.counts, self.labels)

    def _tabulate_labels(self, *models: str) -> IntArray:
        """Return the counts by label and by the predictions of these models, as one array."""
        shape = (*self.counts.shape[:-1], *[len(self.labels)] * (1 + len(models)))
        if math.prod(shape) > _MOST_CELLS:
            raise InvalidEvidence(
                f"a matrix of {len(self.labels):,} labels is too large. For scores use class_scores()."
            )
        columns = (0, *(1 + self._index_of(model) for model in models))
        where: Any = (..., *(self.patterns[:, column] for column in columns))
        table = np.zeros(shape, dtype=np.int64)
        np.add.at(table, where, self.counts)
        return table


def sort_distinct(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return values in order, with None last; values of several types are grouped by type."""
    distinct = set(values)
    return (*in_order(distinct - {None}), *(distinct & {None}))
