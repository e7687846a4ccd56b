"""The target of a plan, and the solver for the open quantity: size, power or difference, in every setting."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import InvalidOption
from ..typing_ import Alternative, Hypothesis
from .plan_wording import format_amount
from .planned import Planned, Solved
from .settings.setting import Setting
from .solving import MOST, difference_for, power_by_formula, size_for


@dataclass(frozen=True, slots=True)
class Clusters:
    """The design effect of clustered examples.

    Examples
    --------
    >>> Clusters(effect=1.9, size=10).sizes(100)
    190
    """

    effect: float = 1.0
    size: float = math.nan

    def sizes(self, independent: float) -> float:
        """Return the number of clustered examples equivalent to independent ones, in whole clusters."""
        if not math.isfinite(independent):
            return independent
        needed = math.ceil(independent * self.effect - 1e-9)
        return needed if math.isnan(self.size) else math.ceil(math.ceil(needed / self.size - 1e-9) * self.size)

    @property
    def references(self) -> tuple[str, ...]:
        """Keys of the references for the design effect."""
        return () if self.effect == 1 else ("kish1965",)

    def effective_sample_size(self, examples: int) -> int:
        """Return the effective sample size; at least 1."""
        return max(math.floor(examples / self.effect + 1e-9), 1)


NO_CLUSTERS = Clusters()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTarget:
    """Two of size, power and difference, and the hypothesis, alternative and alpha of the test."""

    size: int | None = None
    power: float | None = None
    difference: float | None = None
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    hypothesis: Hypothesis = "different"
    margin: float = 0.0
    clusters: Clusters = NO_CLUSTERS
    models: tuple[str, str] = ("A", "B")
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def solved(self) -> Solved:
        """The quantity to be computed: size, power or difference."""
        chosen = {"size": self.size, "power": self.power, "difference": self.difference}
        missing: list[Any] = [name for name, value in chosen.items() if value is None]
        if len(missing) != 1:
            raise InvalidOption(_TWO_OF_THREE.format("all three" if not missing else "only one"))
        solved: Solved = missing[0]
        return solved


_TWO_OF_THREE = (
    "two of `examples`, `power` and `difference` must be set, got {}. For a sample size use difference=0.01 power=0.8,"
    " for the power examples=2000 difference=0.01, for the smallest detectable difference examples=2000 power=0.8."
)


def solve_plan(
    setting: Setting,
    target: PlanTarget,
    *,
    method: str,
    shows: str | None = None,
    truth: Callable[[float], str] | None = None,
    sided: bool = False,
    quantity: str = "error(A) - error(B)",
    **facts: Any,
) -> Planned:
    """Return the plan for a setting, with the power, the size or the difference that was not set.

    Parameters
    ----------
    setting
        Computes the power.
    target
        Two of size, power and difference, and the hypothesis.
    method
        Name of the test.
    shows, truth
        The claim of the test, and the assumed truth at a difference. Default: by the hypothesis.
    sided
        Whether a two-sided test has different power for a better and for a worse B.
    quantity
        The parameter, such as error(A) - error(B).
    facts
        Further fields of the plan: `formula_name`, `references`, `notes`, `points`.
    """
    points = bool(facts.get("points", True))
    facts["references"] = (*facts.get("references", ()), *target.clusters.references)
    _refuse_null_difference(target, quantity, shows or describe_claim(target, points=points))
    describe = truth or (lambda difference: describe_truth(target, difference, points=points, sided=sided))
    size, power, difference, formula = _SOLVERS[target.solved](setting, target)
    usual = shows is None and truth is None and target.hypothesis == "different"
    return Planned(
        solved=target.solved,
        unit=setting.unit,
        size=size,
        power=power,
        difference=difference,
        target=math.nan if target.power is None else target.power,
        formula=formula,
        method=method,
        alpha=target.alpha,
        alternative=target.alternative,
        hypothesis=target.hypothesis,
        margin=target.margin,
        shows=shows or describe_claim(target, points=points),
        truth=describe(difference) if math.isfinite(difference) else "",
        effect=describe_effect(target, difference, points=points, sided=sided) if usual else "",
        quantity=quantity,
        basis=setting.basis,
        about=setting.describe(),
        design_effect=target.clusters.effect,
        cluster_size=target.clusters.size,
        setting=setting,
        **facts,
    )


def _solve_size(setting: Setting, target: PlanTarget) -> tuple[float, float, float, float]:
    power, difference = _require(target.power), _require(target.difference)
    enough = size_for(setting, power, difference)
    reached = float(setting.power(min(enough, MOST), difference))
    # Without variance the formula gives 0 examples, which is not an answer.
    formula = setting.approximate(power, difference) * target.clusters.effect or math.nan
    return target.clusters.sizes(enough), reached, difference, formula


def _solve_power(setting: Setting, target: PlanTarget) -> tuple[float, float, float, float]:
    size, difference = int(_require(target.size)), _require(target.difference)
    effective = target.clusters.effective_sample_size(size)
    power = float(setting.power(effective, difference))
    return size, power, difference, power_by_formula(setting, size / target.clusters.effect, difference)


def _solve_difference(setting: Setting, target: PlanTarget) -> tuple[float, float, float, float]:
    size, power = int(_require(target.size)), _require(target.power)
    effective = target.clusters.effective_sample_size(size)
    difference = difference_for(setting, effective, power)
    reached = float(setting.power(effective, difference if math.isfinite(difference) else setting.most))
    if target.hypothesis == "equivalent":  # the difference may be on either side
        opposite = difference_for(setting, effective, power, least=-setting.least)
        difference = min(abs(difference), abs(opposite))
    return size, reached, difference, math.nan


_SOLVERS = {"size": _solve_size, "power": _solve_power, "difference": _solve_difference}


def _require(value: float | None) -> float:
    assert value is not None  # noqa: S101  # checked by `solved`
    return value


def _refuse_null_difference(target: PlanTarget, quantity: str, shows: str) -> None:
    """Raise InvalidOption for a difference under the null hypothesis, which no size detects."""
    step = target.difference
    if step is None or target.solved != "size":
        return
    is_null = {
        "different": step == 0 or step * {"two-sided": step, "greater": 1, "less": -1}[target.alternative] < 0,
        "non-inferior": step <= -target.margin,
        "superior": step <= target.margin,
        "equivalent": abs(step) >= target.margin,
    }[target.hypothesis]
    if is_null:
        raise InvalidOption(
            f"`difference` must be one at which the test can show {shows}, got {step:g}. It is {quantity}; use one that"
            " would matter."
        )


def describe_claim(target: PlanTarget, *, points: bool = True) -> str:
    """Return the claim of the test.

    Examples
    --------
    >>> describe_claim(PlanTarget(hypothesis="non-inferior", margin=0.01))
    'that B is at most 1 pp worse'
    """
    a, b = target.models
    margin = format_amount(target.margin, points)
    if target.hypothesis == "different":
        return {"two-sided": "a difference", "greater": f"that {b} is better", "less": f"that {a} is better"}[
            target.alternative
        ]
    return {
        "non-inferior": f"that {b} is at most {margin} worse",
        "superior": f"that {b} is better by more than {margin}",
        "equivalent": f"that {a} and {b} differ by less than {margin}",
    }[target.hypothesis]


def describe_truth(target: PlanTarget, difference: float, *, points: bool = True, sided: bool = False) -> str:
    """Return the assumed truth; with `sided` also which model is better if the test is two-sided.

    Examples
    --------
    >>> describe_truth(PlanTarget(), -0.01), describe_truth(PlanTarget(hypothesis="non-inferior"), 0.0)
    ('A and B differ by 1 pp', 'both are equal')
    """
    if difference == 0:
        return "both are equal"
    a, b = target.models
    size = format_amount(abs(difference), points)
    if target.hypothesis == "equivalent" and target.solved == "difference":
        return f"{a} and {b} differ by at most {size}"
    if target.hypothesis in {"different", "equivalent"} and target.alternative == "two-sided" and not sided:
        return f"{a} and {b} differ by {size}"
    return f"{b} is {'better' if difference > 0 else 'worse'} by {size}"


def describe_effect(target: PlanTarget, difference: float, *, points: bool = True, sided: bool = False) -> str:
    """Return the difference that is detected, with its size.

    Examples
    --------
    >>> describe_effect(PlanTarget(), -0.01), describe_effect(PlanTarget(alternative="greater"), 0.01)
    ('a difference of 1 pp', 'that B is better by 1 pp')
    """
    if not math.isfinite(difference) or difference == 0:
        return ""
    if target.alternative == "two-sided" and not sided:
        return f"a difference of {format_amount(abs(difference), points)}"
    return f"that {describe_truth(target, difference, points=points, sided=sided)}"
