"""Logs of OpenAI evals: JSON lines with the run's spec first, then events, and a final report among them.

An event belongs to a sample: `match` tells whether an answer was right, `metrics` has numbers by name. The id of a
sample is its index in the data file, which is the same in every run unless the file changes. Therefore the expected
answer (or, without one, the prompt) is kept as proof. If the model fails, the whole run ends: later samples and the
final report are missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...errors import InvalidEvidence
from .json_stream import lines
from .run import Head, LogRun, Reader, Selection, choose
from .run_rows import WHOLE, RunRows, as_score, fingerprint, first_line, keep_metadata
from .stated import as_count, note_count, note_mean

_SPEC = (b'"eval_name"', b'"base_eval"', b'"run_config"')
_ACCURACY = "accuracy"  # the tool's name for the mean of its matches
_BOUNDED = {_ACCURACY, "f1_score", "metascore"}
_MEANS = {*_BOUNDED, "score"}  # the final report gives the mean over the samples
_INVALID = "__invalid__"  # the choice of a judge whose answer could not be read
_MOST_SCORES = 1000  # names of scores, above which a file is refused


def _recognises_log(head: Head) -> bool:
    return not head.is_folder and head.keys[:1] == ("spec",) and all(key in head.start for key in _SPEC)


@dataclass(slots=True)
class _Sample:
    """One sample: its scores by name, with one value for each time it was scored."""

    scores: dict[str, list[float | None]] = field(default_factory=dict)
    error: str | None = None
    expected: str | None = None  # hashes
    prompt: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Log:
    where: Path
    selection: Selection
    spec: Mapping[str, Any] = field(default_factory=dict)
    report: Mapping[str, Any] | None = None
    samples: dict[str, _Sample] = field(default_factory=dict)
    unread: int = 0  # answers of a judge
    chosen: int = 0  # answers of a judge that are a choice
    numbers: set[int] = field(default_factory=set)  # of the events, which the tool counts from 0

    def add(self, event: Mapping[str, Any]) -> None:
        """Add the data of an event to its sample."""
        data, name, kind = event.get("data"), event.get("sample_id"), event.get("type")
        self._count_event(event.get("event_id"))
        if name is None or not isinstance(data, dict):
            return
        sample = self.samples.setdefault(str(name), _Sample())
        if kind == "match":
            self._add_score(sample, "match", data.get("correct"), name)
            if data.get("expected") is not None and sample.expected is None:
                sample.expected = fingerprint(data["expected"])
        elif kind == "metrics":
            self.chosen += "choice" in data
            self.unread += data.get("choice") == _INVALID
            for key, value in data.items():
                if value is None or isinstance(value, int | float):
                    self._add_score(sample, key, value, name)
        elif kind == "sampling" and sample.prompt is None:
            sample.prompt = fingerprint(data.get("prompt"))
        elif kind == "error":
            sample.error = first_line(data.get("message") or data.get("type") or "")
        if self.selection.columns and kind in ("match", "metrics", "raw_sample"):
            sample.metadata |= keep_metadata(data, self.selection, whole=len(self.samples) <= WHOLE)

    def _count_event(self, number: Any) -> None:
        if as_count(number) is None:
            return
        if number in self.numbers:
            raise InvalidEvidence(f"{self.where} has event {number} twice. Keep the events of one.")
        self.numbers.add(number)

    def _add_score(self, sample: _Sample, key: str, value: Any, name: Any) -> None:
        if len(sample.scores) > _MOST_SCORES:
            raise InvalidEvidence(
                f"{self.where} has more than {_MOST_SCORES} names of scores. Check that it was written by OpenAI evals."
            )
        sample.scores.setdefault(key, []).append(as_score(value, f"{self.where}, sample {name}: {key}"))

    def names(self) -> dict[str, str]:
        """Return the key of each score by name; matches are the accuracy unless the log states it."""
        keys = {
            key
            for sample in self.samples.values()
            for key, values in sample.scores.items()
            if any(value is not None for value in values)
        }
        names = {key: key for key in keys - {"match"}}
        if "match" in keys:
            names.setdefault(_ACCURACY, "match")
        return names


def _read_runs(path: Path, selection: Selection) -> list[LogRun]:
    log = _Log(where=path, selection=selection)
    with path.open("rb") as stream:
        for line in lines(stream, path):
            if isinstance(line.get("spec"), dict):
                if log.spec:
                    raise InvalidEvidence(f"{path} holds more than one run. Give each run a file of its own.")
                log.spec = line["spec"]
            elif "final_report" in line:  # before the events, where the run was short
                log.report = line["final_report"] if isinstance(line["final_report"], dict) else {}
            else:
                log.add(line)
    if not log.spec:
        raise InvalidEvidence(f"{path} has no spec of a run. Check that it is a log of OpenAI evals.")
    task = str(log.spec.get("eval_name") or log.spec.get("base_eval") or "")
    if selection.task != log.spec.get("base_eval"):
        choose("task", [task], selection.task, option="task", where=path)
    names = log.names()
    metric = choose("score", names, selection.metric, option="metric", where=path)
    return [_build_run(log, task, metric, names[metric])]


def _build_run(log: _Log, task: str, metric: str, key: str) -> LogRun:
    rows = RunRows(log.selection, log.where)
    lost = 0
    by_expected = any(sample.expected for sample in log.samples.values())
    for name, sample in log.samples.items():
        values = sample.scores.get(key) or [None]
        unscored = values == [None]
        lost += sample.error is not None and not unscored
        for value in values:
            rows.add(
                name,
                value,
                error=sample.error if unscored else None,
                proof=sample.expected if by_expected else sample.prompt,
                metadata=sample.metadata,
            )
    table = rows.table()
    models = log.spec.get("completion_fns") or [log.spec.get("model_name") or ""]
    return LogRun(
        table=table,
        tool="OpenAI evals",
        model=",".join(map(str, models)) if isinstance(models, list) else str(models),
        task=task,
        metric=metric,
        bounds=(0.0, 1.0) if metric in _BOUNDED else None,
        notes=(*_collect_notes(log, table, lost, repeated=rows.counted), *_find_contradictions(log, table, metric)),
    )


def _collect_notes(log: _Log, table: Any, lost: int, *, repeated: bool) -> Iterator[str]:
    if log.report is None:
        yield "the run has no final report: it was cut short, or is not finished"
    if repeated:
        yield "samples that were scored several times are repeats of one item"
    if lost:
        yield f"samples with scores and errors, of which only the scores are used: {lost}"
    if log.unread:
        yield f"answers of the judge that could not be read, to which the tool gives the lowest score: {log.unread}"
    unscored = table["score"].null_count()
    if unscored:
        yield f"answers with no score, which the tool leaves out of its own mean: {unscored}"


def _find_contradictions(log: _Log, table: Any, metric: str) -> Iterator[str]:
    """Yield notes on statements of the log that contradict the events read."""
    noted = []
    if log.numbers:
        noted = [*note_count("the numbering implies", max(log.numbers) + 1, len(log.numbers), "events")]
    report = log.report or {}
    counts = [as_count(value) for key, value in report.items() if key.startswith("counts/")]
    if not noted and counts and None not in counts:
        noted = [*note_count("the final report is of", sum(filter(None, counts)), log.chosen, "answers of the judge")]
    if not noted and metric in _MEANS:
        noted = [*note_mean("the final report", metric, report.get(metric), table["score"].mean())]
    yield from noted


READER = Reader(name="openai-evals", title="OpenAI evals", recognises=_recognises_log, runs=_read_runs)
