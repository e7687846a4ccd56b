"""Races, one for each data set, and their resamples."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidEvidence, InvalidInput, InvalidOption
from ...evidence.resamples import Resamples
from ...evidence.score_table import ScoreTable
from ...predictions.engine import missing as absent
from .metrics import Scale
from .telling import races_in

if TYPE_CHECKING:
    from ...running import Race


def is_held(value: Any) -> bool:
    """Whether this is a race, its store, or what it left."""
    from ...running import Race  # noqa: PLC0415  # tables need no races

    return isinstance(value, Race | Resamples | str | os.PathLike)


def stores_in(folder: Path) -> dict[str, Path]:
    """Return the stores of races in a folder by the name of their data set."""
    found = races_in(folder)
    if not found:
        raise InvalidInput(
            f"{folder} is a folder without the store of a race. Make one for each data set: tellapart race --data iris"
            f" --learner … --store {folder / 'iris.race'}; or give the one file that holds a table of scores."
        )
    names = [file.stem for file in found]
    for file in found:
        if names.count(file.stem) > 1:
            raise InvalidInput(f"{folder} has more than one race called {file.stem}. Rename all but one.")
    return dict(zip(names, found, strict=True))


def from_races(
    held: Mapping[str, Any],
    learners: tuple[str, ...] | None,
    *,
    metric: str | None,
    rho: Any,
    missing: Any,
    positive: Any,
    costs: Any,
) -> ScoreTable:
    """Return how learners did on the data set of each race."""
    told = {"positive": positive, "costs": costs}
    found = {}
    for name, each in held.items():
        if not is_held(each):
            raise InvalidEvidence(f"data set {name!r} must be a race like the others, but is {type(each).__name__}.")
        if isinstance(each, Resamples):
            found[str(name)] = _of_metric(str(name), each, metric, told)
            continue
        try:
            found[str(name)] = _resamples(each, learners, metric or "error", missing, told)
        except InvalidOption:
            raise  # which is of all data sets
        except InvalidInput as error:
            raise InvalidEvidence(f"data set {name!r}: {error}") from error
    table = ScoreTable.from_resamples(found)
    if len(table.learners) < 2:
        raise InvalidEvidence(f"two learners are needed to compare, but there is only {', '.join(table.learners)}.")
    if rho is not None:
        table = replace(table, rho=np.asarray(rho, dtype=float))
    return table if learners is None else table.select(*learners)


def _resamples(
    source: Race | str | os.PathLike[str],
    learners: tuple[str, ...] | None,
    metric: str,
    missing: Any,
    told: Mapping[str, Any],
) -> Resamples:
    """Return what a race left of those learners that it has."""
    from ...running import Race, read_race  # noqa: PLC0415  # tables need no races

    race = source if isinstance(source, Race) else read_race(Path(source))
    names = race.learners if learners is None else tuple(name for name in learners if name in race.learners)
    if not names:
        raise absent((learners or ("",))[0], f"learners are {', '.join(learners or ())}", race.learners)
    if missing == "drop":
        whole = tuple(name for name in names if not _failed(race, name))
        names = whole or names  # if none is left, the race says why
    return race.resamples(*names, metric=metric, missing=missing, **told)


def _failed(race: Race, learner: str) -> bool:
    """Whether no fit of a learner was finished: it has no score on this data set."""
    return not any(fit.learner == learner and fit.failure is None for fit in race.fits)


def _of_metric(name: str, held: Resamples, metric: str | None, told: Mapping[str, Any]) -> Resamples:
    """Return resamples, whose metric was chosen before."""
    for option, value in told.items():
        if value is not None:
            raise InvalidOption(f"{option} is for races; of resamples it was chosen before. Leave it out.")
    if held.shape:
        raise InvalidEvidence(f"data set {name!r} must be one entry, but has shape {held.shape}.")
    if metric is not None and Scale.of(metric).name.replace("_", "-") not in {held.metric.name, held.metric.title}:
        raise InvalidOption(
            f"metric must be {held.metric.name!r}, which the resamples of {name!r} are of, but is {metric!r}. Leave it"
            " out, or give the races."
        )
    return held
