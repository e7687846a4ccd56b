"""From logs to predictions: which tool wrote a file, which of its runs are meant, and one table of them all."""

from __future__ import annotations

import codecs
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from ...errors import InvalidEvidence, InvalidInput, InvalidOption, import_extra
from ...predictions import Errors, Missing, Predictions, Scored
from ..files import files_inside, first_bytes, path_exists
from .json_stream import first_keys
from .run import Head, Reader, Run, Wanted, told

# What --format calls each, and the module that reads it; recognised in this order.
FORMATS = {
    "inspect": "inspect_ai",
    "lm-eval": "lm_eval",
    "promptfoo": "promptfoo",
    "deepeval": "deepeval",
    "openai-evals": "openai_evals",
    "helm": "helm",
    "swe-bench": "swe_bench",
    "mlflow": "mlflow",
    "every-eval-ever": "every_eval_ever",
}
_HEAD = 65_536  # bytes that tell what a file is
_MOST_NAMES = 20_000  # files of a folder that are looked at
_COLUMNS = ("id", "epoch", "proof", "task")  # of a table of runs, beside the model's own
_TAKEN = ("id", "epoch", "score", "error", "proof", "filter")  # what readers call columns of their own


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """The runs of one model in one log (or folder of logs), a task each."""

    title: str
    path: Path
    runs: tuple[Run, ...]

    @property
    def tasks(self) -> tuple[str, ...]:
        return tuple(run.task for run in self.runs)


def read_logs(
    *sources: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002  # the name users give it
    task: str | None = None,
    filter: str | None = None,  # noqa: A002
    metric: str | None = None,
    model: str | None = None,
    cluster: str | None = None,
    group: str | None = None,
    sampling_weight: str | None = None,
    bounds: tuple[float, float] | None = None,
    higher_is_better: bool | None = None,
    missing: Missing = "fail",
    errors: Errors | None = None,
) -> Predictions:
    """Read the logs of evaluation tools: Inspect, lm-evaluation-harness, promptfoo, MLflow, HELM and others.

    Runs are joined by what the tool guarantees to name the same item, never by position; where the tool
    keeps a proof of the item, such as a hash, it must agree. Several tasks of a log are groups. Epochs are
    repeats of one item.

    Parameters
    ----------
    sources
        Files or folders, each of one run or more.
    format
        The tool, if its files are not to be recognised by their content: "inspect", "lm-eval", "promptfoo", "deepeval",
        "openai-evals", "helm", "swe-bench", "mlflow" or "every-eval-ever".
    task, filter, metric, model
        Which of several tasks, filters, scores and models in a log is meant.
    cluster, group, sampling_weight
        What of the samples' metadata says which belong together, which are told apart, and how much each counts.
    bounds
        Between what the scores must lie, where the log does not tell.
    higher_is_better
        Whether higher scores are better, which most logs do not tell: those of other metrics than they know are taken
        to be better the higher they are.
    missing
        What becomes of an item that one of the runs lacks: "fail", "wrong" or "drop".
    errors
        What becomes of an answer without a score: "fail", "wrong" (the worst score) or "drop" (left out for all
        runs). If left out: "fail" where the runs differ in them.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> report = {"total_instances": 3, "submitted_instances": 3, "completed_instances": 3, "resolved_instances": 2,
    ...     "unresolved_instances": 1, "empty_patch_instances": 0, "error_instances": 0,
    ...     "submitted_ids": ["x-1", "x-2", "x-3"], "completed_ids": ["x-1", "x-2", "x-3"], "incomplete_ids": [],
    ...     "empty_patch_ids": [], "resolved_ids": ["x-1", "x-2"], "unresolved_ids": ["x-3"], "error_ids": [],
    ...     "schema_version": 2}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("old", "new"):
    ...         _ = pathlib.Path(folder, f"{name}.json").write_text(json.dumps(report))
    ...     files = [f"{folder}/{name}.json" for name in ("old", "new")]
    ...     read_logs(*files).outcomes().paired_table().both_right
    np.int64(2)
    """
    if not sources:
        raise InvalidInput("sources must name at least one log, but there is none.")
    columns = tuple(dict.fromkeys(name for name in (cluster, group, sampling_weight) if name not in (None, "task")))
    for name in columns:
        if name in _TAKEN:
            raise InvalidOption(
                f"{name!r} is what a column of every run is called, and no field of the metadata can be told from it."
                " Give the field another name."
            )
    wanted = Wanted(task=task, filter=filter, metric=metric, model=model, columns=columns)
    found = [each for source in sources for each in _sources(Path(source), format, wanted)]
    found = _told_apart(found)
    several = max(len(source.runs) for source in found) > 1
    if not several:
        _refuse_other_tasks(found)
    if bounds is not None:
        found = [_bounded(source, Scored(bounds=bounds)) for source in found]
    if higher_is_better is not None:
        found = [
            replace(source, runs=tuple(replace(run, higher_is_better=higher_is_better) for run in source.runs))
            for source in found
        ]
    parts = {"cluster": cluster, "sampling_weight": sampling_weight}
    parts["group"] = group or ("task" if several else None)
    options: dict[str, Any] = {"missing": missing, "errors": errors}
    tables = {source.title: _predictions(source, several, parts, options) for source in found}
    return next(iter(tables.values())) if len(tables) == 1 else Predictions.joined(tables)


