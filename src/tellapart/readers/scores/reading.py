"""`read_scores`: whatever tells how learners did on many data sets, as one table of scores."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from ...errors import InvalidEvidence, InvalidOption
from ...evidence.score_table import ScoreTable
from ..files import clear_paths
from .metrics import Scale
from .results import from_results
from .roles import named
from .stores import from_races, is_held, stores_in
from .tables import from_table, held_table, read_table
from .telling import is_race


def read_scores(
    source: Any,
    *,
    dataset: str | None = None,
    learner: str | None = None,
    score: str | None = None,
    run: str | Iterable[str] | None = None,
    learners: str | Iterable[str] | None = None,
    metric: str | None = None,
    higher_is_better: bool | None = None,
    bounds: tuple[float, float] | None = None,
    rho: Any = None,
    positive: Hashable = None,
    costs: Any = None,
    missing: Literal["refuse", "drop"] = "refuse",
) -> ScoreTable:
    r"""Read how learners did on many data sets.

    Parameters
    ----------
    source
        One of these. A file of CSV, TSV, Parquet, Arrow or JSON lines, or a table in memory (pandas, polars, pyarrow,
        …, or a dictionary of columns): *wide*, with a column of data sets and a column of scores for each learner, or
        *long*, with a row for each score and columns of data set, learner and score. A folder of races, each the store
        of one data set, which its file is named for; or races (or their `Resamples`) by the name of the data set. Or
        what scikit-learn returned, as {data set: {learner: cross_validate(...)}}: a list of scores, or a search that
        was fitted (its best candidate counts), will do as well.
    dataset, learner, score
        Their columns. Left out, they are told by their names: dataset, problem, task, benchmark, domain, …; learner,
        model, algorithm, classifier, method, …; score, value, or that of a metric.
    run
        The column (or columns) that tell runs of one learner on one data set apart; left out, it is told by its name:
        run, fold, repeat, seed, split, …. All learners met the same split in one run. Of a wide table without such a
        column as many rows of every data set are runs.
    learners
        Which learners, and in which order; all of them, if left out.
    metric
        What the scores are; of a long table, races and scikit-learn's results also which of several. It says which way
        is better: less of an error, loss, RMSE and the like, more of others.
    higher_is_better
        Whether higher scores are better, where the name of the metric does not say so; True, if left out there, too.
    bounds
        Between what scores lie, such as (0, 1).
    rho
        How the runs of a data set go together: 0.1 for 10-fold cross-validation (the share of the examples that a run
        tests), 0 for runs that share nothing; one number, or one for each data set. Races know it.
    positive, costs, missing
        Of races: as `Race.resamples` takes them. With missing="drop" a learner that failed on a data set has no score
        there.

    A cell that is empty, or holds NaN, NA, None, "-" or "?", is a score that is missing: it stays so, and every answer
    says what was left out. Anything else that is no number is an error. Percentages stay what they are. A CSV file may
    have semicolons or tabs between its columns, and decimal commas if all its numbers have them.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "benchmark.csv")
    ...     _ = file.write_text("dataset,nb,tree\niris,0.95,0.94\nwine,0.97,\nzoo,0.9,0.93\n")
    ...     table = read_scores(file, metric="accuracy")
    >>> table
    ScoreTable(nb, tree: 2 of 3 data sets (1 without a score of both))
    >>> table.missing
    (('wine', 'tree'),)

    A row for each score:

    >>> rows = {"task": [3, 3, 31, 31], "model": ["nb", "svm"] * 2, "rmse": [1.2, 1.1, 0.9, 1.0]}
    >>> table = read_scores(rows)
    >>> table.datasets, table.learners, table.metric.name, table.metric.higher_is_better
    (('3', '31'), ('nb', 'svm'), 'rmse', False)

    What scikit-learn's `cross_validate` returned:

    >>> folds = {"iris": {"nb": {"test_score": [0.9, 1.0]}, "tree": {"test_score": [0.9, 0.8]}}}
    >>> read_scores(folds, metric="accuracy", rho=0.5).differences
    array([-0.1])
    """
    who = None if learners is None else named("learners", learners)
    own: dict[str, Any] = {"dataset": dataset, "learner": learner, "score": score, "run": run}
    of_races = {"positive": positive, "costs": costs} | ({} if missing == "refuse" else {"missing": missing})
    held = _held(source)
    if held is not None:
        _refuse(own | {"higher_is_better": higher_is_better, "bounds": bounds}, "is for tables, not for races")
        return from_races(held, who, metric=metric, rho=rho, missing=missing, positive=positive, costs=costs)
    _refuse(of_races, "is for races, and chosen before scores are computed")
    told: dict[str, Any] = {
        "learners": who,
        "metric": metric,
        "higher_is_better": higher_is_better,
        "bounds": bounds,
        "rho": rho,
    }
    if isinstance(source, Mapping) and any(isinstance(each, Mapping) for each in source.values()):
        _refuse(own, "names a column of a table, but these are results by data set and learner")
        return from_results(source, **told)
    Scale.of(metric, higher_is_better=higher_is_better)  # two that contradict are refused before a file is read
    table = read_table(source) if isinstance(source, str | os.PathLike) else held_table(source)
    return from_table(table, **own, **told)


def _held(source: Any) -> Mapping[str, Any] | None:
    """Return races (or their resamples, or stores) by data set, if that is what was given."""
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        with clear_paths(source):
            return stores_in(path) if path.is_dir() else {path.stem: path} if is_race(path) else None
    if isinstance(source, Mapping):
        if not source:
            raise InvalidEvidence("source must hold at least one data set, but is empty.")
        return source if any(map(is_held, source.values())) else None
    if isinstance(source, Sequence) and not isinstance(source, str):
        if not all(map(is_held, source)) or not source:
            raise InvalidEvidence(
                "source must be a file, a table or races, but is a list of something else. Give races by the name of"
                " their data set, as {'iris': race, …}."
            )
        names = [Path(each).stem if isinstance(each, str | os.PathLike) else "" for each in source]
        return {name or str(1 + place): each for place, (name, each) in enumerate(zip(names, source, strict=True))}
    return None


def _refuse(options: Mapping[str, Any], why: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise InvalidOption(f"{name} {why}. Leave it out.")
