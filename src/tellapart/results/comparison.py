"""The comparison of two models, or of one with a threshold: difference, interval and test."""

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
    """The tested hypothesis: a difference, a claim about a margin, or a difference from a threshold."""

    kind: Kind = "different"
    alternative: Alternative = "two-sided"
    margin: float = np.nan
    threshold: FloatArray | float = np.nan  # for one model
    _leader = "threshold"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Adjustment(Shaped):
    """P-values that are adjusted for multiple comparisons, with the rule and the family; they decide."""

    method: str
    pvalue: FloatArray
    family: str = ""  # "6 comparisons"
    simulated: Simulated | None = None  # if the rule itself resamples
    title: str = ""  # the title in output, if it is a method for all pairs
    reference: Any = ""  # its source
    _leader = "pvalue"

    def __str__(self) -> str:
        return f"{self.method} over {self.family}" if self.family else self.method


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Comparison(Answer, Shaped):
    """The difference error(A) − error(B), with its interval and test.

    With a threshold, A is the classifier and B the threshold, and the interval is that of the error of the classifier.
    With a margin the test is of the `hypothesis`, and the interval has the level 1 − 2·alpha that agrees with it. If
    there is an `adjustment`, its p-values decide.
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
        """The alternative of the test: "two-sided", "greater" or "less"."""
        return self.hypothesis.alternative

    @property
    def margin(self) -> float:
        """The margin; NaN if there is none."""
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
        """The unadjusted p-value of the test."""
        return self.test.pvalue

    @property
    def adjusted(self) -> FloatArray | None:
        """The p-values that are adjusted for multiple comparisons; None if there is no adjustment."""
        return None if self.adjustment is None else self.adjustment.pvalue

    @property
    def simulated(self) -> Simulated | None:
        """The number of draws behind the p-value, and the smallest attainable one; None if it is exact."""
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
        """The posterior probabilities that A is better, that both are practically equivalent, and that B is better."""
        return self.test.practical

    @property
    def rejected(self) -> BoolArray:
        """Whether the test rejects at alpha; with a margin, whether the hypothesis is demonstrated.

        Adjusted p-values decide, if there are any.
        """
        return self.test.rejected(self.alpha) if self.adjusted is None else self.adjusted < self.alpha

    @property
    def only_chooses(self) -> bool:
        """Whether the method is a rule that chooses one of the two, without a p-value."""
        return self.test.chooses is not None and bool(np.isnan(self.pvalue).all())

    @property
    def leader(self) -> Any:
        """The model that the test favours, whether it rejects or not: "A", "B", or None for neither."""
        favours: Any = self.test.chooses
        if favours is None:
            favours = np.sign(self.difference)
            if self.alternative != "two-sided":  # the tested direction
                favours = -1 if self.alternative == "less" else 1
        if not self.shape:
            return "A" if favours < 0 else "B" if favours > 0 else None
        leader: Any = np.full(self.shape, None, dtype=object)
        leader[np.broadcast_to(favours, self.shape) < 0] = "A"
        leader[np.broadcast_to(favours, self.shape) > 0] = "B"
        return leader

    @property
    def better(self) -> Any:
        """The better model if the test rejects at alpha, "A" or "B", else None; an array of them for many entries.

        Non-inferiority and equivalence do not say which model is better, and neither does a comparison of other events
        than errors: None.
        """
        undecided = self.hypothesis.kind in {"non-inferior", "equivalent"} or self.evidence.event != "wrong"
        if not self.shape:
            return self.leader if self.rejected and not undecided else None
        winner = self.leader
        winner[~self.rejected | undecided] = None  # NaN never rejects
        return winner
