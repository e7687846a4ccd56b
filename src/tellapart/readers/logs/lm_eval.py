"""Logs of lm-evaluation-harness: a row is a document of the task's data as one filter saw it.

`doc_id` is the document's place in the data, which `doc_hash` proves. Rows are long (they hold the prompt, once for
each choice) and little of them is needed, so polars reads pieces of the file, and of each row the fields that are
requested. What it cannot read is read again row by row: the NaN that Python writes is not JSON.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from ...errors import InvalidEvidence, import_extra
from .json_stream import LARGEST_ELEMENT, items, lines
from .lm_eval_files import FIRST_KEYS, TOOL, Log, logs_of, recognises
from .run import LogRun, Reader, Selection, choose, clean, extra_columns, inside, of_one_kind
from .run_rows import as_score
from .stated import note_count, note_mean

_NO_METRICS = {*FIRST_KEYS, "filter", "metrics", "doc_hash", "prompt_hash", "target_hash", "scores_per_repeat"}
_LOOKED_AT = 200  # rows that tell what the others hold
_PIECE = 1 << 23  # bytes that polars gets at a time
_BATCH = 50_000  # rows in memory as Python objects
_PROOF = 12  # digits of the hash: 48 bits, and the longest text that polars keeps without a buffer
_SHARES = {"acc", "acc_norm", "acc_bytes", "acc_mutual_info", "exact_match"}  # of 0 to 1, of which higher is better
_NEWEST = (0, 5)  # the version that is known here


@dataclass(frozen=True, slots=True)
class _Plan:
    """The parts of a row to be read."""

    metric: str
    columns: tuple[str, ...]
    types: Mapping[str, type]  # of those columns that are fields of the document itself, and of one type
    truths: bool  # whether the scores are true and false
    rare: bool = False  # whether a score stands elsewhere: in a dictionary, or, since 0.5, by repeat


def _read_runs(path: Path, selection: Selection) -> list[LogRun]:
    return [_build_run(log, selection) for log in logs_of(path, selection)]


def _build_run(log: Log, selection: Selection) -> LogRun:
    polars = import_extra("polars", "tables")
    first = list(islice(_read_rows(log), _LOOKED_AT))
    if not first:
        raise InvalidEvidence(f"{log.path} is empty. Finish the run first.")
    if selection.columns:  # an error, if no document has one
        extra_columns([_document_of(row) for row in first], selection, log.path)
    metric = _choose_metric(log, first, selection)
    plan = _plan_columns(first, metric, selection)
    table, chosen = _of_one_filter(polars, log, _read_table(polars, log, plan), selection)
    if table["score"].null_count() == table.height:  # of this filter, a score for each repeat may be all there is
        careful = _with_care(polars, log, replace(plan, rare=True))
        table, chosen = _of_one_filter(polars, log, careful, selection)
        if table["score"].null_count() == table.height:
            raise _unscored_error(log, first, metric, chosen)
    _refuse_twice(polars, log, table)
    higher, notes = _find_direction(log, metric)
    return LogRun(
        table=table,
        tool=TOOL,
        model=log.model,
        task=log.task or selection.task or log.path.stem,
        metric=metric,
        filter="" if chosen == "none" else chosen,
        higher_is_better=higher,
        bounds=_find_bounds(table["score"], metric, truths=plan.truths),
        version=log.results.version,
        notes=(*log.notes, *notes, *_collect_warnings(log, first[0], table, metric, chosen)),
    )


# --- Which score --------------------------------------------------------------------------------------


def _choose_metric(log: Log, first: Sequence[Mapping[str, Any]], selection: Selection) -> str:
    """Return the selected score, or the only one; values that are not numbers are excluded."""
    names = _reported_scores(log, first, selection.filter) or _reported_scores(log, first, None)
    values = {name: [value for row in first for value in _scores_of_row(row, name)] for name in names}
    odd = {
        name: next(filter(_is_odd, row_values)) for name, row_values in values.items() if any(map(_is_odd, row_values))
    }
    if selection.metric in odd:
        raise _no_number(log, selection.metric, odd[selection.metric])
    if selection.metric is not None:  # one that the first rows lack may come later
        return selection.metric
    if odd and not names - odd.keys():
        raise _no_number(log, min(odd), odd[min(odd)])
    return choose("score", names - odd.keys(), None, option="metric", where=log.where)


def _reported_scores(log: Log, first: Sequence[Mapping[str, Any]], filter: str | None) -> set[str]:  # noqa: A002
    """Return the scores there are, of one filter or of all: what the run reports, and what the first rows hold."""
    names = log.results.scores(log.task, filter)
    for row in first:
        if filter is None or row.get("filter", filter) == filter:
            names |= _own_metrics(row) | {*_scores_per_repeat(row)}
    inner = {name: {*row[name]} for row in first for name in names if isinstance(row.get(name), dict)}
    names |= {f"{name}/{key}" for name, keys in inner.items() for key in keys}
    return names - inner.keys() - {"bypass"}  # which --predict_only writes instead of a score


def _own_metrics(row: Mapping[str, Any]) -> set[str]:
    """Return the metrics of a row; up to 0.4.5 the row does not name them."""
    names = row.get("metrics")
    return {str(name) for name in names} if isinstance(names, list) else {*row} - _NO_METRICS


def _scores_per_repeat(row: Mapping[str, Any]) -> Mapping[str, Any]:
    repeats = row.get("scores_per_repeat")
    return repeats if isinstance(repeats, dict) else {}


def _scores_of_row(row: Mapping[str, Any], metric: str) -> list[Any]:
    """Return the scores of a row: one, or one for each repeat."""
    repeats = _scores_per_repeat(row).get(metric)
    if isinstance(repeats, list):
        return repeats
    if metric in row:
        return [row[metric]]
    name, _, key = metric.rpartition("/")
    inner = row.get(name)
    return [inner.get(key) if isinstance(inner, dict) else None]


def _is_odd(value: object) -> bool:
    return not isinstance(value, int | float | None)


def _no_number(log: Log, metric: str, value: object) -> InvalidEvidence:
    shown = repr(value)
    return InvalidEvidence(
        f"{log.where}: {metric!r} of a sample is {shown if len(shown) <= 60 else shown[:57] + '...'}, which is no"
        " number: the harness makes one score of all samples from these. Runs are compared by a score of each sample;"
        " choose another, if there is one: metric='...' (--metric)."
    )


def _unscored_error(log: Log, first: Sequence[Mapping[str, Any]], metric: str, chosen: str) -> Exception:
    names = _reported_scores(log, first, None)
    if metric not in names:
        choose("score", names, metric, option="metric", where=log.where)
    return InvalidEvidence(f"{log.where}: no sample of filter {chosen!r} has a score {metric!r}.")


def _plan_columns(first: Sequence[Mapping[str, Any]], metric: str, selection: Selection) -> _Plan:
    types: dict[str, type] = {}
    for name in selection.columns:
        kinds = {type(_document_of(row).get(name)) for row in first} - {type(None)}
        if len(kinds) == 1 and kinds <= {str, int, float}:
            types[name] = kinds.pop()
    values = [value for row in first for value in _scores_of_row(row, metric) if value is not None]
    rare = not any(metric in row for row in first) or any(metric in _scores_per_repeat(row) for row in first)
    return _Plan(metric, selection.columns, types, bool(values) and isinstance(values[0], bool), rare and bool(values))


# --- Rows ---------------------------------------------------------------------------------------------


def _read_rows(log: Log) -> Iterator[dict[str, Any]]:
    """Yield the rows; up to 0.4.2 the file is a list of them."""
    with log.path.open("rb") as stream:
        start = stream.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
        stream.seek(0)
        for number, row in enumerate(items(stream, log.path) if start == b"[" else lines(stream, log.path), start=1):
            if not isinstance(row, dict) or not isinstance(row.get("doc_id"), int | str):
                raise InvalidEvidence(f"{log.path}: sample {number} has no doc_id. Check that it is a log of {TOOL}.")
            yield row


def _document_of(row: Mapping[str, Any]) -> Mapping[str, Any]:
    document = row.get("doc")
    return document if isinstance(document, dict) else {}


def _read_table(polars: Any, log: Log, plan: _Plan) -> Any:
    """Return the columns of a run, and `filter`: by polars if it can, else row by row."""
    if not plan.rare and len(plan.types) == len(plan.columns):
        try:
            table = polars.concat(_scan_pieces(polars, log, plan))
        except polars.exceptions.PolarsError:
            pass  # NaN, mixed types, a list of rows, or a damaged file, of which the careful reader reports the line
        else:
            if not table["id"].null_count() and not table["proof"].null_count():
                return table
    return _with_care(polars, log, plan)


def _scan_pieces(polars: Any, log: Log, plan: _Plan) -> Iterator[Any]:
    types = {str: polars.String, int: polars.Int64, float: polars.Float64}
    schema = {"doc_id": polars.Int64, "doc_hash": polars.String, "filter": polars.String}
    schema[plan.metric] = polars.Boolean if plan.truths else polars.Float64
    if plan.columns:
        schema["doc"] = polars.Struct({name: types[kind] for name, kind in plan.types.items()})
    columns = [
        polars.col("doc_id").cast(polars.String).alias("id"),
        polars.col("doc_hash").str.head(_PROOF).str.to_lowercase().alias("proof"),  # a new text lets the long one go
        polars.col("filter"),
        polars.col(plan.metric).cast(polars.Float64).alias("score"),
        *(polars.col("doc").struct.field(name).alias(name) for name in plan.columns),
    ]
    # A file that is scanned whole is mapped whole, and counts as memory; pieces are read as fast.
    with log.path.open("rb") as stream:
        while piece := stream.read(_PIECE) + stream.readline(LARGEST_ELEMENT):
            if piece.strip():
                yield polars.scan_ndjson(piece, schema=schema).select(columns).collect(engine="streaming")


def _with_care(polars: Any, log: Log, plan: _Plan) -> Any:
    schema = {"id": polars.String, "proof": polars.String, "filter": polars.String, "score": polars.Float64}
    schema |= {"epoch": polars.Int64} if plan.rare else {}
    answers = (answer for row in _read_rows(log) for answer in _answers_of_row(log, row, plan))
    tables, extra = [], {name: list[Any]() for name in plan.columns}
    while batch := list(islice(answers, _BATCH)):
        tables.append(polars.DataFrame({name: [answer[name] for answer in batch] for name in schema}, schema=schema))
        for name, values in extra.items():
            values += [answer[name] for answer in batch]
    return polars.concat(tables).with_columns(polars.Series(name, of_one_kind(extra[name])) for name in extra)


def _answers_of_row(log: Log, row: Mapping[str, Any], plan: _Plan) -> Iterator[dict[str, Any]]:
    """Yield a row of our own for each score of a row."""
    named = row.get("filter")
    columns = {name: inside(_document_of(row), name) for name in plan.columns}
    columns |= {"id": clean(str(row["doc_id"])), "proof": clean(_proof_of_item(row))}
    columns |= {"filter": None if named is None else clean(str(named))}
    for epoch, value in enumerate(_scores_of_row(row, plan.metric), start=1):
        if _is_odd(value):
            raise _no_number(log, plan.metric, value)
        yield {**columns, "score": as_score(value, f"{log.where}: {plan.metric!r}"), "epoch": epoch}


def _proof_of_item(row: Mapping[str, Any]) -> str:
    """Return the beginning of the document's hash; up to 0.4.2 we make it, as the harness did afterwards."""
    document_hash = row.get("doc_hash")
    if not isinstance(document_hash, str):
        text = json.dumps(row.get("doc"), indent=2, ensure_ascii=False)
        document_hash = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return document_hash[:_PROOF].lower()


