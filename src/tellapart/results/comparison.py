"""By how much two errors differ, and how odd that would be if they were equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..shaped import Shaped
from ..typing_ import Alternative, BoolArray, FloatArray
from ..typing_ import Hypothesis as Kind
from .answer import Answer
from .interval import Interval
from .test_result import TestResult

if TYPE_CHECKING:
    from .practical import Practical
    from .simulated import Simulated


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hypothesis(Shaped):
    """What is tested: that two differ, or what is to be shown of a margin; of one model that it differs from a bar."""

    kind: Kind = "different"
    alternative: Alternative = "two-sided"
    margin: float = np.nan
    threshold: FloatArray | float = np.nan  # of one model
    _leader = "threshold"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Adjustment(Shaped):
    """P-values that allow for the number of comparisons, which decide; by which rule, and over which family."""

    method: str
    pvalue: FloatArray
    family: str = ""  # "6 comparisons"
    simulated: Simulated | None = None  # how small they can be, where the rule itself draws
    title: str = ""  # what readers know it by, where it is a procedure of its own
    reference: Any = ""  # who described it
    _leader = "pvalue"

    def __str__(self) -> str:
        return f"{self.method} over {self.family}" if self.family else self.method


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison(Answer, Shaped):
    """By how much error(A) exceeds error(B), and how odd that would be if they were equal.

    Against a threshold, A is the classifier and B the threshold; the interval is that of the
    classifier's error. With a margin the test is of the `hypothesis` named, and the interval is
    the one that decides it, at 1 − 2·alpha. Where there is an `adjustment`, its p-values decide.
    """

    difference: FloatArray
    interval: Interval
    test: TestResult
    hypothesis: Hypothesis = Hypothesis()
    adjustment: Adjustment | None = None
    _leader = "difference"

    @property
    def method(self) -> str:
        """The name of the test."""
        return self.test.method

    @property
    def alternative(self) -> Alternative:
        """Which way the test looks."""
        return self.hypothesis.alternative

    @property
    def margin(self) -> float:
        """The difference that would not matter; NaN where none was named."""
        return self.hypothesis.margin

    @property
    def against(self) -> FloatArray | float:
        """The threshold that one model is compared with."""
        return self.hypothesis.threshold

    @property
    def statistic(self) -> FloatArray:
        """The test's statistic."""
        return self.test.statistic

    @property
    def pvalue(self) -> FloatArray:
        """The test's p-value, by itself."""
        return self.test.pvalue

    @property
    def adjusted(self) -> FloatArray | None:
        """The p-values that allow for the number of comparisons."""
        return None if self.adjustment is None else self.adjustment.pvalue

    @property
    def simulated(self) -> Simulated | None:
        """How small a p-value its draws can give, where it is a share of draws."""
        return self.test.simulated

    @property
    def adjusted_simulated(self) -> Simulated | None:
        """The same for the adjusted p-value."""
        if self.adjustment is not None and self.adjustment.simulated is not None:
            return self.adjustment.simulated
        if self.simulated is None or self.adjusted is None:
            return None
        return self.simulated.adjusted(self.pvalue, self.adjusted)

    @property
    def practical(self) -> Practical | None:
        """The probabilities that A is better, that neither is in practice and that B is, where there is a posterior."""
        return self.test.practical

    @property
    def rejected(self) -> BoolArray:
        """Whether the test rejects at alpha: with a margin, whether the hypothesis is shown.

        Where p-values were adjusted for their number, the adjusted ones decide.
        """
        return self.test.rejected(self.alpha) if self.adjusted is None else self.adjusted < self.alpha

    @property
    def only_chooses(self) -> bool:
        """Whether the method is a rule that chooses one of the two, without a p-value."""
        return self.test.chooses is not None and bool(np.isnan(self.pvalue).all())

    @property
    def leader(self) -> Any:
        """Say for whom the test speaks, whether it rejects or not: "A" or "B"; None where it speaks for neither."""
        favours: Any = self.test.chooses
        if favours is None:
            favours = np.sign(self.difference)
            if self.alternative != "two-sided":  # what is tested is told, whatever came out
                favours = -1 if self.alternative == "less" else 1
        if not self.shape:
            return "A" if favours < 0 else "B" if favours > 0 else None
        leader: Any = np.full(self.shape, None, dtype=object)
        leader[np.broadcast_to(favours, self.shape) < 0] = "A"
        leader[np.broadcast_to(favours, self.shape) > 0] = "B"
        return leader

    @property
    def better(self) -> Any:
        """Say "A" or "B" where the test rejects at alpha, else None; an array of them for many entries.

        That B is not worse by more than a margin, or equivalent, does not say who is better, nor does a
        comparison of something else than errors: None.
        """
        undecided = self.hypothesis.kind in {"non-inferior", "equivalent"} or self.evidence.event != "wrong"
        if not self.shape:
            return self.leader if self.rejected and not undecided else None
        winner = self.leader
        winner[~self.rejected | undecided] = None  # NaN decides nothing
        return winner
