"""The shared schema Every Eval Ever: a record for each sample and result, as JSON lines, read and written.

Beside the records (<uuid>_samples.jsonl) stands what sums them up (<uuid>.json), which says whether less is better and
between what a score lies. The schema has no place for a missing score: a sample that failed has an error, and a number
that means nothing. It has none for repeats, either: converters put an epoch into the metadata, or tell nothing.
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
from .rows import Rows, as_object, as_score, fingerprint, first_line
from .run import Head, Reader, Run, Wanted, choose
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


def _recognises(head: Head) -> bool:
    if head.is_folder:
        return any(_NAMED.fullmatch(PurePath(name).name) for name in head.names)
    keys = set(head.keys)
    return keys >= _RECORD or keys >= _SUMMARY


def _runs(path: Path, wanted: Wanted) -> list[Run]:
    if path.is_dir():
        files = sorted(file for file in path.rglob("*.jsonl") if _NAMED.fullmatch(file.name))
    else:
        files = [_records_of(path)]
    found = [(file, _read(file, wanted)) for file in files]
    held = {key for _, results in found for key in results}
    tasks, models = ({key[place] for key in held} for place in (1, 0))
    asked = wanted.task
    if not any(_is_task(task, wanted) for task in tasks):
        choose("evaluation", tasks, asked or wanted.filter, option="task", where=path)
    if wanted.model is not None:
        choose("model", models, wanted.model, option="model", where=path)
    return [
        _run(file, key, results[key], wanted)
        for file, results in found
        for key in results
        if _is_task(key[1], wanted) and wanted.model in (None, key[0])
    ]


def _is_task(name: str, wanted: Wanted) -> bool:
    """Whether an evaluation is the one asked for; converters write a filter behind the task: "gsm8k/strict-match"."""
    if wanted.filter is None:
        return wanted.task in (None, name)
    task, _, behind = name.rpartition("/")
    return behind == wanted.filter and wanted.task in (None, task)


def _records_of(path: Path) -> Path:
    """Return the file of records, if what sums them up is given instead."""
    with path.open("rb") as stream:
        window = Window(stream, path)
        first = window.value()
    if not isinstance(first, dict) or not first.keys() >= _SUMMARY:
        return path
    for name in (f"{path.stem}{_SAMPLES}", f"{path.stem}.jsonl"):
        if path.with_name(name).is_file():
            return path.with_name(name)
    raise InvalidEvidence(
        f"{path} sums an evaluation up, and its records are not beside it ({path.stem}{_SAMPLES}). Means alone cannot"
        " be paired."
    )


# --- Reading ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Summary:
    """What is known of the results, by evaluation and the result's id."""

    library: str = ""
    results: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)  # their metric_config
    scores: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)  # their score_details
    checksum: str = ""  # of the file of records, by SHA-256

    def config(self, task: str, result: str) -> Mapping[str, Any]:
        """Return what is said of a result; of one without an id, where it is the only one of its evaluation."""
        return _of_result(self.results, task, result)

    def score(self, task: str, result: str) -> Mapping[str, Any]:
        """Return what the records of a result come to, in the same way."""
        return _of_result(self.scores, task, result)


def _of_result(known: Mapping[tuple[str, str], Mapping[str, Any]], task: str, result: str) -> Mapping[str, Any]:
    own = [each for (name, _), each in known.items() if name == task]
    return known.get((task, result)) or (own[0] if len(own) == 1 and not result else {})


@dataclass(slots=True)
class _Held:
    """The records of one model and evaluation: by result, the rows."""

    summary: _Summary
    version: str
    rows: dict[str, Rows] = field(default_factory=dict)


def _read(file: Path, wanted: Wanted) -> dict[tuple[str, str], _Held]:
    summary, total = _summary(file)
    found: dict[tuple[str, str], _Held] = {}
    count = 0
    with file.open("rb") as stream:
        for count, record in enumerate(lines(stream, file), start=1):
            if not record.keys() >= _RECORD or not isinstance(record.get("evaluation"), dict):
                raise InvalidEvidence(f"{file}, record {count}, is none of the schema. Is it of Every Eval Ever?")
            key = (str(record["model_id"]), str(record["evaluation_name"]))
            held = found.setdefault(key, _Held(summary, str(record["schema_version"])))
            if _is_task(key[1], wanted):
                result = str(record.get("evaluation_result_id") or "")
                rows = held.rows.setdefault(result, Rows(wanted, file))
                _add(rows, record, summary.config(key[1], result), f"{file}, record {count}")
    if not count:
        raise InvalidEvidence(f"{file} holds no record.")
    if total is not None and count != total:
        raise InvalidEvidence(
            f"{file} holds {count} records, and should have {total}. Was it cut short, or edited? Copy it again."
        )
    return found


