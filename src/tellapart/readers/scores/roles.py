"""The role of each column of a table of scores: named by the user, or recognised by its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any

from ...errors import InvalidEvidence, InvalidOption
from ...predictions.engine import quote_names, unknown_name
from .score_scales import is_metric

# Names without case, spaces and punctuation, the most specific first.
_DATASETS = (
    *("dataset", "datasets", "datasetname", "dataname", "datasetid", "dataid", "openmlid", "did"),
    *("problem", "task", "taskname", "taskid", "tid", "benchmark", "domain", "database", "data"),
)
_LEARNERS = (
    *("learner", "learnername", "algorithm", "algorithmname", "classifier", "classifiername", "estimator", "model"),
    *("modelname", "method", "methodname", "system", "approach"),
)
_SCORES = ("score", "value", "testscore", "result", "performance", "metricvalue", "meantestscore")
_RUNS = (
    *("run", "runid", "fold", "foldid", "cvfold", "repeat", "repeatid", "repetition", "rep", "replicate", "seed"),
    *("randomstate", "randomseed", "split", "splitid", "iteration", "iter", "trial", "resample"),
)
_METRICS = ("metric", "metricname", "measure", "scorer", "scoring")
_EXAMPLES = (
    *("id", "example", "exampleid", "item", "itemid", "question", "questionid", "prompt", "promptid", "uid", "uuid"),
    *("sample", "sampleid", "instanceid", "rowid", "docid"),
)
_NEVER_DATASETS = (*_EXAMPLES, "key", "index", "row", "label", "truth", "target", "y", "prediction", "answer")
# Properties of data sets that are also numbers, and could be mistaken for scores.
_FACTS = (
    *("n", "nexamples", "examples", "ninstances", "instances", "numinstances", "nsamples", "samples", "size", "rows"),
    *("nfeatures", "features", "numfeatures", "nattributes", "attributes", "nclasses", "classes", "numclasses"),
    *("id", "index", "rank", "weight"),
)
_NAMELESS = re.compile(r"(Unnamed: \d+|level_\d+|_duplicated_\d+|__index_level_\d+__)?")


def plain_header(name: str) -> str:
    """Return the name of a column without case, spaces and punctuation.

    Examples
    --------
    >>> plain_header(" Data_Set "), plain_header("data-set")
    ('dataset', 'dataset')
    """
    return re.sub(r"[\W_]+", "", name).casefold()


def is_nameless(name: str) -> bool:
    """Whether a column has no name: its header is empty, or it was an index."""
    return _NAMELESS.fullmatch(name.strip()) is not None


def names_data_sets(columns: Iterable[str]) -> str | None:
    """Return the column of data sets by its name, if there is one.

    Examples
    --------
    >>> names_data_sets(["task", "Dataset", "nb"]), names_data_sets(["id", "nb"])
    ('Dataset', None)
    """
    return _first_of(columns, _DATASETS)


def names_examples(column: str, *, first: bool = False) -> bool:
    """Whether a column by its name identifies examples; for the first column, whether it cannot hold data sets.

    Examples
    --------
    >>> names_examples("question_id"), names_examples("index"), names_examples("index", first=True)
    (True, False, True)
    """
    return plain_header(column) in (_NEVER_DATASETS if first else _EXAMPLES)


def distinct_names(option: str, names: Any) -> tuple[str, ...]:
    """Return one name or several as different texts."""
    distinct = (names,) if isinstance(names, str) else tuple(names)
    if not distinct or not all(isinstance(name, str) for name in distinct) or len(set(distinct)) != len(distinct):
        raise InvalidOption(f"`{option}` must be different names, got {names!r}.")
    return distinct


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRoles:
    """The roles of columns.

    Wide: each of `learners` is a column. Long: `learner` and `score` are columns, and `learners` are values of the
    first (all of them, if None); `metric` is the column with the metric of each score, if there is one.
    """

    dataset: str
    learners: tuple[str, ...] | None
    runs: tuple[str, ...] = ()
    learner: str | None = None
    score: str | None = None
    metric: str | None = None

    @classmethod
    def recognise(
        cls,
        columns: Sequence[str],
        texts: Set[str],
        *,
        dataset: str | None = None,
        learner: str | None = None,
        score: str | None = None,
        run: str | Iterable[str] | None = None,
        learners: tuple[str, ...] | None = None,
        metric: str | None = None,
    ) -> ScoreRoles:
        """Return the roles of `columns`, of which `texts` do not hold numbers only.

        Examples
        --------
        >>> ScoreRoles.recognise(["dataset", "nb", "svm"], {"dataset"}).learners
        ('nb', 'svm')
        >>> ScoreRoles.recognise(["task", "seed", "model", "accuracy"], {"model"}).score
        'accuracy'
        """
        runs = () if run is None else distinct_names("run", run)
        parts = {"dataset": dataset, "learner": learner, "score": score, **{f"run {name}": name for name in runs}}
        _check_columns(parts, columns)
        used = {name for name in parts.values() if name is not None}
        free = [name for name in columns if name not in used]
        wide = learners is not None and set(learners) <= set(free) and learner is None and score is None
        free = [name for name in free if not (wide and name in (learners or ()))]
        learners_column = learner or (None if wide else _first_of([name for name in free if name in texts], _LEARNERS))
        is_long = not wide and (score is not None or learners_column is not None)
        datasets = dataset or _select_data_sets(
            columns, [name for name in free if name != learners_column], texts, rows_are=learners_column
        )
        rest = [name for name in free if name not in {datasets, learners_column}]
        runs = runs or tuple(name for name in rest if plain_header(name) in _RUNS)
        rest = [name for name in rest if name not in runs]
        if not is_long:
            return cls(dataset=datasets, learners=learners if wide else _select_learners(rest, learners), runs=runs)
        if learners_column is None:
            raise InvalidOption(f"`learner` must name the column of learners. Choose from {quote_names(rest)}.")
        metric_column = _first_of([name for name in rest if name in texts and name != score], _METRICS)
        score_column = score or _select_score([name for name in rest if name != metric_column], texts, metric)
        return cls(
            dataset=datasets,
            learners=learners,
            runs=runs,
            learner=learners_column,
            score=score_column,
            metric=metric_column,
        )


def _first_of(columns: Iterable[str], ordered_names: Sequence[str]) -> str | None:
    """Return the column with the most specific of the names."""
    by_plain_name = {plain_header(name): name for name in reversed(list(columns))}
    return next((by_plain_name[name] for name in ordered_names if name in by_plain_name), None)


def _check_columns(parts: dict[str, str | None], columns: Sequence[str]) -> None:
    taken: dict[str, str] = {}
    for field, name in parts.items():
        if name is None:
            continue
        role = field.partition(" ")[0]
        if name not in columns:
            raise unknown_name(role, "a column of the table", name, columns)
        if name in taken:
            raise InvalidOption(f"`{role}` and `{taken[name]}` must be different columns, got {name!r} for both.")
        taken[name] = role


def _select_data_sets(columns: Sequence[str], free: Sequence[str], texts: Set[str], rows_are: str | None) -> str:
    """Return the column of data sets: by its name, or the first column if it holds texts."""
    by_name = names_data_sets(free)
    if by_name is not None:
        return by_name
    if rows_are is not None and rows_are == columns[0] and not [name for name in free if name in texts]:
        raise InvalidEvidence(
            f"rows must be data sets, got learners (column {rows_are!r}). Transpose the table, or name the"
            f" column of data"
            " sets with `dataset`."
        )
    first = next((name for name in columns if name in texts or not is_nameless(name)), columns[0])
    if first in free and first in texts and not names_examples(first, first=True):
        return first
    raise InvalidEvidence(
        f"`dataset` must name the column of data sets, which is not recognised. Columns: {quote_names(columns)}."
    )


def _select_learners(rest: Sequence[str], requested: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the columns of learners of a wide table: all others; raise InvalidEvidence for a property of data sets."""
    if requested is not None:
        there = list(rest)
        unknown = next(name for name in requested if name not in there)
        raise unknown_name("learners", "columns of the table", unknown, there)
    candidates = tuple(name for name in rest if not is_nameless(name))
    for name in candidates:
        if plain_header(name) in _FACTS:
            raise InvalidEvidence(f"`learners` must be named if other columns hold numbers, such as {name!r}.")
    return candidates


def _select_score(rest: Sequence[str], texts: Set[str], metric: str | None) -> str:
    """Return the column of scores of a long table: that of the requested metric, or the only candidate."""
    same_metric = [name for name in rest if metric is not None and plain_header(name) == plain_header(metric)]
    by_name = [name for name in rest if plain_header(name) in _SCORES or is_metric(name)]
    for candidates in (same_metric, by_name, [name for name in rest if name not in texts]):
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            raise InvalidEvidence(
                f"`score` must name the column of scores, got several candidates: {quote_names(candidates)}."
            )
    raise InvalidEvidence("`score` must name the column of scores, which is not recognised.")
