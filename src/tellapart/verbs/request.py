"""What the caller of a verb asks for, and the one refusal of what does not apply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import Evidence
from ..typing_ import Adjustment as AdjustmentRule
from ..typing_ import Alternative, Hypothesis, Side, as_alpha, one_of, open_unit

Adjust = Literal["max-t", AdjustmentRule]  # how p-values allow for the number of comparisons
RULES: tuple[str, ...] = ("max-t", *get_args(AdjustmentRule))
_MOST_LOOKS = 2**53
_SIDES: dict[str, Side] = {"two-sided": "two", "less": "upper", "greater": "lower"}

# What to say where a keyword does not apply.
_DOES_NOT_APPLY = {
    "against": "against is a threshold for one ErrorCount. For two models or learners write margin= instead.",
    "margin": "margin is for two models. Take them out: learners=('a', 'b') (--learner a --learner b), or pair(a, b).",
    "hypothesis": "hypothesis is for two models. Take them out: learners=('a', 'b'), or pair(a, b).",
    "adjust": "adjust is for several comparisons; two models on one test set are one.",
    "looks": "looks is for two models or more.",
    "control": "control is for a table of scores, learners over many data sets. Name the learners that you compare:"
    " learners=('a', 'b').",
    "difference": "difference is for a table of scores, learners over many data sets. Plan for one: plan(evidence,"
    " difference=0.01, power=0.8).",
}
_FOR_TWO = ("margin", "hypothesis", "adjust", "looks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the caller asks for, whatever the evidence is."""

    method: str | None = None
    interval: str | None = None
    level: float | None = None
    alpha: float = 0.05
    side: Side = "two"
    alternative: Alternative = "two-sided"
    hypothesis: Hypothesis | None = None
    margin: Any = None
    against: Any = None
    adjust: Adjust | None = None
    control: str | None = None
    learners: tuple[str, ...] | None = None
    looks: int = 0
    difference: float | None = None
    metric: Any = None
    positive: Any = None
    costs: Any = None
    missing: str = "refuse"
    by_example: bool = False  # whether counts would lose what is asked about, such as groups
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls, *, level: float | None, alpha: float | None, learners: Sequence[str] | None = None, **keywords: Any
    ) -> Request:
        """Return the request, or raise InvalidOption for what cannot be asked of any evidence."""
        if isinstance(learners, str) or (learners is not None and len(learners) == 0):
            raise InvalidOption(f"learners must be names, such as ('forest', 'stump'), but is {learners!r}.")
        request = cls(
            level=level,
            alpha=as_alpha(level, alpha),
            learners=None if learners is None else tuple(learners),
            **keywords,
        )
        one_of("alternative", request.alternative, Alternative)
        one_of("side", request.side, Side)
        if request.hypothesis is not None:
            one_of("hypothesis", request.hypothesis, Hypothesis)
        as_count("looks", request.looks)
        return request

    @property
    def interval_side(self) -> Side:
        """The side of the interval that goes with the alternative."""
        return _SIDES[self.alternative]

    def require_threshold(self, evidence: Evidence) -> None:
        """Raise for one model, unless it is an error count and a threshold is given."""
        if self.against is None and self.learners is not None:
            raise InvalidOption(f"learners must be two or more to compare, but is {self.learners!r}.")
        if self.against is None:
            raise (InvalidOption if "against" in evidence.accepts else InvalidEvidence)(evidence.reason_for_two)
        if "against" not in evidence.reduced().accepts:
            raise InvalidOption(
                f"against is a threshold of the error rate, for one ErrorCount, but this is {type(evidence).__name__}."
                " Take estimate(evidence, metric=...) and look on which side of it the interval lies."
            )

    def check(self, evidence: Evidence) -> None:
        """Raise InvalidOption for a keyword that such evidence does not take: nothing is passed over in silence."""
        alone, several = len(evidence.models) == 1, evidence.shape or len(evidence.models) > 2
        accepts = evidence.accepts | {"adjust"} if several else evidence.accepts
        for name, message in _DOES_NOT_APPLY.items():
            value = getattr(self, name)
            if (value if name == "looks" else value is not None) and name not in accepts:
                of_one = f"{name} is for two models, but this is one error count and a threshold."
                raise InvalidOption(of_one if alone and name in _FOR_TWO else message)
        if self.control is not None and self.control not in evidence.models:
            raise InvalidOption(f"control must be one of {', '.join(evidence.models)}, but is {self.control!r}.")
        if "side" in self.options:
            raise InvalidOption(
                "side is not an option of compare. Write alternative='less' for an upper bound, 'greater' for a lower."
            )

    def as_margin(self, *, bounds: tuple[float, float]) -> float:
        """Return the margin, or raise InvalidOption for what does not go with one.

        Parameters
        ----------
        bounds
            Between what the difference must lie: a margin that is no difference there can be is refused.
        """
        if one_of("hypothesis", self.hypothesis or "non-inferior", Hypothesis) == "different":
            raise InvalidOption(
                "hypothesis='different' takes no margin. Write 'non-inferior', 'superior' or 'equivalent'."
            )
        if self.alternative != "two-sided":
            raise InvalidOption("alternative is told by the hypothesis where there is a margin. Leave it out.")
        if self.alpha >= 0.5:
            raise InvalidOption(
                f"alpha must be below 0.5 with a margin (its interval has 1 - 2 alpha), but is {self.alpha}."
            )
        if bounds == (-1.0, 1.0):
            return open_unit("margin", self.margin, "For 1 pp use 0.01.", least=0.0)
        number = isinstance(self.margin, int | float | np.number) and not isinstance(self.margin, bool)
        if not (number and 0 < self.margin < np.inf):
            raise InvalidOption(f"margin must be a number above 0, in units of the metric, but is {self.margin!r}.")
        return float(self.margin)


def as_count(name: str, value: Any) -> int:
    """Return a whole number, 0 or more, or raise InvalidOption."""
    if isinstance(value, bool) or not (isinstance(value, int | np.integer) and 0 <= value <= _MOST_LOOKS):
        raise InvalidOption(f"{name} must be a whole number, 0 or more, but is {value!r}.")
    return int(value)


def as_rule(adjust: Any) -> Adjust:
    """Return a rule of adjustment, or raise InvalidOption with those there are."""
    rule: Adjust = one_of("adjust", adjust, Adjust)
    return rule


def adjusts_pvalues(rule: str) -> bool:
    """Return whether a rule adjusts the p-values of pairs; another one compares all pairs at once by its own method."""
    return rule in get_args(AdjustmentRule)
