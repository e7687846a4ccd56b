"""Errors and trials of two classifiers on separate test sets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..figures import short_names
from ..typing_ import FloatArray, IntArray
from .base import TRAITS_OF_CLASSIFIERS, OfTwo, Table, as_pair_of_names, expect, plural, swap_names
from .error_count import ErrorCount
from .validation import of_one_shape


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)  # eq=False: arrays have no single ==
class IndependentCounts(OfTwo):
    """The errors of A on one test set and of B on another, no example in both.

    If both classifiers were tested on the same examples use a `PairedTable`, which accounts for the correlation of
    their errors.

    Parameters
    ----------
    a, b
        The error counts; one each, or arrays that broadcast to one shape.
    models
        The names of A and B.

    Examples
    --------
    >>> counts = IndependentCounts(ErrorCount(30, 100), ErrorCount(20, 100))
    >>> round(counts.difference, 6)
    np.float64(0.1)
    >>> counts.swapped()
    IndependentCounts(a=ErrorCount(errors=20, trials=100), b=ErrorCount(errors=30, trials=100))
    """

    a: ErrorCount
    b: ErrorCount
    models: tuple[str, str]
    resampling_has_width: ClassVar = False
    defaults: ClassVar = {"interval": "miettinen-nurminen", "test": "fisher-mid-p", "margin": "miettinen-nurminen"}
    test_sets: ClassVar = 2
    summed = ("a", "b")
    _leader = "a"

    def __init__(self, a: ErrorCount, b: ErrorCount, *, models: tuple[str, str] = ("A", "B")) -> None:
        expect(ErrorCount, a, name="a")
        expect(ErrorCount, b, name="b")
        if a.shape != b.shape:
            errors_a, trials_a, errors_b, trials_b = of_one_shape(
                {"a": a.errors, "a's trials": a.trials, "b": b.errors, "b's trials": b.trials}
            )
            a, b = ErrorCount(errors_a, trials_a), ErrorCount(errors_b, trials_b)
        self._set_fields(a=a, b=b, models=as_pair_of_names(models))

    @classmethod
    def from_counts(
        cls,
        errors_a: ArrayLike,
        trials_a: ArrayLike,
        errors_b: ArrayLike,
        trials_b: ArrayLike,
        *,
        models: tuple[str, str] = ("A", "B"),
    ) -> Self:
        """Return the counts from errors and trials of A, then of B.

        Examples
        --------
        >>> IndependentCounts.from_counts(7, 34, 1, 34)
        IndependentCounts(a=ErrorCount(errors=7, trials=34), b=ErrorCount(errors=1, trials=34))
        """
        return cls(ErrorCount(errors_a, trials_a), ErrorCount(errors_b, trials_b), models=models)

    @classmethod
    def from_predictions(
        cls,
        truth_a: ArrayLike,
        predictions_a: ArrayLike,
        truth_b: ArrayLike,
        predictions_b: ArrayLike,
        *,
        models: tuple[str, str] = ("A", "B"),
    ) -> Self:
        """Return the errors from true labels and predictions, each classifier on its own test set.

        Examples
        --------
        >>> IndependentCounts.from_predictions([0, 1], [0, 0], ["x", "y", "y"], ["x", "y", "y"]).difference
        np.float64(0.5)
        """
        a = ErrorCount.from_predictions(truth_a, predictions_a)
        return cls(a, ErrorCount.from_predictions(truth_b, predictions_b), models=models)

    @property
    def count_a(self) -> ErrorCount:
        """The errors of A."""
        return self.a

    @property
    def count_b(self) -> ErrorCount:
        """The errors of B."""
        return self.b

    @property
    def as_accuracy(self) -> bool:  # type: ignore[override]  # both counts have it
        """Whether answers report the accuracy, 1 − error."""
        return self.a.as_accuracy

    def report_as(self, *, as_accuracy: bool) -> Self:
        """Return the same counts, reported as accuracy or as error rate."""
        a, b = (replace(count, as_accuracy=as_accuracy) for count in self.sides)
        return replace(self, a=a, b=b)

    @property
    def size(self) -> IntArray:
        """The number of examples of both test sets."""
        return self.a.trials + self.b.trials

    @property
    def test_sizes(self) -> tuple[IntArray, IntArray]:
        """The number of examples of either test set."""
        return self.a.trials, self.b.trials

    @property
    def difference(self) -> FloatArray:
        """error(A) − error(B): positive if B is better."""
        return self.a.rate - self.b.rate

    @property
    def sides(self) -> tuple[ErrorCount, ErrorCount]:
        """The errors of A, and those of B."""
        return self.a, self.b

    def traits(self) -> dict[str, Any]:
        """Return the answers to the questions of `advise` that the counts determine."""
        examples = int(min(np.min(self.a.trials), np.min(self.b.trials)))
        return TRAITS_OF_CLASSIFIERS | {"task": "choose", "models": 2, "test_sets": "two", "examples": examples}

    def swapped(self) -> Self:
        """Return the counts with A and B swapped."""
        return type(self)(self.b, self.a, models=swap_names(self.models))

    def _notebook_table(self) -> Table:
        counts = zip(self.models, (self.a, self.b), strict=True)
        lines = [[name, str(count.errors), str(count.trials), f"{100 * count.rate:.4g}%"] for name, count in counts]
        return "IndependentCounts: two test sets", ["model", "errors", "examples", "error rate"], lines

    def describe(self) -> str:
        """Return a description of the observations."""
        if self.shape:
            return f"{plural(self.a.errors.size, 'pair')} of error counts"
        a, b = self.models
        return f"{a}: {self.a.describe()}; {b}: {self.b.describe()}"

    def data_row(self, lead: int = 0) -> str:
        """Return the errors and examples of either test set, those of the leader first."""
        sides = list(zip(short_names(self.models).values(), self.sides, strict=True))
        (first, count), (other, other_count) = sides[::-1] if lead else sides
        rest = f"{int(other_count.errors):,} in {int(other_count.trials):,}"
        return f"two test sets: {first} {count.describe()}, {other} {rest}"
