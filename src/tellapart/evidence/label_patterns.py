"""Counts by true label and the predictions of several classifiers on one test set."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence
from ..metrics import LabelMetric
from ..typing_ import FloatArray, IntArray
from .base import Evidence, Table, pair_index, plural
from .confusion import ConfusionMatrix, PairedConfusion
from .error_patterns import ErrorPatterns
from .labelled import Labelled, complete_names, names_of_labels, patterned
from .of_learners import as_names
from .patterns import Patterned, add_up, check_pattern_counts, codes_of
from .validation import as_counts, matching_labels


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)  # eq=False: arrays have no single ==
class LabelPatterns(Labelled, Patterned):
    """Every pattern of a true label and the models' predictions that occurs, and on how many examples.

    The sufficient statistic of any metric of labels for any number of models.

    Parameters
    ----------
    models
        Their names, at least two.
    patterns
        A row for each pattern: the index of the true label, then that of each model's prediction.
    counts
        On how many examples each pattern occurred; leading dimensions make it many tables.
    labels
        The names of the labels. Default: 0, 1, 2, …
    measure
        The metric, set by `by`. Default: the error rate.

    Examples
    --------
    >>> truth = ["spam", "spam", "ham", "ham"]
    >>> patterns = LabelPatterns.from_predictions(
    ...     truth,
    ...     {
    ...         "a": ["spam", "spam", "spam", "ham"],
    ...         "b": ["spam", "ham", "ham", "ham"],
    ...         "c": ["ham", "ham", "ham", "ham"],
    ...     },
    ... )
    >>> patterns.by("recall", positive="spam").levels
    array([1. , 0.5, 0. ])
    >>> patterns.pair("a", "c").paired_table()
    PairedTable(both_wrong=0, only_a_wrong=1, only_b_wrong=2, both_right=1, models=('a', 'c'))
    """

    models: tuple[str, ...]
    patterns: IntArray
    counts: IntArray
    labels: tuple[Any, ...]
    measure: LabelMetric | None
    defaults: ClassVar = {"adjust": "holm"}
    dimensions = 1

    def __init__(
        self,
        models: Sequence[str],
        patterns: ArrayLike,
        counts: ArrayLike,
        labels: Sequence[Hashable] | None = None,
        *,
        measure: LabelMetric | None = None,
    ) -> None:
        names, rows, cells = as_names(models), np.array(patterns), as_counts("counts", counts)
        if len(names) < 2:
            raise InvalidEvidence(f"`models` must be two names or more, got {models!r}.")
        if rows.ndim != 2 or rows.shape[1] != len(names) + 1 or rows.dtype.kind not in "iu" or not rows.size:
            raise InvalidEvidence(
                f"`patterns` must have a row of whole numbers for each pattern, the label and {len(names)}"
                " predictions, got"
                f" shape {rows.shape} of {rows.dtype}."
            )
        check_pattern_counts(cells, len(rows))
        called = tuple(range(int(rows.max()) + 1)) if labels is None else names_of_labels(labels)
        if rows.min() < 0 or rows.max() >= len(called):
            raise InvalidEvidence(
                f"`patterns` must hold numbers from 0 to {len(called) - 1}, got"
                f" {rows.max() if rows.min() >= 0 else rows.min()}."
            )
        order = np.lexsort(rows.T[::-1])
        rows = rows[order].astype(np.int64)
        if np.any((rows[1:] == rows[:-1]).all(axis=1)):
            raise InvalidEvidence("`patterns` must hold every pattern once, got one twice. Add up their counts.")
        rows.flags.writeable = False
        self._set_fields(models=names, patterns=rows, counts=cells[..., order], labels=called, measure=measure)

    @classmethod
    def from_predictions(
        cls, truth: ArrayLike, predictions: Mapping[str, ArrayLike], *, labels: Sequence[Hashable] | None = None
    ) -> Self:
        """Return the counts from true labels and predictions by model; labels may be of any type.

        Examples
        --------
        >>> LabelPatterns.from_predictions([0, 1, 1], {"a": [0, 1, 1], "b": [0, 0, 0]}).patterns.tolist()
        [[0, 0, 0], [1, 1, 0]]
        """
        named = {f"predictions[{name!r}]": vector for name, vector in predictions.items()}
        rows, counts, names = patterned(matching_labels({"truth": truth, **named}), labels)
        return cls(tuple(predictions), rows, counts, names)

    @classmethod
    def from_rows(
        cls, models: Sequence[str], counts: Mapping[tuple[Any, ...], ArrayLike], labels: Sequence[Hashable]
    ) -> Self:
        """Return the counts from counts by pattern, a tuple of the true label and the predictions.

        Examples
        --------
        >>> rows = {("no", "no", "no"): 90, ("yes", "yes", "no"): 6, ("yes", "no", "yes"): 4}
        >>> LabelPatterns.from_rows(["a", "b"], rows, ["no", "yes"]).by("recall").levels
        array([0.6, 0.4])
        """
        names = complete_names(labels, {label for row in counts for label in row})
        position = {label: index for index, label in enumerate(names)}
        rows = [[position[label] for label in row] for row in counts]
        return cls(models, rows, np.stack([np.asarray(count) for count in counts.values()], axis=-1), names)

    # --- The metric ----------------------------------------------------------------------------

    @property
    def levels(self) -> FloatArray:
        """The metric of each model, along the last dimension; NaN if it is undefined."""
        return self.confusions.value

    @property
    def rank_by(self) -> FloatArray:
        """The figures that order a ranking, the smallest first."""
        return -self.levels if self.metric.higher_is_better else self.levels

    # --- Models, and other evidence ----------------------------------------------------------------

    @property
    def confusions(self) -> ConfusionMatrix:
        """The confusion matrices of all models, along the last dimension."""
        cells = np.stack([self._count_cells(index) for index in range(len(self.models))], axis=-3)
        return ConfusionMatrix(cells, self.labels, measure=self.measure)

    def confusion(self, model: str) -> ConfusionMatrix:
        """Return the confusion matrix of one model."""
        return ConfusionMatrix(self._count_cells(self._find_model(model)), self.labels, measure=self.measure)

    def pair(self, a: str, b: str) -> PairedConfusion:
        """Return the paired confusion of two of the models."""
        cells = self._count_cells(*self._find_two_models(a, b))
        return PairedConfusion(cells, self.labels, models=(a, b), measure=self.measure)

    def pairs(self, control: str | None = None) -> PairedConfusion:
        """Return all pairs of models (or all pairs with the control), along the last dimension."""
        cells = np.stack([self._count_cells(*both) for both in pair_index(self.models, control).tolist()], axis=-4)
        return PairedConfusion(cells, self.labels, measure=self.measure)

    def singles(self) -> ConfusionMatrix:
        """Return the confusion matrices of all models, along the last dimension."""
        return self.confusions

    def reduced(self) -> Evidence:
        """Return the counts of two models if there are two, and patterns of errors if the metric is the error rate."""
        if self.metric.is_rate:
            return self.error_patterns().report_as(as_accuracy=self.measure is None).reduced()
        return self.pair(*self.models) if len(self.models) == 2 else self

    def select(self, *models: str) -> Evidence:
        """Return the evidence of these models, in this order."""
        if len(models) == 1:
            return self.confusion(models[0])
        if len(models) == 2:
            return self.pair(*models)
        kept = [0, *(1 + self._find_model(name) for name in models)]
        rows, where = np.unique(self.patterns[:, kept], axis=0, return_inverse=True)
        return replace(self, models=models, patterns=rows, counts=self._sum_by_code(where.ravel(), len(rows)))

    def error_patterns(self) -> ErrorPatterns:
        """Return the patterns of errors, without the labels."""
        codes = codes_of(self.patterns[:, 1:] != self.patterns[:, :1]).tolist()
        return ErrorPatterns.from_codes(self.models, add_up((codes, self.counts)), as_accuracy=True)

    def _count_cells(self, *positions: int) -> IntArray:
        """Return the counts by true label and by the predictions of the models at these positions."""
        size, sides = len(self.labels), 1 + len(positions)
        code = np.zeros(len(self.patterns), dtype=np.int64)
        for column in (0, *(1 + index for index in positions)):
            code = code * size + self.patterns[:, column]
        return self._sum_by_code(code, size**sides).reshape(*self.shape, *(size,) * sides)

    def _sum_by_code(self, code: IntArray, size: int) -> IntArray:
        """Return the sums of the counts of patterns with the same code, along the last dimension."""
        sums = np.zeros((*self.shape, size), dtype=np.int64)
        where: Any = (..., code)
        np.add.at(sums, where, self.counts)
        return sums

    def _pool_counts(self, other: Self) -> Self:
        totals = add_up(*((map(tuple, part.patterns.tolist()), part.counts) for part in (self, other)))
        return replace(self, patterns=np.array(list(totals)), counts=np.stack(list(totals.values()), axis=-1))

    def _notebook_table(self) -> Table:
        return self._table_of(self.levels, self.metric.title)

    def describe(self) -> str:
        """Return a description of the observations."""
        if self.shape:
            return f"{len(self.models)} models in tables of shape {self.shape}"
        return f"{plural(self.examples, 'example')} of {plural(len(self.labels), 'label')}"
