"""What is known of how much a difference varies, and what it is a difference of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..errors import InvalidOption
from ..evidence.plan import Plan, as_plan
from ..typing_ import LARGEST_SIZE, LEAST_SIZE, as_real, one_of
from .solving import MOST
from .wanted import Wanted

Over = Literal["examples", "splits", "training sets", "data sets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Varying:
    """What is known of how much the difference varies, and from what to what.

    Parameters
    ----------
    sd
        The standard deviation of the difference: from split to split, from one training set, data set or example to
        the next.
    sd_a, sd_b, epochs
        For examples that are asked several times: by how much the scores of A, and of B, vary on one example, and how
        often each is asked; a number, or one for A and one for B. Then `sd` is of what remains between examples.
    over
        What the differences are of.
    plan
        How the splits are made: "10-fold" leaves open how often, "10x10" and "30x(2/3)" say it.
    training_sets, data_sets
        How many there are.
    wins
        The probability that B wins on a data set, which is all that a sign test has to know.

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
    def given(self) -> bool:
        """Whether anything is."""
        return any(getattr(self, name) is not None for name in self.__slots__)

    @property
    def repeated(self) -> bool:
        """Whether the plan says how often it is repeated: "10-fold" and "holdout" leave it open, "1x10" does not."""
        if self.plan is None:
            return False
        plan = as_plan(self.plan)
        open_ended = plan.name.endswith("-fold") or plan.name.startswith(("holdout", "independent"))
        return plan.replicates > 1 or not open_ended


def over_what(varying: Varying) -> Over:
    """Return what the differences are of, as told or as the other keywords imply.

    Examples
    --------
    >>> over_what(Varying(sd=0.03, plan="10x10")), over_what(Varying(wins=0.7))
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
    meant = dict.fromkeys([*implied.values(), *([varying.over] if varying.over else [])])
    if len(meant) > 1:
        told = " and ".join(f"{name}= (for {kind})" for name, kind in implied.items())
        told += f" and over={varying.over!r}" if varying.over else ""
        raise InvalidOption(f"{told} do not go together. A plan is for one of {', '.join(meant)}.")
    over: Over = next(iter(meant), "examples")
    if over == "splits" and varying.plan is None:
        raise InvalidOption("how splits are made has to be told: write plan='10-fold', or plan='10x10'.")
    return over


def check_varying(wanted: Wanted, varying: Varying, over: Over, *, rates: bool = True) -> None:
    """Refuse what is for other plans, and figures that cannot be, of rates where scores are such."""
    if over != "examples":
        if wanted.size is not None:
            instead = {"splits": "plan='10x10'", "training sets": "training_sets=20", "data sets": "data_sets=20"}
            raise InvalidOption(f"examples= is no number of {over}. Write {instead[over]}.")
        if wanted.clusters.effect != 1:
            raise InvalidOption(f"clusters are of examples, and this is a plan for {over}. Leave them out.")
    if wanted.options:
        raise InvalidOption(f"{next(iter(wanted.options))!r} is no option of a plan for {over}.")
    if varying.wins is None:
        if varying.sd is None:
            raise InvalidOption(
                f"how much the difference varies between {over} has to be known: write sd=0.03 (a standard deviation),"
                " or give a pilot."
            )
    elif varying.sd is not None:
        raise InvalidOption("wins= is all that a sign test has to know. Leave sd= out, or write difference= instead.")
    if (varying.sd_a is None) != (varying.sd_b is None):
        raise InvalidOption("sd_a= and sd_b= go together. Write sd_b=0 if B answers alike whenever it is asked.")
    for name in ("sd", "sd_a", "sd_b"):
        _positive(name, getattr(varying, name), zero=name != "sd" or varying.sd_a is not None)
    bounded = rates and over != "examples"
    if bounded and varying.sd is not None and varying.sd > 1:
        raise InvalidOption(f"sd must be 1 at most, as rates are, but is {varying.sd!r}. For 3 points write 0.03.")
    if bounded and wanted.difference is not None and not abs(wanted.difference) <= 1:
        told = f"difference must be between -1 and 1, but is {wanted.difference!r}. For one point write 0.01."
        raise InvalidOption(told)


def _positive(name: str, value: Any, *, zero: bool) -> None:
    if value is None:
        return
    number = as_real(value)
    if 0 < number < LEAST_SIZE or LARGEST_SIZE < number < math.inf:
        raise InvalidOption(f"{name} must be a standard deviation from 1e-50 to 1e50, such as 0.03, but is {value!r}.")
    if not (math.isfinite(number) and (number >= 0 if zero else number > 0)):
        least = "0 or more" if zero else "above 0"
        raise InvalidOption(f"{name} must be a standard deviation, {least}, such as 0.03, but is {value!r}.")


def as_whole(name: str, value: Any, least: int = 2) -> int:
    """Return a number of something, or say what one is.

    Examples
    --------
    >>> as_whole("data_sets", 20)
    20
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= MOST:
        raise InvalidOption(f"{name} must be a whole number, {least} or more, such as 20, but is {value!r}.")
    return int(value)
