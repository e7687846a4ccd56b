"""A pilot of two learners: the standard deviation of their difference; its mean is never used."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import singledispatch
from typing import Any, NamedTuple

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import Evidence, Resamples, ScoreTable
from ..evidence.plan import Plan
from .learner_options import Varying
from .plan_target import PlanTarget
from .plan_wording import format_amount
from .planned import AlternativePlan, Planned

_PILOT_ALPHA = 0.05  # alternative: the 95% upper limit of a pilot's SD
_ALIKE = 0.05  # folds of nearly equal size have nearly equal ratios


class LearnerPilot(NamedTuple):
    """Facts of a pilot: the standard deviation of the differences, their number and their cross-validation design."""

    sd: float
    runs: int
    plan: Plan
    ratio: float
    metric: str
    chosen: bool


def read_pilot(pilot: Any, varying: Varying, target: PlanTarget) -> tuple[LearnerPilot | None, Varying]:
    """Return the facts of a pilot; its design is the default for the plan."""
    if pilot is None:
        return None, varying
    return _extract_pilot(pilot, varying, target)


@singledispatch
def _extract_pilot(pilot: Any, _varying: Varying, _target: PlanTarget) -> tuple[LearnerPilot | None, Varying]:
    """Return the facts of a pilot of this kind, and the completed options."""
    what = f"one of {pilot.subject}s" if isinstance(pilot, Evidence) else type(pilot).__name__
    raise InvalidEvidence(
        f"the pilot of a plan for learners must be a race or scores of two learners, got {what}. Use `sd` without a"
        " pilot, or run a race."
    )


@_extract_pilot.register
def _read_score_table(table: ScoreTable, varying: Varying, target: PlanTarget) -> tuple[LearnerPilot | None, Varying]:
    from .data_set_pilots import read_table

    return read_table(table, varying, target)


@_extract_pilot.register
def _read_resamples(resamples: Resamples, varying: Varying, target: PlanTarget) -> tuple[LearnerPilot | None, Varying]:
    from ..methods.resamples.moments import moments
    from ..methods.resamples.required_plans import require_pair

    check_no_deviation(varying)
    if resamples.shape:
        raise InvalidOption(f"`evidence` must be one race, got shape {resamples.shape}. Plan for one of them.")
    if len(resamples.learners) > 2:
        names = ", ".join(map(repr, resamples.learners[:2]))
        raise InvalidOption(
            f"a plan compares two learners, got {len(resamples.learners)}. Use race.resamples({names})."
        )
    _, deviation, runs = moments(require_pair("corrected-resampled-t", resamples))
    if not deviation > 0:
        raise InvalidEvidence(
            f"the differences of a pilot must vary, got one value on {runs} test sets. Use sd=0.03, or a larger pilot."
        )
    design = resamples.plan
    facts = LearnerPilot(
        float(deviation), runs, design, float(resamples.ratio), resamples.metric.name, resamples.chosen_from > 0
    )
    if varying.plan is not None or varying.over or varying.training_sets:
        return facts, replace(varying, sd=facts.sd)
    # With power and difference the number of replicates is computed.
    again = target.power is not None and target.difference is not None
    return facts, replace(varying, sd=facts.sd, plan=open_design(design) if again else design)


def check_no_deviation(varying: Varying) -> None:
    """Raise InvalidOption for a standard deviation together with a pilot, which has its own."""
    if varying.sd is not None or varying.wins is not None:
        raise InvalidOption("`sd` and `wins` must not be set with a pilot, which has its own. Leave them out.")


def open_design(plan: Plan) -> Plan:
    """Return the design with the number of repeats left open; see `Varying.repeated`.

    Examples
    --------
    >>> open_design(Plan.parse("10x10")).name, open_design(Plan.parse("30x(2/3)")).name
    ('10-fold', 'holdout(0.6667)')
    """
    if plan.kind == "k-fold" and plan.folds > 1:
        return Plan(f"{plan.folds}-fold", "k-fold", 1, plan.folds)
    return Plan(f"holdout({plan.share:.4g})", "random", 1, 1, plan.share) if plan.kind == "random" else plan


def plan_at_upper_limit(
    facts: LearnerPilot | None, build_plan: Callable[[float], Planned], points: bool
) -> list[AlternativePlan]:
    """Return the plan at the 95% upper limit of a pilot's standard deviation.

    With the equal correlation that the corrected t test assumes, the sample variance is proportional to a chi-square.
    """
    if facts is None:
        return []
    from scipy.special import chdtri

    freedom = facts.runs - 1
    upper = facts.sd * math.sqrt(freedom / float(chdtri(freedom, 1 - _PILOT_ALPHA)))
    if points and upper > 1:
        return []
    return [
        AlternativePlan.from_plan(
            f"at the pilot's 95% upper limit of the SD ({format_amount(upper, points)})", build_plan(upper)
        )
    ]


def split_alike(facts: LearnerPilot, plan: Plan) -> bool:
    """Return whether a pilot has the planned design, so that its differences have the same variance."""
    alike = math.isnan(plan.ratio) or math.isclose(facts.ratio, plan.ratio, rel_tol=_ALIKE)
    return facts.plan.kind == plan.kind and alike


def describe_pilot(facts: LearnerPilot | None, plan: Plan) -> tuple[str, ...]:
    """Return notes about the use of a pilot."""
    if facts is None:
        return ()
    notes = [f"SD from a pilot ({facts.plan.name}, {facts.runs} test sets); its mean difference is not used"]
    if not split_alike(facts, plan):
        notes.append("the pilot has another design; the SD differs for test sets of another size")
    if facts.chosen:
        notes.append("the learners of the pilot were chosen by these scores")
    return tuple(notes)
