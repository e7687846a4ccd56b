"""One classifier and its confusion matrix, enumerable for few examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InvalidOption
from ...evidence import ConfusionMatrix
from ...methods import Offer
from ...metric_rules import CellRatio
from ...metrics import LabelMetric, get_metric
from ...shaped import entries
from ...typing_ import FloatArray
from ..design import Design, Everything, check_metric, name_difference, rate, whole
from .count_tables import as_shares, chances, every_table, ways
from .counts import number_text, percent_text

_MOST = 200_000  # tables that are listed: of two labels, all of 100 examples, of two classifiers, all of 15


class Confused(Design):
    """Base class of designs of one or two classifiers: the cell probabilities, and the metric of the counts."""

    __slots__ = ()
    examples: int
    shares: FloatArray
    metric: str
    positive: Any
    costs: Any
    labels: Any
    _cells: ClassVar[int]  # dimensions of a table

    def _check_parameters(self) -> None:
        object.__setattr__(self, "examples", whole("examples", self.examples))
        object.__setattr__(self, "shares", as_shares("shares", self.shares, self._cells))
        size = self.shares.shape[-1]
        names = tuple(range(size)) if self.labels is None else tuple(self.labels)
        if len(names) != size:
            raise InvalidOption(f"`labels` must be {size} names, one for each row, got {self.labels!r}.")
        object.__setattr__(self, "labels", names)
        object.__setattr__(self, "metric", self.measure.name)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of designs: the leading dimensions of the shares."""
        return self.shares.shape[: -self._cells]

    def __getitem__(self, index: Any) -> Self:
        if not self.shape:
            raise IndexError(f"this {type(self).__name__} is one design and cannot be indexed")
        return self._replace_shares(entries(self.shares, index, self.shape))

    def _replace_shares(self, shares: FloatArray) -> Self:
        """Return the design with other probabilities."""
        return replace(self, shares=shares)  # type: ignore[type-var]  # every subclass is a dataclass

    def _has_one_design(self) -> FloatArray:
        if self.shape:
            raise InvalidOption(
                f"`facts` needs one design, got an array of shape {self.shape}. Take one of them: design[0]."
            )
        return self.shares

    @property
    def measure(self) -> LabelMetric:
        """The metric of the counts."""
        return get_metric(self.metric).of_labels(self.labels, positive=self.positive, costs=self.costs)

    @property
    def title(self) -> str:
        """The title of the metric."""
        return self.measure.title

    @property
    def in_points(self) -> bool:
        """Whether differences are of error rates, in percentage points."""
        return self.metric == "error"

    @property
    def difference_name(self) -> str:
        """Name of a difference: that of the metric."""
        called = "error" if self.in_points else self.title
        return name_difference(called, higher_is_better=self.measure.higher_is_better)

    def view(self, method: Offer, learners: int = 2) -> str:
        """Return the view, all cells; raise UnknownMethod if the method does not support the metric."""
        Design.view(self, method, learners)
        check_metric(method, self.metric)
        return "cells"

    def _make_evidence(self, counts: Any) -> Any:
        """Return counts as evidence."""
        raise TypeError(f"{type(self).__name__} has no evidence for {counts}")

    def draw(self, views: Sequence[Any], trials: int, rng: np.random.Generator) -> Mapping[Any, Any]:
        """Draw the counts."""
        shares = self._has_one_design().ravel()
        counts = rng.multinomial(self.examples, shares / shares.sum(), trials)
        return dict.fromkeys(views, self._make_evidence(counts))

    def _possible_cells(self, conditions: Sequence[Self]) -> FloatArray:
        """Return the cells with positive probability under any condition."""
        return np.asarray(np.any([design.shares.ravel() > 0 for design in conditions], axis=0))

    def outcomes(self, view: Any, conditions: Sequence[Self]) -> int:  # noqa: ARG002
        """Return the number of tables with positive probability."""
        number = ways(self.examples, int(self._possible_cells(conditions).sum()))
        return number if number <= _MOST else 0

    def everything(self, view: Any, conditions: Sequence[Self]) -> Everything:  # noqa: ARG002
        """Return every table with positive probability."""
        tables = every_table(self.examples, self._possible_cells(conditions))
        return Everything(self._make_evidence(tables), chances(tables, [design.shares for design in conditions]))

    def _describe_labels(self) -> str:
        """Return a description of the label distribution."""
        frequencies = self.shares.sum(axis=tuple(range(-self._cells + 1, 0)))
        if len(self.labels) == 2:
            return f"{percent_text(frequencies[..., 1])} positive"
        return f"{len(self.labels)} labels, the rarest {percent_text(frequencies.min(axis=-1))}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ConfusedLabels(Confused):
    """One classifier on independent examples, with the probabilities of its confusion matrix.

    Parameters
    ----------
    examples
        The number of test examples.
    shares
        The probability of every label and prediction, `shares[label, prediction]`; they add up to 1. Further
        dimensions in front make it many designs.
    metric, positive, costs
        The metric of the counts, as for `estimate`.
    labels
        The labels; 0, 1, 2, … by default.

    Examples
    --------
    >>> from tellapart.lab import calibrate
    >>> design = ConfusedLabels.from_rates(50, positives=0.3, recall=0.8, specificity=0.9, metric="recall")
    >>> design.truth("error").round(12), round(design.facts["counted"], 9)
    (np.float64(0.8), 15.0)
    >>> calibrate("wilson", design).trials
    'exact'
    """

    examples: int
    shares: FloatArray
    metric: str = "error"
    positive: Any = None
    costs: Any = None
    labels: Any = None
    evidence: ClassVar = (ConfusionMatrix,)
    _cells: ClassVar = 2

    def __post_init__(self) -> None:
        self._check_parameters()

    @classmethod
    def from_rates(
        cls,
        examples: int,
        *,
        positives: ArrayLike = 0.5,
        recall: ArrayLike = 0.8,
        specificity: ArrayLike = 0.8,
        **metric_options: Any,
    ) -> Self:
        """Return the design for two labels, by the share of positives and the recall of each label.

        Examples
        --------
        >>> ConfusedLabels.from_rates(50, positives=0.2, recall=0.9, specificity=0.75).shares.round(3)
        array([[0.6 , 0.2 ],
               [0.02, 0.18]])
        """
        named = {"positives": positives, "recall": recall, "specificity": specificity}
        share, sensitivity, rest = np.broadcast_arrays(*(rate(name, value) for name, value in named.items()))
        negative, positive = (1 - share)[..., None], share[..., None]
        rows = (
            negative * np.stack([rest, 1 - rest], axis=-1),
            positive * np.stack([1 - sensitivity, sensitivity], axis=-1),
        )
        return cls(examples, np.stack(rows, axis=-2), **metric_options)

    @classmethod
    def from_matrix(cls, matrix: ConfusionMatrix) -> Self:
        """Return the design with the observed proportions as true probabilities, and the same number of examples."""
        if matrix.shape:
            raise InvalidOption(
                f"`matrix` must be one matrix, got an array of shape {matrix.shape}. Take one of them: matrix[0]."
            )
        counts = np.asarray(matrix.counts)
        return cls(int(matrix.examples), counts / counts.sum(), **metric_options_of(matrix))

    @property
    def alone(self) -> bool:
        """Whether there is only one model: always true."""
        return True

    @property
    def value_name(self) -> str:
        """Name of the true value of the classifier: its error rate, or another metric."""
        return "error rate" if self.in_points else self.title

    @property
    def usual(self) -> tuple[str, ...]:  # type: ignore[override]
        """Default methods: the fast ones for a metric with its own denominator, or for any metric."""
        return ("jeffreys", "wilson", "clopper-pearson") if self.measure.is_share else ("delta",)

    def at(self, difference: float) -> Self:
        """Return the design unchanged, as there is no difference."""
        if difference:
            raise InvalidOption(f"`difference` must be left out for one model, got {difference:g}.")
        return self

    def truth(self, parameter: str) -> FloatArray:
        """Return the true value of the metric."""
        if parameter != "error":
            raise InvalidOption(f"`parameter` must be 'error' for one model, got {parameter!r}.")
        return self.measure.of(self.shares)

    def _make_evidence(self, counts: Any) -> ConfusionMatrix:
        size = len(self.labels)
        return ConfusionMatrix(counts.reshape(-1, size, size), self.labels, measure=self.measure)

    @property
    def facts(self) -> dict[str, float]:
        """Number of examples, of the rarest label, and of examples in the metric's denominator on average.

        "counted" are the predicted positives of the precision, the positives of the recall, all but the true
        negatives of F1, and all examples of most others.
        """
        shares, rule = self._has_one_design(), self.measure.bound_rule
        heard = rule.trials != 0 if isinstance(rule, CellRatio) else np.ones_like(shares, dtype=bool)
        number = self.examples * shares
        return {
            "examples": float(self.examples),
            "labels": float(len(shares)),
            "rarest": float(number.sum(axis=1).min()),
            "counted": float(number[heard].sum()),
        }

    def describe(self) -> str:
        """Return a description of the design."""
        rates = ""
        if len(self.labels) == 2:
            recalls = np.diagonal(self.shares, axis1=-2, axis2=-1) / self.shares.sum(axis=-1)
            rates = f", recall {number_text(recalls[..., 1])}, specificity {number_text(recalls[..., 0])}"
        value = number_text(np.asarray(self.truth("error")))
        return f"one model, {self.title} {value} ({self._describe_labels()}{rates}), {self.examples} examples"


def metric_options_of(evidence: Any) -> dict[str, Any]:
    """Return the metric, its options and the labels of evidence."""
    measure: LabelMetric = evidence.metric
    positive = None if measure.positive is None else evidence.labels[measure.positive]
    return {"metric": measure.name, "positive": positive, "costs": measure.costs, "labels": evidence.labels}
