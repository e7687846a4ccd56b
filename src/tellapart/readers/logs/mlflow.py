"""Evaluation tables of MLflow: eval_results_table.json of a run, and what people save of mlflow.genai.evaluate.

The first is written by MLflow in pandas' split form: the data set's own columns, the answers, and "<metric>/score".
The second is saved by users as its `result_df` (as records, as lines, split or by column) or as its traces, with
"<scorer>/value" next to the request. MLflow does not identify items: the id of a trace is random in each run. So items
are joined by an id column of the data set if there is one, and else by the text of the question.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from ...errors import InvalidEvidence
from .json_stream import Window, first_keys
from .run import Head, LogRun, Reader, Selection, choose
from .run_rows import WHOLE, RunRows, as_score, fingerprint, first_line, keep_metadata
from .stated import note_mean

_TABLE = "eval_results_table.json"  # or with a prefix of the user's
_SCORE, _VALUE, _REASON, _ERROR = "/score", "/value", "/justification", "/error_message"
_BARE = ("latency", "token_count")  # metrics whose columns have no "/score", and that are not offered as scores
_IDS = re.compile(
    r"(?:(?:example|item|question|sample|doc|document|instance|record|row|prompt|case)_?)?id|qid|uid", re.I
)
_QUESTIONS = re.compile(r"inputs?|questions?|prompts?|quer(?:y|ies)|text|messages|request|instruction", re.I)
_OUTPUTS = re.compile(r"outputs?|predictions?|responses?", re.I)
_LOWER_IS_BETTER = {"latency", "token_count", "toxicity"}
_GRADES = {"answer_similarity", "answer_correctness", "answer_relevance", "relevance", "faithfulness"}  # 1 to 5
_SHARES = {"exact_match", "rouge1", "rouge2", "rougeL", "rougeLsum", "toxicity"}
_WORDS = {"yes": 1.0, "no": 0.0}  # as MLflow itself takes them
_LONGEST_NAME = 60  # characters of a question that is its own id
_HEAD = 65_536
_TASK = "evaluation"


def _recognises_log(head: Head) -> bool:
    if head.is_folder:
        return any(PurePath(name).name.endswith(_TABLE) for name in head.names)
    if _is_split(head.keys):
        return _is_table(_column_names(head.start))
    if {"info", "data"} <= set(head.keys):
        return b'"trace_id"' in head.start and b'"assessments"' in head.start
    return "trace_id" in head.keys and _is_table(head.keys)


def _is_split(keys: Sequence[str]) -> bool:
    return keys[:1] == ("columns",) and "data" in keys


def _is_table(columns: Sequence[str]) -> bool:
    ends = _VALUE if "trace_id" in columns else _SCORE
    return any(column.endswith(ends) for column in columns)


def _column_names(start: bytes) -> list[str]:
    """Return the names of the columns of a table in split form, by its beginning."""
    text = start.decode("utf-8-sig", "replace")
    try:
        names, _ = json.JSONDecoder().raw_decode(text, text.index("["))
    except (ValueError, RecursionError):
        return []
    return [str(name) for name in names]


def _read_runs(path: Path, selection: Selection) -> list[LogRun]:
    choose("task", [_TASK], selection.task, option="task", where=path)
    if not path.is_dir():
        return [_build_run(path, _name_run(path), selection)]
    files = sorted(file for file in path.rglob("*") if file.name.endswith(_TABLE))
    names = [_name_run(file) for file in files]
    if len(set(names)) < len(names):
        names = [str(file.parent.relative_to(path)) for file in files]
    return [_build_run(file, name, selection) for file, name in zip(files, names, strict=True)]


def _name_run(file: Path) -> str:
    """Return what a table's run is called, where its place says it: in a store of files it lies among the artifacts."""
    if not file.name.endswith(_TABLE):
        return ""
    folder = file.resolve().parent
    if folder.name != "artifacts":
        return folder.name
    tag = folder.parent / "tags" / "mlflow.runName"
    return first_line(tag.read_text(encoding="utf-8", errors="replace")) if tag.is_file() else folder.parent.name