def runs_of(path: Path, name: str | None, wanted: Wanted) -> list[Run]:
    """Return the runs that are wanted of a log, or of all logs in a folder."""
    return [run for source in _sources(path, name, wanted) for run in source.runs]


def recognise(path: Path) -> Reader | None:
    """Return who reads this file or folder, told by its content; None where it is no log that is known here."""
    head = _head(path)
    claims = (reader for reader in map(_of, FORMATS.values()) if reader.recognises(head))
    found = next(claims, None)
    other = next(claims, None) if head.is_folder else None
    if found is not None and other is not None:
        raise InvalidEvidence(
            f"{path} holds logs of several tools, {found.title} and {other.title}. Give the folders of one, or say"
            f" which is meant: format={found.name!r} (--format {found.name})."
        )
    return found


def _of(module: str) -> Reader:
    reader: Reader = import_module(f".{module}", __package__).READER
    return reader


def _head(path: Path) -> Head:
    there = path_exists(path)
    if path.is_dir():
        inside = files_inside(path)
        names = [str(file.relative_to(path)) for file, _ in zip(inside, range(_MOST_NAMES), strict=False)]
        return Head(path=path, names=tuple(sorted(names)))
    if not there:
        raise InvalidInput(f"{path} is not there. Is the path right?")
    if not path.is_file():
        raise InvalidInput(
            f"{path} is neither a file nor a folder. What comes from a pipe must be saved as a file first."
        )
    start = first_bytes(path, _HEAD).removeprefix(codecs.BOM_UTF8)
    return Head(path=path, start=start, keys=first_keys(start))


def _reader(path: Path, name: str | None) -> Reader | None:
    """Return who reads a log, or None for a folder whose logs are to be recognised one by one."""
    if name is not None:
        if name not in FORMATS:
            raise InvalidOption(f"format must be one of {told(list(FORMATS))}, but is {name!r}.")
        head, reader = _head(path), _of(FORMATS[name])
        return reader if not head.is_folder or reader.recognises(head) else None
    found = recognise(path)
    if found is None and path.is_file() and not path.stat().st_size:
        raise InvalidEvidence(f"{path} is empty. Was the run finished, and the file copied whole?")
    if found is None and not path.is_dir():
        raise InvalidEvidence(
            f"{path} is no log that is known here, by its content. If it is one, say which tool wrote it: format='...'"
            f" (--format), one of {told(list(FORMATS))}. A table of predictions is read by read_predictions."
        )
    return found


def _sources(path: Path, name: str | None, wanted: Wanted) -> list[_Source]:
    """Return the runs of a log, by model; of a folder that no tool claims as a whole, those of every log in it."""
    reader = _reader(path, name)
    if reader is not None:
        return _by_model(_title(path), path, _read(reader, path, wanted), wanted)
    found = []
    for file in sorted(file for file in files_inside(path) if not file.name.startswith(".")):
        own = recognise(file)
        if own is not None and name in (None, own.name):
            found += _by_model(_title(file), file, _read(own, file, wanted), wanted)
    if not found:
        which = "that is known here" if name is None else f"of {_of(FORMATS[name]).title}"
        raise InvalidEvidence(
            f"{path} is a folder without a log {which}. Files whose names begin with a dot are not looked at."
        )
    return found


def _read(reader: Reader, path: Path, wanted: Wanted) -> list[Run]:
    try:
        return reader.runs(path, wanted)
    except OSError as error:
        raise InvalidInput(f"{error.filename or path} cannot be read: {error.strerror or error}.") from error
    except RecursionError:  # of an item that could be read, but not be written again to tell it by its content
        raise InvalidEvidence(
            f"{path} has an item that is nested too deeply to be told by its content. Was it written by {reader.title}?"
        ) from None


def _by_model(title: str, path: Path, runs: Sequence[Run], wanted: Wanted) -> list[_Source]:
    if wanted.model is not None:
        known = sorted({run.model for run in runs})
        runs = [run for run in runs if run.model == wanted.model]
        if not runs:
            raise InvalidOption(f"{path} has no model {wanted.model!r}. It has {told(known)}.")
    if not runs:
        raise InvalidEvidence(f"{path} holds no run that is scored.")
    models: dict[str, list[Run]] = {}
    for run in runs:
        models.setdefault(run.model, []).append(run)
    for model, own in models.items():
        tasks = [run.task for run in own]
        if len(set(tasks)) < len(tasks):
            twice = max(tasks, key=tasks.count)
            raise InvalidEvidence(
                f"{path} has more than one run of {model!r} on {twice!r}. Give the one that is meant."
            )
    alone = len(models) == 1
    return [
        _Source(title=title if alone else f"{title}/{model}", path=path, runs=tuple(own))
        for model, own in models.items()
    ]


