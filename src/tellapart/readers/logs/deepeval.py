"""Run files of deepeval: `test_run_<time>.json`, `.deepeval/.latest_run_full.json` and `.latest_test_run.json`.

A file is one run: test cases, and what each metric gave them. The name of a case is made from its place unless
somebody gave it one, so a case is known by its input, expected output and context; the same one again is a repeat.
A metric that failed has no score, yet fails its case; one without a threshold has a score, yet deepeval counts it
among its errors. The file does not say whether more is better, but the verdicts do: for bias, toxicity and
hallucination it was less up to version 4.1, and is more since 4.2.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from ...errors import InvalidEvidence
from .json_stream import Window
from .rows import WHOLE, Rows, as_list, as_object, as_score, asked_for, fingerprint, first_line
from .run import Head, Reader, Run, Wanted, choose
from .stated import as_count, as_mean, note_count, note_mean

_CASES = ("testCases", "conversationalTestCases")
_WRAPPED, _LINK = "testRunData", "testRunLink"
_RESULTS = ("metricsData", "metricsMetadata")  # of a case; the second until 2024
_MARKS = tuple(f'"{key}"'.encode() for key in (*_RESULTS, "actualOutput", "turns"))
_LONG_CASE = re.compile(rb'"testCases"\s*:\s*\[\s*\{\s*"name"\s*:\s*"[^"]*"\s*,\s*"input"\s*:\s*"')
_KEPT = {"testFile", "identifier", "hyperparameters", "datasetAlias", "metricsScores", "metricScores"}
_KEPT |= {"testPassed", "testFailed"}
_SUCCESS = "success"  # of a case as a whole: of all its metrics
_SHOWN = 40  # characters of an input in the name of a case
_MOST_METRICS = 1000
_TURNED = {"Bias", "Toxicity", "Hallucination"}  # metrics of which less was better up to version 4.1


def _recognises(head: Head) -> bool:
    if head.is_folder or not head.keys:
        return False
    if head.keys[0] == _LINK:
        return True
    keys = set(head.keys[:4]) if head.keys[0] != _WRAPPED else {_CASES[0]}
    if not keys & set(_CASES) or b'"testCases"' not in head.start:
        return False
    # Of a first case that is longer than the beginning, the input may be all there is to see.
    return any(mark in head.start for mark in _MARKS) or bool(_LONG_CASE.search(head.start))


@dataclass(slots=True)
class _Case:
    """What is kept of a test case."""

    item: str
    title: str
    metadata: Mapping[str, Any]
    success: float | None
    results: dict[str, tuple[float | None, str | None]]  # score and error by metric


@dataclass(slots=True)
class _TestRun:
    """What is kept of a file."""

    where: Path
    wanted: Wanted
    cases: list[_Case] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    verdicts: dict[str, Counter[bool]] = field(default_factory=dict)  # by metric: whether more was better, how often
    passed: Counter[str] = field(default_factory=Counter)  # by metric: results that passed

    def add(self, case: Any) -> None:
        if not isinstance(case, dict):
            raise InvalidEvidence(f"{self.where} has a test case that is no object. Is it of deepeval?")
        results: dict[str, tuple[float | None, str | None]] = {}
        for result in next((case[key] for key in _RESULTS if isinstance(case.get(key), list)), []):
            if not isinstance(result, dict):
                raise InvalidEvidence(f"{self.where} has a metric's result that is no object. Is it of deepeval?")
            name = str(result.get("name", result.get("metric")))
            if name in results:
                raise InvalidEvidence(
                    f"{self.where}: case {case.get('name')!r} has two results of a metric {name!r}. Give each metric"
                    " a name of its own."
                )
            score = as_score(result.get("score"), f"{self.where}, case {case.get('name')!r}: {name}")
            error = None if result.get("error") is None else first_line(result["error"])
            results[name] = (None if error is not None else score, error)
            self.passed[name] += result.get("success") is True and results[name][0] is not None
            self._learn(name, score, result)
        self.names |= results.keys()
        if len(self.names) > _MOST_METRICS:
            raise InvalidEvidence(f"{self.where} has more than {_MOST_METRICS} metrics. Is it of deepeval?")
        item, title = _item(case)
        success = case.get("success")
        self.cases.append(
            _Case(
                item=item,
                title=title,
                metadata=self._kept(case),
                success=None if success is None else float(bool(success)),
                results=results if self.wanted.metric in (None, _SUCCESS) else _only(results, self.wanted.metric),
            )
        )

    def _learn(self, name: str, score: float | None, result: Mapping[str, Any]) -> None:
        """Note whether a verdict shows that more is better, or less: by the side of the threshold that passed."""
        threshold, success = result.get("threshold"), result.get("success")
        if score is None or not isinstance(threshold, int | float) or not isinstance(success, bool):
            return
        if score != threshold and result.get("error") is None:
            self.verdicts.setdefault(name, Counter())[(score > threshold) == success] += 1

    def _kept(self, case: Mapping[str, Any]) -> Mapping[str, Any]:
        if not self.wanted.columns:
            return {}
        found = as_object(case.get("metadata", case.get("additionalMetadata")))
        return asked_for({"name": case.get("name"), **found}, self.wanted, whole=len(self.cases) < WHOLE)


def _only(results: dict[str, tuple[float | None, str | None]], name: str) -> dict[str, tuple[float | None, str | None]]:
    return {name: results[name]} if name in results else {}


def _item(case: Mapping[str, Any]) -> tuple[str, str]:
    """Return what names a case in every run, and how to show it; nothing that a model said is part of it."""
    if "turns" not in case or "input" in case:
        asked = str(case.get("input"))
        return fingerprint(asked, case.get("expectedOutput"), case.get("context")), asked[:_SHOWN]
    if case.get("scenario"):
        known = [case.get(key) for key in ("scenario", "expectedOutcome", "userDescription", "context")]
        return fingerprint("scenario", *known), str(case["scenario"])[:_SHOWN]
    turns = case["turns"] if isinstance(case["turns"], list) else []
    said = [str(turn.get("content")) for turn in turns if isinstance(turn, dict) and turn.get("role") == "user"]
    return fingerprint("turns", said, case.get("context")), " ".join(said)[:_SHOWN]


# --- The file -----------------------------------------------------------------------------------------


def _runs(path: Path, wanted: Wanted) -> list[Run]:
    found = _TestRun(where=path, wanted=wanted)
    with path.open("rb") as stream:
        window = Window(stream, path)
        _read(window, found)
        if window.peek():
            raise window.broken("something follows its end")
    if not found.cases:
        if _LINK in found.about:
            raise InvalidEvidence(
                f"{path} holds only a link to a run. Give the run itself: .deepeval/.latest_run_full.json, or a file of"
                " the folder that DEEPEVAL_RESULTS_FOLDER names."
            )
        raise InvalidEvidence(f"{path} has no test cases. Is it a run of deepeval?")
    task = str(found.about.get("datasetAlias") or found.about.get("testFile") or "deepeval")
    choose("task", [task], wanted.task, option="task", where=path)
    names = found.names | {_SUCCESS} if wanted.metric == _SUCCESS else found.names
    metric = choose("metric", names, wanted.metric, option="metric", where=path)
    return [_run(found, metric, task)]


def _read(window: Window, found: _TestRun) -> None:
    for key in window.members():
        if key == _WRAPPED:
            _read(window, found)
        elif key in _CASES:
            for case in window.elements():
                found.add(case)
        elif key in _KEPT or key == _LINK:
            found.about[key] = window.value()
        else:
            window.skip()


def _run(found: _TestRun, metric: str, task: str) -> Run:
    rows = Rows(found.wanted, found.where)
    skipped = 0
    for case in found.cases:
        score, error = _scored(case, metric, found)
        if metric in found.names and metric not in case.results:
            skipped += 1
            if "testFile" in found.about:  # each test has metrics of its own
                continue
            error = "the metric skipped the case"
        rows.add(f"{case.title} [{case.item[:16]}]", score, error=error, proof=case.item, metadata=case.metadata)
    model = as_object(found.about.get("hyperparameters")).get("model")
    table = rows.table()
    scores = table["score"].drop_nulls()
    verdicts = found.verdicts.get(metric, Counter())
    return Run(
        table=table,
        tool="deepeval",
        model=str(model or found.about.get("identifier") or ""),
        task=task,
        metric=metric,
        higher_is_better=verdicts[True] >= verdicts[False],
        # All metrics of deepeval give a number from 0 to 1; one of somebody's own may not.
        bounds=(0.0, 1.0) if scores.is_between(0.0, 1.0).all() else None,
        notes=(
            *_notes(found, metric, verdicts, repeated=rows.counted, skipped=skipped),
            *_contradictions(found, metric),
        ),
    )


def _scored(case: _Case, metric: str, found: _TestRun) -> tuple[float | None, str | None]:
    if metric in found.names:
        return case.results.get(metric, (None, None))
    failed = [error for _, error in case.results.values() if error is not None]
    return (None, failed[0]) if failed else (case.success, None)


def _summary(found: _TestRun) -> list[Any]:
    return as_list(found.about.get("metricsScores", found.about.get("metricScores")))


def _contradictions(found: _TestRun, metric: str) -> Iterator[str]:
    """Say what the summary states of the cases that those read do not bear out."""
    passed, failed = (as_count(found.about.get(key)) for key in ("testPassed", "testFailed"))
    noted = []
    if passed is not None and failed is not None:
        noted = [*note_count("the summary is of", passed + failed, len(found.cases), "test cases")]
    with_result = sum(metric in case.results for case in found.cases)
    for own in (each for each in map(as_object, _summary(found)) if each.get("metric") == metric):
        counts = [as_count(own.get(key)) for key in ("passes", "fails", "errors")]
        if None not in counts:
            noted += note_count("the summary is of", sum(filter(None, counts)), with_result, f"results of {metric!r}")
        noted += note_count("the summary is of", counts[0], found.passed[metric], f"results of {metric!r} that passed")
        noted += _other_scores(found, metric, own.get("scores"))
    noted += note_count(
        "the summary is of", passed, sum(case.success == 1 for case in found.cases), "cases that passed"
    )
    yield from noted[:1]


def _other_scores(found: _TestRun, metric: str, listed: Any) -> Iterator[str]:
    """Say that the summary lists other scores of a metric than the cases have."""
    if not isinstance(listed, list):
        return
    results = (case.results[metric] for case in found.cases if metric in case.results)
    scores = [score for score, _ in results if score is not None]
    noted = [*note_count("the summary lists", len(listed), len(scores), f"scores of {metric!r}")]
    numbers = [number for number in map(as_mean, listed) if number is not None]
    if not noted and len(numbers) == len(scores) > 0:
        noted = [*note_mean("the summary", metric, fmean(numbers), fmean(scores))]
    yield from noted


def _notes(found: _TestRun, metric: str, verdicts: Counter[bool], *, repeated: bool, skipped: int) -> Iterator[str]:
    if not _summary(found):
        yield "the run has no summary: it was cut short, or is not finished"
    if repeated:
        yield "cases with the same input, expected output and context are repeats of one item"
    if skipped:
        left = "left out" if "testFile" in found.about else "without a score"
        yield f"cases without a result of {metric!r}, which are {left}: {skipped}"
    if all(verdicts[side] for side in (True, False)):
        yield f"some verdicts on {metric!r} say that more is better and some that less is; taken by the most"
    if metric in _TURNED and not verdicts.total():
        yield f"no verdict shows whether more or less of {metric!r} is better; taken as more, as since version 4.2"


READER = Reader(name="deepeval", title="deepeval", recognises=_recognises, runs=_runs)