def _of_one_filter(polars: Any, log: Log, table: Any, selection: Selection) -> tuple[Any, str]:
    """Return the rows of the selected filter, or of the only one, and its name."""
    if table["filter"].null_count():
        table = _with_filters(polars, log, table)
    names = table["filter"].unique().to_list()
    # Of several tasks, the filter is chosen for those that have a choice.
    requested = None if selection.task is None and len(names) == 1 else selection.filter
    chosen = choose("filter", names, requested, option="filter", where=log.where)
    table = table.filter(polars.col("filter") == chosen).drop("filter")
    if "epoch" in table.columns and table["epoch"].max() == 1:
        table = table.drop("epoch")
    return table, chosen


def _refuse_twice(polars: Any, log: Log, table: Any) -> None:
    """Raise InvalidEvidence for a document with several rows, as the harness writes one score for repeats."""
    numbers = table["id"].cast(polars.Int64, strict=False)
    if not numbers.null_count() and (numbers.diff()[1:] > 0).all():  # as ever, and cheap to tell
        return
    again = table.select({"id", "epoch"} & {*table.columns}).is_duplicated()
    if again.any():
        raise InvalidEvidence(
            f"{log.where} has several samples of document {table['id'][again.arg_max()]}. Were two runs written into"
            " one file? Keep the rows of one."
        )


