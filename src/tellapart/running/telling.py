"""What a race tells of its learners: their errors, how long they took, what failed, and what is odd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..rendering import percent, significant

if TYPE_CHECKING:
    from .record import Race


def lines_of(race: Race) -> list[tuple[str, str]]:
    """Return label and value of each line about learners, failures and remarks."""
    learners = ((each["name"], _line(each)) for each in table_of(race))
    remarks = (("" if place else "remark", each) for place, each in enumerate(remarks_of(race)))
    return [*learners, *_reasons(race), *remarks]


def table_of(race: Race) -> list[dict[str, Any]]:
    """Return what is told of each learner."""
    places, seconds = race.layout.places(), race.seconds
    failed = Counter(failure.learner for failure in race.failures)
    absent = Counter(learner for learner, *_ in race.missing)
    truth = {place: race.labels[race.layout.splits[place].test] for place in places}
    table = []
    for name in race.learners:
        done = [race.fit(name, place, seed) for place in places for seed in range(race.seeds)]
        rates = [float(np.mean(fit.predictions != truth[fit.split])) for fit in done if fit and not fit.failure]
        table.append(
            {
                "name": name,
                "error": float(np.mean(rates)) if rates else np.nan,
                "seconds": seconds[name],
                "failed": failed[name],
                "missing": absent[name],
            }
        )
    return table


def remarks_of(race: Race) -> tuple[str, ...]:
    """Return what is odd, and who gave no probabilities though it should have."""
    often = Counter((fit.learner, fit.no_probabilities) for fit in race.fits if fit.no_probabilities)
    lacking = (
        f"{learner} gave no probabilities, {'once' if count == 1 else f'{count} times'}: {why}"
        for (learner, why), count in often.most_common(5)
    )
    return (*race.remarks, *lacking)


def _reasons(race: Race) -> list[tuple[str, str]]:
    often = Counter((failure.learner, failure.why) for failure in race.failures)
    return [
        ("failed" if place == 0 else "", f"{learner}, {'once' if count == 1 else f'{count} times'}: {why}")
        for place, ((learner, why), count) in enumerate(often.most_common(5))
    ]


def _line(told: Mapping[str, Any]) -> str:
    error = "no fit" if np.isnan(told["error"]) else f"mean error {percent(told['error'], 0.01)}"
    troubles = "".join(f", {told[name]} {name}" for name in ("failed", "missing") if told[name])
    return f"{error}, {significant(told['seconds'])} s{troubles}"