def _build_run(path: Path, model: str, selection: Selection) -> LogRun:
    answers = _Answers(path, selection)
    for row in _read_rows(path):
        answers.add(row)
    metric = answers.choose()
    rows = answers.rows(metric)
    table = rows.table()
    name = metric.partition("/")[0]  # without the version
    return LogRun(
        table=table,
        tool="MLflow",
        model=model,
        task=_TASK,
        metric=metric,
        higher_is_better=name not in _LOWER_IS_BETTER,
        bounds=(1.0, 5.0) if name in _GRADES else (0.0, 1.0) if name in _SHARES else None,
        notes=(*answers.notes(rows, metric), *_find_contradictions(path, metric, table, failed=answers.has_failed)),
    )


def _find_contradictions(path: Path, metric: str, table: Any, *, failed: bool) -> Iterator[str]:
    """Yield a note if MLflow logged another mean, which a file store keeps in metrics/<metric>/mean."""
    folder = path.resolve().parent
    store = folder.parent / "metrics"
    kept = store.joinpath(*metric.split("/"), "mean")
    if failed or folder.name != "artifacts" or ".." in kept.parts or "\0" in metric or not kept.is_file():
        return
    logged = kept.read_text(encoding="utf-8", errors="replace").split("\n")[0].split()  # time, value, step
    try:
        stated = float(logged[1])
    except (IndexError, ValueError):
        return
    yield from note_mean(f"the run's metric {metric}/mean", metric, stated, table["score"].mean())


# --- Rows of a table, in whatever form ----------------------------------------------------------------


def _read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table: split, by column, as a list of records or as lines of them."""
    with path.open("rb") as stream:
        keys = first_keys(stream.read(_HEAD))
        stream.seek(0)
        window = Window(stream, path)
        if window.peek() == "[":
            parsed: Iterator[Any] = window.elements()
        elif _is_split(keys):
            parsed = _read_split(window)
        elif _is_by_column(path, keys):
            parsed = _read_by_column(window)
        else:
            parsed = _read_lines(window)
        for row in parsed:
            if not isinstance(row, dict):
                raise InvalidEvidence(f"{path}: rows must be objects. Check that it is a table of MLflow.")
            try:
                yield _of_trace(row) if row.keys() >= {"info", "data"} else row
            except (AttributeError, TypeError) as error:
                raise InvalidEvidence(f"{path}: a trace is not as MLflow writes it: {error}.") from None


def _read_split(window: Window) -> Iterator[dict[str, Any]]:
    columns: list[str] = []
    index: Any = None
    count = 0
    for key in window.members():
        if key == "columns":
            columns = _as_names(window)
        elif key == "index":
            index = window.value()
        elif key == "data":
            for row in window.elements():
                count += 1
                if not isinstance(row, list) or len(row) != len(columns):
                    raise window.broken(f"a row has not the {len(columns)} columns of the table")
                yield dict(zip(columns, row, strict=True))
        else:
            window.skip()
    if isinstance(index, list) and len(index) != count:
        raise InvalidEvidence(f"{window.where} has {count} rows, and an index of {len(index)}. Save the table again.")


def _as_names(window: Window) -> list[str]:
    names = window.value()
    if not isinstance(names, list):
        raise window.broken("its columns are no list")
    return [str(name) for name in names]


def _is_by_column(path: Path, keys: Sequence[str]) -> bool:
    with path.open("rb") as stream:
        start = stream.read(256).replace(b" ", b"").replace(b"\n", b"")
    return "trace_id" in keys and re.match(rb'(?:\xef\xbb\xbf)?\{"[^"]+":\{"0":', start) is not None


def _read_by_column(window: Window) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table that is written column by column, as pandas does if nothing is said."""
    columns: dict[str, dict[str, Any]] = {}
    for key in window.members():
        if key.endswith((_VALUE, _ERROR)) or key in ("state", "request", "tags"):
            column = window.value()
            if not isinstance(column, dict):
                raise window.broken(f"the column {key!r} is not an object of rows")
            columns[key] = column
        else:
            window.skip()
    for key, column in columns.items():
        differing = column.keys() ^ next(iter(columns.values())).keys()
        if differing:
            raise InvalidEvidence(
                f"{window.where}: row {min(differing)!r} is not in every column, such as {key!r}. Save the table again."
            )
    for index in next(iter(columns.values()), {}):
        yield {"trace_id": index} | {key: column.get(index) for key, column in columns.items()}


