"""Options of plans for learners: the standard deviation of the difference, and the units it refers to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..errors import InvalidOption
from ..evidence.plan import Plan, as_plan
from ..figures import join_names
from ..typing_ import LARGEST_SIZE, LEAST_SIZE, as_real, one_of, show_value
from .plan_target import PlanTarget
from .solving import MOST

Over = Literal["examples", "splits", "training sets", "data sets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Varying:
    """The standard deviation of the difference, and the units it refers to.

    Parameters
    ----------
    sd
        Standard deviation of the difference between splits, training sets, data sets or examples.
    sd_a, sd_b, epochs
        For repeated scores of examples: standard deviation of the scores of A, and of B, on one example, and the number
        of epochs; one number, or one for A and one for B. Then `sd` is that between examples.
    over
        The units of `sd`: "examples", "splits", "training-sets" or "data-sets".
    plan
        Cross-validation design: "10-fold" leaves the number of repeats open, "10x10" and "30x(2/3)" fix it.
    training_sets, data_sets
        Their number.
    wins
        Probability that B wins on a data set, for the sign test.

    Examples
    --------
    >>> Varying(sd=0.03, plan="10-fold").repeated, Varying(sd=0.03, plan="10x10").repeated
    (False, True)
    """

    sd: float | None = None
    sd_a: float | None = None
    sd_b: float | None = None
    epochs: int | tuple[int, int] | None = None
    over: Over | None = None
    plan: Plan | str | None = None
    training_sets: int | None = None
    data_sets: int | None = None
    wins: float | None = None

    @property
    def is_set(self) -> bool:
        """Whether any option is set."""
        return any(getattr(self, name) is not None for name in self.__slots__)

    @property
    def repeated(self) -> bool:
        """Whether the design fixes the number of repeats: "10-fold" and "holdout" leave it open, "1x10" does not."""
        if self.plan is None:
            return False
        plan = as_plan(self.plan)
        open_ended = plan.name.endswith("-fold") or plan.name.startswith(("holdout", "independent"))
        return plan.replicates > 1 or not open_ended


def resolve_over(varying: Varying) -> Over:
    """Return the units of the differences, as set or as the other options imply.

    Examples
    --------
    >>> resolve_over(Varying(sd=0.03, plan="10x10")), resolve_over(Varying(wins=0.7))
    ('splits', 'data sets')
    """
    if varying.over is not None:
        one_of("over", varying.over, Over)
    implied: dict[str, Over] = {}
    if varying.plan is not None:
        independent = as_plan(varying.plan).kind == "independent"
        implied["plan"] = "training sets" if independent else "splits"
    if varying.training_sets is not None:
        implied["training_sets"] = "training sets"
    for name in ("data_sets", "wins"):
        if getattr(varying, name) is not None:
            implied[name] = "data sets"
    for name in ("sd_a", "sd_b", "epochs"):
        if getattr(varying, name) is not None:
            implied[name] = "examples"
    choices = dict.fromkeys([*implied.values(), *([varying.over] if varying.over else [])])
    if len(choices) > 1:
        names = [f"`{name}` (for {kind})" for name, kind in implied.items()]
        names += [f"over={varying.over!r}"] if varying.over else []
        raise InvalidOption(f"{join_names(names)} contradict each other. Use one of them.")
    over: Over = next(iter(choices), "examples")
    if over == "splits" and varying.plan is None:
        raise InvalidOption("`plan` is required for splits. Use plan='10-fold' or plan='10x10'.")
    return over


def check_varying(target: PlanTarget, varying: Varying, over: Over, *, rates: bool = True) -> None:
    """Raise InvalidOption for options of other plans, and for impossible values."""
    if over != "examples":
        if target.size is not None:
            instead = {"splits": "plan='10x10'", "training sets": "training_sets=20", "data sets": "data_sets=20"}
            raise InvalidOption(f"`examples` is not a number of {over}. Use {instead[over]}.")
        if target.clusters.effect != 1:
            raise InvalidOption(f"clusters are for examples, not for {over}. Leave them out.")
    if target.options:
        raise InvalidOption(f"unknown option `{next(iter(target.options))}` of a plan for {over}. Leave it out.")
    if varying.wins is None:
        if varying.sd is None:
            raise InvalidOption(
                f"`sd`, the standard deviation of the difference between {over}, is required. Use sd=0.03, or a pilot."
            )
    elif varying.sd is not None:
        raise InvalidOption("`sd` must not be set with wins. Leave one of them out.")
    if (varying.sd_a is None) != (varying.sd_b is None):
        raise InvalidOption("`sd_a` and `sd_b` must be set together. Use sd_b=0 if the scores of B do not vary.")
    for name in ("sd", "sd_a", "sd_b"):
        _check_deviation(name, getattr(varying, name), zero=name != "sd" or varying.sd_a is not None)
    bounded = rates and over != "examples"
    if bounded and varying.sd is not None and varying.sd > 1:
        raise InvalidOption(f"`sd` must be at most 1, got {show_value(varying.sd)}. For 3 pp use 0.03.")
    if bounded and target.difference is not None and not abs(target.difference) <= 1:
        value = show_value(target.difference)
        raise InvalidOption(f"`difference` must be between -1 and 1, got {value}. For 1 pp use 0.01.")


def _check_deviation(name: str, value: Any, *, zero: bool) -> None:
    if value is None:
        return
    number = as_real(value)
    if 0 < number < LEAST_SIZE or LARGEST_SIZE < number < math.inf:
        raise InvalidOption(
            f"`{name}` must be a standard deviation from 1e-50 to 1e50, got {value!r}. For 3 pp use 0.03."
        )
    if not (math.isfinite(number) and (number >= 0 if zero else number > 0)):
        least = "0 or more" if zero else "above 0"
        raise InvalidOption(
            f"`{name}` must be a standard deviation, {least}, got {show_value(value)}. For 3 pp use 0.03."
        )


def as_whole(name: str, value: Any, least: int = 2) -> int:
    """Return a whole number; raise InvalidOption if it is not one, or too small.

    Examples
    --------
    >>> as_whole("data_sets", 20)
    20
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= MOST:
        raise InvalidOption(f"`{name}` must be a whole number of {least} or more, got {show_value(value)}.")
    return int(value)
