"""Logs of Inspect: .eval (a zip file, of which the summaries are read) and .json (streamed).

A log is one model on one task. Samples have an id and an epoch; each scorer gives a letter (C, P, I, N), a number, a
truth value, or a dictionary of these, of which each key is a score of its own: "scorer/key". What failed or was not
scored Inspect leaves out of its own mean; here it is a row without a score.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from array import array
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import numpy as np

from ...errors import InvalidEvidence, InvalidOption, import_extra
from ...predictions.engine import quote_names
from .archive import MAGIC, Archive
from .json_stream import Window, first_keys
from .run import Head, LogRun, Reader, Selection, choose, clean, extra_columns
from .run_rows import WHOLE, as_list, as_object, first_line, keep_metadata
from .stated import as_count, note_count, note_mean

_KNOWN_VERSION = 2  # of the format; it has been 2 since 2024
_START, _HEADER, _SUMMARIES = "_journal/start.json", "header.json", "summaries.json"
_JOURNAL = re.compile(r"_journal/summaries/(\d+)\.json")  # all there is of a run that is not finished
_SAMPLE = re.compile(r"samples/.+_epoch_\d+(?:/sample)?\.json", re.DOTALL)
_LOG_NAME = re.compile(r".*\.eval|\d{4}-\d\d-\d\dT\d\d[-:]\d\d.*\.json")  # as Inspect names them in a folder
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}  # correct, partly, incorrect, no answer
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_LOWER_IS_BETTER = {"perplexity", "target_perplexity"}
_BOUNDED = {"f1"}  # scorers of Inspect whose numbers lie between 0 and 1; letters and truth values always do
_LONGEST_INPUT = 5120  # characters of an input that a summary keeps
_REMOVED, _SHORTENED = "Key removed from summary (> 1k)", 1000
_LARGEST_PART = 1 << 25  # characters of a header, or of the summary of one sample: a packed one costs its sender little
_MOST_SCORES = 1000  # names of scores, above which a file is refused


def _recognises_log(head: Head) -> bool:
    if head.is_folder:
        named = (head.path / name for name in head.names if _LOG_NAME.fullmatch(Path(name).name))
        return any(_is_log(path) for path in named)
    if head.start.startswith(MAGIC):
        length = int.from_bytes(head.start[26:28], "little")
        return head.start[30 : 30 + length] == _START.encode() or _has_members(head.path)
    return {"version", "status", "eval"} <= set(head.keys) and b'"task"' in head.start


def _is_log(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(1 << 16)
    except OSError:
        return False
    return _recognises_log(Head(path=path, start=start, keys=first_keys(start)))


def _has_members(path: Path) -> bool:
    """Whether a zip file whose members are in another order is a log."""
    try:
        with Archive(path, {_START, _HEADER, _SUMMARIES}.__contains__) as archive:
            return _START in archive.members or {_HEADER, _SUMMARIES} <= archive.members.keys()
    except (InvalidEvidence, OSError):
        return False


def _read_runs(path: Path, selection: Selection) -> list[LogRun]:
    if not path.is_dir():
        return [_build_run(path, selection)]
    logs = sorted(file for file in path.rglob("*") if _LOG_NAME.fullmatch(file.name) and _is_log(file))
    headers = [_read_header(log) for log in logs]
    selected = [pair for pair in zip(logs, headers, strict=True) if _is_selected(pair[1], selection)]
    if not selected:
        _refuse_selection(headers, selection, path)
    return [_build_run(log, selection, older=older) for log, older in _newest_logs(selected)]


def _newest_logs(logs_with_headers: list[tuple[Path, dict[str, Any]]]) -> Iterator[tuple[Path, int]]:
    """Yield, of each model and task, the last log of a run that was finished, and how many others there are."""
    of: dict[tuple[str, str], list[tuple[Path, dict[str, Any]]]] = {}
    for log, header in logs_with_headers:
        of.setdefault((header["eval"]["model"], header["eval"]["task"]), []).append((log, header))
    for logs in of.values():
        yield max(logs, key=lambda log: (log[1].get("status") == "success", _created_at(log[1])))[0], len(logs) - 1


def _created_at(header: Mapping[str, Any]) -> datetime:
    try:
        made = datetime.fromisoformat(str(header["eval"].get("created")))
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return made if made.tzinfo else made.replace(tzinfo=UTC)


def _is_selected(header: Mapping[str, Any], selection: Selection) -> bool:
    """Whether the task and model of a log are selected; the name of a task "package/name" suffices."""
    task, model = header["eval"]["task"], header["eval"]["model"]
    return selection.task in (None, task, task.rpartition("/")[2]) and selection.model in (None, model)


def _refuse_selection(headers: list[dict[str, Any]], selection: Selection, where: Path) -> None:
    """Raise InvalidOption that lists the tasks or models if none is selected."""
    if not any(_is_selected(header, Selection(task=selection.task)) for header in headers):
        choose("task", [header["eval"]["task"] for header in headers], selection.task, option="task", where=where)
    choose("model", [header["eval"]["model"] for header in headers], selection.model, option="model", where=where)


def _read_header(path: Path) -> dict[str, Any]:
    """Return the header of a log, without its samples."""
    with path.open("rb") as file:
        if file.read(len(MAGIC)) == MAGIC:
            with Archive(path, {_START, _HEADER}.__contains__) as archive:
                return _archive_header(archive)
        file.seek(0)
        window = Window(file, path)
        header: dict[str, Any] = {}
        for key in window.members():
            if key not in {"samples", "reductions"}:
                header[key] = window.value()
            elif "eval" in header:
                break
            else:
                window.skip()
    return _check_header(header, path)


def _build_run(path: Path, selection: Selection, *, older: int = 0) -> LogRun:
    samples = _InspectSamples(selection, path)
    with path.open("rb") as file:
        packed = file.read(len(MAGIC)) == MAGIC
        file.seek(0)
        header = _read_archive(path, samples) if packed else _read_json(file, path, samples)
    about = header["eval"]
    if not _is_selected(header, selection):
        _refuse_selection([header], selection, path)
    metric = samples.choose([str(as_object(scorer).get("name")) for scorer in as_list(about.get("scorers"))])
    table, failed = samples.table(metric)
    scorer = metric.partition("/")[0]
    return LogRun(
        table=table,
        tool="Inspect",
        model=about["model"],
        task=about["task"],
        metric=metric,
        higher_is_better=scorer not in _LOWER_IS_BETTER,
        bounds=None if metric in samples.numeric and scorer not in _BOUNDED else (0.0, 1.0),
        version=str(as_object(about.get("packages")).get("inspect_ai", "")),
        notes=(
            *_collect_notes(header, path, older, table.height, samples),
            *_find_contradictions(header, metric, table, failed),
            *_left_out(table, failed),
        ),
    )


def _read_archive(path: Path, samples: _InspectSamples) -> dict[str, Any]:
    def keep(name: str) -> bool:
        samples.members += bool(_SAMPLE.fullmatch(name))
        return name in {_START, _HEADER, _SUMMARIES} or bool(_JOURNAL.fullmatch(name))

    with Archive(path, keep) as archive:
        header = _archive_header(archive)
        members = _list_summaries(archive)
        most = sum(
            archive.members[member].packed for member in members
        )  # a sample takes a byte at least: its id is its own
        for member in members:
            stream = archive.open(member)
            for sample in Window(stream, f"{path}: {member}", _LARGEST_PART).elements():
                samples.add(sample)
                if len(samples.ids) > most:
                    raise InvalidEvidence(f"{path} has more samples than bytes for them: this is a bomb, and no log.")
            _read_to_end(stream)
    return header


def _list_summaries(archive: Archive) -> list[str]:
    """Return the members that hold summaries: one, or of a run that is not finished the parts of its journal."""
    if _SUMMARIES in archive.members:
        return [_SUMMARIES]
    numbers = sorted(int(match[1]) for match in map(_JOURNAL.fullmatch, archive.members) if match)
    if numbers != list(range(1, len(numbers) + 1)):
        raise InvalidEvidence(f"{archive.path} lacks parts of its journal, of which it has {numbers}. Copy it again.")
    return [f"_journal/summaries/{number}.json" for number in numbers]


def _archive_header(archive: Archive) -> dict[str, Any]:
    member = _HEADER if _HEADER in archive.members else _START
    if member not in archive.members:
        raise InvalidEvidence(f"{archive.path} has neither {_HEADER} nor {_START}, one of which a log of Inspect has.")
    stream = archive.open(member)
    header = Window(stream, f"{archive.path}: {member}", _LARGEST_PART).value()
    _read_to_end(stream)
    return _check_header(header, archive.path)


def _read_to_end(stream: IO[bytes]) -> None:
    """Read to the end of a member, where its checksum is compared."""
    while stream.read(1 << 20):
        pass


def _read_json(file: IO[bytes], path: Path, samples: _InspectSamples) -> dict[str, Any]:
    window = Window(file, path)
    header: dict[str, Any] = {}
    for key in window.members():
        if key == "samples" and window.peek() == "[":
            for sample in window.elements():
                samples.add(sample)
        elif key != "reductions":
            header[key] = window.value()
        elif samples.ids and "eval" in header:
            break  # means over epochs, the last part of a log: all that is needed was there
        else:
            window.skip()
    return _check_header(header, path)


def _check_header(header: Any, path: Path) -> dict[str, Any]:
    if isinstance(header, dict):
        about = header.get("eval")
        if isinstance(about, dict) and isinstance(about.get("task"), str) and isinstance(about.get("model"), str):
            return header
    raise InvalidEvidence(f"{path} does not say of which task and model it is. Check that it is a log of Inspect.")


class _InspectSamples:
    """The samples as short columns, however long the samples are."""

    def __init__(self, selection: Selection, where: Path) -> None:
        self.selection, self.where = selection, where
        self.ids: list[str] = []
        self.epochs = array("q")
        self.proofs: list[str] = []
        self.failed: list[str | None] = []
        self.metadata: list[dict[str, Any]] = []
        self.members = 0  # samples that are in the log, but of which the summaries may be missing
        self.invalid = 0
        self.scores: dict[str, tuple[array[int], array[float]]] = {}  # a score: in which rows, and its values
        self.unscored: dict[str, dict[int, str]] = {}  # a score: rows where it was left open, and why
        self.refused: dict[str, str] = {}  # by score: a value that is not a score
        self.numeric: set[str] = set()

    def add(self, sample: Any) -> None:
        """Add the needed data of one sample."""
        if not isinstance(sample, dict) or not isinstance(sample.get("id"), str | int):
            raise InvalidEvidence(
                f"{self.where}: sample {len(self.ids) + 1} has no id. Check that it is a log of Inspect."
            )
        self.ids.append(clean(str(sample["id"])))  # Inspect, too, takes 1 and "1" for the same
        self.epochs.append(self._read_epoch(sample))
        self.proofs.append(_proof_of_item(sample.get("input")))
        self.failed.append(_first_error_line(sample.get("error")))
        self.invalid += bool(sample.get("invalidation"))
        if self.selection.columns:
            self._keep_metadata(as_object(sample.get("metadata")))
        scores = sample["scores"] if "scores" in sample else {"score": sample.get("score")}  # one, in the oldest logs
        for scorer, score in as_object(scores).items():
            self._keep_score(scorer, as_object(score))

    def _read_epoch(self, sample: Mapping[str, Any]) -> int:
        """Return the epoch of a sample; a wrong number would let one of two samples count for both."""
        epoch = sample.get("epoch", 1)
        if as_count(epoch) is None or epoch >= 2**63:
            raise InvalidEvidence(
                f"{self.where}: epoch of sample {self.ids[-1]!r} must be a whole number, got {str(epoch)[:60]!r}. Copy"
                " the log again, or run the evaluation again."
            )
        return int(epoch)

    def _keep_metadata(self, metadata: dict[str, Any]) -> None:
        for name, value in keep_metadata(metadata, self.selection).items():
            if value == _REMOVED or (isinstance(value, str) and len(value) > _SHORTENED):
                raise InvalidOption(
                    f"{self.where}: {name!r} of sample {self.ids[-1]!r} is too long to be kept whole in the summaries "
                    "of an Inspect log. Name a metadata field that is short."
                )
        self.metadata.append(keep_metadata(metadata, self.selection, whole=len(self.metadata) < WHOLE))

    def _keep_score(self, scorer: str, score: dict[str, Any]) -> None:
        value, why = score.get("value"), _first_error_line(score.get("reason") or score.get("explanation"))
        if isinstance(value, dict):
            for key, inner in value.items():
                self._keep_value(clean(f"{scorer}/{key}"), inner, why)
        else:
            self._keep_value(clean(scorer), value, why)

    def _keep_value(self, name: str, value: Any, why: str | None) -> None:
        row = len(self.ids) - 1
        if name not in self.scores and len(self.scores) == _MOST_SCORES:
            raise InvalidEvidence(
                f"{self.where} has more than {_MOST_SCORES} different scores. Check that it is a log of Inspect."
            )
        rows, values = self.scores.setdefault(name, (array("q"), array("d")))
        verdict = _score_verdict(value)
        number = _score_number(value) if verdict is None else verdict
        if number is None:
            self.refused.setdefault(name, f"{str(value)[:60]!r} (sample {self.ids[row]!r})")
        elif number != number:
            self.unscored.setdefault(name, {})[row] = why or "no score was given"
        else:
            if verdict is None:
                self.numeric.add(name)
            rows.append(row)
            values.append(number)

    def choose(self, declared: list[str]) -> str:
        """Return the name of the selected score; if all samples failed, of the declared scores."""
        if not self.ids:
            raise InvalidEvidence(
                f"{self.where} holds no samples. Was it written without them (log_samples=False, or only its header)?"
            )
        # A scorer of dictionaries may leave a sample open by a single NaN, which makes no score of its own.
        scored = [name for name, (rows, _) in self.scores.items() if rows or name in self.refused]
        names = scored or list(self.scores) or declared
        readable = [name for name in names if name not in self.refused]
        requested = self.selection.metric
        if (
            requested is not None and requested not in self.scores
        ):  # a key of a dictionary, as Inspect's results call it
            keys = [name for name in self.scores if name.partition("/")[2] == requested]
            requested = keys[0] if len(keys) == 1 else requested
        offered = readable if requested is None and readable else names
        chosen = choose("score", offered, requested, option="metric", where=self.where)
        if chosen in self.refused:
            raise InvalidEvidence(
                f"{self.where}: the score {chosen!r} is {self.refused[chosen]}, and only numbers, truth values, the "
                "letters C, P, I and N, and dictionaries of these can be compared."
            )
        return chosen

    def table(self, metric: str) -> tuple[Any, Any]:
        """Return the rows by this score, and which of them failed."""
        polars = import_extra("polars", "tables")
        rows, values = self.scores.get(metric, (array("q"), array("d")))
        scores = np.full(len(self.ids), np.nan)
        scores[np.asarray(rows)] = np.asarray(values)
        left_open = self.unscored.get(metric.partition("/")[0], {}) | self.unscored.get(metric, {})
        why = [None if score == score else self.failed[row] or left_open.get(row) for row, score in enumerate(scores)]
        epochs = np.asarray(self.epochs)
        repeated = {"epoch": epochs} if np.any(epochs != 1) else {}
        columns = {"id": self.ids, **repeated, "score": scores, "error": why, "proof": self.proofs}
        extra = extra_columns(self.metadata, self.selection, self.where) if self.selection.columns else {}
        frame = polars.DataFrame(extra | columns, schema_overrides={"error": polars.String}, strict=False)
        # A sample that was run again is in the log twice, and the last counts.
        named = frame.select("id", *repeated).with_row_index("tellapart row")
        last = named.unique(["id", *repeated], keep="last", maintain_order=True)["tellapart row"]
        failed = np.array([error is not None for error in self.failed])[last.to_numpy()]
        return frame[last].with_columns(polars.col("score").fill_nan(None)), failed


def _score_verdict(value: Any) -> float | None:
    """Return the score of a letter, word or boolean as in Inspect; None for any other value."""
    if isinstance(value, bool):
        return float(value)
    return _LETTERS.get(value, _WORDS.get(value.lower())) if isinstance(value, str) else None


def _score_number(value: Any) -> float | None:
    """Return a numeric score, NaN if it is missing; None for a value that is not a score."""
    if value is None:
        return math.nan
    try:
        number = float(value) if isinstance(value, str | int | float) else math.inf
    except (ValueError, OverflowError):
        return None
    return None if math.isinf(number) or (isinstance(value, str) and number != number) else number


def _first_error_line(content: Any) -> str | None:
    """Return how an error begins: of a summary a text, of a sample an object."""
    text = content.get("message") if isinstance(content, dict) else content
    return first_line(text) if text else None


def _proof_of_item(question: Any) -> str:
    """Return a hash of the question, which is the same for a sample and for its summary.

    A summary cuts texts, and writes "(Image)" for an image. Messages have random ids in each run.
    """
    text = json.dumps(
        [_shorten_message(message) for message in question] if isinstance(question, list) else _cut_text(question)
    )
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _shorten_message(message: Any) -> list[Any]:
    if not isinstance(message, dict):
        return [_cut_text(message)]
    content = message.get("content")
    return [
        message.get("role"),
        [_shorten_content(item) for item in content] if isinstance(content, list) else _cut_text(content),
    ]


def _shorten_content(item: Any) -> str:
    if not isinstance(item, dict):
        return _cut_text(item)
    kind = str(item.get("type", "text"))
    return _cut_text(item.get("text")) if kind == "text" else f"({kind.capitalize()})"


def _cut_text(text: Any) -> str:
    return text[:_LONGEST_INPUT] if isinstance(text, str) else ""


def _collect_notes(
    header: dict[str, Any], path: Path, older: int, height: int, samples: _InspectSamples
) -> Iterator[str]:
    """Yield notes on the run for readers of the answer."""
    status = header.get("status", "started")
    if status != "success":
        of = f" of {planned}" if (planned := _count_planned(header)) else ""
        yield f"the run was not finished (status {status!r}): the log has {height}{of} samples"
    if samples.members > len(samples.ids):
        yield f"of {samples.members} samples in the log, {len(samples.ids)} have a summary and are read"
    if len(samples.ids) > height:
        yield f"samples that are in the log again, of which the last is read: {len(samples.ids) - height}"
    if header.get("invalidated"):
        invalid = f"{samples.invalid} samples" if samples.invalid else "some samples"
        yield f"{invalid} were declared invalid after the run; they are counted, as Inspect counts them"
    if older:
        yield f"of {older + 1} runs of this model on {header['eval']['task']} only the last is read: {path.name}"
    version = header.get("version", _KNOWN_VERSION)
    if isinstance(version, int) and version > _KNOWN_VERSION:
        yield f"its format has version {version}, newer than the {_KNOWN_VERSION} that is known"


def _find_contradictions(header: dict[str, Any], metric: str, table: Any, failed: Any) -> Iterator[str]:
    """Yield notes on statements in the header of a finished run that the samples contradict."""
    results = as_object(header.get("results"))
    if header.get("status") != "success":
        return
    listed, planned = _listed_ids(header), _count_planned(header)
    total = as_count(results.get("total_samples")) or planned  # the oldest logs say 0
    missing = listed - set(table["id"]) if planned == total else set()
    noted = [*note_count("the header states", total or None, table.height, missing=missing)]
    if missing and not noted:  # as many samples, but others
        noted = [f"the header lists samples that the log does not have: {quote_names(sorted(missing))}"]
    if not noted and not np.any(failed & table["score"].is_not_null().to_numpy()):
        done = results.get("completed_samples") if results.get("total_samples") else None
        noted = [*note_count("the header states", done, int((~failed).sum()), "samples without an error")]
    yield from noted or _other_results(results, metric, table)


def _other_results(results: Mapping[str, Any], metric: str, table: Any) -> Iterator[str]:
    """Yield notes if Inspect states other counts or means than those of the scores read."""
    scored = table.drop_nulls("score")
    for score in map(as_object, as_list(results.get("scores"))):
        scorer, name = score.get("scorer", score.get("name")), score.get("name")
        if metric not in (name, f"{scorer}/{name}") or score.get("reducer") not in (None, "mean"):
            continue
        by_sample = "epoch" not in table.columns
        if by_sample:
            yield from note_count(
                "the header states", score.get("scored_samples"), scored.height, f"samples with a score {metric!r}"
            )
        if by_sample or not table["score"].null_count():  # else epochs weigh differently
            means = scored.select("id", "score").group_by("id").mean()["score"]
            for how in ("accuracy", "mean"):
                stated = as_object(as_object(score.get("metrics")).get(how))
                if not stated.get("params") and not stated.get("options"):
                    yield from note_mean("the header", f"{metric} {how}", stated.get("value"), means.mean())


def _left_out(table: Any, failed: Any) -> Iterator[str]:
    """Yield notes on samples that are excluded from the mean of Inspect."""
    scored = table["score"].is_not_null().to_numpy()
    if not scored.all():
        yield (
            f"Inspect excludes {(~scored).sum()} of {table.height} samples from its own mean: "
            f"{(failed & ~scored).sum()} failed, {(~failed & ~scored).sum()} were not scored"
        )
    if np.any(failed & scored):
        yield f"{(failed & scored).sum()} samples failed, but have scores"


def _count_planned(header: dict[str, Any]) -> int:
    epochs = as_count(as_object(header["eval"].get("config")).get("epochs"))
    return len(_listed_ids(header)) * (1 if epochs is None else epochs)


def _listed_ids(header: dict[str, Any]) -> set[str]:
    """Return the ids of the samples that the run was to have."""
    return {clean(str(name)) for name in as_list(as_object(header["eval"].get("dataset")).get("sample_ids"))}


READER = Reader(name="inspect", title="Inspect", recognises=_recognises_log, runs=_read_runs)