def _read_lines(window: Window) -> Iterator[Any]:
    while window.peek():
        yield window.value()


def _of_trace(trace: Mapping[str, Any]) -> dict[str, Any]:
    """Return a trace as a row of the results' table."""
    info, data = trace["info"], trace["data"]
    row = {"trace_id": info.get("trace_id"), "state": info.get("state"), "tags": info.get("tags")}
    row["request"] = _read_request(info, data)
    for assessment in info.get("assessments") or ():
        feedback = assessment.get("feedback") if assessment.get("valid", True) else None
        if isinstance(feedback, dict):
            row[f"{assessment.get('assessment_name')}{_VALUE}"] = feedback.get("value")
            failure = feedback.get("error")
            if isinstance(failure, dict):
                row[f"{assessment.get('assessment_name')}{_ERROR}"] = failure.get("error_message")
    return row


def _read_request(info: Mapping[str, Any], data: Mapping[str, Any]) -> Any:
    """Return the question: complete from the first span, else the preview of the trace."""
    for span in data.get("spans") or ():
        if not span.get("parent_span_id") and not span.get("parent_id"):
            inputs = (span.get("attributes") or {}).get("mlflow.spanInputs")
            if inputs is not None:
                return _decode_json(inputs)
    return _decode_json(data.get("request") or info.get("request_preview"))


