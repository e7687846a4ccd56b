"""Scores from races, one for each data set, and from their resamples."""

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
from ...predictions.engine import unknown_name
from .recognising import races_in
from .score_scales import ScoreScale

if TYPE_CHECKING:
    from ...running import Race


def is_race_source(value: Any) -> bool:
    """Whether this is a race, its store, or its resamples."""
    from ...running import Race  # noqa: PLC0415  # not needed for tables

    return isinstance(value, Race | Resamples | str | os.PathLike)


def stores_in(folder: Path) -> dict[str, Path]:
    """Return the stores of races in a folder by data set."""
    stores = races_in(folder)
    if not stores:
        raise InvalidInput(
            f"the folder {folder} must hold a store of a race, got none. Make one for each data set with"
            f" `tellapart race"
            " --store`, or give a file with a table of scores."
        )
    names = [file.stem for file in stores]
    for file in stores:
        if names.count(file.stem) > 1:
            raise InvalidInput(f"races in {folder} must have different names, got {file.stem!r} twice. Rename one.")
    return dict(zip(names, stores, strict=True))


def from_races(
    races: Mapping[str, Any],
    learners: tuple[str, ...] | None,
    *,
    metric: str | None,
    rho: Any,
    missing: Any,
    positive: Any,
    costs: Any,
) -> ScoreTable:
    """Return the scores of learners on the data set of each race."""
    options = {"positive": positive, "costs": costs}
    resamples = {}
    for name, race in races.items():
        if not is_race_source(race):
            raise InvalidEvidence(f"data set {name!r} must be a race like the others, got {type(race).__name__}.")
        if isinstance(race, Resamples):
            resamples[str(name)] = _check_metric(str(name), race, metric, options)
            continue
        try:
            resamples[str(name)] = _read_resamples(race, learners, metric or "error", missing, options)
        except InvalidOption:
            raise  # an option applies to all data sets
        except InvalidInput as error:
            raise InvalidEvidence(f"data set {name!r}: {error}") from error
    table = ScoreTable.from_resamples(resamples)
    if len(table.learners) < 2:
        raise InvalidEvidence(f"at least two learners are needed, got {', '.join(table.learners)}.")
    if rho is not None:
        table = replace(table, rho=np.asarray(rho, dtype=float))
    return table if learners is None else table.select(*learners)


def _read_resamples(
    source: Race | str | os.PathLike[str],
    learners: tuple[str, ...] | None,
    metric: str,
    missing: Any,
    options: Mapping[str, Any],
) -> Resamples:
    """Return the resamples of the learners that a race has."""
    from ...running import Race, read_race  # noqa: PLC0415  # not needed for tables

    race = source if isinstance(source, Race) else read_race(Path(source))
    names = race.learners if learners is None else tuple(name for name in learners if name in race.learners)
    if not names:
        raise unknown_name("learners", "learners of the race", (learners or ("",))[0], race.learners)
    if missing == "drop":
        whole = tuple(name for name in names if not _all_fits_failed(race, name))
        names = whole or names  # if none is left, the error of the race says why
    policy = {"missing": missing} if missing == "drop" else {}  # what fails by default
    return race.resamples(*names, metric=metric, **policy, **options)


def _all_fits_failed(race: Race, learner: str) -> bool:
    """Whether all fits of a learner failed, so that it has no score on this data set."""
    return not any(fit.learner == learner and fit.failure is None for fit in race.fits)


def _check_metric(name: str, resamples: Resamples, metric: str | None, options: Mapping[str, Any]) -> Resamples:
    """Return the resamples; raise InvalidOption if an option would change their metric."""
    for option, value in options.items():
        if value is not None:
            raise InvalidOption(
                f"`{option}` is not supported for resamples, got {value!r}. Leave it out, or give the races."
            )
    if resamples.shape:
        raise InvalidEvidence(f"data set {name!r} must hold one entry, got shape {resamples.shape}.")
    if metric is not None and ScoreScale.of(metric).name.replace("_", "-") not in {
        resamples.metric.name,
        resamples.metric.title,
    }:
        raise InvalidOption(
            f"`metric` must be {resamples.metric.name!r} for the resamples of {name!r}, got {metric!r}."
            f" Leave it out, or give"
            " the races."
        )
    return resamples