def _title(path: Path) -> str:
    return path.name if path.is_dir() else path.stem


def _told_apart(found: list[_Source]) -> list[_Source]:
    """Return the runs under titles that differ: logs that are called the same are told by their folders."""
    alike = {title for title, often in Counter(source.title for source in found).items() if often > 1}
    named = [
        replace(source, title=f"{source.path.absolute().parent.name}/{source.title}")
        if source.title in alike
        else source
        for source in found
    ]
    seen: Counter[str] = Counter()
    for place, source in enumerate(named):
        seen[source.title] += 1
        if seen[source.title] > 1:
            named[place] = replace(source, title=f"{source.title} ({seen[source.title]})")
    return named


def _refuse_other_tasks(found: Iterable[_Source]) -> None:
    """Refuse runs of different tasks: ids that are mere numbers would join them all the same."""
    tasks = {source.runs[0].task.rpartition("/")[2]: source for source in found}
    if len(tasks) > 1 and not all(_has(source.runs[0], "proof") for source in tasks.values()):
        (here, first), (there, second) = list(tasks.items())[:2]
        raise InvalidEvidence(
            f"{first.title} is of the task {here!r} and {second.title} of {there!r}: different items cannot be paired."
            " Give runs of one task."
        )


def _bounded(source: _Source, told: Scored) -> _Source:
    """Return the runs with bounds that were told, unless the log knows better."""
    for run in source.runs:
        if run.bounds not in (None, told.bounds):
            raise InvalidOption(
                f"bounds={told.bounds}: {source.title} says that {run.metric!r} lies between {run.bounds[0]:g} and"
                f" {run.bounds[1]:g}. Leave bounds out."
            )
    return replace(source, runs=tuple(replace(run, bounds=told.bounds) for run in source.runs))


def _has(run: Run, column: str) -> bool:
    return column in run.table.lazy().collect_schema().names()


def _predictions(
    source: _Source, several: bool, parts: Mapping[str, str | None], options: Mapping[str, Any]
) -> Predictions:
    """Return the runs of one model as one table of scores."""
    polars = import_extra("polars", "tables")
    model = source.runs[0].model or source.title
    if model in _COLUMNS or model in parts.values():  # a model that is called as a column is
        model = f"model {model}"
    extras = [name for name in dict.fromkeys(parts.values()) if name is not None and name != "task"]
    every = [name for name in ("epoch", "proof") if any(_has(run, name) for run in source.runs)]
    if "proof" in every and not all(_has(run, "proof") for run in source.runs):
        every.remove("proof")
    tables = []
    for run in source.runs:
        table = run.table.lazy()
        if "epoch" in every and not _has(run, "epoch"):
            table = table.with_columns(epoch=polars.lit(1, dtype=polars.Int64))
        columns = [polars.col("id").cast(polars.String), *every, polars.col("score").cast(polars.Float64).alias(model)]
        table = table.select(*columns, *(name for name in extras if name not in ("id", "score", *every)))
        task = polars.lit(run.task)
        if several:
            table = table.with_columns(polars.concat_str(task, polars.lit("/"), polars.col("id")).alias("id"))
        if "task" in parts.values():
            table = table.with_columns(task=task)
        tables.append(table)
    whole = tables[0] if len(tables) == 1 else polars.concat(tables, how="vertical_relaxed")
    named: dict[str, Any] = {part: name for part, name in parts.items() if name is not None}
    named |= {name: name for name in every}
    predictions = Predictions.of(whole, id="id", models=[model], scores=_scored(source), **named, **options)
    notes = tuple(
        f"{source.title}: {note}" for note in dict.fromkeys(note for run in source.runs for note in run.notes)
    )
    return replace(predictions, source=source.title, notes=notes)


def _scored(source: _Source) -> Scored:
    """Return what the scores of all tasks are; under one name only where they have one."""
    first = source.runs[0]
    names = {run.metric for run in source.runs}
    for run in source.runs:
        if (run.higher_is_better, run.bounds) != (first.higher_is_better, first.bounds):
            raise InvalidOption(
                f"{source.title}: {first.metric!r} of {first.task!r} and {run.metric!r} of {run.task!r} are scores of"
                " different kinds, which have no common mean. Choose a task: task='...' (--task)."
            )
    metric = first.metric if len(names) == 1 else "score"
    return Scored(metric=metric, higher_is_better=first.higher_is_better, bounds=first.bounds)
