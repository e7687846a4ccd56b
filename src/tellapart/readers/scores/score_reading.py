"""`read_scores`: scores of learners on many data sets from any source, as one table."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from ...errors import InvalidEvidence, InvalidOption
from ...evidence.score_table import ScoreTable
from ...typing_ import one_of
from ..files import raise_path_errors
from .recognising import is_race
from .results import from_results
from .roles import distinct_names
from .score_grids import from_table, read_table, table_in_memory
from .score_scales import ScoreScale
from .stores import from_races, is_race_source, stores_in


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
    missing: Literal["fail", "drop", "refuse"] = "fail",
) -> ScoreTable:
    r"""Return the scores of learners on many data sets.

    Parameters
    ----------
    source
        One of these. A file of CSV, TSV, Parquet, Arrow or JSON lines, or a table in memory (pandas, polars, pyarrow,
        …, or a dictionary of columns): *wide*, with a column of data sets and a column of scores for each learner, or
        *long*, with a row for each score and columns of data set, learner and score. A folder of races, each the store
        of one data set, which its file is named for; or races (or their `Resamples`) by the name of the data set. Or
        results of scikit-learn, as {data set: {learner: cross_validate(...)}}; a list of scores, or a fitted search
        (its best candidate counts), is accepted as well.
    dataset, learner, score
        Their columns. By default they are recognised by name: dataset, problem, task, benchmark, domain, …; learner,
        model, algorithm, classifier, method, …; score, value, or the name of a metric.
    run
        The column (or columns) that distinguish runs of one learner on one data set. By default recognised by name:
        run, fold, repeat, seed, split, …. All learners use the same split in one run. In a wide table without such a
        column the rows of a data set are its runs, and every data set has the same number.
    learners
        The learners, in order. Default: all.
    metric
        The metric of the scores; it also selects one of several in a long table, in races and in results of
        scikit-learn. It determines the direction: lower is better for error, loss and RMSE, higher for others.
    higher_is_better
        Whether higher scores are better, if the metric does not determine it. Default: True.
    bounds
        The smallest and largest possible score, such as (0, 1).
    rho
        The correlation of the runs of a data set: 0.1 for 10-fold cross-validation (the share of the examples that a
        run tests), 0 for independent runs; one number, or one for each data set. Races have it.
    positive, costs, missing
        For races, as in `Race.resamples`. With missing="drop" a learner that failed on a data set has no score there;
        "refuse" is an old spelling of "fail".

    A cell that is empty, or holds NaN, NA, None, "-" or "?", is a missing score: it stays missing, and every result
    says what was left out. Any other text that is not a number is an error. Percentages are not converted. A CSV file
    may have semicolons or tabs between its columns, and decimal commas if all its numbers have them.

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
    one_of("missing", missing, Literal["fail", "drop", "refuse"])
    names = None if learners is None else distinct_names("learners", learners)
    columns: dict[str, Any] = {"dataset": dataset, "learner": learner, "score": score, "run": run}
    race_options = {"positive": positive, "costs": costs} | ({"missing": missing} if missing == "drop" else {})
    races = _races_by_data_set(source)
    if races is not None:
        _refuse_options(
            columns | {"higher_is_better": higher_is_better, "bounds": bounds}, "is not supported for races"
        )
        return from_races(races, names, metric=metric, rho=rho, missing=missing, positive=positive, costs=costs)
    _refuse_options(race_options, "is supported for races only")
    options: dict[str, Any] = {
        "learners": names,
        "metric": metric,
        "higher_is_better": higher_is_better,
        "bounds": bounds,
        "rho": rho,
    }
    if isinstance(source, Mapping) and any(isinstance(results, Mapping) for results in source.values()):
        _refuse_options(columns, "is not supported for results by data set and learner")
        return from_results(source, **options)
    ScoreScale.of(metric, higher_is_better=higher_is_better)  # a contradiction is refused before a file is read
    table = read_table(source) if isinstance(source, str | os.PathLike) else table_in_memory(source)
    return from_table(table, **columns, **options)


def _races_by_data_set(source: Any) -> Mapping[str, Any] | None:
    """Return races (or their resamples, or stores) by data set; None for any other source."""
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        with raise_path_errors(source):
            return stores_in(path) if path.is_dir() else {path.stem: path} if is_race(path) else None
    if isinstance(source, Mapping):
        if not source:
            raise InvalidEvidence("`source` must hold at least one data set, got none.")
        return source if any(map(is_race_source, source.values())) else None
    if isinstance(source, Sequence) and not isinstance(source, str):
        if not all(map(is_race_source, source)) or not source:
            raise InvalidEvidence(
                "`source` must be a file, a table or races, got a list of other values. Give races by data set:"
                " {'iris': race, ...}."
            )
        names = [Path(race).stem if isinstance(race, str | os.PathLike) else "" for race in source]
        return {name or str(1 + index): race for index, (name, race) in enumerate(zip(names, source, strict=True))}
    return None


def _refuse_options(options: Mapping[str, Any], why: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise InvalidOption(f"`{name}` {why}, got {value!r}. Leave it out.")
