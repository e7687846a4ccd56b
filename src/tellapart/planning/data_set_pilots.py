"""A table of scores as a pilot: how much the difference of two learners varies from one data set to the next."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..errors import InvalidEvidence, InvalidOption
from ..evidence import ScoreTable
from ..evidence.plan import Plan
from .learner_options import Varying
from .learner_pilots import Held, refuse_deviation
from .planned import Aside, Planned
from .wanted import Wanted

_FEWEST = 3  # data sets that are worth drawing from


def of_table(pilot: ScoreTable, varying: Varying, wanted: Wanted) -> tuple[Held, Varying]:
    """Return what a table of two learners tells: how much their difference varies, and on how many data sets.

    Where no difference is named, and no number of data sets, it is planned for as many as there are.

    Examples
    --------
    >>> table = ScoreTable.from_scores({"nb": [0.81, 0.7, 0.92, 0.6], "tree": [0.85, 0.7, 0.9, 0.66]})
    >>> held, varying = of_table(table, Varying(), Wanted(power=0.8))
    >>> round(held.sd, 4), varying.data_sets
    (0.0365, 4)
    """
    refuse_deviation(varying)
    if varying.over not in {None, "data sets"} or varying.plan is not None or varying.training_sets is not None:
        raise InvalidOption("a ScoreTable is a pilot for data sets. Leave over=, plan= and training_sets= out.")
    if pilot.shape:
        raise InvalidOption(f"a pilot is one table, but this has the shape {pilot.shape}. Plan for one of them.")
    if len(pilot.learners) != 2:
        names = ", ".join(map(repr, pilot.learners[:2]))
        raise InvalidOption(
            f"a pilot holds two learners, but this has {len(pilot.learners)}. Take two: table.select({names})."
        )
    apart = pilot.differences[~np.isnan(pilot.differences)]
    if apart.size < 2 or not np.ptp(apart) > 0:
        raise InvalidEvidence(
            f"the pilot has {apart.size} data sets with a score of both learners, and their difference does not vary:"
            " that says nothing of how much it would. Give sd= by experience, or a larger pilot."
        )
    held = Held(float(apart.std(ddof=1)), apart.size, Plan.parse("independent"), math.nan, pilot.metric.name, False)
    open_ended = wanted.difference is None and varying.data_sets is None
    return held, replace(
        varying, sd=held.sd, over="data sets", data_sets=apart.size if open_ended else varying.data_sets
    )


def by_drawing(pilot: ScoreTable, found: Planned, method: str) -> list[Aside]:
    """Return how many data sets a test takes if they are like those of the pilot, which need not be normal."""
    plain = found.hypothesis == "different" and found.alternative == "two-sided" and found.solved == "size"
    if not plain or int(pilot.compared) < _FEWEST or not math.isfinite(found.size):
        return []
    from ..methods.score_table.power import power_over_data_sets

    seen = power_over_data_sets(
        pilot, difference=abs(found.difference), power=found.target, method=method, alpha=found.alpha
    )
    if seen.needed is None:
        return []
    return [Aside(f"by {method}, if data sets are drawn from those of the pilot", float(seen.needed))]


def table_in_words(held: Held) -> tuple[str, ...]:
    """Say what was taken from a table."""
    return (
        f"The standard deviation is taken from a pilot ({held.runs} data sets), its mean difference is not. Data sets"
        " yet to come have to be like these.",
    )
