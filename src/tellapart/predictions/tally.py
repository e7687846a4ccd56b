"""What one pass over a table gives: counts by pattern or by label, and what was left out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InvalidEvidence
from ..evidence import ConfusionMatrix, ErrorCount, ErrorPatterns, LabelPatterns, PairedConfusion, PairedTable
from ..evidence.labelled import in_order
from ..rendering import AS_WRONG
from ..typing_ import IntArray
from .engine import told

_MOST_CELLS = 10**8


class Reasoned:
    """What was left out of a count or taken as wrong, and why."""

    __slots__ = ()
    excluded: Mapping[str, int]
    taken_as_wrong: Mapping[str, int]

    @property
    def reasons(self) -> dict[str, int]:
        """What was left out or counted as wrong, by reason, as a result tells it."""
        wrong = {reason + AS_WRONG: count for reason, count in self.taken_as_wrong.items()}
        return {**self.excluded, **wrong}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # eq=False: arrays have no single ==
class _Account(Reasoned):
    """What every tally says of itself, whatever it counted."""

    models: tuple[str, ...]
    groups: tuple[Any, ...] | None
    """The values of the group column, in order; None where none was declared."""
    excluded: Mapping[str, int]
    """Why examples were left out, and how many; an example may have several reasons."""
    taken_as_wrong: Mapping[str, int]
    """Which predictions were not there and were counted as errors."""
    left_out: int
    """How many examples were left out."""
    unanswered: IntArray | int = 0
    """How many examples no model has a prediction for, all counted as wrong; for each group where there are groups."""
    silent: tuple[str, ...] = ()
    """The models without a single prediction, of which every example is counted as wrong."""

    def _two(self, a: str | None, b: str | None) -> tuple[str, str]:
        if a is None and b is None and len(self.models) == 2:
            return self.models[0], self.models[1]
        if a is None or b is None:
            raise InvalidEvidence(f"say which two models are meant: two of {told(self.models)}.")
        if a == b:
            raise InvalidEvidence(f"a and b must be two different models, but both are {a!r}.")
        return a, b

    def _place(self, model: str) -> int:
        if model not in self.models:
            raise InvalidEvidence(f"model must be one of {told(self.models)}, but is {model!r}.")
        return self.models.index(model)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tally(_Account):
    """Who was wrong where, counted in one pass; with a group column, for each of its values.

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
        return ErrorPatterns.from_codes(self.models, self._patterns, as_accuracy=True)

    def paired_table(self, a: str | None = None, b: str | None = None) -> PairedTable:
        """Return who of two models was wrong where; the only two, if left out."""
        a, b = self._two(a, b)
        here, there = self._place(a), self._place(b)
        cells = np.zeros((4, *self.examples.shape), dtype=np.int64)
        for code, count in self._patterns.items():
            cells[(code >> here & 1) + 2 * (code >> there & 1)] += count
        return PairedTable(cells[3], cells[1], cells[2], cells[0], models=(a, b), as_accuracy=True)

    @property
    def _patterns(self) -> Mapping[int, IntArray]:
        if self.patterns is None:
            raise InvalidEvidence("this tally has no patterns: it was made with patterns=False.")
        return self.patterns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CrossTally(_Account):
    """Which label was taken for which, counted in one pass; with a group column, for each of its values."""

    labels: tuple[Any, ...]
    patterns: IntArray  # a row for each that occurs: the place of the label, then of every model's prediction
    counts: IntArray  # [group,] pattern

    def confusion_matrix(self, model: str | None = None) -> ConfusionMatrix:
        """Return what one model took for what; the only one, if left out."""
        if model is None and len(self.models) != 1:
            raise InvalidEvidence(f"say which model is meant: one of {told(self.models)}.")
        return ConfusionMatrix(self._tabulated(model or self.models[0]), self.labels)

    def paired_confusion(self, a: str | None = None, b: str | None = None) -> PairedConfusion:
        """Return what two models took for what; the only two, if left out."""
        a, b = self._two(a, b)
        return PairedConfusion(self._tabulated(a, b), self.labels, models=(a, b))

    def label_patterns(self) -> LabelPatterns:
        """Return every pattern of label and predictions among the models."""
        return LabelPatterns(self.models, self.patterns, self.counts, self.labels)

    def _tabulated(self, *models: str) -> IntArray:
        """Return the counts by label and by the predictions of these models, as one array."""
        shape = (*self.counts.shape[:-1], *[len(self.labels)] * (1 + len(models)))
        if math.prod(shape) > _MOST_CELLS:
            raise InvalidEvidence(
                f"there are {len(self.labels)} different labels, too many for a matrix. Are these scores?"
            )
        columns = (0, *(1 + self._place(model) for model in models))
        where: Any = (..., *(self.patterns[:, column] for column in columns))
        table = np.zeros(shape, dtype=np.int64)
        np.add.at(table, where, self.counts)
        return table


def different_in_order(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return different values in their order, nothing last; mixed kinds are put side by side."""
    known = set(values)
    return (*in_order(known - {None}), *(known & {None}))