def _decode_json(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return value


# --- What is kept of them -----------------------------------------------------------------------------


class _Answers:
    """The answers of a table: questions, failures and all scores."""

    def __init__(self, where: Path, selection: Selection) -> None:
        self.where, self.selection = where, selection
        self.named_by = ""  # the column that names the items, if one does
        self._questions: list[tuple[str, str | None]] = []  # id and proof
        self._failed: list[str | None] = []
        self._metadata: list[dict[str, Any]] = []
        self._scores: dict[str, dict[int, float]] = {}
        self._why: dict[str, dict[int, str]] = {}
        self._refused: dict[str, str] = {}
        self._name_and_proof: Callable[[Mapping[str, Any]], tuple[str, str | None]] | None = None

    def add(self, row: Mapping[str, Any]) -> None:
        """Add the needed data of one row."""
        if self._name_and_proof is None:
            self._name_and_proof = self._choose_naming(list(row))
        index = len(self._questions)
        self._questions.append(self._name_and_proof(row))
        state = row.get("state") if "trace_id" in row else None
        self._failed.append(None if state in (None, "OK") else f"the call ended in state {state}")
        if self.selection.columns:
            tags = row.get("tags")
            about = {**row, **tags} if isinstance(tags, dict) else row
            self._metadata.append(keep_metadata(about, self.selection, whole=index < WHOLE))
        ending = _VALUE if "trace_id" in row else _SCORE
        expected = _find_expectations(row)
        for column, value in row.items():
            if column.endswith(ending) and column.removesuffix(ending) not in expected:
                self._keep_score(column.removesuffix(ending), value, index)
            elif column == self.selection.metric and column in _BARE:
                self._keep_score(column, value, index)
            elif column.endswith(_ERROR) and value is not None:
                self._why.setdefault(column.removesuffix(_ERROR), {})[index] = first_line(value)

    def _keep_score(self, name: str, value: Any, index: int) -> None:
        scores = self._scores.setdefault(name, {})
        if isinstance(value, str):
            value = _WORDS.get(value.strip().lower(), value)
        try:
            score = as_score(value, f"{self.where}: {name} of row {index + 1}")
        except InvalidEvidence as error:
            self._refused.setdefault(name, str(error))
            return
        if score is not None:
            scores[index] = score

    def _choose_naming(self, columns: list[str]) -> Callable[[Mapping[str, Any]], tuple[str, str | None]]:
        """Return the function that reads the id and the proof of a row."""
        if "trace_id" in columns:
            if "request" not in columns:
                raise InvalidEvidence(
                    f"{self.where} must have a column 'request', as the ids of traces are random in each run."
                    " Save the column, too."
                )
            return lambda row: (_name_question(row.get("request")), None)
        data_columns = [column for column in columns if column not in _BARE and not column.endswith((_SCORE, _REASON))]
        ids = [column for column in data_columns if _IDS.fullmatch(column)]
        answers = [index for index, column in enumerate(data_columns) if _OUTPUTS.fullmatch(column)]
        question_columns = data_columns[: answers[0] if answers else -1]  # MLflow puts the answers after the question
        if ids:
            self.named_by = ids[0]
            shown = [column for column in question_columns if _QUESTIONS.fullmatch(column)]
            return lambda row: (
                self._own_id(row.get(ids[0])),
                fingerprint([row.get(name) for name in shown]) if shown else None,
            )
        if not question_columns:
            raise InvalidEvidence(
                f"{self.where} must have a column of questions, got none. Evaluate on a data set with its"
                f" inputs, or with"
                " a column 'id'."
            )
        return lambda row: (_name_question({name: row.get(name) for name in question_columns}), None)

    def _own_id(self, value: Any) -> str:
        """Return an id of the data set's own; pandas makes 7 a 7.0 where another row has none."""
        if value is None:
            raise InvalidEvidence(f"{self.where}: row {len(self._questions) + 1} has no {self.named_by!r}. Fill it in.")
        return str(int(value) if isinstance(value, float) and value.is_integer() else value)

    @property
    def has_failed(self) -> bool:
        """Whether a call failed, of which MLflow scores some all the same."""
        return any(self._failed)

    def choose(self) -> str:
        """Return the name of the selected score."""
        if not self._questions:
            raise InvalidEvidence(f"{self.where} holds no row.")
        requested = self.selection.metric
        if requested is not None and requested not in self._scores:
            bare = requested.removesuffix(_SCORE).removesuffix(_VALUE)
            versions = [name for name in self._scores if bare in (name, name.partition("/")[0])]
            requested = versions[0] if len(versions) == 1 else requested
        offered = [name for name in self._scores if name not in self._refused]
        chosen = choose(
            "score", offered if requested is None else self._scores, requested, option="metric", where=self.where
        )
        if chosen in self._refused:
            raise InvalidEvidence(self._refused[chosen])
        return chosen

    def rows(self, metric: str) -> RunRows:
        """Return the rows by this score."""
        rows = RunRows(self.selection, self.where)
        for index, (name, proof) in enumerate(self._questions):
            rows.add(
                name,
                self._scores[metric].get(index),
                error=self._failed[index] or self._why.get(metric, {}).get(index),
                proof=proof,
                metadata=self._metadata[index] if self.selection.columns else None,
            )
        return rows

    def notes(self, rows: RunRows, metric: str) -> Iterator[str]:
        """Yield notes for readers of the answer."""
        if not self.named_by:
            yield "MLflow does not identify items: they are joined by the text of the question"
        if rows.counted:
            yield "some items occur several times: read as repeats"
        failed = [index for index, why in enumerate(self._failed) if why]
        if failed:
            scored = sum(index in self._scores[metric] for index in failed)
            yield f"failed calls have no score here: {len(failed)}; MLflow scored {scored} of them"


def _find_expectations(row: Mapping[str, Any]) -> set[str]:
    """Return the names of expected values in a row, which are not scores."""
    assessments = row.get("assessments")
    if not isinstance(assessments, list):
        return set()
    return {
        str(assessment.get("assessment_name"))
        for assessment in assessments
        if isinstance(assessment, dict) and "expectation" in assessment
    }


def _name_question(question: Any) -> str:
    """Return a name for a question: its own words; of a long one the first of them, and a hash of all."""
    if isinstance(question, dict) and len(question) == 1:
        question = next(iter(question.values()))
    text = question if isinstance(question, str) else json.dumps(question, sort_keys=True, ensure_ascii=False)
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}… {fingerprint(question)[:12]}"


READER = Reader(name="mlflow", title="MLflow", recognises=_recognises_log, runs=_read_runs)
