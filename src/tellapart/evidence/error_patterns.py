"""Which of several classifiers were wrong on which examples of one test set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence
from ..figures import count_text
from ..typing_ import BoolArray, FloatArray, IntArray, Numbers, list_names
from .base import Evidence, Table, pair_index
from .error_count import ErrorCount
from .paired_table import PairedTable
from .patterns import Patterned, add_up, check_pattern_counts, codes_of
from .validation import as_counts, as_outcomes, in_chunks, matching_labels

_MOST = 62  # models whose outcomes fit one integer


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)  # eq=False: arrays have no single ==
class ErrorPatterns(Patterned):
    """Every pattern of right and wrong that occurs among several models, and on how many examples.

    Ten models have at most 1024 patterns, however many examples there are.

    Parameters
    ----------
    models
        Their names, at least two.
    wrong
        A row of booleans for each pattern: True for each model that was wrong.
    counts
        On how many examples each pattern occurred; leading dimensions make it many tables.
    as_accuracy
        Whether answers report the accuracy, 1 − error.

    Examples
    --------
    >>> patterns = ErrorPatterns.from_correct({"a": [1, 1, 0, 0], "b": [1, 1, 1, 0], "c": [1, 0, 0, 0]})
    >>> patterns.models, patterns.error_counts.errors
    (('a', 'b', 'c'), array([2, 1, 3]))
    >>> patterns.pair("a", "c")
    PairedTable(both_wrong=2, only_a_wrong=0, only_b_wrong=1, both_right=1, models=('a', 'c'))
    """

    models: tuple[str, ...]
    wrong: BoolArray
    counts: IntArray
    as_accuracy: bool
    question: ClassVar = 3
    defaults: ClassVar = {"adjust": "max-t"}

    def __init__(
        self, models: Sequence[str], wrong: ArrayLike, counts: ArrayLike, *, as_accuracy: bool = False
    ) -> None:
        names, patterns, cells = _check_names(models), np.array(wrong, dtype=bool), as_counts("counts", counts)
        if patterns.ndim != 2 or patterns.shape[1] != len(names):
            raise InvalidEvidence(
                f"`wrong` must have a row for each pattern and a column for each of {len(names)} models, got shape"
                f" {patterns.shape}."
            )
        check_pattern_counts(cells, len(patterns))
        codes = codes_of(patterns)
        order = np.argsort(codes, kind="stable")
        if np.any(np.diff(codes[order]) == 0):
            raise InvalidEvidence("`wrong` must hold every pattern once, got one twice. Add up their counts.")
        patterns = patterns[order]
        patterns.flags.writeable = False
        self._set_fields(models=names, wrong=patterns, counts=cells[..., order], as_accuracy=as_accuracy)

    @classmethod
    def from_predictions(cls, truth: ArrayLike, predictions: Mapping[str, ArrayLike]) -> Self:
        """Return the counts from true labels and predictions by model; labels may be of any type.

        Examples
        --------
        >>> ErrorPatterns.from_predictions([0, 1, 1], {"a": [0, 1, 0], "b": [0, 0, 1]}).counts
        array([1, 1, 1])
        """
        named = {f"predictions[{name!r}]": vector for name, vector in predictions.items()}
        true, *predicted = matching_labels({"truth": truth, **named})
        return cls._count_patterns(tuple(predictions), true, [(vector, true) for vector in predicted])

    @classmethod
    def from_correct(cls, correct: Mapping[str, ArrayLike]) -> Self:
        """Return the counts from right (True or 1) and wrong (False or 0) by model.

        Examples
        --------
        >>> ErrorPatterns.from_correct({"a": [1, 0, 1], "b": [True, True, False]}).rates.round(3)
        array([0.333, 0.333])
        """
        right = {name: as_outcomes(f"correct[{name!r}]", vector) for name, vector in correct.items()}
        names = _check_names(tuple(right))
        first = right[names[0]]
        for name, vector in right.items():
            if vector.shape != first.shape:
                raise InvalidEvidence(
                    f"{names[0]!r} and {name!r} must have outcomes of the same examples, got {first.size} and"
                    f" {vector.size}."
                    " Leave out examples that one of them lacks."
                )
        return cls._count_patterns(names, first, [(vector, np.True_) for vector in right.values()])

    @classmethod
    def _count_patterns(cls, models: tuple[str, ...], leader: np.ndarray, pairs: list[tuple[Any, Any]]) -> Self:
        """Return the counts of patterns, computed in chunks without an array of full length."""
        totals: dict[int, int] = {}
        for start, part in in_chunks(leader):
            stop = start + part.size
            code = np.zeros(part.size, dtype=np.int64)
            for position, (answers, targets) in enumerate(pairs):
                wrong = answers[start:stop] != (targets[start:stop] if targets.ndim else targets)
                code |= wrong.astype(np.int64) << position
            for pattern, count in zip(*np.unique(code, return_counts=True), strict=True):
                totals[int(pattern)] = totals.get(int(pattern), 0) + int(count)
        return cls.from_codes(models, totals, as_accuracy=True)

    @classmethod
    def from_codes(cls, models: Sequence[str], counts: Mapping[int, ArrayLike], *, as_accuracy: bool = False) -> Self:
        """Return the counts from counts by pattern, an integer whose bit i is set if model i was wrong.

        Examples
        --------
        >>> ErrorPatterns.from_codes(["a", "b"], {0: 90, 1: 6, 3: 4}).pair("a", "b")
        PairedTable(both_wrong=4, only_a_wrong=6, only_b_wrong=0, both_right=90, models=('a', 'b'))
        """
        names = _check_names(models)
        codes = np.fromiter(counts, dtype=np.int64, count=len(counts))
        wrong = (codes[:, None] >> np.arange(len(names))) & 1
        cells = np.stack([np.asarray(count) for count in counts.values()], axis=-1)
        return cls(names, wrong.astype(bool), cells, as_accuracy=as_accuracy)

    @property
    def error_counts(self) -> ErrorCount:
        """The errors of each model, along the last dimension."""
        errors = self.counts @ self.wrong.astype(np.int64)
        trials = np.broadcast_to(self.examples[..., None], errors.shape)
        return ErrorCount(errors, trials, as_accuracy=self.as_accuracy)

    @property
    def counted_errors(self) -> ErrorCount:
        """The errors of each model, along the last dimension."""
        return self.error_counts

    @property
    def rank_spread(self) -> float:
        """The approximate width of the widest interval of a rate, positive without errors too."""
        n = float(self.examples)
        middle = (np.abs(np.asarray(self.rates, dtype=float)) * n + 1) / (n + 2)
        return 4 * float(np.sqrt(middle * (1 - middle) / n).max())

    @property
    def rates(self) -> FloatArray:
        """The error rate of each model, along the last dimension."""
        return self.error_counts.rate

    def pair(self, a: str, b: str) -> PairedTable:
        """Return the table of two of the models."""
        wrong_a, wrong_b = self.wrong[:, self._find_two_models(a, b)].T
        cells = (wrong_a & wrong_b, wrong_a & ~wrong_b, ~wrong_a & wrong_b, ~wrong_a & ~wrong_b)
        return PairedTable(
            *(self.counts @ cell.astype(np.int64) for cell in cells), models=(a, b), as_accuracy=self.as_accuracy
        )

    @property
    def size(self) -> Numbers:
        """The number of examples."""
        return self.examples

    @property
    def levels(self) -> FloatArray:
        """The error rate of each model, along the last dimension."""
        return self.rates

    def select(self, *models: str) -> Evidence:
        """Return the errors of one model, a table of two, or the patterns of more."""
        positions = [self._find_model(name) for name in models]
        if len(positions) == 1:
            counts = self.error_counts
            return replace(counts, errors=counts.errors[..., positions[0]], trials=counts.trials[..., positions[0]])
        if len(positions) == 2:
            return self.pair(*models)
        codes = codes_of(self.wrong[:, positions]).tolist()
        return ErrorPatterns.from_codes(models, add_up((codes, self.counts)), as_accuracy=self.as_accuracy)

    def singles(self) -> ErrorCount:
        """Return the errors of each model, along the last dimension."""
        return self.error_counts

    def reduced(self) -> Evidence:
        """Return the paired table if there are two models."""
        return self.pair(*self.models) if len(self.models) == 2 else self

    def pairs(self, control: str | None = None) -> PairedTable:
        """Return the tables of all pairs of models (or all pairs with the control), along the last dimension."""
        first, second = pair_index(self.models, control).T
        wrong = self.wrong.astype(np.int64)
        together = np.einsum("...p,pi,pj->...ij", self.counts, wrong, wrong)[..., first, second]
        errors = self.error_counts.errors
        a, b = errors[..., first], errors[..., second]
        rest = self.examples[..., None] - a - b + together
        return PairedTable(together, a - together, b - together, rest, as_accuracy=self.as_accuracy)

    def traits(self) -> dict[str, Any]:
        """Return the answers to the questions of `advise` that the counts determine."""
        known = self.pairs().traits() | {"models": len(self.models)}
        return known | ({"counts": self.pair(*self.models)} if len(self.models) == 2 else {})

    def _pool_counts(self, other: Self) -> Self:
        parts = ((codes_of(part.wrong).tolist(), part.counts) for part in (self, other))
        return type(self).from_codes(self.models, add_up(*parts), as_accuracy=self.as_accuracy)

    def _notebook_table(self) -> Table:
        errors = zip(self.models, self.error_counts.errors.tolist(), self.rates.tolist(), strict=True)
        lines = [[name, str(count), f"{100 * rate:.4g}%"] for name, count, rate in errors]
        return f"ErrorPatterns: {self.describe()}", ["model", "errors", "error rate"], lines

    def describe(self) -> str:
        """Return a description of the observations."""
        if self.shape:
            return f"{len(self.models)} models in tables of shape {self.shape}"
        return count_text(int(self.examples), "example")


def _check_names(models: Sequence[str]) -> tuple[str, ...]:
    names = tuple(models)
    if isinstance(models, str) or not all(isinstance(name, str) for name in names):
        raise InvalidEvidence(f"`models` must be a list of names, got {models!r}.")
    if not 2 <= len(names) <= _MOST or len(set(names)) != len(names):
        raise InvalidEvidence(f"`models` must be 2 to {_MOST} different names, got {list_names(names) or 'none'}.")
    return names
