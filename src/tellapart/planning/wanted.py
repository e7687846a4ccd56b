"""What is wanted of a plan, and its answer: whatever was left open is solved for, in every setting alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import InvalidOption
from ..typing_ import Alternative, Hypothesis
from .planned import Planned, Solved, amount
from .settings.setting import Setting
from .solving import MOST, difference_for, power_by_formula, size_for


@dataclass(frozen=True, slots=True)
class Clusters:
    """By how much examples that go together count for less.

    Examples
    --------
    >>> Clusters(effect=1.9, size=10).sizes(100)
    190
    """

    effect: float = 1.0
    size: float = math.nan

    def sizes(self, independent: float) -> float:
        """Return how many examples are worth so many independent ones, in whole clusters."""
        if not math.isfinite(independent):
            return independent
        needed = math.ceil(independent * self.effect - 1e-9)
        return needed if math.isnan(self.size) else math.ceil(math.ceil(needed / self.size - 1e-9) * self.size)

    @property
    def references(self) -> tuple[str, ...]:
        """Who described what clusters do."""
        return () if self.effect == 1 else ("kish1965",)

    def worth(self, examples: int) -> int:
        """Return how many independent examples so many are worth; one at least."""
        return max(math.floor(examples / self.effect + 1e-9), 1)


ALONE = Clusters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What was given: two of size, power and difference; and what is to be shown at which alpha."""

    size: int | None = None
    power: float | None = None
    difference: float | None = None
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    hypothesis: Hypothesis = "different"
    margin: float = 0.0
    clusters: Clusters = ALONE
    models: tuple[str, str] = ("A", "B")
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def solved(self) -> Solved:
        """What was left open."""
        given = {"size": self.size, "power": self.power, "difference": self.difference}
        left: list[Any] = [name for name, value in given.items() if value is None]
        if len(left) != 1:
            raise InvalidOption(_LEFT_OPEN.format("all three were" if not left else "only one was"))
        found: Solved = left[0]
        return found


_LEFT_OPEN = (
    "of examples, power and difference two are given and the third is what a plan finds, but {} given. For a number of"
    " examples write difference=0.01, power=0.8; for the smallest difference that shows examples=2000, power=0.8; for"
    " the power examples=2000, difference=0.01."
)


def answer(
    setting: Setting,
    wanted: Wanted,
    *,
    method: str,
    shows: str | None = None,
    truth: Callable[[float], str] | None = None,
    of: str = "error(A) - error(B)",
    **facts: Any,
) -> Planned:
    """Return the plan for a setting: the power, the size or the difference that was left open.

    Parameters
    ----------
    setting
        What knows the power.
    wanted
        What was given.
    method
        The test's name.
    shows, truth
        What the test shows, and what has to be true for that, given the difference; told by the hypothesis if left out.
    of
        What the difference is, for whoever names one at which there is nothing to show.
    facts
        Further fields of the plan: `formula_name`, `references`, `notes`, `points`.
    """
    points = bool(facts.get("points", True))
    facts["references"] = (*facts.get("references", ()), *wanted.clusters.references)
    _refuse_nothing(wanted, of, shows or shown(wanted, points=points))
    tell = truth or (lambda difference: true(wanted, difference, points=points))
    size, power, difference, formula = _SOLVERS[wanted.solved](setting, wanted)
    return Planned(
        solved=wanted.solved,
        unit=setting.unit,
        size=size,
        power=power,
        difference=difference,
        target=math.nan if wanted.power is None else wanted.power,
        formula=formula,
        method=method,
        alpha=wanted.alpha,
        alternative=wanted.alternative,
        hypothesis=wanted.hypothesis,
        margin=wanted.margin,
        shows=shows or shown(wanted, points=points),
        truth=tell(difference) if math.isfinite(difference) else "",
        about=setting.describe(),
        design_effect=wanted.clusters.effect,
        cluster_size=wanted.clusters.size,
        setting=setting,
        **facts,
    )


def _size(setting: Setting, wanted: Wanted) -> tuple[float, float, float, float]:
    power, difference = _known(wanted.power), _known(wanted.difference)
    enough = size_for(setting, power, difference)
    reached = float(setting.power(min(enough, MOST), difference))
    # Where nothing varies at all, a formula that knows of nothing else asks for no examples: that is none.
    formula = setting.approximate(power, difference) * wanted.clusters.effect or math.nan
    return wanted.clusters.sizes(enough), reached, difference, formula


def _power(setting: Setting, wanted: Wanted) -> tuple[float, float, float, float]:
    size, difference = int(_known(wanted.size)), _known(wanted.difference)
    worth = wanted.clusters.worth(size)
    found = float(setting.power(worth, difference))
    return size, found, difference, power_by_formula(setting, size / wanted.clusters.effect, difference)


def _difference(setting: Setting, wanted: Wanted) -> tuple[float, float, float, float]:
    size, power = int(_known(wanted.size)), _known(wanted.power)
    worth = wanted.clusters.worth(size)
    found = difference_for(setting, worth, power)
    reached = float(setting.power(worth, found if math.isfinite(found) else setting.most))
    if wanted.hypothesis == "equivalent":  # it may be as large as this on either side
        other = difference_for(setting, worth, power, least=-setting.least)
        found = min(abs(found), abs(other))
    return size, reached, found, math.nan


_SOLVERS = {"size": _size, "power": _power, "difference": _difference}


def _known(value: float | None) -> float:
    assert value is not None  # noqa: S101  # `solved` has looked
    return value


def _refuse_nothing(wanted: Wanted, of: str, shows: str) -> None:
    """Refuse a difference at which there is nothing to show: no number of examples would."""
    step = wanted.difference
    if step is None or wanted.solved != "size":
        return
    nothing = {
        "different": step == 0 or step * {"two-sided": step, "greater": 1, "less": -1}[wanted.alternative] < 0,
        "non-inferior": step <= -wanted.margin,
        "superior": step <= wanted.margin,
        "equivalent": abs(step) >= wanted.margin,
    }[wanted.hypothesis]
    if nothing:
        raise InvalidOption(
            f"at a true difference of {step:g} there is nothing to see, however many there are: the difference is {of},"
            f" and what is to be shown is {shows}. Plan for one that would be worth seeing."
        )


def shown(wanted: Wanted, *, points: bool = True) -> str:
    """Say what is to be shown.

    Examples
    --------
    >>> shown(Wanted(hypothesis="non-inferior", margin=0.01))
    'that B is at most 1 point worse'
    """
    a, b = wanted.models
    margin = amount(wanted.margin, points)
    if wanted.hypothesis == "different":
        return {"two-sided": "a difference", "greater": f"that {b} is better", "less": f"that {a} is better"}[
            wanted.alternative
        ]
    return {
        "non-inferior": f"that {b} is at most {margin} worse",
        "superior": f"that {b} is better by more than {margin}",
        "equivalent": f"that the two differ by less than {margin}",
    }[wanted.hypothesis]


def true(wanted: Wanted, difference: float, *, points: bool = True, sided: bool = False) -> str:
    """Say what has to be true; `sided` where it matters which of the two is better, though the test looks both ways.

    Examples
    --------
    >>> true(Wanted(), -0.01), true(Wanted(hypothesis="non-inferior"), 0.0)
    ('the two really differ by 1 point', 'both really are equally good')
    """
    if difference == 0:
        return "both really are equally good"
    size = amount(abs(difference), points)
    if wanted.hypothesis in {"different", "equivalent"} and wanted.alternative == "two-sided" and not sided:
        return f"the two really differ by {size}"
    _, b = wanted.models
    return f"{b} really is {'better' if difference > 0 else 'worse'} by {size}"
