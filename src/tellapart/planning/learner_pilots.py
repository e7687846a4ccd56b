"""A pilot of two learners: it tells how much their difference varies, and nobody looks at its mean."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import singledispatch
from typing import Any, NamedTuple

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import Resamples, ScoreTable
from ..evidence.plan import Plan
from .learner_options import Varying
from .planned import Aside, Planned, amount
from .wanted import Wanted

_SURE = 0.05  # a pilot's standard deviation is planned for at this limit, too
_ALIKE = 0.05  # folds of almost one size have ratios of almost one value


class Held(NamedTuple):
    """What a pilot tells: how much differences vary, how many there were, and by which plan."""

    sd: float
    runs: int
    plan: Plan
    ratio: float
    metric: str
    chosen: bool


def of_pilot(pilot: Any, varying: Varying, wanted: Wanted) -> tuple[Held | None, Varying]:
    """Return what a pilot tells; its plan is the plan where no other is told."""
    if pilot is None:
        return None, varying
    return _read_pilot(pilot, varying, wanted)


@singledispatch
def _read_pilot(pilot: Any, _varying: Varying, _wanted: Wanted) -> tuple[Held | None, Varying]:
    """Return what a pilot of this kind tells, and the plan."""
    raise InvalidEvidence(
        "a pilot of learners is a Resamples or a race of two learners, or their ScoreTable over data sets, but this"
        f" is a {type(pilot).__name__}."
    )


@_read_pilot.register
def _read_score_table(table: ScoreTable, varying: Varying, wanted: Wanted) -> tuple[Held | None, Varying]:
    from .data_set_pilots import of_table

    return of_table(table, varying, wanted)


@_read_pilot.register
def _read_resamples(resamples: Resamples, varying: Varying, wanted: Wanted) -> tuple[Held | None, Varying]:
    from ..methods.resamples.moments import moments
    from ..methods.resamples.required_plans import require_pair

    refuse_deviation(varying)
    if resamples.shape:
        raise InvalidOption(f"a pilot is one race, but this has the shape {resamples.shape}. Plan for one of them.")
    if len(resamples.learners) > 2:
        names = ", ".join(map(repr, resamples.learners[:2]))
        raise InvalidOption(
            f"a pilot holds two learners, but this has {len(resamples.learners)}. Take two: race.resamples({names})."
        )
    _, deviation, runs = moments(require_pair("corrected-resampled-t", resamples))
    if not deviation > 0:
        raise InvalidEvidence(
            f"the difference is the same on all {runs} test sets of the pilot, which says nothing of how much it"
            " varies. Give sd= by experience, or a larger pilot."
        )
    own = resamples.plan
    held = Held(float(deviation), runs, own, float(resamples.ratio), resamples.metric.name, resamples.chosen_from > 0)
    if varying.plan is not None or varying.over or varying.training_sets:
        return held, replace(varying, sd=held.sd)
    # How often the pilot was repeated is what a plan for a difference finds anew.
    again = wanted.power is not None and wanted.difference is not None
    return held, replace(varying, sd=held.sd, plan=scheme_of(own) if again else own)


def refuse_deviation(varying: Varying) -> None:
    """Refuse a standard deviation beside a pilot, which has its own."""
    if varying.sd is not None or varying.wins is not None:
        raise InvalidOption("a pilot has a standard deviation of its own. Leave it out, or leave sd= and wins= out.")


def scheme_of(plan: Plan) -> Plan:
    """Return a plan that leaves open how often it is repeated; see `Varying.repeated`.

    Examples
    --------
    >>> scheme_of(Plan.parse("10x10")).name, scheme_of(Plan.parse("30x(2/3)")).name
    ('10-fold', 'holdout(0.6667)')
    """
    if plan.kind == "k-fold" and plan.folds > 1:
        return Plan(f"{plan.folds}-fold", "k-fold", 1, plan.folds)
    return Plan(f"holdout({plan.share:.4g})", "random", 1, 1, plan.share) if plan.kind == "random" else plan


def at_upper_limit(held: Held | None, planned: Callable[[float], Planned], points: bool) -> list[Aside]:
    """Return the plan for the largest standard deviation that a pilot leaves possible.

    By the equal correlation that the corrected t test supposes, the sample variance is a chi-square's share still.
    """
    if held is None:
        return []
    from scipy.special import chdtri

    freedom = held.runs - 1
    upper = held.sd * math.sqrt(freedom / float(chdtri(freedom, 1 - _SURE)))
    if points and upper > 1:
        return []
    return [Aside.of(f"at the pilot's 95 % upper limit of sd ({amount(upper, points)})", planned(upper))]


def split_alike(held: Held, plan: Plan) -> bool:
    """Whether a pilot was split as is planned, so that its differences vary as much."""
    alike = math.isnan(plan.ratio) or math.isclose(held.ratio, plan.ratio, rel_tol=_ALIKE)
    return held.plan.kind == plan.kind and alike


def pilot_in_words(held: Held | None, plan: Plan) -> tuple[str, ...]:
    """Say what was taken from a pilot, and where the plan is another."""
    if held is None:
        return ()
    told = [
        f"The standard deviation is taken from a pilot ({held.plan.name}, {held.runs} test sets), its mean difference"
        " is not."
    ]
    if not split_alike(held, plan):
        told.append(
            "The pilot was split otherwise than is planned; on test sets of other sizes differences vary otherwise."
        )
    if held.chosen:
        told.append("Its learners were chosen by these very scores.")
    return tuple(told)
