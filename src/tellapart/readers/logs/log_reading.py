"""From logs to predictions: recognise the tool, select runs, and join them in one table."""

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
from ...predictions.engine import unknown_name
from ..files import files_inside, first_bytes, path_exists
from .json_stream import first_keys
from .run import Head, LogRun, Reader, Selection

# Values of --format, and the module that reads each; recognised in this order.
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
_HEAD = 65_536  # bytes by which a file is recognised
_MOST_NAMES = 20_000  # files of a folder by which it is recognised
_COLUMNS = ("id", "epoch", "proof", "task")  # of a table of runs, in addition to the model's
_TAKEN = ("id", "epoch", "score", "error", "proof", "filter")  # names of columns that readers use


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """The runs of one model in one log (or folder of logs), one for each task."""

    title: str
    path: Path
    runs: tuple[LogRun, ...]

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
    """Return predictions from logs of evaluation tools: Inspect, lm-evaluation-harness, promptfoo, MLflow and others.

    Runs are joined by ids that the tool guarantees for the same item, never by position; if the tool keeps evidence
    that items are the same, such as a hash, it must agree. Several tasks of a log are groups. Epochs are repeats of
    one item.

    Parameters
    ----------
    sources
        Files or folders, each with one run or more.
    format
        The tool: "inspect", "lm-eval", "promptfoo", "deepeval", "openai-evals", "helm", "swe-bench", "mlflow" or
        "every-eval-ever". Default: recognised by content.
    task, filter, metric, model
        The task, filter, score and model to read, if a log has several.
    cluster, group, sampling_weight
        Metadata fields of the samples: clusters of dependent samples, groups to compare separately, and weights.
    bounds
        The smallest and largest possible score, if the log does not state them.
    higher_is_better
        Whether higher scores are better. Most logs do not state it; the default for unknown metrics is True.
    missing
        How to handle an item that one of the runs lacks: "fail", "wrong" or "drop".
    errors
        How to handle an answer without a score: "fail", "wrong" (the worst score) or "drop" (left out for all
        runs). Default: "fail" if the runs differ in them.

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
        raise InvalidInput("`sources` must name at least one log, got none.")
    columns = tuple(dict.fromkeys(name for name in (cluster, group, sampling_weight) if name not in (None, "task")))
    for name in columns:
        if name in _TAKEN:
            raise InvalidOption(
                f"metadata fields must not be named {', '.join(map(repr, _TAKEN))}, got {name!r}. Rename the field."
            )
    selection = Selection(task=task, filter=filter, metric=metric, model=model, columns=columns)
    sources_read = [one_source for source in sources for one_source in _read_sources(Path(source), format, selection)]
    sources_read = _with_distinct_titles(sources_read)
    several = max(len(source.runs) for source in sources_read) > 1
    if not several:
        _refuse_other_tasks(sources_read)
    if bounds is not None:
        sources_read = [_with_bounds(source, Scored(bounds=bounds)) for source in sources_read]
    if higher_is_better is not None:
        sources_read = [
            replace(source, runs=tuple(replace(run, higher_is_better=higher_is_better) for run in source.runs))
            for source in sources_read
        ]
    roles = {"cluster": cluster, "sampling_weight": sampling_weight}
    roles["group"] = group or ("task" if several else None)
    options: dict[str, Any] = {"missing": missing, "errors": errors}
    tables = {source.title: _join_runs(source, several, roles, options) for source in sources_read}
    return next(iter(tables.values())) if len(tables) == 1 else Predictions.joined(tables)


def runs_of(path: Path, name: str | None, selection: Selection) -> list[LogRun]:
    """Return the selected runs of a log, or of all logs in a folder."""
    return [run for source in _read_sources(path, name, selection) for run in source.runs]


def recognise(path: Path) -> Reader | None:
    """Return the reader of this file or folder, recognised by content; None if it is not a known log."""
    head = _read_head(path)
    claims = (reader for reader in map(_import_reader, FORMATS.values()) if reader.recognises(head))
    recognised = next(claims, None)
    second_reader = next(claims, None) if head.is_folder else None
    if recognised is not None and second_reader is not None:
        raise InvalidEvidence(
            f"the folder {path} must hold logs of one tool, got {recognised.title} and {second_reader.title}. Use"
            f" format={recognised.name!r}."
        )
    return recognised


def _import_reader(module: str) -> Reader:
    reader: Reader = import_module(f".{module}", __package__).READER
    return reader


def _read_head(path: Path) -> Head:
    there = path_exists(path)
    if path.is_dir():
        inside = files_inside(path)
        names = [str(file.relative_to(path)) for file, _ in zip(inside, range(_MOST_NAMES), strict=False)]
        return Head(path=path, names=tuple(sorted(names)))
    if not there:
        raise InvalidInput(f"file not found: {path}")
    if not path.is_file():
        raise InvalidInput(f"{path} must be a file or a folder. Write the output of a pipe to a file first.")
    start = first_bytes(path, _HEAD).removeprefix(codecs.BOM_UTF8)
    return Head(path=path, start=start, keys=first_keys(start))


def _find_reader(path: Path, name: str | None) -> Reader | None:
    """Return the reader of a log, or None for a folder of logs that are recognised one by one."""
    if name is not None:
        if name not in FORMATS:
            raise unknown_name("format", "a known format", name, list(FORMATS), InvalidOption)
        head, reader = _read_head(path), _import_reader(FORMATS[name])
        return reader if not head.is_folder or reader.recognises(head) else None
    recognised = recognise(path)
    if recognised is None and path.is_file() and not path.stat().st_size:
        raise InvalidEvidence(f"file is empty: {path}")
    if recognised is None and not path.is_dir():
        raise InvalidEvidence(
            f"{path} must be a log of a known tool ({', '.join(FORMATS)}). Name the tool with `format`, or use"
            " read_predictions for a table."
        )
    return recognised


def _read_sources(path: Path, name: str | None, selection: Selection) -> list[_Source]:
    """Return the runs of a log, by model; for a folder that is not one log, those of every log in it."""
    reader = _find_reader(path, name)
    if reader is not None:
        return _group_by_model(_title_of(path), path, _read_log(reader, path, selection), selection)
    sources = []
    for file in sorted(file for file in files_inside(path) if not file.name.startswith(".")):
        file_reader = recognise(file)
        if file_reader is not None and name in (None, file_reader.name):
            sources += _group_by_model(_title_of(file), file, _read_log(file_reader, file, selection), selection)
    if not sources:
        which = "a known tool" if name is None else _import_reader(FORMATS[name]).title
        raise InvalidEvidence(f"the folder {path} must hold a log of {which}, got none. Hidden files are ignored.")
    return sources


def _read_log(reader: Reader, path: Path, selection: Selection) -> list[LogRun]:
    try:
        return reader.runs(path, selection)
    except OSError as error:
        raise InvalidInput(f"cannot read {error.filename or path}: {error.strerror or error}.") from error
    except RecursionError:  # an item that can be parsed, but not hashed
        raise InvalidEvidence(
            f"items of {path} must not be nested so deeply. Check that it was written by {reader.title}."
        ) from None


def _group_by_model(title: str, path: Path, runs: Sequence[LogRun], selection: Selection) -> list[_Source]:
    if selection.model is not None:
        names = sorted({run.model for run in runs})
        runs = [run for run in runs if run.model == selection.model]
        if not runs:
            raise unknown_name("model", f"one of the models in {path}", selection.model, names, InvalidOption)
    if not runs:
        raise InvalidEvidence(f"{path} must hold a scored run, got none.")
    models: dict[str, list[LogRun]] = {}
    for run in runs:
        models.setdefault(run.model, []).append(run)
    for model, model_runs in models.items():
        tasks = [run.task for run in model_runs]
        if len(set(tasks)) < len(tasks):
            twice = max(tasks, key=tasks.count)
            raise InvalidEvidence(
                f"{path} must hold one run of {model!r} on {twice!r}, got several. Give the file of one run."
            )
    alone = len(models) == 1
    return [
        _Source(title=title if alone else f"{title}/{model}", path=path, runs=tuple(model_runs))
        for model, model_runs in models.items()
    ]


def _title_of(path: Path) -> str:
    return path.name if path.is_dir() else path.stem


def _with_distinct_titles(sources: list[_Source]) -> list[_Source]:
    """Return the runs with distinct titles: logs with the same name are preceded by their folders."""
    alike = {title for title, often in Counter(source.title for source in sources).items() if often > 1}
    named = [
        replace(source, title=f"{source.path.absolute().parent.name}/{source.title}")
        if source.title in alike
        else source
        for source in sources
    ]
    seen: Counter[str] = Counter()
    for index, source in enumerate(named):
        seen[source.title] += 1
        if seen[source.title] > 1:
            named[index] = replace(source, title=f"{source.title} ({seen[source.title]})")
    return named


def _refuse_other_tasks(sources: Iterable[_Source]) -> None:
    """Raise InvalidEvidence for runs of different tasks: their ids could be equal by chance."""
    tasks = {source.runs[0].task.rpartition("/")[2]: source for source in sources}
    if len(tasks) > 1 and not all(_has_column(source.runs[0], "proof") for source in tasks.values()):
        (here, first), (there, second) = list(tasks.items())[:2]
        raise InvalidEvidence(
            f"runs must be of one task, got {here!r} ({first.title}) and {there!r} ({second.title})."
            f" Different items cannot"
            " be paired."
        )


def _with_bounds(source: _Source, scored: Scored) -> _Source:
    """Return the runs with these bounds; raise InvalidOption if the log states others."""
    for run in source.runs:
        if run.bounds not in (None, scored.bounds):
            raise InvalidOption(
                f"`bounds` must be {run.bounds[0]:g} and {run.bounds[1]:g}, as {source.title} states for"
                f" {run.metric!r}, got"
                f" {scored.bounds}. Leave it out."
            )
    return replace(source, runs=tuple(replace(run, bounds=scored.bounds) for run in source.runs))


def _has_column(run: LogRun, column: str) -> bool:
    return column in run.table.lazy().collect_schema().names()


def _join_runs(
    source: _Source, several: bool, roles: Mapping[str, str | None], options: Mapping[str, Any]
) -> Predictions:
    """Return the runs of one model as one table of scores."""
    polars = import_extra("polars", "tables")
    model = source.runs[0].model or source.title
    if model in _COLUMNS or model in roles.values():  # a model that is called as a column is
        model = f"model {model}"
    extras = [name for name in dict.fromkeys(roles.values()) if name is not None and name != "task"]
    every = [name for name in ("epoch", "proof") if any(_has_column(run, name) for run in source.runs)]
    if "proof" in every and not all(_has_column(run, "proof") for run in source.runs):
        every.remove("proof")
    tables = []
    for run in source.runs:
        table = run.table.lazy()
        if "epoch" in every and not _has_column(run, "epoch"):
            table = table.with_columns(epoch=polars.lit(1, dtype=polars.Int64))
        columns = [polars.col("id").cast(polars.String), *every, polars.col("score").cast(polars.Float64).alias(model)]
        table = table.select(*columns, *(name for name in extras if name not in ("id", "score", *every)))
        task = polars.lit(run.task)
        if several:
            table = table.with_columns(polars.concat_str(task, polars.lit("/"), polars.col("id")).alias("id"))
        if "task" in roles.values():
            table = table.with_columns(task=task)
        tables.append(table)
    whole = tables[0] if len(tables) == 1 else polars.concat(tables, how="vertical_relaxed")
    named: dict[str, Any] = {role: name for role, name in roles.items() if name is not None}
    named |= {name: name for name in every}
    predictions = Predictions.of(whole, id="id", models=[model], scores=_shared_scored(source), **named, **options)
    notes = tuple(
        f"{source.title}: {note}" for note in dict.fromkeys(note for run in source.runs for note in run.notes)
    )
    return replace(predictions, source=source.title, notes=notes)


def _shared_scored(source: _Source) -> Scored:
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