def _with_filters(polars: Any, log: Log, table: Any) -> Any:
    """Return the table with the names of the filters, which rows up to 0.4.5 lack: they come one after the other."""
    met = polars.int_range(polars.len()).over([name for name in ("id", "epoch") if name in table.columns])
    table = table.with_columns(met.alias("met"))
    count = table["met"].max() + 1
    names = log.results.filters(log.task)
    if len(names) != count:
        names = ["none"] if count == 1 else [str(number) for number in range(1, count + 1)]
    named = polars.col("met").replace_strict(dict(enumerate(names)), return_dtype=polars.String)
    return table.with_columns(filter=polars.coalesce("filter", named)).drop("met")


# --- What the scores are ------------------------------------------------------------------------------


def _find_direction(log: Log, metric: str) -> tuple[bool, tuple[str, ...]]:
    """Return whether higher is better, and a note on it."""
    if metric == "perplexity" or log.results.aggregation(log.task, metric) == "perplexity":
        return True, (f"{metric!r} of a sample is its log likelihood, of which higher is better",)
    stated = log.results.of("higher_is_better", log.task, metric)
    if isinstance(stated, bool):
        return stated, ()
    if _is_share(metric):
        return True, ()
    return True, (f"no results file says whether a higher {metric!r} is better; it is taken to be",)