def _summary(file: Path) -> tuple[_Summary, int | None]:
    """Return what the file beside the records says of them, and how many there should be."""
    beside = file.with_name(f"{file.name.removesuffix('.jsonl').removesuffix('_samples')}.json")
    if beside == file or not beside.is_file():
        return _Summary(), None
    with beside.open("rb") as stream:
        told = Window(stream, beside).value()
    try:
        library = str((told.get("eval_library") or {}).get("name", ""))
        results = {
            (str(each.get("evaluation_name")), str(each.get("evaluation_result_id") or "")): {**each["metric_config"]}
            for each in told["evaluation_results"]
        }
        scores = {
            (str(each.get("evaluation_name")), str(each.get("evaluation_result_id") or "")): as_object(
                each.get("score_details")
            )
            for each in told["evaluation_results"]
        }
        detailed = told.get("detailed_evaluation_results") or {}
        total, checksum = detailed.get("total_rows"), detailed.get("checksum")
        hashed = str(checksum) if detailed.get("hash_algorithm") == "sha256" and checksum else ""
    except (AttributeError, KeyError, TypeError):
        raise InvalidEvidence(f"{beside} is not of the schema Every Eval Ever, but has the records' name.") from None
    return _Summary(library=library, results=results, scores=scores, checksum=hashed), as_count(total)


def _add(rows: Rows, record: Mapping[str, Any], config: Mapping[str, Any], where: str) -> None:
    score = as_score(record["evaluation"].get("score"), f"{where}: score")
    error = record.get("error")
    why = None if error is None else first_line(error)
    if score == _UNKNOWN_LEVEL and config.get("has_unknown_level"):
        why = why or "its level is unknown"
    given = record.get("metadata")
    metadata = given if isinstance(given, dict) else {}
    epoch = str(metadata.get("epoch", ""))
    rows.add(
        str(record["sample_id"]),
        score,
        epoch=int(epoch) if epoch.isascii() and epoch.isdigit() and len(epoch) < _LONGEST_NUMBER else None,
        error=why,
        proof=_proof(record),
        metadata=metadata,
    )


def _proof(record: Mapping[str, Any]) -> str | None:
    """Return a hash of what was asked: converters make theirs in ways that differ."""
    given = record.get("input")
    if isinstance(given, dict) and given.get("raw"):
        reference = given.get("reference")
        return fingerprint(given["raw"], reference if isinstance(reference, list) else [reference])
    made = record.get("sample_hash")
    return str(made) if made else None


def _run(file: Path, key: tuple[str, str], held: _Held, wanted: Wanted) -> Run:
    model, task = key
    names = _names(task, held)
    asked = names.get(wanted.metric, wanted.metric) if wanted.metric is not None else None
    metric = choose("result", names.values(), asked, option="metric", where=f"{file} ({task})")
    result = next(each for each, name in names.items() if name == metric)
    config = held.summary.config(task, result)
    rows = held.rows[result]
    table = rows.table()
    return Run(
        table=table,
        tool="Every Eval Ever",
        model=model,
        task=task,
        metric=metric,
        higher_is_better=config.get("lower_is_better") is not True,
        bounds=_bounds(config),
        version=held.version,
        notes=(*_notes(held, rows, table), *_contradictions(file, held.summary, key[1], result, table)),
    )


def _names(task: str, held: _Held) -> dict[str, str]:
    """Return what each result is called: by its metric, where that tells it from the others."""
    names = {}
    for result in held.rows:
        config = held.summary.config(task, result)
        names[result] = str(config.get("metric_name") or config.get("metric_id") or result or "score")
    return names if len(set(names.values())) == len(names) else {each: each or "score" for each in names}


def _bounds(config: Mapping[str, Any]) -> tuple[float, float] | None:
    if config.get("score_type") == "binary":
        return 0.0, 1.0
    ends = [config.get(name) for name in ("min_score", "max_score")]  # "Infinity" where there is none
    known = [float(end) for end in ends if isinstance(end, int | float) and abs(end) <= _LARGEST]
    return (known[0], known[1]) if len(known) == 2 and known[0] < known[1] else None


def _notes(held: _Held, rows: Rows, table: Any) -> Iterator[str]:
    version = tuple(map(int, re.findall(r"\d+", held.version)[:3]))
    if version[:2] > _VERSION[:2]:
        yield f"its records have version {held.version}, newer than is known here ({'.'.join(map(str, _VERSION))})"
    if rows.counted:
        yield "some samples occur several times: taken as repeats"
    elif "epoch" in table.columns and "inspect" in held.summary.library:
        yield "its records may show the mean of all epochs in each epoch, as the converter for Inspect writes them"


