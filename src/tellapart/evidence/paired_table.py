"""Right and wrong of two classifiers on one test set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InvalidEvidence
from ..figures import count_text, short_names
from ..typing_ import FloatArray, IntArray
from .base import (
    DATA_WIDTH,
    SAME_SOURCE,
    TRAITS_OF_CLASSIFIERS,
    Evidence,
    OfTwo,
    Scope,
    Table,
    as_pair_of_names,
    plural,
    same,
    swap_names,
)
from .validation import LARGEST, as_counts, as_outcomes, count_pairs, matching_labels, of_one_shape

if TYPE_CHECKING:
    from .error_count import ErrorCount

CELLS = ("both_wrong", "only_a_wrong", "only_b_wrong", "both_right")


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)  # eq=False: arrays have no single ==
class PairedTable(OfTwo):
    """The number of examples on which both classifiers were wrong, only A, only B, and neither.

    The sufficient statistic of two error rates on one test set. `only_a_wrong` counts the examples that A
    got wrong and B right (Dietterich's n01), `only_b_wrong` those that B got wrong and A right (n10).

    Parameters
    ----------
    both_wrong, only_a_wrong, only_b_wrong, both_right
        One count each, or arrays that broadcast to one shape. Every table has an example.
    models
        The names of A and B.
    event
        The counted event. Default: "wrong".
    as_accuracy
        Whether answers report the accuracy, 1 − error.

    Examples
    --------
    >>> table = PairedTable(both_wrong=20, only_a_wrong=25, only_b_wrong=10, both_right=45)
    >>> table.difference
    np.float64(0.15)
    >>> table.disagreements, table.examples
    (np.int64(35), np.int64(100))
    >>> table + PairedTable(0, 1, 0, 9)
    PairedTable(both_wrong=20, only_a_wrong=26, only_b_wrong=10, both_right=54)
    """

    both_wrong: IntArray
    only_a_wrong: IntArray
    only_b_wrong: IntArray
    both_right: IntArray
    models: tuple[str, str]
    event: str  # the event that is counted as wrong
    as_accuracy: bool
    resampling_has_width: ClassVar = False
    # With a margin, the score test with the estimate constrained to the margin, and its interval.
    defaults: ClassVar = {"interval": "tango", "test": "mcnemar-mid-p", "margin": "tango"}
    summed = CELLS
    this_and_that = ("this table", "that one")
    _leader = "both_wrong"

    def __init__(
        self,
        both_wrong: ArrayLike,
        only_a_wrong: ArrayLike,
        only_b_wrong: ArrayLike,
        both_right: ArrayLike,
        *,
        models: tuple[str, str] = ("A", "B"),
        event: str = "wrong",
        as_accuracy: bool = False,
    ) -> None:
        named = zip(CELLS, (both_wrong, only_a_wrong, only_b_wrong, both_right), strict=True)
        cells = of_one_shape({name: as_counts(name, value) for name, value in named})
        total = cells[0] + cells[1] + cells[2] + cells[3]
        if total.min() < 1:
            raise InvalidEvidence("a table must hold at least one example, got four zeros. Leave it out.")
        if total.max() > LARGEST:
            raise InvalidEvidence(f"a table must hold at most 2**53 examples, got {total.max()}.")
        self._set_fields(
            **dict(zip(CELLS, cells, strict=True)),
            models=as_pair_of_names(models),
            event=event,
            as_accuracy=as_accuracy,
        )

    @classmethod
    def from_predictions(
        cls,
        truth: ArrayLike,
        predictions_a: ArrayLike,
        predictions_b: ArrayLike,
        *,
        models: tuple[str, str] = ("A", "B"),
    ) -> Self:
        """Return the counts from true labels and both classifiers' predictions; labels may be of any type.

        Examples
        --------
        >>> PairedTable.from_predictions(["cat", "dog", "dog"], ["cat", "cat", "dog"], ["cat", "dog", "dog"])
        PairedTable(both_wrong=0, only_a_wrong=1, only_b_wrong=0, both_right=2)
        """
        vectors = {"truth": truth, "predictions_a": predictions_a, "predictions_b": predictions_b}
        true, a, b = matching_labels(vectors)
        return cls._from_counts(*count_pairs(true, a, b), true.size, models)

    @classmethod
    def from_correct(cls, a: ArrayLike, b: ArrayLike, *, models: tuple[str, str] = ("A", "B")) -> Self:
        """Return the counts from right (True or 1) and wrong (False or 0) by example.

        Examples
        --------
        >>> PairedTable.from_correct(a=[True, False, True], b=[True, True, True])
        PairedTable(both_wrong=0, only_a_wrong=1, only_b_wrong=0, both_right=2)
        """
        right_a, right_b = as_outcomes("a", a), as_outcomes("b", b)
        if right_a.shape != right_b.shape:
            raise InvalidEvidence(
                f"`a` and `b` must have outcomes of the same examples, got {right_a.size} and {right_b.size}."
            )
        both = int(np.count_nonzero(right_a & right_b))
        return cls._from_counts(
            int(np.count_nonzero(right_a)), int(np.count_nonzero(right_b)), both, right_a.size, models
        )

    @classmethod
    def _from_counts(cls, right_a: int, right_b: int, both: int, examples: int, models: tuple[str, str]) -> Self:
        """Return the table from three counts of right answers."""
        cells = (examples - right_a - right_b + both, right_b - both, right_a - both, both)
        return cls(*cells, models=models, as_accuracy=True)

    @property
    def examples(self) -> IntArray:
        """The number of examples."""
        return self.both_wrong + self.only_a_wrong + self.only_b_wrong + self.both_right

    @property
    def disagreements(self) -> IntArray:
        """The number of discordant pairs: one classifier right, the other wrong (Yang's D)."""
        return self.only_a_wrong + self.only_b_wrong

    @property
    def size(self) -> IntArray:
        """The number of examples."""
        return self.examples

    @property
    def difference(self) -> FloatArray:
        """error(A) − error(B): positive if B is better."""
        return (self.only_a_wrong - self.only_b_wrong) / self.examples

    @property
    def essential_difference(self) -> FloatArray:
        """|b − c| / (b + c) of the discordant counts b and c, from 0 to 1 (Yang 2006, R_n); 0 if there are none."""
        net = np.abs(self.only_a_wrong - self.only_b_wrong)
        return np.where(self.disagreements == 0, 0.0, net / np.maximum(self.disagreements, 1))[()]

    def figures(self) -> dict[str, Any]:
        """Return the number of discordant pairs, and the essential difference."""
        return {"disagreements": self.disagreements, "essential_difference": self.essential_difference}

    @property
    def count_a(self) -> ErrorCount:
        """The errors of A alone."""
        return self._count_errors(self.both_wrong + self.only_a_wrong)

    @property
    def count_b(self) -> ErrorCount:
        """The errors of B alone."""
        return self._count_errors(self.both_wrong + self.only_b_wrong)

    def _count_errors(self, errors: IntArray) -> ErrorCount:
        from .error_count import ErrorCount  # noqa: PLC0415  # not needed by a comparison

        return ErrorCount(errors, self.examples, as_accuracy=self.as_accuracy)

    @property
    def sides(self) -> tuple[ErrorCount, ErrorCount]:
        """The errors of A, and those of B."""
        return self.count_a, self.count_b

    def swapped(self) -> Self:
        """Return the table with A and B swapped."""
        cells = (self.both_wrong, self.only_b_wrong, self.only_a_wrong, self.both_right)
        return type(self)(*cells, models=swap_names(self.models), event=self.event, as_accuracy=self.as_accuracy)

    def _refuse_unlike(self, other: Self) -> None:
        same("events", (self.event, ""), (other.event, ""))

    def _notebook_table(self) -> Table:
        a, b = self.models
        no = "right" if self.event == "wrong" else f"not {self.event}"
        caption = f"PairedTable: {self.examples} examples, {self.disagreements} discordant"
        lines = [
            [f"{a} {self.event}", str(self.both_wrong), str(self.only_a_wrong)],
            [f"{a} {no}", str(self.only_b_wrong), str(self.both_right)],
        ]
        return caption, ["", f"{b} {self.event}", f"{b} {no}"], lines

    def traits(self) -> dict[str, Any]:
        """Return the answers to the questions of `advise` that the counts determine."""
        examples, disagreements = int(np.min(self.examples)), int(np.min(self.disagreements))
        known = {"task": "choose", "models": 2, "test_sets": "one"}
        return TRAITS_OF_CLASSIFIERS | known | {"examples": examples, "disagreements": disagreements}

    def scope(self, method: str = "") -> Scope:
        """Return the scope of the answer."""
        if self.event == "wrong":
            return Evidence.scope(self, method)
        return Scope(f"how often each says '{self.event}'", SAME_SOURCE, "how often they are right")

    def data_row(self, lead: int = 0) -> str:
        """Return the numbers of examples and discordant pairs, those in favour of the leader first.

        Examples
        --------
        >>> PairedTable(11, 22, 4, 862, models=("old", "new")).data_row(lead=1)
        '899 examples, 26 discordant: 22 only old wrong, 4 only new wrong'
        """
        a, b = short_names(self.models).values()
        sides = [(self.only_a_wrong, a), (self.only_b_wrong, b)]  # only B wrong
        what = self.event
        if self.as_accuracy:
            sides, what = [(self.only_a_wrong, b), (self.only_b_wrong, a)], "right"
        first, second = sides if lead == 1 else sides[::-1]
        start = f"{count_text(int(self.examples), 'example')}, {int(self.disagreements):,} discordant: "
        start += f"{int(first[0]):,} only {first[1]} {what}, {int(second[0]):,} only {second[1]}"
        shorter = f"{start.removesuffix(f'only {second[1]}')}{second[1]}"
        return next((text for text in (f"{start} {what}", start) if len(text) <= DATA_WIDTH), shorter)

    def details(self) -> str:
        """Return all four counts."""
        return self.describe()

    def describe(self) -> str:
        """Return a description of the observations, with the name of each cell."""
        if self.shape:
            return f"{plural(self.both_wrong.size, 'table')} of paired outcomes"
        a, b = self.models
        yes, no, neither = (
            ("wrong", "right", "both right") if self.event == "wrong" else (self.event, "not", f"neither {self.event}")
        )
        return (
            f"{a} {yes}, {b} {no}: {self.only_a_wrong}; {a} {no}, {b} {yes}: {self.only_b_wrong};"
            f" both {yes}: {self.both_wrong}; {neither}: {self.both_right}"
        )
