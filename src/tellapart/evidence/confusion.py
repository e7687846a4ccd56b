"""Counts by true and predicted label: of one classifier, and of two."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence
from ..figures import count_text
from ..metrics import LabelMetric
from ..rendering import html_table
from ..typing_ import FloatArray, IntArray, describe_choice, list_names
from .base import Evidence, OfTwo, Table, as_one_name, as_pair_of_names, plural, swap_names
from .error_count import ErrorCount
from .labelled import Labelled, names_of_labels, tabulated
from .paired_table import PairedTable
from .validation import LARGEST, as_counts, matching_labels

# The default methods by metric. One classifier: proportions have the interval of one error rate.
_INTERVALS = {
    "f1": "f1-wilson",
    "balanced-accuracy": "mover-wilson",
    "informedness": "mover-wilson",
    "label-balance": "tango",
}
# Two classifiers: a proportion within one class uses that class's table; micro averages are the accuracy.
_OF_THE_CLASS = (
    *("error", "accuracy", "recall", "specificity", "false-positive-rate"),
    *("precision-micro", "recall-micro", "f1-micro"),
)
_OF_PREDICTIONS = ("precision", "negative-predictive-value")
_OF_RECALLS = ("balanced-accuracy", "informedness")
_SHOWN = 30  # the largest number of labels whose matrix a notebook shows
_SIDES = "a row for each label, a column for each prediction"


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)  # eq=False: arrays have no single ==
class ConfusionMatrix(Labelled):
    """The number of examples by true label and prediction: `counts[label, prediction]`.

    Parameters
    ----------
    counts
        A square matrix of counts, a row for each true label and a column for each prediction; leading
        dimensions make it many matrices.
    labels
        The names of rows and columns. Default: 0, 1, 2, …
    measure
        The metric, set by `by`. Default: the error rate.
    models
        The name of the classifier, as a tuple of one name.

    Examples
    --------
    >>> matrix = ConfusionMatrix.from_predictions(["yes", "yes", "no", "no"], ["yes", "no", "no", "no"])
    >>> matrix.labels
    ('no', 'yes')
    >>> matrix.recall("yes"), matrix.precision("yes")
    (np.float64(0.5), np.float64(1.0))
    >>> matrix.error_count
    ErrorCount(errors=1, trials=4)
    """

    counts: IntArray
    labels: tuple[Any, ...]
    measure: LabelMetric | None
    models: tuple[str, ...]
    question: ClassVar = 1
    this_and_that = ("this matrix", "that one")
    dimensions = 2

    def __init__(
        self,
        counts: ArrayLike,
        labels: Sequence[Hashable] | None = None,
        *,
        measure: LabelMetric | None = None,
        models: tuple[str, ...] = ("A",),
    ) -> None:
        cells = as_counts("counts", counts)
        names = _check_counts(cells, self.dimensions, labels)
        self._set_fields(counts=cells, labels=names, measure=measure, models=as_one_name(models))

    @classmethod
    def from_predictions(
        cls, truth: ArrayLike, predictions: ArrayLike, *, labels: Sequence[Hashable] | None = None
    ) -> Self:
        """Return the counts from true labels and predictions; `labels` may name further labels.

        Examples
        --------
        >>> ConfusionMatrix.from_predictions(["a", "b"], ["a", "a"], labels=["a", "b", "c"]).counts[1]
        array([1, 0, 0])
        """
        return cls(*tabulated(matching_labels({"truth": truth, "predictions": predictions}), labels))

    @property
    def error_count(self) -> ErrorCount:
        """The errors (the counts off the diagonal) and trials."""
        right = np.trace(self.counts, axis1=-2, axis2=-1)
        return ErrorCount(self.examples - right, self.examples, as_accuracy=True)

    @property
    def accuracy(self) -> FloatArray:
        """The proportion of right predictions."""
        return 1 - self.error_count.rate

    @property
    def value(self) -> FloatArray:
        """The metric of these counts; NaN if it is undefined."""
        return self.metric.of(self.counts)

    @property
    def levels(self) -> FloatArray:
        """The metric, along a last dimension of one model."""
        return np.asarray(self.value)[..., None]

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the default interval for the metric; MOVER is too short for more than two recalls."""
        if self.metric.is_share:
            return "jeffreys"  # by its own denominator
        several = self.metric.name in _OF_RECALLS and len(self.labels) > 2
        return "delta" if several else _INTERVALS.get(self.metric.name, "delta")

    @property
    def reason_for_two(self) -> str:
        """The error for a comparison of one matrix."""
        return (
            "`evidence` must have two models to compare, got a ConfusionMatrix of one. Use a PairedConfusion,"
            " estimate(matrix, metric=...), or its label_against_prediction() to compare both kinds of error."
        )

    def reduced(self) -> Evidence:
        """Return the error count if the metric is the error rate; a named metric is the reported one."""
        return self.error_count.report_as(as_accuracy=self.measure is None) if self.metric.is_rate else self

    def traits(self) -> dict[str, Any]:
        """Return the answers to the questions of `advise` that the errors determine."""
        return self.error_count.traits() | {"labels": True, "counts": self.error_count}

    def recall(self, label: Hashable = None) -> FloatArray:
        """Return the recall of this label (0 if it does not occur). Default: the last label."""
        here = self._find_label(label)
        return _divide_counts(self.counts[..., here, here], self.counts[..., here, :].sum(axis=-1))

    def precision(self, label: Hashable = None) -> FloatArray:
        """Return the precision of this label (0 if it is never predicted)."""
        here = self._find_label(label)
        return _divide_counts(self.counts[..., here, here], self.counts[..., :, here].sum(axis=-1))

    def false_positive_rate(self, label: Hashable = None) -> FloatArray:
        """Return the false positive rate of this label (0 if no other label occurs)."""
        here = self._find_label(label)
        false = self.counts[..., :, here].sum(axis=-1) - self.counts[..., here, here]
        return _divide_counts(false, self.examples - self.counts[..., here, :].sum(axis=-1))

    def f1(self, label: Hashable = None) -> FloatArray:
        """Return 2·TP / (2·TP + FP + FN), the harmonic mean of precision and recall (0 without true positives)."""
        here = self._find_label(label)
        named = self.counts[..., here, :].sum(axis=-1) + self.counts[..., :, here].sum(axis=-1)
        return _divide_counts(2 * self.counts[..., here, here], named)

    def label_against_prediction(self, positive: Hashable = None) -> PairedTable:
        """Return the label and the prediction as two raters of the same examples.

        A is the label and B the prediction, and the counted event is `positive` (default: the last label):
        `only_a_wrong` are the false negatives, `only_b_wrong` the false positives. Tango's interval on this
        table tests whether both kinds of error are equally frequent (Elazmeh, Japkowicz and Matwin 2006). It
        does not test their number: a classifier with many errors passes if they balance.

        Examples
        --------
        >>> matrix = ConfusionMatrix([[21, 26], [22, 129]])
        >>> matrix.label_against_prediction()
        PairedTable(both_wrong=129, only_a_wrong=22, only_b_wrong=26, both_right=21, models=('label', 'prediction'),
                event='positive')
        """
        return PairedTable(*self._cells_of(positive), models=("label", "prediction"), event="positive")

    def _cells_of(self, label: Hashable) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Return true positives, false negatives, false positives and true negatives of a class."""
        here = self._find_label(label)
        hits = self.counts[..., here, here]
        missed = self.counts[..., here, :].sum(axis=-1) - hits
        false = self.counts[..., :, here].sum(axis=-1) - hits
        return hits, missed, false, self.examples - hits - missed - false

    def _find_label(self, label: Hashable) -> int:
        if label is None:
            if len(self.labels) != 2:
                raise InvalidEvidence(
                    f"`label` is required with {len(self.labels)} labels. Use one of {list_names(self.labels)}."
                )
            return 1
        if label not in self.labels:
            raise InvalidEvidence(describe_choice("label", label, self.labels))
        return self.labels.index(label)

    def _notebook_table(self) -> Table | None:
        return None if len(self.labels) > _SHOWN else (f"ConfusionMatrix: {_SIDES}", *_by_label(self))

    def data_row(self, lead: int = 0) -> str:
        """Return the counts behind the metric.

        Examples
        --------
        >>> matrix = ConfusionMatrix([[50, 10], [5, 35]], ["ham", "spam"])
        >>> matrix.by("f1").data_row()
        '100 examples: 35 true positives of 40, 10 false positives'
        >>> matrix.by("precision").data_row(), matrix.by("mcc").data_row()
        ('100 examples: 35 right of 45 predicted spam', '100 examples of 2 labels, 15 errors')
        """
        if self.shape:
            return self.describe()
        examples, errors = count_text(int(self.examples), "example"), count_text(int(self.error_count.errors), "error")
        if self.metric.positive is None:
            return f"{examples} of {count_text(len(self.labels), 'label')}, {errors}"
        return f"{examples}: {self.counts_of_class()}"

    def counts_of_class(self) -> str:
        """Return the counts of the positive class that determine the metric."""
        name = self.metric.of_class
        hits, missed, false, rest = map(int, self._cells_of(self.labels[self.metric.positive or 0]))
        positives, errors = count_text(false, "false positive"), count_text(int(self.error_count.errors), "error")
        texts = {
            "recall": f"{hits:,} true positives of {hits + missed:,}",
            "precision": f"{hits:,} right of {hits + false:,} predicted {name}",
            "specificity": f"{rest:,} right of {rest + false:,} that are not {name}",
            "false-positive-rate": f"{positives} of {rest + false:,} that are not {name}",
            "negative-predictive-value": f"{rest:,} right of {rest + missed:,} not predicted {name}",
            "label-balance": f"{hits + missed:,} labelled and {hits + false:,} predicted {name}, {errors}",
        }
        return texts.get(self.metric.name, f"{hits:,} true positives of {hits + missed:,}, {positives}")

    @property
    def reasons_undefined(self) -> dict[str, str]:
        """Why the metric is undefined, by model; empty if it is defined.

        Examples
        --------
        >>> ConfusionMatrix([[60, 0], [40, 0]], ["ham", "spam"]).by("precision").reasons_undefined
        {'A': 'nothing was predicted spam'}
        """
        if self.shape or not np.isnan(self.value):
            return {}
        name = self.metric.of_class
        if not name:
            labels, predictions = ((self.counts.sum(axis=axis) > 0).sum() == 1 for axis in (1, 0))
            alike = [what for what, constant in (("labels", labels), ("predictions", predictions)) if constant]
            reason = f"all {' and all '.join(alike)} are alike" if alike else "these counts do not determine it"
            return {self.models[0]: reason}
        every = f"every example is {name}"
        reasons = {
            "recall": f"no example is {name}",
            "precision": f"nothing was predicted {name}",
            "specificity": every,
            "false-positive-rate": every,
            "negative-predictive-value": f"everything was predicted {name}",
        }
        return {self.models[0]: reasons.get(self.metric.name, f"no example is {name}, and nothing was predicted so")}

    def describe(self) -> str:
        """Return a description of the observations."""
        if self.shape:
            return f"confusion matrices of shape {self.shape}"
        return f"{plural(len(self.labels), 'label')}, {self.error_count.describe()}"


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class PairedConfusion(Labelled, OfTwo):
    """The number of examples by true label and both predictions: `counts[label, A, B]`.

    Parameters
    ----------
    counts
        A cube of counts; leading dimensions make it many.
    labels
        The names of the labels. Default: 0, 1, 2, …
    models
        The names of A and B.
    measure
        The metric, set by `by`. Default: the error rate.

    Examples
    --------
    >>> both = PairedConfusion.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1])
    >>> both.paired_table()
    PairedTable(both_wrong=0, only_a_wrong=1, only_b_wrong=1, both_right=2)
    >>> both.confusion_a.recall(1), both.confusion_b.recall(1)
    (np.float64(1.0), np.float64(0.5))
    """

    counts: IntArray
    labels: tuple[Any, ...]
    models: tuple[str, str]
    measure: LabelMetric | None
    this_and_that = ("these counts", "those")
    dimensions = 3

    def __init__(
        self,
        counts: ArrayLike,
        labels: Sequence[Hashable] | None = None,
        *,
        models: tuple[str, str] = ("A", "B"),
        measure: LabelMetric | None = None,
    ) -> None:
        cells = as_counts("counts", counts)
        names = _check_counts(cells, self.dimensions, labels)
        self._set_fields(counts=cells, labels=names, models=as_pair_of_names(models), measure=measure)

    @classmethod
    def from_predictions(
        cls,
        truth: ArrayLike,
        predictions_a: ArrayLike,
        predictions_b: ArrayLike,
        *,
        labels: Sequence[Hashable] | None = None,
        models: tuple[str, str] = ("A", "B"),
    ) -> Self:
        """Return the counts from true labels and both classifiers' predictions.

        Examples
        --------
        >>> PairedConfusion.from_predictions(["a", "b"], ["a", "a"], ["b", "a"]).difference
        np.float64(-0.5)
        """
        vectors = {"truth": truth, "predictions_a": predictions_a, "predictions_b": predictions_b}
        return cls(*tabulated(matching_labels(vectors), labels), models=models)

    @property
    def confusion_a(self) -> ConfusionMatrix:
        """The confusion matrix of A."""
        return ConfusionMatrix(self.counts.sum(axis=-1), self.labels, measure=self.measure)

    @property
    def confusion_b(self) -> ConfusionMatrix:
        """The confusion matrix of B."""
        return ConfusionMatrix(self.counts.sum(axis=-2), self.labels, measure=self.measure)

    @property
    def sides(self) -> tuple[ConfusionMatrix, ConfusionMatrix]:
        """The confusion matrices of A and of B."""
        return self.confusion_a, self.confusion_b

    @property
    def difference(self) -> FloatArray:
        """loss(A) − loss(B) of the metric: positive if B is better."""
        if self.metric.is_rate:
            return self.paired_table().difference
        a, b = (matrix.value for matrix in self.sides)
        return b - a if self.metric.higher_is_better else a - b

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the default method for the metric; a proportion within one class uses that class's table."""
        name = self.metric.name
        if name in _OF_THE_CLASS:
            return "mcnemar-mid-p" if goal == "test" else "tango"
        if name in _OF_RECALLS:
            return "mover-tango"
        return "weighted-generalized-score" if name in _OF_PREDICTIONS and goal == "test" else "paired-delta"

    def reduced(self) -> Evidence:
        """Return the paired table of errors if the metric is the error rate; a named metric is the reported one."""
        return self.paired_table().report_as(as_accuracy=self.measure is None) if self.metric.is_rate else self

    def traits(self) -> dict[str, Any]:
        """Return the answers to the questions of `advise` that the errors determine."""
        table = self.paired_table()
        return table.traits() | {"labels": True, "counts": table}

    def paired_table(self) -> PairedTable:
        """Return the paired table of errors, without the labels."""
        right_a, right_b, both = (np.einsum(f"...{which}->...", self.counts) for which in ("iij", "iji", "iii"))
        rest = self.examples - right_a - right_b + both
        return PairedTable(rest, right_b - both, right_a - both, both, models=self.models, as_accuracy=True)

    def swapped(self) -> Self:
        """Return the counts with A and B swapped."""
        return replace(self, counts=np.swapaxes(self.counts, -1, -2), models=swap_names(self.models))

    def _repr_html_(self) -> str:
        if self.shape or len(self.labels) > _SHOWN:
            return Evidence._repr_html_(self)
        named = zip(self.models, self.sides, strict=True)
        matrices = "".join(html_table(f"{name}: {_SIDES}", *_by_label(matrix)) for name, matrix in named)
        return f"{self.paired_table()._repr_html_()}{matrices}"

    def data_row(self, lead: int = 0) -> str:
        """Return how many examples there are, also of the positive class, and on how many the predictions differ.

        Examples
        --------
        >>> both = PairedConfusion.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1])
        >>> both.by("recall").data_row(), both.by("mcc").data_row()
        ('4 examples (2 of them 1), 2 with different predictions', '4 examples, 2 with different predictions')
        """
        if self.shape:
            return self.describe()
        same_prediction = self.counts.trace(axis1=-2, axis2=-1).sum(axis=-1)  # right or wrong
        position = self.metric.positive
        among = "" if position is None else f" ({int(self.counts[position].sum()):,} of them {self.metric.of_class})"
        different = int(self.examples - same_prediction)
        return f"{count_text(int(self.examples), 'example')}{among}, {different:,} with different predictions"

    def details(self) -> str:
        """Return the counts behind the metrics of both models.

        Examples
        --------
        >>> both = PairedConfusion.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1], models=("old", "new"))
        >>> both.by("recall").details()
        'old: 2 true positives of 2; new: 1 true positives of 2'
        """
        matrices = zip(self.models, self.sides, strict=True)
        if self.metric.positive is None:
            return "; ".join(f"{name}: {count_text(int(side.error_count.errors), 'error')}" for name, side in matrices)
        return "; ".join(f"{name}: {side.counts_of_class()}" for name, side in matrices)

    @property
    def reasons_undefined(self) -> dict[str, str]:
        """Why the metric is undefined, by model; empty if it is defined for both."""
        if self.shape:
            return {}
        matrices = zip(self.models, self.sides, strict=True)
        return {name: reason for name, matrix in matrices for reason in matrix.reasons_undefined.values()}

    def describe(self) -> str:
        """Return a description of the observations."""
        if self.shape:
            return f"paired confusions of shape {self.shape}"
        return f"{plural(len(self.labels), 'label')}; {self.paired_table().describe()}"


