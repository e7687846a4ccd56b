"""Errors and trials of one classifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence
from ..figures import count_text
from ..typing_ import FloatArray, IntArray
from .base import TRAITS_OF_CLASSIFIERS, Evidence, Pooled, Scope, plural
from .validation import as_counts, in_chunks, matching_labels, of_one_shape


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)  # eq=False: arrays have no single ==
class ErrorCount(Pooled):
    """The number of errors and of trials: the sufficient statistic of one error rate.

    Parameters
    ----------
    errors
        The number of misclassified test examples: one count, or an array of counts.
    trials
        The number of test examples, at least 1. Both broadcast to one shape.
    as_accuracy
        Whether answers report the accuracy, 1 − error.

    Examples
    --------
    >>> count = ErrorCount(3, 120)
    >>> count.rate
    np.float64(0.025)
    >>> count + ErrorCount(1, 80)
    ErrorCount(errors=4, trials=200)
    >>> ErrorCount([3, 0], 120)[1]
    ErrorCount(errors=0, trials=120)
    """

    errors: IntArray
    trials: IntArray
    as_accuracy: bool
    accepts: ClassVar = frozenset({"against"})
    # An interval should be near its nominal level on average; a test must not exceed it. By exact size only the exact
    # test achieves that at every threshold: the others reject up to three times too often at some.
    question: ClassVar = 1
    defaults: ClassVar = {"interval": "jeffreys", "test": "clopper-pearson"}
    summed = ("errors", "trials")
    this_and_that = ("this count", "that one")
    _leader = "errors"

    def __init__(self, errors: ArrayLike, trials: ArrayLike, *, as_accuracy: bool = False) -> None:
        wrong, tested = as_counts("errors", errors), as_counts("trials", trials)
        if wrong.shape != tested.shape:
            wrong, tested = of_one_shape({"errors": wrong, "trials": tested})
        if tested.min() < 1:
            raise InvalidEvidence("`trials` must be at least 1, got 0. Leave out entries without a test example.")
        if (wrong > tested).any():
            first = np.flatnonzero(wrong > tested)[0]
            raise InvalidEvidence(
                f"`errors` must be at most `trials`, got {wrong.flat[first]} of {tested.flat[first]}. If they are in"
                " the wrong"
                " order, swap them."
            )
        self._set_fields(errors=wrong, trials=tested, as_accuracy=as_accuracy)

    @classmethod
    def from_predictions(cls, truth: ArrayLike, predictions: ArrayLike) -> Self:
        """Return the errors from true labels and predictions; labels may be of any type.

        Examples
        --------
        >>> ErrorCount.from_predictions(["cat", "dog", "dog"], ["cat", "dog", "cat"])
        ErrorCount(errors=1, trials=3)
        """
        true, predicted = matching_labels({"truth": truth, "predictions": predictions})
        wrong = sum(
            int(np.count_nonzero(predicted[start : start + part.size] != part)) for start, part in in_chunks(true)
        )
        return cls(wrong, true.size, as_accuracy=True)

    @classmethod
    def from_folds(cls, errors: ArrayLike, sizes: ArrayLike) -> Self:
        """Return the sum over the test folds of one cross-validation, in which every example is tested once.

        The sum is binomial if the learner gives the same predictions whichever fold is
        left out, and a heuristic otherwise (Martin and Hirschberg 1996, section 2).

        Examples
        --------
        >>> ErrorCount.from_folds([1, 0, 2, 1, 0], [20, 20, 20, 20, 19])
        ErrorCount(errors=4, trials=99)
        """
        if np.ndim(sizes) and np.shape(errors) != np.shape(sizes):
            raise InvalidEvidence(
                f"`errors` and `sizes` must have one entry per fold, got shapes {np.shape(errors)} and"
                f" {np.shape(sizes)}."
            )
        folds = cls(errors, sizes)
        return cls(int(np.sum(folds.errors)), int(np.sum(folds.trials)))

    @property
    def reason_for_two(self) -> str:
        """The error for a comparison without a threshold."""
        return "`against` is required to compare one error count with a threshold. For 5% use against=0.05."

    @property
    def successes(self) -> IntArray:
        """The number of right predictions."""
        return self.trials - self.errors

    @property
    def rate(self) -> FloatArray:
        """The sample error: errors per trial."""
        return self.errors / self.trials

    @property
    def standard_error(self) -> FloatArray:
        """The plug-in standard deviation of the rate, √(e(1−e)/n) (Mitchell 1997, eq. 5.9)."""
        # From the proportion of successes: 1 − rate loses digits if the rate is near 1.
        return np.sqrt(self.rate * (self.successes / self.trials) / self.trials)

    @property
    def size(self) -> IntArray:
        """The number of examples."""
        return self.trials

    @property
    def levels(self) -> FloatArray:
        """The error rate, along a last dimension of one model."""
        return np.asarray(self.rate)[..., None]

    def default(self, goal: str, options: Mapping[str, Any] | None = None) -> str:
        """Return the default method: a posterior if there is a prior, the hypergeometric interval for a pool."""
        options = options or {}
        if "prior" in options:
            return "posterior" if callable(options["prior"]) else "beta"
        return "hypergeometric" if "pool" in options else Evidence.default(self, goal)

    def scope(self, method: str = "") -> Scope:
        """Return the scope of the answer: for a finite pool of examples, that pool."""
        if method != "hypergeometric":
            return Evidence.scope(self, method)
        return Scope("this trained model", "the pool that the examples were drawn from", "other data")

    def traits(self) -> dict[str, Any]:
        """Return the answers to the questions of `advise` that the counts determine."""
        models = self.shape[-1] if self.shape else 1  # a count of each model, along the last dimension
        errors, examples = int(np.min(self.errors)), int(np.min(self.trials))
        return TRAITS_OF_CLASSIFIERS | {"task": "estimate", "models": models, "errors": errors, "examples": examples}

    def describe(self) -> str:
        """Return a description of the observations."""
        if self.shape:
            return f"{plural(self.errors.size, 'count')} of errors"
        return f"{count_text(int(self.errors), 'error')} in {count_text(int(self.trials), 'example')}"
