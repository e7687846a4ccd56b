"""Reports of SWE-bench: which instances of the benchmark a model's patches resolved.

A report is lists of instance ids, by what became of them. The benchmark divides the resolved ones by all: what was
not resolved, for whatever reason, counts as a failure. Here a failure of the model (an empty patch) is one, too, but
what the harness could not judge, and what was never handed in, has no score, and the policy for errors decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from ...errors import InvalidEvidence
from .json_stream import Window, first_keys
from .rows import Rows
from .run import Head, Reader, Run, Wanted, choose, told
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


def _recognises(head: Head) -> bool:
    if head.is_folder:
        return _holds_own_reports(head.path, head.names)
    keys = set(head.keys)
    return keys >= _REPORT or keys >= _FIRST_REPORT or keys == _LEADERBOARD


def _runs(path: Path, wanted: Wanted) -> list[Run]:
    choose("task", [_TASK], wanted.task, option="task", where=path)
    choose("score", [_METRIC], wanted.metric, option="metric", where=path)
    if path.is_dir():
        return _folder(path, wanted)
    report = _object(path)
    if report.keys() >= _REPORT:
        fates = list(_fates(report, path))
        notes = [*_notes(report), *_unaccounted(report, {name for name, _, _ in fates}, path)]
    elif report.keys() >= _FIRST_REPORT:
        fates, notes = list(_first_fates(report, path)), ["the report is of swebench 1"]
    elif report.keys() >= _LEADERBOARD:
        raise InvalidEvidence(
            f"{path} lists the resolved instances only, as the leaderboard's submissions do, and not which others there"
            " were. Give the report that the harness wrote (<model>.<run id>.json)."
        )
    else:
        raise InvalidEvidence(f"{path} has no lists of resolved and unresolved ids. Is it a report of SWE-bench?")
    run = _run(fates, path.stem, wanted, path, version=str(report.get("schema_version", "")), notes=notes)
    _refuse_other_counts(report, path)
    return [run]


def _run(
    fates: Iterable[Fate], model: str, wanted: Wanted, where: Path, *, version: str = "", notes: Iterable[str] = ()
) -> Run:
    fates = list(fates)
    _refuse_twice([name for name, _, _ in fates], where)
    rows = Rows(wanted, where)
    for name, score, error in fates:
        rows.add(name, score, error=error, metadata={"repo": _repository(name)})
    return Run(
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
    """Refuse a report on nothing, and one that says two things of an instance."""
    if not names:
        raise InvalidEvidence(f"{where} is a report on no instance at all.")
    twice = [name for name, often in Counter(names).items() if often > 1]
    if twice:
        raise InvalidEvidence(
            f"{where} has {twice[0]!r} under two fates, or twice under one. Was it edited? Give the report as the"
            " harness wrote it."
        )


def _repository(instance: str) -> str:
    """Return where an issue is from: "django__django" of "django__django-11001"."""
    return instance.rpartition("-")[0] or instance


# --- The report on a run ------------------------------------------------------------------------------


def _fates(report: Mapping[str, Any], path: Path) -> Iterator[Fate]:
    """Yield what became of each instance; those with an error may be among the completed ones, which say nothing."""
    reasons = report.get("failure_reasons")
    reasons = reasons if isinstance(reasons, dict) else {}
    for key, score, why in (
        ("resolved_ids", 1.0, None),
        ("unresolved_ids", 0.0, None),
        ("empty_patch_ids", 0.0, None),
        ("error_ids", None, "the harness came to no result"),
        ("incomplete_ids", None, "nothing was handed in"),
    ):
        for name in _ids(report, key, path):
            told = f"{why} ({reasons[name]})" if why and name in reasons else why
            yield name, score, told


def _refuse_other_counts(report: Mapping[str, Any], path: Path) -> None:
    """Refuse a list that has another length than the count beside it, which the harness takes from the list itself."""
    for kind in _COUNTED:
        stated, ids = as_count(report.get(f"{kind}_instances")), report.get(f"{kind}_ids")
        if stated is not None and isinstance(ids, list) and stated != len(ids):
            raise InvalidEvidence(
                f"{path}: {kind}_ids lists {len(ids)} instances, and {kind}_instances says {stated}. Was it edited, or"
                " cut short? Give the report as the harness wrote it."
            )


def _unaccounted(report: Mapping[str, Any], known: set[str], path: Path) -> Iterator[str]:
    """Say which instances the report does not account for; the harness may be asked for some of those handed in."""
    yield from note_count("the report is on", report.get("total_instances"), len(known), "instances")
    silent = sorted(set(_ids(report, "submitted_ids", path)) - known)
    if silent:
        yield f"instances that were handed in, and of which the report says nothing: {len(silent)} ({told(silent[:1])})"
    never = set(_ids(report, "incomplete_ids", path))
    extra = sorted(known - never - set(_ids(report, "submitted_ids", path)))
    if extra:
        yield f"instances with a result that are not among those handed in: {len(extra)} ({told(extra[:1])})"


def _notes(report: Mapping[str, Any]) -> Iterator[str]:
    version = report.get("schema_version")
    if isinstance(version, int) and version > _KNOWN_VERSION:
        yield f"its report has version {version}, newer than is known here ({_KNOWN_VERSION})"
    kinds = ("empty_patch_ids", "error_ids", "incomplete_ids", "infra_failure_ids")
    empty, lost, never, machine = (len(each) if isinstance(each := report.get(key), list) else 0 for key in kinds)
    if empty:
        yield f"empty patches, which count as not resolved: {empty}"
    if lost or never:
        yield (
            f"without a score here: {lost} that the harness came to no result on, {never} never handed in; SWE-bench"
            " counts them as not resolved (errors='wrong', --errors wrong)"
        )
    if machine:
        yield f"failures that the harness itself takes for the machine's: {machine}"


def _first_fates(report: Mapping[str, Any], path: Path) -> Iterator[Fate]:
    resolved = set(_ids(report, "resolved", path))
    judged = set(_ids(report, "with_logs", path)) if "with_logs" in report else None
    for name in _ids(report, "generated", path):
        lost = judged is not None and name not in judged and name not in resolved
        yield name, float(name in resolved), "no log of its evaluation" if lost else None
    for name in _ids(report, "no_generation", path):
        yield name, 0.0, None


def _ids(report: Mapping[str, Any], key: str, path: Path) -> list[str]:
    found = report.get(key, [])
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise InvalidEvidence(f"{path}: {key} must be a list of instance ids. Is it a report of SWE-bench?")
    return found


def _object(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        window = Window(stream, path)
        found = window.value()
        if window.peek():
            raise window.broken("something follows its end")
    if not isinstance(found, dict):
        raise InvalidEvidence(f"{path} is no JSON object. Is it a report of SWE-bench?")
    return found


# --- Reports on single instances ----------------------------------------------------------------------


def _holds_own_reports(path: Path, names: Iterable[str]) -> bool:
    """Whether a folder has reports on single instances, and none on all of them, which says more."""
    paths = [PurePosixPath(name) for name in names if name.endswith(".json")]
    above = [each for each in paths if len(each.parts) == 1]
    own = [each for each in paths if each.name == _OWN_REPORT and len(each.parts) > 1]
    if any(set(first_keys(_start(path / each))) >= _REPORT for each in above):
        return False
    return any(_is_own(path / each) for each in own[:_TRIED])


def _is_own(file: Path) -> bool:
    """Whether a file reports on one instance, after which its folder is called."""
    start = _start(file)
    return first_keys(start) == (file.parent.name,) and b'"patch_exists"' in start


def _start(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(_HEAD)
    except OSError:
        return b""


def _folder(path: Path, wanted: Wanted) -> list[Run]:
    """Return the runs in a folder of reports on single instances, such as logs/run_evaluation/<run id>."""
    models: dict[Path, list[Path]] = {}
    for file in sorted(path.rglob(_OWN_REPORT)):
        models.setdefault(file.parent.parent, []).append(file)
    runs = []
    for folder, files in models.items():
        fates = [_own_fate(file) for file in files]
        told = {name for name, _, _ in fates}
        silent = sorted(each.name for each in folder.iterdir() if each.is_dir() and each.name not in told)
        fates += [(name, None, "the harness wrote no report") for name in silent]
        note = "read from the reports on single instances: what was never handed in, and empty patches, have none"
        runs.append(_run(fates, folder.name, wanted, path, notes=[note]))
    return runs


def _own_fate(file: Path) -> Fate:
    name = file.parent.name
    if not file.stat().st_size:
        return name, None, "the harness wrote an empty report"
    report = _object(file).get(name)
    if not isinstance(report, dict) or not report.keys() >= _INSTANCE_KEYS:
        raise InvalidEvidence(f"{file} says nothing of {name!r}. Is it a report of SWE-bench?")
    return name, float(report["resolved"] is True), None


READER = Reader(name="swe-bench", title="SWE-bench", recognises=_recognises, runs=_runs)