def _by_label(matrix: ConfusionMatrix) -> tuple[list[str], list[list[str]]]:
    """Return head and lines of a table with a line for each label."""
    names = [str(label) for label in matrix.labels]
    return ["label", *names], [[name, *map(str, row)] for name, row in zip(names, matrix.counts.tolist(), strict=True)]


def _check_counts(counts: IntArray, dimensions: int, labels: Sequence[Hashable] | None) -> tuple[Any, ...]:
    """Return the names of the labels; raise InvalidEvidence if the counts or the names are invalid."""
    sizes = counts.shape[-dimensions:]
    if counts.ndim < dimensions or len(set(sizes)) != 1:
        sides = " by ".join(["k"] * dimensions)
        raise InvalidEvidence(f"`counts` must be {sides} for k labels, got shape {counts.shape}.")
    totals = counts.sum(axis=tuple(range(-dimensions, 0)), dtype=float)  # floats do not overflow
    if totals.min() < 1:
        raise InvalidEvidence("`counts` must hold at least one example, got zeros only. Leave it out.")
    if totals.max() > LARGEST:
        raise InvalidEvidence(f"`counts` must hold at most 2**53 examples, got {totals.max():.0f}.")
    names = tuple(range(sizes[0])) if labels is None else names_of_labels(labels)
    if len(names) != sizes[0]:
        raise InvalidEvidence(
            f"`labels` must be {sizes[0]} different names, one for each row, got {list_names(names)}."
        )
    return names


def _divide_counts(part: IntArray, whole: IntArray) -> FloatArray:
    return np.where(whole == 0, 0.0, part / np.maximum(whole, 1))[()]