def _contradictions(file: Path, summary: _Summary, task: str, result: str, table: Any) -> Iterator[str]:
    """Say what the summary states of the records that those read do not bear out."""
    told = summary.score(task, result)
    noted: list[str] = []
    if "epoch" not in table.columns and not table["score"].null_count():  # else converters differ in what they average
        count, mean = as_object(told.get("uncertainty")).get("num_samples"), told.get("score")
        noted = [*note_count("the summary is of", count, table.height)] or [
            *note_mean("the summary", result or "score", mean, table["score"].mean(), tolerance=_ROUNDED)
        ]
    if not noted and summary.checksum and _checksum(file) != summary.checksum.lower():
        noted = [
            "the records do not have the checksum that the summary gives: they were changed after they were written"
        ]
    yield from noted


def _checksum(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


# --- Writing ------------------------------------------------------------------------------------------


def write_run(
    run: Run,
    folder: str | os.PathLike[str],
    *,
    organization: str = "unknown",
    relationship: Relationship = "other",
    when: float | None = None,
) -> Path:
    """Write a run in the shared schema Every Eval Ever 0.3: its records, and what sums them up.

    The files get the names and the place that the schema's data store wants: below `folder`,
    data/<task>/<developer>/<model>/<uuid>_samples.jsonl and <uuid>.json. What was asked and answered is not kept here,
    so the records have none of it; an answer without a score is written as an error.

    Parameters
    ----------
    run
        A model on a task, as a reader of logs yields it.
    folder
        Where to write.
    organization, relationship
        Who ran it, and how they are related to who made the model: "first_party", "third_party", "collaborative" or
        "other".
    when
        The time that the records bear, in seconds since 1970; now, if left out.

    Returns
    -------
    Path
        The file of records.

    Examples
    --------
    >>> import tempfile
    >>> import polars as pl
    >>> table = pl.DataFrame({"id": ["q1", "q2"], "score": [1.0, 0.0]})
    >>> run = Run(table=table, tool="demo", model="us/alder", task="quiz", metric="exact_match", bounds=(0, 1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = write_run(run, folder)
    ...     again = READER.runs(file, Wanted())[0]
    >>> again.table["score"].to_list(), again.metric, again.bounds
    ([1.0, 0.0], 'exact_match', (0.0, 1.0))
    """
    if relationship not in get_args(Relationship):
        raise InvalidOption(f"relationship must be one of {get_args(Relationship)}, but is {relationship!r}.")
    table = run.table.lazy().collect()
    if not table.height:
        raise InvalidEvidence("run must hold at least one answer, but has none.")
    stamp = f"{time.time() if when is None else when:.6f}"
    model = run.model if "/" in run.model.strip("/") else f"unknown/{run.model.strip('/') or 'model'}"
    task = run.task or "evaluation"
    text = "".join(
        json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
        for record in _records(run, table, model, task, f"{task}/{model}/{stamp}")
    )
    parts = [_folder_name(part) for part in (task, *model.strip("/").split("/", 1))]
    identity = uuid.UUID(bytes=hashlib.sha256(text.encode()).digest()[:16], version=4)
    summary = _summed_up(run, table, model, task, stamp) | {
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
    place = Path(folder, "data", *parts)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidOption(f"{str(folder)!r} cannot be written to: {error.strerror}.") from error
    replace_file(place / f"{identity}{_SAMPLES}", text)
    replace_file(place / f"{identity}.json", json.dumps(summary, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    return place / f"{identity}{_SAMPLES}"


def _folder_name(part: str) -> str:
    """Return a name that every file system takes, and that the data store does not keep for itself."""
    name = _UNSAFE.sub("_", part).rstrip(". ") or "_"
    return f"{name}_" if name == "data" else name


def _records(run: Run, table: Any, model: str, task: str, evaluation: str) -> Iterator[dict[str, Any]]:
    others = [name for name in table.columns if name not in ("id", "score", "error", "proof")]
    worst = _worst(run)
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
            "evaluation": {"score": worst if error else score, "is_correct": not error and score == _right(run)},
            **({"error": error} if error else {}),
            **({"metadata": metadata} if metadata else {}),
        }


def _worst(run: Run) -> float:
    """Return the number that a record without a score bears, as the schema wants one."""
    low, high = run.bounds or (0.0, 0.0)
    return float(low if run.higher_is_better else high)


def _right(run: Run) -> float | None:
    """Return the score of a right answer, where a score says right or wrong at all."""
    return 1.0 if run.bounds == (0, 1) and run.higher_is_better else None


def _summed_up(run: Run, table: Any, model: str, task: str, stamp: str) -> dict[str, Any]:
    known: Sequence[float] = table["score"].drop_nulls().to_list()
    if not known:
        raise InvalidEvidence("run must hold at least one score, but all its answers failed.")
    config: dict[str, Any] = {
        "metric_id": run.metric,
        "metric_name": run.metric,
        "lower_is_better": not run.higher_is_better,
    }
    if run.bounds == (0, 1) and set(known) <= {0.0, 1.0}:
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
                "score_details": {"score": sum(known) / len(known), "uncertainty": {"num_samples": len(known)}},
            }
        ],
    }


READER = Reader(name="every-eval-ever", title="Every Eval Ever", recognises=_recognises, runs=_runs)
