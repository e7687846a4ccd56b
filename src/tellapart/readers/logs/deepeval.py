"""Run files of deepeval: `test_run_<time>.json`, `.deepeval/.latest_run_full.json` and `.latest_test_run.json`.

A file is one run: test cases with the results of each metric. The name of a case is made from its position unless it
has its own, so a case is identified by its input, expected output and context; the same case again is a repeat.
A failed metric has no score, but fails its case; a metric without a threshold has a score, but deepeval counts it as an
error. The file does not state the direction of a metric, but the verdicts show it: for bias, toxicity and hallucination
lower was better up to version 4.1, and higher is better since 4.2.
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
from .run import Head, LogRun, Reader, Selection, choose
from .run_rows import WHOLE, RunRows, as_list, as_object, as_score, fingerprint, first_line, keep_metadata
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


def _recognises_log(head: Head) -> bool:
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
    """The data kept of a test case."""

    item: str
    title: str
    metadata: Mapping[str, Any]
    success: float | None
    results: dict[str, tuple[float | None, str | None]]  # score and error by metric


@dataclass(slots=True)
class _TestRun:
    """The data kept of a file."""

    where: Path
    selection: Selection
    cases: list[_Case] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    verdicts: dict[str, Counter[bool]] = field(default_factory=dict)  # by metric: whether more was better, how often
    passed: Counter[str] = field(default_factory=Counter)  # by metric: results that passed

    def add(self, case: Any) -> None:
        if not isinstance(case, dict):
            raise InvalidEvidence(
                f"{self.where} must hold test cases that are objects. Check that it was written by deepeval."
            )
        results: dict[str, tuple[float | None, str | None]] = {}
        for result in next((case[key] for key in _RESULTS if isinstance(case.get(key), list)), []):
            if not isinstance(result, dict):
                raise InvalidEvidence(
                    f"{self.where} must hold results of metrics that are objects. Check that it was written"
                    f" by deepeval."
                )
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
            self._learn_direction(name, score, result)
        self.names |= results.keys()
        if len(self.names) > _MOST_METRICS:
            raise InvalidEvidence(
                f"{self.where} has more than {_MOST_METRICS} metrics. Check that it was written by deepeval."
            )
        item, title = _name_item(case)
        success = case.get("success")
        self.cases.append(
            _Case(
                item=item,
                title=title,
                metadata=self._kept_metadata(case),
                success=None if success is None else float(bool(success)),
                results=results
                if self.selection.metric in (None, _SUCCESS)
                else _only_text(results, self.selection.metric),
            )
        )

    def _learn_direction(self, name: str, score: float | None, result: Mapping[str, Any]) -> None:
        """Count whether a verdict shows that higher or lower is better, by the side of the threshold that passed."""
        threshold, success = result.get("threshold"), result.get("success")
        if score is None or not isinstance(threshold, int | float) or not isinstance(success, bool):
            return
        if score != threshold and result.get("error") is None:
            self.verdicts.setdefault(name, Counter())[(score > threshold) == success] += 1

    def _kept_metadata(self, case: Mapping[str, Any]) -> Mapping[str, Any]:
        if not self.selection.columns:
            return {}
        test_run = as_object(case.get("metadata", case.get("additionalMetadata")))
        return keep_metadata({"name": case.get("name"), **test_run}, self.selection, whole=len(self.cases) < WHOLE)


def _only_text(
    results: dict[str, tuple[float | None, str | None]], name: str
) -> dict[str, tuple[float | None, str | None]]:
    return {name: results[name]} if name in results else {}


def _name_item(case: Mapping[str, Any]) -> tuple[str, str]:
    """Return the identity of a case in every run, and its title; neither depends on the model."""
    if "turns" not in case or "input" in case:
        question = str(case.get("input"))
        return fingerprint(question, case.get("expectedOutput"), case.get("context")), question[:_SHOWN]
    if case.get("scenario"):
        content = [case.get(key) for key in ("scenario", "expectedOutcome", "userDescription", "context")]
        return fingerprint("scenario", *content), str(case["scenario"])[:_SHOWN]
    turns = case["turns"] if isinstance(case["turns"], list) else []
    expected = [str(turn.get("content")) for turn in turns if isinstance(turn, dict) and turn.get("role") == "user"]
    return fingerprint("turns", expected, case.get("context")), " ".join(expected)[:_SHOWN]


# --- The file -----------------------------------------------------------------------------------------


def _read_runs(path: Path, selection: Selection) -> list[LogRun]:
    test_run = _TestRun(where=path, selection=selection)
    with path.open("rb") as stream:
        window = Window(stream, path)
        _read_members(window, test_run)
        if window.peek():
            raise window.broken("something follows its end")
    if not test_run.cases:
        if _LINK in test_run.about:
            raise InvalidEvidence(
                f"{path} holds only a link to a run. Give the run itself: .deepeval/.latest_run_full.json, or a file of"
                " the folder that DEEPEVAL_RESULTS_FOLDER names."
            )
        raise InvalidEvidence(f"{path} has no test cases. Check that it is a run of deepeval.")
    task = str(test_run.about.get("datasetAlias") or test_run.about.get("testFile") or "deepeval")
    choose("task", [task], selection.task, option="task", where=path)
    names = test_run.names | {_SUCCESS} if selection.metric == _SUCCESS else test_run.names
    metric = choose("metric", names, selection.metric, option="metric", where=path)
    return [_build_run(test_run, metric, task)]


def _read_members(window: Window, test_run: _TestRun) -> None:
    for key in window.members():
        if key == _WRAPPED:
            _read_members(window, test_run)
        elif key in _CASES:
            for case in window.elements():
                test_run.add(case)
        elif key in _KEPT or key == _LINK:
            test_run.about[key] = window.value()
        else:
            window.skip()


def _build_run(test_run: _TestRun, metric: str, task: str) -> LogRun:
    rows = RunRows(test_run.selection, test_run.where)
    skipped = 0
    for case in test_run.cases:
        score, error = _score_case(case, metric, test_run)
        if metric in test_run.names and metric not in case.results:
            skipped += 1
            if "testFile" in test_run.about:  # each test has metrics of its own
                continue
            error = "the metric skipped the case"
        rows.add(f"{case.title} [{case.item[:16]}]", score, error=error, proof=case.item, metadata=case.metadata)
    model = as_object(test_run.about.get("hyperparameters")).get("model")
    table = rows.table()
    scores = table["score"].drop_nulls()
    verdicts = test_run.verdicts.get(metric, Counter())
    return LogRun(
        table=table,
        tool="deepeval",
        model=str(model or test_run.about.get("identifier") or ""),
        task=task,
        metric=metric,
        higher_is_better=verdicts[True] >= verdicts[False],
        # All metrics of deepeval give a number from 0 to 1; one of somebody's own may not.
        bounds=(0.0, 1.0) if scores.is_between(0.0, 1.0).all() else None,
        notes=(
            *_collect_notes(test_run, metric, verdicts, repeated=rows.counted, skipped=skipped),
            *_find_contradictions(test_run, metric),
        ),
    )


def _score_case(case: _Case, metric: str, test_run: _TestRun) -> tuple[float | None, str | None]:
    if metric in test_run.names:
        return case.results.get(metric, (None, None))
    failed = [error for _, error in case.results.values() if error is not None]
    return (None, failed[0]) if failed else (case.success, None)


def _summary_of_metrics(test_run: _TestRun) -> list[Any]:
    return as_list(test_run.about.get("metricsScores", test_run.about.get("metricScores")))


def _find_contradictions(test_run: _TestRun, metric: str) -> Iterator[str]:
    """Yield notes on statements of the summary that contradict the cases read."""
    passed, failed = (as_count(test_run.about.get(key)) for key in ("testPassed", "testFailed"))
    noted = []
    if passed is not None and failed is not None:
        noted = [*note_count("the summary is of", passed + failed, len(test_run.cases), "test cases")]
    with_result = sum(metric in case.results for case in test_run.cases)
    for summary_of_metric in (
        summary for summary in map(as_object, _summary_of_metrics(test_run)) if summary.get("metric") == metric
    ):
        counts = [as_count(summary_of_metric.get(key)) for key in ("passes", "fails", "errors")]
        if None not in counts:
            noted += note_count("the summary is of", sum(filter(None, counts)), with_result, f"results of {metric!r}")
        noted += note_count(
            "the summary is of", counts[0], test_run.passed[metric], f"results of {metric!r} that passed"
        )
        noted += _other_scores(test_run, metric, summary_of_metric.get("scores"))
    noted += note_count(
        "the summary is of", passed, sum(case.success == 1 for case in test_run.cases), "cases that passed"
    )
    yield from noted[:1]


def _other_scores(test_run: _TestRun, metric: str, listed: Any) -> Iterator[str]:
    """Yield notes if the summary lists other scores of a metric than the cases."""
    if not isinstance(listed, list):
        return
    results = (case.results[metric] for case in test_run.cases if metric in case.results)
    scores = [score for score, _ in results if score is not None]
    noted = [*note_count("the summary lists", len(listed), len(scores), f"scores of {metric!r}")]
    numbers = [number for number in map(as_mean, listed) if number is not None]
    if not noted and len(numbers) == len(scores) > 0:
        noted = [*note_mean("the summary", metric, fmean(numbers), fmean(scores))]
    yield from noted


def _collect_notes(
    test_run: _TestRun, metric: str, verdicts: Counter[bool], *, repeated: bool, skipped: int
) -> Iterator[str]:
    if not _summary_of_metrics(test_run):
        yield "the run has no summary: it was cut short, or is not finished"
    if repeated:
        yield "cases with the same input, expected output and context are repeats of one item"
    if skipped:
        left = "left out" if "testFile" in test_run.about else "without a score"
        yield f"cases without a result of {metric!r}, which are {left}: {skipped}"
    if all(verdicts[side] for side in (True, False)):
        yield f"some verdicts on {metric!r} say that more is better and some that less is; taken by the most"
    if metric in _TURNED and not verdicts.total():
        yield f"no verdict shows whether more or less of {metric!r} is better; taken as more, as since version 4.2"


READER = Reader(name="deepeval", title="deepeval", recognises=_recognises_log, runs=_read_runs)
