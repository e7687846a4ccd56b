"""The files of a run of lm-evaluation-harness: samples for each task, and results for all tasks.

`<model>/samples_<task>_<time>.jsonl` and `<model>/results_<time>.json` with the same time are of one run. The model,
the direction of a metric and the tasks of a group are only in the results.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...errors import InvalidEvidence
from .json_stream import first_keys
from .run import Head, Selection, choose
from .run_rows import as_list, as_object

TOOL = "lm-evaluation-harness"
FIRST_KEYS = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps")  # of a row since 0.4.0, in this order
_STAMP = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
_SAMPLES = re.compile(rf"samples_(?P<task>.+)_(?P<stamp>{_STAMP})\.jsonl")
_RESULTS = re.compile(rf".+_(?P<stamp>{_STAMP})\.json")
_START = 60_000  # bytes: a beginning of this length may end within the first row
_LARGEST_RESULTS = 1 << 26
_KEPT_BY = "The harness keeps samples, by which runs are compared, if it is run with --log_samples."


@dataclass(frozen=True, slots=True)
class Results:
    """The content of a results file; empty if there is no file."""

    content: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def beside(cls, samples: Path, stamp: str) -> Results:
        """Return the results of the run that wrote these samples, which have the same time in their name."""
        for path in sorted(samples.parent.glob(f"*_{stamp}.json")):
            if path.stat().st_size > _LARGEST_RESULTS:
                continue
            try:
                content = json.loads(path.read_bytes())
            except (ValueError, RecursionError):
                raise InvalidEvidence(
                    f"{path} must be complete JSON. Move it away to read the samples without it."
                ) from None
            if isinstance(content, dict) and "results" in content:
                return cls(content)
        return cls()

    def of(self, *keys: str) -> Any:
        """Return the value at a path of keys; None if there is none.

        Examples
        --------
        >>> Results({"n-shot": {"arc": 25}}).of("n-shot", "arc"), Results().of("n-shot", "arc")
        (25, None)
        """
        value: Any = self.content
        for key in keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        return value

    def tasks_of(self, group: str) -> set[str]:
        """Return the tasks of a group and of the groups within it; a name that is not a group is a task.

        Examples
        --------
        >>> sorted(Results({"group_subtasks": {"all": ["some", "c"], "some": ["a", "b"]}}).tasks_of("all"))
        ['a', 'b', 'c']
        """
        tasks, seen, waiting = set[str](), set[str](), [group]
        while waiting:
            name = waiting.pop()
            inner = [] if name in seen else [str(task) for task in as_list(self.of("group_subtasks", name))]
            tasks |= set() if inner or name in seen else {name}
            seen.add(name)
            waiting += inner
        return tasks

    def scores(self, task: str, filter: str | None) -> set[str]:  # noqa: A002  # the harness calls it so
        """Return the metrics that the run reports, of one filter or of all: a key is "metric,filter"."""
        results = self.of("results", task)
        pairs = [key.rpartition(",") for key in results if "," in key] if isinstance(results, Mapping) else []
        return {name for name, _, own_filter in pairs if not name.endswith("_stderr") and filter in (None, own_filter)}

    def aggregation(self, task: str, metric: str) -> str | None:
        """Return how the run puts a metric together, if the task says so."""
        for entry in as_list(self.of("configs", task, "metric_list")):
            if not isinstance(entry, Mapping) or "aggregation" not in entry:
                continue
            name = str(entry.get("metric"))
            if name == metric or name.lstrip().startswith(f"def {metric}("):  # a function is written as its source
                return str(entry["aggregation"])
        return None

    def filters(self, task: str) -> list[str]:
        """Return the filters of a task in their order, if it has any of its own."""
        listed = as_list(self.of("configs", task, "filter_list"))
        return [str(entry.get("name")) for entry in listed if isinstance(entry, Mapping)]

    @property
    def version(self) -> str:
        """Version of the harness."""
        return str(self.of("lm_eval_version") or "")


@dataclass(frozen=True, slots=True)
class Log:
    """A file of samples, and what is known of the run that wrote it."""

    path: Path
    task: str = ""  # unknown if the file was renamed
    model: str = ""
    results: Results = field(default_factory=Results)
    notes: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """Name for error messages."""
        return f"{self.path} (task {self.task!r})" if self.task else str(self.path)


def recognises(head: Head) -> bool:
    """Return whether this is a folder of a run, by file names, or a file of samples or results, by its first keys."""
    if head.is_folder:
        return any(_SAMPLES.fullmatch(Path(name).name) for name in head.names)
    if len(head.keys) < len(FIRST_KEYS) and len(head.start) >= _START:  # a long row, of which we see the beginning
        return len(head.keys) > 1 and head.keys == FIRST_KEYS[: len(head.keys)]
    return {*FIRST_KEYS} <= {*head.keys} or _are_results(head.keys)


def _are_results(keys: tuple[str, ...]) -> bool:
    return keys[:1] == ("results",) and ("group_subtasks" in keys or {"configs", "versions", "n-shot"} <= {*keys})


def logs_of(path: Path, selection: Selection) -> list[Log]:
    """Return the files of samples that are meant: of each task in each folder the newest."""
    logs = _newest_logs(*_find_samples(path))
    models = {log.model for log in logs}
    if selection.model is not None and "" not in models:
        choose("model", models, selection.model, option="model", where=path)
        logs = [log for log in logs if log.model == selection.model]
    if selection.task is not None:
        tasks = {log.task for log in logs} - {""}
        meant = {name for log in logs for name in log.results.tasks_of(selection.task)} & tasks
        if tasks and not meant:
            groups = {name for log in logs for name in as_object(log.results.of("group_subtasks"))}
            choose("task", tasks | groups, selection.task, option="task", where=path)
        logs = [log for log in logs if log.task in meant or not log.task]
    return logs


def _find_samples(path: Path) -> tuple[list[Path], Path]:
    """Return the files of samples in a folder, or those that a results file is of; and where they were looked for."""
    if path.is_dir():
        files = [file for file in sorted(path.rglob("samples_*.jsonl")) if _SAMPLES.fullmatch(file.name)]
        if not files:
            raise InvalidEvidence(f"{path} has no samples_<task>_<time>.jsonl. {_KEPT_BY}")
        return files, path
    with path.open("rb") as stream:
        keys = first_keys(stream.read(_START))
    if not _are_results(keys):
        return [path], path.parent
    named = _RESULTS.fullmatch(path.name)
    files = sorted(path.parent.glob(f"samples_*_{named['stamp']}.jsonl")) if named else []
    if not files:
        raise InvalidEvidence(f"{path} holds means alone, and there are no samples of that run next to it. {_KEPT_BY}")
    return files, path.parent


def _newest_logs(files: Iterable[Path], root: Path) -> list[Log]:
    runs: dict[tuple[Path, str], list[tuple[str, Path]]] = {}
    for file in files:
        named = _SAMPLES.fullmatch(file.name)
        task, stamp = (named["task"], named["stamp"]) if named else ("", "")
        runs.setdefault((file.parent, task), []).append((stamp, file))
    logs = []
    for (folder, task), stamped in runs.items():
        stamp, file = max(stamped)
        results = Results.beside(file, stamp) if stamp else Results()
        model = str(results.of("model_name") or (folder.name if folder != root else ""))
        notes = (f"of {len(stamped)} runs of {task!r} the newest is read, of {stamp}",) if len(stamped) > 1 else ()
        logs.append(Log(file, task, model, results, notes))
    return logs
