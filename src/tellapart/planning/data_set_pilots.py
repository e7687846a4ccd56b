"""A table of scores as a pilot: the standard deviation of the difference of two learners between data sets."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import ScoreTable
from ..evidence.plan import Plan
from .learner_options import Varying
from .learner_pilots import LearnerPilot, check_no_deviation
from .plan_target import PlanTarget
from .planned import AlternativePlan, Planned

_FEWEST_RESAMPLED = 3  # data sets


def read_table(pilot: ScoreTable, varying: Varying, target: PlanTarget) -> tuple[LearnerPilot, Varying]:
    """Return the facts of a table of two learners, and the completed options.

    Without a difference and a number of data sets, the plan is for the data sets of the table.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.7, 0.9, 0.66]})
    >>> facts, varying = read_table(table, Varying(), PlanTarget(power=0.8))
    >>> round(facts.sd, 4), varying.data_sets
    (0.0365, 4)
    """
    check_no_deviation(varying)
    if varying.over not in {None, "data sets"} or varying.plan is not None or varying.training_sets is not None:
        raise InvalidOption(
            "`over`, `plan` and `training_sets` must not be set with scores of data sets as pilot. Leave them out."
        )
    if pilot.shape:
        raise InvalidOption(f"`evidence` must be one table, got shape {pilot.shape}. Plan for one of them.")
    if len(pilot.learners) != 2:
        names = " and ".join(map(repr, pilot.learners[:2]))
        raise InvalidOption(f"a plan compares two learners, got {len(pilot.learners)}. Select two, such as {names}.")
    differences = pilot.differences[~np.isnan(pilot.differences)]
    if differences.size < 2 or not np.ptp(differences) > 0:
        raise InvalidEvidence(
            f"the differences of a pilot must vary, got one value on {differences.size} data sets. Use sd=0.03, or"
            " a larger pilot."
        )
    facts = LearnerPilot(
        float(differences.std(ddof=1)), differences.size, Plan.parse("independent"), math.nan, pilot.metric.name, False
    )
    open_ended = target.difference is None and varying.data_sets is None
    return facts, replace(
        varying, sd=facts.sd, over="data sets", data_sets=differences.size if open_ended else varying.data_sets
    )


def plan_by_resampling(pilot: ScoreTable, planned: Planned, method: str) -> list[AlternativePlan]:
    """Return the number of data sets if they are resampled from the pilot, without assuming normal differences."""
    plain = planned.hypothesis == "different" and planned.alternative == "two-sided" and planned.solved == "size"
    if not plain or int(pilot.compared) < _FEWEST_RESAMPLED or not math.isfinite(planned.size):
        return []
    from ..methods.score_table.power import power_over_data_sets

    simulated = power_over_data_sets(
        pilot, difference=abs(planned.difference), power=planned.target, method=method, alpha=planned.alpha
    )
    if simulated.needed is None:
        return []
    return [AlternativePlan(f"for {method} on data sets resampled from the pilot", float(simulated.needed))]


def describe_table(facts: LearnerPilot) -> tuple[str, ...]:
    """Return notes about the use of a pilot table."""
    return (
        f"SD from a pilot ({facts.runs} data sets); its mean difference is not used",
        "the data sets must be like those of the pilot",
    )
