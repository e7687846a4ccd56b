"""The options of a call of a verb, and errors for options that do not apply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import Evidence
from ..typing_ import Adjustment as AdjustmentRule
from ..typing_ import Alternative, Hypothesis, Side, as_alpha, describe_choice, one_of, open_unit, show_value

Adjust = Literal["max-t", AdjustmentRule]  # how p-values are adjusted for multiple comparisons
RULES: tuple[str, ...] = ("max-t", *get_args(AdjustmentRule))
_MOST_LOOKS = 2**53
_SIDES: dict[str, Side] = {"two-sided": "two", "less": "upper", "greater": "lower"}

# The errors for keywords that do not apply.
_DOES_NOT_APPLY = {
    "against": "`against` needs one ErrorCount, as it is a threshold. For two models use margin=0.01.",
    "margin": "`margin` needs two models. Use learners=('a', 'b').",
    "hypothesis": "`hypothesis` needs two models. Use learners=('a', 'b').",
    "adjust": "`adjust` needs several comparisons, got one of two models on one test set. Leave it out.",
    "looks": "`looks` needs two models or more. Leave it out.",
    "control": "`control` needs a table of scores on many data sets. Use learners=('a', 'b').",
    "difference": "`difference` needs a table of scores on many data sets."
    " Use plan(evidence, difference=0.01, power=0.8).",
}
Missing = Literal["fail", "wrong", "drop"]
_FOR_TWO = ("margin", "hypothesis", "adjust", "looks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of a call, for any kind of evidence."""

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
    missing: str = "fail"
    by_example: bool = False  # whether counts are not sufficient, as for groups
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls, *, level: float | None, alpha: float | None, learners: Sequence[str] | None = None, **keywords: Any
    ) -> Request:
        """Return the request; raise InvalidOption for values that are invalid for any evidence."""
        if isinstance(learners, str) or (learners is not None and len(learners) == 0):
            raise InvalidOption(
                f"`learners` must be a list of names, got {learners!r}. For example: learners=('forest', 'stump')."
            )
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
        if request.missing == "refuse":  # deprecated alias
            return replace(request, missing="fail")
        one_of("missing", request.missing, Missing)
        return request

    @property
    def interval_side(self) -> Side:
        """The side of the interval for the alternative."""
        return _SIDES[self.alternative]

    def require_threshold(self, evidence: Evidence) -> None:
        """Raise an error if there is one model, unless it is an error count with a threshold."""
        if self.against is None and self.learners is not None:
            raise InvalidOption(f"`learners` must be two or more to compare, got {self.learners!r}.")
        if self.against is None:
            raise (InvalidOption if "against" in evidence.accepts else InvalidEvidence)(evidence.reason_for_two)
        if "against" not in evidence.reduced().accepts:
            raise InvalidOption(
                f"`against` needs an ErrorCount, got {type(evidence).__name__}. Use estimate(evidence, metric=...) and"
                " compare"
                " its interval with the threshold."
            )

    def check(self, evidence: Evidence) -> None:
        """Raise InvalidOption for a keyword that the evidence does not accept."""
        alone, several = len(evidence.models) == 1, evidence.shape or len(evidence.models) > 2
        accepts = evidence.accepts | {"adjust"} if several else evidence.accepts
        for name, message in _DOES_NOT_APPLY.items():
            value = getattr(self, name)
            if (value if name == "looks" else value is not None) and name not in accepts:
                of_one = f"`{name}` needs two models, got one error count with a threshold. Leave it out."
                raise InvalidOption(of_one if alone and name in _FOR_TWO else message)
        if self.control is not None and self.control not in evidence.models:
            raise InvalidOption(describe_choice("control", self.control, evidence.models))
        if "side" in self.options:
            raise InvalidOption(
                "`side` is an option of estimate(). Use alternative='less' for an upper bound, alternative='greater'"
                " for a lower."
            )

    def as_margin(self, *, bounds: tuple[float, float]) -> float:
        """Return the margin; raise InvalidOption if it, or an option with it, is invalid.

        Parameters
        ----------
        bounds
            The bounds of the difference.
        """
        if one_of("hypothesis", self.hypothesis or "non-inferior", Hypothesis) == "different":
            raise InvalidOption(
                "`hypothesis` must be 'non-inferior', 'superior' or 'equivalent' with a margin, got 'different'."
            )
        if self.alternative != "two-sided":
            raise InvalidOption(
                f"`alternative` must be left out with a margin, got {self.alternative!r}. Use `hypothesis` instead."
            )
        if self.alpha >= 0.5:
            raise InvalidOption(
                f"`alpha` must be below 0.5 with a margin, as the interval has level 1 - 2 alpha, got {self.alpha}."
            )
        if bounds == (-1.0, 1.0):
            return open_unit("margin", self.margin, "For 1 pp use 0.01.", least=0.0)
        number = isinstance(self.margin, int | float | np.number) and not isinstance(self.margin, bool)
        if not (number and 0 < self.margin < np.inf):
            raise InvalidOption(f"`margin` must be a number above 0 in units of the metric, got {self.margin!r}.")
        return float(self.margin)


def as_count(name: str, value: Any) -> int:
    """Return a whole number of 0 or more; raise InvalidOption for anything else."""
    if isinstance(value, bool) or not (isinstance(value, int | np.integer) and 0 <= value <= _MOST_LOOKS):
        raise InvalidOption(f"`{name}` must be a whole number of 0 or more, got {show_value(value)}.")
    return int(value)


def as_rule(adjust: Any) -> Adjust:
    """Return an adjustment method; raise InvalidOption if it is unknown."""
    rule: Adjust = one_of("adjust", adjust, Adjust)
    return rule


def adjusts_pvalues(rule: str) -> bool:
    """Return whether a rule adjusts p-values; "max-t" compares all pairs by resampling instead."""
    return rule in get_args(AdjustmentRule)
