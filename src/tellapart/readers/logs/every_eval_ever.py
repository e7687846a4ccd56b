"""The shared schema Every Eval Ever: a record for each sample and result, as JSON lines, read and written.

Next to the records (<uuid>_samples.jsonl) is a summary (<uuid>.json) with the direction and range of the score. The
schema has no missing scores: a failed sample has an error and a meaningless number. It has no repeats either:
converters write an epoch into the metadata, or nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, Literal, get_args

from ...errors import InvalidEvidence, InvalidOption
from ...replacing import replace_file
from .json_stream import Window, lines
from .run import Head, LogRun, Reader, Selection, choose
from .run_rows import RunRows, as_object, as_score, fingerprint, first_line
from .stated import as_count, note_count, note_mean

Relationship = Literal["first_party", "third_party", "collaborative", "other"]

_VERSION = (0, 3, 0)  # of the schema, that is known here and written
_SAMPLES = "_samples.jsonl"
_ROUNDED = 5e-4  # of a mean, which some write with three decimals
_LARGEST = 1e300  # beyond which there is no bound
_NAMED = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:_samples)?\.jsonl", re.I)
_RECORD = {"schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id"}
_SUMMARY = {"schema_version", "evaluation_id", "model_info", "evaluation_results"}
_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f]')  # in the names of folders
_UNKNOWN_LEVEL = -1
_LONGEST_NUMBER = 18  # digits of an epoch that is one


def _recognises_log(head: Head) -> bool:
    if head.is_folder:
        return any(_NAMED.fullmatch(PurePath(name).name) for name in head.names)
    keys = set(head.keys)
    return keys >= _RECORD or keys >= _SUMMARY


def _read_runs(path: Path, selection: Selection) -> list[LogRun]:
    if path.is_dir():
        files = sorted(file for file in path.rglob("*.jsonl") if _NAMED.fullmatch(file.name))
    else:
        files = [_records_of(path)]
    by_file = [(file, _read_records(file, selection)) for file in files]
    keys = {key for _, results in by_file for key in results}
    tasks, models = ({key[position] for key in keys} for position in (1, 0))
    requested = selection.task
    if not any(_is_task(task, selection) for task in tasks):
        choose("evaluation", tasks, requested or selection.filter, option="task", where=path)
    if selection.model is not None:
        choose("model", models, selection.model, option="model", where=path)
    return [
        _build_run(file, key, results[key], selection)
        for file, results in by_file
        for key in results
        if _is_task(key[1], selection) and selection.model in (None, key[0])
    ]


def _is_task(name: str, selection: Selection) -> bool:
    """Whether an evaluation is selected; converters append a filter to the task: "gsm8k/strict-match"."""
    if selection.filter is None:
        return selection.task in (None, name)
    task, _, behind = name.rpartition("/")
    return behind == selection.filter and selection.task in (None, task)


def _records_of(path: Path) -> Path:
    """Return the file of records, also if its summary is given instead."""
    with path.open("rb") as stream:
        window = Window(stream, path)
        first = window.value()
    if not isinstance(first, dict) or not first.keys() >= _SUMMARY:
        return path
    for name in (f"{path.stem}{_SAMPLES}", f"{path.stem}.jsonl"):
        if path.with_name(name).is_file():
            return path.with_name(name)
    raise InvalidEvidence(
        f"the summary {path} must have its records in the same folder ({path.stem}{_SAMPLES}). Means alone cannot be"
        " paired."
    )


# --- Reading ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Summary:
    """The metric and scores of the results, by evaluation and id of the result."""

    library: str = ""
    results: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)  # their metric_config
    scores: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)  # their score_details
    checksum: str = ""  # of the file of records, by SHA-256

    def config(self, task: str, result: str) -> Mapping[str, Any]:
        """Return the metric of a result; a result without an id must be the only one of its evaluation."""
        return _of_result(self.results, task, result)

    def score(self, task: str, result: str) -> Mapping[str, Any]:
        """Return the aggregated scores of a result, in the same way."""
        return _of_result(self.scores, task, result)


def _of_result(by_result: Mapping[tuple[str, str], Mapping[str, Any]], task: str, result: str) -> Mapping[str, Any]:
    of_task = [config for (name, _), config in by_result.items() if name == task]
    return by_result.get((task, result)) or (of_task[0] if len(of_task) == 1 and not result else {})


@dataclass(slots=True)
class _Records:
    """The records of one model and evaluation: by result, the rows."""

    summary: _Summary
    version: str
    rows: dict[str, RunRows] = field(default_factory=dict)


def _read_records(file: Path, selection: Selection) -> dict[tuple[str, str], _Records]:
    summary, total = _read_summary(file)
    by_key: dict[tuple[str, str], _Records] = {}
    count = 0
    with file.open("rb") as stream:
        for count, record in enumerate(lines(stream, file), start=1):
            if not record.keys() >= _RECORD or not isinstance(record.get("evaluation"), dict):
                raise InvalidEvidence(f"{file}: record {count} must follow the schema Every Eval Ever.")
            key = (str(record["model_id"]), str(record["evaluation_name"]))
            records = by_key.setdefault(key, _Records(summary, str(record["schema_version"])))
            if _is_task(key[1], selection):
                result = str(record.get("evaluation_result_id") or "")
                rows = records.rows.setdefault(result, RunRows(selection, file))
                _add_record(rows, record, summary.config(key[1], result), f"{file}, record {count}")
    if not count:
        raise InvalidEvidence(f"{file} must hold at least one record, got none.")
    if total is not None and count != total:
        raise InvalidEvidence(f"{file} must hold {total} records, got {count}. Copy the file again.")
    return by_key


def _read_summary(file: Path) -> tuple[_Summary, int | None]:
    """Return the summary next to the records, and the number of records that it states."""
    summary_file = file.with_name(f"{file.name.removesuffix('.jsonl').removesuffix('_samples')}.json")
    if summary_file == file or not summary_file.is_file():
        return _Summary(), None
    with summary_file.open("rb") as stream:
        content = Window(stream, summary_file).value()
    try:
        library = str((content.get("eval_library") or {}).get("name", ""))
        results = {
            (str(entry.get("evaluation_name")), str(entry.get("evaluation_result_id") or "")): {
                **entry["metric_config"]
            }
            for entry in content["evaluation_results"]
        }
        scores = {
            (str(entry.get("evaluation_name")), str(entry.get("evaluation_result_id") or "")): as_object(
                entry.get("score_details")
            )
            for entry in content["evaluation_results"]
        }
        detailed = content.get("detailed_evaluation_results") or {}
        total, checksum = detailed.get("total_rows"), detailed.get("checksum")
        hashed = str(checksum) if detailed.get("hash_algorithm") == "sha256" and checksum else ""
    except (AttributeError, KeyError, TypeError):
        raise InvalidEvidence(
            f"{summary_file} is not of the schema Every Eval Ever, but has the records' name."
        ) from None
    return _Summary(library=library, results=results, scores=scores, checksum=hashed), as_count(total)


def _add_record(rows: RunRows, record: Mapping[str, Any], config: Mapping[str, Any], where: str) -> None:
    score = as_score(record["evaluation"].get("score"), f"{where}: score")
    error = record.get("error")
    why = None if error is None else first_line(error)
    if score == _UNKNOWN_LEVEL and config.get("has_unknown_level"):
        why = why or "its level is unknown"
    metadata_field = record.get("metadata")
    metadata = metadata_field if isinstance(metadata_field, dict) else {}
    epoch = str(metadata.get("epoch", ""))
    rows.add(
        str(record["sample_id"]),
        score,
        epoch=int(epoch) if epoch.isascii() and epoch.isdigit() and len(epoch) < _LONGEST_NUMBER else None,
        error=why,
        proof=_proof_of_item(record),
        metadata=metadata,
    )


def _proof_of_item(record: Mapping[str, Any]) -> str | None:
    """Return a hash of the question; the hashes of converters differ."""
    question = record.get("input")
    if isinstance(question, dict) and question.get("raw"):
        reference = question.get("reference")
        return fingerprint(question["raw"], reference if isinstance(reference, list) else [reference])
    made = record.get("sample_hash")
    return str(made) if made else None


def _build_run(file: Path, key: tuple[str, str], records: _Records, selection: Selection) -> LogRun:
    model, task = key
    names = _name_results(task, records)
    requested = names.get(selection.metric, selection.metric) if selection.metric is not None else None
    metric = choose("result", names.values(), requested, option="metric", where=f"{file} ({task})")
    result = next(result_id for result_id, name in names.items() if name == metric)
    config = records.summary.config(task, result)
    rows = records.rows[result]
    table = rows.table()
    return LogRun(
        table=table,
        tool="Every Eval Ever",
        model=model,
        task=task,
        metric=metric,
        higher_is_better=config.get("lower_is_better") is not True,
        bounds=_find_bounds(config),
        version=records.version,
        notes=(
            *_collect_notes(records, rows, table),
            *_find_contradictions(file, records.summary, key[1], result, table),
        ),
    )


def _name_results(task: str, records: _Records) -> dict[str, str]:
    """Return the name of each result: that of its metric if distinct."""
    names = {}
    for result in records.rows:
        config = records.summary.config(task, result)
        names[result] = str(config.get("metric_name") or config.get("metric_id") or result or "score")
    return names if len(set(names.values())) == len(names) else {result_id: result_id or "score" for result_id in names}


def _find_bounds(config: Mapping[str, Any]) -> tuple[float, float] | None:
    if config.get("score_type") == "binary":
        return 0.0, 1.0
    ends = [config.get(name) for name in ("min_score", "max_score")]  # "Infinity" if there is none
    limits = [float(end) for end in ends if isinstance(end, int | float) and abs(end) <= _LARGEST]
    return (limits[0], limits[1]) if len(limits) == 2 and limits[0] < limits[1] else None


def _collect_notes(records: _Records, rows: RunRows, table: Any) -> Iterator[str]:
    version = tuple(map(int, re.findall(r"\d+", records.version)[:3]))
    if version[:2] > _VERSION[:2]:
        yield (
            f"its records have version {records.version}, newer than the supported version"
            f" ({'.'.join(map(str, _VERSION))})"
        )
    if rows.counted:
        yield "some samples occur several times: read as repeats"
    elif "epoch" in table.columns and "inspect" in records.summary.library:
        yield "its records may show the mean of all epochs in each epoch, as the converter for Inspect writes them"


def _find_contradictions(file: Path, summary: _Summary, task: str, result: str, table: Any) -> Iterator[str]:
    """Yield notes on statements of the summary that contradict the records."""
    stated = summary.score(task, result)
    noted: list[str] = []
    if "epoch" not in table.columns and not table["score"].null_count():  # else converters average differently
        count, mean = as_object(stated.get("uncertainty")).get("num_samples"), stated.get("score")
        noted = [*note_count("the summary is of", count, table.height)] or [
            *note_mean("the summary", result or "score", mean, table["score"].mean(), tolerance=_ROUNDED)
        ]
    if not noted and summary.checksum and _checksum_of(file) != summary.checksum.lower():
        noted = [
            "the records do not have the checksum that the summary gives: they were changed after they were written"
        ]
    yield from noted


def _checksum_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


# --- Writing ------------------------------------------------------------------------------------------


def write_run(
    run: LogRun,
    folder: str | os.PathLike[str],
    *,
    organization: str = "unknown",
    relationship: Relationship = "other",
    when: float | None = None,
) -> Path:
    """Write a run in the shared schema Every Eval Ever 0.3: its records and their summary.

    The files have the names and the location of the schema's data store: below `folder`,
    data/<task>/<developer>/<model>/<uuid>_samples.jsonl and <uuid>.json. Questions and answers are not kept, so the
    records do not contain them; an answer without a score is written as an error.

    Parameters
    ----------
    run
        A model on a task, as a reader of logs yields it.
    folder
        Where to write.
    organization, relationship
        Who ran it, and their relationship to the developer of the model: "first_party", "third_party",
        "collaborative" or "other".
    when
        The time of the records, in seconds since 1970. Default: now.

    Returns
    -------
    Path
        The file of records.

    Examples
    --------
    >>> import tempfile
    >>> import polars as pl
    >>> table = pl.DataFrame({"id": ["q1", "q2"], "score": [1.0, 0.0]})
    >>> run = LogRun(table=table, tool="demo", model="us/alder", task="quiz", metric="exact_match", bounds=(0, 1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = write_run(run, folder)
    ...     again = READER.runs(file, Selection())[0]
    >>> again.table["score"].to_list(), again.metric, again.bounds
    ([1.0, 0.0], 'exact_match', (0.0, 1.0))
    """
    if relationship not in get_args(Relationship):
        raise InvalidOption(f"`relationship` must be one of {get_args(Relationship)}, got {relationship!r}.")
    table = run.table.lazy().collect()
    if not table.height:
        raise InvalidEvidence("`run` must hold at least one answer, got none.")
    stamp = f"{time.time() if when is None else when:.6f}"
    model = run.model if "/" in run.model.strip("/") else f"unknown/{run.model.strip('/') or 'model'}"
    task = run.task or "evaluation"
    text = "".join(
        json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
        for record in _build_records(run, table, model, task, f"{task}/{model}/{stamp}")
    )
    parts = [_folder_name(name) for name in (task, *model.strip("/").split("/", 1))]
    identity = uuid.UUID(bytes=hashlib.sha256(text.encode()).digest()[:16], version=4)
    summary = _build_summary(run, table, model, task, stamp) | {
        "source_metadata": {
            "source_type": "evaluation_run",
            "source_organization_name": organization,
            "evaluator_relationship": relationship,
        },
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": "/".join(("data", *parts, f"{identity}{_SAMPLES}")),
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(text.encode()).hexdigest(),
            "total_rows": table.height,
        },
    }
    target = Path(folder, "data", *parts)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidOption(f"cannot write to {folder}: {error.strerror}.") from error
    replace_file(target / f"{identity}{_SAMPLES}", text)
    replace_file(target / f"{identity}.json", json.dumps(summary, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    return target / f"{identity}{_SAMPLES}"


def _folder_name(name: str) -> str:
    """Return a name that is valid on every file system, and not reserved by the data store."""
    safe_name = _UNSAFE.sub("_", name).rstrip(". ") or "_"
    return f"{safe_name}_" if safe_name == "data" else safe_name


def _build_records(run: LogRun, table: Any, model: str, task: str, evaluation: str) -> Iterator[dict[str, Any]]:
    others = [name for name in table.columns if name not in ("id", "score", "error", "proof")]
    worst = _worst_score(run)
    for row in table.iter_rows(named=True):
        score = row["score"]
        error = row.get("error") or (None if score is not None else "no score was given")
        metadata = {name: str(row[name]) for name in others if row[name] is not None}
        yield {
            "schema_version": ".".join(map(str, _VERSION)),
            "evaluation_id": evaluation,
            "model_id": model,
            "evaluation_name": task,
            "evaluation_result_id": run.metric,
            "sample_id": str(row["id"]),
            **({"sample_hash": row["proof"]} if row.get("proof") else {}),
            "interaction_type": "single_turn",
            "input": {"raw": "", "reference": []},
            "output": {"raw": []},
            "answer_attribution": [],
            "evaluation": {"score": worst if error else score, "is_correct": not error and score == _right_score(run)},
            **({"error": error} if error else {}),
            **({"metadata": metadata} if metadata else {}),
        }


def _worst_score(run: LogRun) -> float:
    """Return the number of a record without a score, as the schema requires one."""
    low, high = run.bounds or (0.0, 0.0)
    return float(low if run.higher_is_better else high)


def _right_score(run: LogRun) -> float | None:
    """Return the score of a right answer; None if scores are not right or wrong."""
    return 1.0 if run.bounds == (0, 1) and run.higher_is_better else None


def _build_summary(run: LogRun, table: Any, model: str, task: str, stamp: str) -> dict[str, Any]:
    scores: Sequence[float] = table["score"].drop_nulls().to_list()
    if not scores:
        raise InvalidEvidence("`run` must hold at least one score, got failed answers only.")
    config: dict[str, Any] = {
        "metric_id": run.metric,
        "metric_name": run.metric,
        "lower_is_better": not run.higher_is_better,
    }
    if run.bounds == (0, 1) and set(scores) <= {0.0, 1.0}:
        config["score_type"] = "binary"
    elif run.bounds is not None:
        config |= {"score_type": "continuous", "min_score": run.bounds[0], "max_score": run.bounds[1]}
    return {
        "schema_version": ".".join(map(str, _VERSION)),
        "evaluation_id": f"{task}/{model}/{stamp}",
        "retrieved_timestamp": stamp,
        "eval_library": {"name": run.tool, "version": run.version or "unknown"},
        "model_info": {
            "name": run.model,
            "id": model,
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": [
            {
                "evaluation_result_id": run.metric,
                "evaluation_name": task,
                "source_data": {"dataset_name": task, "source_type": "other"},
                "metric_config": config,
                "score_details": {"score": sum(scores) / len(scores), "uncertainty": {"num_samples": len(scores)}},
            }
        ],
    }


READER = Reader(name="every-eval-ever", title="Every Eval Ever", recognises=_recognises_log, runs=_read_runs)
