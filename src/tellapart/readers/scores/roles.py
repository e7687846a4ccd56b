"""Which column of a table of scores is what: told, or known by its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any

from ...errors import InvalidEvidence, InvalidOption
from ...predictions.engine import missing, told
from .metrics import is_metric

# Names without case, spaces and signs, the surest first.
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
# Facts about data sets that are numbers, too, and would pass for the scores of a learner.
_FACTS = (
    *("n", "nexamples", "examples", "ninstances", "instances", "numinstances", "nsamples", "samples", "size", "rows"),
    *("nfeatures", "features", "numfeatures", "nattributes", "attributes", "nclasses", "classes", "numclasses"),
    *("id", "index", "rank", "weight"),
)
_NAMELESS = re.compile(r"(Unnamed: \d+|level_\d+|_duplicated_\d+|__index_level_\d+__)?")


def plain_header(name: str) -> str:
    """Return a name of a column without case, spaces and signs.

    Examples
    --------
    >>> plain_header(" Data_Set "), plain_header("data-set")
    ('dataset', 'dataset')
    """
    return re.sub(r"[\W_]+", "", name).casefold()


def is_nameless(name: str) -> bool:
    """Whether a column has no name of its own: its header is empty, or it was an index."""
    return _NAMELESS.fullmatch(name.strip()) is not None


def names_data_sets(columns: Iterable[str]) -> str | None:
    """Return the column that by its name holds data sets, if there is one.

    Examples
    --------
    >>> names_data_sets(["task", "Dataset", "nb"]), names_data_sets(["id", "nb"])
    ('Dataset', None)
    """
    return _first_of(columns, _DATASETS)


def names_examples(column: str, *, first: bool = False) -> bool:
    """Whether a column by its name tells examples apart; of the first column, whether it holds anything but data sets.

    Examples
    --------
    >>> names_examples("question_id"), names_examples("index"), names_examples("index", first=True)
    (True, False, True)
    """
    return plain_header(column) in (_NEVER_DATASETS if first else _EXAMPLES)


def named(option: str, names: Any) -> tuple[str, ...]:
    """Return one name or several as different texts."""
    found = (names,) if isinstance(names, str) else tuple(names)
    if not found or not all(isinstance(name, str) for name in found) or len(set(found)) != len(found):
        raise InvalidOption(f"{option} must be different names, but is {names!r}.")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The parts that columns play.

    Wide: each of `learners` is a column. Long: `learner` and `score` are columns, and `learners` are values of the
    first (all that occur, if None); `metric` is the column that says what a score is of, if there is one.
    """

    dataset: str
    learners: tuple[str, ...] | None
    runs: tuple[str, ...] = ()
    learner: str | None = None
    score: str | None = None
    metric: str | None = None

    @classmethod
    def recognised(
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
    ) -> Roles:
        """Return who plays which part among `columns`, of which `texts` hold more than numbers.

        Examples
        --------
        >>> Roles.recognised(["dataset", "nb", "svm"], {"dataset"}).learners
        ('nb', 'svm')
        >>> Roles.recognised(["task", "seed", "model", "accuracy"], {"model"}).score
        'accuracy'
        """
        runs = () if run is None else named("run", run)
        parts = {"dataset": dataset, "learner": learner, "score": score, **{f"run {name}": name for name in runs}}
        _all_there(parts, columns)
        said = {name for name in parts.values() if name is not None}
        free = [name for name in columns if name not in said]
        wide = learners is not None and set(learners) <= set(free) and learner is None and score is None
        free = [name for name in free if not (wide and name in (learners or ()))]
        who = learner or (None if wide else _first_of([name for name in free if name in texts], _LEARNERS))
        is_long = not wide and (score is not None or who is not None)
        place = dataset or _data_sets(columns, [name for name in free if name != who], texts, rows_are=who)
        rest = [name for name in free if name not in {place, who}]
        runs = runs or tuple(name for name in rest if plain_header(name) in _RUNS)
        rest = [name for name in rest if name not in runs]
        if not is_long:
            return cls(dataset=place, learners=learners if wide else _learners(rest, learners), runs=runs)
        if who is None:
            raise InvalidOption(f"learner must name the column of the learners: one of {told(rest)}, or another.")
        kind = _first_of([name for name in rest if name in texts and name != score], _METRICS)
        what = score or _score([name for name in rest if name != kind], texts, metric)
        return cls(dataset=place, learners=learners, runs=runs, learner=who, score=what, metric=kind)


def _first_of(columns: Iterable[str], known: Sequence[str]) -> str | None:
    """Return the column of the surest name among the known."""
    found = {plain_header(name): name for name in reversed(list(columns))}
    return next((found[name] for name in known if name in found), None)


def _all_there(parts: dict[str, str | None], columns: Sequence[str]) -> None:
    taken: dict[str, str] = {}
    for part, name in parts.items():
        if name is None:
            continue
        role = part.partition(" ")[0]
        if name not in columns:
            raise missing(name, f"{role} names the column {name!r}", columns)
        if name in taken:
            raise InvalidOption(f"{role} and {taken[name]} must be two columns, but both are {name!r}.")
        taken[name] = role


def _data_sets(columns: Sequence[str], free: Sequence[str], texts: Set[str], rows_are: str | None) -> str:
    """Return the column of data sets: by its name, or the first one if it holds texts."""
    found = names_data_sets(free)
    if found is not None:
        return found
    if rows_are is not None and rows_are == columns[0] and not [name for name in free if name in texts]:
        raise InvalidEvidence(
            f"the rows are learners (column {rows_are!r}), and no column is of data sets. Turn the table: a row for"
            " each data set, a column for each learner; or say which column is which, dataset= (--dataset)."
        )
    first = next((name for name in columns if name in texts or not is_nameless(name)), columns[0])
    if first in free and first in texts and not names_examples(first, first=True):
        return first
    raise InvalidEvidence(
        f"no column is known to name the data sets among {told(columns)}. Say which it is, dataset= (--dataset), or"
        " call it dataset."
    )


def _learners(rest: Sequence[str], asked: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the columns of the learners of a wide table: all that are left, if none would pass for one by mistake."""
    if asked is not None:
        there = list(rest)
        raise missing(absent := next(name for name in asked if name not in there), f"learners names {absent!r}", there)
    found = tuple(name for name in rest if not is_nameless(name))
    for name in found:
        if plain_header(name) in _FACTS:
            raise InvalidEvidence(
                f"column {name!r} would pass for a learner. Name those that are: learners=[...] (--learner)."
            )
    return found


def _score(rest: Sequence[str], texts: Set[str], metric: str | None) -> str:
    """Return the column of scores of a long table: of the metric that is asked for, or the only one it can be."""
    alike = [name for name in rest if metric is not None and plain_header(name) == plain_header(metric)]
    known = [name for name in rest if plain_header(name) in _SCORES or is_metric(name)]
    for found in (alike, known, [name for name in rest if name not in texts]):
        if len(found) == 1:
            return found[0]
        if found:
            raise InvalidEvidence(
                f"several columns could be the score: {told(found)}. Say which, score= or metric= (--metric)."
            )
    raise InvalidEvidence("there is a row for each score, but no column of scores. Say which it is, score=.")
