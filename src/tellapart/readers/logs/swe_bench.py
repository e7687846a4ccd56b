"""Reports of SWE-bench: the instances of the benchmark that a model's patches resolved.

A report has lists of instance ids, by result. The benchmark divides the resolved ones by all: an instance that was not
resolved, for any reason, counts as a failure. Here a failure of the model (an empty patch) counts as well, but an
instance that the harness could not judge, or that was not submitted, has no score, and `errors` decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from ...errors import InvalidEvidence
from ...predictions.engine import quote_names
from .json_stream import Window, first_keys
from .run import Head, LogRun, Reader, Selection, choose
from .run_rows import RunRows
from .stated import as_count, note_count

_KNOWN_VERSION = 2  # of the report; it has been 2 since swebench 2.0
_REPORT = {"resolved_ids", "unresolved_ids", "submitted_ids"}
_FIRST_REPORT = {"no_generation", "generated", "resolved"}  # as swebench 1 wrote it
_LEADERBOARD = {"no_generation", "no_logs", "resolved"}  # as the leaderboard's submissions have it
_COUNTED = ("submitted", "completed", "resolved", "unresolved", "empty_patch", "error")  # <kind>_ids, <kind>_instances
_OWN_REPORT = "report.json"  # of one instance, in a folder of its name
_INSTANCE_KEYS = {"patch_exists", "resolved"}
_HEAD, _TRIED = 65_536, 20  # bytes of a file, and files, that tell what a folder holds
_TASK, _METRIC = "SWE-bench", "resolved"

Fate = tuple[str, float | None, str | None]  # an instance, its score, and why it has none


def _recognises_log(head: Head) -> bool:
    if head.is_folder:
        return _holds_own_reports(head.path, head.names)
    keys = set(head.keys)
    return keys >= _REPORT or keys >= _FIRST_REPORT or keys == _LEADERBOARD


def _read_runs(path: Path, selection: Selection) -> list[LogRun]:
    choose("task", [_TASK], selection.task, option="task", where=path)
    choose("score", [_METRIC], selection.metric, option="metric", where=path)
    if path.is_dir():
        return _read_folder(path, selection)
    report = _read_object(path)
    if report.keys() >= _REPORT:
        fates = list(_fates_in_report(report, path))
        notes = [*_collect_notes(report), *_find_unaccounted(report, {name for name, _, _ in fates}, path)]
    elif report.keys() >= _FIRST_REPORT:
        fates, notes = list(_first_fates(report, path)), ["the report is of swebench 1"]
    elif report.keys() >= _LEADERBOARD:
        raise InvalidEvidence(
            f"{path} must list all instances, got the resolved ones only. Give the report of the harness"
            " (<model>.<run id>.json)."
        )
    else:
        raise InvalidEvidence(
            f"{path} must list resolved and unresolved ids, got neither. Check that it is a report of SWE-bench."
        )
    run = _build_run(fates, path.stem, selection, path, version=str(report.get("schema_version", "")), notes=notes)
    _refuse_other_counts(report, path)
    return [run]


def _build_run(
    fates: Iterable[Fate],
    model: str,
    selection: Selection,
    where: Path,
    *,
    version: str = "",
    notes: Iterable[str] = (),
) -> LogRun:
    fates = list(fates)
    _refuse_twice([name for name, _, _ in fates], where)
    rows = RunRows(selection, where)
    for name, score, error in fates:
        rows.add(name, score, error=error, metadata={"repo": _repository_of(name)})
    return LogRun(
        table=rows.table(),
        tool="SWE-bench",
        model=model,
        task=_TASK,
        metric=_METRIC,
        bounds=(0.0, 1.0),
        version=version,
        notes=tuple(notes),
    )


def _refuse_twice(names: Sequence[str], where: Path) -> None:
    """Raise InvalidEvidence for a report without instances, or with two results of one instance."""
    if not names:
        raise InvalidEvidence(f"{where} must report at least one instance, got none.")
    twice = [name for name, often in Counter(names).items() if often > 1]
    if twice:
        raise InvalidEvidence(
            f"{where} must report each instance once, got {twice[0]!r} twice. Give the unedited report of the harness."
        )


def _repository_of(instance: str) -> str:
    """Return the repository of an instance: "django__django" of "django__django-11001"."""
    return instance.rpartition("-")[0] or instance


# --- The report on a run ------------------------------------------------------------------------------


def _fates_in_report(report: Mapping[str, Any], path: Path) -> Iterator[Fate]:
    """Yield the result of each instance; completed instances may include those with an error."""
    reasons = report.get("failure_reasons")
    reasons = reasons if isinstance(reasons, dict) else {}
    for key, score, why in (
        ("resolved_ids", 1.0, None),
        ("unresolved_ids", 0.0, None),
        ("empty_patch_ids", 0.0, None),
        ("error_ids", None, "the harness could not judge it"),
        ("incomplete_ids", None, "not submitted"),
    ):
        for name in _list_ids(report, key, path):
            reason = f"{why} ({reasons[name]})" if why and name in reasons else why
            yield name, score, reason


def _refuse_other_counts(report: Mapping[str, Any], path: Path) -> None:
    """Raise InvalidEvidence if a list contradicts its count, which the harness derives from the list."""
    for kind in _COUNTED:
        stated, ids = as_count(report.get(f"{kind}_instances")), report.get(f"{kind}_ids")
        if stated is not None and isinstance(ids, list) and stated != len(ids):
            raise InvalidEvidence(
                f"{path}: {kind}_ids must list {stated} instances, as {kind}_instances states, got {len(ids)}. Give the"
                " unedited report of the harness."
            )


def _find_unaccounted(report: Mapping[str, Any], reported: set[str], path: Path) -> Iterator[str]:
    """Yield notes on instances that the report omits; the harness may run a part of the submission."""
    yield from note_count("the report is on", report.get("total_instances"), len(reported), "instances")
    silent = sorted(set(_list_ids(report, "submitted_ids", path)) - reported)
    if silent:
        yield f"submitted instances that the report omits: {len(silent)} ({quote_names(silent[:1])})"
    never = set(_list_ids(report, "incomplete_ids", path))
    extra = sorted(reported - never - set(_list_ids(report, "submitted_ids", path)))
    if extra:
        yield f"instances with a result that were not submitted: {len(extra)} ({quote_names(extra[:1])})"


def _collect_notes(report: Mapping[str, Any]) -> Iterator[str]:
    version = report.get("schema_version")
    if isinstance(version, int) and version > _KNOWN_VERSION:
        yield f"its report has version {version}, newer than the supported version ({_KNOWN_VERSION})"
    kinds = ("empty_patch_ids", "error_ids", "incomplete_ids", "infra_failure_ids")
    empty, lost, never, machine = (len(ids) if isinstance(ids := report.get(key), list) else 0 for key in kinds)
    if empty:
        yield f"empty patches, which count as not resolved: {empty}"
    if lost or never:
        yield (
            f"without a score here: {lost} that the harness could not judge, {never} not submitted;"
            f" SWE-bench counts them"
            " as not resolved (errors='wrong')"
        )
    if machine:
        yield f"failures that the harness attributes to the machine: {machine}"


def _first_fates(report: Mapping[str, Any], path: Path) -> Iterator[Fate]:
    resolved = set(_list_ids(report, "resolved", path))
    judged = set(_list_ids(report, "with_logs", path)) if "with_logs" in report else None
    for name in _list_ids(report, "generated", path):
        lost = judged is not None and name not in judged and name not in resolved
        yield name, float(name in resolved), "no log of its evaluation" if lost else None
    for name in _list_ids(report, "no_generation", path):
        yield name, 0.0, None


def _list_ids(report: Mapping[str, Any], key: str, path: Path) -> list[str]:
    ids = report.get(key, [])
    if not isinstance(ids, list) or not all(isinstance(name, str) for name in ids):
        raise InvalidEvidence(f"{path}: {key} must be a list of instance ids. Check that it is a report of SWE-bench.")
    return ids


def _read_object(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        window = Window(stream, path)
        report = window.value()
        if window.peek():
            raise window.broken("something follows its end")
    if not isinstance(report, dict):
        raise InvalidEvidence(f"{path} must be a JSON object. Check that it is a report of SWE-bench.")
    return report


# --- Reports on single instances ----------------------------------------------------------------------


def _holds_own_reports(path: Path, names: Iterable[str]) -> bool:
    """Whether a folder has reports on single instances, but none on all of them."""
    paths = [PurePosixPath(name) for name in names if name.endswith(".json")]
    above = [file for file in paths if len(file.parts) == 1]
    own_reports = [file for file in paths if file.name == _OWN_REPORT and len(file.parts) > 1]
    if any(set(first_keys(_read_start(path / file))) >= _REPORT for file in above):
        return False
    return any(_is_own(path / file) for file in own_reports[:_TRIED])


def _is_own(file: Path) -> bool:
    """Whether a file reports on the instance that its folder is named for."""
    start = _read_start(file)
    return first_keys(start) == (file.parent.name,) and b'"patch_exists"' in start


def _read_start(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(_HEAD)
    except OSError:
        return b""


def _read_folder(path: Path, selection: Selection) -> list[LogRun]:
    """Return the runs in a folder of reports on single instances, such as logs/run_evaluation/<run id>."""
    models: dict[Path, list[Path]] = {}
    for file in sorted(path.rglob(_OWN_REPORT)):
        models.setdefault(file.parent.parent, []).append(file)
    runs = []
    for folder, files in models.items():
        fates = [_own_fate(file) for file in files]
        reported = {name for name, _, _ in fates}
        silent = sorted(entry.name for entry in folder.iterdir() if entry.is_dir() and entry.name not in reported)
        fates += [(name, None, "the harness wrote no report") for name in silent]
        note = "read from reports on single instances, which omit empty patches and instances that were not submitted"
        runs.append(_build_run(fates, folder.name, selection, path, notes=[note]))
    return runs


def _own_fate(file: Path) -> Fate:
    name = file.parent.name
    if not file.stat().st_size:
        return name, None, "the harness wrote an empty report"
    report = _read_object(file).get(name)
    if not isinstance(report, dict) or not report.keys() >= _INSTANCE_KEYS:
        raise InvalidEvidence(f"{file} must report {name!r}. Check that it is a report of SWE-bench.")
    return name, float(report["resolved"] is True), None


READER = Reader(name="swe-bench", title="SWE-bench", recognises=_recognises_log, runs=_read_runs)
