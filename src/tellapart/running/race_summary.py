"""The summary of an experiment: its design, and the accuracy, time, failures and remarks of each learner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..display import Block, Display, Row, TextTable
from ..figures import Scale
from ..rendering import significant

if TYPE_CHECKING:
    from .record import Race

_MOST_REASONS = 5  # reasons for failures that are shown


def display_race(race: Race) -> Display:
    """Return what is printed of an experiment: its design, a table of learners, failures and remarks."""
    return Display(verdict=f"{', '.join(race.learners)}: {race.describe()}", blocks=tuple(_list_blocks(race)))


def _list_blocks(race: Race) -> Iterator[Block]:
    summaries = summarise_learners(race)
    columns = ["learner", "accuracy", "seconds", *(key for key in _COUNTS if any(each[key] for each in summaries))]
    lines = [_format_line(summary, columns) for summary in summaries]
    yield TextTable(head=columns, lines=lines, align="l" + "r" * (len(columns) - 1))
    yield from (Row("caution", reason) for reason in _list_failures(race))
    yield from (Row("caution", remark) for remark in list_remarks(race))


_COUNTS = ("failed", "missing")


def _format_line(summary: Mapping[str, Any], columns: list[str]) -> list[str]:
    accuracy = "none" if np.isnan(summary["error"]) else Scale("percent", 1).value(1 - summary["error"])
    cells = {"learner": summary["name"], "accuracy": accuracy, "seconds": significant(summary["seconds"])}
    return [cells.get(column, "") or f"{summary[column]:,}" for column in columns]


def summarise_learners(race: Race) -> list[dict[str, Any]]:
    """Return name, mean error, seconds, and numbers of failed and missing fits of each learner."""
    indices, seconds = race.layout.places(), race.seconds
    failed = Counter(failure.learner for failure in race.failures)
    absent = Counter(learner for learner, *_ in race.missing)
    truth = {index: race.labels[race.layout.splits[index].test] for index in indices}
    summaries = []
    for name in race.learners:
        done = [race.fit(name, index, seed) for index in indices for seed in range(race.seeds)]
        rates = [float(np.mean(fit.predictions != truth[fit.split])) for fit in done if fit and not fit.failure]
        summaries.append(
            {
                "name": name,
                "error": float(np.mean(rates)) if rates else np.nan,
                "seconds": seconds[name],
                "failed": failed[name],
                "missing": absent[name],
            }
        )
    return summaries


def list_remarks(race: Race) -> tuple[str, ...]:
    """Return the remarks on the data and the store, and which learners lack probabilities."""
    lacking = Counter((fit.learner, fit.no_probabilities) for fit in race.fits if fit.no_probabilities)
    texts = (
        f"{learner} returned no probabilities, {_times(count)}: {reason}"
        for (learner, reason), count in lacking.most_common(_MOST_REASONS)
    )
    return (*race.remarks, *texts)


def _list_failures(race: Race) -> Iterator[str]:
    reasons = Counter((failure.learner, failure.why) for failure in race.failures)
    for (learner, reason), count in reasons.most_common(_MOST_REASONS):
        yield f"{learner} failed, {_times(count)}: {reason}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