def _is_share(metric: str) -> bool:
    return metric in _SHARES or metric.startswith("pass@")


def _find_bounds(scores: Any, metric: str, *, truths: bool) -> tuple[float, float] | None:
    if not (truths or _is_share(metric)):
        return None
    within = scores.min() >= 0 and scores.max() <= 1  # a task may call its percentages acc
    return (0.0, 1.0) if within else None


def _collect_warnings(log: Log, row: Mapping[str, Any], table: Any, metric: str, chosen: str) -> Iterator[str]:
    there = table["id"].n_unique() if "epoch" in table.columns else table.height
    contradictions = [*note_count("the results are of", log.results.of("n-samples", log.task, "effective"), there)] or [
        *_other_mean(log, table, metric, chosen)
    ]
    yield from contradictions
    gone = table["score"].null_count()
    if gone:
        yield f"{gone} of {table.height} samples have no {metric!r}; the harness leaves them out of its mean"
    if log.results.aggregation(log.task, metric) not in (None, "mean", "nanmean", "perplexity"):
        yield f"the harness puts {metric!r} together by a function of its own, not by the mean that is compared here"
    answers = row.get("resps")
    drawn = len(answers[0]) if isinstance(answers, list) and answers and isinstance(answers[0], list) else 1
    if drawn > 1 and "epoch" not in table.columns:
        yield f"each question was answered {drawn} times, of which filter {chosen!r} makes one score"
    if tuple(map(int, re.findall(r"\d+", log.results.version)[:2])) > _NEWEST:
        yield f"written by {TOOL} {log.results.version}, newer than the supported version"


def _other_mean(log: Log, table: Any, metric: str, chosen: str) -> Iterator[str]:
    """Yield a note if the results state another mean of the samples."""
    how = log.results.aggregation(log.task, metric)
    if "epoch" in table.columns or not (how in ("mean", "nanmean") or (how is None and _is_share(metric))):
        return
    stated = log.results.of("results", log.task, f"{metric},{chosen}")
    yield from note_mean("the results file", metric, stated, table["score"].mean())


READER = Reader(name="lm-eval", title=TOOL, recognises=recognises, runs=_read_runs)
